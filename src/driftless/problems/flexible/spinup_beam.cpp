// Spin-up of a cantilever: a beam clamped to a shaft that is brought to 6 rad/s in 15 s,
//   ψ = (6/15)(t²/2 + (15/2π)²(cos(2πt/15) − 1)),  then 6t − 45.
// The standard test of stiffening by centrifugal forces: without it the floating-frame beam diverges.
//   Kane, Ryan & Banerjee 1987; Simo & Vu-Quoc 1987. Reference: 32 cable elements, without shear; 8 digits.
#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace spinup_beam {
namespace {

constexpr double kLength = 10;

Model make_spinup(const Options& options) {
  const auto word = [](const char* text) { return std::string(text); };
  Model model;
  model.name = "spinup-beam";
  model.description = "cantilever beam on a shaft that is spun up";
  model.ground_points = {{"O", Vec3::Zero()}};
  Body shaft;
  shaft.name = "shaft";
  shaft.mass = shaft.inertia = 1;
  shaft.points = {{"O", Vec3::Zero()}};
  FlexibleSpec beam;
  const int count = options.integer("elements");
  for (int i = 0; i <= count; ++i) beam.nodes.push_back(Vec3(kLength * i / count, 0, 0));
  for (int i = 0; i < count; ++i) beam.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.EA = 2.8e7;
  section.EIz = section.EIy = 1.4e4;
  section.rhoA = 1.2;
  beam.sections = {section};
  const std::string kind = options.choice("beam");
  beam.stiffening = FlexibleSpec::Stiffening::none;
  if (kind == "cable") beam.type = FlexibleSpec::Type::cable;
  if (kind == "geometric") beam.stiffening = FlexibleSpec::Stiffening::geometric;
  if (const int modes = options.integer("modes"); modes > 0 && kind != "cable") {
    beam.modes = ModesSpec{.count = modes};
    if (kind == "geometric") beam.stiffening = FlexibleSpec::Stiffening::loads;
  }
  Body body;
  body.name = "beam";
  body.points = {{"root", Vec3::Zero()}, {"tip", Vec3(kLength, 0, 0)}};
  body.flexible = beam;
  model.bodies = {shaft, body};
  model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("shaft", "O")}}),
                  element("clamp", "fixed", {{"a", point("shaft", "O")}, {"b", point("beam", "root")}})};
  const char* law = "if(t < 15, 0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)";
  model.drivers = {
      element("spin", "joint-coordinate",
              {{"joint", word("pin")}, {"function", TimeFunction(time_function::ExpressionText{law})}})};
  model.outputs = {element("psi", "body", {{"body", word("shaft")}, {"component", word("angle")}})};
  for (const char* component : {"x", "y"})
    model.outputs.push_back(element(std::string("tip_") + component, "point",
                                    {{"point", point("beam", "tip")}, {"component", word(component)}}));
  for (const char* value : {"u", "v"})
    if (kind != "cable")
      model.outputs.push_back(element(std::string("tip_") + value, "beam",
                                      {{"at", point("beam", "tip")}, {"value", word(value)}}));
  model.simulate.t_end = 20;
  return model;
}

}  // namespace
}  // namespace spinup_beam

extern const ProblemRecord spinup_beam_problem;
const ProblemRecord spinup_beam_problem = {
    .name = "spinup-beam",
    .summary = "cantilever beam on a shaft that is spun up, floating frame or cable",
    .reference = "Kane, Ryan & Banerjee 1987; Simo & Vu-Quoc 1987",
    .t_end = 20,
    .formulation = "index3",
    .integrator = "generalized-alpha",
    .stabilization = {},
    .step = 0.005,
    .options = {{.name = "elements",
                 .kind = OptionKind::integer,
                 .default_value = "8",
                 .min = 1,
                 .max = 10000,
                 .help = "elements of the beam"},
                {.name = "beam",
                 .kind = OptionKind::choice,
                 .default_value = "geometric",
                 .choices = {"geometric", "none", "cable"},
                 .help = "floating frame with or without stiffening, or absolute nodal coordinates"},
                {.name = "modes",
                 .kind = OptionKind::integer,
                 .default_value = "0",
                 .min = 0,
                 .max = 1000,
                 .help = "so many modes of the floating frame, stiffened by loads; 0: nodal"}},
    .values = {{5.0, "psi", 0.4 * (12.5 + 56.25 / 9.869604401089358 * (-0.5 - 1)), 1e-12}},
    .mechanism = spinup_beam::make_spinup,
    .difficulty = "centrifugal stiffening: without it the beam bends without bound",
};

}  // namespace driftless
