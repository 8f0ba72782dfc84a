// When to look for another choice of the rows to keep: each time the weakest of those kept has lost a factor 10 since it
// was chosen, or since the last look, which found nothing better. The set is still good then, so that nothing is lost
// while it is in force; near a singular position, where no choice is good, looks are few.
#pragma once

#include <algorithm>

namespace driftless {

class RowWatch {
 public:
  void reset() { best_ = 1; }  // another choice is in force
  // `weakest`: squared sine between a row and those before it (KktSolver::weakest_row).
  bool wants_look(double weakest) {
    const bool look = !(weakest > 0 && weakest >= kWorn * best_);
    best_ = look ? weakest : std::max(best_, weakest);
    return look;
  }

 private:
  static constexpr double kWorn = 0.1;
  double best_ = 1;
};

}  // namespace driftless
