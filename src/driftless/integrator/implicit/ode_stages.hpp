// The stages of ODE forms:   U̇ − F(t, U) = 0;   a correction is  d = c (I − cA)⁻¹ R,   A ≈ ∂F/∂y                            (1)
// A from the form where it knows it (index-1 and independent forms: tangents of the system); I − cA is factored as its shape
// allows (form_matrix.hpp). Elsewhere A by differences of F, column by column, one-sided until Newton's method fails with a
// fresh one, central from then on. No two columns share an evaluation: F comes out of a solve that couples every entry of y
// with every other.
// Entries of y with scale 0 are not tested. Those that are constant besides (Fᵢ = 0: the choice of independent coordinates,
// written as a number) are no variables: they are not touched. Those without influence are found once and then skipped.
// Corrections that stop falling are taken as good if they are what round-off in F makes of them: F at U moved by one unit in
// the last place then differs by as much, within a factor of a hundred.                                                    (2)
#pragma once

#include <vector>

#include "driftless/core/statistics.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/implicit/form_matrix.hpp"
#include "driftless/integrator/implicit/stage_system.hpp"

namespace driftless {

class OdeStages final : public StageSystem {
 public:
  OdeStages(OdeForm& form, Statistics& statistics);

  Status begin(double t, Vec& y, Vec& slope) override { return evaluate(t, y, slope); }
  void prepare(double h) override { form_.begin_step(h); }
  void guess(double, VecRef z) const override { z.setZero(); }
  Status end(double, const Vec& U, const Vec&, Vec& y, Vec&) override {
    y = U;
    return Status::ok;
  }
  Status close(double t, const Vec& y, Vec& slope) override { return evaluate(t, y, slope); }
  void open(const StepControl& control, double t, const Vec& y, const Vec& slope) override {
    StageSystem::open(control, t, y, slope);
    slope_ = &slope;
  }

  Status residual(double t, const Vec& U, const Vec& Udot, VecRef r) override;
  Status start_defect(const Vec& E, Vec& r) override;
  Status defect(const Vec& U, const Vec& E, Vec& r) override;

  Status renew_at_start() override { return renew(t0_, start_, *slope_); }
  Status renew_at_last() override { return renew(t_, *at_, F_); }
  bool use_central() override;
  void forget() override;

  void factor(double c) override { factor(c, real_); }
  void factor(Complex c) override { factor(c, pair_); }
  Status solve(const Vec& r, Vec& d) override { return solve(r, real_, d); }
  Status solve(const ComplexVec& r, ComplexVec& d) override { return solve(r, pair_, d); }
  bool is_round_off(double size) override;  // (2)

  void keep(Memory& memory) override;  // A, and what is known of it: factors follow from that

  // ---- of ODE forms only
  Status evaluate(double t, ConstVec y, VecRef out) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, out);
  }
  Status renew(double t, ConstVec y, ConstVec F);  // F at (t, y)
  const FormJacobian& jacobian() const { return known_; }
  const Mat& dense_jacobian() { return dense_.of(known_, form_.size()); }  // the same as one matrix
  void set_jacobian(const Mat& A);                                         // from elsewhere
  long version() const { return version_; }
  Status filter(Vec& r) {  // r ← (I − c A)⁻¹ r
    work_ = r;
    return divide(work_, real_, r);
  }

 private:
  template <class Scalar>
  struct Factors {
    FormMatrix<Scalar> matrix;
    Scalar c{};
    long version = -1;
    Status status = Status::singular;
  };
  template <class Scalar>
  void factor(Scalar c, Factors<Scalar>& factors);
  template <class Scalar, class Vector>
  Status divide(const Vector& r, Factors<Scalar>& factors, Vector& d) {
    return factors.status == Status::ok ? factors.matrix.solve(r, d) : factors.status;
  }
  template <class Scalar, class Vector>
  Status solve(const Vector& r, Factors<Scalar>& factors, Vector& d) {  // (1)
    const Status status = divide(r, factors, d);
    d *= factors.c;
    return status;
  }
  Status difference(double t, ConstVec y, ConstVec F);

  FormJacobian known_;
  DenseJacobian dense_;
  Factors<double> real_;
  Factors<Complex> pair_;
  std::vector<char> is_inert_;  // columns known to be zero
  bool is_central_ = false;
  long version_ = 0;
  const Vec* slope_ = nullptr;  // F at the start of the step
  double t_ = 0;                // where F_ is
  const Vec* at_ = nullptr;
  Vec F_, shifted_, ahead_, behind_, work_;
};

}  // namespace driftless
