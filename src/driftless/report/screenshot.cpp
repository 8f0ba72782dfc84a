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

// Waits until the viewer says that everything is drawn (data-ready), then takes the picture.
std::string picture_of(Browser& browser, const std::string& address, int width, int height) {
  const std::string target =
      text_in(browser.call("Target.createTarget", {{"url", "about:blank"}}), {"targetId"});
  const std::string session = text_in(
      browser.call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}), {"sessionId"});
  const auto call = [&](const char* method, JsonValue::Object parameters) {
    return browser.call(method, std::move(parameters), session);
  };
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Page.navigate", {{"url", address}});
  const auto ready = [&] {
    const JsonValue answer =
        call("Runtime.evaluate",
             {{"expression", "document.documentElement.dataset.ready || ''"}, {"returnByValue", true}});
    return text_in(answer, {"result", "value"}) == "1";
  };
  while (!ready()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return from_base64(text_in(call("Page.captureScreenshot", {{"format", "png"}}), {"data"}));
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
  const std::string program = find_browser();
  if (program.empty())
    throw std::runtime_error(
        fmt::format("{}: no browser to draw it with (chromium, chromium-browser or google-chrome); install "
                    "one, on Debian: apt "
                    "install chromium, or open the page of --report in any browser",
                    png));
  AtomicFile file(png);
  std::string picture;
  try {
    const Folder folder;
    Browser browser(program, folder.path(), Browser::Clock::now() + kPatience);
    picture = picture_of(browser, address_of(page) + fragment, width, height);
  } catch (const std::runtime_error& failure) {
    throw std::runtime_error(fmt::format("{}: {} ({})", png, failure.what(), program));
  }
  if (picture.empty()) throw std::runtime_error(fmt::format("{}: {} made no picture", png, program));
  file.write(picture);
  file.commit();
}

}  // namespace driftless
