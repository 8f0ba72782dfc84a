#include "driftless/integrator/multistep/multistep.hpp"

namespace driftless {

Multistep::Multistep(
    OdeForm& form, Statistics& statistics, const StepControl& control, const Tableau& starter, int order)
    : Scheme(form, statistics, control), work_(form.size()), starter_(starter, form.size()), order_(order) {}

Status Multistep::starting_step(double h) {
  starter_.k.col(0) = k0_;
  return starter_.run(form_, statistics_, t0_, y0_, h, left_of_limit_, y1_);
}

double Multistep::starting_error(double h) {
  starter_.k.col(starter_.last()) = k1_;
  work_.setZero();
  for (int j = 0; j <= starter_.last(); ++j) work_ += h * starter_.tableau.e[size_t(j)] * starter_.k.col(j);
  return weighted(work_);
}

}  // namespace driftless
