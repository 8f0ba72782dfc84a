// The mode of a system that switches: which branch of every switch is in force. It belongs to one run, which alone changes it,
// between steps; terms refer to it (Terms::mode), so that a switch reaches every holder of terms at once. Its vectors never
// change their sizes.
#pragma once

#include <vector>

namespace driftless {

struct Mode {
  std::vector<int> values;   // one a switch, in the order of Switching::switches()
  std::vector<double> held;  // reals a mode needs: where something sticks, the offset a joint is held at
  std::vector<int>
      inactive;    // rows that are not in force, ascending: the system writes zeros for their g, J, ν, γ
  long count = 0;  // how often it has changed: what was derived from a mode is stale when this differs
  double settle_below = 0;  // for one transition: rebounds that rise less than this come to rest
};

}  // namespace driftless
