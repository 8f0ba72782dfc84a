#include "driftless/model/placement.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/model/validate/validate_elements.hpp"

namespace driftless {
namespace {

using Names = std::unordered_set<std::string>;

template <class List>
Names names_of(const List& list) {
  Names out;
  for (const auto& entry : list) out.insert(entry.name);
  return out;
}

Eigen::Quaterniond quaternion(const Eigen::Vector4d& e) { return {e[0], e[1], e[2], e[3]}; }

class PartMover {
 public:
  PartMover(Model& part, const Placement& placement, const Catalogue& catalogue)
      : part_(part),
        placement_(placement),
        catalogue_(catalogue),
        planar_(part.space == Space::planar),
        turn_(planar_ ? Eigen::Quaterniond(Eigen::AngleAxisd(placement.angle, Vec3::UnitZ()))
                      : quaternion(placement.orientation)),
        bodies_(names_of(part.bodies)),
        joints_(names_of(part.joints)),
        forces_(names_of(part.forces)),
        outputs_(names_of(part.outputs)),
        inputs_(names_of(part.inputs)),
        points_(names_of(part.ground_points)),
        axes_(names_of(part.ground_axes)),
        constraints_(joints_) {
    for (const Element& driver : part.drivers) constraints_.insert(driver.name);
    for (const Element& contact : part.contacts) constraints_.insert(contact.name);
  }
  // Signals: outputs, inputs, and what is read off an element by its name, "spring.force".
  bool is_own_signal(std::string_view name) const {
    const std::string whole(name), element = whole.substr(0, whole.find('.'));
    return outputs_.contains(whole) || inputs_.contains(whole) ||
           (element.size() < whole.size() && (constraints_.contains(element) || forces_.contains(element)));
  }

  std::vector<Complaint> move();

 private:
  Vec3 turned(const Vec3& u) const { return placement_.turns() ? Vec3(turn_ * u) : u; }
  Vec3 placed(const Vec3& x) const { return placement_.position + turned(x); }  // (1)
  void call(std::string& name, const Names& own) const {
    if (own.contains(name)) name.insert(0, placement_.prefix);
  }
  // Names of signals in an expression, last first: places of those before stay. `variables` mean something else.
  void rename(std::string& text, const std::vector<std::string>& variables) const {
    const auto names = names_in(text);
    std::vector<std::size_t> begins;
    for (const NamePlace& place : names)
      if (is_own_signal(place.name) &&
          std::find(variables.begin(), variables.end(), place.name) == variables.end())
        begins.push_back(place.begin);
    for (auto begin = begins.rbegin(); begin != begins.rend(); ++begin)
      text.insert(*begin, placement_.prefix);
  }
  void rename(TimeFunction& function) const {
    if (function.signals().empty()) return;
    auto text = std::get<time_function::ExpressionText>(function.data());
    rename(text.text, {text.variable});
    for (std::string& name : text.signals)
      if (is_own_signal(name)) name.insert(0, placement_.prefix);
    function = TimeFunction(std::move(text));
  }
  void point(PointRef& ref) const;
  void direction(DirectionRef& ref, const std::string& owner) const;
  void shapes(std::vector<Shape>& list) const;
  void body(Body& body) const;
  void initial();
  void elements(const char* section,
                std::vector<Element>& list,
                const std::vector<const ElementRecord*>& records);
  void element(const std::string& path, Element& element, const ElementRecord& record);
  void names_and_places(Element& element, const ElementRecord& record) const;
  void world_fields(const std::string& path, Element& element, const ElementRecord& record);
  void angles_to_ground(const std::string& path, Element& element, const ElementRecord& record);
  void refuse(const std::string& where, const std::string& expected, const Element& element);
  bool in_world_axes(const Element& element, const ElementRecord& record, const std::string& field) const;
  std::string owner_of(const Element& element, const ElementRecord& record, const std::string& field) const;
  double shift(const Element& element) const;
  double shift_of_joint(const std::string& name) const;

  Model& part_;
  const Placement& placement_;
  const Catalogue& catalogue_;
  bool planar_;
  Eigen::Quaterniond turn_;
  Names bodies_, joints_, forces_, outputs_, inputs_, points_, axes_, constraints_;
  std::vector<Complaint> complaints_;
};

void PartMover::refuse(const std::string& where, const std::string& expected, const Element& element) {
  complaints_.push_back({where, expected, fmt::format("{} in {}", quoted(element.type), quoted(element.name)),
                         "the assembly is turned: write this element in the file that includes it"});
}

void PartMover::point(PointRef& ref) const {
  if (ref.world || (ref.body == kGround && ref.point.empty())) ref.at = placed(ref.at);
  if (ref.body == kGround)
    call(ref.point, points_);
  else
    call(ref.body, bodies_);
}

// `owner`: the body it belongs to if it names none.
void PartMover::direction(DirectionRef& ref, const std::string& owner) const {
  const std::string& body = ref.body.empty() ? owner : ref.body;
  if (ref.axis.empty() && (ref.world || body == kGround)) ref.along = turned(ref.along);
  if (ref.body == kGround)
    call(ref.axis, axes_);
  else
    call(ref.body, bodies_);
}

void PartMover::shapes(std::vector<Shape>& list) const {
  for (Shape& shape : list) {
    for (ShapePoint& point : shape.points) {
      if (point.name.empty())
        point.at = placed(point.at);
      else
        call(point.name, points_);
    }
    const bool has_attitude = shape.kind == ShapeKind::box || shape.kind == ShapeKind::mesh;
    if ((has_attitude || shape.kind == ShapeKind::sphere) && shape.points.empty())
      shape.points.push_back({{}, placement_.position});
    if (shape.kind == ShapeKind::polygon) shape.z += placement_.position.z();
    if (has_attitude && placement_.turns()) {
      const Eigen::Quaterniond q = turn_ * quaternion(shape.orientation);
      shape.orientation = {q.w(), q.x(), q.y(), q.z()};
    }
  }
}

void PartMover::body(Body& body) const {
  body.name.insert(0, placement_.prefix);
  body.position = placed(body.position);
  body.velocity = turned(body.velocity);
  body.spin = turned(body.spin);
  body.angle += placement_.angle;
  if (planar_ || !placement_.turns()) return;
  const Eigen::Quaterniond q = (turn_ * quaternion(body.orientation)).normalized();
  body.orientation = {q.w(), q.x(), q.y(), q.z()};
}

// The body whose frame the components of a direction are in.
std::string PartMover::owner_of(const Element& element,
                                const ElementRecord& record,
                                const std::string& field) const {
  const auto body_in = [&](const char* name) -> std::optional<std::string> {
    const auto found = element.fields.find(name);
    if (found == element.fields.end()) return {};
    if (const auto* ref = std::get_if<PointRef>(&found->second)) return ref->body;
    if (const auto* text = std::get_if<std::string>(&found->second)) return *text;
    return {};
  };
  const std::string ground(kGround);
  // Axes that belong to one body all, ground by default; else with two bodies what ends in _b belongs to b.
  if (const std::string& body = record.traits.axes_of; !body.empty())
    return body_in(body.c_str()).value_or(ground);
  if (field.ends_with("_b")) return body_in("b").value_or(ground);
  for (const char* name : {"carrier", "a", "at", "b"})
    if (const auto body = body_in(name)) return *body;
  return ground;
}

void PartMover::names_and_places(Element& element, const ElementRecord& record) const {
  for (const FieldSpec* field : record.fields_in(part_.space)) {
    const auto found = element.fields.find(field->name);
    if (found == element.fields.end()) continue;
    FieldValue& value = found->second;
    const std::string owner = owner_of(element, record, field->name);
    switch (field->kind) {
      case FieldKind::axis:
        direction(std::get<DirectionRef>(value), owner);
        break;
      case FieldKind::curve:
        if (owner == kGround)
          for (Vec3& p : std::get<CurvePoints>(value).points) p = turned(p);
        break;
      default:
        break;
    }
  }
  for (const FieldSpec* field :
       record.fields_in(part_.space)) {  // owners are known by their old names until here
    const auto found = element.fields.find(field->name);
    if (found == element.fields.end()) continue;
    FieldValue& value = found->second;
    if (auto* ref = std::get_if<PointRef>(&value)) point(*ref);
    if (field->kind == FieldKind::body) call(std::get<std::string>(value), bodies_);
    if (field->kind == FieldKind::joint) call(std::get<std::string>(value), joints_);
    if (field->kind == FieldKind::constraint) call(std::get<std::string>(value), constraints_);
    if (field->kind == FieldKind::force) call(std::get<std::string>(value), forces_);
    if (field->kind == FieldKind::expression && (field->choices.empty() || field->reads_signals))
      rename(std::get<std::string>(value), field->choices);
    if (auto* function = std::get_if<TimeFunction>(&value)) rename(*function);
    if (auto* functions = std::get_if<std::vector<TimeFunction>>(&value))
      for (TimeFunction& function : *functions) rename(function);
    if (field->kind == FieldKind::output) call(std::get<std::string>(value), outputs_);
  }
}

bool PartMover::in_world_axes(const Element& element,
                              const ElementRecord& record,
                              const std::string& field) const {
  if (!has_field(record, "frame")) return owner_of(element, record, field) == kGround;
  return !element.has("frame") || element.get<std::string>("frame") == "world";
}

// Vectors: directions in the plane, components of forces, what a type says of the world.
void PartMover::world_fields(const std::string& path, Element& element, const ElementRecord& record) {
  const bool of_world = record.traits.is_of_world;
  for (const FieldSpec* field : record.fields_in(part_.space)) {
    const bool is_place = of_world && field->kind == FieldKind::vector;
    const bool is_direction = field->kind == FieldKind::direction;
    if ((is_place || is_direction) && field->default_value && of_world && !element.has(field->name))
      element.fields.emplace(field->name, *field->default_value);
    const auto found = element.fields.find(field->name);
    if (found == element.fields.end()) continue;
    if (is_place)
      found->second = placed(std::get<Vec3>(found->second));
    else if (is_direction && (of_world || owner_of(element, record, field->name) == kGround))
      found->second = turned(std::get<Vec3>(found->second));
    if (field->kind != FieldKind::vector_function || !placement_.turns()) continue;
    if (!in_world_axes(element, record, field->name)) continue;
    auto& functions = std::get<std::vector<TimeFunction>>(found->second);
    Vec3 value = Vec3::Zero();
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (!functions[i].is_constant())
        return refuse(path_below(path, field->name), "components in world axes that are constant", element);
      value[static_cast<Eigen::Index>(i)] = functions[i](0);
    }
    value = turned(value);
    for (std::size_t i = 0; i < functions.size(); ++i)
      functions[i] = TimeFunction(value[static_cast<Eigen::Index>(i)]);
  }
}

// By how much the angle of the second body against the first grows: (2)
double PartMover::shift(const Element& element) const {
  if (!planar_ || !element.has("a") || !element.has("b")) return 0;
  const auto body_in = [&](const char* name) {
    const FieldValue& value = element.fields.find(name)->second;
    if (const auto* ref = std::get_if<PointRef>(&value)) return ref->body;
    return std::get<std::string>(value);
  };
  const std::string a = body_in("a"), b = body_in("b");
  if (a == kGround && bodies_.contains(b)) return placement_.angle;
  if (b == kGround && bodies_.contains(a)) return -placement_.angle;
  return 0;
}

// The same of a joint by its name; 0 if it has no angle.
double PartMover::shift_of_joint(const std::string& name) const {
  for (const Element& joint : part_.joints) {
    if (joint.name != name) continue;
    const ElementRecord* record = find_record(catalogue_.joints, joint.type, part_.space);
    if (record != nullptr && record->traits.has_angle) return shift(joint);
  }
  return 0;
}

void PartMover::angles_to_ground(const std::string& path, Element& element, const ElementRecord& record) {
  const auto on_joint = element.fields.find("joint");
  const double by = on_joint != element.fields.end() ? shift_of_joint(std::get<std::string>(on_joint->second))
                                                     : shift(element);
  const auto touches_ground = [&](const char* name) {
    const auto* ref = element.has(name) ? std::get_if<PointRef>(&element.fields.find(name)->second) : nullptr;
    return ref != nullptr && ref->body == kGround;
  };
  if (record.traits.keeps_attitudes && (touches_ground("a") || touches_ground("b")))
    refuse(path, fmt::format("no {} on the ground", element.type), element);
  if (planar_ && has_field(record, "carrier") && element.has("phase") &&
      owner_of(element, record, "axis") == kGround)
    refuse(path_below(path, "phase"), "no phase against the ground", element);
  if (by == 0) return;
  for (const FieldSpec* field : record.fields_in(part_.space)) {
    const bool is_stop =
        record.traits.has_angle && (field->name == "stops.min" || field->name == "stops.max");
    const bool is_angle =
        field->name == "angle" || field->name == "free_angle" || (is_stop && element.has(field->name));
    if (is_angle && field->kind == FieldKind::number) {
      element.fields[field->name] = element.number(field->name, 0) + by;
      continue;
    }
    const auto found = element.fields.find(field->name);
    if (found == element.fields.end()) continue;
    if (field->name == "phase" || field->name == "law") {
      refuse(path_below(path, field->name), fmt::format("no \"{}\" against the ground", field->name),
             element);
    } else if (field->name == "function" && field->unit != "m") {
      auto* function = std::get_if<TimeFunction>(&found->second);
      if (function == nullptr) continue;
      if (function->is_constant())
        *function = TimeFunction((*function)(0) + by);
      else
        refuse(path_below(path, field->name), "a constant angle against the ground", element);
    }
  }
}

void PartMover::element(const std::string& path, Element& element, const ElementRecord& record) {
  if (placement_.turns()) angles_to_ground(path, element, record);
  world_fields(path, element, record);
  names_and_places(element, record);
}

void PartMover::elements(const char* section,
                         std::vector<Element>& list,
                         const std::vector<const ElementRecord*>& records) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const ElementRecord* record = find_record(records, list[i].type, part_.space);
    if (record != nullptr) element(path_below(section, i), list[i], *record);
  }
}

void PartMover::initial() {
  for (JointStart& start : part_.initial.joints) {
    if (start.value && start.coordinate.empty()) *start.value += shift_of_joint(start.joint);
    call(start.joint, joints_);
  }
  for (std::string& held : part_.initial.hold) {
    const auto dot = held.find('.');
    std::string name = held.substr(0, dot);
    call(name, bodies_);
    if (name.size() == dot) call(name, joints_);
    if (dot != std::string::npos) held = name + held.substr(dot);
  }
}

std::vector<Complaint> PartMover::move() {
  initial();
  // Drivers and forces first: they look at joints as they were.
  elements("drivers", part_.drivers, catalogue_.drivers);
  elements("forces", part_.forces, catalogue_.forces);
  elements("outputs", part_.outputs, catalogue_.outputs);
  elements("contacts", part_.contacts, catalogue_.contacts);
  elements("switches", part_.switches, catalogue_.switches);
  elements("joints", part_.joints, catalogue_.joints);
  for (auto* list :
       {&part_.joints, &part_.drivers, &part_.contacts, &part_.forces, &part_.outputs, &part_.switches})
    for (Element& element : *list) element.name.insert(0, placement_.prefix);
  for (Input& input : part_.inputs) {
    rename(input.value);
    for (std::string& name : input.reads)
      if (is_own_signal(name)) name.insert(0, placement_.prefix);
  }
  for (Input& input : part_.inputs) input.name.insert(0, placement_.prefix);
  for (Body& b : part_.bodies) body(b);
  const bool tilted = !planar_ && placement_.turns();
  for (std::size_t i = 0; i < part_.ground_shapes.size(); ++i)
    if (tilted && part_.ground_shapes[i].kind == ShapeKind::polygon)
      complaints_.push_back({path_below("ground.shapes", i), "a shape that can be turned", "a polygon",
                             "draw it as a box or a mesh"});
  shapes(part_.ground_shapes);
  for (NamedPoint& p : part_.ground_points) p = {placement_.prefix + p.name, placed(p.at)};
  for (NamedPoint& u : part_.ground_axes) u = {placement_.prefix + u.name, turned(u.at)};
  return std::move(complaints_);
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

std::vector<Complaint> add_part(Model& whole,
                                Model part,
                                const Placement& placement,
                                const Catalogue& catalogue) {
  std::vector<Complaint> complaints = PartMover(part, placement, catalogue).move();
  append(whole.ground_points, part.ground_points);
  append(whole.ground_axes, part.ground_axes);
  append(whole.ground_shapes, part.ground_shapes);
  append(whole.bodies, part.bodies);
  append(whole.joints, part.joints);
  append(whole.drivers, part.drivers);
  append(whole.contacts, part.contacts);
  append(whole.forces, part.forces);
  append(whole.outputs, part.outputs);
  append(whole.switches, part.switches);
  append(whole.initial.joints, part.initial.joints);
  append(whole.initial.hold, part.initial.hold);
  append(whole.parameters, part.parameters);
  append(whole.inputs, part.inputs);
  return complaints;
}

}  // namespace driftless
