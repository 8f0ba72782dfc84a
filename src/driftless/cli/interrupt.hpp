// Ctrl-C (SIGINT), SIGTERM, SIGHUP and SIGXCPU end a run cleanly; a second one ends the program at once. A limit on the size
// of files (SIGXFSZ) is an error of writing like a full disk.
#pragma once

#include <atomic>
#include <csignal>
#include <utility>
#include <vector>

namespace driftless::cli {

// Listens while it lives.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  const std::atomic<bool>* flag() const;

 private:
  std::vector<std::pair<int, struct sigaction>> old_;
};

}  // namespace driftless::cli
