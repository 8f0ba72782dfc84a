// Flexible bodies in tests.
#pragma once

#include <map>
#include <string>

#include "driftless/model/model.hpp"
#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/simulate.hpp"

namespace driftless::testing {

// A straight mesh along x, by stiffnesses and masses per length.
inline FlexibleSpec straight_mesh(double length, int elements, const BeamSection& section) {
  FlexibleSpec spec;
  for (int i = 0; i <= elements; ++i) spec.nodes.push_back(Vec3(length * i / elements, 0, 0));
  for (int i = 0; i < elements; ++i) spec.elements.emplace_back(i, i + 1);
  spec.sections = {section};
  return spec;
}

inline BeamSection given_section(double EA, double EI, double rhoA) {
  BeamSection section;
  section.EA = EA;
  section.EIy = section.EIz = EI;
  section.rhoA = rhoA;
  return section;
}

inline Body flexible_body(const std::string& name, const FlexibleSpec& spec) {
  Body body;
  body.name = name;
  body.flexible = spec;
  body.points = {{"A", spec.nodes.front()}, {"B", spec.nodes.back()}};
  return body;
}

inline Model flexible_problem(const std::string& name, const std::map<std::string, std::string>& options) {
  const ProblemRecord& record = *find_problem(name);
  return record.mechanism(Options("problem " + name, record.options, options));
}

// Figures only, as sharp as explicit methods get.
inline Setup finest(double t_end) {
  Setup setup;
  setup.t_end = t_end;
  setup.record = false;
  setup.integrator = "dop853";
  setup.rtol = 1e-11;
  setup.max_steps = 10000000;
  return setup;
}

// Two elements, clamped-free; free flight or a spherical joint at the frame.
inline Model spatial_beam(const std::string& variant) {
  Model model;
  model.name = variant;
  model.space = Space::spatial;
  BeamSection section;
  section.EA = 400;
  section.EIy = 2;
  section.EIz = 3;
  section.GJ = 1.5;
  section.rhoA = 0.7;
  section.rhoIy = 0.004;
  section.rhoIz = 0.006;
  FlexibleSpec spec = straight_mesh(1, 2, section);
  spec.rotary_inertia = !variant.ends_with("no_rotary");
  spec.stiffening =
      variant.ends_with("stiffening") ? FlexibleSpec::Stiffening::geometric : FlexibleSpec::Stiffening::none;
  Body body = flexible_body("beam", spec);
  model.ground_points = {{"O", Vec3::Zero()}};
  if (variant.starts_with("free")) {
    body.velocity = {1, -0.5, 0.3};
    body.spin = {2, -3, 4};
  } else {
    model.gravity = {0, 0, -9.81};
    body.spin = {0, 1, 6};
    model.joints = {element("ball", "spherical", {{"a", point("ground", "O")}, {"b", point("beam", "A")}})};
  }
  model.bodies = {body};
  add_point_outputs(model, "tip", point("beam", "B"));
  return model;
}

}  // namespace driftless::testing
