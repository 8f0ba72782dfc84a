// Backward differentiation formulas; here on residual forms, fixed step and order (on ODE forms: bdf_ode.cpp).      García de Jalón & Bayo (7.52)–(7.56); Gear 1971
//   Σ wᵢ qᵢ = v₁ − W⁻¹J_hᵀμ,   a₁ = Σ wᵢ vᵢ,   wᵢ the weights of the derivative at t₁ on t₁, t₀, …, t₁₋ₖ              (1)
//   M a₁ + J₁ᵀλ₁ = f₁,   the rows of the form                                                                        (2)
// For w at any spacing, so that the last step before a discontinuity may be shorter:
//   w₀ = Σ 1/(s₀−sⱼ),   wᵢ = 1/(sᵢ−s₀) Π_{j≠0,i} (s₀−sⱼ)/(sᵢ−sⱼ)                                                     (3)
// Newton's unknowns are (q, hv, h²λ/m̄, hμ), its rows (1) times h, (2) times h²/m̄, velocity rows times h: regular as h → 0:
//   [ hw₀I    −I             0    Sh⁰ ]
//   [ h²K/m̄   (hw₀M + hC)/m̄ …   Jᵀ   0   ]
//   [ ∂rows/∂q, ∂rows/∂(hv)        0   ]                                                                             (4)
// Order k in q, v and λ (constant steps) once k values are known: the first k − 1 steps are rk4 steps of the index-1
// equations, projected. Options: order (2), newton_tol (1e-8). Needs q̇ = v (not quaternions with angular velocities).
#include <algorithm>
#include <array>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/bdf_ode.hpp"
#include "driftless/integrator/residual_scheme.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

constexpr int kMaxOrder = 5;

int bdf_order(const Options& options, bool is_fixed) {
  const std::string& order = options.choice("order");
  if (order == "auto") return is_fixed ? 2 : kMaxOrder;
  return order[0] - '0';
}

class Bdf final : public ResidualScheme {
 public:
  Bdf(OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
      : ResidualScheme(form, statistics, control, options),
        order_(bdf_order(options, true)),
        projection_(make_projection(form_.system(), nullptr)),
        past_(form.size(), kMaxOrder),
        sum_(form.size()),
        k_(form.size(), 4),
        stage_(form.size()),
        dynamics_(nv_),
        slip_(nv_) {}

 private:
  void begin() override {
    projection_->drop_rows(form_.dropped_rows());
    count_ = 0;
    rows_.resize(form_.rows());
    slip_tangent_.resize(nv_, form_.slips());
    size_newton(2 * nv_ + form_.multipliers() + form_.slips());
  }

  Status step(double h, double t1) override {
    remember();
    if (count_ < order_) return first_step(h, t1);
    weigh(t1);
    if (const Status status = newton(h, t1); status != Status::ok) return status;
    if (form_.integrates_work()) {
      power_ = form_.power(point_);
      work_ = (power_ - sum_[sum_.size() - 1]) / weights_[0];
    }
    return Status::ok;
  }

  // The newest of the past values in column 0.
  void remember() {
    for (int j = kMaxOrder - 1; j > 0; --j) {
      past_.col(j) = past_.col(j - 1);
      times_[size_t(j)] = times_[size_t(j - 1)];
    }
    past_.col(0).head(nq_) = point_.q;
    past_.col(0).segment(nq_, nv_) = point_.v;
    if (form_.integrates_work()) past_(past_.rows() - 1, 0) = work_;
    times_[0] = t0_;
    count_ = std::min(count_ + 1, kMaxOrder);
  }

  // (3), and the sums over the past.
  void weigh(double t1) {
    weights_[0] = 0;
    sum_.setZero();
    for (int i = 1; i <= order_; ++i) {
      const double si = times_[size_t(i - 1)];
      weights_[0] += 1 / (t1 - si);
      double w = 1 / (si - t1);
      for (int j = 1; j <= order_; ++j)
        if (j != i) w *= (t1 - times_[size_t(j - 1)]) / (si - times_[size_t(j - 1)]);
      weights_[size_t(i)] = w;
      sum_ += w * past_.col(i - 1);
    }
  }

  // An rk4 step of the index-1 equations, put back on the constraints.
  Status first_step(double h, double t1) {
    constexpr double kNodes[] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; ++i) {
      stage_ = past_.col(0);
      if (i > 0) stage_ += h * kNodes[i] * k_.col(i - 1);
      const double t = i == 3 ? t1 : t0_ + kNodes[i] * h;
      ++statistics_.evaluations;
      if (const Status status = form_.derivative(t, stage_, k_.col(i)); status != Status::ok) return status;
    }
    stage_ = past_.col(0) + h / 6 * (k_.col(0) + 2 * k_.col(1) + 2 * k_.col(2) + k_.col(3));
    point_.t = t1;
    point_.q = stage_.head(nq_);
    point_.v = stage_.segment(nq_, nv_);
    if (const Status status = projection_->settle(t1, point_.q, point_.v); status != Status::ok)
      return status;
    if (form_.integrates_work()) work_ = stage_[stage_.size() - 1];
    if (const Status status = form_.complete(point_); status != Status::ok) return status;
    if (form_.integrates_work()) power_ = form_.power(point_);
    return Status::ok;
  }

  // Positions and velocities by the polynomial through the past; accelerations from (1).
  void predict(double, double t1) override {
    point_.t = t1;
    stage_.setZero();
    for (int i = 0; i < order_; ++i) {
      double w = 1;
      for (int j = 0; j < order_; ++j)
        if (j != i) w *= (t1 - times_[size_t(j)]) / (times_[size_t(i)] - times_[size_t(j)]);
      stage_ += w * past_.col(i);
    }
    point_.q = stage_.head(nq_);
    point_.v = stage_.segment(nq_, nv_);
    point_.mu.setZero();
    set_acceleration();
  }

  void set_acceleration() { point_.a = weights_[0] * point_.v + sum_.segment(nq_, nv_); }

  void fill_matrix(double h, Mat& W) override {  // (4)
    const int m = form_.multipliers(), rows = form_.rows(), slips = form_.slips();
    mass_ = tangent_.M.diagonal().mean();
    W.setZero();
    W.topLeftCorner(nv_, nv_).diagonal().setConstant(h * weights_[0]);
    W.block(0, nv_, nv_, nv_).diagonal().setConstant(-1);
    if (slips > 0) {
      form_.slip_tangent(tangent_, slip_tangent_);
      W.block(0, 2 * nv_ + m, nv_, slips) = slip_tangent_;
    }
    W.block(nv_, 0, nv_, nv_) = h * h / mass_ * tangent_.K;
    W.block(nv_, nv_, nv_, nv_) = h / mass_ * (weights_[0] * tangent_.M + tangent_.C);
    W.block(nv_, 2 * nv_, nv_, m) = tangent_.J.transpose();
    W.block(2 * nv_, 0, rows, nv_) = tangent_.rows_q;
    W.block(2 * nv_, 0, rows, nv_).bottomRows(form_.velocity_rows()) *= h;
    W.block(2 * nv_, nv_, rows, nv_) = tangent_.rows_v;
  }

  void fill_residual(double h, Vec& r) override {
    form_.residual(point_, dynamics_, slip_, rows_);
    r.head(nv_) = h * (weights_[0] * point_.q + sum_.head(nq_) - point_.v + slip_);
    r.segment(nv_, nv_) = h * h / mass_ * dynamics_;
    r.tail(rows_.size()) = rows_;
    r.tail(form_.velocity_rows()) *= h;
  }

  double correct(double h, const Vec& d) override {
    const int m = form_.multipliers(), slips = form_.slips();
    point_.q += d.head(nv_);
    point_.v += d.segment(nv_, nv_) / h;
    point_.lambda += mass_ / (h * h) * d.segment(2 * nv_, m);
    if (slips > 0) point_.mu += d.tail(slips) / h;
    set_acceleration();
    const auto& scale = form_.system().layout().v_scale.array();
    return std::max((d.head(nv_).array() / scale).abs().maxCoeff(),
                    (d.segment(nv_, nv_).array() / scale).abs().maxCoeff());
  }

  int order_;
  std::unique_ptr<Stabilization> projection_;
  int count_ = 0;                                // past values known
  Mat past_;                                     // size of y × 5, newest first
  std::array<double, kMaxOrder> times_{};        // of the past values
  std::array<double, kMaxOrder + 1> weights_{};  // (3)
  Vec sum_;                                      // Σ_{i>0} wᵢ yᵢ
  Mat k_;                                        // slopes of a first step
  Vec stage_;
  double mass_ = 1;  // m̄
  Vec dynamics_, slip_, rows_;
  Mat slip_tangent_;
};

}  // namespace

extern const IntegratorRecord bdf_integrator;
const IntegratorRecord bdf_integrator = {
    .method = {"bdf",
               "backward differentiation of variable order 1 to 5; on residual forms fixed step and order",
               "Gear 1971; Garcia de Jalon & Bayo 1994, table 7.3 and (7.52)-(7.56)",
               {{.name = "order",
                 .kind = OptionKind::choice,
                 .default_value = "auto",
                 .choices = {"auto", "1", "2", "3", "4", "5"},
                 .help = "with --step the order (auto: 2), else the highest (auto: 5); 1 and 2 are A-stable"},
                newton_tolerance("1e-8")}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .form = FormKind::residual,
    .also_ode = true,
    .fixed_on_residual = true,
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      if (dynamic_cast<ResidualForm*>(&form) != nullptr)
        return std::make_unique<Bdf>(form, statistics, control, options);
      if (options.given("newton_tol"))
        throw InputError(
            "integrator bdf",
            Complaint{"--option newton_tol", "a residual form: index3, index2 or index2-ggl", "an ODE form",
                      "leave it out: there Newton's method follows rtol and atol"});
      return make_bdf_on_ode(form, statistics, control, bdf_order(options, control.step > 0));
    },
};

}  // namespace driftless
