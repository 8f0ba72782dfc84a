// The coordinates of a RelativeFlexibleSystem: those of the tree, of scalars, of all other bodies; their rates, increments and sizes; how
// they are read off a state of reference-point coordinates.
#include <algorithm>
#include <cmath>

#include "driftless/coordinates/relative/relative_flexible_system.hpp"

namespace driftless {

template <int D>
void RelativeFlexibleSystem<D>::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  const int q_own = others_.empty() ? layout_.nq : others_.front().q;
  tree_->rates(q.data(), v.data(), qdot.data());
  for (int k = tree_->nq(); k < q_own; ++k) qdot[k] = v[tree_->nv() + k - tree_->nq()];
  for (const Other& other : others_) {
    if (D == 2 || !other.turns) {
      qdot.segment(other.q, other.nq) = v.segment(other.v, other.nv);
      continue;
    }
    qdot.segment<D>(other.q) = v.segment<D>(other.v);
    if constexpr (D == 3)
      Attitude::rate(q.data() + other.q + D, v.data() + other.v + D, qdot.data() + other.q + D);
    qdot.segment(other.q + kQ, other.nq - kQ) = v.segment(other.v + kV, other.nv - kV);
  }
}

template <int D>
void RelativeFlexibleSystem<D>::retract(VecRef q, ConstVec delta) const {
  const int q_own = others_.empty() ? layout_.nq : others_.front().q;
  tree_->retract(q.data(), delta.data());
  for (int k = tree_->nq(); k < q_own; ++k) q[k] += delta[tree_->nv() + k - tree_->nq()];
  for (const Other& other : others_) {
    if (D == 2 || !other.turns) {
      q.segment(other.q, other.nq) += delta.segment(other.v, other.nv);
      continue;
    }
    q.segment<D>(other.q) += delta.segment<D>(other.v);
    if constexpr (D == 3)
      q.segment<4>(other.q + D) =
          quaternion_product(q.segment<4>(other.q + D), quaternion_of_turn(delta.segment<3>(other.v + D)))
              .normalized();
    q.segment(other.q + kQ, other.nq - kQ) += delta.segment(other.v + kV, other.nv - kV);
  }
}

template <int D>
void RelativeFlexibleSystem<D>::difference(ConstVec from, ConstVec to, VecRef delta) const {
  const int q_own = others_.empty() ? layout_.nq : others_.front().q;
  tree_->difference(from.data(), to.data(), delta.data());
  for (int k = tree_->nq(); k < q_own; ++k) delta[tree_->nv() + k - tree_->nq()] = to[k] - from[k];
  for (const Other& other : others_) {
    if (D == 2 || !other.turns) {
      delta.segment(other.v, other.nv) = to.segment(other.q, other.nq) - from.segment(other.q, other.nq);
      continue;
    }
    delta.segment<D>(other.v) = to.segment<D>(other.q) - from.segment<D>(other.q);
    if constexpr (D == 3)
      delta.segment<3>(other.v + D) = turn_between(from.segment<4>(other.q + D), to.segment<4>(other.q + D));
    delta.segment(other.v + kV, other.nv - kV) =
        to.segment(other.q + kQ, other.nq - kQ) - from.segment(other.q + kQ, other.nq - kQ);
  }
}

template <int D>
void RelativeFlexibleSystem<D>::normalize(VecRef q) const {
  tree_->normalize(q.data());
  if constexpr (D == 3)
    for (const Other& other : others_)
      if (other.turns) q.segment<4>(other.q + D).normalize();
}

// Of the tree as in relative_system.hpp; of another body its speed, its angular velocity, and the largest rate by scales.
template <int D>
void RelativeFlexibleSystem<D>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const int i : tree_->balls())
    v_size.segment<3>(tree_->link(i).v).setConstant(v.segment<3>(tree_->link(i).v).norm());
  for (const int i : tree_->free_bases())
    v_size.segment<D>(tree_->link(i).v).setConstant(v.segment<D>(tree_->link(i).v).norm());
  for (const Other& other : others_) {
    int first = 0;
    if (other.turns) {
      v_size.segment<D>(other.v).setConstant(v.segment<D>(other.v).norm());
      v_size.segment<kSpin>(other.v + D).setConstant(v.segment<kSpin>(other.v + D).norm());
      first = kV;
    }
    double most = 0;
    for (int k = first; k < other.nv; ++k)
      most = std::max(most, std::abs(v[other.v + k]) / layout_.v_scale[other.v + k]);
    for (int k = first; k < other.nv; ++k) v_size[other.v + k] = most * layout_.v_scale[other.v + k];
  }
  const int q_own = others_.empty() ? layout_.nq : others_.front().q;
  for (int k = tree_->nq(); k < q_own; ++k) q_size[k] = std::max(std::abs(q[k]), q_size[k]);
}

template <int D>
State RelativeFlexibleSystem<D>::from_reference(const State& reference,
                                                const std::vector<Source>& scalars) const {
  State out{reference.t, Vec::Zero(layout_.nq), Vec::Zero(layout_.nv)};
  std::vector<FrameOf<double, D>> frames(rigid_.size() + 1);
  std::vector<TwistOf<double, D>> twists(rigid_.size() + 1);
  for (size_t k = 0; k < rigid_.size(); ++k) {
    const double *q = reference.q.data() + rigid_[k].q, *v = reference.v.data() + rigid_[k].v;
    Attitude::place(q, frames[k]);
    twists[k] = {Eigen::Map<const V>(v), Attitude::omega(frames[k], q + D, v + D)};
  }
  if (!rigid_.empty())
    tree_->read_off(frames.data(), twists.data(), layout_.length, out.q.data(), out.v.data());
  for (const Other& other : others_) {
    out.q.segment(other.q, other.nq) = reference.q.segment(other.full_q, other.nq);
    out.v.segment(other.v, other.nv) = reference.v.segment(other.full_v, other.nv);
  }
  const auto count = static_cast<Eigen::Index>(scalars.size());
  for (Eigen::Index k = 0; k < count; ++k) {  // they know how many turns there were
    const Source& own = scalars[size_t(k)];
    out.q[own.q] = reference.q[reference.q.size() - count + k] / own.factor;
    if (own.q >= tree_->nq()) out.v[own.v] = reference.v[reference.v.size() - count + k];
  }
  return out;
}

template void RelativeFlexibleSystem<2>::kinematics(double, ConstVec, ConstVec, VecRef) const;
template void RelativeFlexibleSystem<2>::retract(VecRef, ConstVec) const;
template void RelativeFlexibleSystem<2>::difference(ConstVec, ConstVec, VecRef) const;
template void RelativeFlexibleSystem<2>::normalize(VecRef) const;
template void RelativeFlexibleSystem<2>::magnitudes(ConstVec, ConstVec, VecRef, VecRef) const;
template State RelativeFlexibleSystem<2>::from_reference(const State&, const std::vector<Source>&) const;
template void RelativeFlexibleSystem<3>::kinematics(double, ConstVec, ConstVec, VecRef) const;
template void RelativeFlexibleSystem<3>::retract(VecRef, ConstVec) const;
template void RelativeFlexibleSystem<3>::difference(ConstVec, ConstVec, VecRef) const;
template void RelativeFlexibleSystem<3>::normalize(VecRef) const;
template void RelativeFlexibleSystem<3>::magnitudes(ConstVec, ConstVec, VecRef, VecRef) const;
template State RelativeFlexibleSystem<3>::from_reference(const State&, const std::vector<Source>&) const;

}  // namespace driftless
