// Schema of `flexible` of a body: flexible_json.hpp. For src/driftless/io only.
#pragma once

#include "driftless/io/model/schema/schema_pieces.hpp"

namespace driftless {

// `vector`: what places are in models of this space.
schema::Object flexible_schema(bool planar, const schema::Object& vector);

}  // namespace driftless
