// Frame of the schemes on residual forms that solve one system of equations a step, by Newton's method with a tangent that
// is kept as long as it serves; real-time mode. A scheme adds its predictor, its coefficients, and how an increment moves the
// point.
//   W d = −r, the unknowns move by d; done when |d| ≤ tol · h |v|, in scales of the coordinates,
//     tol = newton_tol; with error control tol = atol unless newton_tol is given                                        (1)
//     and, where the scheme says what d counts for in its error test, when what is left counts for 0.03 at most        (1a)
//     or, after some iterations, when |r| is below 20 ε √Σ(W_ij q_j)², what rounding q makes of it: forces of 10³ stiff elements
//     are not known better                                                                                             (1b)
//   The tangent is kept over steps while the increments fall by a factor 10 at least, and renewed when they do not     (2)
//   Real time (realtime = K > 0): K full Newton iterations a step and no test; what residual they leave is watched    (3)
#pragma once

#include "driftless/integrator/implicit/residual_scheme.hpp"
#include "driftless/math/linear/newton_lu.hpp"

namespace driftless {

// The option all of them have, with its default.
OptionSpec newton_tolerance(const std::string& default_value);

class NewtonScheme : public ResidualScheme {
 public:
  void forget() override;
  std::string remark() const override;

 protected:
  NewtonScheme(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options);

  virtual void predict(double h, double t1) = 0;                      // point_ ← where the iteration starts
  virtual void fill_matrix(double h, SparseAssembly<double>& W) = 0;  // from tangent_
  virtual void fill_residual(double h, Vec& r) = 0;                   // at point_
  virtual double correct(double h, const Vec& d) = 0;                 // moves point_; returns |d|
  virtual double counted(double /*h*/) {
    return 0;
  }  // what the last increment counts for in the error test (1a)
  // Whether what the scheme asks for besides its equations holds where the last residual was.
  virtual bool is_settled() const { return true; }
  // Another right-hand side with the factors at hand.
  Status solve_again(const Vec& r, Vec& d) { return lu_.solve(r, d); }
  // h is the number the matrix depends on: the step, or its share in the formula of the scheme.
  Status newton(double h, double t1);
  void size_newton(int unknowns);
  // Derived ones that keep more call it last: it factors.
  void keep_own(Memory& memory) override;

 private:
  Status renew_tangent(double h);
  void evaluate_residual(double h) {
    ++statistics_.evaluations;
    fill_residual(h, r_);
  }
  double goal_of(double h, double& floor) const;
  bool is_noise() const;  // (1b)
  Status iterate_in_real_time(double h, double t1);

  double tolerance_;
  SparseAssembly<double> W_;  // of (1)
  NewtonLu<double> lu_;
  Vec r_, d_;
  double factored_for_ = 0;  // the h of the factors; 0: none
  bool tangent_serves_ = false;
  double rate_ = 0.5;  // at which increments fell last

  // Real time.
  const int iterations_;                         // K of (3), 0: off
  double worst_residual_ = 0, residual_at_ = 0;  // and when
};

}  // namespace driftless
