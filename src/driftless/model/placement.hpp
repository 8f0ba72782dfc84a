// A model as part of another one: under a prefix, at another place, turned. With the place p and the rotation R of the part
//   points of the world    x → p + R x        directions of the world    u → R u                                       (1)
//   planar angles of a body against ground    θ → θ + φ,  R = Rz(φ)                                                    (2)
// What is fixed to bodies of the part moves with them and keeps its numbers. Names that the part defines get the prefix;
// others are those of the model around it, and its numbers for them are left as they are. Gravity, run settings and stop
// conditions are matters of the whole.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/errors.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

struct Placement {
  std::string prefix;
  Vec3 position = Vec3::Zero();             // p
  double angle = 0;                         // φ, planar
  Eigen::Vector4d orientation{1, 0, 0, 0};  // R, spatial: unit quaternion w, x, y, z

  bool turns() const { return angle != 0 || orientation != Eigen::Vector4d(1, 0, 0, 0); }
};

// Adds the part behind what `whole` has. Complaints, by paths in the part: what cannot be turned ((2) of a function of time).
std::vector<Complaint> add_part(Model& whole,
                                Model part,
                                const Placement& placement,
                                const Catalogue& catalogue);

}  // namespace driftless
