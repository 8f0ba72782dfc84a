// The Princeton beam: a slender cantilever of 0.508 m, section 12.3777 mm (z) by 3.2024 mm (y), bent far and twisted by a dead
// tip force across both axes; a chain of spatial floating-frame bodies of one element each, welded, brought to rest by damping.
// Cutting a slender body into several frames is the way to large deflections with torsion: errors of the tip 1.60, 0.378,
// 0.0913 mm with 4, 8, 16 bodies (order 2); stiffened ones come three times nearer.   Dowell & Traybar 1975; reference: an
// extensible rod without shear (Kirchhoff) by shooting. Masses are of no account at rest and were chosen.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace princeton_beam {
namespace {

constexpr double kLength = 0.508;

// Within a second.
TimeFunction grown(double value) {
  return TimeFunction(time_function::ExpressionText{fmt::format("if(t < 1, t, 1)*{:.17g}", value)});
}

Model make_princeton(const Options& options) {
  Model model;
  model.name = "princeton-beam";
  model.description = "slender cantilever bent and twisted by a tip force, a chain of floating frames";
  model.space = Space::spatial;
  model.ground_points = {{"O", Vec3::Zero()}};
  BeamSection section;
  section.EA = 2.84207e6;
  section.EIy = 36.2855;
  section.EIz = 2.42887;
  section.GJ = 3.103;
  section.rhoA = 0.1;
  section.rhoIy = 1.3e-6;
  section.rhoIz = 8.5e-8;
  const int count = options.integer("bodies");
  const double l = kLength / count;
  const auto name = [](int i) { return "part" + std::to_string(i); };
  for (int i = 0; i < count; ++i) {
    FlexibleSpec part;
    part.nodes = {Vec3::Zero(), Vec3(l, 0, 0)};
    part.elements = {{0, 1}};
    part.sections = {section};
    part.rotary_inertia = true;
    part.stiffening = options.choice("stiffening") == "none" ? FlexibleSpec::Stiffening::none
                                                             : FlexibleSpec::Stiffening::geometric;
    part.beta = 0.004;
    Body body;
    body.name = name(i);
    body.position = {i * l, 0, 0};
    body.points = {{"A", Vec3::Zero()}, {"B", Vec3(l, 0, 0)}};
    body.flexible = part;
    model.bodies.push_back(body);
    model.joints.push_back(element(
        "weld" + std::to_string(i), "fixed",
        {{"a", i == 0 ? point("ground", "O") : point(name(i - 1), "B")}, {"b", point(name(i), "A")}}));
  }
  const double angle = options.number("angle") * std::numbers::pi / 180, load = options.number("force");
  const PointRef tip = point(name(count - 1), "B");
  model.forces = {
      element("load", "point-force",
              {{"at", tip},
               {"force", std::vector<TimeFunction>{TimeFunction(0.0), grown(load * std::sin(angle)),
                                                   grown(load * std::cos(angle))}}})};
  add_point_outputs(model, "tip", tip);
  model.simulate.t_end = 4;
  return model;
}

}  // namespace
}  // namespace princeton_beam

extern const ProblemRecord princeton_beam_problem;
const ProblemRecord princeton_beam_problem = {
    .name = "princeton-beam",
    .summary =
        "slender cantilever bent and twisted by a tip force: a chain of floating frames, statics by damping",
    .reference = "Dowell & Traybar 1975; rod model by shooting",
    .t_end = 4,
    .formulation = "index3",
    .integrator = "generalized-alpha",
    .stabilization = {},
    .step = 0.005,
    .options = {{.name = "bodies",
                 .kind = OptionKind::integer,
                 .default_value = "4",
                 .min = 1,
                 .max = 100,
                 .help = "bodies of one element in the chain"},
                {.name = "stiffening",
                 .kind = OptionKind::choice,
                 .default_value = "none",
                 .choices = {"none", "geometric"},
                 .help = "of each body; geometric comes nearer to the rod"},
                {.name = "force",
                 .kind = OptionKind::number,
                 .default_value = "13.345",
                 .min = 0,
                 .max = 100,
                 .help = "at the tip, N"},
                {.name = "angle",
                 .kind = OptionKind::number,
                 .default_value = "45",
                 .min = -360,
                 .max = 360,
                 .help = "of the force from the z axis towards y, degrees"}},
    .values = {{4, "tip_x", 0.508 - 0.03035690478, 2e-3},
               {4, "tip_y", 0.1565768802, 2e-3},
               {4, "tip_z", 0.01533552397, 2e-3}},
    .mechanism = princeton_beam::make_princeton,
    .difficulty =
        "large rotations in space with torsion; the values are those of the rod, which four bodies miss by "
        "1.6 mm",
    .inferred = "masses per length, and damping by which the beam comes to rest: neither counts there",
};

}  // namespace driftless
