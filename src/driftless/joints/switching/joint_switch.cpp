// Joints and drivers that come and go: `switches` of a model, each a joint, what happens to it, and when.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/text.hpp"
#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

const Element* element_called(const Model& model, const std::string& name) {
  for (const auto* list : {&model.joints, &model.drivers})
    for (const Element& element : *list)
      if (element.name == name) return &element;
  return nullptr;
}

// One of time, output and reaction, with what belongs to it.
std::vector<Complaint> check_when(const Element& one) {
  std::vector<Complaint> out;
  int count = 0;
  for (const char* field : {"when.time", "when.output", "when.reaction"}) count += one.has(field) ? 1 : 0;
  if (count != 1)
    out.push_back({"when", "one of \"time\", \"output\", \"reaction\"", count == 0 ? "none" : "several", ""});
  const auto belongs = [&](const char* field, const char* to, bool is_needed) {
    if (is_needed && one.has(to) && !one.has(field))
      out.push_back({field, fmt::format("a value beside \"{}\"", std::string(to).substr(5)), "nothing", ""});
    if (one.has(field) && !one.has(to))
      out.push_back({field, fmt::format("\"{}\" beside it", std::string(to).substr(5)), "nothing", ""});
  };
  belongs("when.crosses", "when.output", true);
  belongs("when.direction", "when.output", false);
  belongs("when.exceeds", "when.reaction", true);
  belongs("when.component", "when.reaction", false);
  return out;
}

std::vector<Complaint> check_joint(const Element& one, const Model& model) {
  const std::string& name = one.get<std::string>("joint");
  const Element* joint = element_called(model, name);
  if (joint == nullptr) return {{"joint", "a joint or driver", quoted(name) + ", a contact", ""}};
  std::vector<Complaint> out;
  for (const char* group : {"stops", "friction"})
    if (joint->has_group(group))
      out.push_back({"joint", fmt::format("a joint without {}", group), quoted(name),
                     "its coordinate means nothing while it is off"});
  for (const Element& force : model.forces)
    if (force.type == "clutch" && force.get<std::string>("joint") == name)
      out.push_back({"joint", "a joint without a clutch", quoted(name), ""});
  if (one.has("hold") && one.get<std::string>("do") == "off")
    out.push_back({"hold", "\"do\": \"on\" beside it", "\"off\"", ""});
  return out;
}

}  // namespace

const ElementRecord& joint_switch_record() {
  static const ElementRecord record = {
      "switch",
      "a joint or driver that comes or goes at a time, where an output passes a value, or where a reaction "
      "gets too large",
      {{"joint", FieldKind::constraint, true, {}, "", "the joint or driver", {}},
       {"do", FieldKind::choice, true, {}, "", "what happens to it", {"on", "off"}},
       optional_field("hold", FieldKind::choice, "",
                      "with \"on\": the joint takes the offset it has then; else it must fit", {"here"}),
       optional_field("when.time", FieldKind::number, "s", "at this time"),
       optional_field("when.output", FieldKind::output, "", "where this output passes a value"),
       optional_field("when.crosses", FieldKind::number, "", "the value"),
       optional_field("when.direction", FieldKind::choice, "", "the way it passes; default: any",
                      {"any", "up", "down"}),
       optional_field("when.reaction", FieldKind::constraint, "",
                      "where the force of this joint, driver or contact gets too large"),
       optional_field("when.exceeds", FieldKind::non_negative, "N", "the limit; of torques N m"),
       optional_field("when.component", FieldKind::choice, "",
                      "of the reaction, in axes of the world; default: magnitude of the force",
                      {"fx", "fy", "tz"}, Spaces::planar),
       optional_field("when.component", FieldKind::choice, "",
                      "of the reaction, in axes of the world; default: magnitude of the force",
                      {"fx", "fy", "fz", "tx", "ty", "tz"}, Spaces::spatial)}};
  return record;
}

std::vector<Complaint> check_joint_switches(const Model& model) {
  std::vector<Complaint> out;
  for (size_t i = 0; i < model.switches.size(); ++i) {
    const Element& one = model.switches[i];
    std::vector<Complaint> found = check_joint(one, model);
    for (Complaint& complaint : check_when(one)) found.push_back(std::move(complaint));
    for (Complaint& complaint : found) {
      complaint.where = path_of_field(path_below("switches", i), complaint.where);
      complaint.found += fmt::format(" (switch {})", quoted(one.name));
      out.push_back(std::move(complaint));
    }
  }
  return out;
}

JointComings comings_of(const Model& model, const std::string& joint) {
  for (const Element& one : model.switches)
    if (one.get<std::string>("joint") == joint) return {true, one.get<std::string>("do") == "off"};
  return {};
}

TriggerSpec trigger_of(const Element& one) {
  TriggerSpec out;
  out.name = one.name;
  out.joint = one.get<std::string>("joint");
  out.on = one.get<std::string>("do") == "on";
  out.hold = one.has("hold");
  if (one.has("when.time")) out.level = one.get<double>("when.time");
  if (one.has("when.output")) {
    out.when = TriggerSpec::When::output;
    out.of = one.get<std::string>("when.output");
    out.level = one.get<double>("when.crosses");
    const std::string direction =
        one.has("when.direction") ? one.get<std::string>("when.direction") : std::string("any");
    out.direction = direction == "up" ? 1 : direction == "down" ? -1 : 0;
  }
  if (one.has("when.reaction")) {
    out.when = TriggerSpec::When::reaction;
    out.of = one.get<std::string>("when.reaction");
    out.level = one.get<double>("when.exceeds");
    out.direction = 1;
    out.of_state = false;
    if (one.has("when.component")) {
      const std::string& component = one.get<std::string>("when.component");
      out.component = component[1] - 'x' + (component[0] == 't' ? 3 : 0);
    }
  }
  return out;
}

}  // namespace driftless
