#include "driftless/system/kernels/null_space_solver.hpp"

#include "driftless/system/kernels/null_space.hpp"
#include "driftless/system/kernels/penalty_solver.hpp"

namespace driftless {
namespace {

constexpr double kGrowth = 1.5;    // of |R| against its value at the choice
constexpr double kFading = 0.01;   // of the smallest pivot, likewise
constexpr double kUseless = 1e-6;  // smallest pivot of a fresh choice

class NullSpaceSolver final : public MotionSolver, public KeepsMemory {
 public:
  void keep(Memory& memory) override { memory.refuse(); }  // its choice is made anew
  NullSpaceSolver(const Layout& layout, IndependentBasis::Rule rule)
      : basis_(layout, rule), refuge_(make_penalty_motion_solver(layout, PenaltySettings{})) {}

  Status factor(const Terms& terms) override {
    M_ = &terms.M;
    in_refuge_ = false;
    Status status = basis_.chosen() ? space_.factor(basis_, terms.J) : Status::singular;
    if (status == Status::not_finite) return status;
    const bool good = status == Status::ok && space_.growth() <= kGrowth * growth_ &&
                      space_.smallest_pivot() >= kFading * pivot_;
    if (!good) status = choose(terms.J);
    if (status == Status::singular || space_.smallest_pivot() < kUseless) {
      in_refuge_ = true;
      return refuge_->factor(terms);
    }
    return status == Status::ok ? space_.factor_mass(*M_) : status;
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    if (in_refuge_) return refuge_->solve(r1, r2, x, y);
    space_.solve(*M_, r1, r2, x, y);
    return Status::ok;
  }

  Status project(ConstVec r2, VecRef x) override {
    if (in_refuge_) return refuge_->project(r2, x);
    space_.project(*M_, r2, x);
    return Status::ok;
  }

  bool yields() const override { return in_refuge_; }
  int dependent_row() const override { return in_refuge_ ? -1 : space_.dependent_row(); }

  void drop_rows(std::span<const int> rows) override {
    basis_.drop_rows(rows);
    refuge_->drop_rows(rows);
    dropped_ = basis_.dropped();
  }

 private:
  Status choose(const SparseRows& J) {
    const Status status = space_.choose(basis_, J);
    if (status != Status::ok) return status;
    if (dropped_ != basis_.dropped()) dropped_ = basis_.dropped();
    growth_ = space_.growth();
    pivot_ = space_.smallest_pivot();
    return status;
  }

  IndependentBasis basis_;
  NullSpace space_;
  std::unique_ptr<MotionSolver> refuge_;
  bool in_refuge_ = false;
  double growth_ = 1, pivot_ = 1;  // at the choice
  const SparseRows* M_ = nullptr;  // of the last factor()
};

}  // namespace

std::unique_ptr<MotionSolver> make_null_space_motion_solver(const Layout& layout,
                                                            IndependentBasis::Rule rule) {
  return std::make_unique<NullSpaceSolver>(layout, rule);
}

}  // namespace driftless
