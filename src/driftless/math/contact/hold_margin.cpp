// What contacts that are held can still lose: a linear programme.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/contact/complementarity.hpp"
#include "driftless/math/contact/contact_scale.hpp"
#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace {

// max s over p with W p + b = 0 on the held rows and inequalities Σ c p ≤ r − s scale. Equations first: p = p₀ + N z, N the null
// vectors of W, a few; what is left is a linear programme in (z, s) that knows a point inside, z = 0: the simplex method on a table.
struct HoldProgramme {
  struct Inequality {
    std::vector<std::pair<int, double>> terms;  // row of the problem, c
    double right;
  };
  std::vector<int> equal;  // rows with a = 0
  std::vector<Inequality> inequalities;
  Vec p0;  // of all rows of the problem
  Mat N;

  bool eliminate(const ContactProblem& problem);
  // s, and p of the rows of the problem; NaN: not found.
  double solve(double scale, Vec& p) const;
};

bool HoldProgramme::eliminate(const ContactProblem& problem) {
  const auto n = static_cast<Eigen::Index>(equal.size());
  Mat W(n, n);
  Vec b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    b[i] = problem.b[equal[size_t(i)]];
    for (Eigen::Index j = 0; j < n; ++j) W(i, j) = problem.W(equal[size_t(i)], equal[size_t(j)]);
  }
  const ContactScale unit = scale_of(problem);
  const Vec held = least_squares(W, -b, kContactRoundOff);
  if (max_abs(W * held + b) > 1e-8 * unit.beta) return false;
  p0 = Vec::Zero(problem.b.size());
  for (Eigen::Index i = 0; i < n; ++i) p0[equal[size_t(i)]] = held[i];
  // Columns of the projector onto the null space, made orthonormal.
  std::vector<Vec> basis;
  for (Eigen::Index j = 0; j < n; ++j) {
    Vec e = Vec::Unit(n, j);
    e -= least_squares(W, W.col(j), kContactRoundOff);
    for (const Vec& u : basis) e -= u.dot(e) * u;
    if (e.norm() > 1e-6) basis.push_back(e / e.norm());
  }
  N = Mat::Zero(problem.b.size(), static_cast<Eigen::Index>(basis.size()));
  for (size_t k = 0; k < basis.size(); ++k)
    for (Eigen::Index i = 0; i < n; ++i) N(equal[size_t(i)], Eigen::Index(k)) = basis[k][i];
  return true;
}

double HoldProgramme::solve(double scale, Vec& p) const {
  const auto d = N.cols();
  const auto m = static_cast<Eigen::Index>(inequalities.size());
  double force = max_abs(p0);
  for (const Inequality& one : inequalities) force = std::max(force, std::abs(one.right));
  if (!(force > 0)) force = 1;
  // Columns z⁺, z⁻, s − s₀, slacks, right side; all in units of `force`. s₀ is the best with z = 0: right sides are not negative.
  const auto own = 2 * d + 1, last = own + m;
  Mat table = Mat::Zero(m + 1, last + 1);
  for (Eigen::Index k = 0; k < m; ++k) {
    const Inequality& one = inequalities[size_t(k)];
    double right = one.right;
    for (const auto& [row, c] : one.terms) {
      right -= c * p0[row];
      table.row(k).head(d) += c * N.row(row);
    }
    table.row(k).segment(d, d) = -table.row(k).head(d);
    table(k, 2 * d) = 1;
    table(k, own + k) = 1;
    table(k, last) = right / force;
  }
  const double start = m > 0 ? table.col(last).head(m).minCoeff() : 0;
  table.col(last).head(m).array() -= start;
  table(m, 2 * d) = -1;  // maximise s
  std::vector<Eigen::Index> basis(static_cast<size_t>(m));
  for (Eigen::Index k = 0; k < m; ++k) basis[size_t(k)] = own + k;
  constexpr double kSmall = 1e-12;
  bool is_best = false;
  for (int pivots = 0; pivots < 2000 && !is_best; ++pivots) {
    // Bland's rule: the first column that helps, the first variable among equals that leaves; it does not cycle.
    Eigen::Index enters = 0;
    while (enters < last && table(m, enters) >= -kSmall) ++enters;
    is_best = enters == last;
    if (is_best) break;
    Eigen::Index leaves = -1;
    for (Eigen::Index k = 0; k < m; ++k) {
      if (table(k, enters) <= kSmall) continue;
      if (leaves < 0) {
        leaves = k;
        continue;
      }
      const double here = table(k, last) / table(k, enters),
                   there = table(leaves, last) / table(leaves, enters);
      if (here < there || (here == there && basis[size_t(k)] < basis[size_t(leaves)])) leaves = k;
    }
    if (leaves < 0) return std::numeric_limits<double>::infinity();  // nothing limits it
    table.row(leaves) /= table(leaves, enters);
    for (Eigen::Index k = 0; k <= m; ++k)
      if (k != leaves && table(k, enters) != 0) table.row(k) -= (table(k, enters) * table.row(leaves)).eval();
    basis[size_t(leaves)] = enters;
  }
  if (!is_best) return std::numeric_limits<double>::quiet_NaN();
  Vec z = Vec::Zero(d);
  for (Eigen::Index k = 0; k < m; ++k) {
    if (basis[size_t(k)] < d) z[basis[size_t(k)]] += table(k, last);
    if (basis[size_t(k)] >= d && basis[size_t(k)] < 2 * d) z[basis[size_t(k)] - d] -= table(k, last);
  }
  p = p0 + force * (N * z);
  return force * (start + table(m, last)) / scale;
}

}  // namespace

double hold_margin(const ContactProblem& problem, const std::vector<int>& held, double scale) {
  HoldProgramme programme;
  const auto cut = [&](const ContactRows& c, double x, double y) {
    auto& one = programme.inequalities.emplace_back();
    one.terms.push_back({c.tangent, x});
    if (c.tangent_2 >= 0) one.terms.push_back({c.tangent_2, y});
    if (c.normal >= 0) one.terms.push_back({c.normal, -c.friction});
    one.right = c.limit;
  };
  for (const int i : held) {
    const ContactRows& c = problem.contacts[size_t(i)];
    if (c.normal >= 0) {
      programme.equal.push_back(c.normal);
      programme.inequalities.push_back({{{c.normal, -1.0}}, 0});
    }
    if (c.tangent < 0) continue;
    programme.equal.push_back(c.tangent);
    for (const double sign : {1.0, -1.0}) cut(c, sign, 0);
    if (c.tangent_2 < 0) continue;
    programme.equal.push_back(c.tangent_2);
    for (const double sign : {1.0, -1.0}) cut(c, 0, sign);
  }
  // A finite number where there is none: roots are located between numbers.
  const ContactScale unit = scale_of(problem);
  const double none = -unit.beta / unit.sigma / scale;
  if (!programme.eliminate(problem)) return none;
  double margin = 0;
  for (int round = 0; round < 60; ++round) {
    Vec p;
    margin = programme.solve(scale, p);
    if (std::isnan(margin)) return none;
    if (std::isinf(margin)) return -none;
    bool is_inside = true;
    const double size = std::max(max_abs(p), 1e-300);
    for (const int i : held) {
      const ContactRows& c = problem.contacts[size_t(i)];
      if (c.tangent_2 < 0) continue;
      const double length = std::hypot(p[c.tangent], p[c.tangent_2]);
      if (length <= limit_of(c, p) - margin * scale + 1e-11 * size || length == 0) continue;
      cut(c, p[c.tangent] / length, p[c.tangent_2] / length);
      is_inside = false;
    }
    if (is_inside) break;
  }
  return margin;
}

}  // namespace driftless
