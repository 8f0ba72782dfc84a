// A Chromium browser without a window, spoken to over two pipes in its DevTools protocol: JSON messages
// { id, method, params, sessionId }, each ended by a zero byte (chromedevtools.github.io/devtools-protocol).
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>

#include "driftless/core/json/json_value.hpp"

namespace driftless {

class Browser {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts it, with its files in `folder`. Every call must be over by `deadline`.
  Browser(const std::string& program, const std::string& folder, Clock::time_point deadline);
  ~Browser();  // ends it
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // The result of a command, null if it is refused; std::runtime_error if it is late, or the browser gone.
  JsonValue call(const std::string& method, JsonValue::Object parameters, const std::string& session = {});

 private:
  std::string next_message();

  pid_t child_ = 0;
  int to_ = -1, from_ = -1;
  Clock::time_point deadline_;
  int last_ = 0;  // number of the last command
  std::string received_;
};

}  // namespace driftless
