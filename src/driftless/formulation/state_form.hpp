// What the ODE forms share: y = (q, x, extra, W) laid out and scaled, one linear kernel for motions, outputs and
// corrections, redundant rows, and reactions
//   [ M  Jᵀ ] [v̇]   [f]
//   [ J  0  ] [λ] = [γ]                                                                                          (1)
// solved by that kernel at any state. With redundant rows λ is not unique: react() takes the smallest.
#pragma once

#include <functional>

#include "driftless/formulation/formulation.hpp"
#include "driftless/system/kernels/minimum_norm.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace driftless {

// Makes the kernel of a formulation; empty: the system's own.
using KernelFactory = std::function<std::unique_ptr<MotionSolver>()>;

class StateForm : public OdeForm {
 public:
  // `extra` components stand between x and W.
  explicit StateForm(const DescriptorSystem& system, KernelFactory kernel = {}, int extra = 0);

  int size() const override { return static_cast<int>(scale_.size()); }
  const Vec& scale() const override { return scale_; }
  void magnitudes(ConstVec y, VecRef out) const override;         // x = v, extra: their own size
  void pack(const State& state, double work, VecRef y) override;  // x = v, extra = 0
  double unpack(double t, ConstVec y, State& state) override;     // x = v
  Terms& terms() override { return terms_; }
  Status react(const State& state, Reaction& out) override;  // (1)
  void begin_step(double) override {
    if (drops_rows_) solver_->renew_rows(terms_);
  }
  Status settle(double t, VecRef y) override;  // x = v: by the stabilization
  void drop_rows(std::span<const int> rows) override;
  const std::vector<int>& dropped_rows() const override { return solver_->dropped_rows(); }
  int singular_row() const override { return solver_->dependent_row(); }
  double row_independence() override { return solver_->independence(); }
  std::unique_ptr<MotionSolver> make_kernel() const override { return kernel_ ? kernel_() : nullptr; }

 protected:
  auto q_of(ConstVec y) const { return y.head(nq_); }
  auto x_of(ConstVec y) const { return y.segment(nq_, nv_); }
  auto extra_of(ConstVec y) const { return y.segment(nq_ + nv_, extra_); }
  auto q_of(VecRef& y) const { return y.head(nq_); }
  auto x_of(VecRef& y) const { return y.segment(nq_, nv_); }
  auto extra_of(VecRef& y) const { return y.segment(nq_ + nv_, extra_); }
  // Ẇ = applied power − λᵀν from terms_ at (t, q, v), into the last component of ẏ; nothing where no work is integrated.
  void power(double t, ConstVec q, ConstVec v, ConstVec lambda, VecRef ydot);
  Status factor(const Terms& terms);  // counted

  const DescriptorSystem& system_;
  const int nq_, nv_, m_, mh_, extra_;
  const bool integrates_work_;
  Vec scale_;    // nq + nv + extra (+ 1)
  Terms terms_;  // at the last derivative()
  Terms aside_;  // at the last react()
  std::unique_ptr<MotionSolver> solver_;
  Vec lambda_;  // m    derivative()

 private:
  KernelFactory kernel_;
  MinimumNorm minimum_norm_;
  bool drops_rows_ = false;
};

}  // namespace driftless
