// Shapes made up for bodies that have none, from the points where something holds them.
//
// planar   one point: a block; two, or more on a line: a bar; others: the plate of their convex hull
// spatial  points on a plane z = const: that plate; two: a rod; others: rods from the centre of mass
// A body held at one point away from its centre of mass is a bar or rod from there to it. Sizes are fractions of the
// characteristic length.
#pragma once

#include <optional>
#include <vector>

#include "driftless/model/shape.hpp"

namespace driftless {

struct HeldBody {
  Vec3 center = Vec3::Zero();             // of mass
  std::vector<Vec3> places = {};          // named points and points of joints and forces
  std::optional<Vec3> slides_along = {};  // a joint lets it slide along this
};

std::vector<Shape> derived_shapes(const HeldBody& body, bool planar, double length);

// A wheel: its centre, the direction of its axis, its radius.
Shape derived_wheel(const Vec3& center, const Vec3& axis, double radius, double length);

}  // namespace driftless
