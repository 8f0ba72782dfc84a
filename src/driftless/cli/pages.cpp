#include "driftless/cli/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/report/screenshot.hpp"

namespace driftless::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 1600, kHeight = 1000;

std::string size_text(std::uintmax_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// A page for the picture alone, removed afterwards.
class TemporaryPage {
 public:
  explicit TemporaryPage(const Page& page)
      : path_((fs::temp_directory_path() / fmt::format("driftless-page-{}.html", ::getpid())).string()) {
    write_page(page, path_);
  }
  ~TemporaryPage() {
    std::error_code error;
    fs::remove(path_, error);
  }
  TemporaryPage(const TemporaryPage&) = delete;
  TemporaryPage& operator=(const TemporaryPage&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The scene alone, or the whole page where there is nothing to see in it.
std::string fragment(const Page& page, std::optional<double> at) {
  const bool has_scene =
      page.kind == "results" && std::any_of(page.runs.begin(), page.runs.end(), [](const PageRun& run) {
        return !run.results->trajectory.body_names.empty() && run.results->trajectory.size() > 0;
      });
  std::string out = "#play=0&theme=light";
  if (at) out += fmt::format("&t={}", *at);
  return has_scene ? out + "&plain=scene" : out;
}

// Equal distances from the first record of all runs to the last.
std::vector<double> frame_times(const Page& page, int count) {
  double start = std::numeric_limits<double>::infinity(), end = -start;
  for (const PageRun& run : page.runs) {
    const std::vector<double>& t = run.results->trajectory.t;
    if (t.empty()) continue;
    start = std::min(start, t.front());
    end = std::max(end, t.back());
  }
  if (!(end > start)) throw std::runtime_error("--frames: nothing moves, there are no records");
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(start + (end - start) * i / (count - 1));
  return out;
}

}  // namespace

void check_page_files(const PageFiles& files) {
  if (files.report) check_output_path(*files.report, {".html", ".htm"});
  if (files.png) check_output_path(*files.png, {".png"});
  constexpr int kMostFrames = 9999;
  if (files.frame_count < 2 || files.frame_count > kMostFrames)
    throw InputError("", Complaint{"--frame-count", fmt::format("a whole number, 2 to {}", kMostFrames),
                                   fmt::format("'{}'", files.frame_count), ""});
}

WrittenPages write_pages(const Page& page, const PageFiles& files, std::optional<double> at) {
  WrittenPages out;
  const auto attempt = [&](auto work) {
    try {
      work();
    } catch (const std::runtime_error& failure) {
      out.trouble += (out.trouble.empty() ? "" : "\n") + std::string(failure.what());
    }
  };
  if (files.report)
    attempt([&] {
      write_page(page, *files.report);
      out.files.report = files.report;
      std::error_code error;
      out.report_bytes = fs::file_size(*files.report, error);
    });
  if (files.png)
    attempt([&] {
      if (out.files.report) {
        take_screenshot(*out.files.report, fragment(page, at), kWidth, kHeight, *files.png);
      } else {
        const TemporaryPage temporary(page);
        take_screenshot(temporary.path(), fragment(page, at), kWidth, kHeight, *files.png);
      }
      out.files.png = files.png;
    });
  if (files.frames)
    attempt([&] {
      std::optional<TemporaryPage> temporary;
      if (!out.files.report) temporary.emplace(page);
      take_frames(out.files.report ? *out.files.report : temporary->path(), fragment(page, {}), kWidth,
                  kHeight, *files.frames, frame_times(page, files.frame_count));
      out.files.frames = files.frames;
      out.files.frame_count = files.frame_count;
    });
  return out;
}

std::string report_text(const WrittenPages& written) {
  return fmt::format("{}, {}; open it in a browser", *written.files.report, size_text(written.report_bytes));
}

}  // namespace driftless::cli
