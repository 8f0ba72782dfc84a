// What the index-1 forms share: y = (q, v[, W]), accelerations and multipliers from one KKT solve
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [c]                                                                                          (1)
//   ẏ = (T v, v̇[, P]),   P = applied power − λᵀν                                                                 (2)
// With redundant rows λ is not unique: derivative() takes that with zeros in the dropped rows (λᵀν is the same for all),
// react() the smallest. Forms differ in the right side c: γ, or γ with terms that damp the drift.
#pragma once

#include "driftless/formulation/formulation.hpp"
#include "driftless/system/minimum_norm.hpp"
#include "driftless/system/motion_solver.hpp"

namespace driftless {

class IndexOneForm : public OdeForm {
 public:
  explicit IndexOneForm(const DescriptorSystem& system);

  int size() const override { return static_cast<int>(scale_.size()); }
  const Vec& scale() const override { return scale_; }
  void magnitudes(ConstVec y, VecRef out) const override;
  void pack(const State& state, double work, VecRef y) const override;
  double unpack(double t, ConstVec y, State& state) const override;
  void begin_step(double) override {
    if (drops_rows_) solver_->renew_rows(terms_);
  }
  Status derivative(double t, ConstVec y, VecRef ydot) override;
  Terms& terms() override { return terms_; }
  Status react(const State& state, Reaction& out) override;
  void drop_rows(std::span<const int> rows) override;
  const std::vector<int>& dropped_rows() const override { return solver_->dropped_rows(); }
  int singular_row() const override { return solver_->dependent_row(); }

 protected:
  // Right side c of (1) from the terms at (t, q, v): γ itself, or `c` filled with something else.
  virtual const Vec& right_side(const Terms& terms, ConstVec v, Vec& c) = 0;

 private:
  const DescriptorSystem& system_;
  int nq_, nv_;
  bool integrates_work_;
  Vec scale_;    // nq + nv (+ 1)
  Terms terms_;  // at the last derivative()
  Terms aside_;  // at the last react()
  std::unique_ptr<MotionSolver> solver_;
  bool drops_rows_ = false;
  MinimumNorm minimum_norm_;
  Vec c_;       // m    derivative()
  Vec lambda_;  // m    derivative()
};

}  // namespace driftless
