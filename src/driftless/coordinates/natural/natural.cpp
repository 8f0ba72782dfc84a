// Natural coordinates: points and unit vectors, shared between bodies; see natural_basis.hpp and natural_system.hpp.
//   García de Jalón & Bayo, Kinematic and Dynamic Simulation of Multibody Systems, 1994, chapters 2 and 4
#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/flexible/compile_flexible.hpp"
#include "driftless/coordinates/natural/natural_system.hpp"
#include "driftless/core/complaints.hpp"

namespace driftless {
namespace {

// Places of point masses, places and slopes of the nodes of cables: these are natural coordinates already, M is constant, and rows of points
// on axes are linear in them. They are not shared with rigid bodies.
CompiledModel compile_natural_flexible(const Model& model, const std::string& source) {
  refuse_floating(model, "natural", source);
  for (const Body& body : model.bodies)
    if (body.is_rigid())
      throw InputError(
          source,
          Complaint{
              "`coordinates`",
              model.space == Space::planar ? "'reference-point' or 'relative'"
                                           : "'reference-point', 'euler-parameters' or 'relative'",
              fmt::format("'natural' for a model with the rigid body '{}' beside cables or point masses",
                          body.name),
              "natural coordinates take rigid bodies, or cables and point masses, not both"});
  return model.space == Space::planar ? compile_flexible<PlaneAngle>(model, source)
                                      : compile_flexible<BodyRates>(model, source);
}

CompiledModel compile_in_space(const Model& model, const std::string& source, const Options&) {
  if (!model.all_rigid()) return compile_natural_flexible(model, source);
  return model.space == Space::planar ? compile_natural<2>(model, source) : compile_natural<3>(model, source);
}

}  // namespace

void check_natural_size(const Layout& layout, const std::string& source) {
  if (layout.nv == 0)
    throw InputError(source, Complaint{"joints", "a body that moves", "every body fixed to the ground",
                                       "natural coordinates have nothing to say here; use reference-point"});
}

template <int D>
void check_natural_start(const NaturalMap<D>& map,
                         ConstVec q,
                         const std::vector<NaturalFrame<D>>& frames,
                         const std::vector<std::string>& body_names,
                         const std::string& source) {
  NaturalWork<D> work = map.make_work();
  map.place(q, work);
  for (int body = 0; body < map.bodies(); ++body) {
    const auto* x = work.x.data() + map.center(body);
    const NaturalFrame<D>& frame = frames[size_t(body)];
    double off = (x[0] - frame.center).norm() / map.layout().length;
    for (int k = 0; k < map.kAxes; ++k) off = std::max(off, (x[1 + k] - frame.axes.col(k)).norm());
    if (off <= 1e-6) continue;  // far above round-off of assembly, far below an axis turned round
    throw InputError(
        source,
        Complaint{
            path_below("bodies", size_t(body)),
            "an initial position from which joints close without turning an axis round",
            fmt::format("body '{}', which has to turn over to close its joints", body_names[size_t(body)]),
            "natural coordinates share axes as the file draws them: start from a better position"});
  }
}
template void check_natural_start(const NaturalMap<2>&,
                                  ConstVec,
                                  const std::vector<NaturalFrame<2>>&,
                                  const std::vector<std::string>&,
                                  const std::string&);
template void check_natural_start(const NaturalMap<3>&,
                                  ConstVec,
                                  const std::vector<NaturalFrame<3>>&,
                                  const std::vector<std::string>&,
                                  const std::string&);

extern const CoordinatesRecord natural_coordinates;
const CoordinatesRecord natural_coordinates = {
    {"natural",
     "points and unit vectors, shared by the bodies a joint connects; constant mass matrix, v = dq/dt",
     "Garcia de Jalon & Bayo 1994, ch. 2 and 4",
     {}},
    &compile_in_space};

}  // namespace driftless
