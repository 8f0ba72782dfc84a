// The one loop all integrators of our own are made with. A method is a Scheme (scheme.hpp); the loop is the way of its steps:
//
//   plan     where the step ends: the grid of fixed steps, or the size the policy wants, cut at the limit   step_plan.hpp
//   attempt  the scheme's formulas give a candidate                                                       scheme.hpp
//   settle   the candidate is brought back to the constraints; the slope there closes the step          formulation.hpp
//   test     its error, and what sudden functions did between its ends                                   sudden_watch.hpp
//   accept   or reject, and try again with what the policy says
//   behind   what the formulation does to y between steps: other independent coordinates, momenta based anew
//   save     where a run can be picked up exactly                                                         resumable.hpp
//
// The first step: Hairer's two-evaluation estimate, a step whose Euler polygon is one hundredth of the solution, then
// refined by the size of the second derivative.                                        Hairer, Nørsett & Wanner II.4
#pragma once

#include "driftless/integrator/real_time.hpp"
#include "driftless/integrator/resumable.hpp"
#include "driftless/integrator/scheme.hpp"
#include "driftless/integrator/structural/correction.hpp"

namespace driftless {

class StepLoop final : public Integrator, public Resumable {
 public:
  explicit StepLoop(std::unique_ptr<Scheme> scheme);

  Status start(double t, ConstVec y, double horizon) override;
  Status restart(double t, ConstVec y) override;
  Status resume(const Checkpoint& from) override;
  Status advance(double t_limit) override;

  double t() const override { return s_.t1_; }
  double t_before() const override { return s_.t0_; }
  const Vec& y() const override { return is_changed_ ? y_behind_ : s_.y1_; }
  void interpolate(double t, VecRef y) const override { s_.interpolate(t, y); }
  Checkpoint checkpoint() const override;
  int worst_component() const override { return s_.worst_; }
  std::string warning() const override { return correction_.warning(); }
  std::string remark() const override;

  const Scheme& scheme() const { return s_; }

 private:
  void save_before_cut(double t_limit);
  void open(double t_limit);
  Status make_step(double t_limit);
  Status fixed_step(double t_limit);
  Status adaptive_step(double t_limit);
  Status attempt(double h, double t1, bool& solved);
  void accept(double h, double t1);
  void stay();  // where the step began: the last good one stays readable
  Status look_behind();
  Status choose_first_step(double horizon);
  Checkpoint snapshot();  // of now
  void keep(Memory& memory) override;

  const std::unique_ptr<Scheme> scheme_;
  Scheme& s_;
  double h_ = 0;       // of the step to try next
  double origin_ = 0;  // of the grid of fixed steps
  long n_ = 0;
  Status obstacle_ = Status::step_too_small;  // what keeps the step from being as long as it should
  Vec y_behind_, k_behind_;  // where the next step starts, if the formulation changed y behind the last one
  bool is_changed_ = false, is_redefined_ = false;
  Correction correction_;
  Vec work_;
  RealTime clock_;
  bool is_cut_ = false;  // a step was to end at its limit: saved_ is where it began
  Checkpoint saved_;
};

template <class S, class... Arguments>
std::unique_ptr<Integrator> make_steps_of(Arguments&&... arguments) {
  return std::make_unique<StepLoop>(std::make_unique<S>(std::forward<Arguments>(arguments)...));
}

}  // namespace driftless
