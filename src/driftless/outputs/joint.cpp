// A joint's own coordinate. With the frames F and M of the joint, in space
//   angle φ = atan2(y_F·x_M, x_F·x_M),   φ̇ = (c ṡ − s ċ)/(c² + s²)                                                   (1)
// and in the plane φ = θ_M − θ_F; with e the axis of F on which joints slide
//   displacement d = e·(p_M − p_F),   ḋ = e·(ṗ_M − ṗ_F) + (ω_F × e)·(p_M − p_F)                                      (2)
// Angles may be known modulo 2π, depending on the coordinates: what records them counts the turns.
#include <algorithm>
#include <cmath>

#include "driftless/core/text.hpp"
#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

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

template <int D>
OutputChannel<D> compile_joint_output(const Element& output,
                                      const OutputContext<D>& context,
                                      std::string& trouble) {
  const std::string& joint = output.get<std::string>("joint");
  const auto same = [&](const auto& e) { return e.name == joint; };
  const auto index =
      static_cast<size_t>(std::find_if(context.model.joints.begin(), context.model.joints.end(), same) -
                          context.model.joints.begin());
  const JointFramesOf<D>& frames = context.joints[index].frames;
  context.expansion.needs_attitude(frames.first.origin.body);
  context.expansion.needs_attitude(frames.second.origin.body);
  const auto& coordinates = record_of_joint(context.model.joints[index]).coordinates(context.model.space);
  const std::string& value = output.get<std::string>("value");
  std::string coordinate = value;
  if (value == "rate")
    coordinate = output.has("coordinate") ? output.get<std::string>("coordinate")
                 : coordinates.empty()    ? ""
                                          : coordinates.front();
  if (std::find(coordinates.begin(), coordinates.end(), coordinate) == coordinates.end()) {
    trouble = coordinates.empty() ? joint_with_coordinate(context.model.space)
                                  : quoted_list(coordinates) + " of that joint, or its rate";
    return {};
  }
  const auto angle = [frames](const MotionOf<D>& motion) { return turn_of(frames, motion).angle; };
  const auto angle_rate = [frames](const MotionOf<D>& motion) { return turn_of(frames, motion).rate; };
  OutputChannel<D> channel;
  if (coordinate == "angle" && value == "rate") {
    channel.unit = "rad/s";
    channel.measure = angle_rate;
  } else if (coordinate == "angle") {
    channel.unit = "rad";
    channel.measure = angle;
    channel.rate = angle_rate;
  } else if (value == "rate") {
    channel.unit = "m/s";
    channel.measure = [frames](const MotionOf<D>& motion) { return displacement_rate<D>(frames, motion); };
  } else {
    channel.unit = "m";
    channel.measure = [frames](const MotionOf<D>& motion) { return displacement_of<D>(frames, motion); };
  }
  return in_angle_unit<D>(std::move(channel), output);
}

}  // namespace

const OutputRecord& joint_output() {
  static const OutputRecord record = {
      {"joint",
       "a joint's own coordinate: angle of a revolute, displacement of a translational or point-on-line, and "
       "its rate",
       {{"joint", FieldKind::joint, true, {}, "", "the joint", {}},
        choice_field("value", "what to read", {"angle", "displacement", "rate"}),
        {"coordinate",
         FieldKind::choice,
         false,
         {},
         "",
         "whose rate; default: the only or first coordinate of the joint",
         {"angle", "displacement"},
         Spaces::spatial},
        angle_unit_field()}},
      compile_joint_output<2>,
      compile_joint_output<3>};
  return record;
}

}  // namespace driftless
