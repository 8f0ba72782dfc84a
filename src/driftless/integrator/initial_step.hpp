// The first step of an adaptive integrator: Hairer's two-evaluation estimate, a step whose Euler polygon is one hundredth
// of the solution, then refined by the size of the second derivative.                  Hairer, Nørsett & Wanner II.4
#pragma once

#include "driftless/integrator/integrator.hpp"

namespace driftless {

struct InitialStep {
  bool is_bounded = false;  // by the horizon, at any point: without it another would have been chosen
  Status status = Status::ok;
  double h = 0;
  Eigen::Index steepest = 0;  // component, for messages
};

// At (t, y) with F = F(t, y) and the magnitudes of y; `stage` and `F_stage` are work space.
InitialStep choose_initial_step(OdeForm& form,
                                Statistics& statistics,
                                const StepControl& control,
                                double t,
                                const Vec& y,
                                ConstVec F,
                                const Vec& magnitude,
                                int order,
                                double horizon,
                                Vec& stage,
                                VecRef F_stage);

}  // namespace driftless
