// Output channels of models. The types are those of outputs.cpp. With the frames F and M of a joint, in space
//   angle φ = atan2(y_F·x_M, x_F·x_M),   φ̇ = (c ṡ − s ċ)/(c² + s²)                                                   (1)
// and in the plane φ = θ_M − θ_F; with e the axis of F on which joints slide
//   displacement d = e·(p_M − p_F),   ḋ = e·(ṗ_M − ṗ_F) + (ω_F × e)·(p_M − p_F)                                      (2)
// Angles may be known modulo 2π, depending on the coordinates: what records them counts the turns.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/parts.hpp"
#include "driftless/core/text.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

// Component "x", "vy", "wz" …: which vector, and which of its entries.
int entry_of(const std::string& component) { return component.back() - 'x'; }
bool is_rate(const std::string& component, char letter) {
  return component.size() == 2 && component[0] == letter;
}

template <int D>
OutputChannel<D> point_channel(const Element& output, const PointOf<D>& p) {
  const std::string& component = output.get<std::string>("component");
  const int k = entry_of(component);
  if (is_rate(component, 'v'))
    return {output.name, "m/s", [p, k](const ViewOf<double, D>& view) { return view.velocity(p)[k]; }};
  return {output.name, "m", [p, k](const ViewOf<double, D>& view) { return view.place(p)[k]; }};
}

template <int D>
OutputChannel<D> body_channel(const Element& output, int body) {
  using View = ViewOf<double, D>;
  const std::string& component = output.get<std::string>("component");
  if constexpr (D == 2) {
    const auto omega = [body](const View& view) { return view.twists[body].omega; };
    if (component == "wz") return {output.name, "rad/s", omega};
    if (component == "angle")
      return {output.name, "rad", [body](const View& view) { return view.frames[body].theta; }, {}, omega};
  } else {
    const int k = entry_of(component);
    if (is_rate(component, 'w'))
      return {output.name, "rad/s", [body, k](const View& view) { return view.twists[body].omega[k]; }};
  }
  return point_channel<D>(output, {body});
}

struct Turn {
  double angle, rate;
};
Turn turn_of(const JointFramesOf<2>& frames, const ViewOf<double, 2>& view) {
  const int a = frames.first.origin.body, b = frames.second.origin.body;
  return {view.frames[b].theta - view.frames[a].theta, view.twists[b].omega - view.twists[a].omega};
}
Turn turn_of(const JointFramesOf<3>& frames, const ViewOf<double, 3>& view) {  // (1)
  const auto& [F, M] = frames;
  const Mat3 A = view.axes(F);
  const Vec3 x = view.axes(M).col(0);
  const Vec3 &omega_a = view.twists[F.origin.body].omega, &omega_b = view.twists[M.origin.body].omega;
  const double c = A.col(0).dot(x), s = A.col(1).dot(x);
  const Vec3 x_dot = (omega_b - omega_a).cross(x);  // seen from F
  const double c_dot = A.col(0).dot(x_dot), s_dot = A.col(1).dot(x_dot);
  return {std::atan2(s, c), (c * s_dot - s * c_dot) / (c * c + s * s)};
}

template <int D>
double displacement_of(const JointFramesOf<D>& frames, const ViewOf<double, D>& view) {  // (2)
  const auto& [F, M] = frames;
  return view.axis(F, F.kSlide).dot(view.place(M.origin) - view.place(F.origin));
}

template <int D>
double displacement_rate(const JointFramesOf<D>& frames, const ViewOf<double, D>& view) {
  const auto& [F, M] = frames;
  const VecOf<double, D> e = view.axis(F, F.kSlide);
  return e.dot(view.velocity(M.origin) - view.velocity(F.origin)) +
         swing(view.twists[F.origin.body].omega, e).dot(view.place(M.origin) - view.place(F.origin));
}

// `trouble`: what was expected instead; empty: nothing.
template <int D>
OutputChannel<D> joint_channel(const Element& output,
                               const JointFramesOf<D>& frames,
                               const std::vector<std::string>& coordinates,
                               std::string& trouble) {
  using View = ViewOf<double, D>;
  const std::string& value = output.get<std::string>("value");
  std::string coordinate = value;
  if (value == "rate")
    coordinate = output.has("coordinate") ? output.get<std::string>("coordinate")
                 : coordinates.empty()    ? ""
                                          : coordinates.front();
  if (std::find(coordinates.begin(), coordinates.end(), coordinate) == coordinates.end()) {
    trouble = coordinates.empty() ? joint_with_coordinate(D == 2 ? Space::planar : Space::spatial)
                                  : quoted_list(coordinates) + " of that joint, or its rate";
    return {};
  }
  const auto angle = [frames](const View& view) { return turn_of(frames, view).angle; };
  const auto angle_rate = [frames](const View& view) { return turn_of(frames, view).rate; };
  if (coordinate == "angle" && value == "rate") return {output.name, "rad/s", angle_rate};
  if (coordinate == "angle") return {output.name, "rad", angle, {}, angle_rate};
  if (value == "rate")
    return {output.name, "m/s", [frames](const View& view) { return displacement_rate<D>(frames, view); }};
  return {output.name, "m", [frames](const View& view) { return displacement_of<D>(frames, view); }};
}

// A channel on one force element, whatever its kind: the element says what it measures.
template <int D, class Kind>
OutputChannel<D> element_channel(const Element& output, const Kind& element, std::string& trouble) {
  if constexpr (requires { Kind::outputs; }) {
    const std::string& value = output.get<std::string>("value");
    std::vector<std::string> known;
    for (size_t k = 0; k < Kind::outputs.size(); ++k) {
      if (value == Kind::outputs[k].name)
        return {output.name, Kind::outputs[k].unit,
                [element, k](const ViewOf<double, D>& view) { return element.measure(k, view); }};
      known.emplace_back(Kind::outputs[k].name);
    }
    trouble = fmt::format("'{}'", fmt::join(known, "', '"));
  } else {
    trouble = "a force with values to read: " + readable_forces();
  }
  return {};
}

template <int D>
OutputChannel<D> force_channel(const Element& output,
                               const Forces<D>& forces,
                               const ForcePlace& at,
                               std::string& trouble) {
  OutputChannel<D> channel;
  size_t kind = 0;
  std::apply(
      [&](const auto&... batch) {
        (..., [&](const auto& one_kind) {
          if (kind++ == at.kind) channel = element_channel<D>(output, one_kind[at.index], trouble);
        }(batch));
      },
      forces);
  return channel;
}

template <int D>
OutputChannel<D> reaction_channel(const Element& output, const std::vector<JointPlaceOf<D>>& joints) {
  OutputChannel<D> channel;
  channel.name = output.name;
  const std::string& wanted = output.get<std::string>("joint");
  for (size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == wanted) channel.reaction.joint = static_cast<int>(i);
  const std::string& component = output.get<std::string>("component");
  channel.reaction.component = component[1] - 'x' + (component[0] == 't' ? 3 : 0);
  channel.reaction.joint_axes = output.has("frame") && output.get<std::string>("frame") == "joint";
  channel.unit = component[0] == 't' ? "N m" : "N";
  return channel;
}

// `trouble` as above.
template <int D>
OutputChannel<D> beam_channel(const Element& output, const Expansion<D>& expansion, std::string& trouble) {
  const PointRef& at = output.get<PointRef>("at");
  const Body* body = expansion.model().find_body(at.body);
  OutputChannel<D> channel;
  channel.name = output.name;
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
  pick.slot = expansion.point(at).body;
  const SectionSlot& section = expansion.sections()[size_t(pick.slot - expansion.ground() - 1)];
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

template <class List>
size_t index_of(const List& list, const std::string& name) {
  return static_cast<size_t>(
      std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.name == name; }) - list.begin());
}

}  // namespace

template <int D>
std::vector<OutputChannel<D>> compile_outputs(const Model& model,
                                              Parts<D>& parts,
                                              std::vector<Complaint>& complaints) {
  Expansion<D> expansion(model, Turns::counted, parts.sections);  // for points and bodies
  std::vector<OutputChannel<D>> channels;
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const Element& output = model.outputs[i];
    expansion.begin(output.name);
    std::string trouble;
    OutputChannel<D> channel;
    if (output.type == "point")
      channel = point_channel<D>(output, expansion.point(output.get<PointRef>("point")));
    if (output.type == "body") {
      const int body = expansion.body(output.get<std::string>("body"));
      const std::string& component = output.get<std::string>("component");
      if (component == "angle" || is_rate(component, 'w')) expansion.needs_attitude(body);
      channel = body_channel<D>(output, body);
    }
    if (output.type == "joint") {
      const size_t j = index_of(model.joints, output.get<std::string>("joint"));
      expansion.needs_attitude(parts.joints[j].frames.first.origin.body);
      expansion.needs_attitude(parts.joints[j].frames.second.origin.body);
      channel = joint_channel<D>(output, parts.joints[j].frames,
                                 record_of_joint(model.joints[j]).coordinates(model.space), trouble);
    }
    if (output.type == "force")
      channel = force_channel<D>(output, parts.forces,
                                 parts.force_places[index_of(model.forces, output.get<std::string>("force"))],
                                 trouble);
    if (output.type == "beam") channel = beam_channel<D>(output, expansion, trouble);
    if (output.type == "reaction") channel = reaction_channel<D>(output, parts.joints);
    if (!trouble.empty())
      complaints.push_back({fmt::format("outputs[{}]", i), trouble,
                            fmt::format("output '{}' of type '{}'", output.name, output.type), ""});
    channels.push_back(std::move(channel));
  }
  parts.sections = expansion.sections();
  for (const Complaint& refused : expansion.complaints()) parts.refused.push_back(refused);
  return channels;
}
template std::vector<OutputChannel<2>> compile_outputs<2>(const Model&, Parts<2>&, std::vector<Complaint>&);
template std::vector<OutputChannel<3>> compile_outputs<3>(const Model&, Parts<3>&, std::vector<Complaint>&);

}  // namespace driftless
