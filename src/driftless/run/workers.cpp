#include "driftless/run/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless {
namespace {

using WorkerClock = std::chrono::steady_clock;

struct RunningWorker {
  pid_t process = 0;
  int line = -1;              // both ways: a task's number there, its bytes with their count in front back
  bool is_busy = false;       // with `task`, since `start`
  bool is_dismissed = false;  // it gets no more and is about to end
  std::size_t task = 0;
  WorkerClock::time_point start = {};
  double used = 0;  // s of the processor, at the start
  std::string received = {};
};

// s of the processor that a process has taken; 0 if it is gone.
double processor_time(pid_t process) {
  clockid_t clock = 0;
  timespec time = {};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool send_all(int line, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::send(line, bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// False: nothing more comes.
bool receive_all(int line, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::recv(line, bytes, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

[[noreturn]] void be_worker_process(const WorkerPlan& plan, int line) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  try {
    for (std::uint64_t task = 0; receive_all(line, &task, sizeof task);) {
      const std::string bytes = plan.task(task);
      const std::uint64_t size = bytes.size();
      if (!send_all(line, &size, sizeof size) || !send_all(line, bytes.data(), size)) ::_exit(3);
    }
  } catch (...) {
    ::_exit(3);
  }
  ::_exit(0);
}

RunningWorker start_worker(const WorkerPlan& plan) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  std::fflush(nullptr);  // or both would write it
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    ::close(ends[0]);
    be_worker_process(plan, ends[1]);
  }
  ::close(ends[1]);
  return {child, ends[0]};
}

void give_task(RunningWorker& worker, std::size_t task) {
  const std::uint64_t number = task;
  worker.is_busy = true;
  worker.task = task;
  worker.start = WorkerClock::now();
  worker.used = processor_time(worker.process);
  send_all(worker.line, &number, sizeof number);  // if it is dead its end is seen in a moment
}

void dismiss(RunningWorker& worker) {
  worker.is_dismissed = true;
  ::shutdown(worker.line, SHUT_WR);
}

// Takes what there is. False: the other end is closed.
bool read_some(RunningWorker& worker) {
  char buffer[65536];
  const ssize_t count = ::recv(worker.line, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count > 0) worker.received.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// All of a task's bytes, if they are there.
bool take_bytes(RunningWorker& worker, std::string& bytes) {
  std::uint64_t size = 0;
  if (worker.received.size() < sizeof size) return false;
  std::memcpy(&size, worker.received.data(), sizeof size);
  if (worker.received.size() - sizeof size < size) return false;
  bytes = worker.received.substr(sizeof size, size);
  worker.received.erase(0, sizeof size + size);
  return true;
}

std::string end_of(const RunningWorker& worker) {
  ::close(worker.line);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status)) : "broke down";
}

class Workers {
 public:
  explicit Workers(const WorkerPlan& plan) : plan_(plan), results_(plan.tasks) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  // None outlives whoever started it, also where that is left by an exception.
  ~Workers() {
    for (const RunningWorker& worker : running_) {
      ::kill(worker.process, SIGKILL);
      end_of(worker);
    }
  }

  std::vector<WorkerResult> work() {
    while (next_ < plan_.tasks || !running_.empty()) {
      interrupted_ = plan_.interrupt != nullptr && plan_.interrupt->load();
      if (interrupted_)
        for (; next_ < plan_.tasks; ++next_) results_[next_].trouble = kInterrupted;
      while (next_ < plan_.tasks && running_.size() < std::max(plan_.jobs, 1U)) {
        running_.push_back(start_worker(plan_));
        occupy(running_.back());
      }
      listen();
    }
    return std::move(results_);
  }

 private:
  void occupy(RunningWorker& worker) {
    give_task(worker, next_++);
    if (!plan_.reuse) dismiss(worker);
  }

  void listen() {
    std::vector<pollfd> lines;
    for (const RunningWorker& worker : running_) lines.push_back({worker.line, POLLIN, 0});
    ::poll(lines.data(), lines.size(), 50);
    for (std::size_t i = running_.size(); i-- > 0;) {
      RunningWorker& worker = running_[i];
      end_if_late(worker);
      if (lines[i].revents == 0) continue;
      const bool is_open = read_some(worker);
      if (worker.is_busy && take_bytes(worker, results_[worker.task].bytes)) {
        results_[worker.task].done = results_[worker.task].trouble.empty();
        conclude(worker);
        if (next_ < plan_.tasks && plan_.reuse && !interrupted_)
          occupy(worker);
        else if (!worker.is_dismissed)
          dismiss(worker);
      }
      if (is_open) continue;
      const std::string how = end_of(worker);
      const RunningWorker ended = std::move(worker);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      if (!ended.is_busy) continue;
      if (results_[ended.task].trouble.empty()) results_[ended.task].trouble = how;
      tell(ended.task);
    }
  }

  void end_if_late(const RunningWorker& worker) {
    if (!worker.is_busy || !results_[worker.task].trouble.empty()) return;
    if (!interrupted_ && !is_late(worker)) return;
    results_[worker.task].trouble = interrupted_
                                        ? std::string(kInterrupted)
                                        : fmt::format("passed its limit of {:g} s", plan_.time_limit);
    ::kill(worker.process, SIGKILL);
  }

  bool is_late(const RunningWorker& worker) const {
    constexpr double kOnTheClock = 10;
    if (!(plan_.time_limit > 0)) return false;
    const double seconds = std::chrono::duration<double>(WorkerClock::now() - worker.start).count();
    return seconds > plan_.time_limit && (processor_time(worker.process) - worker.used > plan_.time_limit ||
                                          seconds > kOnTheClock * plan_.time_limit);
  }

  void conclude(RunningWorker& worker) {
    worker.is_busy = false;
    tell(worker.task);
  }

  void tell(std::size_t task) {
    if (plan_.on_result) plan_.on_result(task, results_[task]);
    if (plan_.on_done) plan_.on_done(++done_);
  }

  const WorkerPlan& plan_;
  std::vector<WorkerResult> results_;
  std::vector<RunningWorker> running_;
  std::size_t next_ = 0, done_ = 0;
  bool interrupted_ = false;
};

}  // namespace

std::vector<WorkerResult> work_in_processes(const WorkerPlan& plan) { return Workers(plan).work(); }

}  // namespace driftless
