// What a body looks like; with a density, also what it weighs (mass_properties.hpp). Lengths in m, body frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

// A named point of the same body, or a place.
struct ShapePoint {
  std::string name = {};  // empty: `at` counts
  Vec3 at = Vec3::Zero();
};

struct Mesh {
  std::vector<float> vertices;           // x y z of one after the other
  std::vector<std::uint32_t> triangles;  // three vertices each
};

enum class ShapeKind { box, cylinder, sphere, capsule, line, polygon, mesh };

struct Shape {
  ShapeKind kind = ShapeKind::box;
  std::string color = {};  // "#rrggbb"; empty: the viewer's choice
  // box, sphere, mesh: its place, none for the origin; cylinder, capsule: its ends; line: two or more; polygon: its corners,
  // three or more, in the x-y plane.
  std::vector<ShapePoint> points = {};
  double radius = 0;                        // cylinder, sphere, capsule; line (0: a thin one)
  Vec3 size = Vec3::Zero();                 // box, along its own axes
  Eigen::Vector4d orientation{1, 0, 0, 0};  // box, mesh: unit quaternion w, x, y, z
  double thickness = 0, z = 0;              // polygon: centred on this z
  std::string file = {};                    // mesh: as the model file has it, relative to that
  double scale = 1;                         // mesh
  Mesh mesh = {};                           // what the file holds
  double density = 0;                       // kg/m³; 0: for drawing only
  bool derived = false;                     // made up from points, not said by anyone
};

// "box", "cylinder", …: the `type` in files.
const char* shape_name(ShapeKind kind);
inline constexpr ShapeKind kShapeKinds[] = {ShapeKind::box,     ShapeKind::cylinder, ShapeKind::sphere,
                                            ShapeKind::capsule, ShapeKind::line,     ShapeKind::polygon,
                                            ShapeKind::mesh};

}  // namespace driftless
