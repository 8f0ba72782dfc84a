// Twists and wrenches about one common point, as columns: motions (ω, v), v the velocity of the body point that is there, and
// wrenches (T, F), T about it. With × for how a motion carries motions along, ×* for wrenches,
//   a × b = (ω_a × ω_b, ω_a × v_b + v_a × ω_b)        a ×* f = (ω_a × T + v_a × F, ω_a × F)                            (1)
// the inertia I of a body that moves with a changes by δI = a ×* I − I a ×, and what accelerates it is
//   I ȧ + a ×* I a,   ȧ the rate of the column a itself                                                                 (2)
// In the plane ω and T are numbers.                                                         Featherstone 2008, chapter 2
#pragma once

#include "driftless/coordinates/relative/tree/tree_space.hpp"

namespace driftless {

template <int D>
struct MotionSpace {
  static constexpr int kSpin = D == 3 ? 3 : 1, kSize = kSpin + D;
  using Vector = typename Sweep<D>::Vector;
  using Angular = typename Sweep<D>::Angular;
  using Column = Eigen::Matrix<double, kSize, 1>;
  using Matrix = Eigen::Matrix<double, kSize, kSize>;

  static Angular spin(const Column& a) {
    if constexpr (D == 3)
      return a.template head<3>();
    else
      return a[0];
  }
  static Vector rest(const Column& a) { return a.template tail<D>(); }  // v or F
  static Column make(const Angular& omega, const Vector& v) {
    Column out;
    if constexpr (D == 3)
      out.template head<3>() = omega;
    else
      out[0] = omega;
    out.template tail<D>() = v;
    return out;
  }

  // (1)
  static Column carried(const Column& a, const Column& b) {
    using sweeps::cross;
    const Angular wa = spin(a), wb = spin(b);
    Angular omega = Sweep<D>::none();
    if constexpr (D == 3) omega = wa.cross(wb);
    return make(omega, cross(wa, rest(b)) - cross(wb, rest(a)));
  }
  static Column carried_wrench(const Column& a, const Column& f) {
    using sweeps::cross;
    Angular T = cross(rest(a), rest(f));
    if constexpr (D == 3) T += spin(a).cross(spin(f));
    return make(T, cross(spin(a), rest(f)));
  }

  // A body of mass m with its centre at c, moments I about that.
  static Matrix inertia(double m, const Vector& c, const typename Sweep<D>::Inertia& I) {
    using sweeps::cross;
    Matrix out;
    for (int k = 0; k < kSize; ++k) {
      const Column unit = Column::Unit(k);
      const Vector P = m * (rest(unit) + cross(spin(unit), c));
      out.col(k) = make(Angular(I * spin(unit)) + cross(c, P), P);
    }
    return out;
  }
  // β ↦ I (β × a) + β ×* I a + a ×* I β: how (2) changes with a, where ȧ changes by β × a.
  static Matrix gyration(const Matrix& I, const Column& a) {
    const Column momentum = I * a;
    Matrix out;
    for (int k = 0; k < kSize; ++k) {
      const Column unit = Column::Unit(k);
      out.col(k) = I * carried(unit, a) + carried_wrench(unit, momentum) + carried_wrench(a, I.col(k));
    }
    return out;
  }
};

}  // namespace driftless
