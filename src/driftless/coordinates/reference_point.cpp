// Reference-point coordinates: (x, y, θ) of the centre of mass of every planar body; see planar_system.hpp.
//   García de Jalón & Bayo, section 2.1.2; Haug, Computer Aided Kinematics and Dynamics, ch. 3
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/absolute_system.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/planar_builder.hpp"

namespace driftless {
namespace {

// The model's system with the wanted joint values or rates as drivers; null if nothing of the kind is wanted.
std::unique_ptr<DescriptorSystem> with_starts(const Model& model,
                                              std::optional<double> JointStart::*wanted,
                                              const std::string& source) {
  PlanarBuilder builder = expand_planar(model, model.joints);
  bool any = false;
  for (const JointStart& start : model.initial.joints) {
    if (!(start.*wanted)) continue;
    const double value = *(start.*wanted);
    const Element& joint = *std::find_if(model.joints.begin(), model.joints.end(),
                                         [&](const auto& j) { return j.name == start.joint; });
    const JointRecord& record = record_for(joint_records(), joint);
    // A wanted rate is a driver that moves at that rate; only its velocity row is used.
    const TimeFunction f = wanted == &JointStart::rate ? TimeFunction(time_function::Polynomial{{0.0, value}})
                                                       : TimeFunction(value);
    builder.begin("initial." + start.joint);
    record.coordinate_planar(joint, f, builder);
    any = true;
  }
  if (!any) return nullptr;
  if (builder.parts.row_names.size() > 3 * model.bodies.size())
    throw InputError(source,
                     Complaint{"initial.joints", "values for free joints only",
                               "more conditions than the mechanism has coordinates", "remove one of them"});
  return std::make_unique<PlanarSystem>(std::move(builder.parts));
}

std::vector<Complaint> check_starts(const Model& model) {
  std::vector<Complaint> complaints;
  for (const JointStart& start : model.initial.joints) {
    const Element& joint = *std::find_if(model.joints.begin(), model.joints.end(),
                                         [&](const auto& j) { return j.name == start.joint; });
    const JointRecord& record = record_for(joint_records(), joint);
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

CompiledModel compile_reference_point(const Model& model, const std::string& source) {
  if (model.space == Space::spatial) return compile_absolute<BodyRates>(model, source);
  auto complaints = check_starts(model);
  PlanarBuilder builder = expand_planar(model, model.joints);
  add_channels(model, builder, complaints);
  const int bodies = static_cast<int>(model.bodies.size());
  if (static_cast<int>(builder.parts.row_names.size()) > 3 * bodies)
    complaints.push_back({"joints",
                          fmt::format("at most {} constraint rows on {} planar bodies", 3 * bodies, bodies),
                          fmt::format("{} rows", builder.parts.row_names.size()),
                          "remove joints or drivers that say the same thing twice"});
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
  compiled.position_start = with_starts(model, &JointStart::value, source);
  compiled.velocity_start = with_starts(model, &JointStart::rate, source);
  compiled.system = std::make_unique<PlanarSystem>(std::move(builder.parts));
  const auto& names = compiled.system->layout().q_names;
  for (const auto& held : model.initial.hold)
    compiled.held.push_back(static_cast<int>(std::find(names.begin(), names.end(), held) - names.begin()));
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
