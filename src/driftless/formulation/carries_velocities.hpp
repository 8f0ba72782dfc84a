// A capability of ODE forms whose x turns with bodies as v does: schemes may have it in other axes (turning_form.hpp).
#pragma once

#include "driftless/core/status.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

class CarriesVelocities {
 public:
  enum class What {
    velocities,  // all of v is tested for errors
    independent,  // the independent part of q and v alone counts and is tested, the rest follows from the constraints
    momenta,  // M v + Jᵀσ
  };
  virtual ~CarriesVelocities() = default;
  virtual What carries() const { return What::velocities; }
  // `independent`: q as the constraints have it at t.
  virtual Status solve_positions(double /*t*/, VecRef /*q*/) { return Status::ok; }
};

}  // namespace driftless
