// The attitude of a planar frame from its angle. Where the C library has sincos it writes in place: compilers load a sine and a
// cosine that have just been stored apart as one pair, which costs a stall for every body and evaluation (a seventh of the terms
// of small mechanisms).
#pragma once

#include <cmath>

#include "driftless/constraints/frame.hpp"

namespace driftless {

inline void set_attitude(double theta, FrameOf<double, 2>& frame) {
  frame.theta = theta;
#if defined(__GLIBC__)
  ::sincos(theta, &frame.s, &frame.c);
#else
  frame.c = std::cos(theta);
  frame.s = std::sin(theta);
#endif
}

}  // namespace driftless
