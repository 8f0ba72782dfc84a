#include "driftless/integrator/sundials/sundials_scheme.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/integrator/hermite.hpp"
#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {
namespace {

constexpr int kMostRetries = 12;  // where settling fails

SunContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::runtime_error("SUNDIALS gives no context");
  return SunContext(context);
}

}  // namespace

SundialsScheme::SundialsScheme(OdeForm& form, Statistics& statistics, const StepControl& control)
    : form_(form),
      statistics_(statistics),
      control_(control),
      context_(make_context()),
      stages_(form, statistics),
      offset_(Vec::Zero(form.size())),
      at_(form.size()),
      y0_(form.size()),
      y1_(form.size()),
      F0_(Vec::Zero(form.size())),
      F1_(form.size()),
      F_end_(Vec::Zero(form.size())),
      y_behind_(form.size()),
      correction_(form.size()),
      offset_before_(Vec::Zero(form.size())),
      shift_(Vec::Zero(form.size())) {}

SunVector SundialsScheme::make_vector(Vec& memory) {
  return SunVector(N_VMake_Serial(memory.size(), memory.data(), context_.get()));
}

Status SundialsScheme::start(double t, ConstVec y, double horizon) {
  h_ = first_step_ = is_fixed() ? control_.step : std::min(control_.initial_step, horizon);
  left_of_limit_ = std::nextafter(t + horizon, t);
  begin_step(h_ > 0 ? h_ : 1e-3 * horizon);  // a guess: the solver has not chosen yet
  return restart(t, y);
}

Status SundialsScheme::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  y1_ = y0_ = y;
  changed_ = began_changed_ = has_polynomial_ = false;
  begins_ = true;
  stages_.forget();
  quadrature_.clear();
  save();
  ++statistics_.evaluations;
  return form_.derivative(t, y1_, F1_);
}

Status SundialsScheme::resume(const Checkpoint& from) {
  h_ = from.h;
  left_of_limit_ = std::numeric_limits<double>::infinity();
  const Status status = restart(from.t, from.y);
  origin_ = from.origin;
  n_ = from.n;
  save();
  return status;
}

Status SundialsScheme::advance(double t_limit) {
  if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
  y0_ = y();
  F0_ = F1_;
  t0_ = t1_;
  if (F0_.size() > 0) quadrature_.begin_step(t0_, F0_[F0_.size() - 1]);
  began_changed_ = changed_;
  changed_ = false;
  left_of_limit_ = std::nextafter(t_limit, t0_);
  FixedStep plan{0, t_limit, false};
  if (is_fixed()) plan = plan_fixed_step(origin_, n_, control_.step, t0_, t_limit);
  double t1 = t0_;
  bool is_again = false;
  Status status = Status::ok;
  for (int retries = 0; retries <= kMostRetries;) {
    if (begins_) {
      if (x_.size() != form_.size() + extra()) {
        x_.resize(form_.size() + extra());
        dense_.resize(x_.size());
        estimate_.resize(x_.size());
        weights_.resize(x_.size());
        dense_vector_ = make_vector(dense_);
        estimate_vector_ = make_vector(estimate_);
        weights_vector_ = make_vector(weights_);
      }
      tested_ = std::max(1, static_cast<int>((form_.scale().array() > 0).count()));
      x_.head(form_.size()) = y0_;
      offset_.setZero();
      begin(is_again || is_one_step() ? h_ : first_step_);
      first_step_ = 0;
      counted_ = counts();
      begins_ = false;
    }
    if (h_ > 0) begin_step(std::min(h_, t_limit - t0_));
    const double gap =
        256 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0_), std::abs(t_limit));
    status = t_limit - t0_ < gap ? nudge(t_limit, t1) : attempt(plan.t1, t1);
    const double end = status == Status::ok ? watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_) : t1;
    if (end < t1) {  // it passed over something sudden
      statistics_.fail_error_test();
      plan.t1 = end;
      h_ = end - t0_;
    } else {
      if (!asks_for_shorter_step(status) || is_fixed()) break;
      if (!has_polynomial_) {  // ARKODE gives up where F fails at an explicit stage, the others try shorter steps themselves
        if (!is_one_step() || !(evaluated_at_ > t0_)) break;
        t1 = evaluated_at_;
      }
      ++retries;  // settled or evaluated in vain
      statistics_.fail_to_converge();
      h_ = (t1 - t0_) / 4;
    }
    begins_ = is_again = true;
  }
  if (status != Status::ok) {  // the last good step stays readable
    t1_ = t0_;
    y1_ = y0_;
    has_polynomial_ = false;
    begins_ = true;
    return status;
  }
  ++statistics_.accepted;
  t1_ = t1;
  if (!is_fixed()) h_ = next_step();
  if (plan.on_grid) ++n_;
  if (is_fixed() ? plan.on_grid : t1_ < t_limit) save();
  return look_back();
}

// A step of the solver's, settled and closed. has_polynomial_ says afterwards whether the solver did its part.
Status SundialsScheme::attempt(double t_target, double& t) {
  last_ = Status::ok;
  offset_before_ = offset_;
  has_polynomial_ = false;
  const int flag = step(t_target, t);
  const Counts now = counts();
  const long too_large = now.error_test_failures - counted_.error_test_failures;
  const long unsolved = now.convergence_failures - counted_.convergence_failures;
  statistics_.fail_error_test(too_large);
  statistics_.fail_to_converge(unsolved);
  statistics_.newton_iterations += now.newton_iterations - counted_.newton_iterations;
  statistics_.factor_matrix(now.factorizations - counted_.factorizations);
  counted_ = now;
  if (too_large + unsolved > 0) note_worst();
  if (flag < 0) return meaning(flag);
  if (is_fixed()) t = t_target;
  has_polynomial_ = true;
  y1_ = x_.head(form_.size()) + offset_;
  return close(t);
}

Status SundialsScheme::close(double t1) {
  correction_.candidate = y1_;
  if (const Status status = form_.settle(left(t1), y1_); status != Status::ok) return status;
  if (!is_fixed()) correction_.note(t1, correction_norm());
  offset_ = y1_ - x_.head(form_.size());
  shift_ = offset_ - offset_before_;
  ++statistics_.evaluations;
  if (const Status status = form_.derivative(left(t1), y1_, F1_); status != Status::ok) return status;
  if (!has_work()) return Status::ok;
  const auto last = y1_.size() - 1;
  y1_[last] = y0_[last] + quadrature_.work(t1, t1, F1_[last], last_order());
  offset_[last] = y1_[last] - x_[last];
  return Status::ok;
}

bool SundialsScheme::has_work() const {
  const auto last = y0_.size() - 1;
  return last >= 0 && form_.scale()[last] == 0 && last_order() > 0 && (F0_[last] != 0 || F1_[last] != 0);
}

double SundialsScheme::correction_norm() {
  const Vec& scale = form_.scale();
  form_.magnitudes(y1_, at_);
  double sum = 0;
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    if (scale[i] == 0) continue;
    const double share =
        (y1_[i] - correction_.candidate[i]) / (control_.atol * scale[i] + control_.rtol * at_[i]);
    sum += share * share;
  }
  return std::sqrt(sum / tested_);
}

// Across a gap the solver refuses to start in: Euler.
Status SundialsScheme::nudge(double t_limit, double& t) {
  t = t_limit;
  y1_ = y0_ + (t_limit - t0_) * F1_;
  has_polynomial_ = false;
  begins_ = true;
  return Status::ok;
}

Status SundialsScheme::look_back() {
  y_behind_ = y1_;
  F_end_ = F1_;
  StepChange change = StepChange::same;
  if (const Status status = form_.after_step(t1_, y_behind_, change); status != Status::ok) return status;
  changed_ = change != StepChange::same;
  if (!changed_) return Status::ok;
  offset_ = y_behind_ - x_.head(form_.size());
  if (change == StepChange::redefined) {
    begins_ = true;
    stages_.forget();
  }
  ++statistics_.evaluations;
  return form_.derivative(left(t1_), y_behind_, F1_);
}

// ARKODE evaluates F for its polynomial: with the d the step was made with, not the one of the next.
bool SundialsScheme::polynomial_of_step(double t) const {
  offset_.swap(offset_before_);
  const bool is_good = polynomial(t, dense_vector_.get()) >= 0;
  offset_.swap(offset_before_);
  return is_good;
}

void SundialsScheme::interpolate(double t, VecRef y) const {
  const double theta = t1_ > t0_ ? (t - t0_) / (t1_ - t0_) : 1;
  if (theta == 1) {
    y = y1_;
  } else if (has_polynomial_ && is_one_step() && (began_changed_ || changed_)) {
    // ARKODE has its slopes at the ends from the d of other steps.
    interpolate_hermite(t0_, t1_, y0_, y1_, F0_, F_end_, t, y);
  } else if (has_polynomial_ && polynomial_of_step(t)) {
    y = dense_.head(form_.size()) + offset_before_ + theta * shift_;  // (3)
    if (const auto last = y.size() - 1; has_work())
      y[last] = y0_[last] + quadrature_.work(t, t1_, F_end_[last], last_order());
  } else {
    y = (1 - theta) * y0_ + theta * y1_;
  }
  // A choice of coordinates, written as a number, must come through to the last bit.
  const Vec& scale = form_.scale();
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (scale[i] == 0 && y0_[i] == y1_[i]) y[i] = y1_[i];
}

Checkpoint SundialsScheme::checkpoint() const {
  Checkpoint out = saved_;
  out.y = saved_.t == t1_ ? y() : y0_;
  return out;
}

void SundialsScheme::save() {
  saved_.t = t1_;
  saved_.origin = origin_;
  saved_.n = n_;
  saved_.h = h_;
}

// ---- callbacks -------------------------------------------------------------------------------------------------------

int SundialsScheme::verdict(Status status) {
  last_ = status;
  return status == Status::ok ? 0 : asks_for_shorter_step(status) ? 1 : -1;
}

int SundialsScheme::right_side(double t, N_Vector z, N_Vector out) {
  evaluated_at_ = t;
  at_ = view(z).head(form_.size()) + offset_;
  ++statistics_.evaluations;
  return verdict(form_.derivative(left(t), at_, view(out)));
}

int SundialsScheme::weigh(N_Vector z, N_Vector out) {
  const Vec& scale = form_.scale();
  auto weights = view(out);
  at_ = view(z).head(form_.size()) + offset_;
  form_.magnitudes(at_, weights.head(form_.size()));
  const double factor = std::sqrt(static_cast<double>(weights.size()) / tested_);
  for (Eigen::Index i = 0; i < scale.size(); ++i)
    weights[i] =
        scale[i] > 0 ? factor / (control_.atol * scale[i] + control_.rtol * weights[i]) : kNotTested;  // (2)
  return 0;
}

int SundialsScheme::jacobian(double t, N_Vector z, N_Vector F) {
  at_ = view(z).head(form_.size()) + offset_;
  return verdict(stages_.renew(left(t), at_, view(F).head(form_.size())));
}

void SundialsScheme::note_worst() {
  errors(estimate_vector_.get(), weights_vector_.get());
  estimate_.head(form_.size()).cwiseProduct(weights_.head(form_.size())).cwiseAbs().maxCoeff(&worst_);
}

// ---- flags and messages ----------------------------------------------------------------------------------------------

// The flags of CVODE, ARKODE and IDA agree as far as −8; below, all are about F.
Status SundialsScheme::meaning(int flag) const {
  switch (flag) {
    case -1:
      return Status::too_many_steps;
    case -2:  // more accuracy asked for than there is
    case -3:  // the error test failed with the smallest step
      return Status::step_too_small;
    default:  // the iteration failed, or F did
      return last_ == Status::ok ? Status::not_converged : last_;
  }
}

void SundialsScheme::take_message(int code, const char*, const char*, char* text, void* self) {
  if (code < 0) static_cast<SundialsScheme*>(self)->message_ = text;
}

std::string SundialsScheme::remark() const {
  return message_.empty() ? "" : fmt::format("SUNDIALS says: {}", message_);
}

void SundialsScheme::check(int flag) {
  if (flag < 0) throw std::logic_error(fmt::format("SUNDIALS: {}", message_));
}

}  // namespace driftless
