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

double Place::round_off(double t, ConstVec q) {
  const Layout& layout = system_.layout();
  const double x = std::max(farthest(t, q), q.cwiseQuotient(layout.q_scale).lpNorm<Eigen::Infinity>());
  return 100 * std::numeric_limits<double>::epsilon() * x * layout.length;
}

}  // namespace driftless
