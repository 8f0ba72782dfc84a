#include "driftless/integrator/residual_scheme.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/step_plan.hpp"

namespace driftless {
namespace {

// Where the step may be shortened it does not pay to go on.
constexpr int kMaxIterations = 40, kMaxIterationsAdaptive = 10, kMaxRealtime = 20;

ResidualForm& as_residual(OdeForm& form) {
  auto* residual = dynamic_cast<ResidualForm*>(&form);
  assert(residual != nullptr);  // choose_methods() pairs them
  return *residual;
}

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

OptionSpec realtime_iterations() {
  return {
      .name = "realtime",
      .kind = OptionKind::integer,
      .default_value = "0",
      .min = 0,
      .max = kMaxIterations,
      .help = "Newton iterations a step, always that many (2 is a good choice); 0: iterate to newton_tol"};
}

ResidualScheme::ResidualScheme(OdeForm& form,
                               Statistics& statistics,
                               const StepControl& control,
                               const Options& options)
    : form_(as_residual(form)),
      statistics_(statistics),
      control_(control),
      tolerance_(control.step == 0 && !options.given("newton_tol") ? control.atol
                                                                   : options.number("newton_tol")),
      nq_(form_.system().layout().nq),
      nv_(form_.system().layout().nv),
      y0_(form.size()),
      y1_(form.size()),
      k0_(form.size()),
      k1_(form.size()),
      error_(nv_),
      magnitude0_(form.size()),
      magnitude1_(form.size()) {
  if (options.values().contains("realtime")) iterations_ = options.integer("realtime");
  if (iterations_ > 0 && adaptive())
    throw InputError("command line", Complaint{"realtime", "--step H with realtime iterations", "no --step",
                                               "add --step 0.01, or leave realtime out"});
}

Status ResidualScheme::start(double t, ConstVec y, double horizon) {
  h_ = adaptive() ? control_.initial_step : control_.step;
  if (const Status status = restart(t, y); status != Status::ok) return status;
  if (!adaptive()) return Status::ok;
  if (h_ == 0)
    if (const Status status = choose_initial_step(horizon); status != Status::ok) return status;
  h_ = std::min(h_, horizon);
  save();
  return Status::ok;
}

Status ResidualScheme::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  point_ = form_.make_point();
  tangent_ = form_.make_tangent();
  tangent_serves_ = false;
  factored_for_ = 0;
  after_rejection_ = false;
  State state;
  work_ = form_.unpack(t, y, state);
  point_.t = t;
  point_.q = state.q;
  point_.v = state.v;
  ++statistics_.evaluations;
  if (const Status status = form_.complete(point_); status != Status::ok) return status;
  if (form_.integrates_work()) power_ = form_.power(point_);
  before_ = point_;
  begin();
  store_end();
  y0_ = y1_;
  k0_ = k1_;
  form_.magnitudes(y1_, magnitude0_);
  saved_.memory.resize(nv_ + form_.multipliers() + memory_size());
  save();
  return Status::ok;
}

Status ResidualScheme::resume(const Checkpoint& from) {
  if (const Status status = restart(from.t, from.y); status != Status::ok) return status;
  origin_ = from.origin;
  n_ = from.n;
  h_ = adaptive() ? from.h : control_.step;
  after_rejection_ = from.after_rejection;
  if (from.memory.size() == saved_.memory.size()) {
    point_.a = from.memory.head(nv_);
    point_.lambda = from.memory.segment(nv_, form_.multipliers());
    load_memory(from.memory.tail(memory_size()));
    store_end();
  }
  save();
  return Status::ok;
}

void ResidualScheme::save() {
  saved_.t = t1_;
  saved_.origin = origin_;
  saved_.n = n_;
  saved_.h = h_;
  saved_.after_rejection = after_rejection_;
  saved_.memory.head(nv_) = point_.a;
  saved_.memory.segment(nv_, form_.multipliers()) = point_.lambda;
  save_memory(saved_.memory.tail(memory_size()));
}

Checkpoint ResidualScheme::checkpoint() const {
  // A step cut short is not saved, so what was saved is one end of the last step or the other.
  Checkpoint out = saved_;
  out.y = saved_.t == t1_ ? y1_ : y0_;
  return out;
}

Status ResidualScheme::advance(double t_limit) {
  const auto began = std::chrono::steady_clock::now();
  before_ = point_;
  work_before_ = work_;
  power_before_ = power_;
  t0_ = t1_;
  y0_.swap(y1_);
  k0_.swap(k1_);
  const Status status = adaptive() ? adaptive_step(t_limit) : fixed_step(t_limit);
  if (status != Status::ok) {  // the last good step stays readable
    go_back();
    t1_ = t0_;
    y1_ = y0_;
    k1_ = k0_;
  }
  if (iterations_ > 0) {
    const double cost = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    ++timed_;
    total_cost_ += cost;
    if (cost > t1_ - t0_) ++late_;
    if (cost > worst_cost_) {
      worst_cost_ = cost;
      cost_at_ = t1_;
    }
  }
  return status;
}

void ResidualScheme::go_back() {
  point_ = before_;
  work_ = work_before_;
  power_ = power_before_;
}

Status ResidualScheme::try_step(double h, double t1, double t_limit) {
  left_of_limit_ = std::nextafter(t_limit, t0_);  // a discontinuity there is seen from its left
  const double t_end = std::min(t1, left_of_limit_);
  if (const Status status = step(h, t_end); status != Status::ok) return status;
  store_end();
  if (form_.stabilization == nullptr) return Status::ok;
  const Status status = form_.settle(t_end, y1_);
  point_.q = y1_.head(nq_);
  point_.v = y1_.segment(nq_, nv_);
  return status;
}

Status ResidualScheme::fixed_step(double t_limit) {
  if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
  const auto [h, t1, on_grid] = plan_fixed_step(origin_, n_, control_.step, t0_, t_limit);
  if (const Status status = try_step(h, t1, t_limit); status != Status::ok) return status;
  ++statistics_.accepted;
  accept(h);
  t1_ = point_.t = t1;
  if (on_grid) {
    ++n_;
    save();
  }
  return Status::ok;
}

Status ResidualScheme::adaptive_step(double t_limit) {
  while (true) {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(t0_, t_limit, control_, h_);
    if (too_small) return obstacle_;
    const Status status = try_step(h, t1, t_limit);
    if (asks_for_shorter_step(status)) {  // (6)
      obstacle_ = obstacle_of(status);
      ++statistics_.rejected;
      after_rejection_ = true;
      go_back();
      h_ = status == Status::not_finite ? h / 4 : h / 2;
      continue;
    }
    if (status != Status::ok) return status;
    const double error = error_norm(h);
    obstacle_ = Status::step_too_small;
    double factor = std::clamp(0.9 * std::pow(error, -1.0 / (order() + 1)), 0.2, 2.0);  // (5)
    if (!(error <= 1)) {
      ++statistics_.rejected;
      after_rejection_ = true;
      go_back();
      h_ = h * factor;
      continue;
    }
    ++statistics_.accepted;
    accept(h);
    t1_ = point_.t = t1;
    magnitude0_.swap(magnitude1_);
    if (reaches_limit) return Status::ok;  // its size was not ours: nothing to learn from it
    if (after_rejection_) factor = std::min(factor, 1.0);
    after_rejection_ = false;
    h_ = factor >= 1 && factor <= 1.2 ? h : h * factor;
    save();
    return Status::ok;
  }
}

// (4)
double ResidualScheme::error_norm(double h) {
  estimate(h, error_);
  form_.magnitudes(y1_, magnitude1_);
  const Vec& v_scale = form_.system().layout().v_scale;
  double sum = 0, largest = -1;
  int tested = 0, worst = 0;
  for (int i = 0; i < nv_; ++i) {
    if (nq_ == nv_ && form_.scale()[i] == 0) continue;
    const double size = nq_ == nv_ ? std::max(magnitude0_[i], magnitude1_[i]) : v_scale[i];
    const double share = std::abs(error_[i]) / (control_.atol * v_scale[i] + control_.rtol * size);
    sum += share * share;
    ++tested;
    if (share > largest) {
      largest = share;
      worst = i;
    }
  }
  const double error = tested > 0 ? std::sqrt(sum / tested) : 0;
  if (!(error <= 1)) worst_ = nq_ == nv_ ? worst : nq_ + worst;
  return std::isfinite(error) ? error : 1e10;
}

// A step whose Euler polygon is one hundredth of the solution, then refined by the size of the second derivative.
//                                                                                    Hairer, Nørsett & Wanner II.4
Status ResidualScheme::choose_initial_step(double horizon) {
  const Vec& scale = form_.scale();
  const auto norm = [&](auto&& component) {
    double sum = 0;
    for (int i = 0; i < y1_.size(); ++i) {
      if (scale[i] == 0) continue;
      const double share = component(i) / (control_.atol * scale[i] + control_.rtol * magnitude0_[i]);
      sum += share * share;
    }
    return std::sqrt(sum);
  };
  const double size = norm([&](int i) { return magnitude0_[i]; }),
               slope = norm([&](int i) { return k1_[i]; });
  double h = size <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * size / slope;
  h = std::min(h, horizon);
  y0_ = y1_ + h * k1_;
  ++statistics_.evaluations;
  const Status status = form_.derivative(t1_ + h, y0_, k0_);
  if (status != Status::ok && status != Status::not_finite) return status;
  const double bend = status == Status::ok ? norm([&](int i) { return k0_[i] - k1_[i]; }) / h
                                           : std::numeric_limits<double>::infinity();
  y0_ = y1_;
  k0_ = k1_;
  const double steepest = std::max(bend, slope);
  const double refined =
      steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / (order() + 1));
  h_ = std::min(100 * h, std::max(refined, 1e-12 * h));
  return Status::ok;
}

void ResidualScheme::store_end() {
  y1_.head(nq_) = point_.q;
  y1_.segment(nq_, nv_) = point_.v;
  form_.system().kinematics(point_.t, point_.q, point_.v, k1_.head(nq_));
  k1_.segment(nq_, nv_) = point_.a;
  if (!form_.integrates_work()) return;
  y1_[y1_.size() - 1] = work_;
  k1_[k1_.size() - 1] = power_;
}

void ResidualScheme::size_newton(int unknowns) {
  W_.resize(unknowns, unknowns);
  r_.resize(unknowns);
  d_.resize(unknowns);
  lu_ = Eigen::PartialPivLU<Mat>(unknowns);
}

Status ResidualScheme::renew_tangent(double h) {
  if (!tangent_serves_) form_.tangent(point_, tangent_);
  if (!tangent_serves_) rate_ = 0.5;  // not known yet
  tangent_serves_ = true;
  fill_matrix(h, W_);
  ++statistics_.factorizations;
  lu_.compute(W_);
  factored_for_ = h;
  const double smallest = lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
  if (!std::isfinite(smallest)) return Status::not_finite;
  return smallest > 0 ? Status::ok : Status::singular;
}

// (1): an increment of q is one of v over h too, so what counts is its share of the way made in a step.
double ResidualScheme::goal_of(double h, double& floor) const {
  const Layout& layout = form_.system().layout();
  const double rate = (point_.v.array() / layout.v_scale.array()).abs().maxCoeff();
  const double size = (point_.q.array() / layout.q_scale.array()).abs().maxCoeff();
  floor = 20 * std::numeric_limits<double>::epsilon() * (1 + size);
  return std::max(tolerance_ * std::min(1.0, h * std::max(rate, 1.0)), floor);
}

Status ResidualScheme::newton(double h, double t1) {
  if (iterations_ > 0) return iterate_in_real_time(h, t1);
  predict(h, t1);
  bool fresh = false;
  if (!tangent_serves_ || std::abs(h - factored_for_) > 1e-6 * h) {  // (2)
    fresh = !tangent_serves_;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
  }
  double floor = 0;
  const double goal = goal_of(h, floor);
  double before = 0;
  const int most = adaptive() ? kMaxIterationsAdaptive : kMaxIterations;
  for (int k = 0; k < most; ++k) {
    fill_residual(h, r_);
    ++statistics_.newton_iterations;
    d_ = lu_.solve(r_);
    d_ = -d_;
    const double size = correct(h, d_);  // (1)
    if (!std::isfinite(size)) return Status::not_finite;
    if (k > 0) rate_ = size / before;
    const double rate = rate_;
    // What is left is size · rate/(1 − rate): no more than the size itself if the rate is below a half.
    const bool is_small = size <= goal && (rate <= 0.5 || (rate < 1 && size * rate <= goal * (1 - rate)));
    const bool is_round_off = k > 0 && rate > 0.5 && size <= std::max(1e-3 * tolerance_, floor);
    if (is_small || is_round_off) {
      fill_residual(h, r_);  // leaves the terms where the step ends
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

// (7). Every iteration has its own tangent: two of them do what three with one tangent do.
Status ResidualScheme::iterate_in_real_time(double h, double t1) {
  predict(h, t1);
  for (int k = 0; k < iterations_; ++k) {
    tangent_serves_ = false;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
    fill_residual(h, r_);
    ++statistics_.newton_iterations;
    d_ = lu_.solve(r_);
    d_ = -d_;
    if (!std::isfinite(correct(h, d_))) return Status::not_finite;
  }
  fill_residual(h, r_);
  const double left = max_abs(r_);
  if (left > worst_residual_) {
    worst_residual_ = left;
    residual_at_ = t1;
  }
  return std::isfinite(left) ? Status::ok : Status::not_finite;
}

std::string ResidualScheme::remark() const {
  if (timed_ == 0) return {};
  const std::string verdict =
      late_ == 0 ? "it kept up with real time"
                 : fmt::format("it fell behind real time in {} of them; take longer steps", late_);
  return fmt::format(
      "real time: {} steps of {:g} s cost {:.3g} s on average and {:.3g} s at worst (before t = {:.6g}): {}; "
      "{} Newton "
      "iterations left a residual of {:.2g} at worst, in units of the coordinates (t = {:.6g})",
      timed_, control_.step, total_cost_ / static_cast<double>(timed_), worst_cost_, cost_at_, verdict,
      iterations_, worst_residual_, residual_at_);
}

void ResidualScheme::interpolate(double t, VecRef y) const {
  const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
  for (Eigen::Index i = 0; i < y.size(); ++i) {  // (3)
    const double rise = y1_[i] - y0_[i], r3 = h * k0_[i] - rise, r4 = rise - h * k1_[i] - r3;
    y[i] = y0_[i] + theta * (rise + rest * (r3 + theta * r4));
  }
}

}  // namespace driftless
