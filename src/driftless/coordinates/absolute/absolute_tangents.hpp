// Tangents (system/tangents/tangents.hpp) of a mechanism in absolute coordinates, exact: elements by jets (element_jets.hpp), seeded
// with the coordinates of one body at a time, then every body by itself. With w_b the wrench on body b of rows and forces, as
// residual, and E_b how its coordinates make its twist,
//   ρ_b = E_bᵀ (inertia_b + w_b):   δρ_b = E_bᵀ δw_b, element by element,   + δ(E_bᵀ (inertia_b + w_b)), w_b fixed         (1)
// Patterns: bodies that share an element meet in K, those that share a force in C, those of a row in its row.
#pragma once

#include "driftless/coordinates/mechanism/attitude_jets.hpp"
#include "driftless/coordinates/mechanism/block_pattern.hpp"
#include "driftless/coordinates/mechanism/element_jets.hpp"
#include "driftless/system/tangents/tangents.hpp"

namespace driftless {

template <class Attitude>
class AbsoluteTangents final : public TangentWork {
 public:
  static constexpr int D = Attitude::dimension;
  // `row_at` says where the rows of the mechanism stand in the layout.
  template <class RowAt>
  AbsoluteTangents(const Parts<D>& parts, const Layout& layout, RowAt&& row_at, Tangents& out);

  // λ but for rows that are not in force in `mode`, which are zero; for others to add to what acts along those.
  Vec& acting(ConstVec lambda, const Mode* mode);
  // At (t, q, v) with accelerations a and multipliers lambda; `work` as position() and force() leave it there. L, S_q and S_v of rows
  // that are not in force are zeros, as in the terms.
  void fill(double t,
            ConstVec q,
            ConstVec v,
            ConstVec a,
            ConstVec lambda,
            const WorkOf<D>& work,
            const Mode* mode,
            Tangents& out);

 private:
  static constexpr int kTurn = Attitude::width, kV = D + kTurn, kQ = D + Attitude::positions;
  static constexpr bool kNormRow = Attitude::normalisation_row;
  using Jets = ElementJets<D, kV>;
  using S = typename Jets::S;
  using A = AttitudeJets<Attitude>;
  using Place = BlockPattern::Place;

  // Places of what an element hands out: slot by slot that is seeded, what it gives to its slots, and to its rows.
  struct Places {
    std::vector<Place> on_slots, on_rows;
  };

  static std::vector<int> scalar_slots(const Parts<D>& parts) {
    std::vector<int> slots;
    for (size_t k = 0; k < parts.scalars.size(); ++k) {
      if constexpr (Attitude::counts_turns)
        slots.push_back(parts.scalars[k].b.origin.body);
      else
        slots.push_back(static_cast<int>(parts.bodies() + k));
    }
    return slots;
  }
  int slot_start(int slot) const { return slot <= bodies_ ? kV * slot : kV * bodies_ + slot - bodies_; }
  int width(int slot) const { return slot < bodies_ ? kV : 1; }
  void find_places(const std::vector<typename Jets::Element>& elements,
                   const BlockPattern& on_slots,
                   const BlockPattern* rows,
                   std::vector<Places>& out) const;
  void seed_q(int slot);
  void seed_v(int slot);
  void take_slots(
      const typename Jets::Element& element, const Places& places, int seeded, double sign, SparseRows& out);
  void take_row(const S& value, const Place& place, int seeded, double sign, SparseRows& out) const;
  static double norm_inertia(const InertiaOf<D>& inertia) {
    if constexpr (kNormRow)
      return Attitude::kappa(inertia);
    else
      return 0;
  }
  int index_of(const typename Jets::Element& element, int slot) const;
  void find_motion(const WorkOf<D>& work, bool forces);
  void own_terms(int body, Tangents& out);
  void norm_terms(int body, ConstVec lambda, Tangents& out);

  const Parts<D>& parts_;
  const int bodies_, scalars_;  // scalars that are coordinates of their own
  const double length_;
  std::vector<int> row_at_;
  int norm_row_ = 0;  // first of them
  Jets jets_;
  std::vector<Places> block_places_, force_places_, velocity_places_;
  std::vector<Place> own_K_, own_C_, norm_rows_;
  Vec lambda_;  // of the rows of the mechanism
  Vec acting_;  // of all rows
  const double *q_ = nullptr, *v_ = nullptr, *a_ = nullptr;
  std::vector<TwistOf<double, D>> accelerations_;
  std::vector<double> sddot_;
  std::vector<SpinOf<double, D>> moments_;                          // of w_b
  std::vector<Eigen::Matrix<double, kTurn, D == 3 ? 3 : 1>> pull_;  // rotational part of E_bᵀ
};

template <class Attitude>
template <class RowAt>
AbsoluteTangents<Attitude>::AbsoluteTangents(const Parts<D>& parts,
                                             const Layout& layout,
                                             RowAt&& row_at,
                                             Tangents& out)
    : parts_(parts),
      bodies_(static_cast<int>(parts.bodies())),
      scalars_(Attitude::counts_turns ? 0 : static_cast<int>(parts.scalars.size())),
      length_(layout.length),
      jets_(parts, scalar_slots(parts)),
      lambda_(parts.rows.rows()),
      accelerations_(parts.bodies() + 1),
      sddot_(parts.scalars.size()),
      moments_(parts.bodies() + 1),
      pull_(parts.bodies()) {
  for (int row = 0; row < parts.rows.rows(); ++row) row_at_.push_back(row_at(row));
  norm_row_ = parts.rows.holonomic_rows();
  const int slots = bodies_ + scalars_;
  std::vector<int> starts, rows;
  for (int slot = 0; slot <= slots; ++slot) starts.push_back(slot_start(slot));
  for (int row = 0; row <= layout.m; ++row) rows.push_back(row);
  BlockPattern K(starts, starts), C(starts, starts), L(rows, starts);
  for (int body = 0; body < bodies_; ++body) {
    K.touch(body, body);
    C.touch(body, body);
    if (kNormRow) L.touch(norm_row_ + body, body);
  }
  const auto meet = [](const auto& element, BlockPattern& pattern) {
    for (const int i : element.slots)
      for (const int j : element.slots) pattern.touch(i, j);
  };
  for (const auto& element : jets_.blocks()) {
    meet(element, K);
    if (!parts.switched.empty()) meet(element, C);  // of rows that slide
    for (const int slot : element.slots)
      for (int k = 0; k < element.rows; ++k) L.touch(row_at_[size_t(element.row + k)], slot);
  }
  for (const auto& element : jets_.forces()) {
    meet(element, K);
    meet(element, C);
  }
  for (BlockPattern* pattern : {&K, &C, &L}) pattern->finish();
  find_places(jets_.blocks(), K, &L, block_places_);
  find_places(jets_.forces(), K, nullptr, force_places_);
  find_places(jets_.forces(), C, nullptr, velocity_places_);
  for (int body = 0; body < bodies_; ++body) {
    own_K_.push_back(K.place(body, body));
    own_C_.push_back(C.place(body, body));
    if (kNormRow) norm_rows_.push_back(L.place(norm_row_ + body, body));
  }
  if (out.parts.dynamics || out.parts.reactions) out.K = K.matrix();
  if (out.parts.dynamics) out.C = C.matrix();
  if (out.parts.velocity) out.L = L.matrix();
  if (out.parts.acceleration) out.S_q = out.S_v = L.matrix();
}

template <class Attitude>
void AbsoluteTangents<Attitude>::find_places(const std::vector<typename Jets::Element>& elements,
                                             const BlockPattern& on_slots,
                                             const BlockPattern* rows,
                                             std::vector<Places>& out) const {
  for (const auto& element : elements) {
    Places& places = out.emplace_back();
    for (const int seeded : element.slots) {
      for (const int slot : element.slots) places.on_slots.push_back(on_slots.place(slot, seeded));
      for (int k = 0; rows != nullptr && k < element.rows; ++k)
        places.on_rows.push_back(rows->place(row_at_[size_t(element.row + k)], seeded));
    }
  }
}

template <class Attitude>
void AbsoluteTangents<Attitude>::seed_q(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.s(k).d[slot < bodies_ ? D : 0] = 1;
  if (slot >= bodies_) return;
  auto& frame = jets_.frame(slot);
  for (int k = 0; k < D; ++k) frame.r[k].d[size_t(k)] = 1;
  S v[kTurn], a[kTurn];
  for (int k = 0; k < kTurn; ++k) {
    v[k] = v_[kV * slot + D + k];
    a[k] = a_[kV * slot + D + k];
  }
  A::template move<S>(A::template seeded<S>(q_ + kQ * slot + D, D), v, a, frame, jets_.twist(slot).omega,
                      jets_.acceleration(slot).omega);
}

template <class Attitude>
void AbsoluteTangents<Attitude>::seed_v(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.sdot(k).d[slot < bodies_ ? D : 0] = 1;
  if (slot >= bodies_) return;
  for (int k = 0; k < D; ++k) jets_.twist(slot).r[k].d[size_t(k)] = 1;
  S v[kTurn], a[kTurn];
  for (int k = 0; k < kTurn; ++k) {
    v[k] = v_[kV * slot + D + k];
    v[k].d[size_t(D + k)] = 1;
    a[k] = a_[kV * slot + D + k];
  }
  A::template move<S>(A::template constant<S>(q_ + kQ * slot + D), v, a, jets_.frame(slot),
                      jets_.twist(slot).omega, jets_.acceleration(slot).omega);
}

template <class Attitude>
int AbsoluteTangents<Attitude>::index_of(const typename Jets::Element& element, int slot) const {
  return static_cast<int>(std::find(element.slots.begin(), element.slots.end(), slot) -
                          element.slots.begin());
}

// E_bᵀ δw_b of (1).
template <class Attitude>
void AbsoluteTangents<Attitude>::take_slots(
    const typename Jets::Element& element, const Places& places, int seeded, double sign, SparseRows& out) {
  const auto first = size_t(index_of(element, seeded)) * element.slots.size();
  const int columns = width(seeded);
  for (size_t i = 0; i < element.slots.size(); ++i) {
    const int slot = element.slots[i];
    const Place& place = places.on_slots[first + i];
    for (const int k : element.scalars) {
      if (jets_.slot_of(k) != slot) continue;
      double* values = out.valuePtr() + place.offset + (slot < bodies_ ? D * place.stride : 0);
      for (int c = 0; c < columns; ++c) values[c] += sign * jets_.load(k).d[size_t(c)];
    }
    if (slot >= bodies_) continue;
    double* values = out.valuePtr() + place.offset;
    const auto& wrench = jets_.wrench(slot);
    for (int k = 0; k < D; ++k, values += place.stride)
      for (int c = 0; c < columns; ++c) values[c] += sign * wrench.force[k].d[size_t(c)];
    const auto& pull = pull_[size_t(slot)];
    for (int k = 0; k < kTurn; ++k, values += place.stride)
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        if constexpr (D == 3)
          for (int l = 0; l < 3; ++l) sum += pull(k, l) * wrench.moment[l].d[size_t(c)];
        else
          sum = pull(k, 0) * wrench.moment.d[size_t(c)];
        values[c] += sign * sum;
      }
  }
}

template <class Attitude>
void AbsoluteTangents<Attitude>::take_row(
    const S& value, const Place& place, int seeded, double sign, SparseRows& out) const {
  double* values = out.valuePtr() + place.offset;
  for (int c = 0; c < width(seeded); ++c) values[c] += sign * value.d[size_t(c)];
}

template <class Attitude>
Vec& AbsoluteTangents<Attitude>::acting(ConstVec lambda, const Mode* mode) {
  acting_ = lambda;
  if (mode != nullptr)
    for (const int row : mode->inactive) acting_[row] = 0;
  return acting_;
}

template <class Attitude>
void AbsoluteTangents<Attitude>::fill(double t,
                                      ConstVec q,
                                      ConstVec v,
                                      ConstVec a,
                                      ConstVec lambda,
                                      const WorkOf<D>& work,
                                      const Mode* mode,
                                      Tangents& out) {
  q_ = q.data();
  v_ = v.data();
  a_ = a.data();
  const bool forces = out.parts.dynamics, reactions = forces || out.parts.reactions;
  for (SparseRows* matrix : {&out.K, &out.C, &out.L, &out.S_q, &out.S_v})
    std::fill(matrix->valuePtr(), matrix->valuePtr() + matrix->nonZeros(), 0.0);
  for (int row = 0; row < lambda_.size(); ++row) lambda_[row] = lambda[row_at_[size_t(row)]];
  find_motion(work, forces);
  jets_.stand(t, work, accelerations_, sddot_);

  JetParts wanted{.reactions = reactions,
                  .forces = forces,
                  .velocity = out.parts.velocity,
                  .acceleration = out.parts.acceleration};
  const auto take_rows = [&](const auto& element, const Places& places, int slot, bool by_q) {
    const auto first = size_t(index_of(element, slot)) * size_t(element.rows);
    for (int k = 0; k < element.rows; ++k) {
      const Place& place = places.on_rows[first + size_t(k)];
      if (wanted.velocity) take_row(jets_.velocity_row(k), place, slot, 1, out.L);
      if (wanted.acceleration) take_row(jets_.acceleration_row(k), place, slot, -1, by_q ? out.S_q : out.S_v);
    }
  };
  jets_.run_blocks(
      wanted, lambda_.data(), [&](int slot) { seed_q(slot); },
      [&](int index, const auto& element, int slot) {
        const Places& places = block_places_[size_t(index)];
        if (reactions) take_slots(element, places, slot, 1, out.K);
        take_rows(element, places, slot, true);
      });
  if (forces) {
    jets_.run_forces([&](int slot) { seed_q(slot); },
                     [&](int index, const auto& element, int slot) {
                       take_slots(element, force_places_[size_t(index)], slot, -1, out.K);
                     });
    jets_.run_forces([&](int slot) { seed_v(slot); },
                     [&](int index, const auto& element, int slot) {
                       take_slots(element, velocity_places_[size_t(index)], slot, -1, out.C);
                     });
  }
  if (wanted.acceleration) {
    wanted = {.acceleration = true};
    jets_.run_blocks(
        wanted, lambda_.data(), [&](int slot) { seed_v(slot); },
        [&](int index, const auto& element, int slot) {
          take_rows(element, block_places_[size_t(index)], slot, false);
        });
  }
  for (int body = 0; body < bodies_; ++body) {
    if (reactions) own_terms(body, out);
    if constexpr (kNormRow) norm_terms(body, lambda, out);
  }
  if (mode == nullptr) return;
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v})
    for (const int row : mode->inactive)
      if (matrix->nonZeros() > 0)
        std::fill(matrix->valuePtr() + matrix->outerIndexPtr()[row],
                  matrix->valuePtr() + matrix->outerIndexPtr()[row + 1], 0.0);
}

// Accelerations, the moments of w_b, and E_b.
template <class Attitude>
void AbsoluteTangents<Attitude>::find_motion(const WorkOf<D>& work, bool forces) {
  for (int body = 0; body < bodies_; ++body) {
    const auto i = size_t(body);
    const double* turning = a_ + kV * body + D;
    FrameOf<double, D> frame;
    SpinOf<double, D> omega;
    const auto state = A::template constant<double>(q_ + kQ * body + D);
    accelerations_[i].r = Eigen::Map<const VecOf<double, D>>(a_ + kV * body);
    A::template move<double>(state, v_ + kV * body + D, turning, frame, omega, accelerations_[i].omega);
    for (int k = 0; k < pull_[i].cols(); ++k) {
      if constexpr (D == 3)
        pull_[i].col(k) = A::template pull<double>(state, Vec3::Unit(k));
      else
        pull_[i].col(k) = A::template pull<double>(state, 1.0);
    }
    moments_[i] = forces ? SpinOf<double, D>(-work.wrenches[i].moment) : no_spin<D>();
  }
  for (size_t k = 0; k < sddot_.size(); ++k) {
    const int slot = jets_.slot_of(static_cast<int>(k));
    sddot_[k] = a_[slot < bodies_ ? kV * slot + D : slot_start(slot)];
  }
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<D>& marker = parts_.markers[size_t(pairs[k].of)];
    const VecOf<double, D> push = lambda_[pairs[k].row] * work.dx[k];
    moments_[size_t(marker.body)] += moment_of(work.frames[size_t(marker.body)].turn(marker.at), push);
  }
}

// The second term of (1).
template <class Attitude>
void AbsoluteTangents<Attitude>::own_terms(int body, Tangents& out) {
  const auto i = size_t(body);
  const double* p = q_ + kQ * body + D;
  const auto add = [&](const typename A::template State<S>& state, bool by_q, const Place& place,
                       SparseRows& matrix) {
    S v[kTurn], a[kTurn];
    for (int k = 0; k < kTurn; ++k) {
      v[k] = v_[kV * body + D + k];
      if (!by_q) v[k].d[size_t(D + k)] = 1;
      a[k] = a_[kV * body + D + k];
    }
    FrameOf<S, D> frame;
    SpinOf<S, D> omega, alpha, moment;
    A::template move<S>(state, v, a, frame, omega, alpha);
    if constexpr (D == 3)
      moment = moments_[i].template cast<S>();
    else
      moment = S(moments_[i]);
    if (out.parts.dynamics) moment += inertia_moment<S>(frame, parts_.inertias[i], omega, alpha);
    const auto pulled = A::template pull<S>(state, moment);
    double* values = matrix.valuePtr() + place.offset + D * place.stride;
    for (int k = 0; k < kTurn; ++k, values += place.stride)
      for (int c = D; c < kV; ++c) values[c] += pulled[k].d[size_t(c)];
  };
  add(A::template seeded<S>(p, D), true, own_K_[i], out.K);
  if (out.parts.dynamics) add(A::template constant<S>(p), false, own_C_[i], out.C);
}

// |p|² = 1 as l (|p|² − 1)/2, and the inertia κ along p: (5) of absolute_system.hpp.
template <class Attitude>
void AbsoluteTangents<Attitude>::norm_terms(int body, ConstVec lambda, Tangents& out) {
  const auto i = size_t(body);
  using P = Eigen::Map<const Eigen::Matrix<double, kTurn, 1>>;
  const P p(q_ + kQ * body + D), v(v_ + kV * body + D), a(a_ + kV * body + D);
  const auto entry = [&](SparseRows& matrix, const Place& place, int k, int c) -> double& {
    return matrix.valuePtr()[place.offset + (D + k) * place.stride + D + c];
  };
  if (out.parts.dynamics || out.parts.reactions)
    for (int k = 0; k < kTurn; ++k) entry(out.K, own_K_[i], k, k) += lambda[norm_row_ + body] * length_;
  if (out.parts.dynamics) {  // κ p (p·a + |v|²)
    const double kappa = norm_inertia(parts_.inertias[i]), sum = p.dot(a) + v.squaredNorm();
    for (int k = 0; k < kTurn; ++k) {
      entry(out.K, own_K_[i], k, k) += kappa * sum;
      for (int c = 0; c < kTurn; ++c) {
        entry(out.K, own_K_[i], k, c) += kappa * p[k] * a[c];
        entry(out.C, own_C_[i], k, c) += 2 * kappa * p[k] * v[c];
      }
    }
  }
  for (int c = 0; c < kTurn; ++c) {
    const int at = norm_rows_[i].offset + D + c;
    if (out.parts.velocity) out.L.valuePtr()[at] += length_ * v[c];
    if (!out.parts.acceleration) continue;
    out.S_q.valuePtr()[at] -= length_ * a[c];
    out.S_v.valuePtr()[at] -= 2 * length_ * v[c];
  }
}

}  // namespace driftless
