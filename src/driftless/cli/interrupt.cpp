#include "driftless/cli/interrupt.hpp"

namespace driftless::cli {
namespace {

// A signal handler reaches nothing but statics.
std::atomic<bool> interrupted{false}, cut_off{false};
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr int kEndings[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

void on_signal(int signal) {
  if (signal == SIGHUP || signal == SIGXCPU) cut_off.store(true);
  interrupted.store(true);
  if (signal == SIGXCPU) return;  // comes again every second
  for (const int ending : kEndings) std::signal(ending, SIG_DFL);
}

// A signal that was ignored before (nohup, background jobs) stays ignored.
struct sigaction replace(int signal, void (*handler)(int)) {
  struct sigaction old {};
  sigaction(signal, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return old;
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write under way goes on
  sigaction(signal, &action, nullptr);
  return old;
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupted.store(false);
  cut_off.store(false);
  for (const int signal : kEndings) old_.emplace_back(signal, replace(signal, on_signal));
  old_.emplace_back(SIGXFSZ, replace(SIGXFSZ, SIG_IGN));
}

InterruptScope::~InterruptScope() {
  for (const auto& [signal, action] : old_) sigaction(signal, &action, nullptr);
}

const std::atomic<bool>* InterruptScope::flag() const { return &interrupted; }

const std::atomic<bool>* InterruptScope::cut_off_flag() const { return &cut_off; }

}  // namespace driftless::cli
