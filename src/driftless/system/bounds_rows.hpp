// A capability of systems that can tell without a look at J that no row is implied by others: J of a net in relative coordinates has
// long rows, and J Jᵀ as good as no zeros.
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

struct Terms;

class BoundsRows {
 public:
  virtual ~BoundsRows() = default;
  // Some σ with |yᵀ J diag(v_scale)| ≥ σ |y| for all y, after position(). 0: not known.
  virtual double least_singular_value(const Terms& terms) const = 0;
};

}  // namespace driftless
