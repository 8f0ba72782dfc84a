// model_to_json: the model as a JSON tree in the order a person would write it, then printed.
#include <algorithm>
#include <charconv>

#include "driftless/io/model/body_json.hpp"
#include "driftless/io/model/field_json.hpp"
#include "driftless/io/model/input_json.hpp"
#include "driftless/io/model_json.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

void add(Object& out, const char* key, const std::optional<double>& value) {
  if (value) out.push_back({key, *value});
}

void add(Object& out, const char* key, const std::optional<std::string>& value) {
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

// `typed`: of several types, which is written.
Array write_elements(const std::vector<Element>& elements, Space space, bool typed = true) {
  Array out;
  for (const auto& element : elements) {
    Object entry = {{"name", element.name}};
    if (typed) entry.push_back({"type", element.type});
    for (const auto& [name, value] : element.fields) {
      const auto dot = name.find('.');
      if (dot == std::string::npos) {
        entry.push_back({name, write_field(value, space)});
        continue;
      }
      const std::string group = name.substr(0, dot);  // its fields follow one another
      if (entry.back().key != group) entry.push_back({group, Object{}});
      std::get<Object>(entry.back().value.data).push_back({name.substr(dot + 1), write_field(value, space)});
    }
    out.push_back(std::move(entry));
  }
  return out;
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

// A number only if reading it gives the same text.
JsonValue write_option(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number_text(number) == text &&
      text.find_first_of("ni") == std::string::npos)
    return number;
  return text;
}

Array write_stop_conditions(const std::vector<StopWhen>& conditions) {
  Array out;
  for (const auto& stop : conditions) {
    Object entry = {{"output", stop.output}, {"crosses", stop.crosses}};
    if (stop.direction != StopWhen().direction) entry.push_back({"direction", stop.direction});
    out.push_back(std::move(entry));
  }
  return out;
}

Object write_simulate(const Model& model) {
  const RunSettings& run = model.simulate;
  Object out;
  add(out, "t_end", run.t_end);
  add(out, "output_step", run.output_step);
  add(out, "coordinates", run.coordinates);
  add(out, "formulation", run.formulation);
  add(out, "integrator", run.integrator);
  add(out, "stabilization", run.stabilization);
  add(out, "rtol", run.rtol);
  add(out, "atol", run.atol);
  add(out, "step", run.step);
  add(out, "initial_step", run.initial_step);
  add(out, "max_step", run.max_step);
  if (run.max_steps) out.push_back({"max_steps", static_cast<double>(*run.max_steps)});
  add(out, "drift_limit", run.drift_limit);
  add(out, "record", run.record);
  Object options;
  for (const auto& [name, text] : run.options) options.push_back({name, write_option(text)});
  add_if_set(out, "options", std::move(options));
  add_if_set(out, "stop_when", write_stop_conditions(model.stop_when));
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
