// What implicit schemes solve: the equations of a stage, in its values U and the derivative U̇ the scheme makes of them,
//   R(t, U, U̇) = 0                                                                                                     (1)
//   ODE forms       U = y,                U̇ − F(t, U)                                                    ode_stages.hpp
//   residual forms  U = (y, λ, μ),        those of residual_form.hpp: index 3, 2, 2 with both rows        dae_stages.hpp
// The first entries of U are y in both. With U̇ = (z − G)/c, U = y + z, a correction of z solves
//   (∂R/∂U + ∂R/∂U̇/c) d = R,   z ← z − d,   c real or complex                                                           (2)
// with derivatives frozen where they were renewed. Sizes of corrections and errors of y, multipliers left out:
//   |d| = rms(dᵢ/scᵢ),   scᵢ = atol·scale + rtol·|y|; with fixed steps scale + |y|                                       (3)
#pragma once

#include <complex>
#include <memory>

#include "driftless/integrator/carried.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

class StageSystem {
 public:
  using Complex = std::complex<double>;
  using ComplexVec = Eigen::VectorXcd;
  virtual ~StageSystem() = default;

  int size() const { return size_; }  // of U

  // ---- steps
  virtual Status begin(double t, Vec& y, Vec& slope) = 0;  // a start: the slope there
  // A step begins: its weights. That of the step to try now.
  virtual void open(const StepControl& control, double t, const Vec& y, const Vec& slope);
  virtual void prepare(double h) = 0;
  const Vec& start() const { return start_; }        // U there
  virtual void guess(double c, VecRef z) const = 0;  // U at t + c less that, with nothing known of past steps
  // The end of a step, where (1) holds: y, and what is known of its slope. Then, as it was settled: the slope.
  virtual Status end(double t, const Vec& U, const Vec& Udot, Vec& y, Vec& slope) = 0;
  virtual Status close(double t, const Vec& y, Vec& slope) = 0;
  // A first step of order 4 by other means, for schemes that need a past; of residual forms.
  virtual Status explicit_step(double /*h*/, double /*t1*/, Vec& /*y*/, Vec& /*slope*/) {
    return Status::not_converged;
  }
  virtual void accept(double /*t*/) { is_current_ = false; }
  virtual void undo() {}  // the step is given up
  virtual bool tell(double /*t*/, Carried&) const { return false; }
  virtual bool settles_itself() const { return false; }     // its own equations keep the constraints
  virtual bool velocities_follow() const { return false; }  // of positions, by an order less: index 3
  virtual int work() const { return -1; }  // the entry of U that is W, where its rate follows from the others

  // ---- (1)
  virtual Status residual(double t, const Vec& U, const Vec& Udot, VecRef r) = 0;
  // E − R(t, U, 0), without the rows: what the step of an estimate starts from, at the start of the step or at U.
  virtual Status start_defect(const Vec& E, Vec& r) = 0;
  virtual Status defect(const Vec& U, const Vec& E, Vec& r) = 0;

  // ---- derivatives
  virtual Status renew_at_start() = 0;
  virtual Status renew_at_last() = 0;           // where residual() was called last
  virtual bool use_central() { return false; }  // better ones, where they come of differences
  virtual void forget() { is_known_ = is_current_ = false; }
  bool is_known() const { return is_known_; }
  bool is_current() const { return is_current_; }  // of the start of this step
  void leave() { is_current_ = false; }

  // ---- (2): factors for c, made where c or the derivatives are others than before; where that fails, so does every solve. Another c is
  // one that differs by more than rounding does: times of steps are rounded, and so are weights of past values.
  virtual void factor(double c) = 0;
  virtual void factor(Complex c) = 0;
  virtual Status solve(const Vec& r, Vec& d) = 0;
  virtual Status solve(const ComplexVec& r, ComplexVec& d) = 0;
  // Whether a correction of this size is what round-off in (1) makes, where residual() was called last.
  virtual bool is_round_off(double /*size*/) { return false; }

  // ---- (3); errors may be those of the first entries of y only
  double norm(ConstVec d) const;
  int worst(ConstVec d) const;                    // the component with the largest share
  const Vec& weights() const { return weight_; }  // 1/sc, 0 where not tested
  virtual double size_of_error(ConstVec e, const Vec& /*y1*/) { return norm(e); }
  double coarsest() const { return coarsest_; }  // largest (scale + |y|)/sc

  virtual void keep(Memory& memory) = 0;

 protected:
  StageSystem(OdeForm& form, Statistics& statistics);
  void weigh(const Vec& magnitude);
  template <class Scalar>
  static bool is_same(Scalar c, Scalar factored) {
    return std::abs(c - factored) <= 1e-9 * std::abs(factored);
  }
  static void keep_c(Memory& memory, double& c) { memory(c); }
  static void keep_c(Memory& memory, Complex& c) {
    double real = c.real(), imaginary = c.imag();
    memory(real);
    memory(imaginary);
    c = {real, imaginary};
  }

  OdeForm& form_;
  Statistics& statistics_;
  StepControl control_;
  int size_;
  double t0_ = 0;
  Vec start_;
  Vec magnitude_, weight_;
  bool is_known_ = false, is_current_ = false;

 private:
  int tested_ = 1;
  double coarsest_ = 0;
};

// That of a form.
std::unique_ptr<StageSystem> make_stages(OdeForm& form, Statistics& statistics);

}  // namespace driftless
