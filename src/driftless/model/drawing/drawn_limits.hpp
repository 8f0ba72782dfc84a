// What bodies run against, as lines and plates made up from contacts, tyres and stops: floors, roads, ends of travel.
#pragma once

#include "driftless/core/time_function.hpp"
#include "driftless/model/shape.hpp"

namespace driftless {

// A floor at a place with a normal: a line in the plane, a thin plate in space, `half` to every side.
Shape drawn_floor(const Vec3& at, const Vec3& normal, double half, bool planar);

// The height of a road over x from `from` to `to`; unit vectors along and up.
struct RoadFrame {
  Vec3 origin = Vec3::Zero(), along = Vec3::UnitX(), up = Vec3::UnitY();
};
Shape drawn_road(const TimeFunction& road, const RoadFrame& frame, double from, double to);

// A line between two places.
Shape drawn_end(const Vec3& from, const Vec3& to);

}  // namespace driftless
