#include "driftless/coordinates/planar_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/coordinates/probes.hpp"

namespace driftless {

PlanarMechanism::PlanarMechanism(Layout layout,
                                 PlanarParts&& parts,
                                 std::unique_ptr<ReactionRecovery> reactions)
    : ObservableSystem(std::move(layout)), parts_(std::move(parts)), reactions_(std::move(reactions)) {
  for_each_element(parts_.forces, [&](const auto& force) { exchanges_energy_ |= !force.conservative(); });
  for_each_element(parts_.blocks, [&](const auto& placed) {
    placed.block.functions([&](const TimeFunction& f) { exchanges_energy_ |= !f.is_constant(); });
  });
}

Layout PlanarMechanism::row_layout(const PlanarParts& parts) {
  Layout layout;
  layout.m = static_cast<int>(parts.row_names.size());
  layout.mh = parts.holonomic;
  layout.length = parts.length;
  layout.mass = std::accumulate(parts.masses.begin(), parts.masses.end(), 0.0);
  layout.row_names = parts.row_names;
  layout.row_units.assign(size_t(layout.mh), "m");
  layout.row_units.resize(size_t(layout.m), "m/s");
  return layout;
}

std::optional<double> PlanarMechanism::potential_energy(double t, ConstVec, Terms& terms) const {
  const PlanarView view = static_cast<PlanarScratch&>(*terms.scratch).view(t);
  double energy = 0;
  for (size_t i = 0; i < parts_.masses.size(); ++i)
    energy -= parts_.masses[i] *
              (parts_.gravity.x() * view.frames[i].r.x + parts_.gravity.y() * view.frames[i].r.y);
  for_each_element(parts_.forces, [&](const auto& element) { energy += element.potential(view); });
  return energy;
}

double PlanarMechanism::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  const PlanarView view = static_cast<PlanarScratch&>(*terms.scratch).view(t);
  double power = 0;
  for_each_element(parts_.forces, [&](const auto& element) { power += element.power(view); });
  return power;
}

void PlanarMechanism::observe_poses(ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const auto& scratch = static_cast<const PlanarScratch&>(*terms.scratch);
  out.resize(parts_.body_names.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const auto& frame = scratch.frames[i];
    out[i].position = Vec3(frame.r.x, frame.r.y, 0);
    out[i].quaternion = Eigen::Vector4d(std::cos(frame.theta / 2), 0, 0, std::sin(frame.theta / 2));
  }
}

std::vector<std::string> PlanarMechanism::quantity_names() const {
  std::vector<std::string> names;
  for (const auto& channel : parts_.channels) names.push_back(channel.name);
  return names;
}

std::vector<std::string> PlanarMechanism::quantity_units() const {
  std::vector<std::string> units;
  for (const auto& channel : parts_.channels) units.push_back(channel.unit);
  return units;
}

void PlanarMechanism::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  auto& scratch = static_cast<PlanarScratch&>(*terms.scratch);
  move(v, scratch);
  measure_channels(parts_.channels, scratch.view(t), *this, q, v, reaction, terms, scratch.reactions, out);
}

std::vector<std::string> PlanarMechanism::joint_names() const {
  if (reactions_) return reactions_->joint_names();
  std::vector<std::string> names;
  for (const auto& joint : parts_.joints) names.push_back(joint.name);
  return names;
}

void PlanarMechanism::observe_reactions(
    double t, ConstVec, ConstVec v, const Reaction&, Terms& terms, std::vector<JointReaction>& out) const {
  out.clear();
  if (!reactions_) return;
  auto& scratch = static_cast<PlanarScratch&>(*terms.scratch);
  move(v, scratch);
  if (!scratch.recovery) scratch.recovery = reactions_->make_work();
  State& state = scratch.recovery->at;
  state.t = t;
  for (size_t i = 0; i < parts_.masses.size(); ++i) {
    const auto& frame = scratch.frames[i];
    const auto& velocity = scratch.velocities[i];
    const auto at = 3 * static_cast<Eigen::Index>(i);
    state.q.segment<3>(at) = Vec3(frame.r.x, frame.r.y, frame.theta);
    state.v.segment<3>(at) = Vec3(velocity.r.x, velocity.r.y, velocity.omega);
  }
  reactions_->reactions(*scratch.recovery, out);
}

std::vector<double> PlanarMechanism::break_times(double t0, double t1) const {
  std::vector<double> times;
  const auto collect = [&](const auto& f) {
    const auto own = f.break_times(t0, t1);
    times.insert(times.end(), own.begin(), own.end());
  };
  for_each_element(parts_.forces, [&](const auto& element) { element.functions(collect); });
  for_each_element(parts_.blocks, [&](const auto& placed) { placed.block.functions(collect); });
  return merged_times(std::move(times));
}

std::vector<Probe> PlanarMechanism::probes() const {
  std::vector<Probe> out;
  add_force_probes(parts_.forces, out);
  for_each_element(parts_.blocks, [&](const auto& placed) {
    placed.block.functions([&](const TimeFunction& f) { add_probe(f, Shown::acceleration, out); });
  });
  return out;
}

void PlanarMechanism::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  auto& scratch = static_cast<PlanarScratch&>(*terms.scratch);
  place(q, scratch);
  measure_places(parts_.forces, scratch.view(0), x);
}

}  // namespace driftless
