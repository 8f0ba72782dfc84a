// `equations`: what a system written down by its equations reports as its coordinates. Models cannot choose it.
#include "driftless/coordinates/coordinates.hpp"

namespace driftless {

extern const CoordinatesRecord equations_coordinates;
const CoordinatesRecord equations_coordinates = {
    {"equations",
     "whatever the equations use: user-supplied systems and equation-level problems",
     "docs/user-systems.md",
     {}},
    nullptr};

}  // namespace driftless
