// Shapes in model files: what a body looks like.
//
//   { "type": "box",      "size": [x, y, z], "position": P, "orientation": … or, in the plane, "angle": a }
//   { "type": "cylinder" | "capsule", "from": P, "to": P, "radius": r }
//   { "type": "sphere",   "radius": r, "position": P }
//   { "type": "line",     "points": [P, P, …], "radius": r }
//   { "type": "polygon",  "points": [C, C, C, …], "thickness": d, "z": z }        a plate parallel to the x-y plane
//   { "type": "mesh",     "file": "part.stl", "position": P, "orientation" | "angle": …, "scale": s }
// A place P is the name of a point of the body, [x, y, z], or in the plane [x, y]; a corner C a name or [x, y]. All may
// have a "color": "#rrggbb". Files of meshes are looked for beside the model file.
#pragma once

#include <string>
#include <vector>

#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

std::vector<Shape> read_shapes(const JsonReader& list, Space space);
JsonValue::Array write_shapes(const std::vector<Shape>& shapes, Space space);

}  // namespace driftless
