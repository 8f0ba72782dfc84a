// Very flexible pendulum: a cable of 1 m, pinned at one end, released horizontally at rest; section 10 mm × 10 mm, E = 1e8 Pa,
// 1000 kg/m³. In the manner of Escalona et al. 1998, Berzeri & Shabana 2000. Reference: the same mesh, DOP853 at rtol 1e-13.
#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace flexible_pendulum {
namespace {

Model make_pendulum(const Options& options) {
  Model model;
  model.name = "flexible-pendulum";
  model.description = "very flexible pendulum, absolute nodal coordinates";
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  FlexibleSpec cable;
  cable.type = FlexibleSpec::Type::cable;
  cable.stiffening = FlexibleSpec::Stiffening::none;
  const int count = options.integer("elements");
  for (int i = 0; i <= count; ++i) cable.nodes.push_back(Vec3(double(i) / count, 0, 0));
  for (int i = 0; i < count; ++i) cable.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.EA = 1e4;
  section.EIz = section.EIy = 1.0 / 12;
  section.rhoA = 0.1;
  cable.sections = {section};
  Body body;
  body.name = "cable";
  body.points = {{"root", Vec3::Zero()}, {"tip", Vec3(1, 0, 0)}};
  body.flexible = cable;
  model.bodies = {body};
  model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("cable", "root")}})};
  add_point_outputs(model, "tip", point("cable", "tip"));
  model.simulate.t_end = 0.3;
  return model;
}

}  // namespace
}  // namespace flexible_pendulum

extern const ProblemRecord flexible_pendulum_problem;
const ProblemRecord flexible_pendulum_problem = {
    .name = "flexible-pendulum",
    .summary = "very flexible pendulum, absolute nodal coordinates",
    .reference = "in the manner of Escalona et al. 1998, Berzeri & Shabana 2000",
    .t_end = 0.3,
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "elements",
                 .kind = OptionKind::integer,
                 .default_value = "8",
                 .min = 1,
                 .max = 10000,
                 .help = "elements of the cable"}},
    .values = {{0.2, "tip_x", 0.961820386812, 1e-11},
               {0.2, "tip_y", -0.230819464706, 1e-11},
               {0.3, "tip_x", 0.802588862694, 1e-11},
               {0.3, "tip_y", -0.595244754897, 1e-11}},
    .mechanism = flexible_pendulum::make_pendulum,
    .difficulty = "large deflections, stiff along the axis",
};

}  // namespace driftless
