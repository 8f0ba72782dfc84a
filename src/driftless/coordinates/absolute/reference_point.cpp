// Reference-point coordinates: the centre of mass of every body and its attitude, θ in the plane and a quaternion, moved by
// body rates, in space; see absolute_system.hpp.
//   García de Jalón & Bayo, section 2.1.2; Haug, Computer Aided Kinematics and Dynamics, ch. 3
#include <algorithm>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/flexible/compile_flexible.hpp"

namespace driftless {

template <int D>
CompiledModel compile_reference(const Model& model, const std::string& source) {
  using System = ReferencePoint<D>;
  NotRowsOf<D> left_out;
  if constexpr (D == 2) left_out = kAnglesAreCoordinates;
  const PrescribedStart wanted = prescribed_start<D>(model, source);
  CompiledModel compiled;
  auto system = std::make_unique<System>(expand_model<D>(model, source, left_out));
  compiled.guess = system->start();
  if (!wanted.values.empty())
    compiled.position_start = std::make_unique<System>(expand<D>(model, wanted.values, left_out));
  if (!wanted.rates.empty())
    compiled.velocity_start = std::make_unique<System>(expand<D>(model, wanted.rates, left_out));
  compiled.system = std::move(system);
  const auto& names = compiled.system->layout().q_names;
  for (const auto& name : model.initial.hold)  // in space rows hold bodies
    if (const auto found = std::find(names.begin(), names.end(), name); D == 2 && found != names.end())
      compiled.held.push_back(static_cast<int>(found - names.begin()));
  return compiled;
}
template CompiledModel compile_reference<2>(const Model&, const std::string&);
template CompiledModel compile_reference<3>(const Model&, const std::string&);

template <int D>
void read_bodies(const State& state,
                 std::vector<FrameOf<double, D>>& frames,
                 std::vector<TwistOf<double, D>>& twists) {
  using Attitude = std::conditional_t<D == 2, PlaneAngle, BodyRates>;
  constexpr size_t kQ = D + Attitude::positions, kV = D + Attitude::width;
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    const double *q = state.q.data() + kQ * i, *v = state.v.data() + kV * i;
    Attitude::place(q, frames[i]);
    twists[i] = {Eigen::Map<const VecOf<double, D>>(v), Attitude::omega(frames[i], q + D, v + D)};
  }
}
template void read_bodies<2>(const State&,
                             std::vector<FrameOf<double, 2>>&,
                             std::vector<TwistOf<double, 2>>&);
template void read_bodies<3>(const State&,
                             std::vector<FrameOf<double, 3>>&,
                             std::vector<TwistOf<double, 3>>&);

template <int D>
void write_body(size_t body, const FrameOf<double, D>& frame, const TwistOf<double, D>& twist, State& state) {
  using Attitude = std::conditional_t<D == 2, PlaneAngle, BodyRates>;
  double *q = state.q.data() + (D + Attitude::positions) * body,
         *v = state.v.data() + (D + Attitude::width) * body;
  Eigen::Map<VecOf<double, D>>{q} = frame.r;
  Eigen::Map<VecOf<double, D>>{v} = twist.r;
  Attitude::start(frame, twist.omega, q + D, v + D);
}
template void write_body<2>(size_t, const FrameOf<double, 2>&, const TwistOf<double, 2>&, State&);
template void write_body<3>(size_t, const FrameOf<double, 3>&, const TwistOf<double, 3>&, State&);

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
