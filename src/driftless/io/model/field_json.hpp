// Fields of joints, drivers, forces and outputs in model files, read by their kind and written by their
// value.
#pragma once

#include <optional>

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Structure only: whether names exist and numbers lie in their range is validate()'s concern.
std::optional<FieldValue> read_field(const JsonReader& reader, const FieldSpec& field, Space space);
JsonValue write_field(const FieldValue& value, Space space);

// A place of a flexible body, {"node": 3} or {"along": 0.5}; nothing if neither key is there.
struct MeshPlace {
  int node = -1;
  double along = -1;
  bool valid = false;
};
std::optional<MeshPlace> read_mesh_place(const JsonReader& reader);

JsonValue write_vector(const Vec3& vector, Space space);

}  // namespace driftless
