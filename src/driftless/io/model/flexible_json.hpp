// `flexible` of a body: {"type": "beam", "from": […], "to": […], "elements": 4, "section": {…}, "material": {…}, …}.
// docs/model-file.md has the keys.
#pragma once

#include <optional>

#include "driftless/io/json_reader.hpp"
#include "driftless/io/json_value.hpp"
#include "driftless/model/flexible_spec.hpp"

namespace driftless {

// `points`: of the body, for boundaries of modes given by name.
std::optional<FlexibleSpec> read_flexible(const JsonReader& reader, Space space);
JsonValue::Object write_flexible(const FlexibleSpec& spec, Space space);

}  // namespace driftless
