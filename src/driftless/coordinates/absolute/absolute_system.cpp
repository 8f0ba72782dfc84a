#include "driftless/coordinates/absolute/absolute_system.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/coordinates/mechanism/attitude_jets.hpp"

namespace driftless {

template <class Attitude>
std::unique_ptr<Scratch> AbsoluteSystem<Attitude>::make_scratch() const {
  return std::make_unique<Work>(parts_.make_work());
}

template <class Attitude>
Layout AbsoluteSystem<Attitude>::make_layout() const {
  Layout layout;
  const int n = bodies(), scalars = massless();
  layout.nq = kQ * n + scalars;
  layout.nv = kV * n + scalars;
  layout.mh = parts_.rows.holonomic_rows() + (Attitude::normalisation_row ? n : 0);
  layout.m = layout.mh + parts_.rows.rows() - parts_.rows.holonomic_rows();
  layout.length = parts_.length;
  layout.mass_is_constant = !Attitude::normalisation_row;  // (0), (1), not of quaternion rates
  layout.mass = std::accumulate(parts_.masses.begin(), parts_.masses.end(), 0.0);
  for (auto* texts : {&layout.q_names, &layout.q_units}) texts->reserve(size_t(layout.nq));
  for (auto* texts : {&layout.v_names, &layout.v_units}) texts->reserve(size_t(layout.nv));
  layout.row_names.reserve(size_t(layout.m));
  layout.row_units.reserve(size_t(layout.m));
  layout.q_scale = Vec::Ones(layout.nq);
  layout.v_scale = Vec::Ones(layout.nv);
  for (int i = 0; i < n; ++i) {
    const std::string& name = parts_.body_names[size_t(i)];
    for (int k = 0; k < D; ++k) {
      layout.q_names.push_back(name + "." + "xyz"[k]);
      layout.q_units.emplace_back("m");
      layout.v_names.push_back(name + ".v" + "xyz"[k]);
      layout.v_units.emplace_back("m/s");
    }
    for (const char* suffix : Attitude::q_names) {
      layout.q_names.push_back(name + suffix);
      layout.q_units.emplace_back(Attitude::q_unit);
    }
    for (const char* suffix : Attitude::v_names) {
      layout.v_names.push_back(name + suffix);
      layout.v_units.emplace_back(Attitude::v_unit);
    }
    layout.q_scale.template segment<D>(kQ * i).setConstant(parts_.length);
    layout.v_scale.template segment<D>(kV * i).setConstant(parts_.length);
  }
  for (int k = 0; k < scalars; ++k) {
    const ScalarOf<D>& scalar = parts_.scalars[size_t(k)];
    const bool is_length = scalar.kind != ScalarOf<D>::Kind::angle;
    const std::string unit = is_length ? "m" : "rad";
    layout.q_names.push_back(scalar.name);
    layout.v_names.push_back(scalar.name + "_rate");
    layout.q_units.push_back(unit);
    layout.v_units.push_back(unit + "/s");
    if (is_length) layout.q_scale[kQ * n + k] = layout.v_scale[kV * n + k] = parts_.length;
  }
  const auto& names = parts_.rows.names();
  layout.row_names.assign(names.begin(), names.begin() + parts_.rows.holonomic_rows());
  if (Attitude::normalisation_row)
    for (const auto& name : parts_.body_names) layout.row_names.push_back(name + ".norm");
  layout.row_names.insert(layout.row_names.end(), names.begin() + parts_.rows.holonomic_rows(), names.end());
  layout.row_units.assign(size_t(layout.mh), "m");
  layout.row_units.resize(size_t(layout.m), "m/s");

  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(size_t(n) * (D + (kV - D) * (kV - D)) + size_t(scalars));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < D; ++k) entries.emplace_back(kV * i + k, kV * i + k, 0.0);
    for (int k = D; k < kV; ++k)
      for (int l = D; l < kV; ++l) entries.emplace_back(kV * i + k, kV * i + l, 0.0);
  }
  for (int k = 0; k < scalars; ++k) entries.emplace_back(kV * n + k, kV * n + k, 0.0);
  layout.M.resize(layout.nv, layout.nv);
  layout.M.setFromTriplets(entries.begin(), entries.end());
  entries.clear();
  entries.reserve(parts_.rows.vector_pairs().size() * kV + size_t(n));
  for (int i = 0; i < n && Attitude::normalisation_row; ++i)
    for (int k = D; k < kV; ++k) entries.emplace_back(parts_.rows.holonomic_rows() + i, kV * i + k, 0.0);
  for (const auto& pair : parts_.rows.vector_pairs()) {
    const Marker<D>& marker = parts_.markers[size_t(pair.of)];
    if (marker.body >= n) continue;
    for (int k = marker.kind == MarkerKind::point ? 0 : D; k < kV; ++k)
      entries.emplace_back(row_at(pair.row), kV * marker.body + k, 0.0);
  }
  for (const auto& pair : parts_.rows.scalar_pairs())
    entries.emplace_back(row_at(pair.row), scalar_at(size_t(pair.of), kV), 0.0);
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  return layout;
}

template <class Attitude>
AbsoluteSystem<Attitude>::AbsoluteSystem(Parts<D> parts)
    : Base(Layout{}, std::move(parts), Attitude::counts_turns) {
  layout_ = make_layout();
  check_layout(layout_);
  const auto slot = [&](int row, int column) {
    return static_cast<int>(&layout_.J.coeffRef(row, column) - layout_.J.valuePtr());
  };
  for (const auto& pair : parts_.rows.vector_pairs()) {
    const Marker<D>& marker = parts_.markers[size_t(pair.of)];
    Slot& own = slots_.emplace_back();
    if (marker.body >= bodies()) continue;
    if (marker.kind == MarkerKind::point) own.translation = slot(row_at(pair.row), kV * marker.body);
    own.rotation = slot(row_at(pair.row), kV * marker.body + D);
  }
  for (const auto& pair : parts_.rows.scalar_pairs())
    scalar_slots_.push_back(slot(row_at(pair.row), scalar_at(size_t(pair.of), kV)));
  if (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      norm_slots_.push_back(slot(parts_.rows.holonomic_rows() + i, kV * i + D));
  keep_constants();
  switched_ = switched_rows(parts_, [this](int row) { return row_at(row); });
  switched_.describe(parts_.switches);
  exchanges_energy_ |= switched_.exchanges_energy();
}

// What never changes: M but of quaternion rates; of J how rows with constant gradients see translations.
template <class Attitude>
void AbsoluteSystem<Attitude>::keep_constants() {
  constant_J_.assign(size_t(layout_.J.nonZeros()), 0.0);
  constant_M_.assign(size_t(layout_.M.nonZeros()), 0.0);
  if constexpr (!Attitude::normalisation_row) fill_mass(Vec::Zero(layout_.nq), constant_M_.data());
  parts_.rows.for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    if constexpr (Block::constant_gradient) {
      typename Block::Gradient gradient;
      placed.block.gradient(Places<double, D>{}, gradient);
      for (size_t r = 0; r < Block::rows; ++r)
        for (size_t k = 0; k < Block::vectors; ++k)
          if (const int at = slots_[placed.vector_pair + r * Block::vectors + k].translation; at >= 0)
            for (int i = 0; i < D; ++i) constant_J_[size_t(at + i)] += gradient.x[r][k][i];
    }
  });
}

template <class Attitude>
State AbsoluteSystem<Attitude>::start() const {
  State state{0, Vec::Zero(layout_.nq), Vec::Zero(layout_.nv)};
  for (size_t k = 0; k < parts_.scalars.size(); ++k) state.q[scalar_at(k, kQ)] = parts_.scalars[k].start;
  for (int i = 0; i < bodies(); ++i) {
    const FrameOf<double, D>& frame = parts_.start[size_t(i)];
    const TwistOf<double, D>& twist = parts_.start_twists[size_t(i)];
    state.q.template segment<D>(kQ * i) = frame.r;
    state.v.template segment<D>(kV * i) = twist.r;
    Attitude::start(frame, twist.omega, state.q.data() + kQ * i + D, state.v.data() + kV * i + D);
  }
  return state;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::place(ConstVec q, WorkOf<D>& work) const {
  for (int i = 0; i < bodies(); ++i) Attitude::place(q.data() + kQ * i, work.frames[size_t(i)]);
  for (size_t k = 0; k < work.s.size(); ++k) work.s[k] = q[scalar_at(k, kQ)];
  parts_.place_markers(work);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::move(ConstVec q, ConstVec v, WorkOf<D>& work) const {
  for (int i = 0; i < bodies(); ++i) {
    TwistOf<double, D>& twist = work.twists[size_t(i)];
    for (int k = 0; k < D; ++k) twist.r[k] = v[kV * i + k];
    twist.omega = Attitude::omega(work.frames[size_t(i)], q.data() + kQ * i + D, v.data() + kV * i + D);
  }
  for (size_t k = 0; k < work.s.size(); ++k) work.sdot[k] = v[scalar_at(k, kV)];
}

template <class Attitude>
void AbsoluteSystem<Attitude>::position(double t, ConstVec q, Terms& terms) const {
  WorkOf<D>& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  double* values = terms.J.valuePtr();
  std::copy(constant_J_.begin(), constant_J_.end(), values);
  const Marker<D>* markers = parts_.markers.data();
  // Rows of the set are written in their own numbering and moved past the normalisation rows below.
  parts_.rows.position(work.places(t), terms.g.data(), terms.nu.data(), work.dx.data(), work.ds.data(),
                       [&](const auto& placed, const auto& gradient) {  // (3)
                         using Block = std::decay_t<decltype(placed.block)>;
                         const Slot* slots = slots_.data() + placed.vector_pair;
                         for (size_t k = 0; k < Block::vectors; ++k) {
                           if (slots[k].rotation < 0) continue;
                           const auto of = size_t(placed.block.x[k]);
                           const Marker<D>& marker = markers[of];
                           const FrameOf<double, D>& frame = work.frames[size_t(marker.body)];
                           const V arm = work.arm[of];
                           const double* p = q.data() + kQ * marker.body + D;
                           for (size_t r = 0; r < Block::rows; ++r) {
                             const Slot& slot = slots[r * Block::vectors + k];
                             const V& n = gradient.x[r][k];
                             if (!Block::constant_gradient && slot.translation >= 0)
                               for (int i = 0; i < D; ++i) values[slot.translation + i] += n[i];
                             if constexpr (Block::along_axes)
                               Attitude::add_gradient(frame, p, marker.at, arm, int(r), n[r],
                                                      values + slot.rotation);
                             else
                               Attitude::add_gradient(frame, p, marker.at, arm, n, values + slot.rotation);
                           }
                         }
                       });
  for (size_t k = 0; k < scalar_slots_.size(); ++k) values[scalar_slots_[k]] += work.ds[k];
  if constexpr (Attitude::normalisation_row) {
    const int holonomic = parts_.rows.holonomic_rows();
    for (int row = parts_.rows.rows() - 1; row >= holonomic; --row) terms.nu[row_at(row)] = terms.nu[row];
    for (int i = 0; i < bodies(); ++i) {
      const Quat p = q.segment<4>(kQ * i + D);
      terms.g[holonomic + i] = layout_.length * (p.squaredNorm() - 1) / 2;
      terms.nu[holonomic + i] = 0;
      for (int k = 0; k < 4; ++k) values[norm_slots_[size_t(i)] + k] = layout_.length * p[k];
    }
  }
  if (!switched_.empty()) switched_.position(*this, terms);
  silence_positions(terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::mass(double, ConstVec q, Terms& terms) const {
  double* value = terms.M.valuePtr();
  if constexpr (Attitude::normalisation_row)
    fill_mass(q, value);
  else
    std::copy(constant_M_.begin(), constant_M_.end(), value);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::fill_mass(ConstVec q, double* value) const {
  for (int i = 0; i < bodies(); ++i) {
    for (int k = 0; k < D; ++k) *value++ = parts_.masses[size_t(i)];
    double* rows[Attitude::width];
    for (int k = 0; k < Attitude::width; ++k) rows[k] = value + k * Attitude::width;
    Attitude::mass(q.data() + kQ * i + D, parts_.inertias[size_t(i)], rows);
    value += Attitude::width * Attitude::width;
  }
  for (int k = 0; k < massless(); ++k) *value++ = 0;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::bias(double t, ConstVec q, ConstVec v, Terms& terms) const {
  move(q, v, static_cast<Work&>(*terms.scratch));
  rows(t, q, v, terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::force(double t, ConstVec q, ConstVec v, Terms& terms) const {
  move(q, v, static_cast<Work&>(*terms.scratch));
  forces(t, q, v, terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  position(t, q, terms);
  mass(t, q, terms);
  move(q, v, static_cast<Work&>(*terms.scratch));
  rows(t, q, v, terms);
  forces(t, q, v, terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::rows(double t,
                                    [[maybe_unused]] ConstVec q,
                                    [[maybe_unused]] ConstVec v,
                                    Terms& terms) const {
  WorkOf<D>& work = static_cast<Work&>(*terms.scratch);
  const auto bias_of = [&](int of) {
    V bias = parts_.whirl(work, of);
    if constexpr (Attitude::normalisation_row) {  // β of (4): zero where |p| stays one
      const Marker<D>& marker = parts_.markers[size_t(of)];
      if (marker.body < bodies()) {
        const FrameOf<double, D>& frame = work.frames[size_t(marker.body)];
        const Vec3 beta =
            Attitude::bias_body(q.data() + kQ * marker.body + D, v.data() + kV * marker.body + D,
                                frame.R.transpose() * work.twists[size_t(marker.body)].omega);
        bias += frame.R * beta.cross(marker.at);
      }
    }
    return bias;
  };
  parts_.move_markers(work, bias_of);
  double* gamma = Attitude::normalisation_row ? work.curvature.data() : terms.gamma.data();
  parts_.rows.gamma(work.moving(t), bias_of, work.bias.data(), work.dx.data(), gamma);
  if constexpr (Attitude::normalisation_row)
    for (int row = 0; row < parts_.rows.rows(); ++row) terms.gamma[row_at(row)] = gamma[row];
  if constexpr (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      terms.gamma[parts_.rows.holonomic_rows() + i] =
          -layout_.length * v.segment<4>(kV * i + D).squaredNorm();
  if (!switched_.empty()) switched_.bias(*this, terms);
  silence_biases(terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::forces(double t, ConstVec q, ConstVec v, Terms& terms) const {
  WorkOf<D>& work = static_cast<Work&>(*terms.scratch);
  parts_.apply_forces(t, work);
  for (int i = 0; i < bodies(); ++i) {
    const WrenchOf<double, D>& wrench = work.wrenches[size_t(i)];
    for (int k = 0; k < D; ++k) terms.f[kV * i + k] = wrench.force[k];
    Attitude::force(work.frames[size_t(i)], q.data() + kQ * i + D, v.data() + kV * i + D,
                    work.twists[size_t(i)].omega, parts_.inertias[size_t(i)], wrench.moment,
                    terms.f.data() + kV * i + D);
  }
  if constexpr (!Attitude::counts_turns)
    for (size_t k = 0; k < work.loads.size(); ++k) terms.f[scalar_at(k, kV)] = work.loads[k];
  if (!switched_.empty()) switched_.force(*this, t, q, v, terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  if constexpr (Attitude::vector_space) {
    qdot = v;
  } else {
    for (int i = 0; i < bodies(); ++i) {
      qdot.segment<D>(kQ * i) = v.segment<D>(kV * i);
      Attitude::rate(q.data() + kQ * i + D, v.data() + kV * i + D, qdot.data() + kQ * i + D);
    }
    qdot.tail(massless()) = v.tail(massless());
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::retract(VecRef q, ConstVec delta) const {
  if constexpr (Attitude::vector_space) {
    q += delta;
  } else {
    for (int i = 0; i < bodies(); ++i) {
      q.segment<D>(kQ * i) += delta.segment<D>(kV * i);
      const Quat turned =
          quaternion_product(q.segment<4>(kQ * i + D), quaternion_of_turn(delta.segment<3>(kV * i + D)));
      q.segment<4>(kQ * i + D) = turned.normalized();
    }
    q.tail(massless()) += delta.tail(massless());
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::difference(ConstVec from, ConstVec to, VecRef delta) const {
  if constexpr (Attitude::vector_space) {
    delta = to - from;
  } else {
    for (int i = 0; i < bodies(); ++i) {
      delta.segment<D>(kV * i) = to.segment<D>(kQ * i) - from.segment<D>(kQ * i);
      delta.segment<3>(kV * i + D) = turn_between(from.segment<4>(kQ * i + D), to.segment<4>(kQ * i + D));
    }
    delta.tail(massless()) = to.tail(massless()) - from.tail(massless());
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::normalize(VecRef q) const {
  if constexpr (!Attitude::vector_space)
    for (int i = 0; i < bodies(); ++i) q.segment<4>(kQ * i + D).normalize();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  for (int i = 0; i < bodies(); ++i) {
    v_size.segment<D>(kV * i).setConstant(v.segment<D>(kV * i).norm());
    v_size.segment<Attitude::width>(kV * i + D).setConstant(v.segment<Attitude::width>(kV * i + D).norm());
  }
  const int scalars = massless();
  q_size.tail(scalars) = q.tail(scalars).cwiseAbs().cwiseMax(layout_.q_scale.tail(scalars));
  v_size.tail(scalars) = v.tail(scalars).cwiseAbs();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::to_space(ConstVec q, ConstVec u, VecRef v) const {
  v = u;
  if constexpr (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      v.segment<4>(kV * i + D) = Attitude::to_space(q.segment<4>(kQ * i + D), u.segment<4>(kV * i + D));
}

template <class Attitude>
void AbsoluteSystem<Attitude>::to_body(ConstVec q, ConstVec v, VecRef u) const {
  u = v;
  if constexpr (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      u.segment<4>(kV * i + D) = Attitude::to_body(q.segment<4>(kQ * i + D), v.segment<4>(kV * i + D));
}

template <class Attitude>
void AbsoluteSystem<Attitude>::to_body_acceleration(ConstVec q, ConstVec qdot, ConstVec v, VecRef a) const {
  if constexpr (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i) {
      const Quat p = q.segment<4>(kQ * i + D);
      const Quat u = Attitude::to_body(p, v.segment<4>(kV * i + D));
      const Quat turned = Attitude::to_space(qdot.segment<4>(kQ * i + D), u);
      a.segment<4>(kV * i + D) = Attitude::to_body(p, a.segment<4>(kV * i + D) - turned);
    }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::turning_tangents(
    ConstVec q, ConstVec v, ConstVec u, ConstVec u_dot, TurningTangents& out) const {
  if constexpr (Attitude::normalisation_row) {
    // Block by block: `of` gives that of a body.
    const auto fill = [&](SparseAssembly<double>& sum, auto&& of) {
      sum.assemble([&](SparseAssembly<double>& W) {
        for (int i = 0; i < bodies(); ++i) {
          const Eigen::Matrix4d block = of(kV * i + D);
          for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k) W.add(kV * i + D + k, kV * i + D + j, block(j, k));
        }
      });
    };
    const auto by_q = [](const Quat& w) {
      Eigen::Matrix4d block;
      for (int k = 0; k < 4; ++k) block.col(k) = Attitude::to_space(Quat::Unit(k), w);
      return block;
    };
    const auto X_v = [&](int at) {
      Eigen::Matrix4d block;
      for (int k = 0; k < 4; ++k)
        block.col(k) =
            Attitude::to_space(v.segment<4>(at), Attitude::to_body(q.segment<4>(at), Quat::Unit(k)));
      return block;
    };
    fill(out.T, [&](int at) { return by_q(u.segment<4>(at)); });
    fill(out.X_v, X_v);
    fill(out.X_q, [&](int at) {
      return Eigen::Matrix4d(by_q(u_dot.segment<4>(at)) - X_v(at) * by_q(u.segment<4>(at)));
    });
  }
}

template <class Attitude>
std::optional<double> AbsoluteSystem<Attitude>::potential_energy(double t, ConstVec, Terms& terms) const {
  return parts_.potential(t, static_cast<Work&>(*terms.scratch)) + switched_.potential(terms);
}

template <class Attitude>
double AbsoluteSystem<Attitude>::applied_power(double t, ConstVec, ConstVec v, Terms& terms) const {
  return parts_.power(t, static_cast<Work&>(*terms.scratch)) + switched_.power(v, terms);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::observe_poses(double, ConstVec q, Terms&, std::vector<Pose>& out) const {
  out.resize(parts_.bodies());
  for (int i = 0; i < bodies(); ++i) out[size_t(i)] = Attitude::pose(q.data() + kQ * i);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const {
  using A = AttitudeJets<Attitude>;
  WorkOf<D>& work = bodies_in(terms);
  work.accelerations.resize(parts_.bodies() + 1);
  for (int i = 0; i < bodies(); ++i) {
    TwistOf<double, D>& rates = work.accelerations[size_t(i)];
    rates.r = vdot.segment<D>(kV * i);
    FrameOf<double, D> frame;
    SpinOf<double, D> omega;
    A::template move<double>(A::template constant<double>(q.data() + kQ * i + D), v.data() + kV * i + D,
                             vdot.data() + kV * i + D, frame, omega, rates.omega);
  }
}

template <class Attitude>
std::unique_ptr<DescriptorSystem> AbsoluteSystem<Attitude>::copy_in(const Mode& mode) const {
  auto copy = std::make_unique<AbsoluteSystem>(*this);
  copy->mode_ = copy->parts_.run_mode = &mode;
  return copy;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::observe_reactions(double t,
                                                 [[maybe_unused]] ConstVec q,
                                                 ConstVec v,
                                                 const Reaction& reaction,
                                                 Terms& terms,
                                                 std::vector<JointReaction>& out) const {
  WorkOf<D>& work = static_cast<Work&>(*terms.scratch);
  Vec& lambda = work.curvature;  // of no use behind bias()
  if (switched_.empty() || terms.mode == nullptr) {
    for (int row = 0; row < parts_.rows.rows(); ++row) lambda[row] = reaction.lambda[row_at(row)];
  } else {
    Vec& all = static_cast<SwitchedWork&>(*terms.extra).all;
    all = reaction.lambda;
    switched_.fill_lambda(t, v, terms, all);
    for (int row = 0; row < parts_.rows.rows(); ++row) lambda[row] = all[row_at(row)];
  }
  driftless::joint_reactions(parts_, work, lambda, out);
}

template class AbsoluteSystem<PlaneAngle>;
template class AbsoluteSystem<BodyRates>;
template class AbsoluteSystem<QuaternionRates>;

}  // namespace driftless
