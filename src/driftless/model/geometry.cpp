#include "driftless/model/geometry.hpp"

#include <algorithm>

#include <Eigen/Geometry>

namespace driftless {
namespace {

Vec3 find_named(const std::vector<NamedPoint>& list, std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const NamedPoint& entry) { return entry.name == name; });
  return found == list.end() ? Vec3(Vec3::Zero()) : found->at;
}

}  // namespace

StartPose start_pose(const Body& body, Space space) {
  if (space == Space::planar)
    return {body.position, Eigen::AngleAxisd(body.angle, Vec3::UnitZ()).toRotationMatrix()};
  const auto& e = body.orientation;
  return {body.position, Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix()};  // (1)
}

StartPose start_pose(const ModelIndex& index, std::string_view body) {
  const Body* found = index.find_body(body);
  return found == nullptr ? StartPose() : start_pose(*found, index.model().space);
}

Vec3 resolve_point(const ModelIndex& index, const PointRef& ref) {
  const Body* body = index.find_body(ref.body);
  if (!ref.point.empty())
    return find_named(body == nullptr ? index.model().ground_points : body->points, ref.point);
  if (body != nullptr && body->flexible && ref.node >= 0) return body->flexible->nodes[size_t(ref.node)];
  if (body != nullptr && body->flexible && ref.along >= 0) return place_along(*body->flexible, ref.along);
  if (!ref.world || body == nullptr) return ref.at;
  const StartPose pose = start_pose(*body, index.model().space);
  return pose.rotation.transpose() * (ref.at - pose.origin);  // (2)
}

Vec3 resolve_direction(const ModelIndex& index,
                       const DirectionRef& ref,
                       const std::string& default_body,
                       std::string& body) {
  body = ref.body.empty() ? default_body : ref.body;
  const Body* owner = index.find_body(body);
  if (!ref.axis.empty())
    return find_named(owner == nullptr ? index.model().ground_axes : owner->axes, ref.axis)
        .stableNormalized();
  const Vec3 u = ref.along.stableNormalized();
  if (!ref.world || owner == nullptr) return u;
  return start_pose(*owner, index.model().space).rotation.transpose() * u;  // (3)
}

}  // namespace driftless
