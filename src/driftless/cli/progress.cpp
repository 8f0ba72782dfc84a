#include "driftless/cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless::cli {
namespace {

constexpr int kBarWidth = 24;

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e7) return "long";
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

std::string progress_line(const Progress& progress, double elapsed_seconds) {
  const double span = progress.t_end - progress.t_start;
  const double part = span > 0 ? std::clamp((progress.t - progress.t_start) / span, 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(part * kBarWidth);
  const std::string left =
      part > 0 ? fmt::format("{} left", duration(elapsed_seconds * (1 - part) / part)) : "starting";
  return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} of {:.4g} s  {}", "", filled, "",
                     kBarWidth - filled, std::floor(100 * part), progress.t, progress.t_end, left);
}

void ProgressBar::update(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kPause;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::fputs(fmt::format("\r{}\x1b[K", progress_line(progress, elapsed)).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

ProgressBar::~ProgressBar() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace driftless::cli
