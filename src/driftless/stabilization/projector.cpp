#include "driftless/stabilization/projector.hpp"

#include <algorithm>
#include <utility>

#include "driftless/system/turning_vectors.hpp"

namespace driftless {

std::vector<OptionSpec> projector_options() {
  return {{.name = "weight",
           .kind = OptionKind::choice,
           .default_value = "mass",
           .choices = {"mass", "identity"},
           .help = "metric of the smallest correction; identity counts in units of the coordinates' scales"},
          {.name = "datol",
           .default_value = "0",
           .unit = "m",
           .min = 0,
           .help = "drift below which a step is left alone (0: every step is corrected)"},
          {.name = "gate",
           .kind = OptionKind::choice,
           .default_value = "both",
           .choices = {"both", "position", "velocity"},
           .help = "which drift datol is compared with: |g|, |J v - nu|, or the larger of both numbers"}};
}

namespace {

constexpr double kBack = 1e-4;  // of the time the fastest coordinate takes to pass one

bool turns(const DescriptorSystem& system) {
  const auto* vectors = dynamic_cast<const TurningVectors*>(&system);
  return vectors != nullptr && vectors->has_turning_vectors();
}

std::unique_ptr<MotionSolver> solver_for(const DescriptorSystem& system,
                                         bool by_mass,
                                         std::unique_ptr<MotionSolver> kernel) {
  if (!by_mass)
    return make_weighted_motion_solver(system.layout(), system.layout().v_scale.cwiseAbs2().cwiseInverse());
  return kernel ? std::move(kernel) : system.make_solver();
}

}  // namespace

Projector::Projector(const DescriptorSystem& system,
                     const Options& options,
                     std::unique_ptr<MotionSolver> kernel)
    : system_(system),
      by_mass_(options.choice("weight") == "mass"),
      takes_along_(turns(system)),
      datol_(options.number("datol")),
      sees_position_(options.choice("gate") != "velocity"),
      sees_velocity_(options.choice("gate") != "position"),
      terms_{system.make_terms(), system.make_terms()},
      solver_(solver_for(system, by_mass_, std::move(kernel))),
      r_(system.layout().m),
      rows_(Vec::Zero(system.layout().m)),
      x_(system.layout().nv),
      w_(Vec::Zero(system.layout().nv)),
      mu_(system.layout().m),
      probe_(system.layout().nq),
      change_(system.layout().nv) {}

bool Projector::within_tolerance(double t, VecRef q, ConstVec v) {
  system_.normalize(q);
  renew(t, q, v);
  return datol_ > 0 && (!sees_position_ || position_error() <= datol_) &&
         (!sees_velocity_ || max_abs(r_) <= datol_);
}

void Projector::renew(double t, ConstVec q, ConstVec v) {
  system_.position(t, q, *now_);
  velocity_residual(*now_, v, r_);
  for (const int row : solver_->dropped_rows()) {
    r_[row] = 0;
    if (row < now_->g.size()) now_->g[row] = 0;
  }
}

Status Projector::freeze(double t, ConstVec q, Statistics* statistics) {
  if (statistics != nullptr) {
    ++statistics->stabilizations;
    ++statistics->factorizations;
  }
  if (by_mass_) system_.mass(t, q, *now_);
  std::swap(now_, frozen_);
  now_->g = frozen_->g;
  return solver_->factor(*frozen_);
}

const Vec& Projector::residual_rows() {
  rows_.head(now_->g.size()) = now_->g;  // the rest stays zero
  return rows_;
}

Status Projector::correct_position(VecRef q) {
  const Status status = solver_->project(residual_rows(), x_);
  if (status != Status::ok) return status;
  x_ = -x_;
  system_.retract(q, x_);
  return Status::ok;
}

Status Projector::move_position(double t, VecRef q, ConstVec v) {
  if (!takes_along_) return correct_position(q);
  w_.setZero();
  const Status status = solver_->solve(w_, residual_rows(), x_, mu_);
  if (status != Status::ok) return status;
  find_change(t, q, v);
  x_ = -x_;
  system_.retract(q, x_);
  return Status::ok;
}

// w by a difference back along the motion: never past a discontinuity, and x being small, three digits are plenty.
void Projector::find_change(double t, ConstVec q, ConstVec v) {
  const Layout& layout = system_.layout();
  carries_ = false;
  if (max_abs(x_) == 0) return;
  const double rate = v.cwiseQuotient(layout.v_scale).lpNorm<Eigen::Infinity>();
  const double back = kBack / std::max(rate, 1.0);
  const bool mass_changes = by_mass_ && !layout.mass_is_constant;
  const auto add = [&](const Terms& terms, double sign) {  // W x + Jᵀμ
    if (mass_changes) {
      mass_times(terms, x_, change_);
      w_ += sign * change_;
    }
    add_transposed_rows(terms, sign, mu_, w_);
  };
  probe_ = q - back * v;
  system_.position(t - back, probe_, *now_);  // of which only g counted, and that has been used
  if (mass_changes) system_.mass(t - back, probe_, *now_);
  add(*frozen_, 1);
  add(*now_, -1);
  w_ /= -back;
  carries_ = w_.allFinite();
}

Status Projector::correct_velocity(VecRef v) {
  const Status status = carries_ ? solver_->solve(w_, r_, x_, mu_) : solver_->project(r_, x_);  // w_ is −w
  carries_ = false;
  if (status != Status::ok) return status;
  v -= x_;
  return Status::ok;
}

}  // namespace driftless
