// Bending spring of three points: with r1 = p_a − p_c, r2 = p_b − p_c, ψ = r1·r2, ν = |r1||r2|,
//   V = (C/2)(ν+ψ)/(ν−ψ) = (C/2) cot²(∠/2)                                                                             (1)
//   V_ψ = Cν/(ν−ψ)²,  V_ν = −Cψ/(ν−ψ)²,   ∂V/∂r1 = V_ψ r2 + V_ν |r2|/|r1| r1, and the like; c takes minus the sum        (2)
// zero where the points lie in line. A beam cut into segments l has C = 4EI/l, half as long a one at a clamp C = 8EI/l.
// Discrete gradient, exact and keeping momenta, nothing cancels:                                                       (3)
//   D_ψ = C/2 [ν1/((ν1−ψ1)(ν1−ψ0)) + ν0/((ν0−ψ1)(ν0−ψ0))],   D_ν = −C/2 [ψ1/((ν1−ψ1)(ν0−ψ1)) + ψ0/((ν1−ψ0)(ν0−ψ0))]
//   P = D_ψ (r2, r1)_m + D_ν (l̄2/l̄1 r1, l̄1/l̄2 r2)_m,   l̄ mean lengths            Armero & Romero 2001; Hoitink 2011, §2.3
#pragma once

#include "driftless/forces/force_element.hpp"

namespace driftless {

template <int D>
struct BendingSpring {
  PointOf<D> a, b, center;
  double stiffness = 0;  // C

  template <class S>
  void apply(const ViewOf<S, D>& view, LoadsOf<S, D>& loads) const {
    const VecOf<S, D> at = view.place(center), r1 = view.place(a) - at, r2 = view.place(b) - at;
    const S l1 = sqrt(r1.dot(r1)), l2 = sqrt(r2.dot(r2)), psi = r1.dot(r2), nu = l1 * l2, gap = nu - psi;
    const S by_psi = nu / (gap * gap) * stiffness, by_nu = -(psi / (gap * gap)) * stiffness;
    const S one = by_nu * l2 / l1, other = by_nu * l1 / l2;
    const VecOf<S, D> on_a = -(r2 * by_psi + r1 * one), on_b = -(r1 * by_psi + r2 * other);
    loads.push(a.body, on_a, view.arm(a));
    loads.push(b.body, on_b, view.arm(b));
    loads.push(center.body, -(on_a + on_b), view.arm(center));
  }
  template <class Start, class End, class Push>
  void discrete_gradient(Start&& start, End&& end, Push&& push) const {  // (3)
    using V = VecOf<double, D>;
    const V s1 = start(a) - start(center), s2 = start(b) - start(center);
    const V t1 = end(a) - end(center), t2 = end(b) - end(center);
    const double psi0 = s1.dot(s2), psi1 = t1.dot(t2), nu0 = s1.norm() * s2.norm(),
                 nu1 = t1.norm() * t2.norm();
    const double by_psi =
        stiffness / 2 * (nu1 / ((nu1 - psi1) * (nu1 - psi0)) + nu0 / ((nu0 - psi1) * (nu0 - psi0)));
    const double by_nu =
        -stiffness / 2 * (psi1 / ((nu1 - psi1) * (nu0 - psi1)) + psi0 / ((nu1 - psi0) * (nu0 - psi0)));
    const V m1 = (s1 + t1) / 2, m2 = (s2 + t2) / 2;
    const double ratio = (s2.norm() + t2.norm()) / (s1.norm() + t1.norm());
    const V on_a = by_psi * m2 + by_nu * ratio * m1, on_b = by_psi * m1 + by_nu / ratio * m2;
    push(a, on_a);
    push(b, on_b);
    push(center, -(on_a + on_b));
  }
  template <class Body, class Scalar>
  void slots(Body&& body_seen, Scalar&&) const {
    body_seen(a.body);
    body_seen(b.body);
    body_seen(center.body);
  }
  double potential(const ViewOf<double, D>& view) const {
    const VecOf<double, D> at = view.place(center), r1 = view.place(a) - at, r2 = view.place(b) - at;
    const double psi = r1.dot(r2), nu = r1.norm() * r2.norm();
    return stiffness / 2 * (nu + psi) / (nu - psi);
  }
  double power(const ViewOf<double, D>&) const { return 0; }
  bool conservative() const { return true; }
  template <class Visit>
  void functions(Visit&&) const {}

  static constexpr std::array<ForceOutput, 1> outputs = {{{"angle", "rad"}}};
  double measure(size_t, const ViewOf<double, D>& view) const {  // turned out of line
    const VecOf<double, D> at = view.place(center), r1 = view.place(a) - at, r2 = view.place(b) - at;
    const double cosine = -r1.dot(r2) / (r1.norm() * r2.norm());
    return std::acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
  }
};

}  // namespace driftless
