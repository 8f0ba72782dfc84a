// Frame of the integrators of SUNDIALS: memory, one step at a time, messages, statistics, dense output. A back end adds the
// calls of its solver. Built only where SUNDIALS is installed (DRIFTLESS_SUNDIALS).          Hindmarsh et al. 2005
// What these solvers keep of the past cannot be moved from outside, but y can: with a correction d,
//   y = z + d,   ż = F(t, z + d),   d constant over a step                                                            (1)
// the solver integrates z, and what stabilizations and formulations do to y behind a step goes into d: the history of z
// goes on as if nothing had happened, which is what CVODE's own projection does, for all of them alike.
//   weights of its norms: √(N/tested) / (atol·scale + rtol·|y|), 0 where not tested: the rms over the tested ones       (2)
//   dense output: the solver's polynomial for z, and d moved along in proportion to time; cubic for one-step methods where
//   y changed behind this step or the one before                                                                    (3)
// It stops at the limit of a step and never evaluates F there or later, but just before. Where settling fails, the solver starts
// anew at the beginning of the step with a quarter of it. Every step closes with F at its settled end, which monitors read.
// A checkpoint holds y and the step size only: a resumed run starts its history anew.
#pragma once

#include <memory>
#include <nvector/nvector_serial.h>
#include <string>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "driftless/integrator/implicit/ode_stages.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/integrator/multistep/work_quadrature.hpp"
#include "driftless/integrator/structural/correction.hpp"

namespace driftless {

// Things of SUNDIALS that free themselves.
struct ContextDeleter {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct VectorDeleter {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct MatrixDeleter {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct LinearDeleter {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
using SunContext = std::unique_ptr<std::remove_pointer_t<SUNContext>, ContextDeleter>;
using SunVector = std::unique_ptr<std::remove_pointer_t<N_Vector>, VectorDeleter>;
using SunMatrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, MatrixDeleter>;
using SunLinear = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, LinearDeleter>;

inline Eigen::Map<Vec> view(N_Vector vector) { return {N_VGetArrayPointer(vector), N_VGetLength(vector)}; }

class SundialsScheme : public Integrator {
 public:
  Status start(double t, ConstVec y, double horizon) override;
  Status restart(double t, ConstVec y) override;
  Status resume(const Checkpoint& from) override;
  Status advance(double t_limit) override;

  double t() const override { return t1_; }
  double t_before() const override { return t0_; }
  const Vec& y() const override { return changed_ ? y_behind_ : y1_; }
  void interpolate(double t, VecRef y) const override;
  Checkpoint checkpoint() const override;
  int worst_component() const override { return worst_; }
  std::string remark() const override;
  std::string warning() const override { return correction_.warning(); }

 protected:
  SundialsScheme(OdeForm& form, Statistics& statistics, const StepControl& control);

  // Counted by the solver since begin().
  struct Counts {
    long error_test_failures = 0, convergence_failures = 0, newton_iterations = 0, factorizations = 0;
  };

  // ---- of a back end --------------------------------------------------------------------------------------------------
  // The solver, made or made ready again, at (t1_, x_); first_step = 0: of its own choice
  virtual void begin(double first_step) = 0;
  // One step of its own towards t_stop, and not past it: leaves z in x_ and returns the flag of the solver.
  virtual int step(double t_stop, double& t) = 0;
  virtual double next_step() const = 0;
  virtual Counts counts() const = 0;
  virtual int polynomial(double t, N_Vector out) const = 0;  // (3), inside the last step
  virtual void errors(N_Vector estimate, N_Vector weights) const = 0;
  virtual bool is_one_step() const { return false; }  // the step size outlives a restart
  virtual int last_order() const { return 0; }        // of a multistep method: work_quadrature.hpp
  virtual int extra() const { return 0; }             // entries of x_ behind those of y
  virtual void begin_step(double h) { form_.begin_step(h); }
  bool is_fixed() const { return control_.step > 0; }

  static constexpr double kNotTested =
      1e-100;  // a weight whose square is nothing, and whose inverse is finite
  // ---- what callbacks need: 0, or 1 if a shorter step may help, or −1 --------------------------------------------------
  int right_side(double t, N_Vector z, N_Vector out);  // (1)
  int weigh(N_Vector z, N_Vector out);                 // (2), for the part that is y
  int jacobian(double t, N_Vector z, N_Vector F);      // ∂F/∂y in stages_.jacobian()
  int verdict(Status status);
  double left(double t) const { return std::min(t, left_of_limit_); }
  void check(int flag);  // of a call that cannot fail
  static void take_message(int, const char*, const char*, char* text, void* self);

  SunVector make_vector(Vec& memory);

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  SunContext context_;
  OdeStages stages_;    // for its Jacobian
  Vec x_;               // z, and what a back end adds
  mutable Vec offset_;  // d of (1)
  double t0_ = 0, t1_ = 0;
  Vec at_;  // z + d

 private:
  Status attempt(double t_target, double& t);
  Status close(double t1);
  double correction_norm();
  Status look_back();
  Status meaning(int flag) const;
  Status nudge(double t_limit, double& t);
  void note_worst();
  bool has_work() const;  // y ends with it, and the method has orders
  bool polynomial_of_step(double t) const;
  void save();

  Vec y0_, y1_;
  Vec F0_, F1_;  // at y0_; at y()
  Vec F_end_;    // at y1_, where y() is another
  Vec y_behind_;
  Correction correction_;
  WorkQuadrature quadrature_;
  bool changed_ = false, began_changed_ = false;  // y behind the step; behind the one before
  bool begins_ = true, has_polynomial_ = false;
  mutable Vec offset_before_;  // d as the step was made with
  Vec shift_;                  // (3)
  mutable Vec dense_;          // as x_
  Vec estimate_, weights_;     // as x_
  SunVector dense_vector_, estimate_vector_, weights_vector_;
  double h_ = 0;           // of the next step
  double first_step_ = 0;  // the user's; 0: the solver's choice
  double origin_ = 0;
  long n_ = 0;
  double left_of_limit_ = 0;
  int tested_ = 1;
  int worst_ = -1;
  Status last_ = Status::ok;  // of the callbacks
  double evaluated_at_ = 0;   // by the last right_side()
  Counts counted_;
  std::string message_;
  Checkpoint saved_;  // all but y
};

}  // namespace driftless
