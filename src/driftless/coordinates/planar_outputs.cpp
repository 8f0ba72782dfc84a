// Output channels of planar models: what can be read off a motion by name.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/coordinates/planar_builder.hpp"

namespace driftless {
namespace {

const ElementRecord point_output = {"point",
                                    "place or velocity of a point in the world",
                                    {{"point", FieldKind::point, true, {}, "", "the point", {}},
                                     {"component",
                                      FieldKind::choice,
                                      true,
                                      {},
                                      "",
                                      "coordinate (m) or velocity (m/s)",
                                      {"x", "y", "vx", "vy"}}}};

const ElementRecord joint_output = {
    "joint",
    "a joint's own coordinate: angle of a revolute, displacement of a translational or point-on-line, and "
    "its rate",
    {{"joint", FieldKind::joint, true, {}, "", "the joint", {}},
     {"value", FieldKind::choice, true, {}, "", "what to read", {"angle", "displacement", "rate"}}}};

const ElementRecord force_output = {
    "force",
    "state of a spring-damper-actuator (tsda or rsda)",
    {{"force", FieldKind::force, true, {}, "", "the force element", {}},
     {"value",
      FieldKind::choice,
      true,
      {},
      "",
      "length (or angle), its rate, or the effort that pulls the ends together",
      {"length", "rate", "force"}}}};

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

// A block prescribes its coordinate to be f; with f = 0 its residual is the coordinate, times `scale`.
template <class Block>
PlanarChannel block_channel(const Element& output, const Block& block, double scale, const char* unit) {
  if (output.get<std::string>("value") != "rate")
    return {output.name, unit, [block, scale](const PlanarView& view) {
              double g[1];
              block.value(view.frames, view.t, g);
              return g[0] / scale;
            }};
  return {output.name, std::string(unit) + "/s", [block, scale](const PlanarView& view) {
            Gradient gradient[1][Block::bodies];
            block.gradient(view, gradient);
            double rate = 0;
            for (size_t k = 0; k < Block::bodies; ++k) {
              const PlanarVelocity& v = view.velocities[block.body()[k]];
              rate += gradient[0][k][0] * v.r.x + gradient[0][k][1] * v.r.y + gradient[0][k][2] * v.omega;
            }
            return rate / scale;
          }};
}

PlanarChannel joint_channel(const Element& output,
                            const Model& model,
                            PlanarBuilder& builder,
                            std::string& trouble) {
  const Element& joint = find_named(model.joints, output.get<std::string>("joint"));
  const auto records = joint_records();
  const JointRecord& record = **std::find_if(records.begin(), records.end(),
                                             [&](const auto* r) { return r->element.type == joint.type; });
  const std::string& value = output.get<std::string>("value");
  if (record.coordinate_planar == nullptr || (value != "rate" && value != record.coordinate)) {
    trouble = record.coordinate_planar == nullptr
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
                            std::string& trouble) {
  const Element& force = find_named(model.forces, output.get<std::string>("force"));
  const auto records = force_records();
  const ForceRecord& record = **std::find_if(records.begin(), records.end(),
                                             [&](const auto* r) { return r->element.type == force.type; });
  record.compile_planar(force, builder);
  const std::string value = output.get<std::string>("value");
  if (const auto& tsda = std::get<std::vector<Tsda>>(builder.parts.forces); !tsda.empty())
    return {output.name,
            value == "length" ? "m"
            : value == "rate" ? "m/s"
                              : "N",
            [e = tsda.back(), value](const PlanarView& view) {
              const auto s = e.stretch(view);
              return value == "length" ? s.length
                     : value == "rate" ? s.rate
                                       : e.law.force(s.length, s.rate, view.t);
            }};
  if (const auto& rsda = std::get<std::vector<Rsda>>(builder.parts.forces); !rsda.empty())
    return {output.name,
            value == "length" ? "rad"
            : value == "rate" ? "rad/s"
                              : "N m",
            [e = rsda.back(), value](const PlanarView& view) {
              const double angle = e.angle(view), rate = e.rate(view);
              return value == "length" ? angle : value == "rate" ? rate : e.law.force(angle, rate, view.t);
            }};
  trouble = "a tsda or an rsda";
  return {};
}

}  // namespace

std::span<const ElementRecord* const> output_records() {
  static const ElementRecord* const records[] = {&point_output, &joint_output, &force_output};
  return records;
}

PlanarChannel compile_output(const Element& output, const Model& model) {
  PlanarBuilder builder(model);
  std::string trouble;
  PlanarChannel channel;
  if (output.type == "point") channel = point_channel(output, builder);
  if (output.type == "joint") channel = joint_channel(output, model, builder, trouble);
  if (output.type == "force") channel = force_channel(output, model, builder, trouble);
  if (!trouble.empty()) throw std::invalid_argument(trouble);
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
