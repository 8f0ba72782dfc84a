// Articulated bodies: M z̈ = r of a spatial tree in time linear in the number of links, M never formed. With the inertia
// 𝓘 of a link and all that is outboard of it and gives way in its joints, about its point p, and the column s of its rate
// (turn: (u, 0), slide: (0, u), screw: (u, h u), ball: three turns):
//   U = 𝓘 s,   D = s·U,   𝓘₋ = own + Σ over outboard links (𝓘 − U D⁻¹ Uᵀ) moved to p₋                                  (1)
//   inboard    e = r − s·b,   g = D⁻¹ e,   b₋ = Σ (b + U g) moved to p₋                                                (2)
//   outboard   a' = a₋ moved to p,   z̈ = g − D⁻¹ U·a',   a = a' + s z̈                                                  (3)
// (2) and (3) are the two halves of M⁻¹ = Wᵀ D⁻¹ W with e = W r: for any r, y
//   yᵀ M⁻¹ r = e(y)·g(r),                                                                                             (4)
// which makes K = J M⁻¹ Jᵀ of constraint rows by sweeps inboard alone.
// Featherstone 2008, chapter 7; Rodriguez, Jain & Kreutz-Delgado 1992 for (4)
#pragma once

#include <vector>

#include "driftless/coordinates/spatial_tree.hpp"
#include "driftless/core/status.hpp"

namespace driftless {

class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(const SpatialTree& tree);

  // (1), after SpatialTree::place(). `singular` where some rate has no inertia.
  Status factor(const SpatialFrame<double>* frames, const TreeWork& at);

  // A force at a link's point: the b of (2).
  struct Push {
    Vec3 moment = Vec3::Zero(), force = Vec3::Zero();
  };

  // g ← D⁻¹ W r: (2) for all links.
  void inboard(const double* r, double* g);
  // x ← Wᵀ g: (3) for all links; x may be g.
  void outboard(const double* g, double* x);
  // One link of (2), for right sides that touch few: its e and g, and what goes to the link inboard of it.
  void pass_inboard(int link, const double* r, const Push& b, double* e, double* g, Push& inboard) const;

 private:
  struct Factor {
    Vec3 l = Vec3::Zero(), p = Vec3::Zero();  // U = (l, p)
    Vec3 u = Vec3::Zero();
    Vec3 d = Vec3::Zero();  // p − p₋
    double inverse = 0;     // D⁻¹
  };
  struct BallFactor {
    Mat3 L, P;     // U: columns
    Mat3 B;        // s: columns
    Mat3 inverse;  // D⁻¹
  };

  const SpatialTree& tree_;
  std::vector<Factor> factors_;               // per link
  std::vector<BallFactor> balls_;             // per ball
  std::vector<ArticulatedInertia> inertias_;  // per link   factor()
  std::vector<Push> pushes_;                  // per link   inboard()
  std::vector<Twist> accelerations_;          // per link   outboard()
};

}  // namespace driftless
