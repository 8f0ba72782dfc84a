// What is allowed in a model and is hardly ever meant: `driftless check` says so, a run does not care.
//   a body that no joint, driver or force takes hold of, in a mechanism where others are held
//   pitch radii of a gear pair against the distance of its pins on the carrier:
//     ρ_a + ρ_b = d outside, |ρ_a − ρ_b| = d inside, to 1e-3 d; where both pins are known and the axes are parallel    (1)
//   a driver whose prescribed value jumps: no motion follows it
#pragma once

#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// One sentence for each; of a valid model, over the times 0 to t_end.
std::vector<std::string> doubts_about(const Model& model, double t_end);

}  // namespace driftless
