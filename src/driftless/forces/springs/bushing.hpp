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

// A diagonal matrix times a spin.
template <class S>
S weighted(double k, const S& a) {
  return k * a;
}
template <class S>
VecOf<S, 3> weighted(const Vec3& k, const VecOf<S, 3>& a) {
  return k.cast<S>().cwiseProduct(a);
}

template <int D>
struct Bushing {
  JointFrameOf<D> a, b;
  double free_angle = 0;  // θ_b − θ_a where φ = 0, in the plane
  VecOf<double, D> stiffness = VecOf<double, D>::Zero(), damping = VecOf<double, D>::Zero();
  SpinOf<double, D> angular_stiffness = no_spin<D>(), angular_damping = no_spin<D>();

  template <class S>
  struct Strain {
    Eigen::Matrix<S, D, D> A;
    VecOf<S, D> d, d_dot;
    SpinOf<S, D> phi, w;
    VecOf<S, D> force;    // on b, in the axes A
    SpinOf<S, D> torque;  // likewise
  };
  template <class S>
  Strain<S> strain(const ViewOf<S, D>& view) const {
    Strain<S> s;
    const int body_a = a.origin.body, body_b = b.origin.body;
    const VecOf<S, D> r = view.place(b.origin) - view.place(a.origin);
    const SpinOf<S, D> omega = view.twists[body_a].omega, turning = view.twists[body_b].omega - omega;
    s.A = view.axes(a);
    s.d = s.A.transpose() * r;  // (1)
    s.d_dot = s.A.transpose() * (view.velocity(b.origin) - view.velocity(a.origin) - swing(omega, r));
    s.force = -stiffness.template cast<S>().cwiseProduct(s.d) -
              damping.template cast<S>().cwiseProduct(s.d_dot);  // (3)
    if constexpr (D == 2) {
      s.phi = view.frames[body_b].theta - view.frames[body_a].theta - free_angle;
      s.w = turning;
      s.torque = -(angular_stiffness * s.phi) - angular_damping * s.w;
    } else {
      s.phi = rotation_vector(Eigen::Matrix<S, 3, 3>(s.A.transpose() * view.axes(b)));
      s.w = s.A.transpose() * turning;
      s.torque = -(rotation_vector_rates<S>(s.phi).transpose() * weighted(angular_stiffness, s.phi)) -
                 weighted(angular_damping, s.w);
    }
    return s;
  }
  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const Strain<S> s = strain(view);
    const int body_a = a.origin.body, body_b = b.origin.body;
    const VecOf<S, D> force = s.A * s.force;
    SpinOf<S, D> torque;
    if constexpr (D == 2)
      torque = s.torque;
    else
      torque = s.A * s.torque;
    loads.push(body_b, force, view.arm(b.origin));
    loads.push(body_a, -force, view.place(b.origin) - view.frames[body_a].r);
    loads.twist(body_b, torque);
    loads.twist(body_a, -torque);
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a.origin.body);
    body_seen(b.origin.body);
  }
  double potential(const ViewOf<double, D>& view) const {  // (2)
    const Strain<double> s = strain(view);
    return 0.5 * (s.d.dot(stiffness.cwiseProduct(s.d)) + spin_dot(s.phi, weighted(angular_stiffness, s.phi)));
  }
  double power(const ViewOf<double, D>& view) const {
    const Strain<double> s = strain(view);
    return -s.d_dot.dot(damping.cwiseProduct(s.d_dot)) - spin_dot(s.w, weighted(angular_damping, s.w));
  }
  bool conservative() const { return damping.isZero(0) && spin_dot(angular_damping, angular_damping) == 0; }
  template <class Visit>
  void functions(Visit&&) const {}

  static constexpr auto make_outputs() {
    if constexpr (D == 2)
      return std::array<ForceOutput, 6>{
          {{"x", "m"}, {"y", "m"}, {"rz", "rad"}, {"fx", "N"}, {"fy", "N"}, {"tz", "N m"}}};
    else
      return std::array<ForceOutput, 12>{{{"x", "m"},
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
  }
  static constexpr auto outputs = make_outputs();
  double measure(size_t k, const ViewOf<double, D>& view) const {
    const Strain<double> s = strain(view);
    Eigen::Matrix<double, outputs.size(), 1> all;
    all << s.d, s.phi, s.force, s.torque;
    return all[static_cast<Eigen::Index>(k)];
  }
};

}  // namespace driftless
