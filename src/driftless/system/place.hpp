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
  // Whether |g| cannot be brought below `error` there: up to 100 ε |x|, x of a body or one of q, and 1e-6 characteristic
  // lengths. May allocate, but only where the error is as small as that and stays.
  bool explains(double error, double t, ConstVec q);

 private:
  const DescriptorSystem& system_;
  std::vector<Pose> poses_;
};

}  // namespace driftless
