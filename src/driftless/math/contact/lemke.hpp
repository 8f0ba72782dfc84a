// The linear complementarity problem
//   w = M z + q,   w ≥ 0,   z ≥ 0,   wᵀz = 0                                                                          (1)
// by Lemke's pivoting: z₀ with w = M z + q + e z₀ is driven out of the basis, each pivot letting the complement of the last
// variable enter. Ties of the ratio test are broken by the lexicographic rule, so that degenerate problems do not cycle.
// Cottle, Pang & Stone, The Linear Complementarity Problem (1992), algorithm 4.4.5 and section 4.9
#pragma once

#include "driftless/math/types.hpp"

namespace driftless {

struct LemkeResult {
  bool solved = false;  // false: a ray; no solution exists if M is copositive-plus, else nothing is known
  Vec w, z;
  int pivots = 0;
};

LemkeResult solve_lcp(const Mat& M, const Vec& q);

}  // namespace driftless
