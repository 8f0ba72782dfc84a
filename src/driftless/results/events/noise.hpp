// How near its zero a root counts as zero, beside round-off.
#pragma once

namespace driftless {

enum class Noise {
  none,
  length,  // atol characteristic lengths: knots, which bend a force without a jump
  signal,  // (rtol + atol) of the largest it was in any mode: values that a joint may hold on their level
};

}  // namespace driftless
