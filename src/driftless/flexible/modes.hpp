// Modes of a mesh (K, M):  K φ = ω² M φ, φᵀMφ = 1, in increasing order.
//   eigen           under the reference conditions
//   craig-bampton   boundary b, interior i: constraint modes Ψ = [1; −K_ii⁻¹K_ib] and the lowest fixed-interface modes of the free
//                   mesh, T = [Ψ, (0; Φ_i)]; then the eigenproblem of (TᵀKT, TᵀMT) without its rigid modes. What remains satisfies the
//                   mean-axis conditions exactly, being M-orthogonal to the rigid modes.       Craig & Bampton 1968
// Modes of one frequency, as round sections bend in pairs, are any M-orthonormal combination of one another. They are turned so that all but
// the first are zero in the first coordinate they move, all but the first two in the next: not what round-off makes of them.    (1)
#pragma once

#include <optional>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

struct Modes {
  Mat shapes;       // n × modes
  Vec frequencies;  // rad/s
};

// `rigid`: so many of the lowest are left out. count 0: all. M positive definite.
Modes eigenmodes(const Mat& K, const Mat& M, int rigid, int count, std::optional<double> below);

// Rows of `boundary` are those of the boundary; `interior` modes are kept besides.
Modes craig_bampton(const Mat& K, const Mat& M, const std::vector<int>& boundary, int interior, int rigid);

// Damping ratios of modes: D = M Φ diag(2 ζ_k ω_k) Φᵀ M, in the order of the coordinates where these are the modes themselves, in that of
// the frequencies else. One ratio: of all; modes beyond the last are undamped.
Mat modal_damping(const Mat& K, const Mat& M, const std::vector<double>& ratios);

}  // namespace driftless
