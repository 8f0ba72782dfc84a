#include "driftless/math/spline.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

#include "driftless/math/types.hpp"

namespace driftless {

Spline::Spline(std::vector<double> knots, std::vector<double> values, Ends ends)
    : knots_(std::move(knots)), values_(std::move(values)), moments_(knots_.size(), 0.0), ends_(ends) {
  const int pieces = static_cast<int>(knots_.size()) - 1;
  const auto h = [&](int i) { return knots_[size_t(i) + 1] - knots_[size_t(i)]; };
  const auto slope = [&](int i) { return (values_[size_t(i) + 1] - values_[size_t(i)]) / h(i); };
  // Unknown moments: those of the inner knots, or all of a period. (1) is symmetric and diagonally dominant.
  const bool periodic = ends == Ends::periodic;
  const int first = periodic ? 0 : 1, n = pieces - first;
  if (n <= 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  Vec right(n);
  for (int k = 0; k < n; ++k) {
    const int i = k + first, before = i == 0 ? pieces - 1 : i - 1;
    entries.emplace_back(k, k, 2 * (h(before) + h(i)));
    if (k + 1 < n || periodic) {
      entries.emplace_back(k, (k + 1) % n, h(i));
      entries.emplace_back((k + 1) % n, k, h(i));
    }
    right[k] = 6 * (slope(i) - slope(before));
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Vec inner = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(right);
  for (int k = 0; k < n; ++k) moments_[size_t(k + first)] = inner[k];
  if (periodic) moments_.back() = moments_.front();
}

Derivatives Spline::at(double x) const {
  if (knots_.empty()) return {};
  const double start = knots_.front(), end = knots_.back();
  if (ends_ == Ends::periodic) {
    x -= (end - start) * std::floor((x - start) / (end - start));
  } else if (x < start || x > end) {  // (2): along the tangent
    const Derivatives from = at(x < start ? start : end);
    return {from.value + from.rate * (x - (x < start ? start : end)), from.rate, 0.0};
  }
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
  const auto j = static_cast<size_t>(next - knots_.begin()), i = j - 1;
  const double h = knots_[j] - knots_[i], b = (x - knots_[i]) / h, a = (knots_[j] - x) / h;
  const double mi = moments_[i], mj = moments_[j];
  return {a * values_[i] + b * values_[j] + (a * (a * a - 1) * mi + b * (b * b - 1) * mj) * h * h / 6,
          (values_[j] - values_[i]) / h + ((1 - 3 * a * a) * mi + (3 * b * b - 1) * mj) * h / 6,
          a * mi + b * mj};
}

double Spline::third(double x) const {
  if (knots_.empty()) return 0;
  const double start = knots_.front(), end = knots_.back();
  if (ends_ == Ends::periodic)
    x -= (end - start) * std::floor((x - start) / (end - start));
  else if (x < start || x > end)
    return 0;
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
  const auto j = static_cast<size_t>(next - knots_.begin());
  return (moments_[j] - moments_[j - 1]) / (knots_[j] - knots_[j - 1]);
}

}  // namespace driftless
