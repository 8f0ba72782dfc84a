#include "driftless/report/screenshot.hpp"

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/io/atomic_file.hpp"
#include "driftless/report/browser.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
constexpr auto kPatience = std::chrono::seconds(120);

// A folder of its own for the browser's files, removed afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "driftless-browser-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(fmt::format("{}: cannot be made", name));
    path_ = name;
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
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

std::string text_in(const JsonValue& value, std::initializer_list<const char*> path) {
  const JsonValue* at = &value;
  for (const char* key : path) {
    at = at->find(key);
    if (at == nullptr) return {};
  }
  return at->string() == nullptr ? std::string() : *at->string();
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned group = 0, bits = 0;
  for (const char c : text) {
    const size_t value = kLetters.find(c);
    if (value == std::string_view::npos) break;
    group = (group << 6U | static_cast<unsigned>(value)) & 0xffffU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(group >> bits & 0xffU);
  }
  return out;
}

// A page in a browser, of a certain size, once the viewer says that everything is drawn (data-ready).
class OpenPage {
 public:
  OpenPage(Browser& browser, const std::string& address, int width, int height) : browser_(browser) {
    const std::string target =
        text_in(browser.call("Target.createTarget", {{"url", "about:blank"}}), {"targetId"});
    session_ = text_in(browser.call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}),
                       {"sessionId"});
    call("Emulation.setDeviceMetricsOverride",
         {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
    call("Page.navigate", {{"url", address}});
    while (evaluate("document.documentElement.dataset.ready || ''") != "1")
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

  std::string picture() {
    return from_base64(text_in(call("Page.captureScreenshot", {{"format", "png"}}), {"data"}));
  }

  // The scene of another time is drawn with the next picture but one at the latest.
  void seek(double t) {
    evaluate(
        fmt::format("(window.driftless.seek({}), new Promise(done => requestAnimationFrame(() => "
                    "requestAnimationFrame(() => done('')))))",
                    t));
  }

 private:
  JsonValue call(const char* method, JsonValue::Object parameters) {
    return browser_.call(method, std::move(parameters), session_);
  }
  std::string evaluate(const std::string& expression) {
    return text_in(call("Runtime.evaluate",
                        {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}}),
                   {"result", "value"});
  }

  Browser& browser_;
  std::string session_;
};

std::string browser_for(const std::string& what) {
  std::string program = find_browser();
  if (program.empty())
    throw std::runtime_error(
        fmt::format("{}: no browser to draw it with (chromium, chromium-browser or google-chrome); install "
                    "one, on Debian: apt "
                    "install chromium, or open the page itself in any browser",
                    what));
  return program;
}

void write_picture(const std::string& picture, const std::string& png, const std::string& program) {
  if (picture.empty()) throw std::runtime_error(fmt::format("{}: {} made no picture", png, program));
  AtomicFile file(png);
  file.write(picture);
  file.commit();
}

}  // namespace

std::string find_browser() {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return {};
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::istringstream list(folders);
    for (std::string folder; std::getline(list, folder, ':');) {
      const fs::path program = fs::path(folder) / name;
      std::error_code error;
      if (!folder.empty() && ::access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program, error))
        return program.string();
    }
  }
  return {};
}

void take_screenshot(
    const std::string& page, const std::string& fragment, int width, int height, const std::string& png) {
  const std::string program = browser_for(png);
  AtomicFile file(png);  // before the browser is asked: it may not be allowed
  std::string picture;
  try {
    const Folder folder;
    Browser browser(program, folder.path(), Browser::Clock::now() + kPatience);
    picture = OpenPage(browser, address_of(page) + fragment, width, height).picture();
  } catch (const std::runtime_error& failure) {
    throw std::runtime_error(fmt::format("{}: {} ({})", png, failure.what(), program));
  }
  if (picture.empty()) throw std::runtime_error(fmt::format("{}: {} made no picture", png, program));
  file.write(picture);
  file.commit();
}

void take_frames(const std::string& page,
                 const std::string& fragment,
                 int width,
                 int height,
                 const std::string& folder,
                 const std::vector<double>& times) {
  const std::string program = browser_for(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    throw std::runtime_error(fmt::format("{}: no folder, and none can be made there", folder));
  constexpr auto kPatienceEach = std::chrono::seconds(10);
  try {
    const Folder own;
    Browser browser(program, own.path(), Browser::Clock::now() + kPatience + times.size() * kPatienceEach);
    OpenPage open(browser, address_of(page) + fragment, width, height);
    for (size_t i = 0; i < times.size(); ++i) {
      open.seek(times[i]);
      write_picture(open.picture(), (fs::path(folder) / fmt::format("frame-{:04}.png", i + 1)).string(),
                    program);
    }
  } catch (const std::runtime_error& failure) {
    throw std::runtime_error(fmt::format("{}: {} ({})", folder, failure.what(), program));
  }
}

}  // namespace driftless
