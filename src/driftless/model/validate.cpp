// validate(): names, bodies, start values and run settings here; elements against their records in
// validate_elements.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/model/model.hpp"
#include "driftless/model/validate_elements.hpp"

namespace driftless {
namespace {

const std::vector<std::string> kPlanarCoordinates = {"x", "y", "theta"};
const std::vector<std::string> kJointCoordinates = {"angle", "displacement"};
const std::vector<std::string> kDirections = {"any", "up", "down"};

// Everything but the elements.
class ModelCheck {
 public:
  ModelCheck(const Model& model, const ModelNames& names, Complaints& complaints)
      : model_(model), names_(names), complaints_(complaints) {}

  void names();
  void ground_and_bodies();
  void initial();
  void simulate();
  void stop_conditions();

 private:
  // Name → where it was met first.
  using Seen = std::unordered_map<std::string_view, std::string>;

  void unique(const std::string& where, std::string_view name, Seen& seen);
  void finite(const std::string& where, double value);
  void vector(const std::string& where, const Vec3& value);
  void positive(const std::string& where, double value);
  void positive(const std::string& where, const std::optional<double>& value);
  void method_name(const std::string& where, const std::optional<std::string>& value);
  void points(const std::string& path, const std::vector<NamedPoint>& list);
  void body(const std::string& path, const Body& body);
  void held(const std::string& where, const std::string& coordinate);

  const Model& model_;
  const ModelNames& names_;
  Complaints& complaints_;
};

void ModelCheck::unique(const std::string& where, std::string_view name, Seen& seen) {
  if (name.empty()) return;
  const auto [entry, is_new] = seen.try_emplace(name, where);
  if (!is_new)
    complaints_.add(where, "a name of its own", quoted(name),
                    fmt::format("{} has this name already", entry->second));
}

void ModelCheck::names() {
  Seen bodies, elements, outputs, starts, held;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    unique(path_below(path_below("bodies", i), "name"), model_.bodies[i].name, bodies);
  // Joints, drivers and forces share one set of names: results and messages speak of them by name alone.
  const auto add_all = [&](const std::string& path, const std::vector<Element>& list, Seen& seen) {
    for (std::size_t i = 0; i < list.size(); ++i)
      unique(path_below(path_below(path, i), "name"), list[i].name, seen);
  };
  add_all("joints", model_.joints, elements);
  add_all("drivers", model_.drivers, elements);
  add_all("forces", model_.forces, elements);
  add_all("outputs", model_.outputs, outputs);
  for (const auto& start : model_.initial.joints)
    unique(path_below("initial.joints", start.joint), start.joint, starts);
  for (std::size_t i = 0; i < model_.initial.hold.size(); ++i)
    unique(path_below("initial.hold", i), model_.initial.hold[i], held);
}

void ModelCheck::finite(const std::string& where, double value) {
  if (!std::isfinite(value)) complaints_.add(where, "a finite number", fmt::format("{}", value));
}

void ModelCheck::vector(const std::string& where, const Vec3& v) {
  if (!v.allFinite())
    complaints_.add(where, "finite numbers", fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()));
  else if (model_.space == Space::planar && v.z() != 0)
    complaints_.add(where, "a vector [x, y]: the model is planar", fmt::format("z = {}", v.z()),
                    "leave z out");
}

void ModelCheck::positive(const std::string& where, double value) {
  if (!std::isfinite(value) || value <= 0) complaints_.add(where, "a number > 0", fmt::format("{}", value));
}

void ModelCheck::positive(const std::string& where, const std::optional<double>& value) {
  if (value) positive(where, *value);
}

void ModelCheck::method_name(const std::string& where, const std::optional<std::string>& value) {
  if (value && value->empty())
    complaints_.add(where, "the name of a method", "an empty name", "`driftless methods` lists them");
}

void ModelCheck::points(const std::string& path, const std::vector<NamedPoint>& list) {
  Seen seen;
  for (const auto& point : list) {
    const std::string where = path_below(path, point.name);
    validate_name(where, point.name, complaints_);
    unique(where, point.name, seen);
    vector(where, point.at);
  }
}

void ModelCheck::body(const std::string& path, const Body& b) {
  const auto at = [&](std::string_view key) { return path_below(path, key); };
  validate_name(at("name"), b.name, complaints_);
  if (b.name == kGround)
    complaints_.add(at("name"), "a name other than 'ground'", "'ground'",
                    "'ground' is the world and needs no entry");
  positive(at("mass"), b.mass);
  if (model_.space == Space::planar) positive(at("inertia"), b.inertia);
  vector(at("center_of_mass"), b.center_of_mass);
  points(at("points"), b.points);
  vector(at("position"), b.position);
  finite(at("angle"), b.angle);
  vector(at("velocity"), b.velocity);
  finite(at("angular_velocity"), b.angular_velocity);
}

void ModelCheck::ground_and_bodies() {
  vector("gravity", model_.gravity);
  points("ground.points", model_.ground_points);
  if (model_.bodies.empty()) complaints_.add("bodies", "at least one body", "none");
  for (std::size_t i = 0; i < model_.bodies.size() && !complaints_.full(); ++i)
    body(path_below("bodies", i), model_.bodies[i]);
}

void ModelCheck::held(const std::string& where, const std::string& coordinate) {
  if (complaints_.full()) return;
  const auto dot = coordinate.rfind('.');
  const std::string name = coordinate.substr(0, dot);
  const std::string component = dot == std::string::npos ? "" : coordinate.substr(dot + 1);
  const bool is_body = name != kGround && names_.owners.count(name) > 0;
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), component) != list.end();
  };
  if (is_body && has(kPlanarCoordinates)) return;
  if (names_.joints.count(name) > 0 && has(kJointCoordinates)) return;  // whether it has it, its record knows
  std::vector<std::string> candidates;
  for (const auto& b : model_.bodies) {
    if (candidates.size() > 2000) break;
    for (const auto& c : kPlanarCoordinates) candidates.push_back(b.name + "." + c);
  }
  for (const auto& joint : model_.joints) {
    if (candidates.size() > 2000) break;
    for (const auto& c : kJointCoordinates) candidates.push_back(joint.name + "." + c);
  }
  complaints_.add(where,
                  R"(a coordinate: "BODY.x", "BODY.y", "BODY.theta", "JOINT.angle" or "JOINT.displacement")",
                  quoted(coordinate), did_you_mean(coordinate, candidates));
}

void ModelCheck::initial() {
  for (const auto& start : model_.initial.joints) {
    if (complaints_.full()) return;
    const std::string where = path_below("initial.joints", start.joint);
    if (names_.joints.count(start.joint) == 0)
      complaints_.add(where, "the name of a joint", quoted(start.joint),
                      hint_among(start.joint, names_.joints));
    if (!start.value && !start.rate) complaints_.add(where, "\"value\", \"rate\" or both", "neither");
    if (start.value) finite(path_below(where, "value"), *start.value);
    if (start.rate) finite(path_below(where, "rate"), *start.rate);
  }
  for (std::size_t i = 0; i < model_.initial.hold.size(); ++i)
    held(path_below("initial.hold", i), model_.initial.hold[i]);
}

void ModelCheck::simulate() {
  const RunSettings& run = model_.simulate;
  positive("simulate.t_end", run.t_end);
  positive("simulate.output_step", run.output_step);
  method_name("simulate.coordinates", run.coordinates);
  method_name("simulate.formulation", run.formulation);
  method_name("simulate.integrator", run.integrator);
  method_name("simulate.stabilization", run.stabilization);
  positive("simulate.rtol", run.rtol);
  positive("simulate.atol", run.atol);
  positive("simulate.step", run.step);
  positive("simulate.initial_step", run.initial_step);
  positive("simulate.max_step", run.max_step);
  positive("simulate.drift_limit", run.drift_limit);
  if (run.max_steps && *run.max_steps < 1)
    complaints_.add("simulate.max_steps", "a whole number > 0", fmt::format("{}", *run.max_steps));
  for (const auto& [name, text] : run.options) {
    const std::string where = path_below("simulate.options", name);
    if (name.empty()) complaints_.add(where, "the name of an option", "an empty name");
    if (text.empty()) complaints_.add(where, "a number or a word", "an empty value");
  }
}

void ModelCheck::stop_conditions() {
  for (std::size_t i = 0; i < model_.stop_when.size() && !complaints_.full(); ++i) {
    const StopWhen& stop = model_.stop_when[i];
    const std::string path = path_below("simulate.stop_when", i);
    if (names_.outputs.count(stop.output) == 0)
      complaints_.add(path_below(path, "output"), "the name of an output", quoted(stop.output),
                      hint_among(stop.output, names_.outputs));
    finite(path_below(path, "crosses"), stop.crosses);
    if (std::find(kDirections.begin(), kDirections.end(), stop.direction) == kDirections.end())
      complaints_.add(path_below(path, "direction"), quoted_list(kDirections), quoted(stop.direction),
                      did_you_mean(stop.direction, kDirections));
  }
}

}  // namespace

std::vector<Complaint> validate(const Model& model, const Catalogue& catalogue) {
  const ModelNames names(model);
  Complaints complaints;
  ModelCheck check(model, names, complaints);
  check.names();
  check.ground_and_bodies();
  validate_elements(model, catalogue, names, complaints);
  check.initial();
  check.simulate();
  check.stop_conditions();
  return complaints.take();
}

}  // namespace driftless
