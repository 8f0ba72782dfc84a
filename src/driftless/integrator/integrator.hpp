// How to step. An integrator advances y by one accepted step a call; simulate() owns the loop.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "driftless/core/method_record.hpp"
#include "driftless/core/statistics.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/checkpoint.hpp"

namespace driftless {

class SuddenWatch;  // integrator/sudden_watch.hpp

struct StepControl {
  double rtol = 1e-6;
  double atol = 1e-7;       // multiplied by the scale of each component
  double step = 0;          // > 0: fixed
  double initial_step = 0;  // 0: chosen by the integrator
  double max_step = 0;      // 0: no limit
  long max_steps = 10'000'000;
  int realtime =
      0;  // > 0: steps are timed, and implicit ones make so many iterations, always (real_time.hpp)
  SuddenWatch* sudden = nullptr;  // asked before a step is accepted; null: nothing in the system is sudden
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Starts at (t, y); the first step is chosen within `horizon`. One or two evaluations.
  virtual Status start(double t, ConstVec y, double horizon) = 0;
  // Starts anew at (t, y) after a discontinuity: what was learnt of the solution is forgotten, the step size is not.
  virtual Status restart(double t, ConstVec y) = 0;
  // Goes on exactly where a checkpoint was taken.
  virtual Status resume(const Checkpoint& checkpoint) = 0;
  // One accepted step, ending at t_limit at the latest (exactly there if it is within reach). Stages never look past
  // t_limit, so a discontinuity there is seen from its left side only.
  virtual Status advance(double t_limit) = 0;

  virtual double t() const = 0;                            // end of the last step
  virtual double t_before() const = 0;                     // its beginning
  virtual const Vec& y() const = 0;                        // solution at t()
  virtual void interpolate(double t, VecRef y) const = 0;  // inside the last step: dense output of the scheme
  virtual Checkpoint checkpoint() const = 0;
  // Component of y with the largest share in the last rejected error test, or the steepest one at the start; −1 if
  // steps are fixed. For messages.
  virtual int worst_component() const = 0;
  // Something the user should know after a run; empty if there is nothing.
  virtual std::string remark() const { return {}; }
  // A doubt about the accuracy of the run; empty if there is none.
  virtual std::string warning() const { return {}; }
};

struct IntegratorRecord {
  MethodRecord method;
  int order = 0;
  bool adaptive = false;   // false: needs --step
  bool takes_step = true;  // false: refuses --step
  bool dense_output = false;
  bool takes_jacobian = true;  // asks for ∂F/∂y; false: F is all it evaluates
  // ---- what it needs of a formulation; what they offer is in their records
  bool takes_ode = true;                // dy/dt = F(t, y)
  bool needs_smooth = false;            // F of past steps must be of the same variables
  std::vector<ResidualRows> rows = {};  // residual forms with such rows
  bool needs_vector_space = false;  // on residual forms: q̇ = v, so no quaternions with angular velocities
  // Another one that it stands for with a formulation; null, or giving null: it is itself.
  const IntegratorRecord* (*stands_for)(const FormulationRecord& formulation) = nullptr;
  std::unique_ptr<Integrator> (*make)(OdeForm& form,
                                      Statistics& statistics,
                                      const StepControl& control,
                                      const Options& options);
};

std::span<const IntegratorRecord* const> integrator_records();

}  // namespace driftless
