// What is allowed in a model and is hardly ever meant: `driftless check` says so, a run does not care.
//   a body that no joint, driver or force takes hold of, in a mechanism where others are held
//   what types of joints look for themselves: pitch radii of a gear pair that its pins do not fit (joints/gears/gear.cpp)
//   a driver whose prescribed value jumps: no motion follows it
//   a point of a flexible body more than two heights of its section off its axis
#pragma once

#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// One sentence for each; of a valid model, over the times 0 to t_end.
std::vector<std::string> doubts_about(const Model& model, double t_end);

}  // namespace driftless
