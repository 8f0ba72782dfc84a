// The elastica: a clamped cable under a dead force across its tip, or a moment there, brought to rest by damping; L = EI = 1.
//   force    α = P L²/EI:  √α = K(k) − F(φ,k), k² = (1 + sin θ)/2, sin φ = 1/(k√2), θ the angle of the tip              (1)
//            x = √(2 sin θ/α),  y = 1 − 2(E(k) − E(φ,k))/√α;     α = 3: (0.7455798154, 0.6032534411)
//   moment   a circle of curvature M/EI; α = M L/EI = π a half one, tip (0, 2/π), 2π the whole: the cable is rolled up
// The load grows over two seconds; D = 7 M (the first frequency is 3.516) leaves 1e-13 of the motion at the end.
// References: the same mesh by Newton's method in extended precision.                    docs/theory/flexible.md, (4)
#include <cmath>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace elastica {
namespace {

Model make_elastica(const Options& options) {
  const auto word = [](const char* text) { return std::string(text); };
  Model model;
  model.name = "elastica";
  model.description = "clamped cable bent by a tip load, at rest at the end";
  model.ground_points = {{"O", Vec3::Zero()}};
  FlexibleSpec cable;
  cable.type = FlexibleSpec::Type::cable;
  cable.stiffening = FlexibleSpec::Stiffening::none;
  const int count = options.integer("elements");
  for (int i = 0; i <= count; ++i) cable.nodes.push_back(Vec3(double(i) / count, 0, 0));
  for (int i = 0; i < count; ++i) cable.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.EA = options.number("axial");
  section.EIz = section.EIy = 1;
  section.rhoA = 1;
  cable.sections = {section};
  cable.curvature = options.choice("curvature");
  cable.integration = options.choice("integration");
  cable.alpha = 7;
  Body body;
  body.name = "cable";
  body.points = {{"root", Vec3::Zero()}, {"tip", Vec3(1, 0, 0)}};
  body.flexible = cable;
  model.bodies = {body};
  model.joints = {element("clamp", "fixed", {{"a", point("ground", "O")}, {"b", point("cable", "root")}})};
  const TimeFunction load(
      time_function::ExpressionText{fmt::format("if(t < 2, t/2, 1)*{:.17g}", options.number("alpha"))});
  if (options.choice("load") == "force")
    model.forces = {element(
        "load", "point-force",
        {{"at", point("cable", "tip")}, {"force", std::vector<TimeFunction>{TimeFunction(0.0), load}}})};
  else
    model.forces = {element("load", "torque",
                            {{"body", word("cable")}, {"at", point("cable", "tip")}, {"torque", load}})};
  add_point_outputs(model, "tip", point("cable", "tip"));
  model.outputs.push_back(
      element("root_moment", "reaction", {{"joint", word("clamp")}, {"component", word("tz")}}));
  model.simulate.t_end = 12;
  return model;
}

}  // namespace
}  // namespace elastica

extern const ProblemRecord elastica_problem;
const ProblemRecord elastica_problem = {
    .name = "elastica",
    .summary = "clamped cable bent by a tip force or rolled up by a tip moment, statics by damping",
    .reference = "Euler 1744; closed form by elliptic integrals, one mesh by Newton's method",
    .t_end = 12,
    .formulation = "index3",
    .integrator = "generalized-alpha",
    .stabilization = {},
    .step = 0.01,
    .options = {{.name = "load",
                 .kind = OptionKind::choice,
                 .default_value = "force",
                 .choices = {"force", "moment"},
                 .help = "dead force across the tip, or a moment there"},
                {.name = "alpha",
                 .kind = OptionKind::number,
                 .default_value = "3",
                 .min = -20,
                 .max = 20,
                 .help = "P L^2/EI or M L/EI; with a moment 6.283185307179586 rolls the cable up"},
                {.name = "elements",
                 .kind = OptionKind::integer,
                 .default_value = "8",
                 .min = 1,
                 .max = 1000,
                 .help = "elements of the cable"},
                {.name = "axial",
                 .kind = OptionKind::number,
                 .default_value = "1e4",
                 .min = 1,
                 .max = 1e10,
                 .help = "EA L^2/EI"},
                {.name = "curvature",
                 .kind = OptionKind::choice,
                 .default_value = "material",
                 .choices = {"material", "geometric"},
                 .help = "measure of curvature"},
                {.name = "integration",
                 .kind = OptionKind::choice,
                 .default_value = "lobatto",
                 .choices = {"lobatto", "full"},
                 .help = "full locks thin cables"}},
    .values = {{12, "tip_x", 0.7456491168215565, 1e-10}, {12, "tip_y", 0.603434540348535, 1e-10}},
    .mechanism = elastica::make_elastica,
    .difficulty =
        "large deflections; stiff along the axis: the cable's own frequencies reach 15 000 rad/s while it "
        "comes to rest "
        "within seconds",
};

}  // namespace driftless
