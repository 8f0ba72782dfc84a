// Inputs in model files: values that live while a run goes on.
//
//   "inputs": { "torque": 0, "brake": { "value": "if(speed > 3, 20, 0)", "unit": "N m", "every": 0.01 } }
//
// Each is a function of time as anywhere (function_json.hpp), in whose expressions outputs and other inputs may be named, or an
// object with it. Values that the caller sets take the place of those in the file.
#pragma once

#include <string>
#include <vector>

#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// `prefix`: of the names in `set` and in the list.
std::vector<Input> read_inputs(const JsonReader& block,
                               const std::string& prefix,
                               const ParameterValues& set);
JsonValue write_inputs(const std::vector<Input>& inputs);

}  // namespace driftless
