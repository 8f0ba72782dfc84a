// Articulated bodies: M z̈ = r of a tree in time linear in the number of links, M never formed. With the inertia 𝓘 of a
// link and all that is outboard of it and gives way in its joints, about its point p, and the column s of its rate (turn:
// (u, 0), slide: (0, u), screw: (u, h u), ball: three turns):
//   U = 𝓘 s,   D = s·U,   𝓘₋ = own + Σ over outboard links (𝓘 − U D⁻¹ Uᵀ) moved to p₋                                  (1)
//   inboard    e = r − s·b,   g = D⁻¹ e,   b₋ = Σ (b + U g) moved to p₋                                                (2)
//   outboard   a' = a₋ moved to p,   z̈ = g − D⁻¹ U·a',   a = a' + s z̈                                                  (3)
// (2) and (3) are the two halves of M⁻¹ = Wᵀ D⁻¹ W with e = W r: for any r, y
//   yᵀ M⁻¹ r = e(y)·g(r),                                                                                             (4)
// which makes K = J M⁻¹ Jᵀ of constraint rows by sweeps inboard alone.
// A pivot D is zero to round-off where it has vanished against what this very direction has lost: with the sum over
// outboard links of what they took away, (s·U)² D⁻¹ of each moved to p₋, and of what was taken away before from links
// without mass,
//   D ≤ ε (D + Σ (s₋·U)² D⁻¹)                                                                                          (5)
// says that the rate moves no mass but what gives way to it: coaxial turns with nothing between them. How heavy the rest of
// the tree is, and how long, does not matter.
//   U and D are not read off 𝓘₋, whose moments of inertia across parallel axes grow with the cube of the length of a chain and
// would drown those about them. An outboard link that has given way does not feel its own s, 𝓘 s = 0: what of s₋ is along s
// is taken out first,
//   U₋ = own + Σ 𝓘 s',   D₋ = own + Σ s'·𝓘 s',   s' = s₋ moved to p − α s,  α = s₋·s of what turns (slides)              (6)
// Featherstone 2008, chapter 7; Rodriguez, Jain & Kreutz-Delgado 1992 for (4)
#pragma once

#include <vector>

#include "driftless/coordinates/relative/tree/tree.hpp"
#include "driftless/core/status.hpp"

namespace driftless {

template <int D>
class ArticulatedBodies {
 public:
  using Vector = typename Sweep<D>::Vector;
  using Angular = typename Sweep<D>::Angular;

  // The tree must stay where it is.
  explicit ArticulatedBodies(const Tree<D>& tree);

  // (1), after Tree::place(). `singular` where some rate has no inertia.
  Status factor(const typename Tree<D>::Frame* frames, const TreeWork<D>& at);

  // A force at a link's point: the b of (2).
  struct Push {
    Angular moment = Sweep<D>::none();
    Vector force = Vector::Zero();
  };

  // g ← D⁻¹ W r: (2) for all links.
  void inboard(const double* r, double* g);
  // x ← Wᵀ g: (3) for all links; x may be g.
  void outboard(const double* g, double* x);
  // One link of (2), for right sides that touch few: its e and g, and what goes to the link inboard of it.
  void pass_inboard(int link, const double* r, const Push& b, double* e, double* g, Push& inboard) const;

 private:
  struct Factor {
    Angular l = Sweep<D>::none();  // U = (l, p)
    Vector p = Vector::Zero();
    Vector u = Vector::Zero();  // axis
    Vector d = Vector::Zero();  // p − p₋
    double inverse = 0;         // D⁻¹
  };
  struct BallFactor {
    Mat3 L, P;     // U: columns
    Mat3 B;        // s: columns
    Mat3 inverse;  // D⁻¹
  };

  // U and D of a link while its outboard links are gone through.
  struct Pivot {
    Angular l = Sweep<D>::none();
    Vector p = Vector::Zero();
    double size = 0;  // D
  };

  void hand_on(int i, const ArticulatedInertia<D>& A, const Vector& parent_axis);
  bool factor_ball(const TreeLink& link, const TreeWork<D>& at, const double* lost, ArticulatedInertia<D>& A);
  void note_loss(int i, const TreeWork<D>& at);
  void note_any_loss(int i, const TreeWork<D>& at);

  const Tree<D>& tree_;
  std::vector<Factor> factors_;                  // per link
  std::vector<BallFactor> balls_;                // per ball
  std::vector<ArticulatedInertia<D>> inertias_;  // per link   factor()
  std::vector<Pivot> pivots_;                    // per link   factor()
  std::vector<double> lost_;                     // per rate: the sum of (5)   factor()
  std::vector<ArticulatedInertia<D>>
      taken_;                  // per link without mass: what was taken away outboard   factor()
  std::vector<int> massless_;  // per link: its place among taken_, −1 with mass
  std::vector<Push> pushes_;   // per link   inboard()
  std::vector<typename Tree<D>::Twist> accelerations_;  // per link   outboard()
};

extern template class ArticulatedBodies<2>;
extern template class ArticulatedBodies<3>;

}  // namespace driftless
