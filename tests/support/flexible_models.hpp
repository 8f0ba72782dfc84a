// Flexible bodies in tests.
#pragma once

#include <functional>

#include "driftless/model/model.hpp"
#include "driftless/problems/mechanism.hpp"

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

}  // namespace driftless::testing
