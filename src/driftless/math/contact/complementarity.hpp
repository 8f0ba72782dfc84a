// Unilateral contacts and dry friction that are decided together: the contact problem on the Delassus matrix W = A M⁻¹ Aᵀ of
// the candidate rows, bilateral rows eliminated before (or W not symmetric, where forces of sliding follow normal ones).
//   a = W p + b                                                                                                       (1)
//   normal rows      p_n ≥ 0,  a_n ≥ 0,  a_n p_n = 0                                                                  (2)
//   friction rows    |p_t| ≤ ℓ = L + μ p_n;  |p_t| < ℓ ⇒ a_t = 0;  a_t ≠ 0 ⇒ p_t = −ℓ a_t/|a_t|                        (3)
// a are accelerations and p forces, or a are velocities and p impulses. One friction row a contact: (3) is a complementarity
// problem, Glocker, Set-Valued Force Laws (2001), section 6.2, in the unknowns p_n, ℓ + p_t, a⁻ (a_t = a⁺ − a⁻), and solved by
// pivoting (lemke.hpp). Two rows: a cone, solved as the root of the projections of Alart & Curnier (1991) by a nonsmooth
// Newton iteration with a damped fixed point for its start.
// Where μ = 0 or forces have given limits, W symmetric, (1)–(3) is a convex problem: a is unique though p need not be. With μ p_n it
// may have several solutions or none (Painlevé): all combinations of modes are looked through where they are not too many.
#pragma once

#include <string>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

// One contact or one dry friction: rows of W.
struct ContactRows {
  int normal = -1;      // −1: none, friction of given limit
  int tangent = -1;     // −1: no friction
  int tangent_2 = -1;   // −1: friction in one direction
  double friction = 0;  // μ
  double limit = 0;     // L
};

struct ContactProblem {
  Mat W;
  Vec b;
  std::vector<ContactRows> contacts;
};

enum class ContactMode {
  open,
  stick,
  slip_plus,
  slip_minus,
  slip
};  // slip: two rows; without friction closed is `stick`
enum class ContactAnswer {
  solved,     // and a is unique, as far as it was looked for
  none,       // no solution exists
  several,    // solutions with different a exist; the first found is returned
  undecided,  // the iteration found none, which proves nothing
};

struct ContactSolution {
  ContactAnswer answer = ContactAnswer::undecided;
  bool unique_proved = false;  // false with `solved`: too many combinations to look through
  Vec p, a;
  std::vector<ContactMode> modes;
};

ContactSolution solve_contacts(const ContactProblem& problem);

// How much more friction could be had: the largest s for which forces exist with a_i = 0 on the rows of `held`, p_n ≥ 0 and
// |p_t| ≤ ℓ − s·scale, p_n ≥ s·scale. Negative: the contacts cannot hold what they hold. Decides break-away where contacts are
// redundant and single forces mean nothing. Rows not in a held contact have p = 0. Cones of two friction rows are cut out by
// planes, one more where the solution is outside, until it is not: Kelley, J. SIAM 8 (1960) 703.
double hold_margin(const ContactProblem& problem, const std::vector<int>& held, double scale);

// ---- impacts --------------------------------------------------------------------------------------------------------

enum class ImpactLaw { newton, poisson };

struct ImpactProblem {
  ContactProblem contacts;          // W of all rows that may take part; b: velocities before
  std::vector<double> restitution;  // per contact; 0 for friction of given limit
  ImpactLaw law = ImpactLaw::newton;
  Vec approach =
      {};  // velocities before, for Newton's law, where other impulses act at the same time; empty: b
};

struct ImpactSolution {
  ContactAnswer answer = ContactAnswer::undecided;
  Vec p, u;  // impulses, velocities behind
  double energy_gain =
      0;  // ½ pᵀ (u⁻ + u⁺): what the law makes kinetic energy grow by; positive: Newton's law of Kane's example
};

// Newton: u_n⁺ ≥ −e u_n⁻ with (2), (3). Poisson: compression with u_n ≥ 0, then expansion with p_n ≥ e p_n of compression.
// Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts (1996), chapter 8
ImpactSolution solve_impact(const ImpactProblem& problem);

std::string to_text(ContactAnswer answer);

}  // namespace driftless
