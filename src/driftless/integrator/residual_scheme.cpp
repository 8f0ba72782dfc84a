#include "driftless/integrator/residual_scheme.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr int kMaxIterations = 20;

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
          .help = "size of Newton's last increment against the way made in a step"};
}

ResidualScheme::ResidualScheme(OdeForm& form,
                               Statistics& statistics,
                               const StepControl& control,
                               const Options& options)
    : form_(as_residual(form)),
      statistics_(statistics),
      control_(control),
      tolerance_(options.number("newton_tol")),
      nq_(form_.system().layout().nq),
      nv_(form_.system().layout().nv),
      y0_(form.size()),
      y1_(form.size()),
      k0_(form.size()),
      k1_(form.size()) {}

Status ResidualScheme::start(double t, ConstVec y, double) { return restart(t, y); }

Status ResidualScheme::restart(double t, ConstVec y) {
  t0_ = t1_ = origin_ = t;
  n_ = 0;
  point_ = form_.make_point();
  tangent_ = form_.make_tangent();
  tangent_serves_ = false;
  factored_for_ = 0;
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
  return Status::ok;
}

Status ResidualScheme::resume(const Checkpoint& from) {
  const Status status = restart(from.t, from.y);
  origin_ = from.origin;
  n_ = from.n;
  return status;
}

Checkpoint ResidualScheme::checkpoint() const {
  Checkpoint out;
  out.t = t1_;
  out.y = y1_;
  out.origin = origin_;
  out.n = n_;
  out.h = control_.step;
  return out;
}

Status ResidualScheme::advance(double t_limit) {
  if (statistics_.steps() >= control_.max_steps) return Status::too_many_steps;
  const double h = control_.step;
  double t1 = origin_ + static_cast<double>(n_ + 1) * h;
  const bool reaches_limit = t1 > t_limit - 1e-9 * h;
  const bool on_grid = t1 < t_limit + 1e-9 * h;
  if (reaches_limit) t1 = t_limit;
  before_ = point_;
  const double work_before = work_, power_before = power_;
  t0_ = t1_;
  y0_.swap(y1_);
  k0_.swap(k1_);
  const double t_end =
      std::min(t1, std::nextafter(t_limit, t0_));  // a discontinuity there is seen from its left
  Status status = step(t1 - t0_, t_end);
  if (status == Status::ok) {
    store_end();
    if (form_.stabilization != nullptr) {
      status = form_.settle(t_end, y1_);
      point_.q = y1_.head(nq_);
      point_.v = y1_.segment(nq_, nv_);
    }
  }
  if (status != Status::ok) {  // the last good step stays readable
    t1_ = t0_;
    y1_ = y0_;
    k1_ = k0_;
    point_ = before_;
    work_ = work_before;
    power_ = power_before;
    return status;
  }
  ++statistics_.accepted;
  t1_ = point_.t = t1;
  if (on_grid) ++n_;
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
double ResidualScheme::goal_of(double h) const {
  const Layout& layout = form_.system().layout();
  const double rate = (point_.v.array() / layout.v_scale.array()).abs().maxCoeff();
  const double size = (point_.q.array() / layout.q_scale.array()).abs().maxCoeff();
  const double floor = 20 * std::numeric_limits<double>::epsilon() * (1 + size);
  return std::max(tolerance_ * std::min(1.0, h * std::max(rate, 1.0)), floor);
}

Status ResidualScheme::newton(double h, double t1) {
  predict(h, t1);
  bool fresh = false;
  if (!tangent_serves_ || std::abs(h - factored_for_) > 1e-6 * h) {  // (2)
    fresh = !tangent_serves_;
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
  }
  const double goal = goal_of(h);
  double before = 0;
  for (int k = 0; k < kMaxIterations; ++k) {
    fill_residual(h, r_);
    ++statistics_.newton_iterations;
    d_ = lu_.solve(r_);
    d_ = -d_;
    const double size = correct(h, d_);  // (1)
    if (!std::isfinite(size)) return Status::not_finite;
    const bool is_round_off = k > 0 && size > 0.5 * before && size <= 1e-3 * tolerance_;
    if (size <= goal || is_round_off) {
      fill_residual(h, r_);  // leaves the terms where the step ends
      ++statistics_.newton_iterations;
      return Status::ok;
    }
    const bool slow = k > 0 && size > 0.1 * before;
    before = size;
    if (!slow) continue;
    if (fresh) {
      if (k > 3 && size > before) return Status::not_converged;
      continue;
    }
    tangent_serves_ = false;
    predict(h, t1);
    if (const Status status = renew_tangent(h); status != Status::ok) return status;
    fresh = true;
    k = -1;
  }
  tangent_serves_ = false;
  return Status::not_converged;
}

void ResidualScheme::interpolate(double t, VecRef y) const {
  const double h = t1_ - t0_, theta = h > 0 ? (t - t0_) / h : 1, rest = 1 - theta;
  for (Eigen::Index i = 0; i < y.size(); ++i) {  // (3)
    const double rise = y1_[i] - y0_[i], r3 = h * k0_[i] - rise, r4 = rise - h * k1_[i] - r3;
    y[i] = y0_[i] + theta * (rise + rest * (r3 + theta * r4));
  }
}

}  // namespace driftless
