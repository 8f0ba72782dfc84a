// The implicit schemes, on the stages of whatever form there is: when to renew the Jacobian of Newton's method, what to do where it fails, and how long
// steps are. A scheme adds its equations, its estimate of the error and its dense output.
//   h ← h / clip( max(err^(1/k)/fac, (h_old/h)(err²/err_old)^(1/k)/0.9), 1/grow, 1/cut ),
//   fac = min( 0.9, 0.9 (1 + 2N)/(n + 2N) ),   n of at most N Newton iterations used                                     (1)
// (the second term only where a scheme asks for prediction, and behind two accepted steps). No growth behind a rejected
// step; h ← h/10 where the very first one is rejected.                  Hairer & Wanner IV.8; Gustafsson 1994
//   A is renewed behind a step whose iterations shrank by less than 1/θ_J, and where one failed with an old A. h is kept,
//   and the factors with it, while A is good and h would grow by less than a fifth                                      (2)
// A fixed step that fails is tried again with a new Jacobian, from z = 0; with central differences; with a Jacobian at every
// iterate (3); then the run ends. In real time (real_time.hpp) there is one trial, with a Jacobian of the step's beginning.
#pragma once

#include "driftless/integrator/implicit/newton.hpp"
#include "driftless/integrator/implicit/ode_stages.hpp"
#include "driftless/integrator/step_loop.hpp"

namespace driftless {

class ImplicitScheme : public Scheme, protected StepPolicy {
 public:
  StepPolicy& policy() override { return *this; }
  int exponent() const override { return way_.order + 1; }
  Status begin() override;
  void forget() override;
  void open() override;
  void prepare(double h) override { stages_->prepare(h); }
  Status attempt(double h, double t1) override;  // (3)
  Status close(double t1) override { return stages_->close(left(t1), y1_, k1_); }
  void undo() override { stages_->undo(); }
  bool is_hopeless() const override { return !is_fixed() && !(err_ <= 1); }
  double error(double) override { return err_; }
  void accept(double h) override;
  void keep(Memory& memory) override;
  std::string remark() const override { return newton_.monitor.remark(); }
  bool watches_correction() const override { return !stages_->settles_itself(); }
  bool tell(Carried& out) const override { return stages_->tell(t1_, out); }

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

  // What depends on the size of the stages, which is known behind a start only (of ODE forms: from the first on).
  virtual void size_own(int /*size*/) {}
  // y1_ and, unless steps are fixed, err_ of a step of size h from (t0_, y0_), k0_. Not settled.
  virtual Status solve(double h, double t1) = 0;
  virtual void accept_own(double /*h*/) {}
  virtual void forget_own() = 0;
  virtual void keep_own(Memory& memory) = 0;

  // Of the policy; those of other rules than (1) override the first two.
  virtual double next_step(double h);
  virtual double step_after_rejection(double h);

  bool is_cold() const { return is_cold_; }    // no predictor: the last attempt failed
  bool is_full() const { return rung_ == 3; }  // (3)
  bool is_after_rejection() const { return after_rejection_; }
  Status renew_jacobian();                                        // at (t0_, y0_), if it is wanted
  Status judge(const Vec& error);                                 // err_, from an estimate
  OdeStages& ode() { return static_cast<OdeStages&>(*stages_); }  // of schemes that take ODE forms only
  void note_theta(double theta) { theta_ = std::max(theta_, theta); }

  const Control way_;
  const std::unique_ptr<StageSystem> stages_;
  StageNewton newton_;
  double err_ = 0;
  int iterations_ = 0;  // n of (1)

 private:
  void reset() override;
  double accepted(double h, double error) override;
  double rejected(double h, double error) override;
  double failed(double h, Status status, bool solved) override;
  void keep_control(Memory& memory) override;

  double theta_ = 0;  // slowest Newton iteration of the step
  bool wants_jacobian_ = true, is_cold_ = true, after_rejection_ = false;
  int rung_ = 0;      // of the ladder of (3)
  int failures_ = 0;  // of Newton's method with a Jacobian of the point, in a row
  double err_old_ = 1, h_old_ = 0;
};

}  // namespace driftless
