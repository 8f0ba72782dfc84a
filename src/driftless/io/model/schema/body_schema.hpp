// Schema of bodies, the forms of their turns and inertias (body_json.hpp), and shapes (shape_json.hpp).
#pragma once

#include "driftless/io/model/schema/schema_pieces.hpp"

namespace driftless {

// Adds "planar-body" or "spatial-body" and what it needs, but for vectors, directions and points; in space "spatial-inertia" and
// "spatial-orientation".
void define_bodies(bool planar, schema::Object& definitions);

}  // namespace driftless
