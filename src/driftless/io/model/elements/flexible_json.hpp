// `flexible` of a body: {"type": "beam", "from": […], "to": […], "elements": 4, "section": {…}, "material": {…}, …}.
// docs/model-file.md has the keys.
#pragma once

#include <optional>

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

std::optional<FlexibleSpec> read_flexible(const JsonReader& reader, Space space);
// Boundaries of modes given by names of points of the body: the nodes nearest to them.
void read_boundary(const JsonReader& reader, const std::vector<NamedPoint>& points, FlexibleSpec& out);
JsonValue::Object write_flexible(const FlexibleSpec& spec, Space space);

}  // namespace driftless
