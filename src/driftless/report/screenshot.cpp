#include "driftless/report/screenshot.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "driftless/io/atomic_file.hpp"

extern char** environ;

namespace driftless {
namespace {

namespace fs = std::filesystem;
constexpr auto kPatience = std::chrono::seconds(120);
constexpr int kSettle = 2500;  // ms of the page's own time, all of which is drawn

// A folder of its own for the browser's files, removed afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "driftless-browser-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(fmt::format("{}: cannot be made", name));
    path_ = name;
  }
  ~Scratch() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// file:///… with everything unusual in the path escaped.
std::string address_of(const std::string& path) {
  std::string out = "file://";
  for (const char c : fs::absolute(path).lexically_normal().string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Runs a program in a process group of its own, output to a file; false if it had to be ended.
bool run(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    throw std::runtime_error(fmt::format("{}: {}", words[0], std::generic_category().message(failed)));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace

std::string find_browser() {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return {};
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::istringstream list(folders);
    for (std::string folder; std::getline(list, folder, ':');) {
      const fs::path program = fs::path(folder) / name;
      if (!folder.empty() && ::access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program))
        return program.string();
    }
  }
  return {};
}

void take_screenshot(
    const std::string& page, const std::string& fragment, int width, int height, const std::string& png) {
  const std::string browser = find_browser();
  if (browser.empty())
    throw std::runtime_error(
        fmt::format("{}: no browser to draw it with (chromium, chromium-browser or google-chrome); install "
                    "one, on Debian: apt "
                    "install chromium, or open the page of --report in any browser",
                    png));
  const Scratch scratch;
  AtomicFile file(png);
  const fs::path picture = scratch.path() / "picture.png", log = scratch.path() / "log";
  const bool ended = run(
      {browser, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
       "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
       fmt::format("--user-data-dir={}", (scratch.path() / "profile").string()),
       fmt::format("--window-size={},{}", width, height), fmt::format("--virtual-time-budget={}", kSettle),
       fmt::format("--screenshot={}", picture.string()), address_of(page) + fragment},
      log);
  std::error_code error;
  if (!fs::exists(picture, error) || fs::file_size(picture, error) == 0)
    throw std::runtime_error(fmt::format("{}: {} made no picture{}", png, browser,
                                         ended ? "" : fmt::format(" within {} s", kPatience.count())));
  if (!fs::copy_file(picture, file.temporary(), fs::copy_options::overwrite_existing, error))
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", png, error.message()));
  file.commit();
}

}  // namespace driftless
