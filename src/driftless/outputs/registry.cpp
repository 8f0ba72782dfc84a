#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "driftless/core/expression/expression.hpp"
#include "driftless/outputs/output_record.hpp"
#include "driftless/outputs/undeclared.hpp"

namespace driftless {

#define OUTPUT(name) const OutputRecord& name##_output();
#include "driftless/outputs/outputs.def"
#undef OUTPUT

std::span<const OutputRecord* const> output_records() {
  static const OutputRecord* const records[] = {
#define OUTPUT(name) &name##_output(),
#include "driftless/outputs/outputs.def"
#undef OUTPUT
  };
  return records;
}

bool is_of_state(const Element& output, const Model& model) {
  const OutputRecord& record = record_for(output_records(), output);
  if (!record.is_of_state) return false;
  if (output.has("expression")) {
    const auto names = names_in(output.get<std::string>("expression"));
    return std::all_of(names.begin(), names.end(), [&](const NamePlace& place) {
      for (const Element& other : model.outputs) {
        if (&other == &output) break;
        if (other.name == place.name) return is_of_state(other, model);
      }
      return true;
    });
  }
  // Accelerations follow from forces.
  return !output.has("component") || output.get<std::string>("component").front() != 'a' ||
         output.get<std::string>("component") == "angle";
}

FieldSpec choice_field(const char* name, const char* help, std::vector<std::string> choices, Spaces spaces) {
  return {name, FieldKind::choice, true, {}, "", help, std::move(choices), spaces};
}

FieldSpec angle_unit_field() {
  return {"unit",
          FieldKind::choice,
          false,
          FieldValue(std::string("rad")),
          "",
          "unit of an angle, and with /s of its rate",
          {"rad", "deg"}};
}

template <int D>
OutputChannel<D> in_angle_unit(OutputChannel<D> channel, const Element& output) {
  if (!output.has("unit") || output.get<std::string>("unit") == "rad" || !channel.unit.starts_with("rad"))
    return channel;
  channel.unit = "deg" + channel.unit.substr(3);
  channel.factor = 180 / std::numbers::pi;
  return channel;
}
template OutputChannel<2> in_angle_unit<2>(OutputChannel<2>, const Element&);
template OutputChannel<3> in_angle_unit<3>(OutputChannel<3>, const Element&);

template <int D>
std::vector<OutputChannel<D>> compile_outputs(const Model& model,
                                              const std::vector<JointPlaceOf<D>>& joints,
                                              const Forces<D>& forces,
                                              const std::vector<ForcePlace>& force_places,
                                              std::vector<SectionSlot>& sections,
                                              std::vector<Complaint>& refused,
                                              std::vector<Complaint>& complaints) {
  Expansion<D> expansion(model, Turns::counted, sections);
  std::vector<OutputChannel<D>> channels;
  const auto compile = [&](const Element& output, std::string& trouble) {
    expansion.begin(output.name);
    OutputChannel<D> channel =
        record_for(output_records(), output)
            .template compile<D>()(output, {model, expansion, joints, forces, force_places, channels},
                                   trouble);
    channel.name = output.name;
    return channel;
  };
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const Element& output = model.outputs[i];
    std::string trouble;
    channels.push_back(compile(output, trouble));
    if (!trouble.empty())
      complaints.push_back({fmt::format("outputs[{}]", i), trouble,
                            fmt::format("output '{}' of type '{}'", output.name, output.type), ""});
  }
  sections = expansion.sections();
  for (const Complaint& complaint : expansion.complaints()) refused.push_back(complaint);
  if (!records_undeclared(model)) return channels;
  for (const Element& output : undeclared_outputs(model)) {
    const size_t refusals = expansion.complaints().size();
    std::string trouble;
    OutputChannel<D> channel = compile(output, trouble);
    // What cannot be read nobody has asked for; of forces, efforts are enough.
    if (!trouble.empty() || expansion.complaints().size() > refusals) continue;
    if (output.type == "force" && !channel.unit.starts_with("N")) continue;
    channels.push_back(std::move(channel));
  }
  return channels;
}
template std::vector<OutputChannel<2>> compile_outputs<2>(const Model&,
                                                          const std::vector<JointPlaceOf<2>>&,
                                                          const Forces<2>&,
                                                          const std::vector<ForcePlace>&,
                                                          std::vector<SectionSlot>&,
                                                          std::vector<Complaint>&,
                                                          std::vector<Complaint>&);
template std::vector<OutputChannel<3>> compile_outputs<3>(const Model&,
                                                          const std::vector<JointPlaceOf<3>>&,
                                                          const Forces<3>&,
                                                          const std::vector<ForcePlace>&,
                                                          std::vector<SectionSlot>&,
                                                          std::vector<Complaint>&,
                                                          std::vector<Complaint>&);

}  // namespace driftless
