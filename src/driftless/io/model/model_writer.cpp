// model_to_json: the model as a JSON tree in the order a person would write it, then printed.
#include <algorithm>

#include "driftless/io/model/elements/body_json.hpp"
#include "driftless/io/model/elements/element_json.hpp"
#include "driftless/io/model/field_json.hpp"
#include "driftless/io/model/input_json.hpp"
#include "driftless/io/model/simulate_json.hpp"
#include "driftless/io/model_json.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

void add(Object& out, const char* key, const std::optional<double>& value) {
  if (value) out.push_back({key, *value});
}

// What has a default is written only where it differs.
void add_if_set(Object& out, const char* key, const std::string& value) {
  if (!value.empty()) out.push_back({key, value});
}

void add_if_set(Object& out, const char* key, const Vec3& value, Space space) {
  if (!value.isZero(0)) out.push_back({key, write_vector(value, space)});
}

void add_if_set(Object& out, const char* key, Object value) {
  if (!value.empty()) out.push_back({key, std::move(value)});
}

void add_if_set(Object& out, const char* key, Array value) {
  if (!value.empty()) out.push_back({key, std::move(value)});
}

Object write_initial(const Initial& initial) {
  Object joints;
  for (const auto& start : initial.joints) {
    Object entry;
    add(entry, "value", start.value);
    add(entry, "rate", start.rate);
    if (start.coordinate.empty()) {
      joints.push_back({start.joint, std::move(entry)});
      continue;
    }
    // The coordinates of a joint stand together, where the first of them was.
    auto place =
        std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.key == start.joint; });
    if (place == joints.end()) place = joints.insert(place, {start.joint, Object{}});
    std::get<Object>(place->value.data).push_back({start.coordinate, std::move(entry)});
  }
  Object out;
  add_if_set(out, "joints", std::move(joints));
  add_if_set(out, "hold", Array(initial.hold.begin(), initial.hold.end()));
  return out;
}

}  // namespace

std::string model_to_json(const Model& model) {
  const Space space = model.space;
  Object out = {{"driftless", 1}};
  add_if_set(out, "name", model.name);
  add_if_set(out, "description", model.description);
  if (space != Model().space) out.push_back({"space", "spatial"});
  add_if_set(out, "gravity", model.gravity, space);
  if (!model.inputs.empty()) out.push_back({"inputs", write_inputs(model.inputs)});
  add_if_set(out, "ground", write_ground(model));
  Array bodies;
  for (const auto& body : model.bodies) bodies.push_back(write_body(body, space));
  out.push_back({"bodies", std::move(bodies)});
  add_if_set(out, "joints", write_elements(model.joints, space));
  add_if_set(out, "drivers", write_elements(model.drivers, space));
  add_if_set(out, "contacts", write_elements(model.contacts, space));
  add_if_set(out, "forces", write_elements(model.forces, space));
  add_if_set(out, "outputs", write_elements(model.outputs, space));
  add_if_set(out, "switches", write_elements(model.switches, space, false));
  add_if_set(out, "initial", write_initial(model.initial));
  add_if_set(out, "simulate", write_simulate(model));
  return to_text(std::move(out));
}

}  // namespace driftless
