// Rows that come and go, as elements of a model ask for them: what decides, and with which figures. Rows are known by their
// names until they are numbered. Plain values; switched_rows.hpp gives them their life.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/math/contact/complementarity.hpp"

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
  double period = 0;        // the row is known but for multiples of this; 0: it is known
  bool across = false;      // only what acts across the axis of sliding counts: the force of a slider
};

// A joint or driver that comes and goes as a whole.
struct JointSpec {
  std::string joint;
  int first_block = 0, end_block = 0;  // of the expansion, in the order they were added
  bool starts_on = false;
};

// What makes it come or go: a signal that passes a level.
struct TriggerSpec {
  enum class When { time, output, reaction };
  std::string name, joint;
  bool on = false;
  bool hold = false;  // coming on: at the offset it has then
  When when = When::time;
  double level = 0;
  int direction = 0;     // 1: upwards only, −1: downwards only
  std::string of;        // the output; the joint whose reaction it is
  int component = -1;    // of the reaction: fx, fy, fz, tx, ty, tz; −1: magnitude of the force
  bool of_state = true;  // the signal is known from places and velocities
};

struct SwitchedSpecs {
  std::vector<UnilateralSpec> unilaterals;
  std::vector<FrictionSpec> frictions;
  std::vector<JointSpec> joints;
  std::vector<TriggerSpec> triggers;
  bool empty() const { return unilaterals.empty() && frictions.empty() && joints.empty(); }
};

}  // namespace driftless
