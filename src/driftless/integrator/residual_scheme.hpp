// Frame of the schemes on residual forms: fixed steps or error control, dense output, checkpoints. A scheme adds its
// equations (those that solve them by one Newton iteration a step: newton_scheme.hpp) and its estimate of the local error.
//   Dense output, unless a scheme has its own: cubic Hermite, q from (q, q̇), v from (v, a), W from (W, Ẇ)              (1)
//   Error control; multipliers lose orders where the step changes and are never tested:
//     err = rms(e / (atol·scale + rtol·size)), size = |q| where q̇ = v, else the scale; accepted if err ≤ 1            (2)
//     of positions alone; of positions and of the way h·e_v velocities in error make in a step, by the same measure: where
//     velocities are of index 2; of positions and velocities, each by its own measure: where both are of index 1         (3)
//     h ← h · clip(0.9 err^(−1/(p+1)), 0.2, 2); kept if that is between 1 and 1.2, so that factors serve again          (4)
//   A Newton iteration that fails halves the step; values that are not finite quarter it                              (5)
// Schemes with other rules than (4) and (5) override them.
#pragma once

#include <span>

#include "driftless/formulation/residual_form.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

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

 protected:
  ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control);

  // A new start at point_, complete with accelerations and multipliers: sizes are those of the form now.
  virtual void begin() = 0;
  // One step of size h from point_ at t0_ to t1; leaves point_ there and the work in work_. It may be tried again with
  // another h: what the scheme remembers changes in accept() only.
  virtual Status step(double h, double t1) = 0;
  virtual void accept(double /*h*/) {}
  // Local error of the step just made, of the components tested: nv increments of q, then nv of v. Of order p of (4) plus one.
  virtual void estimate(double /*h*/, Vec& error) { error.setZero(); }
  virtual int order() const { return 2; }
  // Size of the next step behind one of size h.
  virtual double next_step(double h, double error);             // (4)
  virtual double step_after_rejection(double h, double error);  // (4)
  virtual double step_after_failure(double h, Status status);   // (5)
  // Where inside a step the equations hold, as shares of it, for the watch over sudden functions.
  virtual std::span<const double> stage_times() const { return {}; }
  // What the scheme remembers besides point_, for checkpoints.
  virtual int memory_size() const { return 0; }
  virtual void save_memory(VecRef /*to*/) const {}
  virtual void load_memory(ConstVec /*from*/) {}

  bool adaptive() const { return control_.step == 0; }
  bool is_after_rejection() const { return after_rejection_; }
  enum class Tested { positions, positions_and_ways, positions_and_velocities };
  void test(Tested what);                 // (3); positions alone unless called
  double norm(double h, ConstVec error);  // (2)
  Eigen::Index tested() const { return error_.size(); }

  ResidualForm& form_;
  Statistics& statistics_;
  StepControl control_;
  int nq_, nv_;
  DaePoint point_;
  DaeTangent tangent_;
  double work_ = 0, power_ = 0;  // W and Ẇ at point_
  double t0_ = 0, t1_ = 0;
  double left_of_limit_ = 0;  // the last instant before a possible discontinuity
  Vec y0_, y1_;               // ends of the last step
  Vec k0_, k1_;               // slopes there

 private:
  Status try_step(double h, double t1, double t_limit);
  Status fixed_step(double t_limit);
  Status adaptive_step(double t_limit);
  Status choose_initial_step(double horizon);
  void go_back();    // to where the step began
  void store_end();  // y1_ and its slope, from point_ and work_
  void save();       // for checkpoint()

  DaePoint before_;  // where the step began
  double work_before_ = 0, power_before_ = 0;
  double origin_ = 0;  // of the grid
  long n_ = 0;
  double h_ = 0;  // to try next
  bool after_rejection_ = false;
  Status obstacle_ = Status::step_too_small;  // what keeps the step from being as long as it should
  int worst_ = -1, largest_share_ = 0;
  Tested tested_ = Tested::positions;
  Vec error_;                    // nv or 2 nv
  Vec magnitude0_, magnitude1_;  // of y0_ and y1_
  Checkpoint saved_;             // all but y
};

}  // namespace driftless
