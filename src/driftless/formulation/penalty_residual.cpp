// The penalty formulation as residuals, for schemes with positions as unknowns.       García de Jalón & Bayo (5.37), 7.2
//   ρ(t, q, v, a) = M a + Jᵀ λ* − f = 0,   λ* = α (J a − c)                                                       (1)
// with c and α of penalty_form.hpp and penalty_solver.hpp: no rows, no multipliers among the unknowns, a positive definite
//   ∂ρ/∂a = M + Jᵀ α J                                                                                            (2)
//   K = ∂(M a + Jᵀλ̄ − f)/∂q + Jᵀ α ∂(J a − c)/∂q,   C likewise by v                                                 (3)
// with central differences. λ̄ is that of the accelerations that fit (q, v): λ* where Newton's method starts is α times
// the error of a, and its Jᵀ-derivative alone would stop the iteration from converging. Options are those of `penalty`, but iterations
// stay 0: Newton's method has nothing left for them to do.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/penalty_form.hpp"
#include "driftless/formulation/residual_form.hpp"

namespace driftless {
namespace {

class PenaltyResidual final : public ResidualForm {
 public:
  PenaltyResidual(const DescriptorSystem& system, const Options& options)
      : ResidualForm(system, Rows::none, {}, penalty_kernel(system, options)),
        rates_(options),
        c_(m_),
        alpha_(m_),
        lambda_bar_(m_),
        rows_plus_(m_),
        rows_minus_(m_),
        weighted_(m_, nv_),
        J_(m_, nv_),
        rows_q_(m_, nv_),
        rows_v_(m_, nv_) {
    if (options.integer("iterations") > 0)
      throw InputError(
          "command line",
          Complaint{"iterations", "0 with schemes on positions", options.values().find("iterations")->second,
                    "raise penalty, or use an integrator for ODE forms such as dopri5"});
  }

  void keep(Memory& memory) override {
    ResidualForm::keep(memory);
    keep_weights(*solver_, stabilization, memory);
    memory(lambda_bar_);
  }

  Status derivative(double t, ConstVec y, VecRef ydot) override {
    if (const Status status = solve(t, q_of(y), x_of(y), x_of(ydot)); status != Status::ok) return status;
    system_.kinematics(t, q_of(y), x_of(y), q_of(ydot));
    StateForm::power(t, q_of(y), x_of(y), lambda_, ydot);
    return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
  }

  Status complete(DaePoint& point) override { return solve(point.t, point.q, point.v, point.a); }

  void residual(const DaePoint& point, VecRef dynamics, VecRef slip, VecRef) override {
    dynamics_at(point.t, point.q, point.v, point.a, dynamics);
    slip.setZero();
  }

  double power(const DaePoint& point) override {
    return system_.applied_power(point.t, point.q, point.v, terms_) - lambda_.dot(terms_.nu);
  }

  void tangent(const DaePoint& point, DaeTangent& out) override {
    const Vec& scale = system_.layout().v_scale;
    const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
    if (solve(point.t, point.q, point.v, v_) != Status::ok) lambda_.setZero();  // Newton's matrix will tell
    lambda_bar_ = lambda_;
    const auto moved = [&](int j, double step, Vec& dynamics, Vec& rows) {
      difference_.delta[j] = step;
      difference_.q = point.q;
      system_.retract(difference_.q, difference_.delta);
      difference_.delta[j] = 0;
      parts_at(point.t, difference_.q, point.v, point.a, dynamics, rows);
    };
    difference_.delta.setZero();
    v_ = point.v;
    for (int j = 0; j < nv_; ++j) {
      double step = relative * scale[j];
      moved(j, step, plus_, rows_plus_);
      moved(j, -step, minus_, rows_minus_);
      out.K.col(j) = (plus_ - minus_) / (2 * step);
      rows_q_.col(j) = (rows_plus_ - rows_minus_) / (2 * step);
      step = relative * std::max(std::abs(point.v[j]), scale[j]);
      v_[j] = point.v[j] + step;
      parts_at(point.t, point.q, v_, point.a, plus_, rows_plus_);
      v_[j] = point.v[j] - step;
      parts_at(point.t, point.q, v_, point.a, minus_, rows_minus_);
      v_[j] = point.v[j];
      out.C.col(j) = (plus_ - minus_) / (2 * step);
      rows_v_.col(j) = (rows_plus_ - rows_minus_) / (2 * step);
    }
    out.M.setZero();
    for (int i = 0; i < nv_; ++i)
      for (SparseRows::InnerIterator e(terms_.M, i); e; ++e) out.M(i, e.col()) = e.value();
    J_.setZero();
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator e(terms_.J, i); e; ++e) J_(i, e.col()) = e.value();
    weighted_ = kernel().weights().asDiagonal() * J_;
    out.M.noalias() += J_.transpose() * weighted_;  // (2)
    out.K.noalias() += weighted_.transpose() * rows_q_;
    out.C.noalias() += weighted_.transpose() * rows_v_;
  }

 private:
  const PenaltyMotionSolver& kernel() const { return static_cast<const PenaltyMotionSolver&>(*solver_); }

  // M a + Jᵀλ̄ − f and J a − c.
  void parts_at(double t, ConstVec q, ConstVec v, ConstVec a, Vec& dynamics, Vec& rows) {
    system_.evaluate(t, q, v, terms_);
    rates_.right_side(terms_, v, c_);
    velocity_residual(terms_, a, rows);
    rows += terms_.nu - c_;
    mass_times(terms_, a, dynamics);
    add_transposed_rows(terms_, 1, lambda_bar_, dynamics);
    dynamics -= terms_.f;
  }

  // (1); leaves all terms and λ* there.
  void dynamics_at(double t, ConstVec q, ConstVec v, ConstVec a, VecRef out) {
    system_.evaluate(t, q, v, terms_);
    rates_.right_side(terms_, v, c_);
    velocity_residual(terms_, a, lambda_);
    kernel().weights_of(terms_.J, alpha_);  // of this position, whatever was factored last
    lambda_ = alpha_.cwiseProduct(lambda_ + terms_.nu - c_);
    mass_times(terms_, a, out);
    add_transposed_rows(terms_, 1, lambda_, out);
    out -= terms_.f;
  }

  Status solve(double t, ConstVec q, ConstVec v, VecRef a) {
    system_.evaluate(t, q, v, terms_);
    if (const Status status = factor(terms_); status != Status::ok) return status;
    rates_.right_side(terms_, v, c_);
    return solver_->solve(terms_.f, c_, a, lambda_);
  }

  DampingRates rates_;
  Vec c_, alpha_;                            // m
  Vec lambda_bar_, rows_plus_, rows_minus_;  // m
  Mat weighted_, J_, rows_q_, rows_v_;       // m × nv
};

}  // namespace

ResidualMaker residual_maker(const std::string& formulation) {
  if (formulation != "penalty") return nullptr;
  return [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<ResidualForm> {
    return std::make_unique<PenaltyResidual>(system, options);
  };
}

}  // namespace driftless
