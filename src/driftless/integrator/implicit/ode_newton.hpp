// Newton's method for the implicit schemes on ODE forms: stage equations, their Jacobian, and when to trust both.
//   z = G + c F(t, y + z):   (I − c A) d = G + c F(t, y + z) − z,   z ← z + d,   A ≈ ∂F/∂y frozen                     (1)
//   θₖ = |dₖ|/|dₖ₋₁|,  ηₖ = θₖ/(1 − θₖ);   converged when ηₖ|dₖ| ≤ κ;   before the first ratio η ← max(η, ε)^0.8        (2)
//   given up when θₖ ≥ 0.99 (h ← h/2), or when ηₖ|dₖ| θₖ^(N−1−k) > κ: N iterations will not do. Then
//   h ← 0.8 h q^(−1/(N−k)),  q = clip(ηₖ|dₖ| θₖ^(N−1−k)/κ, 1e-4, 16)                                                    (3)
//   |d| = rms(dᵢ/scᵢ) over the components tested, scᵢ = atol·scale + rtol·|y|; with fixed steps scᵢ = scale + |y|       (4)
//                                                                 Hairer & Wanner IV.8; Negrut, Haug & German, step 11
// Corrections that stop falling are taken as good if they are what round-off in F makes of them: F at y + z moved by one
// unit in the last place then differs by as much, within a factor of a hundred.                                       (5)
// A from the form where it knows it (index-1 and independent forms: tangents of the system); I − cA is factored as its shape
// allows (form_matrix.hpp). Elsewhere A by differences of F, column by column, one-sided until Newton's method fails with a
// fresh one, central from then on. No two columns share an evaluation: F comes out of a solve that couples every entry of y
// with every other.
// Entries of y with scale 0 are not tested. Those that are constant besides (Fᵢ = 0: the choice of independent coordinates,
// written as a number) are no variables: they are not touched. Those without influence are found once and then skipped.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/statistics.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/implicit/form_matrix.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

// (2), (3)
class NewtonMonitor {
 public:
  enum class Verdict { go_on, converged, failed };

  double kappa = 0.03;
  double floor = 0;         // what round-off leaves of |d|: no more can be asked for
  int most = 7;             // N
  bool is_plain = false;    // |d| itself is held against κ, not what it says of the rest
  bool recalls = true;      // η before the first ratio; else 1: fixed steps, whose errors nothing watches
  double theta = 0;         // last ratio; 0 after a single iteration
  double eta = 1;           // last one
  double shrink = 0.5;      // of h, after a failure
  int exactly = 0;          // > 0: so many iterations, whatever they gain (real_time.hpp)
  double largest_left = 0;  // |d| of the last ones then, at worst
  int count = 0;

  void begin(double eta_before);
  Verdict judge(double size);
  std::string remark() const;  // of real time; empty otherwise

 private:
  double before_ = 0;
};

class OdeNewton {
 public:
  OdeNewton(OdeForm& form, Statistics& statistics);

  Status evaluate(double t, ConstVec y, VecRef out) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, out);
  }

  // ---- sizes (4)
  void weigh(const StepControl& control, ConstVec y);
  double norm(ConstVec d) const;
  int worst(ConstVec d) const;                    // the component with the largest share in norm(d)
  const Vec& weights() const { return weight_; }  // 1/sc, 0 where not tested

  // ---- Jacobian
  Status renew(double t, ConstVec y, ConstVec F);  // F at (t, y)
  void forget();                                   // y means something else now
  void leave() { is_current_ = false; }            // the point of the Jacobian is behind
  bool knows_jacobian() const { return is_known_; }
  bool is_current() const { return is_current_; }
  bool is_central() const { return is_central_; }
  void use_central() { is_central_ = true; }
  const FormJacobian& jacobian() const { return known_; }
  const Mat& dense_jacobian() { return dense_.of(known_, form_.size()); }  // the same as one matrix
  void set_jacobian(const Mat& A);                                         // from elsewhere
  long version() const { return version_; }
  void keep(Memory& memory);  // the Jacobian, and what is known of it: factors follow from it

  // ---- stages
  // I − c A, if c or A is another than before. Where that fails, so does every solve.
  void factor(double c);
  Status filter(Vec& r) {  // r ← (I − c A)⁻¹ r
    G_ = r;
    return divide(G_, r);
  }
  // (1) from z on; eta is remembered from solve to solve by the caller.
  Status solve(double t, ConstVec y, ConstVec G, VecRef z, double& eta);
  // The same with A at every iterate: for steps that cannot be made shorter. Dear.
  Status solve_fully(double t, ConstVec y, ConstVec G, double c, VecRef z);

  // (5): F at (t, at) under the smallest change of `at`, less F there.
  static constexpr double kTremors = 100;
  Status tremor(double t, ConstVec at, ConstVec F, VecRef out);

  static constexpr double kFixedTolerance = 1e-14;  // κ with fixed steps, in the sizes of (4)
  double fixed_tolerance = kFixedTolerance;
  NewtonMonitor monitor;

 private:
  bool is_round_off(double t, double size);
  Status difference(double t, ConstVec y, ConstVec F);
  Status divide(const Vec& r, Vec& out);  // out ← (I − c A)⁻¹ r

  OdeForm& form_;
  Statistics& statistics_;
  Vec weight_;
  int tested_ = 0;
  FormJacobian known_;
  DenseJacobian dense_;
  FormMatrix<double> matrix_;  // I − cA
  Status factored_ = Status::singular;
  std::vector<char> is_inert_;  // columns known to be zero
  bool is_known_ = false, is_current_ = false, is_central_ = false;
  long version_ = 0, factored_version_ = -1;
  double c_ = 0;  // of the factors
  Vec at_, shifted_, F_, G_, ahead_, behind_;
};

}  // namespace driftless
