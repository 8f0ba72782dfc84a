// What makes an integration method, beside the loop of its steps (step_loop.hpp): a Scheme, which knows the formulas of one step
// and what it keeps from step to step, and a StepPolicy, which knows how long the next one should be.
// A step goes from (t0_, y0_) with slope k0_ to (t1_, y1_) with slope k1_; the loop moves these.
#pragma once

#include <span>
#include <string>

#include "driftless/integrator/carried.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

// How long the next step is to be. Policies of schemes that choose their order as well are part of them.
class StepPolicy {
 public:
  virtual ~StepPolicy() = default;
  virtual void reset() = 0;                             // nothing of the past holds
  virtual double accepted(double h, double error) = 0;  // the step behind one of size h
  virtual double rejected(double h, double error) = 0;  // instead of one whose error was too large
  virtual double failed(double h,
                        Status status,
                        bool solved) = 0;         // that could not be made; solved: it could not be settled
  virtual void keep_control(Memory& memory) = 0;  // what it remembers, both ways
};

// Of schemes that take fixed steps only.
class FixedSteps final : public StepPolicy {
 public:
  void reset() override {}
  double accepted(double h, double) override { return h; }
  double rejected(double h, double) override { return h; }
  double failed(double h, Status, bool) override { return h; }
  void keep_control(Memory&) override {}
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  // ---- what the loop asks for, in the order of a step ------------------------------------------------------------------
  // A start at (t1_, y1_): k1_ there, and nothing else.
  virtual Status begin();
  // History, predictors and Jacobians are of another motion, or of another meaning of y.
  virtual void forget() = 0;
  // A step begins at (t0_, y0_): before it is tried for the first time.
  virtual void open() {}
  // A step of size h is to be tried.
  virtual void prepare(double h) { form_.begin_step(h); }
  // y1_ at t1, not yet settled.
  virtual Status attempt(double h, double t1) = 0;
  // Whether its error is known to be too large already, so that it need not be settled.
  virtual bool is_hopeless() const { return false; }
  // y1_ is settled: k1_ there.
  virtual Status close(double t1);
  // Local error of the step in units of the tolerance; steps up to 1 are accepted. With magnitude1_ known.
  virtual double error(double /*h*/) { return 0; }
  // The attempt is given up: whatever it changed is as before.
  virtual void undo() {}
  // The step is accepted. t1_, y1_, k1_ are its end.
  virtual void accept(double /*h*/) {}

  // Inside the last step; here the cubic of Hermite.
  virtual void interpolate(double t, VecRef y) const;
  // What counts for the steps to come besides the end of the last one, both ways.
  virtual void keep(Memory& memory) = 0;
  virtual StepPolicy& policy() = 0;

  // ---- what it is like ------------------------------------------------------------------------------------------------
  virtual int exponent() const = 0;           // power of h its error goes with, for the first step
  virtual double reach() const { return 1; }  // how far a step looks ahead, in steps
  // Where inside a step F is evaluated, as shares of it, for the watch over sudden functions.
  virtual std::span<const double> stage_times() const { return {}; }
  virtual bool watches_correction() const { return true; }  // correction.hpp
  virtual std::string remark() const { return {}; }
  virtual bool tell(Carried&) const { return false; }  // false: it has none of its own
  int worst_component() const { return worst_; }

 protected:
  Scheme(OdeForm& form, Statistics& statistics, const StepControl& control);

  bool is_fixed() const { return control_.step > 0; }
  double left(double t) const { return std::min(t, left_of_limit_); }
  bool is_first() const { return accepted_ == 0; }
  Status evaluate(double t, ConstVec y, VecRef out) {
    ++statistics_.evaluations;
    return form_.derivative(t, y, out);
  }
  // rms(eᵢ/scᵢ) over the components tested, scᵢ = atol·scale + rtol·max(|y₀|, |y₁|), with magnitude1_ known; notes the worst one.
  double weighted(const Vec& error);

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  double t0_ = 0, t1_ = 0;
  double left_of_limit_ = 0;     // the last instant before a possible discontinuity
  Vec y0_, y1_, k0_, k1_;        // ends of the last step and slopes there
  Vec magnitude0_, magnitude1_;  // of y0_ and y1_
  long accepted_ = 0;            // steps since the start or a discontinuity
  int worst_ = -1;               // component with the largest share in the last error
  const Vec* end_ =
      &y1_;  // where the next step begins: the formulation may have changed y behind the last one

 private:
  friend class StepLoop;
};

}  // namespace driftless
