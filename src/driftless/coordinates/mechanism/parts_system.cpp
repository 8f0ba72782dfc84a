#include "driftless/coordinates/mechanism/parts_system.hpp"

#include <utility>

namespace driftless {

template <int D>
PartsSystem<D>::PartsSystem(Layout layout, Parts<D> parts, bool counts_turns)
    : ObservableSystem(std::move(layout)),
      parts_(std::move(parts)),
      exchanges_energy_(parts_.exchanges_energy()),
      needs_accelerations_(parts_.needs_accelerations()),
      counts_turns_(counts_turns) {}

template <int D>
const WorkOf<D>& PartsSystem<D>::watch(double, ConstVec q, ConstVec v, Terms& terms) const {
  place_bodies(q, terms);
  move_bodies(q, v, terms);
  return bodies_in(terms);
}

template <int D>
std::optional<double> PartsSystem<D>::potential_energy(double t, ConstVec, Terms& terms) const {
  return parts_.potential(t, bodies_in(terms));
}

template <int D>
double PartsSystem<D>::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  return parts_.power(t, bodies_in(terms));
}

template <int D>
void PartsSystem<D>::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  move_bodies(q, v, terms);
  if (needs_accelerations_) accelerate_bodies(q, v, reaction.vdot, terms);
  parts_.measure(*this, t, q, v, reaction, terms, bodies_in(terms), out);
}

template <int D>
std::vector<int> PartsSystem<D>::wrapped_quantities() const {
  return counts_turns_ ? std::vector<int>() : wrapped_channels(parts_.channels);
}

template <int D>
void PartsSystem<D>::wrapped_values(
    double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const {
  if (counts_turns_) return;
  move_bodies(q, v, terms);
  measure_wrapped(parts_.channels, bodies_in(terms).motion(t), value, rate);
}

template <int D>
void PartsSystem<D>::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  place_bodies(q, terms);
  parts_.probe_places(bodies_in(terms), x);
}

template class PartsSystem<2>;
template class PartsSystem<3>;

}  // namespace driftless
