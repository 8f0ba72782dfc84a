// The Adams methods of fixed order: values of F at t₀ and before, at any spacing, and the formulas on them.
//   y₁ = y₀ + Σ wⱼ Fⱼ,   wⱼ = ∫ ℓⱼ from t₀ to t₁,   ℓⱼ the Lagrange polynomials on the nodes                          (1)
// explicit (Bashforth): nodes t₀, t₋₁, …; implicit (Moulton): t₁, t₀, t₋₁, …. At constant steps w/h are the tables
//                                                                     García de Jalón & Bayo, tables 7.1, 7.2
// and unequal ones (the last step before a discontinuity, changes of step) keep the order.
//   error ≈ C F[nodes, one more],   C = ∫ Π (t − node)                                                               (2)
#pragma once

#include "driftless/integrator/multistep/multistep.hpp"

namespace driftless {

inline constexpr int kMostAdams = 5;  // values of F in a formula

// (1) and (2) for `count` nodes; weights of all of them, and C.
using AdamsWeights = std::array<double, kMostAdams + 1>;
AdamsWeights adams_weights(const double* nodes, int count, double from, double to);
double adams_constant(const double* nodes, int count, double from, double to);

class AdamsHistory : public Multistep {
 public:
  StepPolicy& policy() override { return fixed_; }  // unless it has one of its own
  void interpolate(double t, VecRef y) const override;

 protected:
  // The scheme needs `needed` values of F at t₀ and before; until then dopri5 steps.
  AdamsHistory(OdeForm& form, Statistics& statistics, const StepControl& control, int order, int needed);

  void forget() override { known_ = 0; }
  void open() override;
  void keep(Memory& memory) override;
  int known() const { return known_; }
  bool is_starting() const { return known_ < needed_; }
  // out = y₀ + Σ wⱼ Fⱼ over `count` values from t₀ back.
  void add_explicit(double t1, int count, Vec& out) const;
  // The same with F at t₁ among `count` values, left out of the sum; returns its weight.
  double add_implicit(double t1, int count, Vec& out) const;

  // Nodes from t₁ back; [1] is t₀.
  std::array<double, kMostAdams + 2> nodes(double t1) const;

 private:
  auto past(int j) const { return F_.col(column_[size_t(j)]); }  // F at t₀ and before

  int needed_, known_ = 0;
  Mat F_;
  std::array<int, kMostAdams> column_;  // newest first
  std::array<double, kMostAdams> times_ = {};
  FixedSteps fixed_;
};

}  // namespace driftless
