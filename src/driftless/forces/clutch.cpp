// Clutch or brake on the angle of a joint: dry friction of a given limit, which may change with time. It locks where the two
// sides have come to the same speed, and slips again where it must carry more than its limit at rest.
//   |T| ≤ static_torque while locked,   T = −torque sign(ω) while it slips
#include <fmt/format.h>

#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

constexpr auto compile_clutch = [](const Element& force, auto& model, auto&) {
  if (!model.may_switch) return;
  const auto& [F, M] = model.joint_frames(force.get<std::string>("joint"));
  model.add_coordinate("angle", F, M, 1, 0, "angle");
  FrictionSpec spec{force.name, "clutch", force.name + ".angle"};
  spec.kinetic = force.get<TimeFunction>("torque");
  spec.resting = force.has("static_torque") ? force.get<TimeFunction>("static_torque") : spec.kinetic;
  spec.factor = 1 / model.length();
  model.switched.frictions.push_back(spec);
};

}  // namespace

extern const ForceRecord clutch_force;
const ForceRecord clutch_force = {
    .element = {"clutch",
                "clutch or brake on the angle of a joint: dry friction of a given torque",
                {{"joint", FieldKind::joint, true, {}, "", "a joint whose angle it acts on", {}},
                 {"torque", FieldKind::function, true, {}, "N m", "what it carries while it slips", {}},
                 {"static_torque",
                  FieldKind::function,
                  false,
                  {},
                  "N m",
                  "what it carries while it is locked; default: torque",
                  {}}}},
    .compile_planar = compile_clutch,
    .compile_spatial = compile_clutch,
};

}  // namespace driftless
