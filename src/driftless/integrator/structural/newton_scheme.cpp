#include "driftless/integrator/structural/newton_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {
namespace {

// Where the step may be shortened it does not pay to go on.
constexpr int kMaxIterations = 40, kMaxIterationsShorter = 10;  // the latter where a shorter step may do
constexpr double kCounted = 0.03;                               // (1a)
constexpr int kNoiseAfter = 6;                                  // (1b)

}  // namespace

OptionSpec newton_tolerance(const std::string& default_value) {
  return {.name = "newton_tol",
          .default_value = default_value,
          .min = 1e-15,
          .max = 1e-2,
          .help =
              "size of Newton's last increment against the way made in a step; with error control atol "
              "unless given"};
}

NewtonScheme::NewtonScheme(OdeForm& form,
                           Statistics& statistics,
                           const StepControl& control,
                           const Options& options)
    : ResidualScheme(form, statistics, control),
      tolerance_(control.step == 0 && !options.given("newton_tol") ? control.atol
                                                                   : options.number("newton_tol")),
      iterations_(control.realtime) {}

void NewtonScheme::forget() {
  tangent_serves_ = false;
  factored_for_ = 0;
}

void NewtonScheme::size_newton(int unknowns) {
  W_.size(unknowns);
  r_.resize(unknowns);
  d_.resize(unknowns);
  lu_.size(unknowns);
}

void NewtonScheme::keep_own(Memory& memory) {
  memory(tangent_serves_);
  memory(factored_for_);
  memory(rate_);
  if (tangent_serves_) keep_tangent(memory, tangent_);
  lu_.keep(memory);
  if (!memory.reads() || !tangent_serves_ || !memory.is_good() || factored_for_ == 0) return;
  fill_matrix(factored_for_, W_);
  if (lu_.factor(W_) != Status::ok) memory.refuse();
}

Status NewtonScheme::renew_tangent(double h) {
  if (!tangent_serves_) {
    ++statistics_.jacobians;
    form_.tangent(point_, tangent_);
    rate_ = 0.5;  // not known yet
  }
  tangent_serves_ = true;
  fill_matrix(h, W_);
  statistics_.factor_matrix();
  const Status status = lu_.factor(W_);
  factored_for_ = status == Status::ok ? h : 0;
  return status;
}

// (1): an increment of q is one of v over h too, so what counts is its share of the way made in a step.
double NewtonScheme::goal_of(double h, double& floor) const {
  const Layout& layout = form_.system().layout();
  const double rate = (point_.v.array() / layout.v_scale.array()).abs().maxCoeff();
  const double size = (point_.q.array() / layout.q_scale.array()).abs().maxCoeff();
  floor = 20 * std::numeric_limits<double>::epsilon() * (1 + size);
  return std::max(tolerance_ * std::min(1.0, h * std::max(rate, 1.0)), floor);
}

// (1b), of the equations of motion and of the rows each by themselves.
bool NewtonScheme::is_noise() const {
  const Vec& q = point_.q;
  const Layout& layout = form_.system().layout();
  const double size = layout.length + max_abs(q);
  double dynamics = 0, rows = 0;
  for (int j = 0; j < layout.nv; ++j) {
    const double own = layout.nq == layout.nv ? q[j] : size;
    for (int p = W_.starts()[size_t(j)]; p < W_.starts()[size_t(j) + 1]; ++p) {
      const double change = W_.values()[size_t(p)] * own;
      (W_.rows()[size_t(p)] < layout.nv ? dynamics : rows) += change * change;
    }
  }
  const double unit = 20 * std::numeric_limits<double>::epsilon();
  return r_.head(layout.nv).norm() < unit * std::sqrt(dynamics) &&
         r_.tail(r_.size() - layout.nv).norm() <= unit * std::sqrt(rows);
}

Status NewtonScheme::newton(double h, double t1) {
  if (iterations_ > 0) return iterate_in_real_time(h, t1);
  predict(h, t1);
  bool fresh = false;
  if (!tangent_serves_ || !(std::abs(h - factored_for_) <= 1e-6 * h)) {  // (2)
    fresh = !tangent_serves_;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
  }
  double floor = 0;
  const double goal = goal_of(h, floor);
  double before = 0;
  int steps = 0;
  const int most = adaptive() ? kMaxIterationsShorter : kMaxIterations;
  for (int k = 0; k < most; ++k) {
    evaluate_residual(h);
    ++statistics_.newton_iterations;
    if (const Status status = lu_.solve(r_, d_); status != Status::ok) return status;
    d_ = -d_;
    const double size = correct(h, d_);  // (1)
    if (!std::isfinite(size)) return Status::not_finite;
    if (k > 0) rate_ = size / before;
    const double rate = rate_;
    // What is left is size · rate/(1 − rate): no more than the size itself if the rate is below a half.
    const bool counts_little = !adaptive() || rate * counted(h) <= kCounted * (1 - rate);  // (1a)
    const bool is_small = counts_little && is_settled() && size <= goal &&
                          (rate <= 0.5 || (rate < 1 && size * rate <= goal * (1 - rate)));
    const bool is_round_off = k > 0 && rate > 0.5 && size <= std::max(1e-3 * tolerance_, floor);
    if (is_small || is_round_off || (steps++ >= kNoiseAfter && is_noise())) {
      evaluate_residual(h);  // leaves the terms where the step ends
      ++statistics_.newton_iterations;
      return Status::ok;
    }
    before = size;
    if (rate <= 0.1 || k == 0) continue;         // (2)
    if (rate > 1 && k > 3 && adaptive()) break;  // a shorter step does better
    if (!fresh) predict(h, t1);
    tangent_serves_ = false;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
    if (!fresh) k = -1;
    fresh = true;
  }
  tangent_serves_ = false;
  return Status::not_converged;
}

// (3). Every iteration has its own tangent: two of them do what three with one tangent do.
Status NewtonScheme::iterate_in_real_time(double h, double t1) {
  predict(h, t1);
  for (int k = 0; k < iterations_; ++k) {
    tangent_serves_ = false;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
    evaluate_residual(h);
    ++statistics_.newton_iterations;
    if (const Status status = lu_.solve(r_, d_); status != Status::ok) return status;
    d_ = -d_;
    if (!std::isfinite(correct(h, d_))) return Status::not_finite;
  }
  evaluate_residual(h);
  const double left = max_abs(r_);
  if (left > worst_residual_) {
    worst_residual_ = left;
    residual_at_ = t1;
  }
  return std::isfinite(left) ? Status::ok : Status::not_finite;
}

std::string NewtonScheme::remark() const {
  if (iterations_ == 0) return {};
  return fmt::format(
      "{} Newton iterations a step left a residual of {:.2g} at worst, in units of the coordinates (t = "
      "{:.6g})",
      iterations_, worst_residual_, residual_at_);
}

}  // namespace driftless
