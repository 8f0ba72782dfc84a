// A floating-frame body: a frame (R, A) that moves like a rigid one and small elastic coordinates η in it,
//   x = R + A u,  u = u0 + S η,      v = (Ṙ, ω, η̇), ω in body axes (a number in the plane).
// With the invariants of invariants.hpp and C[a,b] = P1[a,b] + ηᵀP2[a,b], G[a,b] = η̇ᵀP2[a,b], Y_ab = C[a,b] η̇:
//   s = s0 + S̄η     P_ab = P0_ab + P1[b,a]η + C[a,b]η     Θ = tr(P) 1 − P   (plane: tr P)                               (1)
//   M_RR = m 1   M_Rω = −A s~ (plane A's)   M_Rη = A S̄   M_ωω = Θ   (M_ωη)_i = ε_iab C[a,b]   M_ηη = Σ P2[a,a]          (2)
//   f_R = −A (ω×(ω×s) + 2ω×S̄η̇)     f_ω = −ω×Θω − 2(tr(Y) ω − Yᵀω)   (plane −2ω tr Y)
//   f_η = |ω|² ΣC[a,a] − Σ ω_aω_b C[a,b] − 2 Σ ω_i ε_iab G[a,b]                                                         (3)
// Elastic forces −Kη − Dη̇, and by `stiffening`
//   geometric   one axial strain an element, ε = b0·e + ½eᵀKg e (beam_element.hpp), V = ½EA l ε² in place of the EA part   (4)
//   loads       −Σ ω_aω_b Kgeo_ab η, Kgeo of the axial forces that unit centrifugal loads cause                            (5)
//                                                                     docs/theory/flexible.md; Shabana, ch. 5; Chin 1995, ch. 5
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/flexible/invariants.hpp"

namespace driftless {

template <int D>
class FloatingBody {
 public:
  static constexpr int kSpin = D == 2 ? 1 : 3;
  using V = Eigen::Matrix<double, D, 1>;
  using Axes = Eigen::Matrix<double, D, D>;
  using Spin = Eigen::Matrix<double, kSpin, 1>;

  explicit FloatingBody(const FlexibleSpec& spec);

  int size() const { return invariants_.size(); }
  const Invariants<D>& invariants() const { return invariants_; }
  const SparseRows& elastic_mass() const { return M_; }
  const SparseRows& stiffness() const { return K_full_; }    // with the axial part
  const SparseRows& linear_stiffness() const { return K_; }  // what is linear of the elastic forces
  const SparseRows& damping() const { return D_; }
  const std::vector<SparseRows>& load_stiffness() const { return load_stiffness_; }
  static std::pair<int, int> load_axes(int k) {  // of ω_aω_b that load_stiffness()[k] belongs to
    constexpr std::pair<int, int> axes[] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    return axes[k];
  }
  FlexibleSpec::Stiffening stiffening() const { return stiffening_; }
  const SparseRows& Z() const { return Z_; }
  const std::vector<std::string>& names() const { return names_; }  // "n3.u", "mode2"
  const std::vector<bool>& is_length() const { return is_length_; }
  double unit(int k) const;
  const Vec& start() const { return start_; }
  const Vec& start_rates() const { return start_rates_; }
  bool is_damped() const { return damped_; }
  const std::vector<BeamElement<D>>& elements() const { return elements_; }

  // One worker's.
  struct Work {
    std::array<std::array<Vec, D>, D> C, G;
    Vec nodal, nodal_force;  // all coordinates of the nodes
    V s, s_dot;
    Eigen::Matrix<double, kSpin, kSpin> theta;
    Mat spin_elastic;  // M_ωη, kSpin × n
    Vec product;
  };
  Work make_work() const;

  void place(ConstVec eta, Work& work) const;  // s, C, Θ, M_ωη
  // Velocity terms in body axes: f_R = A · r.
  void velocity_terms(
      ConstVec eta, ConstVec rates, const Spin& omega, Work& work, V& r, Spin& spin, VecRef f) const;
  // f ← f + elastic and damping forces
  void add_elastic_forces(ConstVec eta, ConstVec rates, const Spin& omega, Work& work, VecRef f) const;
  double elastic_energy(ConstVec eta, Work& work) const;
  double damping_power(ConstVec rates, Work& work) const;  // ≤ 0
  // Power of what has no potential: stiffening by loads depends on ω.
  double load_power(ConstVec eta, ConstVec rates, const Spin& omega, Work& work) const;

  // A section of the axis: u = u0 + U η, rotation Θ η, by the columns `columns` of η.
  struct Section {
    V u0;
    std::vector<int> columns;
    Mat U, turn;  // D × k, kSpin × k
  };
  Section section(int element, double xi) const;  // of an imported body: of the node `element`
  Section center() const;                         // the centre of mass, turning with the frame

  // Section forces and strains at ξ of an element, in its own axes.
  struct Strains {
    double axial = 0, kz = 0, ky = 0, twist = 0;
  };
  Strains strains(int element, double xi, ConstVec eta, Work& work) const;
  int nodes() const { return static_cast<int>(nodes_.size()); }
  const V& place_of(int node) const { return nodes_[size_t(node)]; }  // undeformed
  V node_displacement(int node, ConstVec eta) const;

 private:
  void choose_coordinates(const FlexibleSpec& spec);
  void take_modes(const FlexibleSpec& spec);  // of an imported body
  Section node_section(int node) const;
  void set_start(const FlexibleSpec& spec);
  void set_damping(const FlexibleSpec& spec);
  void set_load_stiffening(const FlexibleSpec& spec);
  Spin cross_rows(const Eigen::Matrix<double, D, D>& m) const;

  std::vector<BeamElement<D>> elements_;
  std::vector<V> nodes_;
  Invariants<D> free_, invariants_;  // of all nodal coordinates, of η
  SparseRows K_free_;                // of all nodal coordinates
  SparseRows Z_, Zt_, M_, K_, K_full_, D_;
  std::vector<std::string> names_;
  std::vector<bool> is_length_;
  Vec start_, start_rates_;
  FlexibleSpec::Stiffening stiffening_;
  bool damped_ = false;
  std::vector<SparseRows> load_stiffness_;  // plane: one, of ω²; space: xx yy zz xy xz yz
};

extern template class FloatingBody<2>;
extern template class FloatingBody<3>;

}  // namespace driftless
