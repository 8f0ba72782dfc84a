// What settling moves the end of a step by, in units of the error test. Estimates of the error leave it out, yet it is the part
// of the error the constraints show. Steps are not rejected for it: drift that gathered behind the gate of a stabilization
// (datol) does not shrink with h, and at singular positions, which a run must pass in one step, shorter ones are corrected more
// (measured: penalty no longer passed those of the slider-crank). A correction of 1000 tolerances or more is said in a warning.
#pragma once

#include <string>

#include <fmt/format.h>

#include "driftless/math/types.hpp"

namespace driftless {

class Correction {
 public:
  explicit Correction(Eigen::Index size) : candidate(size) {}

  Vec candidate;  // the end of the step before it is settled

  // A step to t that is accepted was corrected by `size`.
  void note(double t, double size) {
    if (!(size > largest_)) return;
    largest_ = size;
    at_ = t;
  }
  std::string warning() const {
    if (largest_ < kDoubtful) return {};
    return fmt::format(
        "the stabilization moved the end of the step to t = {:.6g} by {:.2g} times the tolerance: the error "
        "test had not seen it; a tighter `rtol`, or `max_step`, looks closer",
        at_, largest_);
  }

 private:
  static constexpr double kDoubtful = 1000;
  double largest_ = 0, at_ = 0;
};

}  // namespace driftless
