#include "driftless/stabilization/projector.hpp"

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

Projector::Projector(const DescriptorSystem& system, const Options& options)
    : system_(system),
      by_mass_(options.choice("weight") == "mass"),
      datol_(options.number("datol")),
      now_(system.make_terms()),
      W_(system.layout().M),
      J_(system.layout().J),
      kkt_(W_, J_),
      r_(system.layout().m),
      rows_(Vec::Zero(system.layout().m)),
      x_(system.layout().nv) {}

bool Projector::within_tolerance(double t, ConstVec q, ConstVec v) {
  renew(t, q, v);
  return datol_ > 0 && position_error() <= datol_ && max_abs(r_) <= datol_;
}

void Projector::renew(double t, ConstVec q, ConstVec v) {
  system_.position(t, q, now_);
  velocity_residual(now_, v, r_);
}

void Projector::weigh(double t, ConstVec q, SparseRows& W) {
  if (by_mass_) {
    system_.mass(t, q, now_);
    copy_values(now_.M.valuePtr(), now_.M.nonZeros(), W.valuePtr());
    return;
  }
  const Vec& scale = system_.layout().v_scale;
  for (int i = 0; i < W.rows(); ++i)
    for (SparseRows::InnerIterator e(W, i); e; ++e)
      e.valueRef() = e.col() == i ? 1 / (scale[i] * scale[i]) : 0;
}

Status Projector::freeze(double t, ConstVec q, Statistics* statistics) {
  if (statistics != nullptr) {
    ++statistics->stabilizations;
    ++statistics->factorizations;
  }
  weigh(t, q, W_);
  copy_values(now_.J.valuePtr(), now_.J.nonZeros(), J_.valuePtr());
  return kkt_.factor(W_, J_);
}

Status Projector::correct_position(VecRef q) {
  rows_.head(now_.g.size()) = now_.g;  // the rest stays zero
  const Status status = kkt_.project(rows_, x_);
  if (status != Status::ok) return status;
  x_ = -x_;
  system_.retract(q, x_);
  return Status::ok;
}

Status Projector::correct_velocity(VecRef v) {
  const Status status = kkt_.project(r_, x_);
  if (status != Status::ok) return status;
  v -= x_;
  return Status::ok;
}

}  // namespace driftless
