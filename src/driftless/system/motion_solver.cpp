#include "driftless/system/motion_solver.hpp"

#include <algorithm>

#include "driftless/math/kkt_solver.hpp"

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
      : kkt_(layout.M, layout.J), mass_pattern_(layout.M), all_rows_(layout.J) {}
  KktMotionSolver(const Layout& layout, ConstVec weight)
      : weighs_(true), W_(diagonal(weight)), kkt_(W_, layout.J), mass_pattern_(W_), all_rows_(layout.J) {}

  Status factor(const Terms& terms) override {
    const SparseRows& M = weighs_ ? W_ : terms.M;
    if (dropped_.empty()) return kkt_.factor(M, terms.J);
    gather(terms.J);
    return kkt_.factor(M, rows_);
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    if (dropped_.empty()) return kkt_.solve(r1, r2, x, y);
    for (size_t i = 0; i < kept_.size(); ++i) r2_[Eigen::Index(i)] = r2[kept_[i]];
    const Status status = kkt_.solve(r1, r2_, x, y_);
    for (size_t i = 0; i < kept_.size(); ++i) y[kept_[i]] = y_[Eigen::Index(i)];
    for (const int row : dropped_) y[row] = 0;
    return status;
  }

  Status project(ConstVec r2, VecRef x) override {
    if (dropped_.empty()) return kkt_.project(r2, x);
    for (size_t i = 0; i < kept_.size(); ++i) r2_[Eigen::Index(i)] = r2[kept_[i]];
    return kkt_.project(r2_, x);
  }

  int dependent_row() const override {
    const int row = kkt_.dependent_row();
    return row < 0 || dropped_.empty() ? row : kept_[size_t(row)];
  }

  void drop_rows(std::span<const int> rows) override {
    dropped_.assign(rows.begin(), rows.end());
    kept_.clear();
    for (int i = 0; i < all_rows_.rows(); ++i)
      if (!std::binary_search(dropped_.begin(), dropped_.end(), i)) kept_.push_back(i);
    const auto count = static_cast<Eigen::Index>(kept_.size());
    rows_ = SparseRows(count, all_rows_.cols());
    Eigen::VectorXi sizes(count);
    for (Eigen::Index i = 0; i < count; ++i) sizes[i] = entries(kept_[size_t(i)]);
    rows_.reserve(sizes);
    for (Eigen::Index i = 0; i < count; ++i)
      for (SparseRows::InnerIterator e(all_rows_, kept_[size_t(i)]); e; ++e) rows_.insert(i, e.col()) = 0;
    rows_.makeCompressed();
    r2_.resize(count);
    y_.resize(count);
    kkt_ = KktSolver(mass_pattern_, rows_);
  }
  const std::vector<int>& dropped_rows() const override { return dropped_; }

 private:
  int entries(int row) const { return all_rows_.outerIndexPtr()[row + 1] - all_rows_.outerIndexPtr()[row]; }

  void gather(const SparseRows& J) {
    double* to = rows_.valuePtr();
    for (const int row : kept_) {
      copy_values(J.valuePtr() + J.outerIndexPtr()[row], entries(row), to);
      to += entries(row);
    }
  }

  bool weighs_ = false;
  SparseRows W_;  // in place of M if weighs_
  KktSolver kkt_;
  SparseRows mass_pattern_, all_rows_;  // patterns of M and J
  std::vector<int> kept_, dropped_;     // kept_ only counts where something is dropped
  SparseRows rows_;                     // the kept rows of J     factor()
  Vec r2_, y_;                          // of the kept rows
};

}  // namespace

std::unique_ptr<MotionSolver> make_kkt_motion_solver(const Layout& layout) {
  return std::make_unique<KktMotionSolver>(layout);
}

std::unique_ptr<MotionSolver> make_weighted_motion_solver(const Layout& layout, ConstVec weight) {
  return std::make_unique<KktMotionSolver>(layout, weight);
}

}  // namespace driftless
