#include "driftless/system/kernels/schur_solver.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>

#include "driftless/math/linear/dense.hpp"
#include "driftless/math/linear/row_choice.hpp"
#include "driftless/math/linear/scheduled_ldlt.hpp"
#include "driftless/system/kernels/row_watch.hpp"

namespace driftless {
namespace {

constexpr double kPivotTolerance = 1e-13;  // as the KKT kernel has it
// Squared sines between a row and the others: lost digits worth a refinement, and not to be worked with.
constexpr double kRefine = 1e-4, kHopeless = 1e-9;

// M = L D Lᵀ along its pattern, or dense where that would fill too much.
class MassFactor {
 public:
  explicit MassFactor(const SparseRows& M) : n_(static_cast<int>(M.rows())), place_(size_t(n_)), z_(n_) {
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(M), inverse);
    for (int i = 0; i < n_; ++i) place_[size_t(inverse.indices()[i])] = i;
    std::vector<std::vector<ScheduledLdlt::Entry>> rows(static_cast<size_t>(n_));
    std::vector<int> diagonal(size_t(n_), -1);
    for (int i = 0; i < n_; ++i)
      for (int s = M.outerIndexPtr()[i]; s < M.outerIndexPtr()[i + 1]; ++s) {
        const int row = place_[size_t(i)], column = place_[size_t(M.innerIndexPtr()[s])];
        if (column == row) diagonal[size_t(row)] = s;
        if (column < row) rows[size_t(row)].push_back({column, s});
      }
    for (auto& row : rows)
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    sparse_ = ScheduledLdlt(rows, diagonal, static_cast<int>(M.nonZeros()));
    if (!sparse_.too_long()) return;
    dense_.resize(n_, n_);
    (void)llt_.compute(Mat::Identity(n_, n_));
  }

  bool factor(const SparseRows& M) {
    if (dense_.size() == 0) {
      copy_values(M.valuePtr(), M.nonZeros(), sparse_.values());
      return sparse_.factor(kPivotTolerance) == n_;
    }
    dense_ = M;
    return llt_.compute(dense_);
  }

  void solve(VecRef x) {  // x ← M⁻¹ x
    if (dense_.size() > 0) {
      llt_.solve_in_place(x);
      return;
    }
    for (int i = 0; i < n_; ++i) z_[place_[size_t(i)]] = x[i];
    sparse_.solve(z_.data());
    for (int i = 0; i < n_; ++i) x[i] = z_[place_[size_t(i)]];
  }

 private:
  int n_;
  std::vector<int> place_;  // when a coordinate is eliminated
  ScheduledLdlt sparse_;
  Mat dense_;  // empty: sparse
  DenseCholesky llt_;
  Vec z_;
};

class SchurMotionSolver final : public MotionSolver {
 public:
  explicit SchurMotionSolver(const Layout& layout)
      : m_(layout.m),
        mass_is_constant_(layout.mass_is_constant),
        mass_(layout.M),
        scale_(layout.v_scale),
        length_(layout.length),
        holonomic_(layout.mh),
        no_force_(Vec::Zero(layout.nv)),
        y_(layout.m),
        e1_(layout.nv),
        e2_(layout.m),
        dx_(layout.nv),
        dy_(layout.m) {
    SchurMotionSolver::drop_rows({});
  }

  Status factor(const Terms& terms) override {
    M_ = &terms.M;
    J_ = &terms.J;
    dependent_row_ = -1;
    if (!mass_is_known_) {
      if (!mass_.factor(*M_)) return M_->coeffs().allFinite() ? Status::singular : Status::not_finite;
      mass_is_known_ = mass_is_constant_;
    }
    const Status status = complement();
    const bool hopeless = status == Status::singular || (status == Status::ok && weakest_ < kHopeless);
    return hopeless && !dropped_.empty() && rechoose(*J_) ? complement() : status;
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    solve_once(r1, r2, x, y);
    if (weakest_ < kRefine) refine(r1, r2, x, y);
    return Status::ok;
  }

  Status project(ConstVec r2, VecRef x) override { return solve(no_force_, r2, x, y_); }
  int dependent_row() const override { return dependent_row_; }

  void drop_rows(std::span<const int> rows) override {
    dropped_.assign(rows.begin(), rows.end());
    kept_.clear();
    for (int i = 0; i < m_; ++i)
      if (!std::binary_search(dropped_.begin(), dropped_.end(), i)) kept_.push_back(i);
    const auto count = static_cast<Eigen::Index>(kept_.size());
    X_.resize(no_force_.size(), count);
    K_.resize(count, count);
    s_.resize(count);
    watch_.reset();
  }

  bool renew_rows(const Terms& terms) override { return !dropped_.empty() && rechoose(terms.J); }

 private:
  double row_times(Eigen::Index i, const double* x) const {
    double sum = 0;
    for (SparseRows::InnerIterator e(*J_, kept_[size_t(i)]); e; ++e) sum += e.value() * x[e.col()];
    return sum;
  }

  // X, K and its Cholesky factor, in place.
  Status complement() {
    const Eigen::Index count = X_.cols();
    for (Eigen::Index i = 0; i < count; ++i) {
      auto x = X_.col(i);
      x.setZero();
      for (SparseRows::InnerIterator e(*J_, kept_[size_t(i)]); e; ++e) x[e.col()] = e.value();
      mass_.solve(x);
    }
    weakest_ = 1;
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index j = 0; j < i; ++j)
        K_(i, j) = (row_times(i, X_.col(j).data()) - K_.row(i).head(j).dot(K_.row(j).head(j))) / K_(j, j);
      const double before = row_times(i, X_.col(i).data());
      const double pivot = before - K_.row(i).head(i).squaredNorm();
      if (!(pivot > kPivotTolerance * before)) {
        if (!std::isfinite(pivot)) return Status::not_finite;
        weakest_ = 0;
        dependent_row_ = kept_[size_t(i)];
        return Status::singular;
      }
      weakest_ = std::min(weakest_, pivot / before);
      K_(i, i) = std::sqrt(pivot);
    }
    return Status::ok;
  }

  void solve_once(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {  // (1)
    x = r1;
    mass_.solve(x);
    const Eigen::Index count = X_.cols();
    for (Eigen::Index i = 0; i < count; ++i) s_[i] = row_times(i, x.data()) - r2[kept_[size_t(i)]];
    for (Eigen::Index i = 0; i < count; ++i) s_[i] = (s_[i] - K_.row(i).head(i).dot(s_.head(i))) / K_(i, i);
    for (Eigen::Index i = count - 1; i >= 0; --i) {
      s_[i] /= K_(i, i);
      s_.head(i) -= s_[i] * K_.row(i).head(i).transpose();
    }
    x.noalias() -= X_ * s_;
    for (Eigen::Index i = 0; i < count; ++i) y[kept_[size_t(i)]] = s_[i];
    for (const int row : dropped_) y[row] = 0;
  }

  void refine(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {
    e1_ = r1;
    e2_ = r2;
    for (int i = 0; i < M_->rows(); ++i)
      for (SparseRows::InnerIterator e(*M_, i); e; ++e) e1_[i] -= e.value() * x[e.col()];
    for (const int i : kept_)
      for (SparseRows::InnerIterator e(*J_, i); e; ++e) {
        e1_[e.col()] -= e.value() * y[i];
        e2_[i] -= e.value() * x[e.col()];
      }
    solve_once(e1_, e2_, dx_, dy_);
    x += dx_;
    y += dy_;
  }

  bool rechoose(const SparseRows& J) {
    if (!watch_.wants_look(weakest_)) return false;
    std::vector<int> rows = dropped_;
    if (!rechoose_rows({J, scale_, length_, holonomic_}, rows)) return false;
    drop_rows(rows);
    dependent_row_ = -1;
    return true;
  }

  int m_;
  bool mass_is_constant_, mass_is_known_ = false;
  MassFactor mass_;
  Vec scale_;  // of the velocities
  double length_;
  int holonomic_;
  const SparseRows* M_ = nullptr;  // of the last factor()
  const SparseRows* J_ = nullptr;
  std::vector<int> kept_;
  Mat X_;                                                                     // nv × kept   M⁻¹Jᵀ
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> K_;  // its Cholesky factor, lower
  double weakest_ = 1;  // smallest pivot of K against its diagonal
  RowWatch watch_;
  int dependent_row_ = -1;
  Vec no_force_, s_, y_;   // nv, kept, m
  Vec e1_, e2_, dx_, dy_;  // refine()
};

}  // namespace

std::unique_ptr<MotionSolver> make_schur_motion_solver(const Layout& layout) {
  return std::make_unique<SchurMotionSolver>(layout);
}

}  // namespace driftless
