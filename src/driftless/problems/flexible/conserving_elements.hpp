// Elastic elements between nodes with their energy-momentum forces.               Hoitink 2011, (2.3)–(2.9), (4.44), (4.45)
// Nodes are blocks of `dim` coordinates. Each element has an energy V(q) and adds a discrete gradient P(q0, q1), which
// fulfils P · (q1 − q0) = V(q1) − V(q0), has no resultant, and no moment about the middle q~ = (q0 + q1)/2. P(q, q) = ∂V/∂q.
//
// Truss, Green's strain ε = (r·r − l0²)/(2 l0²), V = ½ EA l0 ε²:   P = EA l0 ½(ε0 + ε1) [−r~; r~]/l0²                  (1)
// Spring, V = ½ k (l − l0)²:   P = s [−r~; r~] 2/(l(q0) + l(q1)),   s = V'((l(q0) + l(q1))/2)                          (2)
// Bending of nodes 1, 2 at a centre 3, r1 = x1 − x3, r2 = x2 − x3, ψ = r1·r2, ν = l1 l2:
//   V = ½ C (ν + ψ)/(ν − ψ) = ½ C cot²(angle/2), zero where the nodes are in line                                      (3)
//   P = Dψ [r2; r1; −r1−r2]~ + Dν ((l2/l1) [r1; 0; −r1]~ + (l1/l2) [0; r2; −r2]~)                                      (4)
// with l1, l2 averages of the lengths at both ends. The source prints one numerator for both divided differences; with
// the right ones the quotients can be formed, and nothing cancels:
//   Dψ = ½ C [ν1/((ν1−ψ1)(ν1−ψ0)) + ν0/((ν0−ψ1)(ν0−ψ0))],   Dν = −½ C [ψ1/((ν1−ψ1)(ν0−ψ1)) + ψ0/((ν1−ψ0)(ν0−ψ0))]    (5)
#pragma once

#include <cmath>

#include "driftless/system/element_potential.hpp"

namespace driftless {

template <int dim>
struct ElasticNodes {
  using Point = Eigen::Matrix<double, dim, 1>;
  static Point at(ConstVec q, int node) { return q.segment<dim>(dim * node); }
  static Point between(ConstVec q, int i, int j) { return at(q, j) - at(q, i); }
};

template <int dim>
struct GreenTruss : ElasticNodes<dim> {
  int i, j;
  double stiffness, length;  // EA, l0
  GreenTruss(int from, int to, double EA, double l0) : i(from), j(to), stiffness(EA), length(l0) {}

  double strain(ConstVec q) const {
    return (this->between(q, i, j).squaredNorm() / (length * length) - 1) / 2;
  }
  double energy(ConstVec q) const { return stiffness * length / 2 * strain(q) * strain(q); }
  void add(ConstVec q0, ConstVec q1, VecRef out) const {  // (1)
    const auto r = ((this->between(q0, i, j) + this->between(q1, i, j)) / 2).eval();
    const double factor = stiffness / length * (strain(q0) + strain(q1)) / 2;
    out.segment<dim>(dim * i) -= factor * r;
    out.segment<dim>(dim * j) += factor * r;
  }
  void add_strained(const StrainRule& rule, const StrainedStep& step, VecRef out) const {
    const typename ElasticNodes<dim>::Point r = this->between(step.middle, i, j);
    const double excess = rule.excess<typename ElasticNodes<dim>::Point>(
        this->between(step.q0, i, j), this->between(step.v0, i, j), this->between(step.a0, i, j),
        this->between(step.q1, i, j), r, length);
    out.segment<dim>(dim * i) -= stiffness / length * excess * r;
    out.segment<dim>(dim * j) += stiffness / length * excess * r;
  }
};

template <int dim>
struct AxialSpring : ElasticNodes<dim> {
  int i, j;
  double stiffness, length;  // k, l0
  AxialSpring(int from, int to, double k, double l0) : i(from), j(to), stiffness(k), length(l0) {}

  double energy(ConstVec q) const {
    const double stretch = this->between(q, i, j).norm() - length;
    return stiffness / 2 * stretch * stretch;
  }
  void add(ConstVec q0, ConstVec q1, VecRef out) const {  // (2)
    const auto r0 = this->between(q0, i, j), r1 = this->between(q1, i, j);
    const double mean = (r0.norm() + r1.norm()) / 2;
    const double factor = stiffness * (mean - length) / mean;
    out.segment<dim>(dim * i) -= factor / 2 * (r0 + r1);
    out.segment<dim>(dim * j) += factor / 2 * (r0 + r1);
  }
};

template <int dim>
struct Bending : ElasticNodes<dim> {
  int a, b, centre;
  double stiffness;  // C
  Bending(int first, int second, int middle, double C) : a(first), b(second), centre(middle), stiffness(C) {}

  double energy(ConstVec q) const {  // (3)
    const auto r1 = this->between(q, centre, a), r2 = this->between(q, centre, b);
    const double psi = r1.dot(r2), nu = r1.norm() * r2.norm();
    return stiffness / 2 * (nu + psi) / (nu - psi);
  }
  void add(ConstVec q0, ConstVec q1, VecRef out) const {  // (4)
    const auto r1s = this->between(q0, centre, a), r2s = this->between(q0, centre, b);
    const auto r1e = this->between(q1, centre, a), r2e = this->between(q1, centre, b);
    const double l1s = r1s.norm(), l2s = r2s.norm(), l1e = r1e.norm(), l2e = r2e.norm();
    const double p0 = r1s.dot(r2s), p1 = r1e.dot(r2e), n0 = l1s * l2s, n1 = l1e * l2e;
    const double d00 = n0 - p0, d01 = n0 - p1, d10 = n1 - p0, d11 = n1 - p1;
    const double of_psi = stiffness / 2 * (n1 / (d11 * d10) + n0 / (d01 * d00));  // (5)
    const double of_nu = -stiffness / 2 * (p1 / (d11 * d01) + p0 / (d10 * d00));
    const auto r1 = ((r1s + r1e) / 2).eval(), r2 = ((r2s + r2e) / 2).eval();
    const double ratio = (l2s + l2e) / (l1s + l1e);
    const auto on_a = (of_psi * r2 + of_nu * ratio * r1).eval();
    const auto on_b = (of_psi * r1 + of_nu / ratio * r2).eval();
    out.segment<dim>(dim * a) += on_a;
    out.segment<dim>(dim * b) += on_b;
    out.segment<dim>(dim * centre) -= on_a + on_b;
  }
};

}  // namespace driftless
