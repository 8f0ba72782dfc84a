// Systems with flexible bodies: what results keep of them besides coordinates and poses.
#pragma once

#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// Where a flexible body stands in results.
struct FlexibleColumns {
  std::string body;
  int q = 0, v = 0, size = 0;  // its elastic coordinates: first of them, and how many
  std::vector<int> nodes;      // of its mesh, among the poses
  int elements = 0;            // with strains; 0: not known
  bool has_stress = false;
};

// How fast one vibrates in its frame, rad/s; 0: not known.
struct FlexibleVibrations {
  std::string body;
  double lowest = 0, highest = 0;
};

class Strained {
 public:
  virtual ~Strained() = default;
  virtual std::vector<FlexibleVibrations> vibrations() const = 0;
  virtual std::vector<FlexibleColumns> flexible_columns() const = 0;
  // Of body after body: the axial strain in the middle of every element, then, where there are stresses, the largest |σ| at
  // the Gauss points of every element. After position(t, q).
  virtual void observe_strains(ConstVec q, Terms& terms, VecRef out) const = 0;
};

}  // namespace driftless
