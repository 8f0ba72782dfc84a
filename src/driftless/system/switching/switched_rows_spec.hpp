// Rows that come and go, as elements of a model ask for them: what decides, and with which figures. Rows are known by their
// names until they are numbered. Plain values; switched_rows.hpp gives them their life.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/math/complementarity.hpp"

namespace driftless {

// g ≥ 0: a side of a stop, a contact. Open, or closed: rigid with an impact (a row in force), compliant with a spring on −g.
struct UnilateralSpec {
  std::string element;  // "pin", the joint or contact
  std::string kind;     // "stop", "contact"
  std::string what;     // "min": which of several; may be empty
  std::string row;      // its name
  double restitution = 0;
  ImpactLaw law = ImpactLaw::newton;
  double stiffness = 0;  // 0: rigid                                        of the row: N/m
};

// Dry friction along a row: stick (the row in force, held where it is), slip in either direction.
// Limit of the force along the row: given, or coefficient times a force that presses.
struct FrictionSpec {
  std::string element;
  std::string kind;               // "friction", "clutch", "contact"
  std::string row, row_2 = {};    // row_2: the other direction along a plane in space
  bool given = true;              // limits are functions of time; else coefficients
  TimeFunction kinetic, resting;  // limits; times `factor` they are forces of the row
  double coefficient = 0, resting_coefficient = 0;
  double factor = 1;        // 1/L for torques, rows of angles being L θ; with coefficients: radius/L
  std::string normal = {};  // row of the contact that presses; empty: the force of joint `element` does
  bool across = false;      // only what acts across the axis of sliding counts: the force of a slider
};

struct SwitchedSpecs {
  std::vector<UnilateralSpec> unilaterals;
  std::vector<FrictionSpec> frictions;
  bool empty() const { return unilaterals.empty() && frictions.empty(); }
};

}  // namespace driftless
