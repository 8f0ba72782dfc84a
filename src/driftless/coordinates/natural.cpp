// Natural coordinates: points and unit vectors, shared between bodies; see natural_basis.hpp and natural_system.hpp.
//   García de Jalón & Bayo, Kinematic and Dynamic Simulation of Multibody Systems, 1994, chapters 2 and 4
#include <fmt/format.h>

#include "driftless/coordinates/natural_system.hpp"

namespace driftless {
namespace {

CompiledModel compile_natural(const Model& model, const std::string& source) {
  return model.space == Space::planar ? compile_natural_planar(model, source)
                                      : compile_natural_spatial(model, source);
}

}  // namespace

void check_natural_size(const Layout& layout, const std::string& source) {
  if (layout.nv == 0)
    throw InputError(source, Complaint{"joints", "a body that moves", "every body fixed to the ground",
                                       "natural coordinates have nothing to say here; use reference-point"});
  if (layout.m > layout.nv)
    throw InputError(
        source, Complaint{"joints",
                          fmt::format("at most {} constraint rows on {} coordinates", layout.nv, layout.nv),
                          fmt::format("{} rows", layout.m),
                          "remove joints or drivers that say the same thing twice"});
}

extern const CoordinatesRecord natural_coordinates;
const CoordinatesRecord natural_coordinates = {
    {"natural",
     "points and unit vectors, shared by the bodies a joint connects; constant mass matrix, v = dq/dt",
     "Garcia de Jalon & Bayo 1994, ch. 2 and 4",
     {}},
    &compile_natural};

}  // namespace driftless
