// What all compiled force elements share. An element acts on what it finds in a view of the bodies, in the plane (D = 2) or in
// space (D = 3), and offers
//   apply(view, loads)     adds its forces to those on the bodies; on any scalar
//   slots(body, scalar)    shows the bodies (ground, too) and the scalars it sees or acts on
//   potential(view)        V of its conservative part
//   power(view)            what its forces do beside −dV/dt
//   conservative()         power is zero whatever the motion
//   functions(visit)       functions of time whose jumps an integrator must know
//   places(visit)          functions of a place, which may be sudden: visit(what, value(t, x, rate, mode), x(view)); left out: none
// An element that switches (system/switching/switching.hpp) has in the mode `mode_count()` values from first_mode() on, two roots each,
// and reads them by view.modes(first_mode()), null where branches are to be taken as they come. Left out: it never does.
//   describe(element, out)                     appends a Switch for every value
//   begin_modes(view, modes)                   values at a view; `modes` and `root` below are its own
//   roots(view, modes, values, rates)
//   cross(view, root, modes)                   the mode behind a root
//   outputs, measure(k, view)   what output channels may read, with names and units; left out: nothing
#pragma once

#include <array>
#include <string>
#include <vector>

#include "driftless/constraints/expansion.hpp"
#include "driftless/constraints/frame.hpp"

namespace driftless {

struct ForceOutput {
  const char* name;
  const char* unit;
};

// One wrench a body (ground last), one load a scalar.
template <class S, int D>
struct LoadsOf {
  WrenchOf<S, D>* on;
  S* scalars;

  void push(int body, const VecOf<S, D>& force, const VecOf<S, D>& arm) {
    on[body].force += force;
    on[body].moment += moment_of(arm, force);
  }
  void twist(int body, const SpinOf<S, D>& moment) { on[body].moment += moment; }
};

// Functions of time, one a component.
template <int N>
using FunctionsOf = std::array<TimeFunction, size_t(N)>;
template <int N>
FunctionsOf<N> functions_of(const Element& force, const char* field) {
  const auto& given = force.get<std::vector<TimeFunction>>(field);
  FunctionsOf<N> out;
  for (size_t k = 0; k < out.size(); ++k) out[k] = given[k];
  return out;
}
template <class S, int N>
VecOf<S, N> values_at(const FunctionsOf<N>& f, const S& t) {
  VecOf<S, N> out;
  for (int k = 0; k < N; ++k) out[k] = value_at(f[size_t(k)], t);
  return out;
}

// The field `name`, a direction of body `body`: components in its axes in the plane, a DirectionRef in space.
template <int D>
VecOf<double, D> direction_on(int body, const Element& force, const char* name, const Expansion<D>& model) {
  model.needs_attitude(body);
  if constexpr (D == 2)
    return force.get<Vec3>(name).head<2>().stableNormalized();
  else
    return model.carried(model.direction(force.get<DirectionRef>(name), body), body).u;
}

}  // namespace driftless
