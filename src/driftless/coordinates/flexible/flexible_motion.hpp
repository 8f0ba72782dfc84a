// How slots of a FlexibleSystem move, and where wrenches on them go: flexible_slots.hpp (1)–(4). For flexible_system.cpp only.
#pragma once

#include <algorithm>

#include "driftless/coordinates/flexible/flexible_system.hpp"

namespace driftless {
namespace flexible_detail {

// Rotations as matrices, and spins as vectors of one or three entries.
inline Eigen::Matrix2d axes_of(const FrameOf<double, 2>& frame) {
  Eigen::Matrix2d A;
  A << frame.c, -frame.s, frame.s, frame.c;
  return A;
}
inline const Mat3& axes_of(const FrameOf<double, 3>& frame) { return frame.R; }
inline Eigen::Matrix<double, 1, 1> spin_vector(double spin) { return Eigen::Matrix<double, 1, 1>(spin); }
inline const Vec3& spin_vector(const Vec3& spin) { return spin; }
inline double swing_number(const Eigen::Matrix<double, 1, 1>& spin) { return spin[0]; }
inline const Vec3& swing_number(const Vec3& spin) { return spin; }

// ω_body = B v and its bias, by the policy: B is the identity but for quaternion rates.
template <class Attitude>
Eigen::Matrix<double, Attitude::dimension == 2 ? 1 : 3, Attitude::width> rate_matrix(const double* p) {
  if constexpr (Attitude::normalisation_row)
    return Attitude::rates(Attitude::own(p));
  else
    return Eigen::Matrix<double, Attitude::width, Attitude::width>::Identity();
}

}  // namespace flexible_detail

using flexible_detail::axes_of;
using flexible_detail::rate_matrix;
using flexible_detail::spin_vector;
using flexible_detail::swing_number;

// ---- slots ----------------------------------------------------------------------------------------------------------

template <class Attitude>
void FlexibleSystem<Attitude>::place_slot(int index, ConstVec q, Work& work) const {
  const Slot& slot = slots_[size_t(index)];
  SlotState<D>& state = work.slots[size_t(index)];
  FrameOf<double, D>& frame = work.frames[size_t(index)];
  const Member& member = members_[size_t(slot.member)];
  if (slot.kind == Kind::floating) {
    const FloatingState& body = work.floating[size_t(member.index)];
    const double* eta = q.data() + member.q + kQ;
    const auto& section = slot.section;
    state.u = section.u0;
    SpinVec turn = SpinVec::Zero();
    for (size_t k = 0; k < section.columns.size(); ++k) {
      state.u += section.U.col(Eigen::Index(k)) * eta[section.columns[k]];
      turn += section.turn.col(Eigen::Index(k)) * eta[section.columns[k]];
    }
    frame.r = body.frame.r + axes_of(body.frame) * state.u;
    if constexpr (D == 2) {
      set_attitude(body.frame.theta + turn[0], frame);
    } else {
      const SectionTurn<double> c(turn.squaredNorm());
      const Mat3 S = skew(turn), SS = S * S;
      frame.R = body.frame.R * (Mat3::Identity() + c.c0 * S + c.c1 * SS);
      state.turn_rates.noalias() = (Mat3::Identity() + c.c1 * S + c.c2 * SS) * section.turn;  // (1)
    }
    return;
  }
  const double* own = q.data() + slot.first;
  frame.r.setZero();
  for (int i = 0; i < slot.h.size(); ++i) frame.r += slot.h[i] * Eigen::Map<const V>(own + D * i);
  if (slot.dh.size() == 0) return;
  state.slope.setZero();
  for (int i = 0; i < slot.dh.size(); ++i) state.slope += slot.dh[i] * Eigen::Map<const V>(own + D * i);
  if constexpr (D == 2)
    set_attitude(std::atan2(state.slope[1], state.slope[0]) - slot.rest.theta, frame);
  else
    frame.R = Eigen::Quaterniond::FromTwoVectors(slot.rest.R.col(0), state.slope).toRotationMatrix();
}

template <class Attitude>
void FlexibleSystem<Attitude>::move_slot(int index, ConstVec v, Work& work) const {
  const Slot& slot = slots_[size_t(index)];
  SlotState<D>& state = work.slots[size_t(index)];
  TwistOf<double, D>& twist = work.twists[size_t(index)];
  const Member& member = members_[size_t(slot.member)];
  if (slot.kind == Kind::floating) {
    const FloatingState& body = work.floating[size_t(member.index)];
    const auto& A = axes_of(body.frame);
    const double* rates = v.data() + member.v + kV;
    const auto& section = slot.section;
    V u_dot = V::Zero();
    SpinVec tau = SpinVec::Zero(), turn_rate = SpinVec::Zero();
    for (size_t k = 0; k < section.columns.size(); ++k) {
      const double rate = rates[section.columns[k]];
      u_dot += section.U.col(Eigen::Index(k)) * rate;
      turn_rate += section.turn.col(Eigen::Index(k)) * rate;
      if constexpr (D == 3) tau += state.turn_rates.col(Eigen::Index(k)) * rate;
    }
    const auto omega = swing_number(body.omega), beta = swing_number(body.beta);
    const V swung = swing(omega, state.u);
    twist.r = Eigen::Map<const V>(v.data() + member.v) + A * (swung + u_dot);
    state.bias.r = A * (swing(omega, V(swung + 2 * u_dot)) + swing(beta, state.u));
    if constexpr (D == 2) {
      twist.omega = body.omega[0] + turn_rate[0];
      state.bias.omega = 0;
    } else {
      SpinVec turn = SpinVec::Zero();
      for (size_t k = 0; k < section.columns.size(); ++k)
        turn += section.turn.col(Eigen::Index(k)) * body.eta[section.columns[k]];
      const SectionTurn<double> c(turn.squaredNorm());
      const Vec3 swept = turn.cross(turn_rate);
      const Vec3 tau_dot = turn.dot(turn_rate) * (c.d1 * swept + c.d2 * turn.cross(swept)) +
                           c.c2 * turn_rate.cross(swept);  // (2)
      twist.omega = A * (body.omega + tau);
      state.bias.omega = A * (body.omega.cross(tau) + tau_dot + body.beta);
    }
    return;
  }
  const double* own = v.data() + slot.columns.front();
  twist.r.setZero();
  for (int i = 0; i < slot.h.size(); ++i) twist.r += slot.h[i] * Eigen::Map<const V>(own + D * i);
  state.bias.r.setZero();
  if (slot.dh.size() == 0) return;
  V slope_rate = V::Zero();
  for (int i = 0; i < slot.dh.size(); ++i) slope_rate += slot.dh[i] * Eigen::Map<const V>(own + D * i);
  const double aa = state.slope.squaredNorm();  // (4)
  twist.omega = moment_of<double>(state.slope, slope_rate) / aa;
  state.bias.omega = -2 * state.slope.dot(slope_rate) / aa * twist.omega;
}

template <class Attitude>
void FlexibleSystem<Attitude>::spread(int index,
                                      ConstVec q,
                                      const V& force,
                                      const SpinOf<double, D>& moment,
                                      const Work& work,
                                      double* out) const {
  const Slot& slot = slots_[size_t(index)];
  if (slot.kind == Kind::ground) return;
  const Member& member = members_[size_t(slot.member)];
  if (slot.kind == Kind::cable) {
    V couple = V::Zero();
    if (slot.dh.size() > 0) {
      const V& slope = work.slots[size_t(index)].slope;
      couple = swing(moment, slope) / slope.squaredNorm();
    }
    for (int i = 0; i < slot.h.size(); ++i)
      for (int k = 0; k < D; ++k)
        out[D * i + k] = slot.h[i] * force[k] + (slot.dh.size() > 0 ? slot.dh[i] * couple[k] : 0.0);
    return;
  }
  for (int k = 0; k < D; ++k) out[k] = force[k];
  if (slot.kind == Kind::point) return;
  const double* p = q.data() + member.q + D;
  const FrameOf<double, D>& frame =
      slot.kind == Kind::floating ? work.floating[size_t(member.index)].frame : work.frames[size_t(index)];
  const auto& A = axes_of(frame);
  SpinVec moment_body;
  if constexpr (D == 2)
    moment_body[0] = moment;
  else
    moment_body = A.transpose() * moment;
  SpinVec turning = moment_body;
  V force_body = V::Zero();
  if (slot.kind == Kind::floating) {
    force_body = A.transpose() * force;
    turning += spin_vector(moment_of<double>(work.slots[size_t(index)].u, force_body));
  }
  Eigen::Map<Eigen::Matrix<double, kW, 1>>{out + D} = rate_matrix<Attitude>(p).transpose() * turning;
  if (slot.kind != Kind::floating) return;
  const auto& section = slot.section;
  const Mat& turn = D == 2 ? section.turn : work.slots[size_t(index)].turn_rates;
  for (size_t k = 0; k < section.columns.size(); ++k)
    out[size_t(kV) + k] =
        section.U.col(Eigen::Index(k)).dot(force_body) + turn.col(Eigen::Index(k)).dot(moment_body);
}

template <class Attitude>
void FlexibleSystem<Attitude>::place(ConstVec q, Work& work) const {
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    const double* own = q.data() + member.q;
    if (member.kind == Kind::point) work.frames[size_t(i)].r = Eigen::Map<const V>(own);
    if (member.kind == Kind::rigid) Attitude::place(own, work.frames[size_t(i)]);
    if (member.kind == Kind::floating) {
      FloatingState& state = work.floating[size_t(member.index)];
      Attitude::place(own, state.frame);
      state.eta = q.segment(member.q + kQ, member.nq - kQ);
      floating_[size_t(member.index)].place(state.eta, state.work);
    }
    if (member.kind == Kind::floating || member.kind == Kind::cable) place_slot(i, q, work);
  }
  for (int i = bodies() + 1; i < moving_slots(); ++i) place_slot(i, q, work);
  for (size_t k = 0; k < work.s.size(); ++k) {
    if constexpr (Attitude::counts_turns)
      work.s[k] = work.frames[size_t(parts_.scalars[k].b.origin.body)].theta;
    else
      work.s[k] = q[layout_.nq - massless() + int(k)];
  }
  parts_.place_markers(work);
}

template <class Attitude>
void FlexibleSystem<Attitude>::move(ConstVec q, ConstVec v, Work& work) const {
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    const double *p = q.data() + member.q + D, *own = v.data() + member.v;
    TwistOf<double, D>& twist = work.twists[size_t(i)];
    if (member.kind == Kind::point || member.kind == Kind::rigid) twist.r = Eigen::Map<const V>(own);
    if (member.kind == Kind::rigid) {
      twist.omega = Attitude::omega(work.frames[size_t(i)], p, own + D);
      if constexpr (Attitude::normalisation_row) {
        const Mat3& R = work.frames[size_t(i)].R;
        work.slots[size_t(i)].bias.omega = R * Attitude::bias_body(p, own + D, R.transpose() * twist.omega);
      }
    }
    if (member.kind == Kind::floating) {
      FloatingState& state = work.floating[size_t(member.index)];
      state.omega = rate_matrix<Attitude>(p) * Eigen::Map<const Eigen::Matrix<double, kW, 1>>(own + D);
      if constexpr (Attitude::normalisation_row) state.beta = Attitude::bias_body(p, own + D, state.omega);
    }
    if (member.kind == Kind::floating || member.kind == Kind::cable) move_slot(i, v, work);
  }
  for (int i = bodies() + 1; i < moving_slots(); ++i) move_slot(i, v, work);
  for (size_t k = 0; k < work.s.size(); ++k) {
    if constexpr (Attitude::counts_turns)
      work.sdot[k] = work.twists[size_t(parts_.scalars[k].b.origin.body)].omega;
    else
      work.sdot[k] = v[layout_.nv - massless() + int(k)];
  }
}

// ṗ = ½ Lᵀ(p) ω is linear in p; P = 2 L/|p|²; all else is its own derivative.
template <class Attitude>
void FlexibleSystem<Attitude>::kinematic_tangents(double t,
                                                  ConstVec q,
                                                  ConstVec v,
                                                  KinematicTangents& out) const {
  if constexpr (Attitude::vector_space) {
    DescriptorSystem::kinematic_tangents(t, q, v, out);
  } else {
    const bool is_new = out.T.rows() != layout_.nq;
    std::vector<Eigen::Triplet<double>> entries[3];  // T, N, P, row by row
    double* values[] = {out.T.valuePtr(), out.N.valuePtr(), out.P.valuePtr()};
    const auto put = [&](int which, int i, int j, double value) {
      if (is_new)
        entries[which].emplace_back(i, j, value);
      else
        *values[which]++ = value;
    };
    const auto same = [&](int first_q, int first_v, int count) {
      for (int k = 0; k < count; ++k) {
        put(0, first_q + k, first_v + k, 1);
        put(2, first_v + k, first_q + k, 1);
      }
    };
    for (const Member& member : members_) {
      if (!member.turns()) {
        same(member.q, member.v, member.nv);
        continue;
      }
      same(member.q, member.v, D);
      const int at = member.q + D, to = member.v + D;
      const Quat p = q.segment<4>(at);
      const Eigen::Matrix<double, 3, 4> L = body_rate_matrix(p);
      Eigen::Matrix4d by_p;
      for (int k = 0; k < 4; ++k)
        by_p.col(k) = 0.5 * body_rate_matrix(Quat::Unit(k)).transpose() * v.segment<3>(to);
      for (int k = 0; k < 4; ++k) {
        for (int l = 0; l < 3; ++l) put(0, at + k, to + l, 0.5 * L(l, k));
        for (int l = 0; l < 4; ++l) put(1, at + k, at + l, by_p(k, l));
      }
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) put(2, to + k, at + l, 2 * L(k, l) / p.squaredNorm());
      same(member.q + kQ, member.v + kV, member.nv - kV);
    }
    same(layout_.nq - massless(), layout_.nv - massless(), massless());
    if (!is_new) return;
    SparseRows* matrices[] = {&out.T, &out.N, &out.P};
    const int rows[] = {layout_.nq, layout_.nq, layout_.nv}, columns[] = {layout_.nv, layout_.nq, layout_.nq};
    for (int k = 0; k < 3; ++k) {
      matrices[k]->resize(rows[k], columns[k]);
      matrices[k]->setFromTriplets(entries[k].begin(), entries[k].end());
    }
  }
}

}  // namespace driftless
