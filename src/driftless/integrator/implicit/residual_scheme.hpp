// Schemes on residual forms: the point (q, v, a, λ, μ) they step from, what is tested, how long steps are. A scheme adds its
// equations (those that solve them by one Newton iteration a step: newton_scheme.hpp) and its estimate of the local error.
//   Slopes are (q̇, a, Ẇ) at the ends of a step: dense output, unless a scheme has its own, is cubic                     (1)
//   Error control; multipliers lose orders where the step changes and are never tested:
//     err = rms(e / (atol·scale + rtol·size)), size = |q| where q̇ = v, else the scale; accepted if err ≤ 1            (2)
//     of positions alone; of positions and of the way h·e_v velocities in error make in a step, by the same measure: where
//     velocities are of index 2; of positions and velocities, each by its own measure: where both are of index 1         (3)
//     h ← h · clip(0.9 err^(−1/(p+1)), 0.2, 2); kept if that is between 1 and 1.2, so that factors serve again          (4)
//   A Newton iteration that fails halves the step; values that are not finite quarter it                              (5)
// Schemes with other rules than (4) and (5) override them.
#pragma once

#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/integrator/step_loop.hpp"

namespace driftless {

// Values and patterns, both ways.
void keep_tangent(Memory& memory, DaeTangent& tangent);

class ResidualScheme : public Scheme, protected StepPolicy {
 public:
  StepPolicy& policy() override { return *this; }
  int exponent() const override { return order() + 1; }
  bool watches_correction() const override { return false; }  // they settle by their own equations
  Status begin() override;
  void forget() override {}
  void open() override;
  void prepare(double) override {}  // rows are chosen anew where the run starts anew
  Status attempt(double h, double t1) override;
  Status close(double t1) override;
  double error(double h) override;
  void undo() override;
  void accept(double h) override;
  void keep(Memory& memory) override;
  bool tell(Carried& out) const override;
  // Where the last step ended, with accelerations and multipliers as the scheme has them.
  const DaePoint& point() const { return point_; }

 protected:
  ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control);

  // A new start at point_, complete with accelerations and multipliers: sizes are those of the form now.
  virtual void begin_own() = 0;
  // One step of size h from point_ at t0_ to t1; leaves point_ there and the work in work_. It may be tried again with
  // another h: what the scheme remembers changes in accept_own() only.
  virtual Status step(double h, double t1) = 0;
  virtual void accept_own(double /*h*/) {}
  // Local error of the step just made, of the components tested: nv increments of q, then nv of v. Of order p of (4) plus one.
  virtual void estimate(double /*h*/, Vec& error) { error.setZero(); }
  virtual int order() const { return 2; }
  virtual double next_step(double h, double error);             // (4)
  virtual double step_after_rejection(double h, double error);  // (4)
  virtual double step_after_failure(double h, Status status);   // (5)
  // What the scheme remembers besides point_, both ways. What it needs to solve with follows from that.
  virtual void keep_own(Memory& memory) = 0;

  bool adaptive() const { return !is_fixed(); }
  bool is_after_rejection() const { return after_rejection_; }
  enum class Tested { positions, positions_and_ways, positions_and_velocities };
  void test(Tested what);                 // (3); positions alone unless called
  double norm(double h, ConstVec error);  // (2)
  Eigen::Index tested() const { return error_.size(); }

  ResidualForm& form_;
  int nq_, nv_;
  DaePoint point_;
  DaeTangent tangent_;
  double work_ = 0, power_ = 0;  // W and Ẇ at point_

 private:
  void store_end();  // y1_ and its slope, from point_ and work_
  void reset() override { after_rejection_ = false; }
  double accepted(double h, double error) override;
  double rejected(double h, double error) override;
  double failed(double h, Status status, bool solved) override;
  void keep_control(Memory& memory) override { memory(after_rejection_); }

  DaePoint before_;  // where the step began
  double work_before_ = 0, power_before_ = 0;
  bool after_rejection_ = false;
  int largest_share_ = 0;
  Tested tested_ = Tested::positions;
  Vec error_;  // nv or 2 nv
};

}  // namespace driftless
