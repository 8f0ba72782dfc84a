#include "driftless/system/place.hpp"

#include <algorithm>
#include <limits>

namespace driftless {

Place::Place(const DescriptorSystem& system) : system_(system) { poses_.reserve(system.body_names().size()); }

double Place::farthest(double t, ConstVec q) {
  system_.poses(t, q, poses_);
  double out = 0;
  for (const Pose& pose : poses_) out = std::max(out, pose.position.lpNorm<Eigen::Infinity>());
  return out / system_.layout().length;
}

bool Place::explains(double error, double t, ConstVec q) {
  const Layout& layout = system_.layout();
  const double size = error / layout.length;
  if (!(size <= 1e-6)) return false;
  const double x = std::max(farthest(t, q), q.cwiseQuotient(layout.q_scale).lpNorm<Eigen::Infinity>());
  return size <= 100 * std::numeric_limits<double>::epsilon() * x;
}

}  // namespace driftless
