// The attitude of a planar frame from its angle.
#pragma once

#include "driftless/constraints/frame.hpp"
#include "driftless/math/sine_cosine.hpp"

namespace driftless {

inline void set_attitude(double theta, FrameOf<double, 2>& frame) {
  frame.theta = theta;
  sine_cosine(theta, frame.s, frame.c);
}

}  // namespace driftless
