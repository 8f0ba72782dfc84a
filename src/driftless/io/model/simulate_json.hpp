// The section `simulate` of model files: settings of a run, options of methods, stop conditions; read, written, and its schema, all
// from the table of settings.
#pragma once

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

void read_simulate(const JsonReader& simulate, Model& out);
JsonValue::Object write_simulate(const Model& model);
JsonValue::Object simulate_schema();

}  // namespace driftless
