// Joints, drivers, forces, contacts, outputs and switches in model files: objects whose keys are the fields of their records.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/json/json_value.hpp"
#include "driftless/io/json_reader.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Type and fields of an element; its name is read already. `noun`: "joint"; a "switch" has no type.
void read_element(const JsonReader& entry,
                  const std::string& noun,
                  const std::vector<const ElementRecord*>& records,
                  Space space,
                  Element& out);

// `typed`: of several types, which is written.
JsonValue::Array write_elements(const std::vector<Element>& elements, Space space, bool typed = true);

}  // namespace driftless
