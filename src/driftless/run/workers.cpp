#include "driftless/run/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless {
namespace {

using WorkerClock = std::chrono::steady_clock;

struct RunningWorker {
  std::size_t task = 0;
  pid_t process = 0;
  int pipe = -1;
  WorkerClock::time_point start;
};

[[noreturn]] void be_worker_process(const WorkerPlan& plan, std::size_t task, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  int status = 0;
  try {
    const std::string bytes = plan.task(task);
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::write(pipe, bytes.data() + sent, bytes.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) ::_exit(3);
      sent += static_cast<std::size_t>(count);
    }
  } catch (...) {
    status = 3;
  }
  ::_exit(status);
}

RunningWorker start_worker(const WorkerPlan& plan, std::size_t task) {
  int ends[2];
  if (::pipe(ends) != 0)
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
    be_worker_process(plan, task, ends[1]);
  }
  ::close(ends[1]);
  return {task, child, ends[0], WorkerClock::now()};
}

// Takes what there is. False: the other end is closed.
bool read_some(int pipe, std::string& into) {
  char buffer[65536];
  const ssize_t count = ::read(pipe, buffer, sizeof buffer);
  if (count > 0) into.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

void finish_worker(const RunningWorker& worker, WorkerResult& result) {
  ::close(worker.pipe);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!result.trouble.empty()) return;  // it was ended
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    result.done = true;
  else
    result.trouble = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status)) : "broke down";
}

}  // namespace

std::vector<WorkerResult> work_in_processes(const WorkerPlan& plan) {
  std::vector<WorkerResult> results(plan.tasks);
  std::vector<RunningWorker> running;
  std::size_t next = 0, done = 0;
  while (next < plan.tasks || !running.empty()) {
    const bool interrupted = plan.interrupt != nullptr && plan.interrupt->load();
    if (interrupted) {
      for (; next < plan.tasks; ++next) results[next].trouble = "interrupted";
    }
    while (next < plan.tasks && running.size() < std::max(plan.jobs, 1U)) {
      running.push_back(start_worker(plan, next));
      ++next;
    }
    std::vector<pollfd> pipes;
    for (const RunningWorker& worker : running) pipes.push_back({worker.pipe, POLLIN, 0});
    ::poll(pipes.data(), pipes.size(), 50);
    for (std::size_t i = running.size(); i-- > 0;) {
      const RunningWorker worker = running[i];
      WorkerResult& result = results[worker.task];
      const double seconds = std::chrono::duration<double>(WorkerClock::now() - worker.start).count();
      if (result.trouble.empty() && (interrupted || (plan.time_limit > 0 && seconds > plan.time_limit))) {
        result.trouble =
            interrupted ? "interrupted" : fmt::format("passed its limit of {:g} s", plan.time_limit);
        ::kill(worker.process, SIGKILL);
      }
      if (pipes[i].revents == 0 || read_some(worker.pipe, result.bytes)) continue;
      finish_worker(worker, result);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      if (plan.on_done) plan.on_done(++done);
    }
  }
  return results;
}

}  // namespace driftless
