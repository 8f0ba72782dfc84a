#include "driftless/cli/interrupt.hpp"

namespace driftless::cli {
namespace {

// A signal handler reaches nothing but statics.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  interrupted.store(true);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void listen(int signal, struct sigaction& old) {
  sigaction(signal, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write under way goes on
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupted.store(false);
  listen(SIGINT, old_interrupt_);
  listen(SIGTERM, old_terminate_);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>* InterruptScope::flag() const { return &interrupted; }

}  // namespace driftless::cli
