// A capability of systems whose q holds components of vectors that turn with bodies, and rows that keep their lengths: unit
// vectors, quaternions whose rates are v. Schemes shrink such q and v alike; whoever puts q back on the rows takes v along
// (stabilization/projector.hpp).
#pragma once

namespace driftless {

class TurningVectors {
 public:
  virtual ~TurningVectors() = default;
  virtual bool has_turning_vectors() const { return true; }
};

}  // namespace driftless
