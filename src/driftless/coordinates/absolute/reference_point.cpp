// Reference-point coordinates: the centre of mass of every body and its attitude, θ in the plane and a quaternion, moved by
// body rates, in space; see absolute_system.hpp.
//   García de Jalón & Bayo, section 2.1.2; Haug, Computer Aided Kinematics and Dynamics, ch. 3
#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/flexible/compile_flexible.hpp"

namespace driftless {
namespace {

CompiledModel compile_reference_point(const Model& model, const std::string& source, const Options&) {
  if (!model.all_rigid())
    return model.space == Space::planar ? compile_flexible<PlaneAngle>(model, source)
                                        : compile_flexible<BodyRates>(model, source);
  return model.space == Space::planar ? compile_reference<2>(model, source)
                                      : compile_reference<3>(model, source);
}

}  // namespace

extern const CoordinatesRecord reference_point_coordinates;
const CoordinatesRecord reference_point_coordinates = {
    {"reference-point",
     "planar (x, y, theta) of every body's centre of mass; constant diagonal mass matrix",
     "Garcia de Jalon & Bayo 1994, section 2.1.2",
     {}},
    &compile_reference_point,
    true};

}  // namespace driftless
