// Bushing between a frame on body a and one on body b: springs and dampers along and about the three axes of the frame
// on a, whose columns in the world are A. With r = p_b − p_a and the angular velocities ω_a, ω_b
//   d = Aᵀ r,   ḋ = Aᵀ (ṗ_b − ṗ_a − ω_a × r),   φ = log(Aᵀ B),   w = Aᵀ (ω_b − ω_a)                                 (1)
//   V = ½ dᵀ K d + ½ φᵀ K_φ φ,   K, K_φ, C, C_φ diagonal                                                            (2)
//   F = −A (K d + C ḋ),   τ = −A (G(φ)ᵀ K_φ φ + C_φ w)   on b;   −F and −τ on a, both at p_b                          (3)
//   φ̇ = G w,   G(φ) = I − ½ φ̃ + (1 − θ/2 cot θ/2)/θ² φ̃²,   θ = |φ|                                                   (4)
// G is the inverse of the left Jacobian of the exponential map, so that the torque is exactly the gradient of V: no
// assumption of small angles. The rotation vector φ is unique up to half a turn, |φ| < π; a bushing that is wound up
// further flips. The dampers turn with a, so that a rigid motion of both bodies meets no resistance. In the plane φ is the
// angle, of any size, and G = 1.
// (4): A. Iserles, H. Munthe-Kaas, S. Nørsett, A. Zanna, Lie-group methods, Acta Numerica 9 (2000), dexp⁻¹ of so(3)
#pragma once

#include "driftless/forces/force_element.hpp"

namespace driftless {

struct PlanarBushing {
  PointOn a, b;
  Vec2 x_axis = Vec2::UnitX();  // x of the frame on a, unit, in the axes of its body
  double free_angle = 0;        // θ_b − θ_a where φ = 0
  Vec2 stiffness = Vec2::Zero(), damping = Vec2::Zero();
  double angular_stiffness = 0, angular_damping = 0;

  struct Strain {
    Planar<double> x, y;    // axes of the frame on a
    double d[2], d_dot[2];  // along them
    double phi, phi_dot;
    double force[2], torque;  // on b
  };
  Strain strain(const PlanarView& view) const;
  void apply(const PlanarView& view, Resultant* on) const;
  double potential(const PlanarView& view) const;
  double power(const PlanarView& view) const;
  bool conservative() const { return damping.isZero(0) && angular_damping == 0; }
  template <class Visit>
  void functions(Visit&&) const {}

  static constexpr std::array<ForceOutput, 6> outputs = {
      {{"x", "m"}, {"y", "m"}, {"rz", "rad"}, {"fx", "N"}, {"fy", "N"}, {"tz", "N m"}}};
  double measure(size_t k, const PlanarView& view) const;
};

struct SpatialBushing {
  JointFrame a, b;
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();
  Vec3 angular_stiffness = Vec3::Zero(), angular_damping = Vec3::Zero();

  struct Strain {
    Mat3 A;
    Vec3 d, d_dot, phi, w;
    Vec3 force, torque;  // on b, in the axes A
  };
  Strain strain(const SpatialView& view) const;
  void apply(const SpatialView& view, SpatialLoads& loads) const;
  double potential(const SpatialView& view) const;
  double power(const SpatialView& view) const;
  bool conservative() const { return damping.isZero(0) && angular_damping.isZero(0); }
  template <class Visit>
  void functions(Visit&&) const {}

  static constexpr std::array<ForceOutput, 12> outputs = {{{"x", "m"},
                                                           {"y", "m"},
                                                           {"z", "m"},
                                                           {"rx", "rad"},
                                                           {"ry", "rad"},
                                                           {"rz", "rad"},
                                                           {"fx", "N"},
                                                           {"fy", "N"},
                                                           {"fz", "N"},
                                                           {"tx", "N m"},
                                                           {"ty", "N m"},
                                                           {"tz", "N m"}}};
  double measure(size_t k, const SpatialView& view) const;
};

}  // namespace driftless
