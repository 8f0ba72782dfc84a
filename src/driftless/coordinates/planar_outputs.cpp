// Output channels of planar models. The types are those of outputs.cpp.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/coordinates/planar_builder.hpp"

namespace driftless {
namespace {

template <class List>
const Element& find_named(const List& list, const std::string& name) {
  return *std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.name == name; });
}

PlanarChannel point_channel(const Element& output, const PlanarBuilder& builder) {
  const PointOn p = builder.point(output.get<PointRef>("point"));
  const std::string& component = output.get<std::string>("component");
  if (component == "x") return {output.name, "m", [p](const PlanarView& view) { return view.place(p).x; }};
  if (component == "y") return {output.name, "m", [p](const PlanarView& view) { return view.place(p).y; }};
  if (component == "vx")
    return {output.name, "m/s", [p](const PlanarView& view) { return view.velocity(p).x; }};
  return {output.name, "m/s", [p](const PlanarView& view) { return view.velocity(p).y; }};
}

PlanarChannel body_channel(const Element& output, const PlanarBuilder& builder) {
  const int i = builder.body(output.get<std::string>("body"));
  const std::string& component = output.get<std::string>("component");
  if (component == "x") return {output.name, "m", [i](const PlanarView& view) { return view.frames[i].r.x; }};
  if (component == "y") return {output.name, "m", [i](const PlanarView& view) { return view.frames[i].r.y; }};
  if (component == "angle")
    return {output.name,
            "rad",
            [i](const PlanarView& view) { return view.frames[i].theta; },
            {},
            [i](const PlanarView& view) { return view.velocities[i].omega; }};
  if (component == "vx")
    return {output.name, "m/s", [i](const PlanarView& view) { return view.velocities[i].r.x; }};
  if (component == "vy")
    return {output.name, "m/s", [i](const PlanarView& view) { return view.velocities[i].r.y; }};
  return {output.name, "rad/s", [i](const PlanarView& view) { return view.velocities[i].omega; }};
}

// A block prescribes its coordinate to be f; with f = 0 its residual is the coordinate, times `scale`. Angles bring their
// rate along, for sets that know them modulo 2π only.
template <class Block>
PlanarChannel block_channel(const Element& output, const Block& block, double scale, const char* unit) {
  const auto value = [block, scale](const PlanarView& view) {
    double g[1];
    block.value(view.frames, view.t, g);
    return g[0] / scale;
  };
  const auto rate = [block, scale](const PlanarView& view) {
    Gradient gradient[1][Block::bodies];
    block.gradient(view, gradient);
    double sum = 0;
    for (size_t k = 0; k < Block::bodies; ++k) {
      const PlanarVelocity& v = view.velocities[block.body()[k]];
      sum += gradient[0][k][0] * v.r.x + gradient[0][k][1] * v.r.y + gradient[0][k][2] * v.omega;
    }
    return sum / scale;
  };
  if (output.get<std::string>("value") == "rate") return {output.name, std::string(unit) + "/s", rate};
  if constexpr (std::is_same_v<Block, AngleSum>) return {output.name, unit, value, {}, rate};
  return {output.name, unit, value};
}

PlanarChannel joint_channel(const Element& output,
                            const Model& model,
                            PlanarBuilder& builder,
                            OutputTrouble& trouble) {
  const Element& joint = joint_called(output.get<std::string>("joint"), model);
  const auto records = joint_records();
  const JointRecord& record = **std::find_if(records.begin(), records.end(),
                                             [&](const auto* r) { return r->element.type == joint.type; });
  const std::string& value = output.get<std::string>("value");
  if (record.coordinate_planar == nullptr || (value != "rate" && value != record.coordinate)) {
    trouble.expected = record.coordinate_planar == nullptr
                           ? "a joint with a coordinate of its own (revolute, translational, point-on-line)"
                           : std::string("'") + record.coordinate + "' or 'rate'";
    return {};
  }
  record.coordinate_planar(joint, TimeFunction(), builder);
  const auto& angles = std::get<std::vector<Placed<AngleSum>>>(builder.parts.blocks);
  if (!angles.empty()) return block_channel(output, angles.back().block, angles.back().block.s, "rad");
  return block_channel(output, std::get<std::vector<Placed<Along>>>(builder.parts.blocks).back().block, 1,
                       "m");
}

PlanarChannel force_channel(const Element& output,
                            const Model& model,
                            PlanarBuilder& builder,
                            OutputTrouble& trouble) {
  const Element& force = find_named(model.forces, output.get<std::string>("force"));
  const auto records = force_records();
  const ForceRecord& record = **std::find_if(records.begin(), records.end(),
                                             [&](const auto* r) { return r->element.type == force.type; });
  record.compile_planar(force, builder);
  PlanarChannel channel;
  for_each_element(builder.parts.forces, [&](const auto& element) {
    channel = element_channel<PlanarView>(output, element, trouble);
  });
  return channel;
}

}  // namespace

PlanarChannel compile_output(const Element& output, const Model& model) {
  PlanarBuilder builder(model);
  OutputTrouble trouble;
  PlanarChannel channel;
  if (output.type == "point") channel = point_channel(output, builder);
  if (output.type == "body") channel = body_channel(output, builder);
  if (output.type == "joint") channel = joint_channel(output, model, builder, trouble);
  if (output.type == "force") channel = force_channel(output, model, builder, trouble);
  if (output.type == "reaction") channel = reaction_channel<PlanarView>(output, model);
  if (!trouble.expected.empty()) throw std::invalid_argument(trouble.expected);
  return channel;
}

void add_channels(const Model& model, PlanarBuilder& builder, std::vector<Complaint>& complaints) {
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    try {
      builder.parts.channels.push_back(compile_output(model.outputs[i], model));
    } catch (const std::invalid_argument& wrong) {
      complaints.push_back(
          {fmt::format("outputs[{}]", i), wrong.what(),
           fmt::format("output '{}' of type '{}'", model.outputs[i].name, model.outputs[i].type), ""});
    }
  }
}

}  // namespace driftless
