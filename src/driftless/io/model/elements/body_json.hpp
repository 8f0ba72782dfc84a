// Bodies and ground in model files: masses, places and turns, named points and axes.
//
// Orientations are written in any of these forms, all for the rotation R from body to world axes:
//   {"quaternion": [w, x, y, z]}         of any length but 0
//   {"axis": [x, y, z], "angle": a}      a turn about an axis
//   {"xyz": [a, b, c]}                   R = Rx(a) Ry(b) Rz(c)                                                      (1)
//   {"zxz": [a, b, c]}                   R = Rz(a) Rx(b) Rz(c), the Euler angles precession, nutation, spin         (2)
//   {"matrix": [[…], […], […]]}          R by rows, orthonormal to 1e-6, then made exactly so                       (3)
// Inertia is the tensor about the centre of mass in body axes: its diagonal, six of its elements (off-diagonal ones with
// the sign they have in the matrix), or three rows.
#pragma once

#include <optional>
#include <string>

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Everything but the name. False if names of points or axes could not be read, so that nothing can refer to them.
bool read_body_fields(const JsonReader& entry, Space space, Body& out);
bool read_ground(const JsonReader& ground, Model& model);

// One of the forms above, as a unit quaternion.
std::optional<Eigen::Vector4d> read_orientation(const JsonReader& reader);

JsonValue::Object write_body(const Body& body, Space space);
JsonValue::Object write_ground(const Model& model);

}  // namespace driftless
