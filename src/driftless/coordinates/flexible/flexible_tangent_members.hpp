// What members of a FlexibleSystem add to its tangents by themselves, flexible_tangents.hpp (2). For flexible_tangents.cpp only.
#pragma once

#include <algorithm>

#include "driftless/coordinates/flexible/flexible_tangents.hpp"

namespace driftless {

// Inertia of a rigid body: E_bᵀ (m r̈, I ω̇ + ω × I ω).
template <class Attitude>
void FlexibleTangents<Attitude>::rigid_terms(int index, Tangents& out) {
  const auto& member = system_.members_[size_t(index)];
  const double *p = q_ + member.q + D, *v = v_ + member.v + D, *a = a_ + member.v + D;
  const auto add = [&](const typename Att::template State<Z>& state, bool by_rate, const Entries& entries,
                       SparseRows& matrix) {
    Z rates[kW], accelerations[kW];
    for (int k = 0; k < kW; ++k) {
      rates[k] = Z(v[k]);
      if (by_rate) rates[k].d[size_t(D + k)] = 1;
      accelerations[k] = Z(a[k]);
    }
    FrameOf<Z, D> frame;
    SpinOf<Z, D> omega, alpha;
    Att::template move<Z>(state, rates, accelerations, frame, omega, alpha);
    const auto pulled =
        Att::template pull<Z>(state, inertia_moment<Z>(frame, parts_.inertias[size_t(index)], omega, alpha));
    for (int r = 0; r < kW; ++r)
      for (int c = D; c < kV; ++c)
        matrix.valuePtr()[entries[size_t((D + r) * kV + c)]] += pulled[r].d[size_t(c)];
  };
  add(Att::template seeded<Z>(p, D), false, own_K_[size_t(index)], out.K);
  add(Att::template constant<Z>(p), true, own_C_[size_t(index)], out.C);
}

// (2): ρ_R and ρ_ω of floating_tangents.hpp turned into coordinates, A ρ_R and E_attᵀ A ρ_ω.
template <class Attitude>
void FlexibleTangents<Attitude>::floating_terms(int index, typename System::Work& work, Tangents& out) {
  const auto& member = system_.members_[size_t(index)];
  Floating& own = floating_[size_t(member.index)];
  auto& state = work.floating[size_t(member.index)];
  const auto n = Eigen::Index(member.nv - kV);
  const double *p = q_ + member.q + D, *v = v_ + member.v + D, *a = a_ + member.v + D;
  const auto body_spin = [](const FrameOf<double, D>& frame, const SpinOf<double, D>& spin) {
    if constexpr (D == 2)
      return Eigen::Matrix<double, 1, 1>(spin);
    else
      return Vec3(frame.turn_back(spin));
  };
  FrameOf<double, D> frame;
  SpinOf<double, D> omega, alpha;
  const auto at_rest = Att::template constant<double>(p);
  Att::template move<double>(at_rest, v, a, frame, omega, alpha);
  own.at.a = frame.turn_back(VecOf<double, D>(Eigen::Map<const VecOf<double, D>>(a_ + member.v)));
  own.at.omega = body_spin(frame, omega);
  own.at.alpha = body_spin(frame, alpha);
  own.at.eta = Eigen::Map<const Vec>(q_ + member.q + kQ, n);
  own.at.rates = Eigen::Map<const Vec>(v_ + member.v + kV, n);
  own.at.accelerations = Eigen::Map<const Vec>(a_ + member.v + kV, n);
  FloatingTangents<D>& tangents = *own.tangents;
  tangents.fill(own.at, state.work);

  // Along the attitude, then along its rates: jets of a, α, ω in body axes, and of what turns ρ back.
  const auto add_frame = [&](bool by_rate, const Entries& square, const Entries& eta_frame,
                             SparseRows& matrix) {
    Z rates[kW], accelerations[kW];
    for (int k = 0; k < kW; ++k) {
      rates[k] = Z(v[k]);
      if (by_rate) rates[k].d[size_t(D + k)] = 1;
      accelerations[k] = Z(a[k]);
    }
    const auto attitude = by_rate ? Att::template constant<Z>(p) : Att::template seeded<Z>(p, D);
    FrameOf<Z, D> turned;
    SpinOf<Z, D> w, al;
    Att::template move<Z>(attitude, rates, accelerations, turned, w, al);
    const VecOf<Z, D> place =
        turned.turn_back(VecOf<Z, D>(Eigen::Map<const VecOf<double, D>>(a_ + member.v).template cast<Z>()));
    Z inputs[D + 2 * kSpin];
    for (int k = 0; k < D; ++k) inputs[k] = place[k];
    if constexpr (D == 2) {
      inputs[D] = al;
      inputs[D + 1] = w;
    } else {
      const VecOf<Z, 3> al_body = turned.turn_back(al), w_body = turned.turn_back(w);
      for (int k = 0; k < 3; ++k) {
        inputs[D + k] = al_body[k];
        inputs[D + 3 + k] = w_body[k];
      }
    }
    Z rho[kWrench];
    for (int r = 0; r < kWrench; ++r) {
      rho[r] = Z(r < D ? tangents.rho_R[r] : tangents.rho_w[r - D]);
      for (int k = 0; k < D + 2 * kSpin; ++k)
        for (int c = D; c < kV; ++c) rho[r].d[size_t(c)] += tangents.frame(r, k) * inputs[k].d[size_t(c)];
    }
    VecOf<Z, D> force;
    for (int k = 0; k < D; ++k) force[k] = rho[k];
    force = VecOf<Z, D>(turned.turn_by(force));
    SpinOf<Z, D> moment;
    if constexpr (D == 2)
      moment = rho[D];
    else
      moment = turned.turn_by(VecOf<Z, 3>(rho[3], rho[4], rho[5]));
    const auto pulled = Att::template pull<Z>(attitude, moment);
    for (int r = 0; r < kV; ++r)
      for (int c = D; c < kV; ++c)
        matrix.valuePtr()[square[size_t(r * kV + c)]] += (r < D ? force[r] : pulled[r - D]).d[size_t(c)];
    for (Eigen::Index j = 0; j < n; ++j)
      for (int c = D; c < kV; ++c) {
        double sum = 0;
        for (int k = 0; k < D + 2 * kSpin; ++k) sum += tangents.eta_by_frame(j, k) * inputs[k].d[size_t(c)];
        matrix.valuePtr()[eta_frame[size_t(j * kV + c)]] += sum;
      }
  };
  add_frame(false, own_K_[size_t(index)], own.K_eta_frame, out.K);
  add_frame(true, own_C_[size_t(index)], own.C_eta_frame, out.C);

  const auto add_eta = [&](const Mat& rows, const Entries& frame_eta, SparseRows& matrix) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const VecOf<double, D> force = frame.turn_by(VecOf<double, D>(rows.col(j).template head<D>()));
      SpinOf<double, D> moment;
      if constexpr (D == 2)
        moment = rows(D, j);
      else
        moment = frame.turn_by(Vec3(rows.col(j).template tail<3>()));
      const auto pulled = Att::template pull<double>(at_rest, moment);
      for (int r = 0; r < kV; ++r)
        matrix.valuePtr()[frame_eta[size_t(r * n + j)]] += r < D ? force[r] : pulled[r - D];
    }
  };
  add_eta(tangents.by_eta, own.K_frame_eta, out.K);
  add_eta(tangents.by_rates, own.C_frame_eta, out.C);
  for (size_t k = 0; k < own.K_eta.size(); ++k) {
    out.K.valuePtr()[own.K_eta[k]] += tangents.K_eta.valuePtr()[k];
    out.C.valuePtr()[own.C_eta[k]] += tangents.C_rate.valuePtr()[k];
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::cable_terms(int index, ConstVec q, Tangents& out) {
  const auto& member = system_.members_[size_t(index)];
  auto& hessians = hessians_[size_t(member.index)];
  system_.cables_[size_t(member.index)].element_hessians(q.segment(member.q, member.nq), hessians);
  size_t next = 0;
  for (const auto& block : hessians)
    for (int r = 0; r < 4 * D; ++r)
      for (int c = 0; c < 4 * D; ++c) out.K.valuePtr()[own_K_[size_t(index)][next++]] += block(r, c);
  const double alpha = system_.cable_specs_[size_t(member.index)].alpha;
  if (alpha == 0) return;
  const SparseRows& M = system_.cable_masses_[size_t(member.index)];
  for (int r = 0; r < M.rows(); ++r)
    for (SparseRows::InnerIterator entry(M, r); entry; ++entry) {
      const int e = std::min(std::min(r, int(entry.col())) / (2 * D), int(hessians.size()) - 1);
      const int row = r - 2 * D * e, column = int(entry.col()) - 2 * D * e;
      out.C.valuePtr()[own_C_[size_t(index)][size_t((e * 4 * D + row) * 4 * D + column)]] +=
          alpha * entry.value();
    }
}

// |p|² = 1 as l (|p|² − 1)/2, and the inertia κ along p: (1) of flexible_system.hpp.
template <class Attitude>
void FlexibleTangents<Attitude>::norm_terms(int index, ConstVec lambda, Tangents& out) {
  const auto& member = system_.members_[size_t(index)];
  using P = Eigen::Map<const Eigen::Matrix<double, kW, 1>>;
  const P p(q_ + member.q + D), v(v_ + member.v + D), a(a_ + member.v + D);
  const double length = system_.layout_.length;
  const auto entry = [&](SparseRows& matrix, const Entries& entries, int k, int c) -> double& {
    return matrix.valuePtr()[entries[size_t((D + k) * kV + D + c)]];
  };
  const Entries &K = own_K_[size_t(index)], &C = own_C_[size_t(index)];
  if (out.parts.dynamics || out.parts.reactions)
    for (int k = 0; k < kW; ++k)
      entry(out.K, K, k, k) += lambda[parts_.rows.holonomic_rows() + member.norm] * length;
  if (out.parts.dynamics) {  // κ p (p·a + |v|²)
    double kappa = member.kappa;
    if constexpr (Attitude::normalisation_row)
      if (member.kind == Kind::rigid) kappa = Attitude::kappa(parts_.inertias[size_t(index)]);
    const double sum = p.dot(a) + v.squaredNorm();
    for (int k = 0; k < kW; ++k) {
      entry(out.K, K, k, k) += kappa * sum;
      for (int c = 0; c < kW; ++c) {
        entry(out.K, K, k, c) += kappa * p[k] * a[c];
        entry(out.C, C, k, c) += 2 * kappa * p[k] * v[c];
      }
    }
  }
  for (int c = 0; c < kW; ++c) {
    const int at = norm_rows_[size_t(index)][size_t(c)];
    if (out.parts.velocity) out.L.valuePtr()[at] += length * v[c];
    if (!out.parts.acceleration) continue;
    out.S_q.valuePtr()[at] -= length * a[c];
    out.S_v.valuePtr()[at] -= 2 * length * v[c];
  }
}

}  // namespace driftless
