// validate(): names, bodies, start values and run settings here; elements against their records in
// validate_elements.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/model/validate/validate_elements.hpp"
#include "driftless/model/validate/validate_flexible.hpp"
#include "driftless/model/validate/validate_shapes.hpp"

namespace driftless {
namespace {

// What assembly can be told to leave where it is.
const std::vector<std::string> kPlanarCoordinates = {"x", "y", "theta"};
const std::vector<std::string> kSpatialCoordinates = {"x", "y", "z", "orientation"};
const std::vector<std::string> kJointCoordinates = {"angle", "displacement"};
const std::vector<std::string> kDirections = {"any", "up", "down"};
constexpr double kFarthest = 1e100;  // m

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
  void inputs();

 private:
  // Name → where it was met first.
  using Seen = std::unordered_map<std::string_view, std::string>;

  void unique(const std::string& where, std::string_view name, Seen& seen);
  void finite(const std::string& where, double value);
  void vector(const std::string& where, const Vec3& value);
  void place(const std::string& where, const Vec3& value);
  void positive(const std::string& where, double value);
  void positive(const std::string& where, const std::optional<double>& value);
  void setting_word(const std::string& where,
                    const std::optional<std::string>& value,
                    const std::vector<std::string>& choices);
  void points(const std::string& path, const std::vector<NamedPoint>& list);
  void axes(const std::string& path, const std::vector<NamedPoint>& list);
  void body(const std::string& path, const Body& body);
  void inertia_tensor(const std::string& where, const Eigen::Matrix3d& tensor);
  void orientation(const std::string& where, const Eigen::Vector4d& quaternion);
  void absent(const std::string& where, bool is_absent, const char* instead);
  void joint_starts();
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
  Seen bodies, elements, outputs, held;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    unique(path_below(path_below("bodies", i), "name"), model_.bodies[i].name, bodies);
  // Joints, drivers and forces share one set of names: results and messages speak of them by name alone.
  const auto add_all = [&](const std::string& path, const std::vector<Element>& list, Seen& seen) {
    for (std::size_t i = 0; i < list.size(); ++i)
      unique(path_below(path_below(path, i), "name"), list[i].name, seen);
  };
  add_all("joints", model_.joints, elements);
  add_all("drivers", model_.drivers, elements);
  add_all("contacts", model_.contacts, elements);
  add_all("forces", model_.forces, elements);
  add_all("outputs", model_.outputs, outputs);
  Seen switches;
  add_all("switches", model_.switches, switches);
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

// Distances are roots of squares, and squares overflow.
void ModelCheck::place(const std::string& where, const Vec3& v) {
  vector(where, v);
  if (v.allFinite() && v.cwiseAbs().maxCoeff() > kFarthest)
    complaints_.add(where, fmt::format("a place within {:g} m of the origin", kFarthest),
                    fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()));
}

void ModelCheck::positive(const std::string& where, double value) {
  if (!std::isfinite(value) || value <= 0) complaints_.add(where, "a number > 0", fmt::format("{}", value));
}

void ModelCheck::positive(const std::string& where, const std::optional<double>& value) {
  if (value) positive(where, *value);
}

void ModelCheck::setting_word(const std::string& where,
                              const std::optional<std::string>& value,
                              const std::vector<std::string>& choices) {
  if (!value) return;
  if (choices.empty()) {
    if (value->empty())
      complaints_.add(where, "the name of a method", "an empty name", "`driftless methods` lists them");
  } else if (std::find(choices.begin(), choices.end(), *value) == choices.end()) {
    complaints_.add(where, quoted_list(choices), quoted(*value), did_you_mean(*value, choices));
  }
}

void ModelCheck::points(const std::string& path, const std::vector<NamedPoint>& list) {
  Seen seen;
  for (const auto& point : list) {
    const std::string where = path_below(path, point.name);
    validate_name(where, point.name, complaints_);
    unique(where, point.name, seen);
    place(where, point.at);
  }
}

void ModelCheck::axes(const std::string& path, const std::vector<NamedPoint>& list) {
  if (model_.space == Space::planar) return absent(path, list.empty(), "directions by their components");
  points(path, list);
  for (const auto& axis : list)
    if (axis.at.isZero(0))
      complaints_.add(path_below(path, axis.name), "a direction [x, y, z], not zero", "zero");
}

void ModelCheck::body(const std::string& path, const Body& b) {
  const auto at = [&](std::string_view key) { return path_below(path, key); };
  validate_name(at("name"), b.name, complaints_);
  if (b.name == kGround)
    complaints_.add(at("name"), "a name other than 'ground'", "'ground'",
                    "'ground' is the world and needs no entry");
  const bool planar = model_.space == Space::planar;
  if (b.flexible)
    validate_flexible(at("flexible"), *b.flexible, model_.space, complaints_);
  else
    positive(at("mass"), b.mass);
  if (b.point)
    for (const auto& point : b.points)
      if (!point.at.isZero(0))
        complaints_.add(path_below(at("points"), point.name), "the place of the point mass itself: zero",
                        "another", "it has no extent and no attitude");
  place(at("center_of_mass"), b.center_of_mass);
  points(at("points"), b.points);
  axes(at("axes"), b.axes);
  place(at("position"), b.position);
  vector(at("velocity"), b.velocity);
  validate_shapes(at("shapes"), b.shapes, b.points, complaints_);
  if (planar) {
    if (b.is_rigid()) positive(at("inertia"), b.inertia);
    finite(at("angle"), b.angle);
    finite(at("angular_velocity"), b.angular_velocity);
    absent(at("inertia_tensor"), b.inertia_tensor.isZero(0), "inertia");
    absent(at("orientation"), b.orientation == Body().orientation, "angle");
    absent(at("spin"), b.spin.isZero(0), "angular_velocity");
  } else {
    if (b.is_rigid()) inertia_tensor(at("inertia"), b.inertia_tensor);
    orientation(at("orientation"), b.orientation);
    vector(at("angular_velocity"), b.spin);
    absent(at("inertia"), b.inertia == 0, "inertia_tensor");
    absent(at("angle"), b.angle == 0, "orientation");
    absent(at("angular_velocity"), b.angular_velocity == 0, "spin");
  }
}

// Of a body that can exist: no principal moment exceeds the sum of the two others (for a plate it is that sum).
void ModelCheck::inertia_tensor(const std::string& where, const Eigen::Matrix3d& tensor) {
  const double largest = tensor.cwiseAbs().maxCoeff();
  if (!tensor.allFinite()) return complaints_.add(where, "finite numbers", "others");
  if ((tensor - tensor.transpose()).cwiseAbs().maxCoeff() > 1e-9 * largest)
    return complaints_.add(where, "a symmetric matrix", "another");
  Vec3 moments = Vec3::Zero();  // in increasing order; scaled, lest squares overflow
  if (largest > 0) moments = symmetric_eigenvalues(tensor / largest);
  const Vec3 m = moments * largest;
  const std::string found = fmt::format("the principal moments {:.6g}, {:.6g} and {:.6g}", m[0], m[1], m[2]);
  constexpr double round_off = 1e-14;
  if (moments[0] <= round_off * moments[2])
    complaints_.add(where, "a positive definite inertia tensor", found,
                    moments[0] >= -round_off * moments[2]
                        ? "a thin body, too, resists turning about its axis: about mass · radius² / 2"
                        : "off-diagonal elements are minus the products of inertia: Ixy = −∫ x y dm");
  else if (moments[2] - moments[0] - moments[1] > 1e-9 * moments[2])
    complaints_.add(where, "principal moments none of which exceeds the sum of the two others", found,
                    "no body has these; they count about the centre of mass, and Ixy = −∫ x y dm");
}

void ModelCheck::orientation(const std::string& where, const Eigen::Vector4d& e) {
  if (!(std::abs(e.norm() - 1) <= 1e-9))
    complaints_.add(where, "a unit quaternion", fmt::format("one of length {}", e.norm()), "normalise it");
}

// What models of the other space have: a file cannot say it, a program can.
void ModelCheck::absent(const std::string& where, bool is_absent, const char* instead) {
  if (!is_absent)
    complaints_.add(
        where, fmt::format("nothing in a {} model", model_.space == Space::planar ? "planar" : "spatial"),
        "a value", fmt::format("give {} instead", instead));
}

void ModelCheck::ground_and_bodies() {
  vector("gravity", model_.gravity);
  points("ground.points", model_.ground_points);
  axes("ground.axes", model_.ground_axes);
  validate_shapes("ground.shapes", model_.ground_shapes, model_.ground_points, complaints_);
  if (model_.bodies.empty()) complaints_.add("bodies", "at least one body", "none");
  for (std::size_t i = 0; i < model_.bodies.size() && !complaints_.full(); ++i)
    body(path_below("bodies", i), model_.bodies[i]);
}

void ModelCheck::held(const std::string& where, const std::string& coordinate) {
  if (complaints_.full()) return;
  const auto dot = coordinate.rfind('.');
  const std::string name = coordinate.substr(0, dot);
  const std::string component = dot == std::string::npos ? "" : coordinate.substr(dot + 1);
  const bool planar = model_.space == Space::planar;
  const auto& components = planar ? kPlanarCoordinates : kSpatialCoordinates;
  const bool is_body = name != kGround && names_.owners.count(name) > 0;
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), component) != list.end();
  };
  if (is_body && has(components)) return;
  if (names_.joints.count(name) > 0 && has(kJointCoordinates)) return;  // whether it has it, its record knows
  std::vector<std::string> candidates;
  for (const auto& b : model_.bodies) {
    if (candidates.size() > 2000) break;
    for (const auto& c : components) candidates.push_back(b.name + "." + c);
  }
  for (const auto& joint : model_.joints) {
    if (candidates.size() > 2000) break;
    for (const auto& c : kJointCoordinates) candidates.push_back(joint.name + "." + c);
  }
  complaints_.add(
      where,
      planar
          ? R"(a coordinate: "BODY.x", "BODY.y", "BODY.theta", "JOINT.angle" or "JOINT.displacement")"
          : R"(a coordinate: "BODY.x", "BODY.y", "BODY.z", "BODY.orientation", "JOINT.angle" or "JOINT.displacement")",
      quoted(coordinate), did_you_mean(coordinate, candidates));
}

void ModelCheck::joint_starts() {
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> seen;  // joint → coordinates
  for (const auto& start : model_.initial.joints) {
    if (complaints_.full()) return;
    const std::string joint = path_below("initial.joints", start.joint);
    const std::string where = start.coordinate.empty() ? joint : path_below(joint, start.coordinate);
    auto& coordinates = seen[start.joint];
    if (coordinates.empty() && names_.joints.count(start.joint) == 0)
      complaints_.add(joint, "the name of a joint", quoted(start.joint),
                      hint_among(start.joint, names_.joints));
    if (!coordinates.insert(start.coordinate).second)
      complaints_.add(where, "one start for each coordinate", "another");
    else if (coordinates.size() > 1 && coordinates.count("") > 0)
      complaints_.add(where, "\"value\" and \"rate\", or coordinates by name", "both");
    if (!start.coordinate.empty()) validate_name(where, start.coordinate, complaints_);
    if (!start.value && !start.rate) complaints_.add(where, "\"value\", \"rate\" or both", "neither");
    if (start.value) finite(path_below(where, "value"), *start.value);
    if (start.rate) finite(path_below(where, "rate"), *start.rate);
  }
}

void ModelCheck::initial() {
  joint_starts();
  for (std::size_t i = 0; i < model_.initial.hold.size(); ++i)
    held(path_below("initial.hold", i), model_.initial.hold[i]);
}

void ModelCheck::simulate() {
  const RunSettings& run = model_.simulate;
  for (const Setting& setting : run_settings()) {
    const std::string where = path_below("simulate", setting.name);
    if (const auto* number = std::get_if<NumberMember>(&setting.member)) {
      positive(where, run.*(*number));
    } else if (const auto* count = std::get_if<CountMember>(&setting.member)) {
      if (const auto& value = run.*(*count); value && *value < 1)
        complaints_.add(where, "a whole number > 0", fmt::format("{}", *value));
    } else {
      setting_word(where, run.*std::get<TextMember>(setting.member), setting.choices);
    }
  }
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

// Inputs are named in expressions: a name of letters, digits and '_' that means nothing else there.
void ModelCheck::inputs() {
  Seen seen;
  for (std::size_t i = 0; i < model_.outputs.size(); ++i)
    seen.try_emplace(model_.outputs[i].name, path_below("outputs", i));
  for (const Parameter& parameter : model_.parameters)
    seen.try_emplace(parameter.name, path_below("parameters", parameter.name));
  for (const Input& input : model_.inputs) {
    const std::string where = path_below("inputs", input.name);
    const std::vector<std::string> variables = {"t"};
    const auto own = signals_in(input.name, variables);
    if (own.size() != 1 || own[0] != input.name || input.name.find('.') != std::string::npos)
      complaints_.add(where, "a name of letters, digits and '_', no digit first, other than t, pi and e",
                      quoted(input.name));
    unique(where, input.name, seen);
    if (!(std::isfinite(input.every) && input.every >= 0))
      complaints_.add(path_below(where, "every"), "a time > 0, or 0: always", fmt::format("{}", input.every));
    const auto* expression = input.value.expression();
    validate_signals(where, input.function || expression == nullptr ? "" : expression->text(),
                     input.signals(), names_, complaints_);
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
  check.inputs();
  return complaints.take();
}

}  // namespace driftless
