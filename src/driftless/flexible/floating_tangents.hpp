// Derivatives of a floating-frame body's equations in body axes, exact. With a = Aᵀ R̈, α = ω̇, W = ω~, Γ = α~ + W W (plane: numbers times
// the quarter turn), s̈ = S̄η̈, X_ab = C[a,b] η̈ and P, C, G, Y of floating_body.hpp, every point has p̈ = a + Γ u + 2W u̇ + ü, and
//   ρ_R = m a + Γ s + 2W ṡ + s̈        ρ_ω,i = ε_iab N_ab,  N = s aᵀ + P Γᵀ + 2 Y Wᵀ + X                                      (1)
//   ρ_η = S̄ᵀa + Σ Γ_ab C[b,a] + 2 Σ W_ab G[b,a] + M_ηη η̈ + elastic forces                                                    (2)
// are the residual M v̇ − f. They are polynomials of degree two in η:
//   ∂ρ_R/∂η = Γ S̄     ∂N_ab/∂η = S̄_a a_b + Σ_c (C[a,c] + C[c,a]) Γ_bc + 2 Σ_c P2[a,c]η̇ W_bc + P2[a,b]η̈
//   ∂ρ_η/∂η = Σ Γ_ab P2[a,b] + K_t                                                                                           (3)
//   ∂ρ_R/∂η̇ = 2W S̄    ∂N_ab/∂η̇ = 2 Σ_c C[a,c] W_bc             ∂ρ_η/∂η̇ = 2 Σ W_ab P2[a,b] + D                              (4)
// K_t = K, with geometric stiffening + EA l (b bᵀ + ε Kg) an element, b = b0 + Kg e; with loads + Σ ω_aω_b Kgeo_ab.            (5)
//                                                                                                  docs/theory/flexible.md
#pragma once

#include <vector>

#include "driftless/flexible/floating_body.hpp"

namespace driftless {

template <int D>
class FloatingTangents {
 public:
  static constexpr int kSpin = D == 2 ? 1 : 3;
  using V = Eigen::Matrix<double, D, 1>;
  using Axes = Eigen::Matrix<double, D, D>;
  using Spin = Eigen::Matrix<double, kSpin, 1>;

  explicit FloatingTangents(const FloatingBody<D>& body);

  struct At {
    V a = V::Zero();
    Spin alpha = Spin::Zero(), omega = Spin::Zero();
    Vec eta, rates, accelerations;
  };
  // `work` as FloatingBody::place() leaves it; of `at`, the vectors of size n must be there.
  void fill(const At& at, typename FloatingBody<D>::Work& work);

  // ---- results of fill()
  V rho_R = V::Zero();
  Spin rho_w = Spin::Zero();
  // By a, α, ω: rows ρ_R and ρ_ω, then ρ_η.
  Eigen::Matrix<double, D + kSpin, D + 2 * kSpin> frame;
  Mat eta_by_frame;          // n × (D + 2 kSpin)
  Mat by_eta, by_rates;      // rows ρ_R and ρ_ω: (D + kSpin) × n
  SparseRows K_eta, C_rate;  // ∂ρ_η/∂η, ∂ρ_η/∂η̇, of one pattern

 private:
  struct Geometric {  // of an element: its coordinates by those of the body
    std::vector<int> columns;
    Mat Z, half;  // E × columns; half: tangent times Z
    std::vector<int> entries;
  };
  static Axes spin_matrix(const Spin& spin);
  static Spin twist_of(const Axes& N);
  std::vector<int> places_of(const SparseRows& part) const;
  void add(double factor, const SparseRows& part, const std::vector<int>& places, SparseRows& out) const;
  void add_stiffening(const At& at, typename FloatingBody<D>::Work& work);

  const FloatingBody<D>& body_;
  std::array<std::array<std::vector<int>, D>, D> P2_places_;
  std::vector<int> K_places_, D_places_;
  std::vector<std::vector<int>> load_places_;
  std::vector<Geometric> geometric_;
  std::array<std::array<Vec, D>, D> H_, X_;  // P2[a,b] η̇, P2[a,b] η̈
  Vec product_;
};

extern template class FloatingTangents<2>;
extern template class FloatingTangents<3>;

}  // namespace driftless
