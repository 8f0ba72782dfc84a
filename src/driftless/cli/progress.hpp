// One line on the terminal while a long run goes on: how far, simulated time, time left. Erased at the end.
#pragma once

#include <chrono>
#include <string>

#include "driftless/simulate.hpp"

namespace driftless::cli {

// Whether stderr is a terminal: nowhere else is a bar of any use.
bool stderr_is_terminal();

// "[#######.......]  47 %   t = 0.0141 of 0.03 s   12 s left"
std::string progress_line(const Progress& progress, double elapsed_seconds);

class ProgressBar {
 public:
  ProgressBar() : start_(std::chrono::steady_clock::now()), next_(start_ + kDelay) {}
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(const Progress& progress);  // draws at most five times a second

 private:
  static constexpr std::chrono::milliseconds kDelay{300};  // short runs show nothing
  static constexpr std::chrono::milliseconds kPause{200};
  std::chrono::steady_clock::time_point start_, next_;
  bool drawn_ = false;
};

}  // namespace driftless::cli
