// What settling moves the end of a step by, in units of the error test. Estimates of the error leave it out, yet it is the part
// of the error the constraints show: a step that passed the test and is then corrected by more than 10 tolerances is tried
// again with a quarter of its size.                                                                                   (1)
// A correction that does not even halve with that was not made by the step: drift that gathered behind the gate of a
// stabilization (datol), or a start off the constraints. It is accepted; from 1000 tolerances on with a warning.        (2)
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "driftless/math/types.hpp"

namespace driftless {

class Correction {
 public:
  explicit Correction(Eigen::Index size) : candidate(size) {}

  Vec candidate;  // the end of the step before it is settled

  // Whether a step to t, corrected by `size`, has to be shortened.
  bool rejects(double t, double size) {
    const bool is_large = size > kMost, was_made_before = last_ > 0 && size > last_ / 2;
    const bool again = is_large && !was_made_before;  // (1)
    if (is_large && was_made_before && size > largest_) {
      largest_ = size;
      at_ = t;
    }
    last_ = again ? size : 0;
    return again;
  }
  std::string warning() const {
    if (largest_ < kDoubtful) return {};
    return fmt::format(
        "the stabilization moved the end of the step to t = {:.6g} by {:.2g} times the tolerance, more than "
        "a shorter step "
        "explains: drift had gathered; a smaller datol, or none, corrects it earlier",
        at_, largest_);
  }

 private:
  static constexpr double kMost = 10, kDoubtful = 1000;
  double last_ = 0;  // of the step tried before from the same place
  double largest_ = 0, at_ = 0;
};

}  // namespace driftless
