// A Drawing as JSON: what result files hold and, with poses added, the scene of a report.
//
//   { planar, gravity, length, bodies: [{ name, center, points: [{name, at}], shapes }], ground: { points, shapes },
//     joints, springs: [{ name, type, symbol, a: {body, at}, b: {body, at}, axis, length }],
//     deforming: [{ name, nodes: [{body, at}], lines, radius, frame, rest, elements }] }
// body: index, −1 for ground. Shapes are those of shape_json.hpp with all places given as [x, y, z] and orientations as
// quaternions; "derived": true if the shape was made up. Meshes stand outside: `add_mesh` says how they are named.
#pragma once

#include <functional>
#include <vector>

#include "driftless/core/json/json_value.hpp"
#include "driftless/model/drawing/drawing.hpp"

namespace driftless {

using AddMesh = std::function<void(const Mesh& mesh, JsonValue::Object& shape)>;

JsonValue::Object write_drawing(const Drawing& drawing, const AddMesh& add_mesh);

// What files hold: meshes are numbered ("mesh": 0) and kept apart.
std::string drawing_text(const Drawing& drawing, std::vector<const Mesh*>& meshes);
Drawing read_drawing(const std::string& text, std::vector<Mesh> meshes);  // std::runtime_error: not a drawing

}  // namespace driftless
