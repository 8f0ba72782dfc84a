// Units of a contact problem, for the files that solve it.
#pragma once

#include <algorithm>

#include "driftless/math/contact/complementarity.hpp"

namespace driftless {

// Below this, of the largest, W is round-off: its entries are products with M⁻¹, which have lost digits. Rows that share a force in no
// unique way are told by it.
constexpr double kContactRoundOff = 1e-10;

// (1) made free of units: p in β/σ, a in β.
struct ContactScale {
  double sigma = 1, beta = 1;
};

inline ContactScale scale_of(const ContactProblem& problem) {
  ContactScale scale;
  scale.sigma = problem.W.size() == 0 ? 1 : problem.W.cwiseAbs().maxCoeff();
  if (!(scale.sigma > 0)) scale.sigma = 1;
  scale.beta = max_abs(problem.b);
  for (const ContactRows& c : problem.contacts) scale.beta = std::max(scale.beta, c.limit * scale.sigma);
  if (!(scale.beta > 0)) scale.beta = 1;
  return scale;
}

inline double limit_of(const ContactRows& c, const Vec& p) {
  return c.limit + (c.normal >= 0 ? c.friction * std::max(0.0, p[c.normal]) : 0.0);
}

}  // namespace driftless
