// Elastica: a cantilever bent by a dead force P across its tip, α = PL²/EI, or by a moment that rolls it up. A damped run: the
// load is there from the start, and air resistance at the nodes (dampers to the ground) brings the cable to rest.
// Reference: elliptic integrals; a moment bends the cable to a circle of radius EI/M.
#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace elastica {
namespace {

Model make_elastica(const Options& options) {
  Model model;
  model.name = "elastica";
  model.description = "cantilever bent far by a force or a moment at its tip";
  model.ground_points = {{"O", Vec3::Zero()}};
  FlexibleSpec cable;
  cable.type = FlexibleSpec::Type::cable;
  cable.stiffening = FlexibleSpec::Stiffening::none;
  const int count = options.integer("elements");
  for (int i = 0; i <= count; ++i) cable.nodes.push_back(Vec3(double(i) / count, 0, 0));
  for (int i = 0; i < count; ++i) cable.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.EA = options.number("slenderness");
  section.EIz = section.EIy = 1;
  section.rhoA = 1;
  cable.sections = {section};
  Body body;
  body.name = "cable";
  for (int i = 1; i <= count; ++i)
    body.points.push_back({fmt::format("n{}", i), Vec3(double(i) / count, 0, 0)});
  body.points.push_back({"root", Vec3::Zero()});
  body.flexible = cable;
  model.bodies = {body};
  model.joints = {element("clamp", "fixed", {{"a", point("ground", "O")}, {"b", point("cable", "root")}})};
  const std::string tip = fmt::format("n{}", count);
  const double alpha = options.number("alpha");
  if (options.choice("load") == "force") {
    model.forces.push_back(
        element("load", "point-force",
                {{"at", point("cable", tip)},
                 {"force", std::vector<TimeFunction>{TimeFunction(0.0), TimeFunction(alpha)}}}));
  } else {
    model.forces.push_back(element(
        "load", "torque",
        {{"body", std::string("cable")}, {"at", point("cable", tip)}, {"torque", TimeFunction(alpha)}}));
  }
  for (int i = 1; i <= count;
       ++i) {  // both directions: a far anchor along each axis would stiffen, so of the rate alone
    const std::string at = fmt::format("n{}", i);
    model.forces.push_back(element(fmt::format("air_{}", i), "bushing",
                                   {{"a", PointRef{"ground", "", Vec3(double(i) / count, 0, 0), false}},
                                    {"b", point("cable", at)},
                                    {"damping", Vec3(8.0 / count, 8.0 / count, 0)}}));
  }
  add_point_outputs(model, "tip", point("cable", tip));
  model.simulate.t_end = 20;
  return model;
}

}  // namespace
}  // namespace elastica

extern const ProblemRecord elastica_problem;
const ProblemRecord elastica_problem = {
    .name = "elastica",
    .summary = "cantilever cable bent far by a force or moment at its tip, to rest",
    .reference = "elliptic integrals; Gerstmayr & Irschik 2008",
    .t_end = 20,
    .formulation = "index3",
    .integrator = "generalized-alpha",
    .stabilization = {},
    .step = 0.02,
    .options = {{.name = "elements",
                 .kind = OptionKind::integer,
                 .default_value = "8",
                 .min = 1,
                 .max = 1000,
                 .help = "elements of the cable"},
                {.name = "alpha",
                 .kind = OptionKind::number,
                 .default_value = "3",
                 .min = 0,
                 .max = 10,
                 .help = "P L^2/EI, or M L/EI"},
                {.name = "load",
                 .kind = OptionKind::choice,
                 .default_value = "force",
                 .choices = {"force", "moment"},
                 .help = "dead force across the tip, or moment"},
                {.name = "slenderness",
                 .kind = OptionKind::number,
                 .default_value = "1e4",
                 .min = 100,
                 .max = 1e9,
                 .help = "EA L^2/EI"}},
    .mechanism = elastica::make_elastica,
};

}  // namespace driftless
