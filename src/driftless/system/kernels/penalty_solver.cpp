#include "driftless/system/kernels/penalty_solver.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/math/linear/ordered_ldlt.hpp"
#include "driftless/math/linear/scheduled_ldlt.hpp"

namespace driftless {
namespace {

// A pivot this small against its diagonal is round-off of zero. Good ones may be as small as 1/penalty times the ratio
// of the masses.
constexpr double kPenaltyPivot = 1e-14;
// Squared lengths of rows: growth from which on α follows, and what counts as zero against the longest.
constexpr double kGrown = 16, kNothing = 1e-16;

class PenaltyKernel final : public PenaltyMotionSolver {
 public:
  PenaltyKernel(const Layout& layout, const PenaltySettings& settings)
      : settings_(settings),
        n_(layout.nv),
        m_(layout.m),
        square_(layout.v_scale.cwiseAbs2()),
        alpha_(Vec::Zero(m_)),
        length_(m_),
        supposed_(Vec::Zero(m_)),
        u_(n_),
        x_(n_),
        z_(n_),
        y_(m_),
        dy_(m_) {
    plan(layout.M, layout.J);
  }

  const Vec& weights() const override { return alpha_; }
  void weights_of(const SparseRows& J, Vec& alpha) const override {
    for (int i = 0; i < m_; ++i) alpha[i] = weight(i, squared_length(J, i));
  }
  void keep(Memory& memory) override {
    memory(unit_);
    memory(alpha_);
    memory(supposed_);
  }

  Status factor(const Terms& terms) override {
    M_ = &terms.M;
    J_ = &terms.J;
    weigh(terms.M, terms.J);
    double* const a = listed_ ? ldlt_.values() : A_.valuePtr();
    std::fill_n(a, A_.nonZeros(), 0.0);
    const double* const M = terms.M.valuePtr();
    for (const Slot& slot : mass_slots_) a[slot.target] = M[slot.source];
    const double* J = terms.J.valuePtr();
    const int* target = products_.data();
    for (int i = 0; i < m_; ++i) {  // (1)
      const int count = entries(i);
      for (int p = 0; p < count; ++p) {
        const double left = alpha_[i] * J[p];
        for (int r = 0; r <= p; ++r) a[*target++] += left * J[r];
      }
      J += count;
    }
    return eliminate()                                                    ? Status::ok
           : terms.M.coeffs().allFinite() && terms.J.coeffs().allFinite() ? Status::singular
                                                                          : Status::not_finite;
  }

  Status solve(ConstVec r1, ConstVec r2, VecRef x, VecRef y) override {
    for (int i = 0; i < n_; ++i) u_[place_[size_t(i)]] = r1[i];
    return iterate(r2, x, y);
  }

  Status project(ConstVec r2, VecRef x) override {
    u_.setZero();
    return iterate(r2, x, y_);
  }

  int dependent_row() const override { return -1; }
  bool yields() const override { return true; }
  void drop_rows(std::span<const int>) override {}  // none need be

 private:
  // (2) for the r1 in u_, in the order of the elimination. Passes behind the first solve for the change of x,
  //   A dx = r1 − M x − Jᵀ(y + dy),
  // which in exact arithmetic is (2) again, and takes back what round-off, α times that of M, did to x. Plain penalties
  // have one such pass, too, with y in place of y + dy: it changes nothing but the round-off.
  Status iterate(ConstVec r2, VecRef x, VecRef y) {
    const double tolerance = settings_.tolerance * settings_.tolerance;
    y.setZero();
    dy_ = -alpha_.cwiseProduct(r2);
    const bool plain = settings_.iterations == 0;
    x_.setZero();
    for (int k = 0;; ++k) {
      z_ = u_;
      if (k > 0) subtract_mass_times_x();
      const int* const begin = J_->outerIndexPtr();
      const double* const J = J_->valuePtr();
      const int* const column = columns_.data();
      for (int i = 0; i < m_; ++i) {
        const double c = plain && k > 0 ? y[i] : y[i] + dy_[i];
        for (int p = begin[i]; p < begin[i + 1]; ++p) z_[column[p]] -= c * J[p];
      }
      if (listed_)
        ldlt_.solve(z_.data());
      else
        fallback_.solve_in_place(z_);
      x_ += z_;
      double change = 0, size = 0;
      for (int i = 0; i < m_; ++i) {
        double rest = -r2[i];
        for (int p = begin[i]; p < begin[i + 1]; ++p) rest += J[p] * x_[column[p]];
        dy_[i] = alpha_[i] * rest;
        y[i] = plain ? dy_[i] : y[i] + dy_[i];
        change = std::max(change, dy_[i] * rest);
        size = std::max(size, y[i] * y[i] / alpha_[i]);
      }
      if (plain ? k == 0 : k < settings_.iterations && change > tolerance * size) continue;
      for (int i = 0; i < n_; ++i) x[i] = x_[place_[size_t(i)]];
      return std::isfinite(x.sum()) ? Status::ok : Status::not_finite;
    }
  }

  void subtract_mass_times_x() {
    const int* column = mass_columns_.data();
    const double* M = M_->valuePtr();
    for (int i = 0; i < n_; ++i) {
      double sum = 0;
      for (int p = M_->outerIndexPtr()[i]; p < M_->outerIndexPtr()[i + 1]; ++p) sum += *M++ * x_[*column++];
      z_[place_[size_t(i)]] -= sum;
    }
  }

  bool eliminate() {
    if (listed_) return ldlt_.factor(kPenaltyPivot) == n_;
    fallback_.factor_again(A_);
    if (fallback_.info() != Eigen::Success) return false;
    for (int k = 0; k < n_; ++k) {
      const double diagonal = A_.valuePtr()[A_.outerIndexPtr()[k + 1] - 1];
      if (!(fallback_.pivots()[k] > kPenaltyPivot * diagonal)) return false;
    }
    return true;
  }

  void weigh(const SparseRows& M, const SparseRows& J) {  // (3)
    double longest = 0;
    for (int i = 0; i < m_; ++i) {
      length_[i] = squared_length(J, i);
      longest = std::max(longest, length_[i]);
    }
    if (unit_ == 0) {
      for (const Slot& slot : mass_slots_)
        if (slot.diagonal >= 0) unit_ = std::max(unit_, M.valuePtr()[slot.source] * square_[slot.diagonal]);
      if (!(unit_ > 0)) unit_ = 1;
      for (int i = 0; i < m_; ++i) {
        double supposed = length_[i] > kNothing * longest ? length_[i] : longest;
        if (!(supposed > 0))  // no row has a length: what entries of one would give
          for (SparseRows::InnerIterator e(J, i); e; ++e) supposed += square_[e.col()];
        supposed_[i] = supposed > 0 ? supposed : 1;
      }
    }
    for (int i = 0; i < m_; ++i) alpha_[i] = weight(i, length_[i]);
  }
  double weight(int row, double length) const {
    return settings_.penalty * unit_ / std::max(supposed_[row], length / kGrown);
  }
  double squared_length(const SparseRows& J, int row) const {
    double sum = 0;
    for (SparseRows::InnerIterator e(J, row); e; ++e) sum += e.value() * e.value() * square_[e.col()];
    return sum;
  }

  int entries(int row) const { return J_->outerIndexPtr()[row + 1] - J_->outerIndexPtr()[row]; }

  // Pattern of A in its fill-reducing order, where each value of M and each product of J goes, and the elimination.
  void plan(const SparseRows& M, const SparseRows& J) {
    std::vector<Eigen::Triplet<double>> pattern;
    for (int i = 0; i < n_; ++i) {
      pattern.emplace_back(i, i, 1.0);
      for (SparseRows::InnerIterator e(M, i); e; ++e) pattern.emplace_back(i, int(e.col()), 1.0);
    }
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator a(J, i); a; ++a)
        for (SparseRows::InnerIterator b(J, i); b; ++b) pattern.emplace_back(int(a.col()), int(b.col()), 1.0);
    SparseColumns full(n_, n_);
    full.setFromTriplets(pattern.begin(), pattern.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
    Eigen::AMDOrdering<int>()(full, inverse);
    place_.resize(size_t(n_));
    for (int k = 0; k < n_; ++k) place_[size_t(inverse.indices()[k])] = k;

    // Column j of the upper triangle is row j of the lower: one set of values serves both eliminations.
    for (auto& entry : pattern) {
      const int i = place_[size_t(entry.row())], j = place_[size_t(entry.col())];
      entry = {std::min(i, j), std::max(i, j), 0.0};
    }
    A_.resize(n_, n_);
    A_.setFromTriplets(pattern.begin(), pattern.end());
    A_.makeCompressed();
    const auto slot_of = [this](int i, int j) {
      if (i > j) std::swap(i, j);
      const int* begin = A_.innerIndexPtr() + A_.outerIndexPtr()[j];
      const int* end = A_.innerIndexPtr() + A_.outerIndexPtr()[j + 1];
      return int(std::lower_bound(begin, end, i) - A_.innerIndexPtr());
    };
    int source = 0;
    for (int i = 0; i < n_; ++i)
      for (SparseRows::InnerIterator e(M, i); e; ++e, ++source) {
        mass_columns_.push_back(place_[size_t(e.col())]);
        if (e.col() <= i)
          mass_slots_.push_back(
              {source, slot_of(place_[size_t(i)], mass_columns_.back()), e.col() == i ? i : -1});
      }
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator a(J, i); a; ++a) {
        columns_.push_back(place_[size_t(a.col())]);
        for (SparseRows::InnerIterator b(J, i); b && b.col() <= a.col(); ++b)
          products_.push_back(slot_of(place_[size_t(a.col())], place_[size_t(b.col())]));
      }

    std::vector<std::vector<ScheduledLdlt::Entry>> rows(static_cast<size_t>(n_));
    std::vector<int> diagonal(static_cast<size_t>(n_));
    for (int j = 0; j < n_; ++j) {
      const int last = A_.outerIndexPtr()[j + 1] - 1;
      for (int s = A_.outerIndexPtr()[j]; s < last; ++s)
        rows[size_t(j)].push_back({A_.innerIndexPtr()[s], s});
      diagonal[size_t(j)] = last;
    }
    ldlt_ = ScheduledLdlt(rows, diagonal, int(A_.nonZeros()));
    listed_ = !ldlt_.too_long();
    if (!listed_) {
      ldlt_ = {};
      fallback_.analyzePattern(A_);
    }
  }

  struct Slot {
    int source, target;  // value number of M, and of A
    int diagonal;        // its coordinate if it stands on the diagonal, else −1
  };
  PenaltySettings settings_;
  int n_, m_;
  Vec square_;              // s²                                         n
  double unit_ = 0;         // max M_jj s_j²; 0: not weighed yet
  Vec alpha_, length_;      // α, and Σ (J s)² now                        m
  Vec supposed_;            // what it was at first                        m
  std::vector<int> place_;  // when coordinate i is eliminated
  std::vector<Slot> mass_slots_;
  std::vector<int> products_;                // slot of each product of two entries of a row of J
  std::vector<int> columns_, mass_columns_;  // place of the column of each entry of J and M
  SparseColumns A_;     // pattern of the upper triangle; its values where the elimination is not listed
  bool listed_ = true;  // by ldlt_, else by fallback_
  ScheduledLdlt ldlt_;
  OrderedLdlt fallback_;
  const SparseRows* M_ = nullptr;  // of the last factor()
  const SparseRows* J_ = nullptr;
  Vec u_, x_, z_;  // r1, x and its change, in the order of the elimination    n
  Vec y_, dy_;     // m
};

}  // namespace

std::unique_ptr<PenaltyMotionSolver> make_penalty_motion_solver(const Layout& layout,
                                                                const PenaltySettings& settings) {
  return std::make_unique<PenaltyKernel>(layout, settings);
}

}  // namespace driftless
