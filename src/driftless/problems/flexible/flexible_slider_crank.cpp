// Chin's deformable slider-crank, and its rigid twin: crank 6 in with inertia 1, an elastic connecting rod of 12 in and 1/4 in
// diameter, steel, massless slider, torque sin t − φ̇ on the crank (in, lb, s).
// Inferred, for the source does not say: φ(0) = 0, undeformed start without elastic rates, no gravity.
// Reference: the rod in a chord frame (simply-supported), two elements, linear strain, by two formulations of which one used
// automatic differentiation; 11 digits agree.                                                  Chin 1995, sections 5.3–5.4
#include <numbers>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace flexible_slider_crank {
namespace {

constexpr double kRadius = 6, kLength = 12, kDiameter = 0.25, kModulus = 30e6, kDensity = 0.0007331;

std::string word(const char* text) { return text; }

// All but what the rod is made of.
Model without_rod(double phi_rate) {
  Model model;
  model.ground_points = {{"O", Vec3::Zero()}};
  Body crank;
  crank.name = "crank";
  crank.mass = crank.inertia = 1;  // the centre of mass is the pin: only the inertia counts
  crank.points = {{"O", Vec3::Zero()}, {"A", Vec3(kRadius, 0, 0)}};
  Body rod;
  rod.name = "rod";
  rod.position = {kRadius, 0, 0};
  rod.points = {{"A", Vec3::Zero()}, {"B", Vec3(kLength, 0, 0)}, {"middle", Vec3(kLength / 2, 0, 0)}};
  model.bodies = {crank, rod};
  model.joints = {element("pin_O", "revolute", {{"a", point("ground", "O")}, {"b", point("crank", "O")}}),
                  element("pin_A", "revolute", {{"a", point("crank", "A")}, {"b", point("rod", "A")}}),
                  element("slider", "point-on-line",
                          {{"a", point("ground", "O")}, {"axis", Vec3(1, 0, 0)}, {"b", point("rod", "B")}})};
  model.forces = {
      element("drive", "torque",
              {{"body", word("crank")}, {"torque", TimeFunction(time_function::ExpressionText{"sin(t)"})}}),
      element("drag", "rsda", {{"a", word("ground")}, {"b", word("crank")}, {"damping", 1.0}})};
  model.initial.joints = {{"pin_O", std::nullopt, phi_rate}};
  model.outputs = {element("phi", "joint", {{"joint", word("pin_O")}, {"value", word("angle")}}),
                   element("theta", "body", {{"body", word("rod")}, {"component", word("angle")}}),
                   element("x", "point", {{"point", point("rod", "B")}, {"component", word("x")}})};
  model.simulate.t_end = 0.1;
  return model;
}

Model make_flexible(const Options& options) {
  Model model = without_rod(options.number("phi_rate"));
  model.name = "flexible-slider-crank";
  model.description = "slider-crank with an elastic connecting rod";
  FlexibleSpec rod;
  const int count = options.integer("elements");
  for (int i = 0; i <= count; ++i) rod.nodes.push_back(Vec3(kLength * i / count, 0, 0));
  for (int i = 0; i < count; ++i) rod.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.type = "circle";
  section.diameter = kDiameter;
  rod.sections = {section};
  rod.material.youngs_modulus = kModulus;
  rod.material.density = kDensity;
  rod.frame = FlexibleSpec::Frame::simply_supported;
  const std::string stiffening = options.choice("stiffening");
  rod.stiffening = FlexibleSpec::Stiffening::none;
  if (stiffening == "geometric") rod.stiffening = FlexibleSpec::Stiffening::geometric;
  if (const int modes = options.integer("modes"); modes > 0) rod.modes = ModesSpec{.count = modes};
  model.bodies[1].flexible = rod;
  model.outputs.push_back(
      element("deflection", "beam", {{"at", point("rod", "middle")}, {"value", word("v")}}));
  return model;
}

Model make_rigid(const Options& options) {
  Model model = without_rod(options.number("phi_rate"));
  model.name = "flexible-slider-crank-rigid";
  model.description = "slider-crank with the same connecting rod, rigid";
  Body& rod = model.bodies[1];
  rod.mass = kDensity * std::numbers::pi / 4 * kDiameter * kDiameter * kLength;
  rod.inertia = rod.mass * kLength * kLength / 12;
  rod.center_of_mass = {kLength / 2, 0, 0};
  return model;
}

const OptionSpec kRate = {.name = "phi_rate",
                          .kind = OptionKind::number,
                          .default_value = "60",
                          .min = 0,
                          .max = 1000,
                          .help = "rate of the crank at the start, rad/s"};

}  // namespace
}  // namespace flexible_slider_crank

extern const ProblemRecord flexible_slider_crank_problem;
const ProblemRecord flexible_slider_crank_problem = {
    .name = "flexible-slider-crank",
    .summary = "slider-crank with an elastic connecting rod, floating frame",
    .reference = "Chin 1995, sections 5.3-5.4",
    .t_end = 0.1,
    .integrator = {},
    .stabilization = {},
    .options = {{.name = "elements",
                 .kind = OptionKind::integer,
                 .default_value = "2",
                 .min = 2,
                 .max = 10000,
                 .help = "elements of the rod"},
                flexible_slider_crank::kRate,
                {.name = "stiffening",
                 .kind = OptionKind::choice,
                 .default_value = "none",
                 .choices = {"none", "geometric"},
                 .help = "geometric stiffening of the rod; none as in the source"},
                {.name = "modes",
                 .kind = OptionKind::integer,
                 .default_value = "0",
                 .min = 0,
                 .max = 1000,
                 .help = "so many of its lowest modes instead of nodal coordinates; 0: nodal"}},
    .values = {{0.005, "phi", 0.2991602115936739, 1e-11},
               {0.005, "theta", -0.14789646740940998, 1e-11},
               {0.005, "deflection", 0.01489253684240115, 1e-10}},
    .mechanism = flexible_slider_crank::make_flexible,
    .difficulty =
        "fast axial vibrations beside a slow motion; small deflections that the tolerance must resolve",
};

extern const ProblemRecord flexible_slider_crank_rigid_problem;
const ProblemRecord flexible_slider_crank_rigid_problem = {
    .name = "flexible-slider-crank-rigid",
    .summary = "the same slider-crank with a rigid connecting rod",
    .reference = "Chin 1995, sections 5.3-5.4",
    .t_end = 0.1,
    .integrator = {},
    .stabilization = {},
    .options = {flexible_slider_crank::kRate},
    .values = {{0.1, "phi", 5.696670411151741672, 1e-15}},
    .mechanism = flexible_slider_crank::make_rigid,
    .difficulty = "none: what the flexible one is compared with",
};

}  // namespace driftless
