// The equations of a diagonally implicit scheme in the unknowns zᵢ = h Σ aᵢⱼ kⱼ, which are as small as the step and lose no
// digits where F is stiff.                                                            Hairer & Wanner IV.8
//   zᵢ = Gᵢ + γh F(t + cᵢh, y + zᵢ),   Gᵢ = a₀h F(t, y) + Σ_{j<i} αᵢⱼ zⱼ,   α = (A − γI) A⁻¹                           (1)
//   y₁ = y + Σ dᵢ zᵢ,  d = A⁻ᵀb;   y₁ − ŷ = Σ eᵢ zᵢ,  e = A⁻ᵀ(b − b̂);   h k = A⁻¹z                                     (2)
// Starting values (stiff pairs of five stages):  z₁ from the last step's dense output, z₂ = (c₂/c₁) z₁,
//   z₃ from (z₁, z₂), z₄ from (z₁, z₃) with weights ν:  Σ νⱼcⱼ = cᵢ, Σ νⱼ(Ac)ⱼ = (Ac)ᵢ;   z₅ = ŷ − y                    (3)
//   others  z₁ = c₁h F(t, y), z₂ = (c₂/c₁) z₁;   all zero behind a failure
#pragma once

#include "driftless/integrator/implicit/dirk_tableau.hpp"
#include "driftless/integrator/implicit/newton.hpp"
#include "driftless/integrator/implicit/ode_stages.hpp"

namespace driftless {

class DirkStages {
 public:
  DirkStages(const DirkTableau& tableau, OdeStages& stages, StageNewton& newton, int size);

  struct Step {
    double t, h;
    double left_of_limit;
    bool fully;  // a Jacobian at every iterate
  };
  // All stages from (y, F) on, and y1. z.col(0) is where the first one starts.
  Status solve(const Step& step, const Vec& y, const Vec& F, Vec& y1);
  void forget() { eta_.fill(1); }
  void keep(Memory& memory) { memory(eta_); }

  const DirkTableau& tableau;
  Mat z;      // size × stages
  Vec error;  // y₁ − ŷ, filtered by (I − γhA)⁻¹                                           embedded
  double theta = 0;  // slowest iteration
  int iterations = 0;
  // Weights of z in y(θ) − y, dense output of the scheme.
  std::array<double, 5> dense_weights(double theta) const;

 private:
  void guess(int stage);

  OdeStages& stages_;
  StageNewton& newton_;
  using Table = std::array<std::array<double, 5>, 5>;
  Table inverse_{}, alpha_{};                  // A⁻¹, α
  std::array<double, 5> d_{}, e_{}, eta_{};    // (2)
  std::array<std::array<double, 2>, 2> nu_{};  // (3), of z₃ and z₄
  Vec G_;
};

}  // namespace driftless
