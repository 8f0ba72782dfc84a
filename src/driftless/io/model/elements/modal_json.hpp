// Imported modal bodies in model files: {"type": "modal", "file": "rod.json"}, beside the model file, JSON or HDF5 (*.h5,
// *.hdf5) with the same names, or {"type": "modal", "data": {…}} with what would stand in the file:
//   nodes      [[x, y, z], …], plane [[x, y], …]               connect    [[0, 1], …] lines to draw; default: none
//   modes      [mode][node][3 or 6]: u v w, and rx ry rz; plane [2 or 3]: u v, and rz
//   stiffness  [n][n] or its diagonal [n]                      damping    the same, optional
//   mass       of the nodes [k]                                inertia    of the nodes [k][3][3] about them; plane [k]; optional
//   modal_mass [n][n] or [n]: checked against the sums; optional
//   invariants instead of mass and inertia: m, s0, P0, S [axis][n], P1 [axis][axis][n], P2 [axis][axis][n][n]
#pragma once

#include "driftless/io/json_reader.hpp"
#include "driftless/model/flexible_spec.hpp"

namespace driftless {

void read_modal(const JsonReader& reader, Space space, FlexibleSpec& out);
JsonValue::Object write_modal(const FlexibleSpec& spec, Space space);

}  // namespace driftless
