// Where bodies stand in the initial position of the file, and what points and directions of a model are in the frames
// of their bodies. With the origin r of the body frame and its rotation R (columns: body axes in the world)
//   planar   R = Rz(angle)            spatial  R = I + 2 e0 ẽ + 2 ẽ ẽ,  orientation = (e0, e)                     (1)
//   point    s = Rᵀ (p − r)           of a point p of the world                                                  (2)
//   direction  u_body = Rᵀ u / |u|    of a direction u of the world                                              (3)
// Ground has r = 0, R = I. Names must be those of a valid model; what is not there counts as ground, as the origin, as
// no direction.
// (1): P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, eq. 6.25.
#pragma once

#include <string>
#include <string_view>

#include "driftless/model/model_index.hpp"

namespace driftless {

struct StartPose {
  Vec3 origin = Vec3::Zero();                              // r, of the body frame
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // R
};

StartPose start_pose(const Body& body, Space space);
StartPose start_pose(const ModelIndex& index, std::string_view body);  // by name, ground included

// Coordinates in the frame of the point's body, from the origin of that frame.
Vec3 resolve_point(const ModelIndex& index, const PointRef& ref);

// Unit vector in the frame of `body`, which is set to the body the direction belongs to: the one it names, or
// `default_body`.
Vec3 resolve_direction(const ModelIndex& index,
                       const DirectionRef& ref,
                       const std::string& default_body,
                       std::string& body);

}  // namespace driftless
