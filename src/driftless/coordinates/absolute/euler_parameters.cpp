// Euler parameters: r and a quaternion for every spatial body, v = q̇, one normalisation row a body; see
// absolute_system.hpp (2), (5). A vector space, so that methods which need one work on spatial models.
//   Haug, Computer Aided Kinematics and Dynamics, ch. 9, 11; Negrut, Haug & German 2003
#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/flexible/compile_flexible.hpp"

namespace driftless {
namespace {

CompiledModel compile_euler_parameters(const Model& model, const std::string& source, const Options&) {
  if (model.space != Space::spatial)
    throw InputError(
        source, Complaint{"`coordinates`", "'reference-point', 'natural' or 'relative' for a planar model",
                          "'euler-parameters'", "a planar body turns by an angle"});
  if (!model.all_rigid()) return compile_flexible<QuaternionRates>(model, source);
  CompiledModel compiled;
  auto system = std::make_unique<AbsoluteSystem<QuaternionRates>>(expand_spatial_model(model, source));
  compiled.guess = system->start();
  compiled.system = std::move(system);
  // One start for all coordinates: assembled in reference-point ones, p the same, ṗ = ½ Lᵀ ω.
  compiled.reference = std::make_unique<CompiledModel>(compile_spatial_reference(model, source));
  const auto bodies = static_cast<Eigen::Index>(model.bodies.size());
  compiled.from_reference = [bodies](const State& reference) {
    State state{reference.t, reference.q, Vec(reference.v.size() + bodies)};
    for (Eigen::Index i = 0; i < bodies; ++i) {
      const Quat p = reference.q.segment<4>(7 * i + 3);
      state.v.segment<3>(7 * i) = reference.v.segment<3>(6 * i);
      state.v.segment<4>(7 * i + 3) = QuaternionRates::rate_of(p, reference.v.segment<3>(6 * i + 3));
    }
    const Eigen::Index scalars = reference.v.size() - 6 * bodies;
    state.v.tail(scalars) = reference.v.tail(scalars);
    return state;
  };
  return compiled;
}

}  // namespace

extern const CoordinatesRecord euler_parameters_coordinates;
const CoordinatesRecord euler_parameters_coordinates = {
    {"euler-parameters",
     "spatial: centre of mass and quaternion of every body, v = dq/dt, one normalisation row a body",
     "Haug 1989, ch. 9 and 11; Negrut, Haug & German 2003",
     {}},
    &compile_euler_parameters,
    true};

}  // namespace driftless
