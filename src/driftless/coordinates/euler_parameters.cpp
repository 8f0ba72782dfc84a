// Euler parameters: r and a quaternion for every spatial body, v = q̇, one normalisation row a body; see
// absolute_system.hpp (2), (5). A vector space, so that methods which need one work on spatial models.
//   Haug, Computer Aided Kinematics and Dynamics, ch. 9, 11; Negrut, Haug & German 2003
#include "driftless/coordinates/absolute_system.hpp"

namespace driftless {
namespace {

CompiledModel compile_euler_parameters(const Model& model, const std::string& source, const Options&) {
  if (model.space != Space::spatial)
    throw InputError(
        source, Complaint{"--coordinates", "'reference-point', 'natural' or 'relative' for a planar model",
                          "'euler-parameters'", "a planar body turns by an angle"});
  return compile_absolute<QuaternionRates>(model, source);
}

}  // namespace

extern const CoordinatesRecord euler_parameters_coordinates;
const CoordinatesRecord euler_parameters_coordinates = {
    {"euler-parameters",
     "spatial: centre of mass and quaternion of every body, v = dq/dt, one normalisation row a body",
     "Haug 1989, ch. 9 and 11; Negrut, Haug & German 2003",
     {}},
    &compile_euler_parameters};

}  // namespace driftless
