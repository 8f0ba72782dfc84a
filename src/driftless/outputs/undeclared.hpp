// Outputs that people expect without declaring them: "pin.angle" and "pin.angle_rate", "strut.length", "strut.rate" and "strut.force",
// "motor.torque", "foot.normal". Laws may read those of them that follow from places and velocities. Of forces what is recorded are
// efforts. RunSettings::record switches them on and off: runs (run/case.cpp) have them on, but for large models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// All of a model, in the order joints, drivers, contacts, forces; names are ELEMENT.VALUE.
std::vector<Element> undeclared_outputs(const Model& model);
bool records_undeclared(const Model& model);  // its settings say so

// The output of that name, declared or not; nothing: there is none.
std::optional<Element> output_called(const std::string& name, const Model& model);

}  // namespace driftless
