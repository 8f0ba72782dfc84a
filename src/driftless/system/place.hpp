// Where a mechanism stands, and what that does to its coordinates: far from the origin their last digit is coarse.
#pragma once

#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

class Place {
 public:
  explicit Place(const DescriptorSystem& system);

  // Largest coordinate of a body, in characteristic lengths; 0 without bodies.
  double farthest(double t, ConstVec q);
  // What |g| cannot be brought below there, with some room: ε |x|, a hundred times, x of a body or one of q.
  double round_off(double t, ConstVec q);

 private:
  const DescriptorSystem& system_;
  std::vector<Pose> poses_;
};

}  // namespace driftless
