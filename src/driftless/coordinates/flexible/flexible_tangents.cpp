#include "driftless/coordinates/flexible/flexible_tangents.hpp"

#include <algorithm>

#include "driftless/coordinates/flexible/flexible_tangent_members.hpp"
#include "driftless/coordinates/flexible/flexible_tangent_patterns.hpp"

namespace driftless {

// ---- filling ------------------------------------------------------------------------------------------------------------

template <class Attitude>
Vec& FlexibleTangents<Attitude>::acting(ConstVec lambda, const Mode* mode) {
  acting_ = lambda;
  if (mode != nullptr)
    for (const int row : mode->inactive) acting_[row] = 0;
  return acting_;
}

template <class Attitude>
void FlexibleTangents<Attitude>::fill(double t,
                                      ConstVec q,
                                      ConstVec v,
                                      ConstVec a,
                                      ConstVec lambda,
                                      typename System::Work& work,
                                      const Mode* mode,
                                      Tangents& out) {
  const bool forces = out.parts.dynamics, reactions = forces || out.parts.reactions;
  for (SparseRows* matrix : {&out.K, &out.C, &out.L, &out.S_q, &out.S_v})
    std::fill(matrix->valuePtr(), matrix->valuePtr() + matrix->nonZeros(), 0.0);
  for (int row = 0; row < lambda_.size(); ++row) lambda_[row] = lambda[row_at_[size_t(row)]];
  stand(q, v, a, work);
  find_wrenches(work, forces);
  jets_.stand(t, work, accelerations_, sddot_);

  take_blocks({.velocity = out.parts.velocity, .acceleration = out.parts.acceleration}, reactions, out);
  if (forces) take_forces(out);
  for (int slot = 0; reactions && slot < frames(); ++slot) slot_terms(slot, out.K);
  for (size_t i = 0; i < system_.members_.size(); ++i) {
    const auto& member = system_.members_[i];
    if (forces && member.kind == Kind::rigid) rigid_terms(int(i), out);
    if (forces && member.kind == Kind::floating) floating_terms(int(i), work, out);
    if (forces && member.kind == Kind::cable) cable_terms(int(i), q, out);
    if constexpr (Attitude::normalisation_row)
      if (member.norm >= 0) norm_terms(int(i), lambda, out);
  }
  if (mode == nullptr) return;
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v})
    for (const int row : mode->inactive)
      if (matrix->nonZeros() > 0)
        std::fill(matrix->valuePtr() + matrix->outerIndexPtr()[row],
                  matrix->valuePtr() + matrix->outerIndexPtr()[row + 1], 0.0);
}

// Rows, and wrenches of rows.
template <class Attitude>
void FlexibleTangents<Attitude>::take_blocks(const JetParts& wanted, bool reactions, Tangents& out) {
  const auto each_row = [&](int index, const auto& element, int slot, auto&& take) {
    const auto first = size_t(index_of(element, slot)) * size_t(element.rows);
    for (int k = 0; k < element.rows; ++k) take(k, block_places_[size_t(index)].on_rows[first + size_t(k)]);
  };
  JetParts by_frame = wanted;
  by_frame.reactions = reactions;
  jets_.run_blocks(
      by_frame, lambda_.data(), [&](int slot) { seed_frame(slot); },
      [&](int index, const auto& element, int slot) {
        const Mat& J = slots_[size_t(slot)].J;
        if (reactions) take_slots(element, block_places_[size_t(index)], slot, 1, J, out.K);
        each_row(index, element, slot, [&](int k, const Entries& places) {
          if (wanted.velocity) take_row(jets_.velocity_row(k), places, 1, J, out.L);
          if (wanted.acceleration) take_row(jets_.acceleration_row(k), places, -1, J, out.S_q);
        });
      });
  if (!wanted.velocity && !wanted.acceleration) return;
  jets_.run_blocks(
      {.velocity = true, .acceleration = wanted.acceleration}, lambda_.data(),
      [&](int slot) { seed_twist(slot); },
      [&](int index, const auto& element, int slot) {
        const SlotData& own = slots_[size_t(slot)];
        each_row(index, element, slot, [&](int k, const Entries& places) {
          const S& by_twist = jets_.velocity_row(k);
          if (wanted.velocity) take_row(by_twist, places, 1, own.twist_q, out.L);
          if (!wanted.acceleration) return;
          take_row(jets_.acceleration_row(k), places, -1, own.twist_q, out.S_q);
          take_row(by_twist, places, -1, own.acceleration_q, out.S_q);
          take_row(jets_.acceleration_row(k), places, -1, own.J, out.S_v);
          take_row(by_twist, places, -1, own.acceleration_v, out.S_v);
        });
      });
}

template <class Attitude>
void FlexibleTangents<Attitude>::take_forces(Tangents& out) {
  jets_.run_forces([&](int slot) { seed_frame(slot); },
                   [&](int index, const auto& element, int slot) {
                     take_slots(element, force_places_[size_t(index)], slot, -1, slots_[size_t(slot)].J,
                                out.K);
                   });
  jets_.run_forces([&](int slot) { seed_twist(slot); },
                   [&](int index, const auto& element, int slot) {
                     const SlotData& own = slots_[size_t(slot)];
                     take_slots(element, force_places_[size_t(index)], slot, -1, own.twist_q, out.K);
                     take_slots(element, velocity_places_[size_t(index)], slot, -1, own.J, out.C);
                   });
}

// Where slots stand, with their accelerations and (0).
template <class Attitude>
void FlexibleTangents<Attitude>::stand(ConstVec q, ConstVec v, ConstVec a, typename System::Work& work) {
  q_ = q.data();
  v_ = v.data();
  a_ = a.data();
  for (int i = 0; i < frames(); ++i)
    if (system_.slots_[size_t(i)].kind != Kind::ground && (slots_[size_t(i)].seen || i < system_.bodies()))
      stand_slot(i, q, v, a, work);
  for (size_t k = 0; k < sddot_.size(); ++k) {
    const int slot = jets_.slot_of(static_cast<int>(k));
    if constexpr (Attitude::counts_turns) {
      sddot_[k] = accelerations_[size_t(slot)].omega;
    } else {
      sddot_[k] = a_[slots_[size_t(slot)].columns[0]];
      slots_[size_t(slot)].J(0, 0) = 1;
    }
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::stand_slot(
    int index, ConstVec q, ConstVec v, ConstVec a, const typename System::Work& work) {
  const auto& slot = system_.slots_[size_t(index)];
  SlotData& own = slots_[size_t(index)];
  const auto& member = system_.members_[size_t(slot.member)];
  typename Own::At& at = own.at;
  if (member.turns()) at.p = q_ + member.q + D;
  at.rate.setZero();
  at.acceleration.setZero();
  for (size_t k = 0; k < own.columns.size(); ++k) {
    at.rate += own.Z.col(Eigen::Index(k)) * v[own.columns[k]];
    at.acceleration += own.Z.col(Eigen::Index(k)) * a[own.columns[k]];
  }
  if (slot.kind == Kind::cable) {
    at.frame = work.frames[size_t(index)];
    at.z.setZero();
    for (Eigen::Index k = 0; k < own.Z.cols(); ++k) at.z += own.Z.col(k) * q[slot.first + k];
  } else {
    at.z.template head<D>() = q.template segment<D>(member.q);
  }
  if (slot.kind == Kind::floating) {
    at.z.template segment<D>(kV) = slot.section.u0;
    at.z.template tail<kSpin>().setZero();
    for (size_t k = 0; k < slot.section.columns.size(); ++k)
      at.z.template tail<D + kSpin>() += own.Z.col(Eigen::Index(kV + int(k))).template tail<D + kSpin>() *
                                         q[member.q + kQ + slot.section.columns[k]];
  }
  const auto by_place = Own::template move<Z>(at, Along::place),
             by_rate = Own::template move<Z>(at, Along::rate);
  Eigen::Matrix<double, kWrench, N> gradient;
  const auto chain = [&](const TwistOf<Z, D>& motion, Mat& out) {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < D; ++r) gradient(r, c) = motion.r[r].d[size_t(c)];
      if constexpr (D == 2)
        gradient(D, c) = motion.omega.d[size_t(c)];
      else
        for (int r = 0; r < 3; ++r) gradient(D + r, c) = motion.omega[r].d[size_t(c)];
    }
    out.noalias() = gradient.lazyProduct(own.Z);
  };
  chain(by_place.twist, own.twist_q);
  chain(by_place.acceleration, own.acceleration_q);
  chain(by_rate.twist, own.J);
  chain(by_rate.acceleration, own.acceleration_v);
  auto& acceleration = accelerations_[size_t(index)];
  for (int k = 0; k < D; ++k) acceleration.r[k] = by_place.acceleration.r[k].v;
  if constexpr (D == 2)
    acceleration.omega = by_place.acceleration.omega.v;
  else
    for (int k = 0; k < 3; ++k) acceleration.omega[k] = by_place.acceleration.omega[k].v;
}

template <class Attitude>
void FlexibleTangents<Attitude>::find_wrenches(const typename System::Work& work, bool forces) {
  const auto add = [&](int slot, double sign, const VecOf<double, D>& force,
                       const SpinOf<double, D>& moment) {
    auto& wrench = slots_[size_t(slot)].wrench;
    wrench.template head<D>() += sign * force;
    if constexpr (D == 2)
      wrench[D] += sign * moment;
    else
      wrench.template tail<3>() += sign * moment;
  };
  for (int slot = 0; slot < frames(); ++slot) {
    slots_[size_t(slot)].wrench.setZero();
    if (forces) add(slot, -1, work.wrenches[size_t(slot)].force, work.wrenches[size_t(slot)].moment);
  }
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts_.markers[size_t(pairs[k].of)];
    const VecOf<double, D> push = lambda_[pairs[k].row] * work.dx[k];
    add(marker.body, 1, marker.kind == MarkerKind::point ? push : VecOf<double, D>(VecOf<double, D>::Zero()),
        moment_of<double>(work.frames[size_t(marker.body)].turn(marker.at), push));
  }
  if constexpr (Attitude::counts_turns) {
    const auto& scalar_pairs = parts_.rows.scalar_pairs();
    for (size_t k = 0; k < scalar_pairs.size(); ++k)
      add(jets_.slot_of(scalar_pairs[k].of), lambda_[scalar_pairs[k].row], VecOf<double, D>::Zero(),
          work.ds[k]);
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::seed_frame(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.s(k).d[is_frame(slot) ? D : 0] = 1;
  if (!is_frame(slot)) return;
  FrameOf<S, D>& frame = jets_.frame(slot);
  for (int k = 0; k < D; ++k) frame.r[k].d[size_t(k)] = 1;
  if constexpr (D == 2) {
    frame.theta.d[D] = 1;
    frame.c.d[D] = -frame.s.v;
    frame.s.d[D] = frame.c.v;
  } else {
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) {
        const Vec3 moved = Vec3::Unit(k).cross(Vec3(frame.R(0, j).v, frame.R(1, j).v, frame.R(2, j).v));
        for (int i = 0; i < 3; ++i) frame.R(i, j).d[size_t(3 + k)] = moved[i];
      }
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::seed_twist(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.sdot(k).d[is_frame(slot) ? D : 0] = 1;
  if (!is_frame(slot)) return;
  TwistOf<S, D>& twist = jets_.twist(slot);
  for (int k = 0; k < D; ++k) twist.r[k].d[size_t(k)] = 1;
  if constexpr (D == 2)
    twist.omega.d[D] = 1;
  else
    for (int k = 0; k < 3; ++k) twist.omega[k].d[size_t(3 + k)] = 1;
}

template <class Attitude>
int FlexibleTangents<Attitude>::index_of(const typename Jets::Element& element, int slot) const {
  return static_cast<int>(std::find(element.slots.begin(), element.slots.end(), slot) -
                          element.slots.begin());
}

// J_sᵀ δw_s of (1).
template <class Attitude>
void FlexibleTangents<Attitude>::take_slots(const typename Jets::Element& element,
                                            const ElementPlaces& places,
                                            int seeded,
                                            double sign,
                                            const Mat& chain,
                                            SparseRows& out) {
  const auto first = size_t(index_of(element, seeded)) * element.slots.size();
  SlotData& by = slots_[size_t(seeded)];
  for (size_t i = 0; i < element.slots.size(); ++i) {
    const int slot = element.slots[i];
    SlotData& own = slots_[size_t(slot)];
    own.by_motion.setZero();
    const auto put = [&](int row, const S& value) {
      for (int c = 0; c < kWrench; ++c) own.by_motion(row, c) += sign * value.d[size_t(c)];
    };
    for (const int k : element.scalars)
      if (jets_.slot_of(k) == slot) put(is_frame(slot) ? D : 0, jets_.load(k));
    if (is_frame(slot)) {
      const auto& wrench = jets_.wrench(slot);
      for (int k = 0; k < D; ++k) put(k, wrench.force[k]);
      if constexpr (D == 2)
        put(D, wrench.moment);
      else
        for (int k = 0; k < 3; ++k) put(D + k, wrench.moment[k]);
    }
    by.turned.noalias() = own.by_motion.lazyProduct(chain);
    const Entries& entries = *places.on_slots[first + i];
    size_t next = 0;
    for (Eigen::Index r = 0; r < own.J.cols(); ++r)
      for (Eigen::Index c = 0; c < chain.cols(); ++c)
        out.valuePtr()[entries[next++]] += own.J.col(r).dot(by.turned.col(c));
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::take_row(
    const S& value, const Entries& places, double sign, const Mat& chain, SparseRows& out) {
  for (Eigen::Index c = 0; c < chain.cols(); ++c) {
    double sum = 0;
    for (int k = 0; k < kWrench; ++k) sum += value.d[size_t(k)] * chain(k, c);
    out.valuePtr()[places[size_t(c)]] += sign * sum;
  }
}

// δ(J_sᵀ) w_s of (1), along z. Elastic coordinates of a slot that does not turn with them do not meet here.
template <class Attitude>
void FlexibleTangents<Attitude>::slot_terms(int slot, SparseRows& K) {
  SlotData& own = slots_[size_t(slot)];
  if (own.wrench.isZero(0) || system_.slots_[size_t(slot)].kind == Kind::ground) return;
  VecOf<Z, D> force;
  SpinOf<Z, D> moment;
  for (int k = 0; k < D; ++k) force[k] = Z(own.wrench[k]);
  if constexpr (D == 2)
    moment = Z(own.wrench[D]);
  else
    for (int k = 0; k < 3; ++k) moment[k] = Z(own.wrench[D + k]);
  const auto pulled = Own::template pull<Z>(own.at, force, moment);
  Eigen::Matrix<double, N, N> G;
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c) G(r, c) = pulled[r].d[size_t(c)];
  own.by_columns.noalias() = G.lazyProduct(own.Z);
  const auto entry = [&](Eigen::Index r, Eigen::Index c) { return own.Z.col(r).dot(own.by_columns.col(c)); };
  const auto count = own.Z.cols();
  if (slot >= system_.bodies() || !own.at.section) {
    size_t next = 0;
    for (Eigen::Index r = 0; r < count; ++r)
      for (Eigen::Index c = 0; c < count; ++c, ++next)
        if (own.self[next] >= 0) K.valuePtr()[own.self[next]] += entry(r, c);
    return;
  }
  const auto& body = floating_[size_t(system_.members_[size_t(slot)].index)];
  const auto n = size_t(count - kV);
  for (int r = 0; r < kV; ++r) {
    for (int c = 0; c < kV; ++c) K.valuePtr()[own_K_[size_t(slot)][size_t(r * kV + c)]] += entry(r, c);
    for (size_t j = 0; j < n; ++j) {
      const auto at = Eigen::Index(kV + int(j));
      K.valuePtr()[body.K_frame_eta[size_t(r) * n + j]] += entry(r, at);
      K.valuePtr()[body.K_eta_frame[j * size_t(kV) + size_t(r)]] += entry(at, r);
    }
  }
}

// ---- FlexibleSystem -----------------------------------------------------------------------------------------------------

template <class Attitude>
Tangents FlexibleSystem<Attitude>::make_tangents(const TangentParts& parts) const {
  Tangents out;
  out.parts = parts;
  for (SparseRows* matrix : {&out.K, &out.C}) matrix->resize(layout_.nv, layout_.nv);
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v}) matrix->resize(layout_.m, layout_.nv);
  out.work = std::make_unique<FlexibleTangents<Attitude>>(*this, out);
  return out;
}

template <class Attitude>
void FlexibleSystem<Attitude>::tangents(
    double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  position(t, q, terms);
  mass(t, q, terms);
  if (out.parts.dynamics)
    force(t, q, v, terms);
  else
    move(q, v, work);
  auto& filler = static_cast<FlexibleTangents<Attitude>&>(*out.work);
  Vec& acting = filler.acting(lambda, terms.mode);
  const bool switched = out.parts.dynamics && !switched_.empty();
  if (switched) switched_.fill_lambda(t, v, terms, acting);
  filler.fill(t, q, v, a, acting, work, terms.mode, out);
  if (switched) switched_.add_tangents(v, terms, out.K, out.C);
}

#define DRIFTLESS_INSTANTIATE(Attitude)                                                                    \
  template class FlexibleTangents<Attitude>;                                                               \
  template Tangents FlexibleSystem<Attitude>::make_tangents(const TangentParts&) const;                    \
  template void FlexibleSystem<Attitude>::tangents(double, ConstVec, ConstVec, ConstVec, ConstVec, Terms&, \
                                                   Tangents&) const;
DRIFTLESS_INSTANTIATE(PlaneAngle)
DRIFTLESS_INSTANTIATE(BodyRates)
DRIFTLESS_INSTANTIATE(QuaternionRates)
#undef DRIFTLESS_INSTANTIATE

}  // namespace driftless
