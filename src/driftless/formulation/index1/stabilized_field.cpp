// Chin's stabilised vector fields: an ODE for which the constraints are an attracting set.              Chin (2.23)–(2.65)
//   q̇ = T (v − dq),   v̇ = a − dv,   a from [ M Jᵀ; J 0 ] [a; λ] = [f; γ]                                               (1)
// with corrections that vanish on the constraints. With g, r = J v − ν, gain κ (1/s), metric W, D = W⁻¹Jᵀ,
// P = D (J D)⁻¹, L = ∂r/∂q T:
//   full       (dq; dv) = κ V⁻¹Hᵀ(H V⁻¹Hᵀ)⁻¹ (g; r),   H = [J 0; L J]                             (2.30), (2.45)      (2)
//   both       dq = κ P g,   dv = κ P r                                                            W = M: (3.66)       (3)
//   transpose  dq = κ D g,   dv = κ D r                                                           (2.31), (2.50)      (4)
//   p1p2       dq = 0,       dv = P (2κ r + κ² g)                                                  (2.60)              (5)
//   p1i        dq = 0,       dv = D (2κ r + κ² J D g)                                              (2.61)              (6)
//   two-step   k = r + κ g,  μ = κ₂ (K₂V⁻¹K₂ᵀ)⁻¹ k,  K₂ = [L + κJ  J],  (dq; dv) = V⁻¹K₂ᵀ μ,
//              a with γ − κ r in place of γ                                                        (2.63), (2.64)      (7)
//   two-step-transpose  the same with μ = κ₂ k, not normalised: no solve, but the rates of K₂V⁻¹K₂ᵀ   (2.64)             (7a)
// where r and g are those of holonomic rows. A nonholonomic row is a constraint of index 2, (2.43): its g is zero, κ r
// stands for 2κ r in (5) and (6), and k = r in (7).
//
// full decreases |h| = |(g; r)| monotonically for every gain above 1/2, however fast the mechanism moves. The others do
// not: both needs a gain above the rates of the motion (κ > |L P|), p1p2 has Baumgarte's transients, p1i and transpose
// decay with the eigenvalues of J D. So full is the default, although it needs L (2 nv evaluations of J where the system
// has none of its own) and 2 m solves: both costs two solves, transpose and p1i none.
// Options: field; gain κ in 1/s (10; 1 to 50 is usual); kappa κ₂ for two-step (gain); weight=identity, W = 1 in units of
// the coordinates' scales: corrections along the normals of the constraints, Chin's advice; or mass, W = M, for full, both
// and p1p2 (which then is baumgarte with alpha = beta = gain). transpose and p1i depend on how rows are scaled: rows=unit
// divides every row by its length in the metric W at each evaluation, rows=raw takes them as they are.
// Explicit schemes need gain·h below 2 to 3, for transpose and p1i after multiplication by the largest eigenvalue of J D;
// the run remarks on it. Fails where J loses rank.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/carries_velocities.hpp"
#include "driftless/formulation/state_form.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/math/memory.hpp"
#include "driftless/system/kernels/full_correction.hpp"

namespace driftless {
namespace {

enum class Field { full, both, transpose, p1p2, p1i, two_step, two_step_transpose };

Field field_of(const std::string& name) {
  if (name == "both") return Field::both;
  if (name == "transpose") return Field::transpose;
  if (name == "p1p2") return Field::p1p2;
  if (name == "p1i") return Field::p1i;
  if (name == "two-step") return Field::two_step;
  if (name == "two-step-transpose") return Field::two_step_transpose;
  return Field::full;
}

void check_options(const Options& options) {
  const std::string& field = options.choice("field");
  const auto refuse = [&](const char* option, const std::string& expected, const std::string& found) {
    throw InputError("formulation stabilized-field",
                     Complaint{fmt::format("`option {}`", option), expected, found, ""});
  };
  const bool projects = field == "full" || field == "both" || field == "p1p2";
  if (options.choice("weight") == "mass" && !projects)
    refuse("weight", "'identity' (mass goes with full, both and p1p2)", fmt::format("'mass' with {}", field));
  if (options.given("kappa") && field != "two-step" && field != "two-step-transpose")
    refuse("kappa", "field=two-step or two-step-transpose, which have it", field);
  if (options.given("rows") && field != "transpose" && field != "p1i" && field != "two-step-transpose")
    refuse("rows",
           "field=transpose, p1i or two-step-transpose: the others do not depend on the scale of rows",
           field);
}

class StabilizedField final : public StateForm, public KeepsMemory, public CarriesVelocities {
 public:
  void keep(Memory& memory) override {
    if (tangents_) tangents_->keep(memory);
  }
  StabilizedField(const DescriptorSystem& system, const Options& options)
      : StateForm(system),
        name_(options.choice("field")),
        field_(field_of(name_)),
        by_mass_(options.choice("weight") == "mass"),
        unit_rows_(options.choice("rows") == "unit"),
        gain_(options.number("gain")),
        kappa_(options.given("kappa") ? options.number("kappa") : gain_),
        inverse_weight_(system.layout().v_scale.cwiseAbs2()),
        c_(m_),
        g_(Vec::Zero(m_)),
        r_(m_),
        s_(m_),
        u_(m_),
        row_weight_(Vec::Ones(m_)),
        dq_(Vec::Zero(nv_)),
        dv_(nv_),
        w_(nv_) {
    if (!by_mass_ && (field_ == Field::full || field_ == Field::both || field_ == Field::p1p2))
      weighted_ = make_weighted_motion_solver(system.layout(), inverse_weight_.cwiseInverse());
    if (field_ == Field::full || has_two_steps()) {
      tangents_ = std::make_unique<Tangents>(system.make_tangents({.velocity = true}));
      elsewhere_ = system.make_terms();
    }
    if (field_ == Field::full) full_ = std::make_unique<FullCorrection>(system.layout());
    if (has_two_steps()) {
      C_.resize(m_, nv_);
      scaled_.resize(m_, nv_);
      N_.resize(m_, m_);
      (void)llt_.compute(Mat::Identity(m_, m_));
    }
    if (field_ == Field::transpose || field_ == Field::p1i) direction_ = Vec::LinSpaced(m_, 1, 2);
  }

  Status derivative(double t, ConstVec y, VecRef ydot) override {
    const auto q = q_of(y);
    const auto v = x_of(y);
    system_.evaluate(t, q, v, terms_);
    velocity_residual(terms_, v, r_);
    g_.head(mh_) = terms_.g;
    if (const Status status = factor(terms_); status != Status::ok) return status;
    c_ = terms_.gamma;
    if (has_two_steps()) c_.head(mh_) -= gain_ * r_.head(mh_);  // (7)
    if (const Status status = solver_->solve(terms_.f, c_, x_of(ydot), lambda_); status != Status::ok)
      return status;                                                      // (1)
    for (const int row : solver_->dropped_rows()) r_[row] = g_[row] = 0;  // others hold them
    if (const Status status = correct(t, q, v); status != Status::ok) return status;
    x_of(ydot) -= dv_;
    w_ = v - dq_;
    system_.kinematics(t, q, w_, q_of(ydot));
    power(t, q, v, lambda_, ydot);
    return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
  }

  void begin_step(double h) override {
    StateForm::begin_step(h);
    rate_ = gain_;
    if (direction_.size() > 0) rate_ *= largest_eigenvalue();
    largest_ = std::max(largest_, rate_ * h);
  }

  void drop_rows(std::span<const int> rows) override {
    StateForm::drop_rows(rows);
    if (weighted_) weighted_->drop_rows(rows);
    followed_.assign(rows.begin(), rows.end());
  }

  std::string remark() const override {
    if (largest_ <= 1) return {};
    return fmt::format(
        "stabilized-field: field={} pulls back {:.2g} times per step (above 1): explicit schemes diverge "
        "between 2 and 3.3; {}",
        name_, largest_,
        direction_.size() > 0 ? "a smaller gain or step, or field=both, which has no such factor in its rate"
                              : "a smaller gain or step would be more accurate");
  }

 private:
  bool has_two_steps() const { return field_ == Field::two_step || field_ == Field::two_step_transpose; }

  Status correct(double t, ConstVec q, ConstVec v) {
    switch (field_) {
      case Field::full: {
        find_velocity_tangent(t, q, v);
        MotionSolver* solver = metric();
        if (solver == nullptr) return trouble_;
        if (const Status status = full_->solve(*solver, tangents_->L, g_, r_, dq_, dv_); status != Status::ok)
          return status;  // (2)
        dq_ *= gain_;
        dv_ *= gain_;
        return Status::ok;
      }
      case Field::both: {
        MotionSolver* solver = metric();
        if (solver == nullptr) return trouble_;
        if (const Status status = solver->project(g_, dq_); status != Status::ok) return status;
        if (const Status status = solver->project(r_, dv_); status != Status::ok) return status;
        dq_ *= gain_;  // (3)
        dv_ *= gain_;
        return Status::ok;
      }
      case Field::p1p2: {
        MotionSolver* solver = metric();
        if (solver == nullptr) return trouble_;
        s_ = gain_ * gain_ * g_ + gain_ * r_;
        s_.head(mh_) += gain_ * r_.head(mh_);
        return solver->project(s_, dv_);  // (5)
      }
      case Field::transpose:
        weigh_rows();
        along_normals(gain_ * g_, dq_);  // (4)
        along_normals(gain_ * r_, dv_);
        return Status::ok;
      case Field::p1i:
        weigh_rows();
        along_normals(gain_ * g_, dv_);
        rows_times(dv_, s_);  // κ J D g
        s_ = gain_ * s_ + gain_ * r_;
        s_.head(mh_) += gain_ * r_.head(mh_);
        for (const int row : solver_->dropped_rows()) s_[row] = 0;
        along_normals(s_, dv_);  // (6)
        return Status::ok;
      case Field::two_step:
      case Field::two_step_transpose:
        return two_steps(t, q, v);
    }
    return Status::ok;
  }

  // The solver of W and J, factored at this point; null: trouble_ says why.
  MotionSolver* metric() {
    if (by_mass_) return solver_.get();
    if (followed_ != solver_->dropped_rows()) {  // another choice of the redundant rows: follow it
      followed_ = solver_->dropped_rows();
      weighted_->drop_rows(followed_);
    }
    if (statistics != nullptr) ++statistics->factorizations;
    trouble_ = weighted_->factor(terms_);
    return trouble_ == Status::ok ? weighted_.get() : nullptr;
  }

  void find_velocity_tangent(double t, ConstVec q, ConstVec v) {
    dv_.setZero();
    s_.setZero();
    system_.tangents(t, q, v, dv_, s_, elsewhere_, *tangents_);
  }

  Status two_steps(double t, ConstVec q, ConstVec v) {  // (7)
    find_velocity_tangent(t, q, v);
    C_ = tangents_->L;
    for (int i = 0; i < mh_; ++i)
      for (SparseRows::InnerIterator e(terms_.J, i); e; ++e) C_(i, e.col()) += gain_ * e.value();
    s_ = r_ + gain_ * g_;  // k
    for (const int row : solver_->dropped_rows()) C_.row(row).setZero();
    if (field_ == Field::two_step_transpose) {
      if (unit_rows_) weigh_two_step_rows();
      s_.array() *= row_weight_.array();
      return correct_along_two_steps();
    }
    const auto scale = inverse_weight_.cwiseSqrt();
    scaled_.noalias() = C_ * scale.asDiagonal();
    N_.noalias() = scaled_ * scaled_.transpose();
    // J W⁻¹ Jᵀ is added column by column: J W⁻¹ (row of J)ᵀ.
    for (int j = 0; j < m_; ++j) {
      w_.setZero();
      for (SparseRows::InnerIterator e(terms_.J, j); e; ++e)
        w_[e.col()] = e.value() * inverse_weight_[e.col()];
      rows_times(w_, u_);
      N_.col(j) += u_;
    }
    for (const int row : solver_->dropped_rows()) {
      N_.row(row).setZero();
      N_.col(row).setZero();
      N_(row, row) = 1;
    }
    if (m_ > 0) {
      if (!llt_.compute(N_)) return Status::singular;
      llt_.solve_in_place(s_);
    }
    return correct_along_two_steps();
  }

  Status correct_along_two_steps() {
    s_ *= kappa_;  // μ
    dq_.noalias() = C_.transpose() * s_;
    dq_.array() *= inverse_weight_.array();
    dv_.setZero();
    add_transposed_rows(terms_, 1, s_, dv_);
    dv_.array() *= inverse_weight_.array();
    return Status::ok;
  }

  // (7a): the rows of K₂ taken as of unit length.
  void weigh_two_step_rows() {
    for (int i = 0; i < m_; ++i) {
      double square = C_.row(i).cwiseAbs2().dot(inverse_weight_.transpose());
      for (SparseRows::InnerIterator e(terms_.J, i); e; ++e)
        square += e.value() * e.value() * inverse_weight_[e.col()];
      row_weight_[i] = square > 0 ? 1 / square : 0;
    }
  }

  // Squares of the factors that give rows unit length in the metric W; a row that vanishes is left out.
  void weigh_rows() {
    if (!unit_rows_) return;
    for (int i = 0; i < m_; ++i) {
      double square = 0;
      for (SparseRows::InnerIterator e(terms_.J, i); e; ++e)
        square += e.value() * e.value() * inverse_weight_[e.col()];
      row_weight_[i] = square > 0 ? 1 / square : 0;
    }
  }

  // out = D s, rows weighted.
  template <class Rows>
  void along_normals(const Rows& s, Vec& out) {
    u_ = s.cwiseProduct(row_weight_);
    out.setZero();
    add_transposed_rows(terms_, 1, u_, out);
    out.array() *= inverse_weight_.array();
  }

  void rows_times(const Vec& x, Vec& out) const {
    for (int i = 0; i < m_; ++i) {
      double sum = 0;
      for (SparseRows::InnerIterator e(terms_.J, i); e; ++e) sum += e.value() * x[e.col()];
      out[i] = sum;
    }
  }

  // Of J D: two steps of the power method from the vector of the last time. For the remark only.
  double largest_eigenvalue() {
    double eigenvalue = 0;
    for (int k = 0; k < 2; ++k) {
      const double size = direction_.norm();
      if (!(size > 0)) {  // nothing evaluated yet
        direction_.setLinSpaced(1, 2);
        return 0;
      }
      direction_ /= size;
      along_normals(direction_, w_);
      rows_times(w_, direction_);
      eigenvalue = direction_.norm();
    }
    return std::isfinite(eigenvalue) ? eigenvalue : 0;
  }

  const std::string name_;
  const Field field_;
  const bool by_mass_, unit_rows_;
  const double gain_, kappa_;
  const Vec inverse_weight_;  // nv   W⁻¹ for weight=identity
  std::unique_ptr<MotionSolver> weighted_;
  std::vector<int> followed_;  // rows dropped in weighted_
  Status trouble_ = Status::ok;
  std::unique_ptr<Tangents> tangents_;  // L
  Terms elsewhere_;                     // for it
  Mat C_, scaled_, N_;                  // two-step: K₂ = L + κJ, K₂V^(−1/2), K₂V⁻¹K₂ᵀ
  DenseCholesky llt_;
  std::unique_ptr<FullCorrection> full_;
  Vec c_, g_, r_, s_, u_;  // m
  Vec row_weight_;         // m
  Vec dq_, dv_, w_;        // nv
  Vec direction_;          // m    largest_eigenvalue()
  double rate_ = 0, largest_ = 0;
};

}  // namespace

extern const FormulationRecord stabilized_field_formulation;
const FormulationRecord stabilized_field_formulation = {
    .method =
        {"stabilized-field",
         "index-1 equations with corrections that make the constraints an attracting set",
         "Chin 1995, (2.23)-(2.65)",
         {{.name = "field",
           .kind = OptionKind::choice,
           .default_value = "full",
           .choices = {"full", "both", "transpose", "p1p2", "p1i", "two-step", "two-step-transpose"},
           .help = "direction of the corrections: full is monotone, both and p1p2 cheap, transpose, p1i and "
                   "two-step-transpose need no solve"},
          {.name = "gain", .default_value = "10", .unit = "1/s", .min = 0, .help = "rate of the decay"},
          {.name = "kappa",
           .default_value = "10",
           .unit = "1/s",
           .min = 0,
           .help = "second rate of two-step and two-step-transpose; default: gain"},
          {.name = "weight",
           .kind = OptionKind::choice,
           .default_value = "identity",
           .choices = {"identity", "mass"},
           .help = "metric of the corrections; identity counts in units of the coordinates' scales"},
          {.name = "rows",
           .kind = OptionKind::choice,
           .default_value = "unit",
           .choices = {"unit", "raw"},
           .help = "transpose, p1i, two-step-transpose: rows divided by their length, or as they are"}}},
    .default_integrator = "dopri5",
    .default_stabilization = "none",
    .make = [](const DescriptorSystem& system, const Options& options) -> std::unique_ptr<OdeForm> {
      check_options(options);
      return std::make_unique<StabilizedField>(system, options);
    },
};

}  // namespace driftless
