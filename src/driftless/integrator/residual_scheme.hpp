// Frame of the schemes on residual forms: fixed steps or error control, Newton's method with a tangent that is kept as
// long as it serves, dense output, real-time mode. A scheme adds its predictor, its coefficients, how an increment moves
// the point, and its estimate of the local error.
//   Newton: W d = −r, the unknowns move by d; done when |d| ≤ tol · h |v|, in scales of the coordinates,
//     tol = newton_tol; with error control tol = atol unless newton_tol is given                                        (1)
//   The tangent is kept over steps while the increments fall by a factor 10 at least, and renewed when they do not     (2)
//   Dense output: cubic Hermite, q from (q, q̇), v from (v, a), W from (W, Ẇ)                                        (3)
//   Error control, on local increments of positions only (multipliers lose orders where the step changes):
//     err = rms(e / (atol·scale + rtol·size)), size = |q| where q̇ = v, else the scale; accepted if err ≤ 1            (4)
//     h ← h · clip(0.9 err^(−1/(p+1)), 0.2, 2); kept if that is between 1 and 1.2, so that factors serve again          (5)
//   A Newton iteration that fails halves the step; values that are not finite quarter it                              (6)
//   Real time (realtime = K > 0): K full Newton iterations a step and no test; what residual they leave is watched    (7)
#pragma once

#include <Eigen/LU>

#include "driftless/formulation/residual_form.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

// The option all of them have, with its default, and that of the real-time mode.
OptionSpec newton_tolerance(const std::string& default_value);
OptionSpec realtime_iterations();

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
  int worst_component() const override { return worst_; }
  std::string remark() const override;

 protected:
  ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options);

  // A new start at point_, complete with accelerations and multipliers: sizes are those of the form now.
  virtual void begin() = 0;
  // One step of size h from point_ at t0_ to t1; leaves point_ there and the work in work_. It may be tried again with
  // another h: what the scheme remembers changes in accept() only.
  virtual Status step(double h, double t1) = 0;
  virtual void accept(double /*h*/) {}
  // Local error of the positions, nv increments, of the step just made; its order is p of (5) plus one.
  virtual void estimate(double /*h*/, Vec& error) { error.setZero(); }
  virtual int order() const { return 2; }
  // What the scheme remembers besides point_, for checkpoints.
  virtual int memory_size() const { return 0; }
  virtual void save_memory(VecRef /*to*/) const {}
  virtual void load_memory(ConstVec /*from*/) {}

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
  double left_of_limit_ = 0;  // the last instant before a possible discontinuity
  Vec y0_, y1_;               // ends of the last step

 private:
  bool adaptive() const { return control_.step == 0; }
  Status try_step(double h, double t1, double t_limit);
  Status fixed_step(double t_limit);
  Status adaptive_step(double t_limit);
  Status choose_initial_step(double horizon);
  double error_norm(double h);
  void go_back();  // to where the step began
  Status renew_tangent(double h);
  double goal_of(double h, double& floor) const;
  Status iterate_in_real_time(double h, double t1);
  void store_end();  // y1_ and its slope, from point_ and work_
  void save();       // for checkpoint()

  DaePoint before_;  // where the step began
  double work_before_ = 0, power_before_ = 0;
  Vec k0_, k1_;  // slopes there
  Mat W_;        // of (1)
  Eigen::PartialPivLU<Mat> lu_;
  Vec r_, d_;
  double factored_for_ = 0;  // the h of the factors; 0: none
  bool tangent_serves_ = false;
  double rate_ = 0.5;  // at which increments fell last
  double origin_ = 0;  // of the grid
  long n_ = 0;
  double h_ = 0;  // to try next
  bool after_rejection_ = false;
  Status obstacle_ = Status::step_too_small;  // what keeps the step from being as long as it should
  int worst_ = -1;
  Vec error_;                    // nv
  Vec magnitude0_, magnitude1_;  // of y0_ and y1_
  Checkpoint saved_;             // all but y

  // Real time.
  int iterations_ = 0;  // K of (7), 0: off
  double worst_cost_ = 0, total_cost_ = 0, worst_residual_ = 0;
  double cost_at_ = 0, residual_at_ = 0;  // when
  long timed_ = 0, late_ = 0;
};

}  // namespace driftless
