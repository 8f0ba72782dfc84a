#include "driftless/report/browser.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "driftless/report/page_text.hpp"

extern char** environ;

namespace driftless {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("the browser " + what); }

// Both ends away from 0 to 4, which the child gets.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot be spoken to: no pipe");
  for (int& end : ends) {
    const int moved = ::fcntl(end, F_DUPFD_CLOEXEC, 10);
    ::close(end);
    end = moved;
  }
  return ends;
}

}  // namespace

Browser::Browser(const std::string& program, const std::string& folder, Clock::time_point deadline)
    : deadline_(deadline) {
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--no-sandbox",
                                    "--disable-dev-shm-usage",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--hide-scrollbars",
                                    "--no-first-run",
                                    "--disable-extensions",
                                    "--remote-debugging-pipe",
                                    fmt::format("--user-data-dir={}", folder),
                                    "about:blank"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto commands = make_pipe(), answers = make_pipe();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, commands[0], 3);
  posix_spawn_file_actions_adddup2(&files, answers[1], 4);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // ended as a group
  const int failed = posix_spawn(&child_, program.c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  ::close(commands[0]);
  ::close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  if (failed == 0) return;
  ::close(to_);
  ::close(from_);
  fail(fmt::format("does not start: {}", std::generic_category().message(failed)));
}

Browser::~Browser() {
  ::close(to_);
  ::close(from_);
  ::kill(-child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

std::string Browser::next_message() {
  for (;;) {
    if (const size_t end = received_.find('\0'); end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) fail("took too long");
    pollfd wait{from_, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(std::min<long>(left, 60'000))) <= 0) continue;
    std::array<char, 65536> chunk;
    const ssize_t count = ::read(from_, chunk.data(), chunk.size());
    if (count == 0 || (count < 0 && errno != EINTR)) fail("ended by itself");
    if (count > 0) received_.append(chunk.data(), static_cast<size_t>(count));
  }
}

JsonValue Browser::call(const std::string& method, JsonValue::Object parameters, const std::string& session) {
  const int number = ++last_;
  JsonValue::Object command = {{"id", number}, {"method", method}, {"params", std::move(parameters)}};
  if (!session.empty()) command.push_back({"sessionId", session});
  const std::string text = script_json(command) + '\0';
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);  // a browser that is gone is an error, not our end
  const bool sent = ::write(to_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::sigaction(SIGPIPE, &before, nullptr);
  if (!sent) fail("ended by itself");
  for (;;) {
    const JsonValue message = parse_json(next_message(), "browser");
    const JsonValue* id = message.find("id");
    if (id == nullptr || id->number() == nullptr || *id->number() != number) continue;  // an event
    const JsonValue* result = message.find("result");
    return result == nullptr ? JsonValue() : *result;
  }
}

}  // namespace driftless
