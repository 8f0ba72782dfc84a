// Reference-point coordinates: (x, y, θ) of the centre of mass of every planar body; see planar_system.hpp.
//   García de Jalón & Bayo, section 2.1.2; Haug, Computer Aided Kinematics and Dynamics, ch. 3
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/absolute_system.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/planar_builder.hpp"
#include "driftless/coordinates/planar_system.hpp"

namespace driftless {
namespace {

// `initial.hold` of a joint's coordinate: prescribed to stay what the poses in the file make it.
struct HeldJoint {
  std::string joint;
  bool turns;  // angle, or displacement
  PlanarMobility mobility;

  void add_to(PlanarBuilder& builder) const {
    const PointOn &a = mobility.a, &b = mobility.b;
    const auto &A = builder.start(a.body), &B = builder.start(b.body);
    builder.begin("initial." + joint);
    if (turns)
      builder.add_relative_angle(a.body, b.body, B.theta - A.theta, "angle");
    else
      builder.add(Along{a, b, mobility.axis, A.turn(mobility.axis).dot(B.point(b.at) - A.point(a.at))},
                  {"displacement"});
  }
};

// All of them; those that the joint does not have are complaints.
std::vector<HeldJoint> held_joints(const Model& model,
                                   const PlanarBuilder& builder,
                                   std::vector<Complaint>& complaints) {
  std::vector<HeldJoint> held;
  for (size_t i = 0; i < model.initial.hold.size(); ++i) {
    const std::string& name = model.initial.hold[i];
    const auto dot = name.rfind('.');
    const std::string component = name.substr(dot + 1);
    if (component != "angle" && component != "displacement") continue;
    const Element& joint = joint_called(name.substr(0, dot), model);
    const JointRecord& record = record_of_joint(joint);
    const auto mobility =
        record.mobility_planar == nullptr ? std::nullopt : record.mobility_planar(joint, builder);
    const bool turns = component == "angle";
    if (mobility && (turns ? mobility->turns : mobility->slides))
      held.push_back({joint.name, turns, *mobility});
    else
      complaints.push_back({fmt::format("initial.hold[{}]", i),
                            fmt::format("a joint that has {} {}", turns ? "an" : "a", component),
                            fmt::format("'{}', a joint of type '{}'", joint.name, joint.type), ""});
  }
  return held;
}

// The model's system with the wanted joint values or rates as drivers; null if nothing of the kind is wanted.
std::unique_ptr<DescriptorSystem> with_starts(const Model& model,
                                              std::optional<double> JointStart::*wanted,
                                              const std::vector<HeldJoint>& held) {
  PlanarBuilder builder = expand_planar(model, model.joints);
  bool any = !held.empty();
  for (const HeldJoint& joint : held) joint.add_to(builder);
  for (const JointStart& start : model.initial.joints) {
    if (!(start.*wanted)) continue;
    const double value = *(start.*wanted);
    const Element& joint = joint_called(start.joint, model);
    const JointRecord& record = record_of_joint(joint);
    // A wanted rate is a driver that moves at that rate; only its velocity row is used.
    const TimeFunction f = wanted == &JointStart::rate ? TimeFunction(time_function::Polynomial{{0.0, value}})
                                                       : TimeFunction(value);
    builder.begin("initial." + start.joint);
    record.coordinate_planar(joint, f, builder);
    any = true;
  }
  if (!any) return nullptr;
  return std::make_unique<PlanarSystem>(std::move(builder.parts));
}

std::vector<Complaint> check_starts(const Model& model) {
  std::vector<Complaint> complaints;
  for (const JointStart& start : model.initial.joints) {
    const Element& joint = joint_called(start.joint, model);
    const JointRecord& record = record_of_joint(joint);
    if (record.coordinate_planar == nullptr)
      complaints.push_back({fmt::format("initial.joints.{}", start.joint),
                            "a joint with a coordinate of its own (revolute, translational, point-on-line)",
                            fmt::format("a joint of type '{}'", joint.type), ""});
    else if (!start.coordinate.empty() && start.coordinate != record.coordinate)
      complaints.push_back({fmt::format("initial.joints.{}.{}", start.joint, start.coordinate),
                            fmt::format("'{}', the coordinate of a {} joint", record.coordinate, joint.type),
                            fmt::format("'{}'", start.coordinate), ""});
  }
  return complaints;
}

CompiledModel compile_reference_point(const Model& model, const std::string& source, const Options&) {
  if (model.space == Space::spatial) return compile_spatial_reference(model, source);
  auto complaints = check_starts(model);
  PlanarBuilder builder = expand_planar(model, model.joints);
  add_channels(model, builder, complaints);
  const std::vector<HeldJoint> held = held_joints(model, builder, complaints);
  const int bodies = static_cast<int>(model.bodies.size());
  if (!complaints.empty()) throw InputError(source, complaints);

  CompiledModel compiled;
  compiled.guess.q.resize(3 * bodies);
  compiled.guess.v.resize(3 * bodies);
  for (int i = 0; i < bodies; ++i) {
    const Body& body = model.bodies[size_t(i)];
    const auto& frame = builder.start(i);
    const auto arm = frame.turn(body.center_of_mass.head<2>());
    const double omega = body.angular_velocity;
    compiled.guess.q.segment<3>(3 * i) = Vec3(frame.r.x, frame.r.y, frame.theta);
    compiled.guess.v.segment<3>(3 * i) =
        Vec3(body.velocity.x() - omega * arm.y, body.velocity.y() + omega * arm.x, omega);
  }
  compiled.position_start = with_starts(model, &JointStart::value, held);
  compiled.velocity_start = with_starts(model, &JointStart::rate, {});
  compiled.system = std::make_unique<PlanarSystem>(std::move(builder.parts));
  const auto& names = compiled.system->layout().q_names;
  for (const auto& name : model.initial.hold)
    if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
      compiled.held.push_back(static_cast<int>(found - names.begin()));
  return compiled;
}

}  // namespace

extern const CoordinatesRecord reference_point_coordinates;
const CoordinatesRecord reference_point_coordinates = {
    {"reference-point",
     "planar (x, y, theta) of every body's centre of mass; constant diagonal mass matrix",
     "Garcia de Jalon & Bayo 1994, section 2.1.2",
     {}},
    &compile_reference_point};

}  // namespace driftless
