// Diagonally implicit Runge–Kutta integrators: backward-euler (fixed steps), trapezoidal, implicit-midpoint, norsett2, norsett3, sdirk4; with error
// control or fixed steps. The tableaus are in dirk_tableau.hpp, the stage equations in dirk.hpp, Newton's method in
// newton.hpp, step sizes in implicit_scheme.hpp. One LU of I − γhA serves all stages.
// Error estimates e, accepted if rms(e/sc) ≤ 1, sc = atol·scale + rtol·|y₀|:
//   norsett2, norsett3, sdirk4   e = (I − γhA)⁻¹ (y₁ − ŷ): bounded where h|A| is large, unlike y₁ − ŷ itself             (1)
//   trapezoidal                  e = (I − hA/2)⁻¹ (y₁ − y_AB)/(3 (1 + 1/r)),  r = h/h_old,
//                                y_AB = y + h ((1 + r/2) F − (r/2) F_old); the first step: y_AB = y + h F                (2)
//   implicit-midpoint            two half steps against one: e = (y_h/2 − y_h)/3, y_h/2 is kept                          (3)
// Dense output: sdirk4 its own of order 3, Σ bᵢ(θ) h kᵢ; the others cubic Hermite.                                     (4)
//   backward-euler    order 1, L-stable: damps whatever is fast, and the rest a good deal
//   trapezoidal       order 2, A-stable, R(∞) = −1: fast parts ring on
//   implicit-midpoint order 2, A-stable, R(∞) = −1, symplectic, keeps quadratic invariants; rings as well; on index3 it is
//                     gssss V0(1,1,0) with constraint forces in the middle of the step (gssss.cpp)
//   norsett2          order 2, L-stable;   norsett3  order 3, A-stable, R(∞) = −0.73
//   sdirk4            order 4(3), L-stable, stiffly accurate; stage order 1, so stiff forcing reduces the order
// What Newton's method leaves adds up over the steps, so it is kept to κ = 0.01 of the tolerance (0.03 in the codes of Hairer &
// Wanner: 13 tolerances at the end of the slider-crank at 1e-9). The estimate of the Nørsett schemes is of order 1, so their
// steps are many and far more accurate than asked: κ = 3e-4.                                                            (5)
// Options: gamma = 4/15 or 1/4 (sdirk4). Fixed steps solve the stages to 1e-14 of scale + |y|; newton_tol (backward-euler).
// Cost: 1.2 to 3 evaluations and back-substitutions a stage, one evaluation at the end; a Jacobian and an LU where it is
// renewed (implicit_scheme.hpp); the midpoint rule with error control three times that. Fails where no step is short enough
// for Newton's method: a force that jumps with the state; the message then says not converged.
#include "driftless/integrator/implicit/dirk.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrator/implicit/implicit_scheme.hpp"
#include "driftless/integrator/structural/gssss.hpp"

namespace driftless {

DirkStages::DirkStages(const DirkTableau& data, OdeStages& stages, StageNewton& newton, int size)
    : tableau(data),
      z(Mat::Zero(size, data.stages)),
      error(size),
      stages_(stages),
      newton_(newton),
      G_(size) {
  const size_t s = size_t(data.stages);
  for (size_t j = 0; j < s; ++j) {
    inverse_[j][j] = 1 / data.gamma;
    for (size_t i = j + 1; i < s; ++i) {
      double sum = 0;
      for (size_t k = j; k < i; ++k) sum += data.a[i][k] * inverse_[k][j];
      inverse_[i][j] = -sum / data.gamma;
      alpha_[i][j] = sum;
    }
  }
  for (size_t j = 0; j < s; ++j)
    for (size_t i = j; i < s; ++i) {
      d_[j] += data.b[i] * inverse_[i][j];
      e_[j] += (data.b[i] - data.b_hat[i]) * inverse_[i][j];
    }
  if (s == 5) {
    std::array<double, 5> Ac{};
    for (size_t i = 0; i < s; ++i)
      for (size_t j = 0; j <= i; ++j) Ac[i] += data.a[i][j] * data.c[j];
    const auto weights = [&](size_t i, size_t p, size_t q) {
      const double det = data.c[p] * Ac[q] - data.c[q] * Ac[p];
      return std::array<double, 2>{(data.c[i] * Ac[q] - data.c[q] * Ac[i]) / det,
                                   (data.c[p] * Ac[i] - data.c[i] * Ac[p]) / det};
    };
    nu_ = {weights(2, 0, 1), weights(3, 0, 2)};
  }
  forget();
}

void DirkStages::guess(int i) {  // (3)
  const auto& c = tableau.c;
  if (i == 1) z.col(1) = c[1] / c[0] * z.col(0);
  if (i == 2) z.col(2) = nu_[0][0] * z.col(0) + nu_[0][1] * z.col(1);
  if (i == 3) z.col(3) = nu_[1][0] * z.col(0) + nu_[1][1] * z.col(2);
  if (i == 4) {
    z.col(4).setZero();
    for (int j = 0; j < 4; ++j) z.col(4) += (d_[size_t(j)] - e_[size_t(j)]) * z.col(j);
  }
}

Status DirkStages::solve(const Step& step, const Vec& y, const Vec& F, Vec& y1) {
  const double c = tableau.gamma * step.h;
  stages_.factor(c);
  theta = 0;
  for (int i = 0; i < tableau.stages; ++i) {
    guess(i);
    G_ = tableau.a0 * step.h * F;
    for (int j = 0; j < i; ++j) G_ += alpha_[size_t(i)][size_t(j)] * z.col(j);
    const double t = std::min(step.t + tableau.c[size_t(i)] * step.h, step.left_of_limit);
    const Status status = step.fully ? newton_.solve_fully(t, y, G_, c, z.col(i))
                                     : newton_.solve(t, y, G_, c, z.col(i), eta_[size_t(i)]);
    if (status != Status::ok) return status;
    theta = std::max(theta, newton_.monitor.theta);
    iterations = newton_.monitor.count;
  }
  y1 = y;
  if (tableau.a0 != 0) y1 += tableau.a0 * (1 - d_[0]) * step.h * F;
  for (int i = 0; i < tableau.stages; ++i) y1 += d_[size_t(i)] * z.col(i);  // (2)
  if (tableau.estimate == DirkTableau::Estimate::embedded) {
    error = e_[0] * z.col(0);
    for (int i = 1; i < tableau.stages; ++i) error += e_[size_t(i)] * z.col(i);
    return stages_.filter(error);
  }
  return Status::ok;
}

std::array<double, 5> DirkStages::dense_weights(double at) const {
  std::array<double, 5> out{};
  for (size_t i = 0; i < size_t(tableau.stages); ++i) {
    const auto& p = tableau.dense[i];
    const double b = at * (p[0] + at * (p[1] + at * (p[2] + at * p[3])));
    for (size_t j = 0; j <= i; ++j) out[j] += b * inverse_[i][j];
  }
  return out;
}

namespace {

constexpr double kFine = 3e-4, kUsual = 0.01;  // κ of (5)

class Dirk final : public ImplicitScheme {
 public:
  Dirk(const DirkTableau& tableau, OdeForm& form, Statistics& statistics, const StepControl& control)
      : ImplicitScheme(form,
                       statistics,
                       control,
                       {.order = tableau.order,
                        .k = tableau.k,
                        .grow = 4,
                        .cut = 0.25,
                        .iterations = 7,
                        .predicts = false,
                        .theta_J = 1e-3}),
        dirk_(tableau, ode(), newton_, form.size()),
        z_last_(Mat::Zero(form.size(), tableau.stages)),
        shift_(Vec::Zero(form.size())),
        work_(form.size()),
        half_(form.size()),
        F_half_(form.size()),
        F_old_(Vec::Zero(form.size())) {
    const bool is_fine = tableau.estimate == DirkTableau::Estimate::embedded && tableau.k == 2;
    newton_.monitor.kappa = is_fine ? kFine : kUsual;
  }

  // The last correction of fixed steps, instead of what it leaves.
  void solve_to(double tolerance) {
    newton_.fixed_tolerance = tolerance;
    newton_.monitor.is_plain = true;
  }

  void interpolate(double t, VecRef y) const override {
    if (!tableau().has_dense()) return Scheme::interpolate(t, y);
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1;
    if (theta == 1) {
      y = y1_;
      return;
    }
    const auto weights = dirk_.dense_weights(theta);  // (4)
    y = y0_ + theta * shift_;
    for (int i = 0; i < tableau().stages; ++i) y += weights[size_t(i)] * z_last_.col(i);
  }

 private:
  const DirkTableau& tableau() const { return dirk_.tableau; }
  std::span<const double> stage_times() const override {
    return {tableau().c.data(), size_t(tableau().stages)};
  }

  Status solve(double h, double) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    const bool doubles = tableau().estimate == DirkTableau::Estimate::doubling && !is_fixed();
    if (doubles) return attempt_twice(h);
    start_first_stage(h, k0_);
    if (const Status status = solve_stages(t0_, h, y0_, k0_, y1_); status != Status::ok) return status;
    if (is_fixed()) return Status::ok;
    if (tableau().estimate == DirkTableau::Estimate::embedded) return judge(dirk_.error);  // (1)
    const double r = h_last_ > 0 ? h / h_last_ : 0;
    work_ = y1_ - y0_ - h * k0_;
    if (r > 0) work_ -= 0.5 * r * h * (k0_ - F_old_);
    work_ /= r > 0 ? 3 * (1 + 1 / r) : 1;
    if (const Status status = ode().filter(work_); status != Status::ok) return status;  // (2)
    return judge(work_);
  }

  Status attempt_twice(double h) {  // (3)
    start_first_stage(h, k0_);
    if (const Status status = solve_stages(t0_, h, y0_, k0_, work_); status != Status::ok) return status;
    start_first_stage(h / 2, k0_);
    if (const Status status = solve_stages(t0_, h / 2, y0_, k0_, half_); status != Status::ok) return status;
    F_half_ = 2 / h * (half_ - y0_);  // the slope in the middle of the first half, to start from
    start_first_stage(h / 2, F_half_);
    if (const Status status = solve_stages(t0_ + h / 2, h / 2, half_, F_half_, y1_); status != Status::ok)
      return status;
    work_ = (y1_ - work_) / 3;
    return judge(work_);
  }

  Status solve_stages(double t, double h, const Vec& y, const Vec& F, Vec& y1) {
    const Status status = dirk_.solve({t, h, left_of_limit_, is_full()}, y, F, y1);
    note_theta(dirk_.theta);
    iterations_ = dirk_.iterations;
    return status;
  }

  void start_first_stage(double h, const Vec& F) {
    auto z = dirk_.z.col(0);
    if (is_cold()) dirk_.forget();  // nothing was predicted: one iteration has looked at the start alone
    if (is_cold() || (tableau().has_dense() && !knows_last_)) {
      z.setZero();
    } else if (tableau().has_dense()) {
      const auto ahead = dirk_.dense_weights(1 + tableau().gamma * h / h_last_);
      const auto end = dirk_.dense_weights(1);
      z.setZero();
      for (int i = 0; i < tableau().stages; ++i) z += (ahead[size_t(i)] - end[size_t(i)]) * z_last_.col(i);
    } else {
      z = tableau().c[0] * h * F;
    }
  }

  void accept_own(double h) override {
    if (tableau().has_dense()) {
      z_last_.swap(dirk_.z);
      shift_ = y1_ - y0_ - z_last_.col(tableau().stages - 1);  // what settling changed
      knows_last_ = true;
    }
    F_old_ = k0_;
    h_last_ = h;
  }

  void forget_own() override {
    dirk_.forget();
    knows_last_ = false;
    h_last_ = 0;
  }

  void keep_own(Memory& memory) override {
    dirk_.keep(memory);
    memory(knows_last_);
    memory(h_last_);
    memory(tableau().has_dense() ? z_last_ : no_stages_);
    memory(F_old_);
  }

  DirkStages dirk_;
  Mat z_last_;  // of the last accepted step
  Mat no_stages_;
  Vec shift_;
  Vec work_, half_, F_half_, F_old_;
  bool knows_last_ = false;
  double h_last_ = 0;  // 0: none
};

template <const DirkTableau& tableau>
std::unique_ptr<Integrator> make_dirk(OdeForm& form,
                                      Statistics& statistics,
                                      const StepControl& control,
                                      const Options&) {
  return make_steps_of<Dirk>(tableau, form, statistics, control);
}

std::unique_ptr<Integrator> make_midpoint(OdeForm& form,
                                          Statistics& statistics,
                                          const StepControl& control,
                                          const Options& options) {
  if (form.as_residual() != nullptr) return make_midpoint_on_index3(form, statistics, control);
  return make_dirk<kMidpoint>(form, statistics, control, options);
}

std::unique_ptr<Integrator> make_backward_euler(OdeForm& form,
                                                Statistics& statistics,
                                                const StepControl& control,
                                                const Options& options) {
  auto scheme = std::make_unique<Dirk>(kBackwardEuler, form, statistics, control);
  scheme->solve_to(options.number("newton_tol"));
  return std::make_unique<StepLoop>(std::move(scheme));
}

std::unique_ptr<Integrator> make_sdirk4(OdeForm& form,
                                        Statistics& statistics,
                                        const StepControl& control,
                                        const Options& options) {
  const bool quarter = options.choice("gamma") == "1/4";
  return make_steps_of<Dirk>(quarter ? kSdirk1_4 : kSdirk4_15, form, statistics, control);
}

}  // namespace

extern const IntegratorRecord backward_euler_integrator, trapezoidal_integrator, implicit_midpoint_integrator,
    norsett2_integrator, norsett3_integrator, sdirk4_integrator;

const IntegratorRecord backward_euler_integrator = {
    .method = {"backward-euler",
               "implicit Euler, fixed step; damps everything fast",
               "Hairer & Wanner, IV.1; Chin 1995, tables 2.1 and 2.2",
               {{.name = "newton_tol",
                 .default_value = "1e-10",
                 .min = 1e-15,
                 .max = 1e-3,
                 .help = "last Newton correction allowed, relative to scale and size of each component"},
                realtime_iterations()}},
    .order = 1,
    .adaptive = false,
    .dense_output = true,
    .make = &make_backward_euler};

const IntegratorRecord trapezoidal_integrator = {
    .method = {"trapezoidal",
               "trapezoidal rule; A-stable, rings on what is fast",
               "Garcia de Jalon & Bayo 1994, (7.19)",
               {realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .make = &make_dirk<kTrapezoidal>};

const IntegratorRecord implicit_midpoint_integrator = {
    .method = {"implicit-midpoint",
               "implicit midpoint rule; symplectic, keeps quadratic invariants, rings on what is fast",
               "Garcia de Jalon & Bayo 1994, (7.35); Hairer & Wanner, IV.3; Hoitink 2011, ch. 3",
               {realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .rows = {ResidualRows::position},
    .needs_vector_space = true,
    .make = &make_midpoint};

const IntegratorRecord norsett2_integrator = {
    .method = {"norsett2",
               "Norsett's two diagonally implicit stages, L-stable",
               "Garcia de Jalon & Bayo 1994, sec. 7.1.2; Norsett 1974",
               {realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .make = &make_dirk<kNorsett2>};

const IntegratorRecord norsett3_integrator = {
    .method = {"norsett3",
               "Norsett's two diagonally implicit stages of order 3, A-stable",
               "Garcia de Jalon & Bayo 1994, sec. 7.1.2 (corrected); Norsett 1974",
               {realtime_iterations()}},
    .order = 3,
    .adaptive = true,
    .dense_output = true,
    .make = &make_dirk<kNorsett3>};

const IntegratorRecord sdirk4_integrator = {
    .method = {"sdirk4",
               "five diagonally implicit stages of order 4(3), L-stable; for stiff equations",
               "Negrut, Haug & German 2003, sec. 4; Hairer & Wanner, IV.6",
               {{.name = "gamma",
                 .kind = OptionKind::choice,
                 .default_value = "4/15",
                 .choices = {"4/15", "1/4"},
                 .help = "diagonal of the tableau"},
                realtime_iterations()}},
    .order = 4,
    .adaptive = true,
    .dense_output = true,
    .make = &make_sdirk4};

}  // namespace driftless
