// Mass, centre of mass and inertia of bodies from their shapes and densities, exact for every kind of shape.
//   solid of density ρ:   m = ρ ∫dV,   c = ρ/m ∫x dV,   I = ρ ∫((x·x) 1 − x xᵀ) dV about c                              (1)
// Closed meshes: by tetrahedra (0, a, b, c) over its triangles, signed volume w = a·(b × c)/6,
//   ∫dV = Σ w,   ∫x dV = Σ w (a + b + c)/4,   ∫x xᵀ dV = Σ w/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ),  s = a + b + c                  (2)
// taken from a corner of the mesh, so that a mesh far away loses no digits. A mesh is closed and well wound if every edge
// is passed once each way.
#pragma once

#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct MassProperties {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass
};

// Of one shape with a density; `points`: those its places may name. std::invalid_argument, with what is wrong, for shapes that
// enclose no volume.
MassProperties mass_properties(const Shape& shape, const std::vector<NamedPoint>& points);

// Several as one rigid body: masses add, inertias by Steiner's rule.
MassProperties combined(const std::vector<MassProperties>& parts);

}  // namespace driftless
