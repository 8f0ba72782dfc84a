// The stages of residual forms (residual_form.hpp) as equations of first order, U = (q, v, W, λ, μ):
//   q̇ − v + W⁻¹J_hᵀμ = 0,   M v̇ + Jᵀλ − f = 0,   Ẇ = power,   the rows of the form                                       (1)
// Corrections by first_order_system.hpp, with the system's tangents. Needs q̇ = v.
// Tested are q and v; on index 3, where v is of index 2, q and h·v by the measure of q. Errors by the larger |y| of both ends.
// Multipliers take no part: they lose orders where the step changes.                                                     (2)
// The form is left at the end of the step; accelerations and multipliers are those of the last stage, whose instant it is.
#pragma once

#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/integrator/first_order_system.hpp"
#include "driftless/integrator/implicit/stage_system.hpp"
#include "driftless/math/linear/newton_lu.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

class DaeStages final : public StageSystem {
 public:
  DaeStages(OdeForm& form, Statistics& statistics);

  Status begin(double t, Vec& y, Vec& slope) override;
  void open(const StepControl& control, double t, const Vec& y, const Vec& slope) override;
  void prepare(double h) override;
  void guess(double c, VecRef z) const override;
  Status end(double t, const Vec& U, const Vec& Udot, Vec& y, Vec& slope) override;
  Status close(double t, const Vec& y, Vec& slope) override;
  Status explicit_step(double h, double t1, Vec& y, Vec& slope) override;
  void accept(double t) override;
  void undo() override { point_ = before_; }
  bool tell(double t, Carried& out) const override;
  bool settles_itself() const override { return true; }
  bool velocities_follow() const override { return form_.position_rows() > 0 && form_.slips() == 0; }
  int work() const override { return has_work_ ? 2 * nv_ : -1; }

  Status residual(double t, const Vec& U, const Vec& Udot, VecRef r) override;
  Status start_defect(const Vec& E, Vec& r) override { return defect(start_, E, r); }
  Status defect(const Vec& U, const Vec& E, Vec& r) override;

  Status renew_at_start() override { return renew(before_); }
  Status renew_at_last() override { return renew(stage_); }
  void factor(double c) override { factor(c, real_); }
  void factor(Complex c) override { factor(c, pair_); }
  Status solve(const Vec& r, Vec& d) override { return solve(r, real_, d); }
  Status solve(const ComplexVec& r, ComplexVec& d) override { return solve(r, pair_, d); }

  double size_of_error(ConstVec e, const Vec& y1) override;
  void keep(Memory& memory) override;

 private:
  template <class Scalar>
  struct Factors {
    FirstOrderSystem<Scalar> system;
    SparseAssembly<Scalar> W;
    NewtonLu<Scalar> lu;
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> right, x;
    Scalar c{};
    long version = -1;
    Status status = Status::singular;
  };
  template <class Scalar>
  void size_factors(Factors<Scalar>& factors);
  template <class Scalar>
  void factor(Scalar c, Factors<Scalar>& factors);
  template <class Scalar, class Vector>
  Status solve(const Vector& r, Factors<Scalar>& factors, Vector& d);
  Status renew(const DaePoint& at);
  void stage_at(double t, const Vec& U, const Vec& Udot);
  void scale_ways();

  ResidualForm& form_;
  const int nv_;
  bool has_work_ = false;
  DaePoint point_, before_, stage_;  // where the last step ended, where this one began, last stage
  DaeTangent tangent_;
  long version_ = 0;
  double h_ = 0;  // of the step to try
  Vec magnitude1_, rate_;
  Vec dynamics_, slip_, rows_;
  Factors<double> real_;
  Factors<Complex> pair_;
  std::unique_ptr<Stabilization> projection_;  // of explicit steps
  Mat slopes_;
};

}  // namespace driftless
