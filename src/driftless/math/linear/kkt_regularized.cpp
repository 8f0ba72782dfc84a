// Regularised KKT kernel, for large systems: equation (5) of kkt_solver.hpp with refinement against (1).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <vector>

#include <Eigen/OrderingMethods>

#include "driftless/math/linear/kkt_kernel.hpp"
#include "driftless/math/linear/ordered_ldlt.hpp"
#include "driftless/math/linear/row_choice.hpp"

namespace driftless {
namespace {

// Regularisation of (5). Refinement gains a factor σ²/ε a step, σ the smallest singular value of the scaled rows (1/N for a
// chain of N bodies) or σ² the smallest eigenvalue of the scaled M, and no more than ε/1e-16: where it stalls, the next ε is
// taken, for good.
constexpr double kEpsilons[] = {1e-9, 1e-12, 1e-14};
constexpr int kMaxRefinements = 12;
constexpr double kTarget = 1e-15;  // predicted relative error at which refinement stops
// Stagnation above this is rank deficiency, below it is round-off, which the condition of M and J may have made large: that
// of a mass matrix of hundreds of joints in a row is 1e12. A rank deficient system adds the same again at every step.
constexpr double kAcceptable = 1e-9, kAcceptableAtLast = 1e-2;

class RegularizedKkt final : public KktKernel {
 public:
  RegularizedKkt(const SparseRows& M, const SparseRows& J)
      : n_(static_cast<int>(M.rows())), m_(static_cast<int>(J.rows())), size_(n_ + m_) {
    order(M, J);
    D_ = Vec::Ones(n_);
    S_ = Vec::Ones(m_);
    b_.resize(size_);
    z_.resize(size_);
    dz_.resize(size_);
    zero_ = Vec::Zero(n_);
    y_.resize(m_);
  }

  Status factor(const SparseRows& M, const SparseRows& J) override {
    dependent_row = -1;
    weakest_row = 1;
    J_ = &J;
    if (!scaled_) rescale(M, J);
    double* values = A_.valuePtr();
    std::fill(values, values + A_.nonZeros(), 0.0);
    for (const Slot& slot : mass_slots_) values[slot.target] = M.valuePtr()[slot.source] * slot.scale;
    for (size_t k = 0; k < row_targets_.size(); ++k)
      values[row_targets_[k]] = J.valuePtr()[k] * row_scales_[k];
    for (int k = 0; k < size_; ++k) values[diagonal_[size_t(k)]] += shift_[k];
    ldlt_.factor_again(A_);
    if (ldlt_.info() != Eigen::Success) return fail();
    return Status::ok;
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    for (int i = 0; i < n_; ++i) b_[place_[size_t(i)]] = r1[i] * D_[i];
    for (int i = 0; i < m_; ++i) b_[place_[size_t(n_ + i)]] = r2[i] * S_[i];
    Status status = refine();
    while (status == Status::singular && level_ + 1 < std::ssize(kEpsilons)) {
      regularize_less();
      status = ldlt_.info() == Eigen::Success ? refine() : Status::singular;
    }
    if (status != Status::ok) return status == Status::singular ? fail() : status;
    for (int i = 0; i < n_; ++i) x[i] = z_[place_[size_t(i)]] * D_[i];
    for (int i = 0; i < m_; ++i) y[i] = z_[place_[size_t(n_ + i)]] * S_[i];
    return Status::ok;
  }

  Status project(ConstVec r2, VecRef x) override { return solve(zero_, r2, x, y_); }

 private:
  // z ← A⁻¹ b; `singular` where the iteration stalls.
  Status refine() {
    z_ = b_;
    ldlt_.solve_in_place(z_);
    double before = max_abs(z_);
    for (int k = 0; before > 0; ++k) {
      residual();
      ldlt_.solve_in_place(dz_);
      z_ += dz_;
      const double change = max_abs(dz_), size = max_abs(z_);
      if (!std::isfinite(change)) return Status::not_finite;
      if (change > 1e-12 * size)  // what ε hides comes back at this rate
        weakest_row = std::min(weakest_row, kEpsilons[level_] * before / change);
      if (change * (change / before) <= kTarget * size)
        break;  // the next correction would be below round-off
      if (change > 0.3 * before || k + 1 == kMaxRefinements) {
        const bool last = level_ + 1 == std::ssize(kEpsilons);
        if (change > (last ? kAcceptableAtLast : kAcceptable) * size) return Status::singular;
        scaled_ = false;  // slow: the scaling has aged, renew it with the next matrix
        break;
      }
      before = change;
    }
    return Status::ok;
  }

  void regularize_less() {
    const double by = kEpsilons[level_ + 1] / kEpsilons[level_];
    ++level_;
    for (int k = 0; k < size_; ++k) A_.valuePtr()[diagonal_[size_t(k)]] += (by - 1) * shift_[k];
    shift_ *= by;
    ldlt_.factor_again(A_);
  }

  // Value number `source` of M goes to value number `target` of A_, times `scale`.
  struct Slot {
    int source, target;
    int i, j;  // row and column in (1), to renew the scale
    double scale = 1;
  };

  Status fail() {
    const auto rows = dependent_rows(*J_);
    dependent_row = rows.empty() ? -1 : rows.front();
    return Status::singular;
  }

  // dz ← b − A z for the unregularised A: the stored upper triangle less the shift on its diagonal.
  void residual() {
    dz_ = b_ + shift_.cwiseProduct(z_);
    const int* outer = A_.outerIndexPtr();
    const int* inner = A_.innerIndexPtr();
    const double* values = A_.valuePtr();
    for (int column = 0; column < size_; ++column) {
      const double z_column = z_[column];
      double sum = 0;
      const int last = outer[column + 1] - 1;  // the diagonal comes last in an upper triangle
      for (int k = outer[column]; k < last; ++k) {
        dz_[inner[k]] -= values[k] * z_column;
        sum += values[k] * z_[inner[k]];
      }
      dz_[column] -= sum + values[last] * z_column;
    }
  }

  void rescale(const SparseRows& M, const SparseRows& J) {
    double mean = 0;
    for (int i = 0; i < n_; ++i) mean += M.coeff(i, i) / n_;
    if (!(mean > 0)) mean = 1;
    for (int i = 0; i < n_; ++i) {
      const double mass = M.coeff(i, i);
      D_[i] = 1 / std::sqrt(mass > 1e-12 * mean ? mass : mean);
    }
    for (int i = 0; i < m_; ++i) {
      double square = 0;
      for (SparseRows::InnerIterator e(J, i); e; ++e) square += std::pow(e.value() * D_[e.col()], 2);
      S_[i] = square > 0 ? 1 / std::sqrt(square) : 1;
    }
    for (Slot& slot : mass_slots_) slot.scale = D_[slot.i] * D_[slot.j];
    double* scale = row_scales_.data();
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator e(J, i); e; ++e) *scale++ = S_[i] * D_[e.col()];
    scaled_ = true;
  }

  // Fill-reducing order of the whole matrix, its upper triangle in that order, and where each value of M and J goes.
  void order(const SparseRows& M, const SparseRows& J) {
    place_.resize(size_t(size_));
    std::iota(place_.begin(), place_.end(), 0);
    fill_pattern(M, J);
    {
      Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
      Eigen::AMDOrdering<int>()(A_.selfadjointView<Eigen::Upper>(), inverse);
      for (int k = 0; k < size_; ++k) place_[size_t(inverse.indices()[k])] = k;
    }
    fill_pattern(M, J);
    list_slots(M, J);
    ldlt_.analyzePattern(A_);
  }

  // The upper triangle of A_ with its rows at place_, written in place: a list of entries would be larger than A_.
  void fill_pattern(const SparseRows& M, const SparseRows& J) {
    const auto for_each = [&](auto put) {  // put(row, column)
      const auto add = [&](int a, int b) {
        const auto [i, j] = std::minmax(place_[size_t(a)], place_[size_t(b)]);
        put(i, j);
      };
      for (int i = 0; i < n_; ++i)
        for (SparseRows::InnerIterator e(M, i); e; ++e)
          if (e.col() < i) add(static_cast<int>(e.col()), i);
      for (int i = 0; i < m_; ++i)
        for (SparseRows::InnerIterator e(J, i); e; ++e) add(static_cast<int>(e.col()), n_ + i);
      for (int k = 0; k < size_; ++k) add(k, k);
    };
    A_ = SparseColumns(size_, size_);
    int* outer = A_.outerIndexPtr();
    for_each([&](int, int j) { ++outer[j + 1]; });
    std::partial_sum(outer, outer + size_ + 1, outer);
    A_.resizeNonZeros(outer[size_]);
    std::vector<int> next(outer, outer + size_);
    for_each([&](int i, int j) { A_.innerIndexPtr()[next[size_t(j)]++] = i; });
    for (int j = 0; j < size_; ++j)
      std::sort(A_.innerIndexPtr() + outer[j], A_.innerIndexPtr() + outer[j + 1]);
    std::fill(A_.valuePtr(), A_.valuePtr() + A_.nonZeros(), 1.0);
  }

  void list_slots(const SparseRows& M, const SparseRows& J) {
    mass_slots_.reserve(size_t((M.nonZeros() + n_) / 2));
    row_targets_.reserve(size_t(J.nonZeros()));
    row_scales_.assign(size_t(J.nonZeros()), 1.0);
    const auto slot_of = [this](int i, int j) {
      if (i > j) std::swap(i, j);
      const int* begin = A_.innerIndexPtr() + A_.outerIndexPtr()[j];
      const int* end = A_.innerIndexPtr() + A_.outerIndexPtr()[j + 1];
      return static_cast<int>(std::lower_bound(begin, end, i) - A_.innerIndexPtr());
    };
    int source = 0;
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e, ++source)
        if (e.col() <= i) {
          const int j = static_cast<int>(e.col());
          mass_slots_.push_back({source, slot_of(place_[size_t(i)], place_[size_t(j)]), i, j});
        }
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator e(J, i); e; ++e)
        row_targets_.push_back(slot_of(place_[size_t(n_ + i)], place_[size_t(e.col())]));
    shift_.resize(size_);
    diagonal_.resize(size_t(size_));
    for (int k = 0; k < size_; ++k) {
      const int p = place_[size_t(k)];
      shift_[p] = k < n_ ? kEpsilons[0] : -kEpsilons[0];
      diagonal_[size_t(p)] = slot_of(p, p);
    }
  }

  int n_, m_, size_;
  std::vector<int> place_;  // where row k of (1) stands in A_
  SparseColumns A_;         // upper triangle of (5), in order        factor()
  std::vector<Slot> mass_slots_;
  std::vector<int> row_targets_;    // of the values of J, in their order
  std::vector<double> row_scales_;  // likewise             rescale()
  std::vector<int> diagonal_;       // slot of each diagonal entry of A_
  std::ptrdiff_t level_ = 0;        // of ε
  Vec shift_;                       // ±ε on the diagonal, in order
  Vec D_, S_;                       // scaling of (5)                         rescale()
  bool scaled_ = false;
  OrderedLdlt ldlt_;
  const SparseRows* J_ = nullptr;
  Vec b_, z_, dz_;
  Vec zero_, y_;  // n, m   project()
};

}  // namespace

std::unique_ptr<KktKernel> make_regularized_kkt(const SparseRows& M, const SparseRows& J) {
  return std::make_unique<RegularizedKkt>(M, J);
}

}  // namespace driftless
