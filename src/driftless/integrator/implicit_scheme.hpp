// Frame of the implicit schemes on ODE forms: the way of a step, its size, and what is kept from step to step. A scheme adds
// its equations, its estimate of the error and its dense output.
//   accepted if err ≤ 1;   h ← h / clip( max(err^(1/k)/fac, (h_old/h)(err²/err_old)^(1/k)/0.9), 1/grow, 1/cut ),
//   fac = min( 0.9, 0.9 (1 + 2N)/(n + 2N) ),   n of at most N Newton iterations used                                     (1)
// (the second term only where a scheme asks for prediction, and behind two accepted steps). No growth behind a rejected
// step; h ← h/10 where the very first one is rejected.                  Hairer & Wanner IV.8; Gustafsson 1994
//   A is renewed behind a step whose iterations shrank by less than 1/θ_J, and where one failed with an old A. h is kept,
//   and the factors with it, while A is good and h would grow by less than a fifth                                      (2)
// A fixed step that fails is tried again with a new Jacobian, from z = 0; with central differences; with a Jacobian at every
// iterate (3); then the run ends.
// Every step closes with F at its (settled) end: what monitors read, and the slope the next one begins with.
#pragma once

#include <span>

#include "driftless/integrator/correction.hpp"
#include "driftless/integrator/ode_newton.hpp"

namespace driftless {

class ImplicitScheme : public Integrator {
 public:
  Status start(double t, ConstVec y, double horizon) override;
  Status restart(double t, ConstVec y) override;
  // Jacobian and predictors are not saved: the iterates of a resumed run agree with those of the run it goes on from to the
  // tolerance of Newton's method, not to the last digit.
  Status resume(const Checkpoint& checkpoint) override;
  Status advance(double t_limit) override;

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  void interpolate(double t, VecRef y) const override;  // here: cubic Hermite
  Checkpoint checkpoint() const override;
  int worst_component() const override { return worst_; }
  std::string warning() const override { return correction_.warning(); }

 protected:
  struct Control {
    int order;         // of the scheme, for the first step
    double k;          // exponent 1/k of (1)
    double grow, cut;  // largest factor of h, and smallest
    int iterations;    // N
    bool predicts;     // (1)
    double theta_J;    // (2)
  };
  ImplicitScheme(OdeForm& form, Statistics& statistics, const StepControl& control, const Control& way);

  // y1_ and, unless steps are fixed, err_ of a step of size h from (t0_, y0_), k0_. Not settled.
  virtual Status attempt(double h, double t1) = 0;
  // The step just attempted is accepted; y1_, k1_ are its settled end.
  virtual void accept(double h) = 0;
  // Nothing of the past holds any more.
  virtual void forget() = 0;
  // Size of the next step after one of size h with err_.
  virtual double next_step(double h);
  virtual double step_after_rejection(double h);
  // Where inside a step F is evaluated, as shares of it, for the watch over sudden functions.
  virtual std::span<const double> stage_times() const { return {}; }

  bool is_fixed() const { return control_.step > 0; }
  bool is_cold() const { return is_cold_; }    // no predictor: the last attempt failed
  bool is_full() const { return rung_ == 3; }  // (3)
  double left_of_limit() const { return left_of_limit_; }
  double left(double t) const { return std::min(t, left_of_limit_); }
  Status prepare();  // Jacobian at (t0_, y0_), if it is wanted
  void note_theta(double theta) { theta_ = std::max(theta_, theta); }
  bool is_first() const { return accepted_ == 0; }
  bool is_after_rejection() const { return after_rejection_; }

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  const Control way_;
  OdeNewton newton_;
  double t0_ = 0, t1_ = 0;
  Vec y0_, y1_, k0_, k1_;  // ends of the last step and slopes there
  double err_ = 0;
  int worst_ = -1;
  int iterations_ = 0;  // n of (1)

 private:
  Status fixed_step(double t_limit);
  Status adaptive_step(double t_limit);
  Status close(double t1);
  Status look_back();
  Status choose_initial_step(double horizon);
  void save(double t);

  Vec y_behind_, k_behind_;  // where the next step starts, if the formulation changed y after the last one
  bool changed_ = false;
  Correction correction_;
  double h_ = 0;
  double origin_ = 0;  // of the grid of fixed steps
  long n_ = 0;
  double left_of_limit_ = 0;
  double theta_ = 0;  // slowest Newton iteration of the step
  bool wants_jacobian_ = true, is_cold_ = true, after_rejection_ = false;
  int rung_ = 0;       // of the ladder of (3)
  int failures_ = 0;   // of Newton's method with a Jacobian of the point, in a row
  long accepted_ = 0;  // since the start or a discontinuity
  double err_old_ = 1, h_old_ = 0;
  Status obstacle_ = Status::step_too_small;
  Checkpoint saved_;  // all but y
};

}  // namespace driftless
