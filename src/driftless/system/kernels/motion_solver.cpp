#include "driftless/system/kernels/motion_solver.hpp"

#include <algorithm>

#include "driftless/math/linear/kkt_solver.hpp"
#include "driftless/math/linear/row_choice.hpp"
#include "driftless/system/kernels/row_watch.hpp"

namespace driftless {
namespace {

SparseRows diagonal(ConstVec weight) {
  SparseRows W(weight.size(), weight.size());
  W.setIdentity();
  W.makeCompressed();
  copy_values(weight.data(), weight.size(), W.valuePtr());
  return W;
}

class KktMotionSolver final : public MotionSolver {
 public:
  explicit KktMotionSolver(const Layout& layout)
      : kkt_(layout.M, layout.J),
        mass_pattern_(layout.M),
        all_rows_(layout.J),
        scale_(layout.v_scale),
        length_(layout.length),
        holonomic_(layout.mh),
        square_(layout.v_scale.cwiseAbs2()),
        longest_(Vec::Zero(layout.m)) {}
  KktMotionSolver(const Layout& layout, ConstVec weight)
      : weighs_(true),
        W_(diagonal(weight)),
        kkt_(W_, layout.J),
        mass_pattern_(W_),
        all_rows_(layout.J),
        scale_(layout.v_scale),
        length_(layout.length),
        holonomic_(layout.mh),
        square_(layout.v_scale.cwiseAbs2()),
        longest_(Vec::Zero(layout.m)) {}

  Status factor(const Terms& terms) override {
    M_ = weighs_ ? &W_ : &terms.M;
    J_ = &terms.J;
    if (dropped_.empty()) return kkt_.factor(*M_, *J_);
    const Status status = factor_kept();
    const bool hopeless =
        status == Status::singular || (status == Status::ok && kkt_.weakest_row() < kHopeless);
    return hopeless && rechoose(*J_) ? factor_kept() : status;
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    if (dropped_.empty()) return kkt_.solve(r1, r2, x, y);
    Status status = solve_kept(r1, r2, x);
    if (status == Status::singular && rechoose(*J_)) {
      if (status = factor_kept(); status != Status::ok) return status;
      status = solve_kept(r1, r2, x);
    }
    for (size_t i = 0; i < kept_.size(); ++i) y[kept_[i]] = y_[Eigen::Index(i)];
    for (const int row : dropped_) y[row] = 0;
    return status;
  }

  Status project(ConstVec r2, VecRef x) override {
    if (dropped_.empty()) return kkt_.project(r2, x);
    gather(r2);
    const Status status = kkt_.project(r2_, x);
    if (status != Status::singular || !rechoose(*J_)) return status;
    if (const Status again = factor_kept(); again != Status::ok) return again;
    gather(r2);
    return kkt_.project(r2_, x);
  }

  int dependent_row() const override {
    const int row = kkt_.dependent_row();
    return row < 0 || dropped_.empty() ? row : kept_[size_t(row)];
  }

  double independence() override {
    if (J_ == nullptr) return 1;
    double shortest = 1;
    for (int i = 0, next = 0; i < J_->rows(); ++i) {
      if (next < int(dropped_.size()) && dropped_[size_t(next)] == i) {
        ++next;
        continue;
      }
      double length = 0;
      for (SparseRows::InnerIterator e(*J_, i); e; ++e) length += e.value() * e.value() * square_[e.col()];
      longest_[i] = std::max(longest_[i], length);
      if (length < shortest * longest_[i]) shortest = length / longest_[i];
    }
    return shortest * kkt_.weakest_row();
  }

  void drop_rows(std::span<const int> rows) override {
    watch_.reset();
    if (std::equal(rows.begin(), rows.end(), dropped_.begin(), dropped_.end())) return;
    dropped_.assign(rows.begin(), rows.end());
    kept_.clear();
    for (int i = 0; i < all_rows_.rows(); ++i)
      if (!std::binary_search(dropped_.begin(), dropped_.end(), i)) kept_.push_back(i);
    const auto count = static_cast<Eigen::Index>(kept_.size());
    rows_ = SparseRows(count, all_rows_.cols());
    Eigen::VectorXi sizes(count);
    for (Eigen::Index i = 0; i < count; ++i) sizes[i] = entries(kept_[size_t(i)]);
    if (count > 0) rows_.reserve(sizes);  // Eigen 3.4 would compress past its end
    for (Eigen::Index i = 0; i < count; ++i)
      for (SparseRows::InnerIterator e(all_rows_, kept_[size_t(i)]); e; ++e) rows_.insert(i, e.col()) = 0;
    rows_.makeCompressed();
    r2_.resize(count);
    y_.resize(count);
    kkt_ = KktSolver(mass_pattern_, rows_);
  }

  bool renew_rows(const Terms& terms) override { return !dropped_.empty() && rechoose(terms.J); }

 private:
  static constexpr double kHopeless =
      1e-9;  // squared sine between a row and the others not to be worked with

  Status factor_kept() {
    double* to = rows_.valuePtr();
    for (const int row : kept_) {
      copy_values(J_->valuePtr() + J_->outerIndexPtr()[row], entries(row), to);
      to += entries(row);
    }
    return kkt_.factor(*M_, rows_);
  }

  void gather(ConstVec r2) {
    for (size_t i = 0; i < kept_.size(); ++i) r2_[Eigen::Index(i)] = r2[kept_[i]];
  }

  Status solve_kept(ConstVec r1, ConstVec r2, VecRef x) {
    gather(r2);
    return kkt_.solve(r1, r2_, x, y_);
  }

  bool rechoose(const SparseRows& J) {
    if (!watch_.wants_look(kkt_.weakest_row())) return false;
    std::vector<int> rows = dropped_;
    if (!rechoose_rows({J, scale_, length_, holonomic_}, rows)) return false;
    drop_rows(rows);
    return true;
  }

  int entries(int row) const { return all_rows_.outerIndexPtr()[row + 1] - all_rows_.outerIndexPtr()[row]; }

  bool weighs_ = false;
  SparseRows W_;  // in place of M if weighs_
  KktSolver kkt_;
  SparseRows mass_pattern_, all_rows_;  // patterns of M and J
  const SparseRows* M_ = nullptr;       // of the last factor()
  const SparseRows* J_ = nullptr;
  std::vector<int> kept_;  // where rows are dropped: the others
  SparseRows rows_;        // their part of J                factor()
  Vec r2_, y_;             // of the kept rows
  Vec scale_;              // of the velocities
  double length_;
  int holonomic_;
  Vec square_, longest_;  // squares of v_scale, and of the longest each row has been    independence()
  RowWatch watch_;
};

}  // namespace

std::unique_ptr<MotionSolver> make_kkt_motion_solver(const Layout& layout) {
  return std::make_unique<KktMotionSolver>(layout);
}

std::unique_ptr<MotionSolver> make_weighted_motion_solver(const Layout& layout, ConstVec weight) {
  return std::make_unique<KktMotionSolver>(layout, weight);
}

}  // namespace driftless
