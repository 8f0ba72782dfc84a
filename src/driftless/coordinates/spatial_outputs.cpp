// Output channels of spatial models. The types are those of outputs.cpp. With the frames F and M of a joint
//   angle φ = atan2(y_F·x_M, x_F·x_M),   displacement d = z_F·(p_M − p_F)                                             (1)
//   φ̇ = (c ṡ − s ċ)/(c² + s²),   ḋ = z_F·(ṗ_M − ṗ_F) + (ω_F × z_F)·(p_M − p_F)                                       (2)
// φ is known modulo 2π: what records it counts the turns.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/spatial_parts.hpp"
#include "driftless/core/text.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

// Component "x", "vy", "wz" …: which vector, and which of its entries.
int entry_of(const std::string& component) { return component.back() - 'x'; }
bool is_rate(const std::string& component, char letter) {
  return component.size() == 2 && component[0] == letter;
}

SpatialChannel point_channel(const Element& output, const SpatialPoint& p) {
  const std::string& component = output.get<std::string>("component");
  const int k = entry_of(component);
  if (is_rate(component, 'v'))
    return {output.name, "m/s", [p, k](const SpatialView& view) { return view.velocity(p)[k]; }};
  return {output.name, "m", [p, k](const SpatialView& view) { return view.place(p)[k]; }};
}

SpatialChannel body_channel(const Element& output, int body) {
  const std::string& component = output.get<std::string>("component");
  const int k = entry_of(component);
  if (is_rate(component, 'w'))
    return {output.name, "rad/s", [body, k](const SpatialView& view) { return view.twists[body].omega[k]; }};
  return point_channel(output, {body, Vec3::Zero()});
}

struct Turn {
  double angle, rate;
};
Turn turn_of(const JointFrames& frames, const SpatialView& view) {
  const auto& [F, M] = frames;
  const Mat3 A = view.axes(F);
  const Vec3 x = view.axes(M).col(0);
  const Vec3 &omega_a = view.twists[F.origin.body].omega, &omega_b = view.twists[M.origin.body].omega;
  const double c = A.col(0).dot(x), s = A.col(1).dot(x);
  const Vec3 x_dot = (omega_b - omega_a).cross(x);  // seen from F
  const double c_dot = A.col(0).dot(x_dot), s_dot = A.col(1).dot(x_dot);
  return {std::atan2(s, c), (c * s_dot - s * c_dot) / (c * c + s * s)};
}

double displacement_of(const JointFrames& frames, const SpatialView& view) {
  return view.axes(frames.first)
      .col(2)
      .dot(view.place(frames.second.origin) - view.place(frames.first.origin));
}

double displacement_rate(const JointFrames& frames, const SpatialView& view) {
  const SpatialPoint &a = frames.first.origin, &b = frames.second.origin;
  const Vec3 z = view.axes(frames.first).col(2);
  return z.dot(view.velocity(b) - view.velocity(a)) +
         view.twists[a.body].omega.cross(z).dot(view.place(b) - view.place(a));
}

SpatialChannel joint_channel(const Element& output,
                             const JointFrames& frames,
                             const std::vector<std::string>& coordinates,
                             OutputTrouble& trouble) {
  const std::string& value = output.get<std::string>("value");
  std::string coordinate = value;
  if (value == "rate")
    coordinate = output.has("coordinate") ? output.get<std::string>("coordinate")
                 : coordinates.empty()    ? ""
                                          : coordinates.front();
  if (std::find(coordinates.begin(), coordinates.end(), coordinate) == coordinates.end()) {
    trouble.expected = coordinates.empty() ? "a joint with a coordinate of its own (revolute, translational, "
                                             "cylindrical, screw …)"
                                           : quoted_list(coordinates) + " of that joint, or its rate";
    return {};
  }
  const auto angle = [frames](const SpatialView& view) { return turn_of(frames, view).angle; };
  const auto angle_rate = [frames](const SpatialView& view) { return turn_of(frames, view).rate; };
  if (coordinate == "angle" && value == "rate") return {output.name, "rad/s", angle_rate};
  if (coordinate == "angle") return {output.name, "rad", angle, {}, angle_rate};
  if (value == "rate")
    return {output.name, "m/s",
            [frames](const SpatialView& view) { return displacement_rate(frames, view); }};
  return {output.name, "m", [frames](const SpatialView& view) { return displacement_of(frames, view); }};
}

// The index-th element of the batch of its kind.
SpatialChannel force_channel(const Element& output,
                             const SpatialForces& forces,
                             const ForcePlace& at,
                             OutputTrouble& trouble) {
  SpatialChannel channel;
  size_t kind = 0;
  std::apply(
      [&](const auto&... batch) {
        (..., [&](const auto& one_kind) {
          if (kind++ == at.kind) channel = element_channel<SpatialView>(output, one_kind[at.index], trouble);
        }(batch));
      },
      forces);
  return channel;
}

template <class List>
size_t index_of(const List& list, const std::string& name) {
  return static_cast<size_t>(
      std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.name == name; }) - list.begin());
}

}  // namespace

std::vector<SpatialChannel> compile_spatial_outputs(const Model& model,
                                                    const SpatialParts& parts,
                                                    std::vector<Complaint>& complaints) {
  const SpatialExpansion expansion(model);  // for points and bodies
  std::vector<SpatialChannel> channels;
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const Element& output = model.outputs[i];
    OutputTrouble trouble;
    SpatialChannel channel;
    if (output.type == "point")
      channel = point_channel(output, expansion.point(output.get<PointRef>("point")));
    if (output.type == "body")
      channel = body_channel(output, expansion.body(output.get<std::string>("body")));
    if (output.type == "joint") {
      const size_t j = index_of(model.joints, output.get<std::string>("joint"));
      const auto records = joint_records();
      const auto record = std::find_if(records.begin(), records.end(), [&](const auto* r) {
        return r->element.type == model.joints[j].type;
      });
      channel = joint_channel(output, parts.joints[j].frames, (*record)->spatial.coordinates, trouble);
    }
    if (output.type == "force")
      channel = force_channel(output, parts.forces,
                              parts.force_places[index_of(model.forces, output.get<std::string>("force"))],
                              trouble);
    if (output.type == "reaction") channel = reaction_channel<SpatialView>(output, model);
    if (!trouble.expected.empty())
      complaints.push_back({fmt::format("outputs[{}]", i), trouble.expected,
                            fmt::format("output '{}' of type '{}'", output.name, output.type), ""});
    channels.push_back(std::move(channel));
  }
  return channels;
}

}  // namespace driftless
