// Real-time mode of fixed steps, option realtime=K: every step does the same work, and whether it keeps up with the time it
// stands for is watched on the clock.                                    García de Jalón & Bayo 1994, section 7.3
//   implicit schemes   K Newton iterations a stage, no test; the Jacobian is that of the beginning of the step, or of each
//                      iterate on residual forms; how large the last corrections were is told                            (1)
//   explicit ones      the clock alone
#pragma once

#include <chrono>
#include <string>

#include <fmt/format.h>

#include "driftless/core/method_record.hpp"

namespace driftless {

OptionSpec realtime_iterations();  // of implicit schemes
OptionSpec realtime_clock();       // of explicit ones
// K as the options of an integrator say; 0 where it has no such mode. InputError without a fixed step.
int realtime_of(const Options& options, double step);

class RealTime {
 public:
  void begin() { began_ = std::chrono::steady_clock::now(); }
  void end(double t, double h) {
    const double cost = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    ++steps_;
    total_ += cost;
    if (cost > h) ++late_;
    if (cost > worst_) {
      worst_ = cost;
      at_ = t;
    }
  }
  std::string remark(double step) const {
    if (steps_ == 0) return {};
    const std::string verdict =
        late_ == 0 ? "it kept up with real time"
                   : fmt::format("it fell behind real time in {} of them; take longer steps", late_);
    return fmt::format(
        "real time: {} steps of {:g} s cost {:.3g} s on average and {:.3g} s at worst (before t = {:.6g}): "
        "{}",
        steps_, step, total_ / static_cast<double>(steps_), worst_, at_, verdict);
  }

 private:
  std::chrono::steady_clock::time_point began_;
  double total_ = 0, worst_ = 0, at_ = 0;
  long steps_ = 0, late_ = 0;
};

}  // namespace driftless
