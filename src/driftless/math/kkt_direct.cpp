// Direct KKT kernel: equations (2)–(4) of kkt_solver.hpp, as one scheduled elimination of all of M̃ and then of the rows.
#include <algorithm>
#include <vector>

#include <Eigen/OrderingMethods>

#include "driftless/math/kkt_kernel.hpp"
#include "driftless/math/scheduled_ldlt.hpp"

namespace driftless {
namespace {

// A pivot this small against its diagonal is round-off of zero: for rows of J it is the squared sine of the angle
// between a row and the span of those before it.
constexpr double kPivotTolerance = 1e-13;

// Whether eliminating the rows as they come leaves the pattern of a symmetric matrix as it is: what row k couples below
// it, the first of these couples already (Rose, Tarjan & Lueker 1976).
bool fills_nothing(const SparseRows& M) {
  for (int k = 0; k < M.rows(); ++k) {
    const int* const end = M.innerIndexPtr() + M.outerIndexPtr()[k + 1];
    const int* const first = std::upper_bound(M.innerIndexPtr() + M.outerIndexPtr()[k], end, k);
    if (first == end) continue;
    const int* const next = M.innerIndexPtr() + M.outerIndexPtr()[*first];
    if (!std::includes(next, M.innerIndexPtr() + M.outerIndexPtr()[*first + 1], first, end)) return false;
  }
  return true;
}

class DirectKkt final : public KktKernel {
 public:
  DirectKkt(const SparseRows& M, const SparseRows& J)
      : n_(static_cast<int>(M.rows())),
        m_(static_cast<int>(J.rows())),
        z_(n_ + m_),
        y_(m_),
        e1_(n_),
        e2_(m_),
        dx_(n_),
        dy_(m_) {
    order_rows(J);
    order_columns(M);
    schedule(M, J);
  }

  bool too_long() const { return ldlt_.too_long(); }

  Status factor(const SparseRows& M, const SparseRows& J) override {
    dependent_row = -1;
    sigma_ = 0;
    M_ = &M;
    J_ = &J;
    if (!always_stiffened_) {
      if (is_stiffened_) swap_plans();
      const Status status = eliminate(M, J);
      was_regular_ = was_regular_ || status == Status::ok;
      if (status == Status::ok || dependent_row >= 0 || !M.coeffs().allFinite()) return status;
      // (4): remembered, so that later factorisations go straight there, unless M was regular before. Then this is a point
      // far off, of a step that will be rejected, and what fills more shall not stay.
      always_stiffened_ = !was_regular_;
      if (mass_.nonZeros() > 0) {
        swap_plans();
      } else {
        other_ldlt_ = ldlt_;
        other_place_ = place_;
        plan_stiffened(M, J, true);
        is_stiffened_ = true;
      }
    }
    stiffen(M, J);
    const Status status = eliminate(mass_, J);
    if (status == Status::ok || dependent_row >= 0 || static_cast<int>(stiffening_.size()) == m_)
      return status;
    plan_stiffened(M, J, false);
    stiffen(M, J);
    return eliminate(mass_, J);
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    solve_once(r1, r2, x, y);
    if (ldlt_.weak()) refine(&r1, r2, x, y);
    return Status::ok;
  }

  Status project(ConstVec r2, VecRef x) override {
    double* z = z_.data();
    std::fill(z, z + n_, 0.0);
    for (int i = 0; i < m_; ++i) z[n_ + i] = r2[order_[size_t(i)]];
    if (sigma_ > 0) {
      stiffen_right_side(r2, z);
      ldlt_.solve(z);
    } else {
      ldlt_.solve_second_group(z);
    }
    read_columns(z, x.data());
    if (ldlt_.weak()) {
      for (int i = 0; i < m_; ++i) y_[order_[size_t(i)]] = z[n_ + i];
      refine(nullptr, r2, x, y_);
    }
    return Status::ok;
  }

 private:
  Status eliminate(const SparseRows& M, const SparseRows& J) {
    copy_values(M.valuePtr(), M.nonZeros(), ldlt_.values());
    copy_values(J.valuePtr(), J.nonZeros(), ldlt_.values() + M.nonZeros());
    const int failed = ldlt_.factor(kPivotTolerance);
    if (failed == n_ + m_) {
      weakest_row = ldlt_.weakest();
      return Status::ok;
    }
    weakest_row = 0;
    if (failed >= n_) dependent_row = order_[size_t(failed - n_)];
    return Status::singular;
  }

  void solve_once(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {  // (3)
    double* z = z_.data();
    if (place_.empty())
      copy_values(r1.data(), n_, z);
    else
      for (int i = 0; i < n_; ++i) z[place_[size_t(i)]] = r1[i];
    if (sigma_ > 0) stiffen_right_side(r2, z);
    for (int i = 0; i < m_; ++i) z[n_ + i] = r2[order_[size_t(i)]];
    ldlt_.solve(z);
    read_columns(z, x.data());
    for (int i = 0; i < m_; ++i) y[order_[size_t(i)]] = z[n_ + i];
  }

  // One step of refinement against (1): what a pivot has lost (mass ratios, nearly dependent rows) comes back.
  void refine(const Eigen::Ref<const Vec>* r1, ConstVec r2, VecRef x, VecRef y) {
    if (r1 != nullptr)
      e1_ = *r1;
    else
      e1_.setZero();
    e2_ = r2;
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(*M_, i); e; ++e) e1_[i] -= e.value() * x[e.col()];
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator e(*J_, i); e; ++e) {
        e1_[e.col()] -= e.value() * y[i];
        e2_[i] -= e.value() * x[e.col()];
      }
    solve_once(e1_, e2_, dx_, dy_);
    x += dx_;
    y += dy_;
  }

  void stiffen_right_side(ConstVec r2, double* z) const {  // (4)
    for (const int i : stiffening_)
      for (SparseRows::InnerIterator e(*J_, i); e; ++e)
        z[place_of(static_cast<int>(e.col()))] += sigma_ * e.value() * r2[i];
  }

  int place_of(int column) const { return place_.empty() ? column : place_[size_t(column)]; }
  void read_columns(const double* z, double* x) const {
    if (place_.empty()) {
      copy_values(z, n_, x);
      return;
    }
    for (int i = 0; i < n_; ++i) x[i] = z[place_[size_t(i)]];
  }

  void swap_plans() {
    std::swap(ldlt_, other_ldlt_);
    std::swap(place_, other_place_);
    is_stiffened_ = !is_stiffened_;
  }

  // The order of the coordinates that fills M̃ least: on a tree of joints, outboard ones first fill nothing.
  void order_columns(const SparseRows& M) {
    place_.clear();
    if (fills_nothing(M)) return;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(M), inverse);
    place_.resize(size_t(n_));
    for (int i = 0; i < n_; ++i) place_[size_t(inverse.indices()[i])] = i;
  }

  // The order of the rows of J that fills K least.
  void order_rows(const SparseRows& J) {
    if (m_ == 0) return;
    order_.resize(size_t(m_));
    Eigen::SparseMatrix<double> ones = J;
    ones.coeffs().setOnes();
    const Eigen::SparseMatrix<double> K = ones * Eigen::SparseMatrix<double>(ones.transpose());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(K, inverse);
    for (int i = 0; i < m_; ++i) order_[size_t(i)] = inverse.indices()[i];
  }

  // All of M̃, then the rows of J in their order; the values of J stand behind those of M̃.
  void schedule(const SparseRows& M, const SparseRows& J) {
    std::vector<std::vector<ScheduledLdlt::Entry>> rows(size_t(n_ + m_));
    std::vector<int> diagonal(size_t(n_), -1);
    for (int i = 0; i < n_; ++i)
      for (int s = M.outerIndexPtr()[i]; s < M.outerIndexPtr()[i + 1]; ++s) {
        const int row = place_of(i), column = place_of(M.innerIndexPtr()[s]);
        if (column == row) diagonal[size_t(row)] = s;
        if (column < row) rows[size_t(row)].push_back({column, s});
      }
    const int behind = static_cast<int>(M.nonZeros());
    for (int i = 0; i < m_; ++i) {
      const int r = order_[size_t(i)];
      for (int s = J.outerIndexPtr()[r]; s < J.outerIndexPtr()[r + 1]; ++s)
        rows[size_t(n_ + i)].push_back({place_of(J.innerIndexPtr()[s]), behind + s});
    }
    for (auto& row : rows)
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    ldlt_ = ScheduledLdlt(rows, diagonal, behind + static_cast<int>(J.nonZeros()));
  }

  // Pattern of M + σ JᵀJ, of all rows or of those alone that hold a coordinate without mass: few, in general (scalars of
  // gears and torsion springs), so that M̃ stays nearly as sparse as M.
  void plan_stiffened(const SparseRows& M, const SparseRows& J, bool massless_only) {
    std::vector<char> has_mass(size_t(n_), 0);
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e)
        if (e.value() != 0) has_mass[size_t(i)] = 1;
    stiffening_.clear();
    for (int i = 0; i < m_; ++i) {
      bool holds = !massless_only;
      for (SparseRows::InnerIterator e(J, i); e; ++e) holds = holds || !has_mass[size_t(e.col())];
      if (holds) stiffening_.push_back(i);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e) entries.emplace_back(i, static_cast<int>(e.col()), 0.0);
    for (const int i : stiffening_)
      for (SparseRows::InnerIterator a(J, i); a; ++a)
        for (SparseRows::InnerIterator b(J, i); b; ++b)
          entries.emplace_back(static_cast<int>(a.col()), static_cast<int>(b.col()), 0.0);
    mass_ = SparseRows(n_, n_);
    mass_.setFromTriplets(entries.begin(), entries.end());
    mass_.makeCompressed();
    const auto place = [&](Eigen::Index i, Eigen::Index j) {
      return static_cast<int>(&mass_.coeffRef(i, j) - mass_.valuePtr());
    };
    mass_places_.clear();
    product_places_.clear();
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e) mass_places_.push_back(place(i, e.col()));
    for (const int i : stiffening_)
      for (SparseRows::InnerIterator a(J, i); a; ++a)
        for (SparseRows::InnerIterator b(J, i); b; ++b) product_places_.push_back(place(a.col(), b.col()));
    order_columns(mass_);
    schedule(mass_, J);
  }

  // mass_ ← M + σ JᵀJ with σ of the size that makes both terms comparable.
  void stiffen(const SparseRows& M, const SparseRows& J) {
    double* const values = mass_.valuePtr();
    std::fill(values, values + mass_.nonZeros(), 0.0);
    double largest = 0, row_square = 0;
    const int* place = mass_places_.data();
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e) {
        values[*place++] = e.value();
        if (e.col() == i) largest = std::max(largest, e.value());
      }
    for (const int i : stiffening_) {
      double square = 0;
      for (SparseRows::InnerIterator e(J, i); e; ++e) square += e.value() * e.value();
      row_square = std::max(row_square, square);
    }
    sigma_ = row_square > 0 ? std::max(largest, 1e-300) / row_square : 0;
    place = product_places_.data();
    for (const int i : stiffening_)
      for (SparseRows::InnerIterator a(J, i); a; ++a)
        for (SparseRows::InnerIterator b(J, i); b; ++b) values[*place++] += sigma_ * a.value() * b.value();
  }

  int n_, m_;
  ScheduledLdlt ldlt_;
  std::vector<int> order_;        // row of J eliminated i-th
  std::vector<int> place_;        // when coordinate i is eliminated; empty: i-th
  ScheduledLdlt other_ldlt_;      // the plan not in use: for M alone, or for M + σ JᵀJ
  std::vector<int> other_place_;  // likewise
  bool is_stiffened_ = false, always_stiffened_ = false, was_regular_ = false;
  SparseRows mass_;                                // M + σ JᵀJ once M has been found singular, else empty
  std::vector<int> stiffening_;                    // rows that take part in it
  std::vector<int> mass_places_, product_places_;  // where entries of M and products of rows go in it
  double sigma_ = 0;                               // of (4)
  const SparseRows* M_ = nullptr;                  // as given to factor()
  const SparseRows* J_ = nullptr;
  Vec z_;                      // n + m
  Vec y_, e1_, e2_, dx_, dy_;  // refine()
};

}  // namespace

std::unique_ptr<KktKernel> make_direct_kkt(const SparseRows& M, const SparseRows& J) {
  auto kernel = std::make_unique<DirectKkt>(M, J);
  return kernel->too_long() ? nullptr : std::move(kernel);
}

}  // namespace driftless
