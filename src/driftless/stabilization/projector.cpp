#include "driftless/stabilization/projector.hpp"

#include <utility>

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
           .help = "drift below which a step is left alone (0: every step is corrected)"}};
}

namespace {

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
      datol_(options.number("datol")),
      terms_{system.make_terms(), system.make_terms()},
      solver_(solver_for(system, by_mass_, std::move(kernel))),
      r_(system.layout().m),
      rows_(Vec::Zero(system.layout().m)),
      x_(system.layout().nv) {}

bool Projector::within_tolerance(double t, VecRef q, ConstVec v) {
  system_.normalize(q);
  renew(t, q, v);
  return datol_ > 0 && position_error() <= datol_ && max_abs(r_) <= datol_;
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

Status Projector::correct_velocity(VecRef v) {
  const Status status = solver_->project(r_, x_);
  if (status != Status::ok) return status;
  v -= x_;
  return Status::ok;
}

}  // namespace driftless
