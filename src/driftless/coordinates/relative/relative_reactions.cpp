// Reactions in relative coordinates. Joints that are rows: from their multipliers. Joints of the tree: what must come
// through them to move all that is outboard as it moves, a Newton–Euler sweep with the accelerations known,
//   F = Σ (m r̈ − F_applied − F_rows),   T = Σ (I ω̇ + ω × I ω − T_applied − T_rows + (r − p) × F)                     (1)
// less what springs, motors and rows exert on the joint's own coordinate.
//   Featherstone 2008, section 5.3; García de Jalón & Bayo 1994, section 6.3
// Where loops are redundant, multipliers of the cut joints alone do not tell which reactions are the smallest: all joints
// are then solved for together, in reference-point coordinates (reaction_recovery.hpp).
#include <algorithm>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"

namespace driftless {
namespace {

// What acts on the second frame of a scalar: a torque about z of the first, or a force along it.
struct ScalarLoad {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

ScalarLoad load_on(const Scalar& scalar, double load, const SpatialWork& work) {
  const Vec3 z = work.frames[size_t(scalar.a.origin.body)].R * scalar.a.axes.col(2);
  if (scalar.kind == Scalar::Kind::angle) return {Vec3::Zero(), load * z};
  return {load * z, Vec3::Zero()};
}

// I ω̇ + ω × I ω, in the plane I ω̇.
double euler_moment(double inertia, const FrameOf<double, 2>&, double, double alpha) {
  return inertia * alpha;
}
Vec3 euler_moment(const Mat3& inertia,
                  const FrameOf<double, 3>& frame,
                  const Vec3& omega,
                  const Vec3& alpha) {
  const Vec3 w = frame.R.transpose() * omega;
  return frame.R * (inertia * (frame.R.transpose() * alpha) + w.cross(inertia * w));
}

Vec3 in_three(const Vec2& force) { return {force.x(), force.y(), 0}; }
Vec3 in_three(const Vec3& a) { return a; }
Vec3 in_three(double moment) { return {0, 0, moment}; }

}  // namespace

template <int D>
void RelativeSystem<D>::recover_reactions(std::unique_ptr<ReactionRecovery> recovery,
                                          const std::vector<ScalarOf<D>>& scalars) {
  recovery_ = std::move(recovery);
  reference_scalars_.clear();
  if constexpr (D == 3)  // in the plane they are angles of bodies there
    for (const Scalar& there : scalars) {
      const Tree<3>::Match match = tree_.find(there.kind, there.a, there.b);
      const auto same = std::find_if(parts_.scalars.begin(), parts_.scalars.end(), [&](const Scalar& own) {
        return own.kind == there.kind && (own.kind == Scalar::Kind::parameter
                                              ? own.name == there.name
                                              : same_frame(own.a, there.a) && same_frame(own.b, there.b));
      });
      reference_scalars_.push_back(match.q >= 0 ? Source{match.q, match.v, match.factor}
                                                : sources_[size_t(same - parts_.scalars.begin())]);
    }
}

// Asked once, where the terms are first used for reactions.
template <int D>
bool RelativeSystem<D>::is_redundant(const Terms& terms, RelativeWork<D>& work) const {
  using Loops = typename RelativeWork<D>::Loops;
  if (const long now = terms.mode == nullptr ? 0 : terms.mode->count; now != work.decided_at) {
    work.loops = Loops::unknown;
    work.decided_at = now;
  }
  if (work.loops == Loops::unknown) {
    work.loops = recovery_ && has_dependent_rows(*this, terms) ? Loops::redundant : Loops::independent;
    if (work.loops == Loops::redundant) work.recovery = recovery_->make_work();
  }
  return work.loops == Loops::redundant;
}

// The bodies of `work` in reference-point coordinates (absolute_system.hpp).
template <int D>
void RelativeSystem<D>::write_reference(double t, ConstVec q, ConstVec v, RelativeWork<D>& work) const {
  State& at = work.recovery->at;
  at.t = t;
  for (size_t i = 0; i < parts_.bodies(); ++i)
    write_body<D>(i, work.bodies.frames[i], work.bodies.twists[i], at);
  const auto count = static_cast<Eigen::Index>(reference_scalars_.size());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Source& source = reference_scalars_[size_t(k)];
    at.q[at.q.size() - count + k] = source.factor * q[source.q];
    at.v[at.v.size() - count + k] = source.factor * v[source.v];
  }
}

template <int D>
void RelativeSystem<D>::observe_reactions(double t,
                                          ConstVec q,
                                          ConstVec v,
                                          const Reaction& reaction,
                                          Terms& terms,
                                          std::vector<JointReaction>& out) const {
  RelativeWork<D>& work = static_cast<RelativeWork<D>&>(*terms.scratch);
  WorkOf<D>& bodies = work.bodies;
  move(v, work);
  if (is_redundant(terms, work)) {
    write_reference(t, q, v, work);
    recovery_->reactions(*work.recovery, out);
    return;
  }
  row_reactions(parts_, bodies, reaction.lambda, out);
  parts_.apply_forces(t, bodies);
  add_row_forces(reaction.lambda, bodies);

  // Loads on scalars, those of rows among them: in the plane moments on their bodies.
  const auto& pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const double load = reaction.lambda[pairs[k].row] * bodies.ds[k];
    if constexpr (D == 2)
      bodies.wrenches[size_t(parts_.scalars[size_t(pairs[k].of)].b.origin.body)].moment -= load;
    else
      bodies.loads[size_t(pairs[k].of)] -= load;
  }

  sweep_reactions(reaction.vdot, work, out);
  finish_reactions(parts_, bodies, out);
}

// Adds −λ ∂g/∂x of all rows to the wrenches of the bodies.
template <int D>
void RelativeSystem<D>::add_row_forces(ConstVec lambda, WorkOf<D>& bodies) const {
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts_.markers[size_t(pairs[k].of)];
    const VecOf<double, D> push = -lambda[pairs[k].row] * bodies.dx[k];
    WrenchOf<double, D>& on = bodies.wrenches[size_t(marker.body)];
    on.moment += moment_of(bodies.arm[size_t(pairs[k].of)], push);
    if (marker.kind == MarkerKind::point) on.force += push;
  }
}

// (1) for the joints of the tree, from the wrenches in `work`.
template <int D>
void RelativeSystem<D>::sweep_reactions(ConstVec vdot,
                                        RelativeWork<D>& work,
                                        std::vector<JointReaction>& out) const {
  WorkOf<D>& bodies = work.bodies;
  std::vector<TwistOf<double, D>>& relative = work.accelerations;
  tree_.transform(vdot.data(), bodies.frames.data(), work.tree, relative.data());
  for (size_t b = 0; b < parts_.bodies(); ++b) {  // what is still missing to accelerate the body
    const TwistOf<double, D>& bias = work.tree.biases[b];
    WrenchOf<double, D>& on = bodies.wrenches[b];
    on.force = parts_.masses[b] * (relative[b].r + bias.r) - on.force;
    on.moment = euler_moment(parts_.inertias[b], bodies.frames[b], bodies.twists[b].omega,
                             SpinOf<double, D>(relative[b].omega + bias.omega)) -
                on.moment;
  }
  const auto& edges = tree_.edges();
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    const WrenchOf<double, D>& through = bodies.wrenches[size_t(edge->body)];
    const VecOf<double, D>& r = bodies.frames[size_t(edge->body)].r;
    if (edge->inboard != tree_.ground()) {
      const VecOf<double, D> shift = r - bodies.frames[size_t(edge->inboard)].r;
      WrenchOf<double, D>& in = bodies.wrenches[size_t(edge->inboard)];
      in.force += through.force;
      in.moment += through.moment + moment_of(shift, through.force);
    }
    if (edge->joint < 0) continue;
    const PointOf<D>& at = parts_.joints[size_t(edge->joint)].frames.second.origin;
    const VecOf<double, D> arm = r - bodies.frames[size_t(at.body)].point(at.at);
    const double sign = edge->reversed ? -1 : 1;
    JointReaction& own = out[size_t(edge->joint)];
    own.force = sign * in_three(through.force);
    own.torque = sign * in_three(SpinOf<double, D>(through.moment + moment_of(arm, through.force)));
  }
  if constexpr (D == 3) take_off_scalar_loads(bodies, out);
}

// Less what springs, motors and rows exert on the joint's own coordinate.
template <int D>
void RelativeSystem<D>::take_off_scalar_loads(const WorkOf<D>& bodies, std::vector<JointReaction>& out) const
  requires(D == 3)
{
  for (size_t k = 0; k < parts_.scalars.size(); ++k) {
    const Scalar& scalar = parts_.scalars[k];
    const Tree<3>::Match match = tree_.find(scalar.kind, scalar.a, scalar.b);
    if (match.q < 0) continue;
    const JointFrame& M = parts_.joints[size_t(match.joint)].frames.second;
    const double sign = scalar.b.origin.body == M.origin.body ? 1 : -1;
    const ScalarLoad own = load_on(scalar, sign * bodies.loads[k], bodies);
    out[size_t(match.joint)].force -= own.force;
    out[size_t(match.joint)].torque -= own.torque;
  }
}

template void RelativeSystem<2>::recover_reactions(std::unique_ptr<ReactionRecovery>,
                                                   const std::vector<ScalarOf<2>>&);
template void RelativeSystem<3>::recover_reactions(std::unique_ptr<ReactionRecovery>,
                                                   const std::vector<ScalarOf<3>>&);
template void RelativeSystem<2>::observe_reactions(
    double, ConstVec, ConstVec, const Reaction&, Terms&, std::vector<JointReaction>&) const;
template void RelativeSystem<3>::observe_reactions(
    double, ConstVec, ConstVec, const Reaction&, Terms&, std::vector<JointReaction>&) const;

}  // namespace driftless
