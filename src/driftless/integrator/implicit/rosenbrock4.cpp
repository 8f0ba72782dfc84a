// Rosenbrock scheme RODAS of six stages, order 4(3), with error control or fixed steps: implicit without iterations, each
// stage is one linear system with the same matrix.                                             Hairer & Wanner IV.7, VI.4
//   (I/(γh) − A) uᵢ = F(t + αᵢh, y + Σ_{j<i} aᵢⱼ uⱼ) + (1/h) Σ_{j<i} cᵢⱼ uⱼ + δᵢ h ∂F/∂t,   A = ∂F/∂y at (t, y)           (1)
//   y₁ = y + Σ_{j<5} a₅ⱼ uⱼ + u₅ + u₆,   the error of the embedded solution of order 3 is u₆                             (2)
//   dense output of order 3:  y(θ) = (1−θ) y + θ (y₁ + (1−θ)(Σ Dⱼ uⱼ + θ Σ Eⱼ uⱼ))                                       (3)
// γ = 1/4: L-stable, stiffly accurate, error estimate bounded where h|A| is large.
// The order rests on A and ∂F/∂t being exact: both are made anew in every step. A from the form where it knows it: Π in independent
// coordinates, the blocks of the equations of motion on index-1 forms (form_matrix.hpp); elsewhere by central differences.
//   ∂F/∂t ≈ (−3 F(t) + 4 F(t + δ) − F(t + 2δ))/(2δ),  δ = h/1000; zero where F(t + δ) = F(t) to round-off                               (4)
// Work is carried along without a row in A: W₁ = W + h/6 (Ẇ + 4Ẇ(½) + Ẇ₁), Ẇ(½) at (3); one evaluation more, and cubic between (5)
// Step sizes: implicit_scheme.hpp with prediction. Options: none.
// Cost: six evaluations and back-substitutions, one to three evaluations for A and (4), an LU, every step; never more, so it
// suits real time. Fails where forces jump with the state. For modest tolerances; Radau and sdirk4 keep A and factors for
// many steps.
#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/integrator/implicit/implicit_scheme.hpp"

namespace driftless {
namespace {

struct Rodas {
  static constexpr double kGamma = 0.25;
  static constexpr std::array<double, 6> kNodes = {0, 0.386, 0.21, 0.63, 1, 1};
  static constexpr std::array<double, 6> kTime = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
  static constexpr double kA[5][4] = {
      {},
      {1.544},
      {0.9466785280815826, 0.2557011698983284},
      {3.314825187068521, 2.896124015972201, 0.9986419139977817},
      {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}};
  static constexpr double kC[6][5] = {
      {},
      {-5.6688},
      {-2.430093356833875, -0.2063599157091915},
      {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
      {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
      {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
  static constexpr double kD[5] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
                                   -7.992771707568823, 1.025137723295662};
  static constexpr double kE[5] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                                   24.76722511418386, -6.594389125716872};
};

constexpr double kTimeIncrement = 1e-3, kRoundOffOfF = 1e-14;  // (4)

class Rosenbrock4 final : public ImplicitScheme {
 public:
  Rosenbrock4(OdeForm& form, Statistics& statistics, const StepControl& control)
      : ImplicitScheme(form,
                       statistics,
                       control,
                       {.order = 4,
                        .k = 4,
                        .grow = 6,
                        .cut = 0.2,
                        .iterations = 1,
                        .predicts = true,
                        .theta_J = kAlways}),
        u_(form.size(), 6),
        D_(Vec::Zero(form.size())),
        E_(Vec::Zero(form.size())),
        stage_(form.size()),
        F_(form.size()),
        slope_(form.size()),
        right_(form.size()) {
    stages_->use_central();
  }

  Status close(double t1) override {
    if (!has_work_) return Scheme::close(t1);
    const double h = t1 - t0_;
    const Eigen::Index i = y1_.size() - 1;
    stage_ = 0.5 * (y0_ + y1_ + 0.5 * (D_ + 0.5 * E_));
    if (const Status status = evaluate(left(t0_ + 0.5 * h), stage_, F_); status != Status::ok) return status;
    if (const Status status = Scheme::close(t1); status != Status::ok) return status;
    const double gain = h / 6 * (k0_[i] + 4 * F_[i] + k1_[i]);  // (5)
    y1_[i] = y0_[i] + gain;
    D_[i] = h * k0_[i] - gain;
    E_[i] = gain - D_[i] - h * k1_[i];
    return Status::ok;
  }

  void interpolate(double t, VecRef y) const override {  // (3)
    const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
    if (theta == 1)
      y = y1_;
    else  // as it stands here: exact where y is constant, as what forms carry is
      y = y0_ + theta * ((y1_ - y0_) + rest * (D_ + theta * E_));
  }

 private:
  static constexpr double kAlways = -1;  // A is that of every step's beginning
  std::span<const double> stage_times() const override { return {Rodas::kNodes.data() + 1, 4}; }

  Status solve(double h, double) override {
    if (const Status status = renew_jacobian(); status != Status::ok) return status;
    note_theta(1);
    stages_->factor(Rodas::kGamma * h);
    if (const Status status = differentiate_in_time(h); status != Status::ok) return status;
    y1_ = y0_;
    for (size_t i = 0; i < 6; ++i)
      if (const Status status = make_stage(i, h); status != Status::ok) return status;
    y1_ += u_.col(5);  // (2)
    D_.setZero();
    E_.setZero();
    for (int j = 0; j < 5; ++j) {
      D_ += Rodas::kD[j] * u_.col(j);
      E_ += Rodas::kE[j] * u_.col(j);
    }
    if (is_fixed()) return Status::ok;
    right_ = u_.col(5);
    iterations_ = 1;
    return judge(right_);
  }

  // uᵢ of (1) times γh, with I − γhA; y1_ holds y + Σ a₅ⱼ uⱼ from the fifth stage on, plus u₅ for the sixth.
  Status make_stage(size_t i, double h) {
    const auto column = [&](size_t j) { return u_.col(static_cast<Eigen::Index>(j)); };
    const Vec* at = &y0_;
    if (i >= 1 && i < 5) {
      Vec& to = i == 4 ? y1_ : stage_;
      to = y0_;
      for (size_t j = 0; j < i; ++j) to += Rodas::kA[i][j] * column(j);
      at = &to;
    } else if (i == 5) {
      y1_ += column(4);
      at = &y1_;
    }
    if (i == 0)
      F_ = k0_;
    else if (const Status status = evaluate(left(t0_ + Rodas::kNodes[i] * h), *at, F_); status != Status::ok)
      return status;
    right_ = F_;
    for (size_t j = 0; j < i; ++j) right_ += Rodas::kC[i][j] / h * column(j);
    if (depends_on_time_ && Rodas::kTime[i] != 0) right_ += Rodas::kTime[i] * h * slope_;
    right_ *= Rodas::kGamma * h;
    if (const Status status = ode().filter(right_); status != Status::ok) return status;
    column(i) = right_;
    return Status::ok;
  }

  // (4), once a step: what is rejected is tried again from the same place.
  Status differentiate_in_time(double h) {
    if (knows_slope_at_ == t0_ && knows_slope_) return Status::ok;
    double delta = kTimeIncrement * h;
    const double t = left(t0_ + delta);
    delta = t - t0_;
    if (const Status status = evaluate(t, y0_, F_); status != Status::ok) return status;
    right_ = F_ - k0_;
    depends_on_time_ = delta > 0 && max_abs(right_) > kRoundOffOfF * max_abs(k0_);
    if (depends_on_time_) {
      if (const Status status = evaluate(t0_ + 2 * delta, y0_, slope_); status != Status::ok) return status;
      slope_ = (4 * F_ - 3 * k0_ - slope_) / (2 * delta);
    }
    knows_slope_ = true;
    knows_slope_at_ = t0_;
    return Status::ok;
  }

  void accept_own(double) override { knows_slope_ = false; }
  void forget_own() override {
    knows_slope_ = false;
    if (knows_work_) return;
    State state;  // whether the last entry is W
    stage_ = y1_;
    const double work = form_.unpack(t1_, stage_, state);
    stage_[stage_.size() - 1] += 1;
    has_work_ = form_.unpack(t1_, stage_, state) > work + 0.5;
    knows_work_ = true;
  }
  void keep_own(Memory&) override {}

  Mat u_;      // size × 6
  Vec D_, E_;  // of (3), of the last step
  Vec stage_, F_, slope_, right_;
  bool knows_slope_ = false, depends_on_time_ = false;
  double knows_slope_at_ = 0;
  bool knows_work_ = false, has_work_ = false;
};

}  // namespace

extern const IntegratorRecord rosenbrock4_integrator;
const IntegratorRecord rosenbrock4_integrator = {
    .method = {"rosenbrock4",
               "Rosenbrock scheme RODAS of order 4(3), L-stable: stiff equations without Newton iterations",
               "Hairer & Wanner, IV.7 and VI.4; named by Negrut, Haug & German 2003",
               {realtime_clock()}},
    .order = 4,
    .adaptive = true,
    .dense_output = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options&)
        -> std::unique_ptr<Integrator> { return make_steps_of<Rosenbrock4>(form, statistics, control); },
};

}  // namespace driftless
