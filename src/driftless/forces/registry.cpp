#include <fmt/format.h>

#include "driftless/forces/force_record.hpp"

namespace driftless {

#define FORCE(name) extern const ForceRecord name##_force;
#include "driftless/forces/forces.def"
#undef FORCE

std::span<const ForceRecord* const> force_records() {
  static const ForceRecord* const records[] = {
#define FORCE(name) &name##_force,
#include "driftless/forces/forces.def"
#undef FORCE
  };
  return records;
}

namespace {
const std::vector<std::string> kSpringNames = {"t", "x", "v"};
}

std::vector<FieldSpec> spring_law_fields(const char* free_name, const char* unit, const char* effort) {
  const auto per = [&](const char* more) { return fmt::format("{}/({}{})", effort, unit, more); };
  return {
      {"stiffness", FieldKind::non_negative, false, FieldValue(0.0), per(""), "linear spring rate", {}},
      {"damping", FieldKind::non_negative, false, FieldValue(0.0), per("/s"), "linear damper rate", {}},
      {free_name, FieldKind::number, false, FieldValue(0.0), unit, "where the spring is at rest", {}},
      {"spring",
       FieldKind::characteristic,
       false,
       {},
       effort,
       "tabulated spring: pairs [deflection, effort], linear between and beyond; added to the linear one",
       {}},
      {"damper",
       FieldKind::characteristic,
       false,
       {},
       effort,
       "tabulated damper: pairs [rate, effort], linear between and beyond; added to the linear one",
       {}},
      {"actuator",
       FieldKind::function,
       false,
       {},
       effort,
       "effort over time; positive pulls the two ends together",
       {},
       Spaces::both,
       true},
      {"law",
       FieldKind::expression,
       false,
       {},
       effort,
       fmt::format(
           "effort as an expression in x [{0}], the {1} itself, v [{0}/s], its rate, and t [s]; added to "
           "the others",
           unit, std::string(unit) == "m" ? "length" : "angle"),
       {"t", "x", "v"},
       Spaces::both,
       true},
  };
}

SpringLaw spring_law(const Element& force, const char* free_name) {
  SpringLaw law;
  law.stiffness = force.number("stiffness", 0);
  law.damping = force.number("damping", 0);
  law.free = force.number(free_name, 0);
  if (force.has("spring")) law.spring = PiecewiseLinear(force.get<Characteristic>("spring"));
  if (force.has("damper")) law.damper = PiecewiseLinear(force.get<Characteristic>("damper"));
  if (force.has("actuator") && force.get<TimeFunction>("actuator").signals().empty())
    law.actuator = force.get<TimeFunction>("actuator");
  if (force.has("law") && signals_in(force.get<std::string>("law"), kSpringNames).empty())
    law.expression.emplace(force.get<std::string>("law"), kSpringNames);
  return law;
}

template <int D>
SpringEffort<D> spring_effort(const Element& force, const char* free_name, Expansion<D>& model) {
  SpringEffort<D> out{spring_law(force, free_name)};
  if (force.has("actuator") && !force.get<TimeFunction>("actuator").signals().empty())
    out.feedback.add(model.signals->law(force.get<TimeFunction>("actuator").expression()->text(), {"t"}));
  if (force.has("law") && !signals_in(force.get<std::string>("law"), kSpringNames).empty())
    out.feedback.add(model.signals->law(force.get<std::string>("law"), kSpringNames));
  return out;
}
template SpringEffort<2> spring_effort<2>(const Element&, const char*, Expansion<2>&);
template SpringEffort<3> spring_effort<3>(const Element&, const char*, Expansion<3>&);

std::string readable_forces() {
  std::vector<std::string> names;
  for (const ForceRecord* record : force_records())
    if (!record->readings.empty()) names.push_back(record->element.type);
  std::string out;
  for (size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

void count_turns(int a, int b, Expansion<2>& model) {
  for (const int body : {a, b})
    if (body != model.ground()) model.turn(body);
}

FieldSpec frame_field() {
  return {"frame",
          FieldKind::choice,
          false,
          FieldValue(std::string("world")),
          "",
          "axes of the components: world keeps its direction, body turns with the body",
          {"world", "body"}};
}

bool in_body_axes(const Element& force) {
  return force.has("frame") && force.get<std::string>("frame") == "body";
}

}  // namespace driftless
