// Deflection, strain or section force of a flexible body at a place of its axis (docs/theory/flexible.md).
#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_beam_output(const Element& output,
                                     const OutputContext<D>& context,
                                     std::string& trouble) {
  const PointRef& at = output.get<PointRef>("at");
  const Body* body = context.expansion.model().find_body(at.body);
  OutputChannel<D> channel;
  if (body == nullptr || !body->flexible) {
    trouble = "a point of a flexible body";
    return channel;
  }
  BeamPick& pick = channel.beam;
  pick.value = output.get<std::string>("value");
  const bool place = pick.value.size() == 1;
  const bool turn = pick.value.starts_with("rotation");
  if (body->flexible->type == FlexibleSpec::Type::cable &&
      (place || turn || pick.value == "twist" || pick.value == "torque" || pick.value.ends_with("-y"))) {
    trouble = "'strain', 'curvature', 'axial-force', 'moment' or 'stress' of a cable: its places are points";
    return channel;
  }
  if (body->flexible->modal && !place && !(turn && body->flexible->modal->turns)) {
    trouble = "'u', 'v' or 'w' of an imported body, or a rotation if its modes have them";
    return channel;
  }
  pick.slot = context.expansion.point(at).body;
  const SectionSlot& section =
      context.expansion.sections()[size_t(pick.slot - context.expansion.ground() - 1)];
  pick.body = section.body;
  pick.element = section.element;
  pick.xi = section.xi;
  pick.y = output.number("y", 0);
  pick.z = output.number("z", 0);
  pick.chord = output.has("from") && output.get<std::string>("from") == "chord";
  if (pick.chord && !place) trouble = "\"from\" with 'u', 'v' or 'w' only";
  if (pick.value == "stress" && body->flexible->material.youngs_modulus <= 0)
    trouble = "a youngs_modulus of the material, for stresses";
  channel.unit = place                                 ? "m"
                 : turn                                ? "rad"
                 : pick.value == "strain"              ? ""
                 : pick.value.starts_with("curvature") ? "1/m"
                 : pick.value == "twist"               ? "rad/m"
                 : pick.value == "axial-force"         ? "N"
                 : pick.value == "stress"              ? "N/m²"
                                                       : "N m";
  return channel;
}

FieldSpec beam_field(std::vector<std::string> values, Spaces spaces) {
  return choice_field(
      "value",
      "displacement in the floating frame (m), rotation of the section (rad), strain, curvature (1/m), "
      "twist (rad/m), axial force (N), moment or torque (N m), stress (N/m²)",
      std::move(values), spaces);
}

}  // namespace

const OutputRecord& beam_output() {
  static const OutputRecord record = {
      {"beam",
       "deflection, strain or section force of a flexible body at a place of its axis",
       {{"at", FieldKind::point, true, {}, "", "a point of the body", {}},
        beam_field({"u", "v", "rotation", "strain", "curvature", "axial-force", "moment", "stress"},
                   Spaces::planar),
        beam_field({"u", "v", "w", "rotation-x", "rotation-y", "rotation", "strain", "curvature",
                    "curvature-y", "twist", "axial-force", "moment", "moment-y", "torque", "stress"},
                   Spaces::spatial),
        {"y",
         FieldKind::number,
         false,
         FieldValue(0.0),
         "m",
         "strain, stress: along the section's y, from the axis",
         {}},
        {"z",
         FieldKind::number,
         false,
         FieldValue(0.0),
         "m",
         "strain, stress: along the section's z",
         {},
         Spaces::spatial},
        {"from",
         FieldKind::choice,
         false,
         FieldValue(std::string("frame")),
         "",
         "u, v, w: against the undeformed axis in the floating frame, or the line between the ends",
         {"frame", "chord"}}}},
      compile_beam_output<2>,
      compile_beam_output<3>};
  return record;
}

}  // namespace driftless
