// Force or torque of a joint or driver on its second body.
#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_reaction_output(const Element& output,
                                         const OutputContext<D>& context,
                                         std::string&) {
  OutputChannel<D> channel;
  const std::string& wanted = output.get<std::string>("joint");
  for (size_t i = 0; i < context.joints.size(); ++i)
    if (context.joints[i].name == wanted) channel.reaction.joint = static_cast<int>(i);
  const std::string& component = output.get<std::string>("component");
  channel.reaction.component = component[1] - 'x' + (component[0] == 't' ? 3 : 0);
  channel.reaction.joint_axes = output.has("frame") && output.get<std::string>("frame") == "joint";
  channel.unit = component[0] == 't' ? "N m" : "N";
  return channel;
}

}  // namespace

double ReactionPick::of(const std::vector<JointReaction>& reactions) const {
  const JointReaction& r = reactions[static_cast<size_t>(joint)];
  const Vec3& force = joint_axes ? r.force_joint : r.force;
  const Vec3& torque = joint_axes ? r.torque_joint : r.torque;
  return component < 3 ? force[component] : torque[component - 3];
}

const OutputRecord& reaction_output() {
  static const OutputRecord record = {
      {"reaction",
       "force or torque of a joint or driver on its second body, at the joint's point there",
       {{"joint", FieldKind::constraint, true, {}, "", "the joint or driver", {}},
        choice_field("component", "force (N) or torque (N m)", {"fx", "fy", "tz"}, Spaces::planar),
        choice_field("component", "force (N) or torque (N m)", {"fx", "fy", "fz", "tx", "ty", "tz"},
                     Spaces::spatial),
        {"frame",
         FieldKind::choice,
         false,
         FieldValue(std::string("world")),
         "",
         "axes of the components",
         {"world", "joint"}}}},
      compile_reaction_output<2>,
      compile_reaction_output<3>,
      false};
  return record;
}

}  // namespace driftless
