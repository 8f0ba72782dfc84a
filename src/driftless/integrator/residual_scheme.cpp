#include "driftless/integrator/residual_scheme.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "driftless/integrator/step_plan.hpp"
#include "driftless/integrator/sudden_watch.hpp"

namespace driftless {
namespace {

ResidualForm& as_residual(OdeForm& form) {
  auto* residual = dynamic_cast<ResidualForm*>(&form);
  assert(residual != nullptr);  // choose_methods() pairs them
  return *residual;
}

}  // namespace

ResidualScheme::ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control)
    : form_(as_residual(form)),
      statistics_(statistics),
      control_(control),
      nq_(form_.system().layout().nq),
      nv_(form_.system().layout().nv),
      y0_(form.size()),
      y1_(form.size()),
      k0_(form.size()),
      k1_(form.size()),
      error_(nv_),
      magnitude0_(form.size()),
      magnitude1_(form.size()) {}

void ResidualScheme::test(Tested what) {
  assert(what == Tested::positions || nq_ == nv_);
  tested_ = what;
  error_.resize(what == Tested::positions ? nv_ : 2 * nv_);
}

Status ResidualScheme::start(double t, ConstVec y, double horizon) {
  h_ = adaptive() ? control_.initial_step : control_.step;
  is_bounded_ = false;
  if (const Status status = restart(t, y); status != Status::ok) return status;
  if (!adaptive()) return Status::ok;
  if (h_ == 0)
    if (const Status status = choose_initial_step(horizon); status != Status::ok) return status;
  is_bounded_ = is_bounded_ || h_ >= horizon;
  h_ = std::min(h_, horizon);
  return Status::ok;
}

Status ResidualScheme::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  point_ = form_.make_point();
  tangent_ = form_.make_tangent();
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
  magnitude1_ = magnitude0_;
  is_cut_ = spoilt_ = false;
  return Status::ok;
}

Status ResidualScheme::resume(const Checkpoint& from) {
  const Status status =
      start_with(from.memory, form_, control_.sudden, [&] { return restart(from.t, from.y); });
  origin_ = from.origin;
  n_ = from.n;
  h_ = adaptive() ? from.h : control_.step;
  after_rejection_ = from.after_rejection;
  return status;
}

void ResidualScheme::keep(Memory& memory) {
  for (Vec* x : {&point_.a, &point_.lambda, &point_.mu, &k1_, &magnitude0_}) memory(*x);
  memory(work_);
  memory(power_);
  keep_own(memory);
}

void ResidualScheme::keep_tangent(Memory& memory) {
  const auto rows = tangent_.J.rows(), velocity_rows = tangent_.L.rows();
  for (SparseRows* block : {&tangent_.M, &tangent_.C, &tangent_.K}) {
    memory.sparse(*block, nv_, nv_);
    if (block->rows() != nv_ || block->cols() != nv_) memory.refuse();
  }
  for (SparseRows* block : {&tangent_.J, &tangent_.L}) {
    memory.sparse(*block, std::numeric_limits<int>::max(), nv_);
    if (block->cols() != nv_) memory.refuse();
  }
  if (tangent_.J.rows() != rows || tangent_.L.rows() != velocity_rows) memory.refuse();
}

Checkpoint ResidualScheme::checkpoint() const {
  return is_cut_ ? saved_ : const_cast<ResidualScheme*>(this)->snapshot();  // writing changes nothing
}

Checkpoint ResidualScheme::snapshot() {
  Checkpoint out;
  out.t = t1_;
  out.origin = origin_;
  out.n = n_;
  out.h = h_;
  out.after_rejection = after_rejection_;
  out.y = y1_;
  out.memory = remember(form_, control_.sudden);
  return out;
}

Status ResidualScheme::advance(double t_limit) {
  if (!(t_limit > t1_)) return Status::ok;  // there already
  const double h = adaptive() ? h_ : control_.step;
  if (!is_cut_ && (t1_ + reach() * h > t_limit ||
                   (adaptive() ? plan_adaptive_step(t1_, t_limit, control_, h_).reaches_limit
                               : plan_fixed_step(origin_, n_, h, t1_, t_limit).t1 == t_limit))) {
    saved_ = snapshot();
    is_cut_ = true;
  }
  before_ = point_;
  work_before_ = work_;
  power_before_ = power_;
  t0_ = t1_;
  y0_.swap(y1_);
  k0_.swap(k1_);
  const Status status = adaptive() ? adaptive_step(t_limit) : fixed_step(t_limit);
  if (status != Status::ok) {  // the last good step stays readable
    spoilt_ = true;
    go_back();
    t1_ = t0_;
    y1_ = y0_;
    k1_ = k0_;
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
  watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_, stage_times());
  ++statistics_.accepted;
  t1_ = point_.t = t1;
  accept(h);
  if (on_grid) ++n_;
  return Status::ok;
}

Status ResidualScheme::adaptive_step(double t_limit) {
  while (true) {
    if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
    const auto [h, t1, reaches_limit, too_small] = plan_adaptive_step(t0_, t_limit, control_, h_);
    if (too_small) return obstacle_;
    const Status status = try_step(h, t1, t_limit);
    if (asks_for_shorter_step(status)) {
      obstacle_ = status;
      ++statistics_.rejected;
      after_rejection_ = true;
      go_back();
      h_ = step_after_failure(h, status);
      continue;
    }
    if (status != Status::ok) return status;
    form_.magnitudes(y1_, magnitude1_);
    estimate(h, error_);
    const double error = norm(h, error_);
    obstacle_ = Status::step_too_small;
    if (!(error <= 1)) {
      worst_ = largest_share_;
      ++statistics_.rejected;
      go_back();
      h_ = step_after_rejection(h, error);
      after_rejection_ = true;
      continue;
    }
    if (const double end = watched_end(control_, t0_, y0_, t1, left_of_limit_, y1_, stage_times());
        end < t1) {
      ++statistics_.rejected;
      go_back();
      step_after_rejection(h, 1);  // what the past says of orders does not hold either
      h_ = end - t0_;
      after_rejection_ = true;
      continue;
    }
    ++statistics_.accepted;
    t1_ = point_.t = t1;
    if (!reaches_limit) {  // else its size was not ours: nothing to learn from it
      h_ = next_step(h, error);
      after_rejection_ = false;
    }
    accept(h);
    magnitude0_.swap(magnitude1_);
    return Status::ok;
  }
}

// (4)
double ResidualScheme::next_step(double h, double error) {
  double factor = std::clamp(0.9 * std::pow(error, -1.0 / (order() + 1)), 0.2, 2.0);
  if (after_rejection_) factor = std::min(factor, 1.0);
  return factor >= 1 && factor <= 1.2 ? h : h * factor;
}
double ResidualScheme::step_after_rejection(double h, double error) {
  return h * std::clamp(0.9 * std::pow(error, -1.0 / (order() + 1)), 0.2, 2.0);
}
double ResidualScheme::step_after_failure(double h, Status status) {  // (5)
  return status == Status::not_finite ? h / 4 : h / 2;
}

// (2), (3)
double ResidualScheme::norm(double h, ConstVec error) {
  const Vec& scale = form_.system().layout().v_scale;
  double sum = 0, largest = -1;
  int tested = 0;
  for (int i = 0; i < error.size(); ++i) {
    const bool is_velocity = i >= nv_, as_way = is_velocity && tested_ == Tested::positions_and_ways;
    const int j = is_velocity ? i - nv_ : i, k = as_way ? j : i;  // increment; entry of y it is measured by
    if (nq_ == nv_ && form_.scale()[k] == 0) continue;
    const double size = nq_ == nv_ ? std::max(magnitude0_[k], magnitude1_[k]) : scale[j];
    const double share =
        std::abs(error[i]) * (as_way ? h : 1) / (control_.atol * scale[j] + control_.rtol * size);
    sum += share * share;
    ++tested;
    if (share > largest) {
      largest = share;
      largest_share_ = nq_ == nv_ ? i : nq_ + i;
    }
  }
  const double error_norm = tested > 0 ? std::sqrt(sum / tested) : 0;
  return std::isfinite(error_norm) ? error_norm : 1e10;
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
  is_bounded_ = h >= horizon;
  h = std::min(h, horizon);
  y0_ = y1_ + h * k1_;
  ++statistics_.evaluations;
  const Status status = form_.derivative(t1_ + h, y0_, k0_);
  if (status != Status::ok && !asks_for_shorter_step(status)) return status;
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

void ResidualScheme::interpolate(double t, VecRef y) const {
  const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
  for (Eigen::Index i = 0; i < y.size(); ++i) {  // (1)
    const double rise = y1_[i] - y0_[i], r3 = h * k0_[i] - rise, r4 = rise - h * k1_[i] - r3;
    y[i] = y0_[i] + theta * (rise + rest * (r3 + theta * r4));
  }
}

}  // namespace driftless
