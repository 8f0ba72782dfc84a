// Ctrl-C (SIGINT) and SIGTERM end a run cleanly; a second one ends the program at once.
#pragma once

#include <atomic>
#include <csignal>

namespace driftless::cli {

// Listens while it lives. A signal that was ignored before (nohup, background jobs) stays ignored.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  const std::atomic<bool>* flag() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace driftless::cli
