// What a driver or a contact needs along its one coordinate s: the effort E with the power E ṡ, from the multiplier of its row
//   g = c (s − f):   E = −c λ                                                                                             (1)
// positive where it drives s up (a torque on the second body, a cylinder or a contact that pushes its ends apart).
#pragma once

#include <optional>
#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

struct Effort {
  std::string name, unit;  // "torque" and "N m", "force" and "N", "normal" and "N"
  std::string row;         // "motor.angle"
  bool of_angle = false;   // then c is the characteristic length, else 1
};

// Nothing: it has several rows, or is a joint.
std::optional<Effort> effort_of(const Element& element, const Model& model);

}  // namespace driftless
