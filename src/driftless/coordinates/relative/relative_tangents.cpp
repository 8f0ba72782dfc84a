#include "driftless/coordinates/relative/relative_tangents.hpp"

#include <algorithm>

namespace driftless {

using sweeps::cross;

// ---- elements -------------------------------------------------------------------------------------------------------

// A body displaced along a unit motion, with velocity and acceleration carried along.
template <int D>
void RelativeTangents<D>::seed_place(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.s(k).d[0] = 1;
  if (slot >= bodies_) return;
  auto& frame = jets_.frame(slot);
  auto& twist = jets_.twist(slot);
  auto& acceleration = jets_.acceleration(slot);
  for (int k = 0; k < D; ++k) frame.r[k].d[size_t(kSpin + k)] = 1;
  const FrameOf<double, D>& at = work_->frames[size_t(slot)];
  const TwistOf<double, D>&rate = work_->twists[size_t(slot)], &given = accelerations_[size_t(slot)];
  for (size_t k = 0; k < kSpin; ++k) {
    const auto unit = Space::spin(Column::Unit(int(k)));
    const Vector r = cross(unit, Vector(at.r - origin_)), rdot = cross(unit, rate.r),
                 rddot = cross(unit, given.r);
    for (int i = 0; i < D; ++i) {
      frame.r[i].d[k] = r[i];
      twist.r[i].d[k] = rdot[i];
      acceleration.r[i].d[k] = rddot[i];
    }
    if constexpr (D == 2) {
      frame.theta.d[k] = 1;
      frame.c.d[k] = -at.s;
      frame.s.d[k] = at.c;
    } else {
      const Vec3 omega = unit.cross(rate.omega), alpha = unit.cross(given.omega);
      for (int i = 0; i < 3; ++i) {
        twist.omega[i].d[k] = omega[i];
        acceleration.omega[i].d[k] = alpha[i];
        const Vec3 axis = unit.cross(Vec3(at.R.col(i)));
        for (int l = 0; l < 3; ++l) frame.R(l, i).d[k] = axis[l];
      }
    }
  }
}

// A body's motion changed by a unit, with its rate kept: r̈ = a + ω̇ × r + ω × ṙ.
template <int D>
void RelativeTangents<D>::seed_rate(int slot) {
  for (const int k : jets_.scalars_of(slot)) jets_.sdot(k).d[0] = 1;
  if (slot >= bodies_) return;
  auto& twist = jets_.twist(slot);
  auto& acceleration = jets_.acceleration(slot);
  const TwistOf<double, D>& rate = work_->twists[size_t(slot)];
  const Vector arm = work_->frames[size_t(slot)].r - origin_;
  for (size_t k = 0; k < kSize; ++k) {
    const Column unit = Column::Unit(int(k));
    const Vector rdot = Space::rest(unit) + cross(Space::spin(unit), arm),
                 rddot = cross(Space::spin(unit), rate.r) + cross(rate.omega, rdot);
    for (int i = 0; i < D; ++i) {
      twist.r[i].d[k] = rdot[i];
      acceleration.r[i].d[k] = rddot[i];
    }
    if constexpr (D == 2)
      twist.omega.d[k] = unit[0];
    else
      for (int i = 0; i < 3; ++i) twist.omega[i].d[k] = unit[i];
  }
}

template <int D>
void RelativeTangents<D>::take_wrenches(
    const Element& element, const std::vector<int>& places, int seeded, double sign, bool by_place) {
  const auto& slots = element.slots;
  const auto at = size_t(std::find(slots.begin(), slots.end(), seeded) - slots.begin());
  const int node = node_of(seeded);
  for (size_t b = 0; b < slots.size(); ++b) {
    Meeting& meeting = meetings_[size_t(node)][size_t(places[at * slots.size() + b])];
    Matrix& out = by_place ? meeting.by_place : meeting.by_rate;
    if (slots[b] >= bodies_) {
      for (const int k : jets_.scalars_of(slots[b]))
        for (int c = 0; c < kSize; ++c) out(0, c) += sign * jets_.load(k).d[size_t(c)];
      continue;
    }
    const auto& wrench = jets_.wrench(slots[b]);
    const VecOf<S, D> arm = jets_.frame(slots[b]).r - origin_.template cast<S>();
    SpinOf<S, D> T = wrench.moment + moment_of<S>(arm, wrench.force);
    if constexpr (D == 2) {
      for (const int k : element.scalars)
        if (jets_.slot_of(k) == slots[b]) T += jets_.load(k);
    }
    Column value;
    const auto take = [&](int row, const S& x) {
      value[row] = sign * x.v;
      for (int c = 0; c < kSize; ++c) out(row, c) += sign * x.d[size_t(c)];
    };
    if constexpr (D == 3)
      for (int i = 0; i < 3; ++i) take(i, T[i]);
    else
      take(0, T);
    for (int i = 0; i < D; ++i) take(kSpin + i, wrench.force[i]);
    if (!by_place) continue;
    if (b == at)  // δ'w
      for (int c = 0; c < kSize; ++c) out.col(c) -= Space::carried_wrench(Column::Unit(c), value);
    if (at == 0) wrench_[size_t(node_of(slots[b]))] += value;
  }
}

template <int D>
void RelativeTangents<D>::take_rows(const Element& element,
                                    const std::vector<int>& places,
                                    int seeded,
                                    bool by_place) {
  const auto& slots = element.slots;
  const auto at = size_t(std::find(slots.begin(), slots.end(), seeded) - slots.begin());
  for (int k = 0; k < element.rows; ++k) {
    RowMeeting& meeting =
        rows_[size_t(node_of(seeded))][size_t(places[at * size_t(element.rows) + size_t(k)])];
    for (int c = 0; c < kSize; ++c) {
      (by_place ? meeting.r_by_place : meeting.r_by_rate)[c] += jets_.velocity_row(k).d[size_t(c)];
      (by_place ? meeting.by_place : meeting.by_rate)[c] += jets_.acceleration_row(k).d[size_t(c)];
    }
  }
}

template <int D>
void RelativeTangents<D>::run_elements(double t,
                                       ConstVec lambda,
                                       const WorkOf<D>& work,
                                       const TangentParts& parts) {
  for (auto& list : meetings_)
    for (Meeting& meeting : list) {
      meeting.by_place.setZero();
      meeting.by_rate.setZero();
    }
  for (auto& list : rows_)
    for (RowMeeting& meeting : list)
      for (Column* x : {&meeting.r_by_place, &meeting.r_by_rate, &meeting.by_place, &meeting.by_rate})
        x->setZero();
  for (Column& wrench : wrench_) wrench.setZero();
  jets_.stand(t, work, accelerations_, sddot_);
  const bool reactions = parts.dynamics || parts.reactions, rows = parts.velocity || parts.acceleration;
  const auto place = [&](int slot) { seed_place(slot); };
  const auto rate = [&](int slot) { seed_rate(slot); };
  jets_.run_blocks({.reactions = reactions, .velocity = rows, .acceleration = rows}, lambda.data(), place,
                   [&](int index, const Element& element, int slot) {
                     if (reactions) take_wrenches(element, block_places_[size_t(index)], slot, 1, true);
                     if (rows) take_rows(element, block_rows_[size_t(index)], slot, true);
                   });
  if (rows)
    jets_.run_blocks({.velocity = true, .acceleration = true}, lambda.data(), rate,
                     [&](int index, const Element& element, int slot) {
                       take_rows(element, block_rows_[size_t(index)], slot, false);
                     });
  if (!parts.dynamics) return;
  jets_.run_forces(place, [&](int index, const Element& element, int slot) {
    take_wrenches(element, force_places_[size_t(index)], slot, -1, true);
  });
  jets_.run_forces(rate, [&](int index, const Element& element, int slot) {
    take_wrenches(element, force_places_[size_t(index)], slot, -1, false);
  });
}

// ---- the tree -------------------------------------------------------------------------------------------------------

template <int D>
void RelativeTangents<D>::find_motion(ConstVec v, ConstVec a, const WorkOf<D>& work, const TreeWork<D>& at) {
  work_ = &work;
  origin_ = links_ > 0 ? Vector(work.frames[size_t(tree_.link(1).slot)].r) : Vector(Vector::Zero());
  for (int i = 1; i <= links_; ++i) {
    const TreeLink& link = tree_.link(i);
    const auto& [p, u] = at.axes[size_t(i)];
    const Vector from = p - origin_;
    Column joint = Column::Zero(), rate = Column::Zero();
    for (int c = 0; c < count_of(i); ++c) {
      Column& motion = motions_[size_t(link.v + c)];
      if (link.kind == LinkKind::slide) {
        motion = Space::make(Sweep<D>::none(), u);
      } else {
        typename Space::Angular axis = Tree<D>::turning(link, u);
        if constexpr (D == 3)
          if (link.kind == LinkKind::ball) axis = at.balls[size_t(link.ball)].col(c);
        Vector shift = -cross(axis, from);
        if (link.kind == LinkKind::screw) shift += link.pitch * u;
        motion = Space::make(axis, shift);
      }
      joint += v[link.v + c] * motion;
      rate += a[link.v + c] * motion;
    }
    const Column& inboard = v_[size_t(link.parent)];
    v_[size_t(i)] = inboard + joint;
    a_[size_t(i)] = a_[size_t(link.parent)] + rate + Space::carried(inboard, joint);
  }
  for (int body = 0; body < bodies_; ++body) {
    const Column& rate = a_[size_t(tree_.link_of(body))];
    const TwistOf<double, D>& twist = work.twists[size_t(body)];
    auto& out = accelerations_[size_t(body)];
    out.omega = Space::spin(rate);
    out.r = Space::rest(rate) + cross(Space::spin(rate), Vector(work.frames[size_t(body)].r - origin_)) +
            cross(twist.omega, twist.r);
  }
  for (size_t k = 0; k < sddot_.size(); ++k) {
    if constexpr (D == 2)
      sddot_[k] = accelerations_[size_t(parts_.scalars[k].b.origin.body)].omega;
    else
      sddot_[k] = sources_[k].second * a[sources_[k].first];
  }
}

template <int D>
void RelativeTangents<D>::add_inertia(const WorkOf<D>& work, const TreeWork<D>& at) {
  const Column falling = Space::make(Sweep<D>::none(), -parts_.gravity);
  for (int i = 1; i <= links_; ++i) {
    const TreeLink& link = tree_.link(i);
    Matrix &I = inertia_[size_t(i)], &B = gyration_[size_t(i)];
    if (!(link.mass > 0)) {
      I.setZero();
      B.setZero();
      continue;
    }
    const Column& v = v_[size_t(i)];
    I = Space::inertia(link.mass, work.frames[size_t(link.slot)].r - origin_, at.inertias[size_t(i)]);
    B = Space::gyration(I, v);
    wrench_[size_t(i)] += I * (a_[size_t(i)] + falling) + Space::carried_wrench(v, I * v);
  }
}

template <int D>
void RelativeTangents<D>::sum_up(bool with_inertia) {
  for (int i = links_; i > 0; --i) {
    const TreeLink& link = tree_.link(i);
    const auto own = size_t(i), inboard = size_t(link.parent);
    if (inboard > 0) wrench_[inboard] += wrench_[own];
    if (!with_inertia) continue;
    if (inboard > 0) {
      inertia_[inboard] += inertia_[own];
      gyration_[inboard] += gyration_[own];
    }
    for (int k = link.v; k < link.v + count_of(i); ++k) {
      inertia_by_[size_t(k)].noalias() = inertia_[own] * motions_[size_t(k)];
      gyration_by_[size_t(k)].noalias() = gyration_[own].transpose() * motions_[size_t(k)];
    }
  }
}

template <int D>
void RelativeTangents<D>::gather() {
  rho_.setZero();
  for (int i = links_; i > 0; --i) {
    const TreeLink& link = tree_.link(i);
    Column& push = pushes_[size_t(i)];
    for (int k = link.v; k < link.v + count_of(i); ++k) rho_[k] = motions_[size_t(k)].dot(push);
    pushes_[size_t(link.parent)] += push;
    push.setZero();
  }
  pushes_[0].setZero();
  for (size_t k = 0; k < sources_.size(); ++k) {
    Column& push = pushes_[size_t(links_) + 1 + k];
    rho_[sources_[k].first] += sources_[k].second * push[0];
    push.setZero();
  }
}

template <int D>
void RelativeTangents<D>::put(const Entries& entries,
                              const Vec& values,
                              double sign,
                              SparseRows& matrix) const {
  for (const auto& [row, at] : entries) matrix.valuePtr()[at] = sign * values[row];
}

template <int D>
void RelativeTangents<D>::put_rows(int column, bool by_place, Tangents& out) {
  const Entries& entries = row_entries_[size_t(column)];
  if (out.parts.velocity && by_place) put(entries, r_, 1, out.L);
  if (out.parts.acceleration) put(entries, alpha_, -1, by_place ? out.S_q : out.S_v);
  r_.setZero();
  alpha_.setZero();
}

template <int D>
void RelativeTangents<D>::scalars_by_place(int column, const TangentParts& parts) {
  for (const int k : scalars_at_[size_t(column)]) {
    const auto node = size_t(links_ + 1 + k);
    const double factor = sources_[size_t(k)].second;
    if (parts.dynamics || parts.reactions)
      for (const Meeting& meeting : meetings_[node])
        pushes_[size_t(meeting.of)] += factor * meeting.by_place.col(0);
    for (const RowMeeting& meeting : rows_[node]) {
      r_[meeting.row] += factor * meeting.r_by_place[0];
      alpha_[meeting.row] += factor * meeting.by_place[0];
    }
  }
}

template <int D>
void RelativeTangents<D>::scalars_by_rate(int column, const TangentParts& parts) {
  for (const int k : scalars_at_[size_t(column)]) {
    const auto node = size_t(links_ + 1 + k);
    const double factor = sources_[size_t(k)].second;
    if (parts.dynamics)
      for (const Meeting& meeting : meetings_[node])
        pushes_[size_t(meeting.of)] += factor * meeting.by_rate.col(0);
    for (const RowMeeting& meeting : rows_[node]) alpha_[meeting.row] += factor * meeting.by_rate[0];
  }
}

template <int D>
void RelativeTangents<D>::column_by_place(int i, int component, Tangents& out) {
  const TreeLink& link = tree_.link(i);
  const int column = link.v + component;
  const bool forces = out.parts.dynamics, wrenches = forces || out.parts.reactions;
  const Column& motion = motions_[size_t(column)];
  const auto star = size_t(own_axes_[size_t(i)] ? i : link.parent);
  const Column beta = Space::carried(v_[star], motion);  // (1)
  Column kappa = Space::carried(a_[star], motion) + Space::carried(v_[star], beta);
  for (const int o : outboard(i)) {
    if (wrenches)
      for (const Meeting& meeting : meetings_[size_t(o)]) {
        Column& push = pushes_[size_t(meeting.of)];
        push.noalias() += meeting.by_place * motion;
        if (forces) push.noalias() += meeting.by_rate * beta;
      }
    if (rows_[size_t(o)].empty()) continue;
    const Column rate = kappa + Space::carried(beta, v_[size_t(o)]);
    for (const RowMeeting& meeting : rows_[size_t(o)]) {
      r_[meeting.row] += meeting.r_by_place.dot(motion) + meeting.r_by_rate.dot(beta);
      alpha_[meeting.row] +=
          meeting.by_place.dot(motion) + meeting.by_rate.dot(beta) + meeting.r_by_rate.dot(rate);
    }
  }
  scalars_by_place(column, out.parts);
  put_rows(column, true, out);
  if (!wrenches) return;
  const Column carried = Space::carried_wrench(motion, wrench_[size_t(i)]);  // (4)
  Column& push = pushes_[size_t(i)];
  push += carried;
  if (forces) {
    kappa += Space::carried(Space::make(Sweep<D>::none(), -parts_.gravity), motion);
    push.noalias() += inertia_[size_t(i)] * kappa;
    push.noalias() += gyration_[size_t(i)] * beta;
  }
  gather();
  if (forces)
    for (const int o : outboard(i)) {  // (3)
      if (o == i) continue;
      const TreeLink& outer = tree_.link(o);
      for (int k = outer.v; k < outer.v + count_of(o); ++k)
        rho_[k] += inertia_by_[size_t(k)].dot(kappa) + gyration_by_[size_t(k)].dot(beta);
    }
  if (count_of(i) > 1 && !own_axes_[size_t(i)])
    for (int k = link.v; k < link.v + count_of(i); ++k) rho_[k] -= motions_[size_t(k)].dot(carried);
  put(K_[size_t(column)], rho_, 1, out.K);
}

template <int D>
void RelativeTangents<D>::column_by_rate(int i, int component, Tangents& out) {
  const TreeLink& link = tree_.link(i);
  const int column = link.v + component;
  const Column& motion = motions_[size_t(column)];
  const Column kappa = Space::carried(v_[size_t(link.parent)] + v_[size_t(i)], motion);  // (2)
  for (const int o : outboard(i)) {
    if (out.parts.dynamics)
      for (const Meeting& meeting : meetings_[size_t(o)])
        pushes_[size_t(meeting.of)].noalias() += meeting.by_rate * motion;
    if (rows_[size_t(o)].empty()) continue;
    const Column rate = kappa + Space::carried(motion, v_[size_t(o)]);
    for (const RowMeeting& meeting : rows_[size_t(o)])
      alpha_[meeting.row] += meeting.by_rate.dot(motion) + meeting.r_by_rate.dot(rate);
  }
  scalars_by_rate(column, out.parts);
  put_rows(column, false, out);
  if (!out.parts.dynamics) return;
  Column& push = pushes_[size_t(i)];
  push.noalias() += inertia_[size_t(i)] * kappa;
  push.noalias() += gyration_[size_t(i)] * motion;
  gather();
  for (const int o : outboard(i)) {
    if (o == i) continue;
    const TreeLink& outer = tree_.link(o);
    for (int k = outer.v; k < outer.v + count_of(o); ++k)
      rho_[k] += inertia_by_[size_t(k)].dot(kappa) + gyration_by_[size_t(k)].dot(motion);
  }
  put(C_[size_t(column)], rho_, 1, out.C);
}

template <int D>
void RelativeTangents<D>::fill(double t,
                               ConstVec v,
                               ConstVec a,
                               ConstVec lambda,
                               const WorkOf<D>& work,
                               const TreeWork<D>& at,
                               Tangents& out) {
  const TangentParts& parts = out.parts;
  find_motion(v, a, work, at);
  run_elements(t, lambda, work, parts);
  if (parts.dynamics) add_inertia(work, at);
  sum_up(parts.dynamics);
  for (int i = 1; i <= links_; ++i)
    for (int c = 0; c < count_of(i); ++c) {
      column_by_place(i, c, out);
      if (parts.dynamics || parts.acceleration) column_by_rate(i, c, out);
    }
  for (int column = tree_.nv(); column < nv_; ++column) {  // massless
    scalars_by_place(column, parts);
    put_rows(column, true, out);
    if (parts.dynamics || parts.reactions) {
      gather();
      put(K_[size_t(column)], rho_, 1, out.K);
    }
    if (!parts.dynamics && !parts.acceleration) continue;
    scalars_by_rate(column, parts);
    put_rows(column, false, out);
    if (!parts.dynamics) continue;
    gather();
    put(C_[size_t(column)], rho_, 1, out.C);
  }
}

template void RelativeTangents<2>::fill(
    double, ConstVec, ConstVec, ConstVec, const WorkOf<2>&, const TreeWork<2>&, Tangents&);
template void RelativeTangents<3>::fill(
    double, ConstVec, ConstVec, ConstVec, const WorkOf<3>&, const TreeWork<3>&, Tangents&);

}  // namespace driftless
