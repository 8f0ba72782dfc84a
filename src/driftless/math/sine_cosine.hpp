// sin x and cos x at once, for the attitudes of bodies: each evaluation of a mechanism asks for those of every angle. A third of the
// time of the C library's, which must be ready for every x; within one unit in the last place of the exact values.
//   x = n π/2 + y,  |y| ≤ π/4,  π/2 in three parts of 33, 33 and 53 bits, so that the products n P₁, n P₂ are exact          (1)
//   sin y = y + y³ (S₁ + … + S₆ y¹⁰),   cos y = 1 − y²/2 + y⁴ (C₁ + … + C₆ y¹⁰),   y with what rounding left of it            (2)
// Beyond 10⁵ (n no longer has few bits), and where x is no number, the library's.
// Cody & Waite 1980, ch. 8 for (1); coefficients of (2): Sun Microsystems, fdlibm 1993, k_sin.c and k_cos.c
#pragma once

namespace driftless {

// One function, never inlined: the same digits wherever it is called from.
void sine_cosine(double x, double& sine, double& cosine);

}  // namespace driftless
