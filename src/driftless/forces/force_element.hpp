// What all compiled force elements share. An element acts on what it finds in a view of the bodies and offers
//   apply(view, …)         adds its forces to those on the bodies
//   potential(view)        V of its conservative part
//   power(view)            what its forces do beside −dV/dt
//   conservative()         power is zero whatever the motion
//   functions(visit)       functions of time whose jumps an integrator must know
//   places(visit)          functions of a place, which may be sudden: visit(what, value(t, x, rate), x(view)); left out: none
//   outputs, measure(k, view)   what output channels may read, with names and units; left out: nothing
#pragma once

#include <array>

#include "driftless/constraints/planar_blocks.hpp"
#include "driftless/constraints/spatial_frame.hpp"

namespace driftless {

struct ForceOutput {
  const char* name;
  const char* unit;
};

// Planar: force and moment about the centre of mass of one body.
using Resultant = std::array<double, 3>;

inline void push(Resultant& on, const Planar<double>& force, const Planar<double>& arm) {
  on[0] += force.x;
  on[1] += force.y;
  on[2] += arm.x * force.y - arm.y * force.x;
}

// Spatial: one wrench a body (ground last), one load a scalar.
struct SpatialLoads {
  Wrench* on;
  double* scalars;

  void push(int body, const Vec3& force, const Vec3& arm) {
    on[body].force += force;
    on[body].moment += arm.cross(force);
  }
  void twist(int body, const Vec3& moment) { on[body].moment += moment; }
};

}  // namespace driftless
