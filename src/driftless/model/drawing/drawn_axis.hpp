// How a flexible body is drawn: by lines through places of its axis.
#pragma once

#include <vector>

#include "driftless/model/flexible_spec.hpp"

namespace driftless {

// Places whose motion draws the body, and lines through them; results have a pose for each, called "BODY.p0" and so on.
struct DrawnAxis {
  std::vector<AxisPlace> places;
  std::vector<std::vector<int>> lines;
  std::vector<int> elements;  // of the mesh, one a line; of an imported body none
  std::vector<int> nodes;     // which place each node of the mesh is; −1: none
};
DrawnAxis drawn_axis(const FlexibleSpec& spec);

}  // namespace driftless
