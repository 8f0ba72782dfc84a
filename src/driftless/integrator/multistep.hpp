// Frame of the multistep integrators on ODE forms: the grid of fixed steps or the loop of adaptive ones, the end of a
// step settled before F is evaluated there, restarts, checkpoints. A scheme adds its history and its formulas.
//   err = rms(error/sc) over the tested components, sc = atol·scale + rtol·max(|y₀|, |y₁|); accepted if err ≤ 1       (1)
// What settle() moves y by is below the error of a step, so the history of F is kept; where after_step() redefines y it
// is forgotten. It is not saved either: a run resumed from a checkpoint starts it anew.
// Output between steps from a polynomial P through F at the ends of this step and the ones before:
//   y(t) = y₀ + ∫ P + θ²(3 − 2θ)(y₁ − y₀ − ∫ over the step)                                                           (2)
// which has the values and slopes of both ends and, with two values of F, is the cubic of Hermite.
#pragma once

#include <array>

#include "driftless/integrator/correction.hpp"
#include "driftless/integrator/explicit_stages.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

// Formulations whose y runs on smoothly from step to step. The canonical ones base their momenta anew after every step: F
// of the steps before is that of other variables, and a multistep method would fall to order 1.
std::vector<std::string> multistep_formulations();

// ∫ f over [a, b] by the Gauss formula with 7 points, exact to degree 13.
template <class Function>
double integrate(double a, double b, Function&& f) {
  constexpr std::array<double, 4> x = {0, 0.4058451513773972, 0.7415311855993945, 0.9491079123427585};
  constexpr std::array<double, 4> w = {0.4179591836734694, 0.3818300505051189, 0.2797053914892766,
                                       0.1294849661688697};
  const double middle = (a + b) / 2, half = (b - a) / 2;
  double sum = w[0] * f(middle);
  for (size_t i = 1; i < 4; ++i) sum += w[i] * (f(middle - half * x[i]) + f(middle + half * x[i]));
  return half * sum;
}

class Multistep : public Integrator {
 public:
  Status start(double t, ConstVec y, double horizon) override;
  Status restart(double t, ConstVec y) override;
  Status resume(const Checkpoint& from) override;
  Status advance(double t_limit) override;

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  Checkpoint checkpoint() const override;
  int worst_component() const override { return static_cast<int>(worst_); }
  std::string warning() const override { return correction_.warning(); }

 protected:
  // Starts, and steps until `needed` values of F are known, are those of `starter`.
  Multistep(
      OdeForm& form, Statistics& statistics, const StepControl& control, const Tableau& starter, int order);

  // ---- of a scheme ----------------------------------------------------------------------------------------------------
  virtual void forget() = 0;    // all history
  virtual void remember() = 0;  // F0_ at t0_, before a step is tried
  virtual Status candidate(double h,
                           double t1,
                           double t_end) = 0;  // y1_; F is not to be asked for later than t_end
  virtual void accepted() {}                   // the step to t1_, F1_ known
  // The rest is for adaptive ones. F1_ is known when they are called.
  virtual double error(double) { return 0; }                // of (1)
  virtual double next_step(double h, double) { return h; }  // behind an accepted step
  virtual double shorter_step(double h) { return h / 2; }   // after a rejected one

  bool is_fixed() const { return control_.step > 0; }
  Status evaluate(double t, ConstVec y, VecRef out);
  Status starting_step(double h);  // y1_ by the starter
  double starting_error(double h);
  double weighted(const Vec& error);  // (1)

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  double t0_ = 0, t1_ = 0, h_ = 0;
  Vec y0_, y1_, F0_, F1_;  // ends of the last step and slopes there
  Vec work_;

 private:
  Status attempt(double h, double t1);
  Status fixed_step(double t_limit);
  Status adaptive_step(double t_limit);
  Status look_back();
  void save(double t);

  ExplicitStages starter_;
  int order_;
  Vec y_behind_, F_behind_;  // where the next step starts, if the formulation changed y after the last one
  bool changed_ = false, redefined_ = false;
  Vec magnitude0_, magnitude1_;
  Correction correction_;
  int tested_ = 0;
  Status obstacle_ = Status::step_too_small;
  double origin_ = 0;  // of the grid
  long n_ = 0;
  double left_of_limit_ = 0;
  Eigen::Index worst_ = -1;
  Checkpoint saved_;  // all but y
};

}  // namespace driftless
