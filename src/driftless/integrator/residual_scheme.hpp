// Frame of the fixed-step schemes on residual forms: the grid of steps, Newton's method with a tangent that is kept as
// long as it serves, and dense output. A scheme adds its predictor, its coefficients and how an increment moves the point.
//   Newton: W d = −r, the unknowns move by d; done when |d| ≤ newton_tol · h |v|, in scales of the coordinates          (1)
//   The tangent is kept over steps while the increments fall by a factor 10 at least; renewed once within a step      (2)
//   Dense output: cubic Hermite, q from (q, q̇), v from (v, a), W from (W, Ẇ)                                        (3)
#pragma once

#include <Eigen/LU>

#include "driftless/formulation/residual_form.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

// The option all of them have, with its default.
OptionSpec newton_tolerance(const std::string& default_value);

class ResidualScheme : public Integrator {
 public:
  Status start(double t, ConstVec y, double horizon) override;
  Status restart(double t, ConstVec y) override;
  Status resume(const Checkpoint& from) override;
  Status advance(double t_limit) override;

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return y1_; }
  void interpolate(double t, VecRef y) const override;
  Checkpoint checkpoint() const override;
  int worst_component() const override { return -1; }

 protected:
  ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options);

  // A new start at point_, complete with accelerations and multipliers: sizes are those of the form now.
  virtual void begin() = 0;
  // One step of size h from point_ at t0_ to t1; leaves point_ there and the work in work_.
  virtual Status step(double h, double t1) = 0;
  // Newton's method on the unknowns of a step.
  virtual void predict(double h, double t1) = 0;       // point_ ← where the iteration starts
  virtual void fill_matrix(double h, Mat& W) = 0;      // from tangent_
  virtual void fill_residual(double h, Vec& r) = 0;    // at point_
  virtual double correct(double h, const Vec& d) = 0;  // moves point_; returns |d|
  Status newton(double h, double t1);
  void size_newton(int unknowns);

  ResidualForm& form_;
  Statistics& statistics_;
  StepControl control_;
  double tolerance_;
  int nq_, nv_;
  DaePoint point_;
  DaeTangent tangent_;
  double work_ = 0, power_ = 0;  // W and Ẇ at point_
  double t0_ = 0, t1_ = 0;
  Vec y0_, y1_;  // ends of the last step

 private:
  Status renew_tangent(double h);
  double goal_of(double h) const;
  void store_end();  // y1_ and its slope, from point_ and work_

  DaePoint before_;  // where the step began
  Vec k0_, k1_;      // slopes there
  Mat W_;            // of (1)
  Eigen::PartialPivLU<Mat> lu_;
  Vec r_, d_;
  double factored_for_ = 0;  // the h of the factors; 0: none
  bool tangent_serves_ = false;
  double origin_ = 0;  // of the grid
  long n_ = 0;
};

}  // namespace driftless
