// Reactions in relative coordinates. Joints that are rows: from their multipliers. Joints of the tree: what must come
// through them to move all that is outboard as it moves, a Newton–Euler sweep with the accelerations known,
//   F = Σ (m r̈ − F_applied − F_rows),   T = Σ (I ω̇ + ω × I ω − T_applied − T_rows + (r − p) × F)                     (1)
// less what springs, motors and rows exert on the joint's own coordinate.
//   Featherstone 2008, section 5.3; García de Jalón & Bayo 1994, section 6.3
// Where loops are redundant, multipliers of the cut joints alone do not tell which reactions are the smallest: all joints
// are then solved for together, in reference-point coordinates (reaction_recovery.hpp).
#include <algorithm>

#include "driftless/coordinates/spatial_relative.hpp"

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

Vec3 place_of(const JointFrame& frame, const SpatialWork& work) {
  return work.frames[size_t(frame.origin.body)].point(frame.origin.at);
}

}  // namespace

void SpatialRelative::recover_reactions(std::unique_ptr<ReactionRecovery> recovery,
                                        const std::vector<Scalar>& scalars) {
  recovery_ = std::move(recovery);
  reference_scalars_.clear();
  for (const Scalar& there : scalars) {
    const Tree<3>::Match match = tree_.find(there.kind, there.a, there.b);
    const auto same = std::find_if(parts_.scalars.begin(), parts_.scalars.end(), [&](const Scalar& own) {
      return own.kind == there.kind &&
             (own.kind == Scalar::Kind::parameter ? own.name == there.name
                                                  : same_frame(own.a, there.a) && same_frame(own.b, there.b));
    });
    reference_scalars_.push_back(match.q >= 0 ? Source{match.q, match.v, match.factor}
                                              : sources_[size_t(same - parts_.scalars.begin())]);
  }
}

// Asked once, where the terms are first used for reactions.
bool SpatialRelative::is_redundant(const Terms& terms, RelativeWork& work) const {
  using Loops = RelativeWork::Loops;
  if (work.loops == Loops::unknown) {
    work.loops = recovery_ && has_dependent_rows(layout_, terms) ? Loops::redundant : Loops::independent;
    if (work.loops == Loops::redundant) work.recovery = recovery_->make_work();
  }
  return work.loops == Loops::redundant;
}

// The bodies of `work` in reference-point coordinates (absolute_system.hpp).
void SpatialRelative::write_reference(double t, ConstVec q, ConstVec v, RelativeWork& work) const {
  State& at = work.recovery->at;
  at.t = t;
  const auto bodies = static_cast<Eigen::Index>(parts_.bodies());
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const SpatialFrame<double>& frame = work.bodies.frames[size_t(i)];
    const Twist& twist = work.bodies.twists[size_t(i)];
    at.q.segment<3>(7 * i) = frame.r;
    at.q.segment<4>(7 * i + 3) = quaternion_of_matrix(frame.R);
    at.v.segment<3>(6 * i) = twist.r;
    at.v.segment<3>(6 * i + 3) = frame.R.transpose() * twist.omega;
  }
  for (size_t k = 0; k < reference_scalars_.size(); ++k) {
    const Source& source = reference_scalars_[k];
    at.q[7 * bodies + static_cast<Eigen::Index>(k)] = source.factor * q[source.q];
    at.v[6 * bodies + static_cast<Eigen::Index>(k)] = source.factor * v[source.v];
  }
}

void SpatialRelative::observe_reactions(double t,
                                        ConstVec q,
                                        ConstVec v,
                                        const Reaction& reaction,
                                        Terms& terms,
                                        std::vector<JointReaction>& out) const {
  RelativeWork& work = static_cast<RelativeWork&>(*terms.scratch);
  SpatialWork& bodies = work.bodies;
  move(v, work);
  if (is_redundant(terms, work)) {
    write_reference(t, q, v, work);
    recovery_->reactions(*work.recovery, out);
    return;
  }
  driftless::joint_reactions(parts_, bodies, reaction.lambda, out);
  parts_.apply_forces(t, bodies);
  add_row_forces(reaction.lambda, bodies);

  // Loads on scalars that are coordinates of the tree, those of rows among them.
  const auto& pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    bodies.loads[size_t(pairs[k].of)] -= reaction.lambda[pairs[k].row] * bodies.ds[k];
  }

  sweep_reactions(reaction.vdot, work, out);
  for (size_t j = 0; j < out.size(); ++j) {
    const JointFrame& M = parts_.joints[j].frames.second;
    const Mat3 axes = bodies.frames[size_t(M.origin.body)].R * M.axes;
    out[j].force_joint = axes.transpose() * out[j].force;
    out[j].torque_joint = axes.transpose() * out[j].torque;
  }
}

// Adds −λ ∂g/∂x of all rows to the wrenches of the bodies.
void SpatialRelative::add_row_forces(ConstVec lambda, SpatialWork& bodies) const {
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<3>& marker = parts_.markers[size_t(pairs[k].of)];
    const Vec3 push = -lambda[pairs[k].row] * bodies.dx[k], &x = bodies.x[size_t(pairs[k].of)];
    Wrench& on = bodies.wrenches[size_t(marker.body)];
    if (marker.kind == MarkerKind::direction) {
      on.moment += x.cross(push);
    } else {
      on.force += push;
      on.moment += (x - bodies.frames[size_t(marker.body)].r).cross(push);
    }
  }
}

// (1) for the joints of the tree, from the wrenches in `work`.
void SpatialRelative::sweep_reactions(ConstVec vdot,
                                      RelativeWork& work,
                                      std::vector<JointReaction>& out) const {
  SpatialWork& bodies = work.bodies;
  std::vector<Twist>& relative = work.accelerations;
  tree_.transform(vdot.data(), bodies.frames.data(), work.tree, relative.data());
  for (size_t b = 0; b < parts_.bodies(); ++b) {  // what is still missing to accelerate the body
    const Mat3& R = bodies.frames[b].R;
    const Vec3 acceleration = relative[b].r + work.tree.biases[b].r;
    const Vec3 alpha = R.transpose() * (relative[b].omega + work.tree.biases[b].omega);
    const Vec3 omega = R.transpose() * bodies.twists[b].omega;
    const Mat3& I = parts_.inertias[b];
    Wrench& on = bodies.wrenches[b];
    on.force = parts_.masses[b] * acceleration - on.force;
    on.moment = R * (I * alpha + omega.cross(I * omega)) - on.moment;
  }
  const auto& edges = tree_.edges();
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    const Wrench& through = bodies.wrenches[size_t(edge->body)];
    const Vec3& r = bodies.frames[size_t(edge->body)].r;
    if (edge->inboard != tree_.ground()) {
      Wrench& in = bodies.wrenches[size_t(edge->inboard)];
      in.force += through.force;
      in.moment += through.moment + (r - bodies.frames[size_t(edge->inboard)].r).cross(through.force);
    }
    if (edge->joint < 0) continue;
    const Vec3 at = place_of(parts_.joints[size_t(edge->joint)].frames.second, bodies);
    const double sign = edge->reversed ? -1 : 1;
    JointReaction& own = out[size_t(edge->joint)];
    own.force = sign * through.force;
    own.torque = sign * (through.moment + (r - at).cross(through.force));
  }
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

}  // namespace driftless
