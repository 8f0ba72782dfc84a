// A capability of ODE forms whose x is v, all of it tested for errors: schemes may have it in other axes (turning_form.hpp).
#pragma once

namespace driftless {

class CarriesVelocities {
 public:
  virtual ~CarriesVelocities() = default;
};

}  // namespace driftless
