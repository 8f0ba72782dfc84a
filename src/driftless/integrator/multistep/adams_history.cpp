#include "driftless/integrator/multistep/adams_history.hpp"

#include <algorithm>

namespace driftless {

AdamsWeights adams_weights(const double* nodes, int count, double from, double to) {  // (1)
  AdamsWeights weights = {};
  for (int j = 0; j < count; ++j)
    weights[size_t(j)] = integrate(from, to, [&](double t) {
      double product = 1;
      for (int m = 0; m < count; ++m)
        if (m != j) product *= (t - nodes[m]) / (nodes[j] - nodes[m]);
      return product;
    });
  return weights;
}

double adams_constant(const double* nodes, int count, double from, double to) {  // (2)
  return integrate(from, to, [&](double t) {
    double product = 1;
    for (int m = 0; m < count; ++m) product *= t - nodes[m];
    return product;
  });
}

AdamsHistory::AdamsHistory(
    OdeForm& form, Statistics& statistics, const StepControl& control, int order, int needed)
    : Multistep(form, statistics, control, kDopri5, order),
      needed_(needed),
      F_(Mat::Zero(form.size(), kMostAdams)) {
  for (int j = 0; j < kMostAdams; ++j) column_[size_t(j)] = j;
}

void AdamsHistory::open() {
  std::rotate(column_.rbegin(), column_.rbegin() + 1, column_.rend());
  std::rotate(times_.rbegin(), times_.rbegin() + 1, times_.rend());
  F_.col(column_[0]) = k0_;
  times_[0] = t0_;
  known_ = std::min(known_ + 1, kMostAdams);
}

void AdamsHistory::keep(Memory& memory) {
  memory(known_, 0, kMostAdams);
  memory(times_);
  for (const int j : column_) {
    Vec F = F_.col(j);
    memory(F);
    F_.col(j) = F;
  }
}

std::array<double, kMostAdams + 2> AdamsHistory::nodes(double t1) const {
  std::array<double, kMostAdams + 2> out = {t1};
  std::copy(times_.begin(), times_.end(), out.begin() + 1);
  return out;
}

void AdamsHistory::add_explicit(double t1, int count, Vec& out) const {
  const AdamsWeights weights = adams_weights(times_.data(), count, t0_, t1);
  out = y0_;
  for (int j = 0; j < count; ++j) out += weights[size_t(j)] * past(j);
}

double AdamsHistory::add_implicit(double t1, int count, Vec& out) const {
  const AdamsWeights weights = adams_weights(nodes(t1).data(), count, t0_, t1);
  out = y0_;
  for (int j = 1; j < count; ++j) out += weights[size_t(j)] * past(j - 1);
  return weights[0];
}

void AdamsHistory::interpolate(double t, VecRef y) const {  // multistep.hpp (1)
  const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
  if (known_ == 0 || h == 0) {
    y = y1_;
    return;
  }
  // The t₁ value counts too; one more than the formula uses, for the order of its error.
  const int count = std::min(known_, std::max(needed_, 1)) + 1;
  const auto at = nodes(t1_);
  AdamsWeights here = adams_weights(at.data(), count, t0_, t),
               whole = adams_weights(at.data(), count, t0_, t1_);
  const double share = theta * theta * (3 - 2 * theta);
  y = (1 - share) * y0_ + share * y1_;
  for (int j = 0; j < count; ++j) {
    const double weight = here[size_t(j)] - share * whole[size_t(j)];
    if (j == 0)
      y += weight * k1_;
    else
      y += weight * past(j - 1);
  }
}

}  // namespace driftless
