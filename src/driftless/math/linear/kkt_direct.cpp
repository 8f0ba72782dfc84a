// Direct KKT kernel: equations (2)–(4) of kkt_solver.hpp, as one scheduled elimination of all of M̃ and then of the rows. Where M̃
// couples many coordinates (nodes that bodies share), M̃⁻¹ and with it K are full, however sparse M̃ and J are. Every row is
// then eliminated as soon as its coordinates are: what is left is positive or negative all the same, for with A the coordinates
// and R the rows eliminated so far J_RA = J_R has full rank and M̃_AA is positive. The shorter of the two lists is taken.
#include <algorithm>
#include <vector>

#include <Eigen/OrderingMethods>

#include "driftless/math/linear/kkt_kernel.hpp"
#include "driftless/math/linear/scheduled_ldlt.hpp"

namespace driftless {
namespace {

// A pivot this small against its diagonal is round-off of zero: for rows of J it is the squared sine of the angle
// between a row and the span of those before it.
constexpr double kPivotTolerance = 1e-13;

constexpr int kCoupled = 12;      // coordinates: bodies alone have at most seven
constexpr double kShorter = 0.6;  // of the products: what is worth another order of things

// Whether M couples more coordinates with one another than a body has.
bool couples_many(const SparseRows& M) {
  std::vector<int> piece(size_t(M.rows()), -1), todo;
  for (int start = 0; start < M.rows(); ++start) {
    if (piece[size_t(start)] >= 0) continue;
    int count = 0;
    todo = {start};
    piece[size_t(start)] = start;
    while (!todo.empty()) {
      const int i = todo.back();
      todo.pop_back();
      if (++count > kCoupled) return true;
      for (SparseRows::InnerIterator e(M, i); e; ++e)
        if (piece[size_t(e.col())] < 0) {
          piece[size_t(e.col())] = start;
          todo.push_back(static_cast<int>(e.col()));
        }
    }
  }
  return false;
}

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
    plan(M, J);
  }

  bool too_long() const { return plan_.ldlt.too_long(); }

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
        other_ = plan_;
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
    if (plan_.ldlt.weak()) refine(&r1, r2, x, y);
    return Status::ok;
  }

  Status project(ConstVec r2, VecRef x) override {
    double* z = z_.data();
    std::fill(z, z + n_ + m_, 0.0);
    for (int i = 0; i < m_; ++i) z[place_of_row(i)] = r2[order_[size_t(i)]];
    if (sigma_ > 0) {
      stiffen_right_side(r2, z);
      plan_.ldlt.solve(z);
    } else {
      plan_.ldlt.solve_second_group(z);
    }
    read_columns(z, x.data());
    if (plan_.ldlt.weak()) {
      for (int i = 0; i < m_; ++i) y_[order_[size_t(i)]] = z[place_of_row(i)];
      refine(nullptr, r2, x, y_);
    }
    return Status::ok;
  }

 private:
  Status eliminate(const SparseRows& M, const SparseRows& J) {
    copy_values(M.valuePtr(), M.nonZeros(), plan_.ldlt.values());
    copy_values(J.valuePtr(), J.nonZeros(), plan_.ldlt.values() + M.nonZeros());
    const int failed = plan_.ldlt.factor(kPivotTolerance);
    if (failed == n_ + m_) {
      weakest_row = plan_.ldlt.weakest();
      return Status::ok;
    }
    weakest_row = 0;
    if (plan_.row_place.empty()) {
      if (failed >= n_) dependent_row = order_[size_t(failed - n_)];
    } else if (const auto row = std::find(plan_.row_place.begin(), plan_.row_place.end(), failed);
               row != plan_.row_place.end()) {
      dependent_row = order_[size_t(row - plan_.row_place.begin())];
    }
    return Status::singular;
  }

  void solve_once(ConstVec r1, ConstVec r2, VecRef x, VecRef y) {  // (3)
    double* z = z_.data();
    if (plan_.place.empty())
      copy_values(r1.data(), n_, z);
    else
      for (int i = 0; i < n_; ++i) z[plan_.place[size_t(i)]] = r1[i];
    if (sigma_ > 0) stiffen_right_side(r2, z);
    for (int i = 0; i < m_; ++i) z[place_of_row(i)] = r2[order_[size_t(i)]];
    plan_.ldlt.solve(z);
    read_columns(z, x.data());
    for (int i = 0; i < m_; ++i) y[order_[size_t(i)]] = z[place_of_row(i)];
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

  // The order of an elimination, and the elimination.
  struct Plan {
    ScheduledLdlt ldlt;
    std::vector<int> place;      // when coordinate i is eliminated; empty: i-th
    std::vector<int> row_place;  // when row order_[i] is eliminated; empty: i-th behind the coordinates
    int place_of(int column) const { return place.empty() ? column : place[size_t(column)]; }
  };

  int place_of(int column) const { return plan_.place_of(column); }
  int place_of_row(int i) const { return plan_.row_place.empty() ? n_ + i : plan_.row_place[size_t(i)]; }
  void read_columns(const double* z, double* x) const {
    if (plan_.place.empty()) {
      copy_values(z, n_, x);
      return;
    }
    for (int i = 0; i < n_; ++i) x[i] = z[plan_.place[size_t(i)]];
  }

  void swap_plans() {
    std::swap(plan_, other_);
    is_stiffened_ = !is_stiffened_;
  }

  void plan(const SparseRows& M, const SparseRows& J) {
    Plan mixed;
    size_t longest = ScheduledLdlt::kLongest;
    if (m_ > 0 && couples_many(M)) {
      order_mixed(M, J, mixed);
      schedule(M, J, longest, mixed);
      // The other one fills K: nobody need know how much longer than this it is.
      longest = std::min(longest, static_cast<size_t>(double(mixed.ldlt.products()) / kShorter));
    }
    plan_ = {};
    order_columns(M, plan_);
    schedule(M, J, longest, plan_);
    if (plan_.ldlt.too_long() && !mixed.place.empty()) plan_ = std::move(mixed);
  }

  // The order of the coordinates that fills M̃ least: on a tree of joints, outboard ones first fill nothing.
  void order_columns(const SparseRows& M, Plan& plan) const {
    if (fills_nothing(M)) return;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(M), inverse);
    plan.place.resize(size_t(n_));
    for (int i = 0; i < n_; ++i) plan.place[size_t(inverse.indices()[i])] = i;
  }

  // That which fills M̃ + JᵀJ least, and every row behind the last of its coordinates.
  void order_mixed(const SparseRows& M, const SparseRows& J, Plan& plan) const {
    Eigen::SparseMatrix<double> ones = J, coupled = M;
    ones.coeffs().setOnes();
    coupled.coeffs().setOnes();
    coupled += Eigen::SparseMatrix<double>(Eigen::SparseMatrix<double>(ones.transpose()) * ones);
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(coupled, inverse);
    std::vector<int> turn(size_t(n_), 0);  // of each coordinate
    for (int i = 0; i < n_; ++i) turn[size_t(inverse.indices()[i])] = i;
    std::vector<std::vector<int>> behind(size_t(n_) + 1);  // rows, by the turn of their last coordinate
    for (int i = 0; i < m_; ++i) {
      int last = -1;
      for (SparseRows::InnerIterator e(J, order_[size_t(i)]); e; ++e)
        last = std::max(last, turn[size_t(e.col())]);
      behind[size_t(last + 1)].push_back(i);
    }
    plan.place.resize(size_t(n_));
    plan.row_place.resize(size_t(m_));
    int next = 0;
    for (int k = 0; k <= n_; ++k) {
      if (k > 0) plan.place[size_t(inverse.indices()[k - 1])] = next++;
      for (const int row : behind[size_t(k)]) plan.row_place[size_t(row)] = next++;
    }
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

  // The values of J stand behind those of M̃.
  void schedule(const SparseRows& M, const SparseRows& J, size_t longest, Plan& plan) const {
    std::vector<std::vector<ScheduledLdlt::Entry>> rows(size_t(n_ + m_));
    std::vector<int> diagonal(size_t(n_ + m_), -1);
    const auto add = [&](int a, int b, int source) {
      rows[size_t(std::max(a, b))].push_back({std::min(a, b), source});
    };
    for (int i = 0; i < n_; ++i)
      for (int s = M.outerIndexPtr()[i]; s < M.outerIndexPtr()[i + 1]; ++s) {
        const int row = plan.place_of(i), column = plan.place_of(M.innerIndexPtr()[s]);
        if (column == row) diagonal[size_t(row)] = s;
        if (column < row) add(row, column, s);
      }
    const int behind = static_cast<int>(M.nonZeros());
    for (int i = 0; i < m_; ++i) {
      const int r = order_[size_t(i)], own = plan.row_place.empty() ? n_ + i : plan.row_place[size_t(i)];
      for (int s = J.outerIndexPtr()[r]; s < J.outerIndexPtr()[r + 1]; ++s)
        add(own, plan.place_of(J.innerIndexPtr()[s]), behind + s);
    }
    for (auto& row : rows)
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    plan.ldlt = ScheduledLdlt(rows, diagonal, behind + static_cast<int>(J.nonZeros()), longest);
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
    plan(mass_, J);
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
  std::vector<int> order_;  // rows of J as they are eliminated one after the other
  Plan plan_, other_;       // in use, and not: for M alone, and for M + σ JᵀJ
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
