// How a numerical operation ended. Trouble inside a step is a value, never an exception: the caller may try a smaller
// step (recoverable) or must end the run (fatal). `simulate` turns it into words.
#pragma once

#include <string_view>

namespace driftless {

enum class Status {
  ok,
  singular,        // a factorisation found the constraint or mass matrix rank deficient
  not_converged,   // an iteration did not reach its tolerance
  not_finite,      // NaN or infinity came out of an evaluation
  step_too_small,  // the error test asks for steps below the resolution of time
  too_many_steps,  // the step budget is used up
  drift_exceeded,  // the constraint error passed the stated limit
  chattering,      // a switch goes back and forth without time passing
  no_mode,         // behind an event no mode is consistent, or several are
  interrupted,     // the user asked to stop
  stopped,         // a stop condition was met: a good end
};

constexpr std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::singular:
      return "singular";
    case Status::not_converged:
      return "not converged";
    case Status::not_finite:
      return "not finite";
    case Status::step_too_small:
      return "step too small";
    case Status::too_many_steps:
      return "too many steps";
    case Status::drift_exceeded:
      return "drift exceeded";
    case Status::chattering:
      return "chattering";
    case Status::no_mode:
      return "no consistent mode";
    case Status::interrupted:
      return "interrupted";
    case Status::stopped:
      return "stopped";
  }
  return "unknown";
}

}  // namespace driftless
