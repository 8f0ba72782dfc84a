// Natural coordinates: points and unit vectors of the bodies, shared by bodies wherever a joint lets them. Each is a node,
// D coordinates in world axes, or stands still with the ground. A body has a point P and independent vectors w:
//   planar    p = P + z w                 one vector; z complex, z = α + iβ meaning αI + βK, K the quarter turn     (1)
//   spatial   p = P + α₁ w₁ + α₂ w₂ + α₃ w₃                                                                          (2)
// with w = (Q − P)/ℓ, Q a second point, or w = u, a unit vector. Every point and direction of the body is then
//   x = c + Σ C_k n_k,   ẋ = Σ C_k ṅ_k,   ẍ = Σ C_k n̈_k         C_k constant numbers, no bias                         (3)
// and the body is rigid if the vectors keep their products:
//   w_i·w_j = const,  i ≤ j                one row (planar) or six (spatial)                                        (4)
// but those between vectors at rest, and those that a body sharing both vectors has already.
//   García de Jalón & Bayo 1994, sections 2.1.3, 2.2.3; (4): (2.22)–(2.35); (1)–(3): section 4.2
#pragma once

#include <array>
#include <complex>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "driftless/constraints/marker.hpp"

namespace driftless {

// C_k of (3).
template <int D>
using Factor = std::conditional_t<D == 2, std::complex<double>, double>;

inline Vec3 product(double c, const Vec3& x) { return c * x; }
inline Vec2 product(const std::complex<double>& c, const Vec2& x) {
  return {c.real() * x[0] - c.imag() * x[1], c.imag() * x[0] + c.real() * x[1]};
}
inline double transposed(double c) { return c; }
inline std::complex<double> transposed(const std::complex<double>& c) { return std::conj(c); }

// (3).
template <int D>
struct Combination {
  struct Term {
    int node;
    Factor<D> factor;
  };
  VecOf<double, D> constant = VecOf<double, D>::Zero();
  std::vector<Term> terms;  // by increasing node

  bool at_rest() const { return terms.empty(); }
  void add(const Combination& other, Factor<D> times);
};

// A node is a point or a unit vector; it is read off a body.
template <int D>
struct NaturalNode {
  std::string name;  // "crank.A"
  Marker<D> marker;
};

template <int D>
struct BodyBasis {
  static constexpr int count = D == 2 ? 1 : 3;     // vectors
  VecOf<double, D> at = VecOf<double, D>::Zero();  // P, from the centre of mass in body axes
  Combination<D> point;
  struct Vector {
    VecOf<double, D> unit = VecOf<double, D>::Zero();  // body axes
    double length = 1;                                 // ℓ; of a unit vector the characteristic length
    Combination<D> w;
    std::string label;
  };
  std::vector<Vector> vectors;
};

// A row of (4): of vectors i ≤ j of a body.
struct RigidRow {
  int body, i, j;
};

// What the choice of nodes depends on: the model and its initial position, not a state.
template <int D>
struct NaturalBodies {
  using Axes = Eigen::Matrix<double, D, D>;
  struct Named {
    std::string name;
    Marker<D> marker;
  };
  std::vector<std::string> names;
  std::vector<Axes> attitudes;  // in the initial position; ground last
  std::vector<Named> named;     // points and axes of bodies
  double length = 1;            // characteristic length of the model

  int ground() const { return static_cast<int>(names.size()); }
};

// What blocks of the joints say about sharing; `block` is the place of the block in the order of its row set.
template <int D>
struct Ties {
  struct Pair {  // two markers are one, up to a sign if they are directions
    int block;
    std::string joint;
    Marker<D> a, b;
  };
  struct Attitude {  // two bodies turn together: R_b = R_a Q
    int block;
    int a, b;
    Eigen::Matrix<double, D, D> Q;
  };
  std::vector<Pair> pairs;
  std::vector<Attitude> attitudes;
};

template <int D>
class NaturalBasis {
 public:
  NaturalBasis(const NaturalBodies<D>& bodies, const Ties<D>& ties);

  const std::vector<NaturalNode<D>>& nodes() const { return nodes_; }
  const BodyBasis<D>& body(int index) const { return bases_[size_t(index)]; }
  const std::vector<RigidRow>& rigid_rows() const { return rigid_rows_; }
  // Blocks whose rows say nothing any more: both sides are the same expression, or tied by other blocks.
  const std::vector<int>& idle_blocks() const { return idle_; }

  Combination<D> express(const Marker<D>& marker) const;
  // Whether two expressions of markers of one kind are the same, to round-off.
  bool same(const Combination<D>& a, const Combination<D>& b, MarkerKind kind) const;

 private:
  template <int>
  friend class BasisChoice;

  double scale(MarkerKind kind) const { return kind == MarkerKind::point ? length_ : 1.0; }
  void round(Combination<D>& e, MarkerKind kind) const;

  int ground_ = 0;
  double length_ = 1;
  std::vector<NaturalNode<D>> nodes_;
  std::vector<BodyBasis<D>> bases_;
  std::vector<RigidRow> rigid_rows_;
  std::vector<int> idle_;
};

extern template class NaturalBasis<2>;
extern template class NaturalBasis<3>;

}  // namespace driftless
