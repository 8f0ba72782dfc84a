#include "driftless/results/recorder.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

std::vector<std::string> with_suffix(const std::vector<std::string>& units, const char* suffix) {
  std::vector<std::string> out;
  for (const auto& unit : units) out.push_back(unit.empty() ? unit : unit + suffix);
  return out;
}

// A force can be no number at one instant that no step looks at: the end of a run, a record.
bool is_finite(const Reaction& reaction) { return reaction.vdot.allFinite() && reaction.lambda.allFinite(); }

}  // namespace

Recorder::Recorder(const DescriptorSystem& system, OdeForm& form, const AngleTracker& angles)
    : system_(system),
      form_(form),
      angles_(angles),
      projection_(make_projection(system, form.make_kernel())),
      terms_(system.make_terms()) {
  const Layout& layout = system.layout();
  trajectory.q = {layout.q_names, layout.q_units, {}};
  trajectory.v = {layout.v_names, layout.v_units, {}};
  trajectory.vdot = {layout.v_names, with_suffix(layout.v_units, "/s"), {}};
  trajectory.lambda = {layout.row_names, std::vector<std::string>(layout.row_names.size()), {}};
  trajectory.quantities = {system.quantity_names(), system.quantity_units(), {}};
  trajectory.energy = {{"kinetic", "potential", "total", "work"}, {"J", "J", "J", "J"}, {}};
  trajectory.drift = {{"position", "velocity"}, {"m", "m/s"}, {}};
  trajectory.steps = {
      {"t", "h", "position", "velocity", "newton_iterations"}, {"s", "s", "m", "m/s", ""}, {}};
  trajectory.body_names = system.body_names();
  trajectory.joint_names = system.joint_names();
  trajectory.planar = system.is_planar();
  quantities_.resize(static_cast<Eigen::Index>(trajectory.quantities.columns()));
}

Status Recorder::record(const State& state, double work, const Monitor::Reading& step) {
  if (const Status status = form_.react(state, reaction_); status != Status::ok) return status;
  if (!is_finite(reaction_)) return Status::not_finite;
  trajectory.t.push_back(state.t);
  trajectory.q.append(state.q);
  trajectory.v.append(state.v);
  trajectory.vdot.append(reaction_.vdot);
  trajectory.lambda.append(reaction_.lambda);
  system_.quantities(state.t, state.q, state.v, reaction_, quantities_);
  angles_.unwrap(state.t, quantities_);
  trajectory.quantities.append(quantities_);
  system_.position(state.t, state.q, terms_);
  system_.mass(state.t, state.q, terms_);
  const double kinetic = system_.kinetic_energy(state.v, terms_);
  const double potential = system_.potential_energy(state.t, state.q, terms_).value_or(std::nan(""));
  trajectory.energy.append(Eigen::Vector4d(kinetic, potential, kinetic + potential, work));
  trajectory.drift.append(Vec2(step.position, step.velocity));
  system_.poses(state.t, state.q, poses_);
  for (const Pose& pose : poses_) {
    trajectory.poses.insert(trajectory.poses.end(), pose.position.data(), pose.position.data() + 3);
    trajectory.poses.insert(trajectory.poses.end(), pose.quaternion.data(), pose.quaternion.data() + 4);
  }
  system_.joint_reactions(state.t, state.q, state.v, reaction_, reactions_);
  for (const JointReaction& joint : reactions_)
    for (const Vec3* part : {&joint.force, &joint.torque, &joint.force_joint, &joint.torque_joint})
      trajectory.reactions.insert(trajectory.reactions.end(), part->data(), part->data() + 3);
  return Status::ok;
}

Status Recorder::record_between(State state, double work, const Monitor::Reading& step) {
  if (const Status status = put_on_constraints(state); status != Status::ok) return status;
  return record(state, work, step);
}

void Recorder::record_step(double t, double h, const Monitor::Reading& reading, long newton) {
  Eigen::Matrix<double, 5, 1> row;
  row << t, h, reading.position, reading.velocity, static_cast<double>(newton);
  trajectory.steps.append(row);
}

Status Recorder::put_on_constraints(State& state) { return projection_->settle(state.t, state.q, state.v); }

Status Recorder::finish(const State& state, Results& results) {
  results.final = state;
  results.final_quantities = Vec::Constant(quantities_.size(), std::nan(""));
  Status status = form_.react(state, results.final_reaction);
  if (status == Status::ok && !is_finite(results.final_reaction)) status = Status::not_finite;
  if (status == Status::ok) {
    system_.quantities(state.t, state.q, state.v, results.final_reaction, results.final_quantities);
    angles_.unwrap(state.t, results.final_quantities);
  }
  return status;
}

}  // namespace driftless
