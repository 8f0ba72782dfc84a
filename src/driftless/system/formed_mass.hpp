// A capability of systems that never form M for their own solves (Layout::mass_is_implicit): Newton's matrices need its entries,
// once a Jacobian.
#pragma once

#include <memory>

#include "driftless/math/types.hpp"

namespace driftless {

struct Terms;

// One worker's.
class FormedMass {
 public:
  virtual ~FormedMass() = default;
  virtual void fill(const Terms& terms) = 0;  // after position()
  const SparseRows& M() const { return M_; }

 protected:
  SparseRows M_;
};

class FormsMass {
 public:
  virtual ~FormsMass() = default;
  virtual std::unique_ptr<FormedMass> make_formed_mass() const = 0;
};

}  // namespace driftless
