#include "driftless/system/discrete_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kLost = 4 * kEpsilon;  // of (7)
}  // namespace

DiscreteGradient::DiscreteGradient(const DescriptorSystem& system, bool with_rows)
    : system_(system),
      elements_(dynamic_cast<const ElementPotential*>(&system)),
      with_rows_(with_rows),
      shortest_(std::cbrt(kEpsilon) * system.layout().q_scale.minCoeff()),
      q0_(system.layout().nq),
      d_(system.layout().nv),
      rest_(Vec::Zero(system.layout().nv)),
      slope_middle_(d_.size()),
      z_(d_.size()),
      moved_(q0_.size()),
      qm_(q0_.size()),
      plus_(d_.size()),
      minus_(d_.size()),
      ahead_(d_.size()),
      row_gap_(system.layout().mh),
      start_(system.make_terms()),
      end_(system.make_terms()) {
  take_pattern();
}

bool DiscreteGradient::begin(double t, ConstVec q0) {
  t_ = t;
  q0_ = q0;
  system_.position(t, q0, start_);
  system_.force(t, q0, rest_, start_);
  const auto potential = system_.potential_energy(t, q0, start_);
  V0_ = potential.value_or(0);
  return potential.has_value();
}

double DiscreteGradient::gradient_along(ConstVec qm, Terms& middle) {  // (4)
  double applied = 0;
  if (system_.exchanges_energy()) {
    system_.force(t_, qm, d_, middle);
    applied = system_.applied_power(t_, qm, d_, middle);
    z_ = -d_;
    system_.force(t_, qm, z_, middle);
    applied = (applied - system_.applied_power(t_, qm, z_, middle)) / 2;
  }
  system_.force(t_, qm, rest_, middle);
  slope_middle_ = -middle.f;
  return slope_middle_.dot(d_) + applied;
}

void DiscreteGradient::add(ConstVec q1, ConstVec qm, Terms& middle, ConstVec lambda, VecRef out) {
  d_ = q1 - q0_;
  qm_ = qm;
  c_ = noise_ = 0;
  const double length = d_.norm();
  inverse_dd_ = length > shortest_ ? 1 / (length * length) : 0;  // (6)
  slope_middle_.setZero();
  row_gap_.setZero();
  system_.position(t_, q1, end_);
  if (elements_ != nullptr) {  // (3)
    elements_->discrete_gradient(q0_, q1, plus_);
    elements_->discrete_gradient(qm_, qm_, minus_);
    out += plus_ - minus_;
  } else if (inverse_dd_ > 0) {  // (1)
    const double V1 = system_.potential_energy(t_, q1, end_).value_or(V0_);
    c_ = V1 - V0_ - gradient_along(qm, middle);
    noise_ = std::abs(V0_) + std::abs(V1) + slope_middle_.cwiseAbs().dot(q1.cwiseAbs());
    if (std::abs(c_) < kLost * noise_) c_ = 0;  // (7)
  }
  if (inverse_dd_ == 0) return;
  if (with_rows_) {  // (2)
    for (int i = 0; i < row_gap_.size(); ++i) {
      double along = 0;
      for (SparseRows::InnerIterator e(middle.J, i); e; ++e) along += e.value() * d_[e.col()];
      const double size = std::abs(along) + system_.layout().length;
      row_gap_[i] = end_.g[i] - start_.g[i] - along;
      if (std::abs(row_gap_[i]) < kLost * size) row_gap_[i] = 0;  // (7)
      noise_ += std::abs(lambda[i]) * size;
      c_ += lambda[i] * row_gap_[i];
    }
    add_transposed_rows(middle, 1, lambda, slope_middle_);
  }
  noise_ *= kEpsilon / length;
  out += c_ * inverse_dd_ * d_;
}

// Greedily, in the order of the columns.                                                        Curtis, Powell & Reid 1974
void DiscreteGradient::take_pattern() {
  const int n = static_cast<int>(d_.size());
  is_full_ = elements_ == nullptr || !system_.fills_tangents();
  if (is_full_)
    K_ = Mat::Ones(n, n).sparseView();
  else
    K_ = system_.make_tangents({.dynamics = true}).K;
  K_.makeCompressed();
  if (elements_ == nullptr) return;
  rows_.resize(size_t(n));
  places_.resize(size_t(n));
  for (int i = 0; i < n; ++i)
    for (auto place = K_.outerIndexPtr()[i]; place < K_.outerIndexPtr()[i + 1]; ++place) {
      rows_[size_t(K_.innerIndexPtr()[place])].push_back(i);
      places_[size_t(K_.innerIndexPtr()[place])].push_back(place);
    }
  std::vector<std::vector<size_t>> groups_of(rows_.size());  // those that have taken a row
  std::vector<int> refused_to;                               // the last column that may not be in a group
  for (int j = 0; j < n; ++j) {
    size_t group = together_.size();
    if (!is_full_) {
      for (const int row : rows_[size_t(j)])
        for (const size_t taken : groups_of[size_t(row)]) refused_to[taken] = j;
      group = size_t(std::find_if(refused_to.begin(), refused_to.end(), [&](int by) { return by != j; }) -
                     refused_to.begin());
    }
    if (group == together_.size()) {
      together_.emplace_back();
      refused_to.push_back(-1);
    }
    together_[group].push_back(j);
    if (is_full_) continue;
    for (const int row : rows_[size_t(j)]) groups_of[size_t(row)].push_back(group);
  }
}

void DiscreteGradient::difference_elements(double scale, ConstVec q1) {
  const double relative = std::cbrt(kEpsilon);
  const Vec& unit = system_.layout().q_scale;
  const auto at = [&](const std::vector<int>& columns, double side, Vec& result) {
    moved_ = q1;
    for (const int j : columns) moved_[j] += side * relative * unit[j];
    elements_->discrete_gradient(q0_, moved_, result);
    qm_ = (q0_ + moved_) / 2;
    elements_->discrete_gradient(qm_, qm_, ahead_);
    result -= ahead_;
  };
  for (const auto& columns : together_) {
    at(columns, 1, plus_);
    at(columns, -1, minus_);
    for (const int j : columns)
      for (size_t k = 0; k < rows_[size_t(j)].size(); ++k) {
        const int row = rows_[size_t(j)][k];
        K_.valuePtr()[places_[size_t(j)][k]] = scale / (2 * relative * unit[j]) * (plus_[row] - minus_[row]);
      }
  }
}

const SparseRows& DiscreteGradient::tangent(double scale, ConstVec q1, ConstVec lambda) {
  K_.coeffs().setZero();
  if (elements_ != nullptr) difference_elements(scale, q1);
  if (inverse_dd_ == 0 || !is_full_) return K_;  // (5a)
  z_ = -slope_middle_;                           // (5)
  if (elements_ == nullptr) {
    system_.force(t_, q1, rest_, end_);
    z_ -= 0.5 * (start_.f + end_.f);
  }
  if (with_rows_) {
    add_transposed_rows(start_, 0.5, lambda, z_);
    add_transposed_rows(end_, 0.5, lambda, z_);
  }
  z_ -= 2 * c_ * inverse_dd_ * d_;
  for (int i = 0; i < d_.size(); ++i)
    for (SparseRows::InnerIterator e(K_, i); e; ++e)
      e.valueRef() += scale * inverse_dd_ * (d_[i] * z_[e.col()] + (e.col() == i ? c_ : 0));
  return K_;
}

void DiscreteGradient::add_row_derivative(double scale, int row, VecRef column) const {
  if (with_rows_ && row < row_gap_.size()) column += scale * inverse_dd_ * row_gap_[row] * d_;
}

}  // namespace driftless
