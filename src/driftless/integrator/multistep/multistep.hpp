// What multistep schemes on ODE forms share: their start, and dense output.
// What settle() moves y by is below the error of a step, so the history of F is kept; where y is redefined it is forgotten.
// Output between steps from a polynomial P through F at the ends of this step and the ones before:
//   y(t) = y₀ + ∫ P + θ²(3 − 2θ)(y₁ − y₀ − ∫ over the step)                                                           (1)
// which has the values and slopes of both ends and, with two values of F, is the cubic of Hermite.
#pragma once

#include <array>

#include "driftless/integrator/explicit/explicit_stages.hpp"
#include "driftless/integrator/step_loop.hpp"

namespace driftless {

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

class Multistep : public Scheme {
 public:
  int exponent() const override { return order_; }

 protected:
  // The first steps, until enough is known of the past, are those of `starter`.
  Multistep(
      OdeForm& form, Statistics& statistics, const StepControl& control, const Tableau& starter, int order);

  Status starting_step(double h);  // y1_ by the starter
  double starting_error(double h);

  Vec work_;

 private:
  ExplicitStages starter_;
  int order_;
};

}  // namespace driftless
