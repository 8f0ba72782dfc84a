// A two-node beam element in its own axes: e1 along it from node 1, e2 and e3 principal. Coordinates
//   plane  e = (u1 v1 θ1 u2 v2 θ2)                 u = N(u1,u2),  v = H(v1,θ1,v2,θ2)
//   space  e = (u1 v1 w1 φ1 θy1 θz1 u2 …)          v = H(v1,θz1,v2,θz2), w = H(w1,−θy1,w2,−θy2), φ = N(φ1,φ2)        (1)
// Displacement of the point (x,y,z) of the section: u_x = u − y v' − z w',  u_y = v − z φ,  u_z = w + y φ             (2)
// `rotary` keeps −y v' − z w' in the inertia. The invariants are those of invariants.hpp about node 1.
#pragma once

#include <array>

#include "driftless/flexible/beam_tables.hpp"
#include "driftless/model/flexible_spec.hpp"

namespace driftless {

template <int D>
struct BeamElement {
  static constexpr int kNode = D == 2 ? 3 : 6;  // coordinates of a node
  static constexpr int kSpin = D == 2 ? 1 : 3;
  static constexpr int E = 2 * kNode;
  using Row = Eigen::Matrix<double, 1, E>;
  using Square = Eigen::Matrix<double, E, E>;
  using Axes = Eigen::Matrix<double, D, D>;
  using Shift = Eigen::Matrix<double, D, E>;
  using Turn = Eigen::Matrix<double, kSpin, E>;

  double l = 0;
  BeamProperties p;
  Axes T = Axes::Identity();  // own axes as columns, in those of the body
  std::array<int, 2> nodes{};

  // Own coordinates from those in body axes.
  Square turn() const;

  struct Inertia {
    double m = 0;
    Eigen::Matrix<double, D, 1> s0;
    Axes P0;
    Eigen::Matrix<double, D, E> S;            // S̄
    std::array<std::array<Row, D>, D> P1;     // [a][b]
    std::array<std::array<Square, D>, D> P2;  // [a][b]
  };
  Inertia inertia(bool rotary) const;
  Square stiffness(bool with_axial) const;

  // Translations (D rows) and rotations (kSpin rows) of the section at ξ, in own axes.
  Shift translation(double xi) const;
  Turn rotation(double xi) const;
  // Linear strains at ξ: axial u', curvatures κz = v'', κy = −w'', twist φ' (plane: the first two).
  struct Strains {
    Row axial = Row::Zero(), kz = Row::Zero(), ky = Row::Zero(), twist = Row::Zero();
  };
  Strains strains(double xi) const;

  // Second-order axial strain ε = b0·e + ½ eᵀKg e, Kg = (1/l)∫H'H'ᵀ on v and w.                                    (3)
  Square bending_slope() const;  // Kg
  Row stretch() const;           // b0
};

extern template struct BeamElement<2>;
extern template struct BeamElement<3>;

}  // namespace driftless
