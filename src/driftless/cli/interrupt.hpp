// Ctrl-C (SIGINT) and SIGTERM end a run cleanly; a second one ends the program at once. So do SIGHUP (a closed terminal) and
// SIGXCPU (a limit on CPU time), but nobody has asked for these: its file stays NAME.part, and NAME is left alone. A limit on the
// size of files (SIGXFSZ) is an error of writing like a full disk.
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

  const std::atomic<bool>* flag() const;          // by any of them
  const std::atomic<bool>* cut_off_flag() const;  // by SIGHUP or SIGXCPU

 private:
  std::vector<std::pair<int, struct sigaction>> old_;
};

}  // namespace driftless::cli
