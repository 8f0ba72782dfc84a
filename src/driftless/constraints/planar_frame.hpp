// Planar bodies as PlanarTree sees them: a frame at the centre of mass, points and directions fixed in
// it. With a the world vector from the centre of mass to a point and a⊥ = (−a_y, a_x):
//   p = r + a,   ṗ = ṙ + ω a⊥,   p̈ = r̈ + ω̇ a⊥ − ω² a                                                            (1)
//   u = R û,     u̇ = ω u⊥,       ü = ω̇ u⊥ − ω² u                                                                 (2)
// The frame is templated on the scalar so that the same kernels run on jets.
#pragma once

#include <array>

#include "driftless/core/time_function.hpp"
#include "driftless/math/jet.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

template <class S>
struct Planar {
  S x{}, y{};
  Planar operator+(const Planar& b) const { return {x + b.x, y + b.y}; }
  Planar operator-(const Planar& b) const { return {x - b.x, y - b.y}; }
  Planar operator*(const S& k) const { return {x * k, y * k}; }
  Planar perp() const { return {-y, x}; }
  S dot(const Planar& b) const { return x * b.x + y * b.y; }
};

template <class S>
struct PlanarFrame {
  Planar<S> r{};      // centre of mass
  S theta{};          // attitude
  S c = S(1.0), s{};  // cos θ, sin θ

  Planar<S> turn(const Vec2& a) const { return {c * a.x() - s * a.y(), s * a.x() + c * a.y()}; }
  Planar<S> point(const Vec2& at) const { return r + turn(at); }
};

struct PlanarVelocity {
  Planar<double> r{};  // of the centre of mass
  double omega = 0;
};

// A point of a body: index of the body (ground has the last one), place from the centre of mass in body axes.
struct PointOn {
  int body = 0;
  Vec2 at = Vec2::Zero();
};

// Bodies at one instant.
struct PlanarView {
  const PlanarFrame<double>* frames;
  const PlanarVelocity* velocities;
  double t;

  Planar<double> place(const PointOn& p) const { return frames[p.body].point(p.at); }
  Planar<double> velocity(const PointOn& p) const {
    const PlanarVelocity& v = velocities[p.body];
    return v.r + frames[p.body].turn(p.at).perp() * v.omega;
  }
};

// Force and moment about the centre of mass of one body.
using Resultant = std::array<double, 3>;

}  // namespace driftless
