// Capability of forms whose unknowns are based anew behind every step (momenta: canonical_form.hpp, (3)): a jump of y that is no error of
// the step, but breaks what an integrator remembers of y at earlier steps. Such an integrator asks that the base be kept as long
// as that does no harm.
#pragma once

namespace driftless {

class KeepsBase {
 public:
  virtual ~KeepsBase() = default;
  virtual void keep_base() = 0;
};

}  // namespace driftless
