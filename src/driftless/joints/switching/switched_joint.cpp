// Stops and dry friction on the coordinates of joints: fields, what is wrong with them, and their rows.
//   stop     g = s − min ≥ 0,  g = max − s ≥ 0         s: displacement, or L times the angle, which counts turns
//   friction g = s, held where it sticks
#include <fmt/format.h>

#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

// Forces of a row from efforts along the coordinate.
template <int D>
double row_factor(const std::string& coordinate, const Expansion<D>& model) {
  return coordinate == "displacement" ? 1.0 : 1 / model.length();
}

template <int D>
void expand_stops(const Element& joint,
                  const std::string& coordinate,
                  const JointFramesOf<D>& frames,
                  Expansion<D>& model) {
  for (const bool is_max : {false, true}) {
    const char* field = is_max ? "stops.max" : "stops.min";
    if (!joint.has(field)) continue;
    const char* label = is_max ? "stop_max" : "stop_min";
    model.add_coordinate(coordinate, frames.first, frames.second, is_max ? -1 : 1, joint.get<double>(field),
                         label);
    UnilateralSpec spec{joint.name, "stop", is_max ? "max" : "min", joint.name + "." + label};
    spec.restitution = joint.number("stops.restitution", 0);
    if (joint.has("stops.impact") && joint.get<std::string>("stops.impact") == "poisson")
      spec.law = ImpactLaw::poisson;
    const double factor = row_factor(coordinate, model);
    spec.stiffness = joint.number("stops.stiffness", 0) * factor * factor;
    model.switched.unilaterals.push_back(spec);
  }
}

template <int D>
void expand_friction(const Element& joint,
                     const std::string& coordinate,
                     const JointFramesOf<D>& frames,
                     Expansion<D>& model) {
  const bool slides = coordinate == "displacement";
  const char* given = slides ? "friction.force" : "friction.torque";
  const char* resting = slides ? "friction.static_force" : "friction.static_torque";
  if (!joint.has(given) && !joint.has("friction.coefficient")) return;
  const char* label = slides ? "friction" : "friction_angle";
  model.add_coordinate(coordinate, frames.first, frames.second, 1, 0, label);
  FrictionSpec spec{joint.name, "friction", joint.name + "." + label};
  spec.given = joint.has(given);
  spec.factor = row_factor(coordinate, model);
  if (spec.given) {
    spec.kinetic = joint.get<TimeFunction>(given);
    spec.resting = joint.has(resting) ? joint.get<TimeFunction>(resting) : spec.kinetic;
  } else {
    spec.coefficient = joint.get<double>("friction.coefficient");
    spec.resting_coefficient = joint.number("friction.static", spec.coefficient);
    if (!slides) spec.factor *= joint.get<double>("friction.radius");
  }
  model.switched.frictions.push_back(spec);
}

}  // namespace

std::vector<FieldSpec> stop_fields(const char* unit) {
  const bool turns = std::string(unit) == "rad";
  std::vector<FieldSpec> fields = {
      optional_field("stops.min", FieldKind::number, unit, "the least its coordinate may be"),
      optional_field("stops.max", FieldKind::number, unit, "the most its coordinate may be"),
      optional_field("stops.restitution", FieldKind::non_negative, "",
                     "speed after an impact against the speed before; 0 by default"),
      optional_field("stops.stiffness", FieldKind::positive, turns ? "N m/rad" : "N/m",
                     "of a compliant stop, a one-sided spring; without it stops are rigid")};
  fields.push_back(impact_field("stops.impact"));
  return fields;
}

FieldSpec impact_field(const char* name) {
  return {name,
          FieldKind::choice,
          false,
          FieldValue(std::string("newton")),
          "",
          "law of restitution: newton on velocities, poisson on impulses",
          {"newton", "poisson"}};
}

std::vector<FieldSpec> friction_fields(bool turns, bool slides, bool by_reaction) {
  std::vector<FieldSpec> fields;
  if (by_reaction) {
    fields.push_back(optional_field("friction.coefficient", FieldKind::non_negative, "",
                                    "limit as a fraction of the force of the joint"));
    fields.push_back(optional_field("friction.static", FieldKind::non_negative, "",
                                    "the same at rest; default: coefficient"));
  }
  if (turns && by_reaction)
    fields.push_back(
        optional_field("friction.radius", FieldKind::positive, "m", "of the pin, with coefficient"));
  if (slides) {
    fields.push_back(
        optional_field("friction.force", FieldKind::function, "N", "limit of the force of sliding"));
    fields.push_back(optional_field("friction.static_force", FieldKind::function, "N",
                                    "the same at rest; default: force"));
  }
  if (turns) {
    fields.push_back(
        optional_field("friction.torque", FieldKind::function, "N m", "limit of the torque of turning"));
    fields.push_back(optional_field("friction.static_torque", FieldKind::function, "N m",
                                    "the same at rest; default: torque"));
  }
  return fields;
}

std::vector<FieldSpec> with_switched(std::vector<FieldSpec> fields,
                                     std::vector<FieldSpec> more,
                                     std::vector<FieldSpec> others) {
  fields.insert(fields.end(), more.begin(), more.end());
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

std::vector<Complaint> check_restitution(const Element& element, const std::string& field) {
  if (!element.has(field) || element.get<double>(field) <= 1) return {};
  return {{field, "a number from 0 to 1", fmt::format("{}", element.get<double>(field)), ""}};
}

std::vector<Complaint> check_friction(const Element& element, const char* coefficient, const char* resting) {
  const auto values = std::pair(element.fields.find(coefficient), element.fields.find(resting));
  const auto end = element.fields.end();
  if (values.second == end) return {};
  if (values.first == end)
    return {{resting, fmt::format("\"{}\" beside it", std::string(coefficient).substr(9)), "nothing", ""}};
  const auto* kinetic = std::get_if<double>(&values.first->second);
  const auto* at_rest = std::get_if<double>(&values.second->second);
  if (kinetic != nullptr && at_rest != nullptr && *at_rest < *kinetic)
    return {{resting, fmt::format("at least {}, what it is in motion", *kinetic), fmt::format("{}", *at_rest),
             ""}};
  return {};
}

std::vector<Complaint> check_switched_joint(const Element& joint, const Model&) {
  std::vector<Complaint> complaints = check_restitution(joint, "stops.restitution");
  const auto add = [&](std::vector<Complaint> more) {
    complaints.insert(complaints.end(), more.begin(), more.end());
  };
  if (joint.has_group("stops")) {
    if (!joint.has("stops.min") && !joint.has("stops.max"))
      complaints.push_back({"stops", "\"min\", \"max\" or both", "neither", ""});
    if (joint.has("stops.min") && joint.has("stops.max") &&
        !(joint.get<double>("stops.min") < joint.get<double>("stops.max")))
      complaints.push_back({"stops.max", fmt::format("more than min, {}", joint.get<double>("stops.min")),
                            fmt::format("{}", joint.get<double>("stops.max")), ""});
    for (const char* field : {"stops.restitution", "stops.impact"})
      if (joint.has("stops.stiffness") && joint.has(field))
        complaints.push_back(
            {field, "nothing beside \"stiffness\"", "a value",
             "a compliant stop is a one-sided spring without losses; leave one of the two out"});
  }
  if (!joint.has_group("friction")) return complaints;
  const bool given = joint.has("friction.force") || joint.has("friction.torque");
  if (given == joint.has("friction.coefficient"))
    complaints.push_back({"friction", "\"coefficient\", or the limit as \"force\" or \"torque\"",
                          given ? "both" : "neither", ""});
  if (joint.has("friction.coefficient") && joint.type == "revolute" && !joint.has("friction.radius"))
    complaints.push_back(
        {"friction.radius", "the radius of the pin", "nothing", "the torque is μ radius |force|"});
  if (given && joint.has("friction.radius"))
    complaints.push_back({"friction.radius", "nothing beside a given limit", "a value", ""});
  add(check_friction(joint, "friction.coefficient", "friction.static"));
  add(check_friction(joint, "friction.force", "friction.static_force"));
  add(check_friction(joint, "friction.torque", "friction.static_torque"));
  return complaints;
}

template <int D>
void expand_switched_joint(const Element& joint,
                           const JointRules<D>& rules,
                           const JointFramesOf<D>& frames,
                           Expansion<D>& model) {
  if (joint.has_group("stops")) expand_stops<D>(joint, rules.coordinates.front(), frames, model);
  if (!joint.has_group("friction")) return;
  for (const std::string& coordinate : rules.coordinates)
    expand_friction<D>(joint, coordinate, frames, model);
}
template void expand_switched_joint<2>(const Element&,
                                       const JointRules<2>&,
                                       const JointFramesOf<2>&,
                                       Expansion<2>&);
template void expand_switched_joint<3>(const Element&,
                                       const JointRules<3>&,
                                       const JointFramesOf<3>&,
                                       Expansion<3>&);

}  // namespace driftless
