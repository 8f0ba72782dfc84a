// The penalty formulation as residuals, for schemes with positions as unknowns.       García de Jalón & Bayo (5.37), 7.2
//   ρ(t, q, v, a) = M a + Jᵀ λ* − f = 0,   λ* = α (J a − c)                                                       (1)
// with c and α of penalty_form.hpp and penalty_solver.hpp: no rows, no multipliers among the unknowns, a positive definite
//   ∂ρ/∂a = M + Jᵀ α J                                                                                            (2)
//   K = ∂(M a + Jᵀλ̄ − f)/∂q + Jᵀ α ∂(J a − c)/∂q,   C likewise by v                                                 (3)
// from the tangents of the system. λ̄ is that of the accelerations that fit (q, v): λ* where Newton's method starts is α times
// the error of a, and its Jᵀ-derivative alone would stop the iteration from converging. Options are those of `penalty`, but iterations
// stay 0: Newton's method has nothing left for them to do.
#include <cmath>
#include <limits>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/index1/penalty_form.hpp"
#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/math/linear/sparse_copy.hpp"

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
        one_(Vec::Ones(m_)),
        minus_one_(-one_),
        velocity_gain_(m_),
        position_gain_(Vec::Zero(m_)) {
    velocity_gain_.head(mh_).setConstant(rates_.gains().velocity);
    velocity_gain_.tail(m_ - mh_).setConstant(rates_.gains().nonholonomic);
    position_gain_.head(mh_).setConstant(rates_.gains().position);
    for (auto* sum : {&M_sum_, &K_sum_, &C_sum_}) sum->size(nv_);
    if (options.integer("iterations") > 0)
      throw InputError("settings",
                       Complaint{"`option iterations`", "0 with schemes on positions",
                                 options.values().find("iterations")->second,
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

  // By λ that fits (q, v): λ* is α times the error of a, which does no work.
  double power(const DaePoint& point) override {
    if (max_abs(terms_.nu) > 0 && solve(point.t, point.q, point.v, v_) != Status::ok)
      return std::numeric_limits<double>::quiet_NaN();
    return system_.applied_power(point.t, point.q, point.v, terms_) - lambda_.dot(terms_.nu);
  }

  void tangent(const DaePoint& point, DaeTangent& out) override {
    if (solve(point.t, point.q, point.v, v_) != Status::ok) lambda_.setZero();  // Newton's matrix will tell
    lambda_bar_ = lambda_;
    Tangents& all = tangents();
    system_.tangents(point.t, point.q, point.v, point.a, lambda_bar_, terms_, all);
    alpha_ = kernel().weights();
    sum_rows(M_sum_, terms_.M, out.M, [&](auto&& add) { add(terms_.J, one_); });  // (2)
    sum_rows(K_sum_, all.K, out.K, [&](auto&& add) {                              // (3)
      add(all.S_q, minus_one_);
      add(all.L, velocity_gain_);
      add(terms_.J, position_gain_);
    });
    sum_rows(C_sum_, all.C, out.C, [&](auto&& add) {
      add(all.S_v, minus_one_);
      add(terms_.J, velocity_gain_);
    });
  }

 protected:
  TangentParts parts() const override { return {.dynamics = true, .velocity = true, .acceleration = true}; }

 private:
  const PenaltyMotionSolver& kernel() const { return static_cast<const PenaltyMotionSolver&>(*solver_); }

  // out ← A + Jᵀ α (Σ diag(c) B), the pairs (B, c) being those that `rows` hands to its argument.
  template <class Rows>
  void sum_rows(SparseAssembly<double>& sum, const SparseRows& A, SparseRows& out, Rows&& rows) {
    sum.assemble([&](SparseAssembly<double>& W) {  // by columns: of the transpose
      W.add_transposed(A, 0, 0, 1.0);
      rows([&](const SparseRows& B, const Vec& c) {
        for (int i = 0; i < m_; ++i)
          for (SparseRows::InnerIterator r(terms_.J, i); r; ++r)
            for (SparseRows::InnerIterator e(B, i); e; ++e)
              W.add(static_cast<int>(e.col()), static_cast<int>(r.col()),
                    r.value() * alpha_[i] * c[i] * e.value());
      });
    });
    copy_sparse(Eigen::Map<const SparseRows>(nv_, nv_, Eigen::Index(sum.values().size()), sum.starts().data(),
                                             sum.rows().data(), sum.values().data()),
                out);
  }

  // (1); leaves all terms and λ* there.
  void dynamics_at(double t, ConstVec q, ConstVec v, ConstVec a, VecRef out) {
    system_.evaluate(t, q, v, terms_);
    rates_.gains().right_side(terms_, v, c_);
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
    rates_.gains().right_side(terms_, v, c_);
    return solver_->solve(terms_.f, c_, a, lambda_);
  }

  DampingRates rates_;
  Vec c_, alpha_, lambda_bar_;                           // m
  Vec one_, minus_one_, velocity_gain_, position_gain_;  // m
  SparseAssembly<double> M_sum_, K_sum_, C_sum_;
};

}  // namespace

std::unique_ptr<OdeForm> make_penalty_residual(const DescriptorSystem& system, const Options& options) {
  return std::make_unique<PenaltyResidual>(system, options);
}

}  // namespace driftless
