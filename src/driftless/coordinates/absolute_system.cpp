#include "driftless/coordinates/absolute_system.hpp"

#include <numeric>

namespace driftless {

template <class Attitude>
struct AbsoluteSystem<Attitude>::Work final : Scratch, SpatialWork {
  explicit Work(SpatialWork&& work) : SpatialWork(std::move(work)) {}
};

template <class Attitude>
std::unique_ptr<Scratch> AbsoluteSystem<Attitude>::make_scratch() const {
  return std::make_unique<Work>(parts_.make_work());
}

template <class Attitude>
Layout AbsoluteSystem<Attitude>::make_layout() const {
  Layout layout;
  const int n = bodies(), scalars = static_cast<int>(parts_.scalars.size());
  layout.nq = kQ * n + scalars;
  layout.nv = kV * n + scalars;
  layout.mh = parts_.rows.holonomic_rows() + (Attitude::normalisation_row ? n : 0);
  layout.m = layout.mh + parts_.rows.rows() - parts_.rows.holonomic_rows();
  layout.length = parts_.length;
  layout.mass_is_constant = !Attitude::normalisation_row;  // of body rates (1), not of quaternion rates
  layout.mass = std::accumulate(parts_.masses.begin(), parts_.masses.end(), 0.0);
  layout.q_scale = Vec::Ones(layout.nq);
  layout.v_scale = Vec::Ones(layout.nv);
  for (int i = 0; i < n; ++i) {
    const std::string& name = parts_.body_names[size_t(i)];
    for (const char* suffix : {".x", ".y", ".z", ".e0", ".e1", ".e2", ".e3"})
      layout.q_names.push_back(name + suffix);
    for (const char* unit : {"m", "m", "m", "", "", "", ""}) layout.q_units.emplace_back(unit);
    for (const char* suffix : {".vx", ".vy", ".vz"}) layout.v_names.push_back(name + suffix);
    for (int k = 0; k < 3; ++k) layout.v_units.emplace_back("m/s");
    for (const char* suffix : Attitude::v_names) {
      layout.v_names.push_back(name + suffix);
      layout.v_units.emplace_back(Attitude::v_unit);
    }
    layout.q_scale.template segment<3>(kQ * i).setConstant(parts_.length);
    layout.v_scale.template segment<3>(kV * i).setConstant(parts_.length);
  }
  for (int k = 0; k < scalars; ++k) {
    const Scalar& scalar = parts_.scalars[size_t(k)];
    const bool is_length = scalar.kind != Scalar::Kind::angle;
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

  std::vector<Eigen::Triplet<double>> mass, rows;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) mass.emplace_back(kV * i + k, kV * i + k, 0.0);
    for (int k = 3; k < kV; ++k)
      for (int l = 3; l < kV; ++l) mass.emplace_back(kV * i + k, kV * i + l, 0.0);
    if (Attitude::normalisation_row)
      for (int k = 3; k < kV; ++k) rows.emplace_back(parts_.rows.holonomic_rows() + i, kV * i + k, 0.0);
  }
  for (int k = 0; k < scalars; ++k) mass.emplace_back(kV * n + k, kV * n + k, 0.0);
  for (const auto& pair : parts_.rows.vector_pairs()) {
    const Marker<3>& marker = parts_.markers[size_t(pair.of)];
    if (marker.body >= n) continue;
    for (int k = marker.kind == MarkerKind::point ? 0 : 3; k < kV; ++k)
      rows.emplace_back(row_at(pair.row), kV * marker.body + k, 0.0);
  }
  for (const auto& pair : parts_.rows.scalar_pairs())
    rows.emplace_back(row_at(pair.row), kV * n + pair.of, 0.0);
  layout.M.resize(layout.nv, layout.nv);
  layout.M.setFromTriplets(mass.begin(), mass.end());
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(rows.begin(), rows.end());
  return layout;
}

template <class Attitude>
AbsoluteSystem<Attitude>::AbsoluteSystem(SpatialParts parts)
    : ObservableSystem(Layout{}), parts_(std::move(parts)), exchanges_energy_(parts_.exchanges_energy()) {
  layout_ = make_layout();
  check_layout(layout_);
  const auto slot = [&](int row, int column) {
    return static_cast<int>(&layout_.J.coeffRef(row, column) - layout_.J.valuePtr());
  };
  for (const auto& pair : parts_.rows.vector_pairs()) {
    const Marker<3>& marker = parts_.markers[size_t(pair.of)];
    Slot& own = slots_.emplace_back();
    if (marker.body >= bodies()) continue;
    if (marker.kind == MarkerKind::point) own.translation = slot(row_at(pair.row), kV * marker.body);
    own.rotation = slot(row_at(pair.row), kV * marker.body + 3);
  }
  for (const auto& pair : parts_.rows.scalar_pairs())
    scalar_slots_.push_back(slot(row_at(pair.row), kV * bodies() + pair.of));
  if (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      norm_slots_.push_back(slot(parts_.rows.holonomic_rows() + i, kV * i + 3));
}

template <class Attitude>
State AbsoluteSystem<Attitude>::start() const {
  State state{0, Vec::Zero(layout_.nq), Vec::Zero(layout_.nv)};
  for (int i = 0; i < bodies(); ++i) {
    const SpatialFrame<double>& frame = parts_.start[size_t(i)];
    const Twist& twist = parts_.start_twists[size_t(i)];
    const Quat p = quaternion_of_matrix(frame.R);
    state.q.template segment<3>(kQ * i) = frame.r;
    state.q.template segment<4>(kQ * i + 3) = p;
    state.v.template segment<3>(kV * i) = twist.r;
    Attitude::start(p, frame.R.transpose() * twist.omega, state.v.data() + kV * i + 3);
  }
  for (size_t k = 0; k < parts_.scalars.size(); ++k)
    state.q[kQ * bodies() + static_cast<int>(k)] = parts_.scalars[k].start;
  return state;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::place(ConstVec q, SpatialWork& work) const {
  for (int i = 0; i < bodies(); ++i) {
    SpatialFrame<double>& frame = work.frames[size_t(i)];
    frame.r = q.segment<3>(kQ * i);
    frame.R = rotation_matrix<double>(attitude(q, i));
  }
  for (size_t k = 0; k < work.s.size(); ++k) work.s[k] = q[kQ * bodies() + static_cast<int>(k)];
  parts_.place_markers(work);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::move(ConstVec q, ConstVec v, SpatialWork& work) const {
  for (int i = 0; i < bodies(); ++i) {
    Twist& twist = work.twists[size_t(i)];
    twist.r = v.segment<3>(kV * i);
    twist.omega = work.frames[size_t(i)].R * Attitude::omega_body(attitude(q, i), v.data() + kV * i + 3);
  }
  for (size_t k = 0; k < work.s.size(); ++k) work.sdot[k] = v[kV * bodies() + static_cast<int>(k)];
}

template <class Attitude>
void AbsoluteSystem<Attitude>::position(double t, ConstVec q, Terms& terms) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  const int holonomic = parts_.rows.holonomic_rows();
  // Rows of the set are written in their own numbering and moved past the normalisation rows below.
  parts_.rows.position(work.places(t), terms.g.data(), terms.nu.data(), work.dx.data(), work.ds.data());
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {  // (3)
    const Slot& slot = slots_[k];
    if (slot.rotation < 0) continue;
    const Marker<3>& marker = parts_.markers[size_t(pairs[k].of)];
    const SpatialFrame<double>& frame = work.frames[size_t(marker.body)];
    const Vec3& n = work.dx[k];
    if (slot.translation >= 0)
      for (int i = 0; i < 3; ++i) values[slot.translation + i] += n[i];
    const Vec3 n_body = frame.R.transpose() * n;
    Attitude::map_gradient(attitude(q, marker.body), marker.at.cross(n_body), values + slot.rotation);
  }
  for (size_t k = 0; k < scalar_slots_.size(); ++k) values[scalar_slots_[k]] += work.ds[k];
  if constexpr (Attitude::normalisation_row) {
    for (int row = parts_.rows.rows() - 1; row >= holonomic; --row) terms.nu[row_at(row)] = terms.nu[row];
    for (int i = 0; i < bodies(); ++i) {
      const Quat p = attitude(q, i);
      terms.g[holonomic + i] = layout_.length * (p.squaredNorm() - 1) / 2;
      terms.nu[holonomic + i] = 0;
      for (int k = 0; k < 4; ++k) values[norm_slots_[size_t(i)] + k] = layout_.length * p[k];
    }
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::mass(double, ConstVec q, Terms& terms) const {
  double* value = terms.M.valuePtr();
  for (int i = 0; i < bodies(); ++i) {
    for (int k = 0; k < 3; ++k) *value++ = parts_.masses[size_t(i)];
    double* rows[Attitude::width];
    for (int k = 0; k < Attitude::width; ++k) rows[k] = value + k * Attitude::width;
    Attitude::mass(attitude(q, i), parts_.inertias[size_t(i)], rows);
    value += Attitude::width * Attitude::width;
  }
  for (size_t k = 0; k < parts_.scalars.size(); ++k) *value++ = 0;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::bias(double t, ConstVec q, ConstVec v, Terms& terms) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  parts_.move_markers(work);
  parts_.rows.curvature(work.moving(t), work.curvature.data());
  if constexpr (Attitude::normalisation_row) {  // β of (4): zero where |p| stays one
    for (size_t i = 0; i < parts_.markers.size(); ++i) {
      const Marker<3>& marker = parts_.markers[i];
      if (marker.body >= bodies()) continue;
      const SpatialFrame<double>& frame = work.frames[size_t(marker.body)];
      const Vec3 beta = Attitude::bias_body(attitude(q, marker.body), v.data() + kV * marker.body + 3,
                                            frame.R.transpose() * work.twists[size_t(marker.body)].omega);
      work.bias[i] += frame.R * beta.cross(marker.at);
    }
  }
  for (int row = 0; row < parts_.rows.rows(); ++row) terms.gamma[row_at(row)] = -work.curvature[row];
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k)
    terms.gamma[row_at(pairs[k].row)] -= work.dx[k].dot(work.bias[size_t(pairs[k].of)]);
  if constexpr (Attitude::normalisation_row)
    for (int i = 0; i < bodies(); ++i)
      terms.gamma[parts_.rows.holonomic_rows() + i] =
          -layout_.length * v.segment<4>(kV * i + 3).squaredNorm();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::force(double t, ConstVec q, ConstVec v, Terms& terms) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  parts_.apply_forces(t, work);
  for (int i = 0; i < bodies(); ++i) {
    const Mat3& R = work.frames[size_t(i)].R;
    const Wrench& wrench = work.wrenches[size_t(i)];
    terms.f.segment<3>(kV * i) = wrench.force;
    Attitude::force(attitude(q, i), v.data() + kV * i + 3, R.transpose() * work.twists[size_t(i)].omega,
                    parts_.inertias[size_t(i)], R.transpose() * wrench.moment, terms.f.data() + kV * i + 3);
  }
  for (size_t k = 0; k < work.loads.size(); ++k) terms.f[kV * bodies() + static_cast<int>(k)] = work.loads[k];
}

template <class Attitude>
void AbsoluteSystem<Attitude>::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  for (int i = 0; i < bodies(); ++i) {
    qdot.segment<3>(kQ * i) = v.segment<3>(kV * i);
    Attitude::rate(attitude(q, i), v.data() + kV * i + 3, qdot.data() + kQ * i + 3);
  }
  const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
  qdot.tail(scalars) = v.tail(scalars);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::retract(VecRef q, ConstVec delta) const {
  if constexpr (Attitude::vector_space) {
    q += delta;
  } else {
    for (int i = 0; i < bodies(); ++i) {
      q.segment<3>(kQ * i) += delta.segment<3>(kV * i);
      const Quat turned =
          quaternion_product(attitude(q, i), quaternion_of_turn(delta.segment<3>(kV * i + 3)));
      q.segment<4>(kQ * i + 3) = turned.normalized();
    }
    const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
    q.tail(scalars) += delta.tail(scalars);
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::difference(ConstVec from, ConstVec to, VecRef delta) const {
  if constexpr (Attitude::vector_space) {
    delta = to - from;
  } else {
    for (int i = 0; i < bodies(); ++i) {
      delta.segment<3>(kV * i) = to.segment<3>(kQ * i) - from.segment<3>(kQ * i);
      delta.segment<3>(kV * i + 3) = turn_between(attitude(from, i), attitude(to, i));
    }
    const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
    delta.tail(scalars) = to.tail(scalars) - from.tail(scalars);
  }
}

template <class Attitude>
void AbsoluteSystem<Attitude>::normalize(VecRef q) const {
  if constexpr (!Attitude::vector_space)
    for (int i = 0; i < bodies(); ++i) q.segment<4>(kQ * i + 3).normalize();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  for (int i = 0; i < bodies(); ++i) {
    v_size.segment<3>(kV * i).setConstant(v.segment<3>(kV * i).norm());
    v_size.segment<Attitude::width>(kV * i + 3).setConstant(v.segment<Attitude::width>(kV * i + 3).norm());
  }
  const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
  q_size.tail(scalars) = q.tail(scalars).cwiseAbs().cwiseMax(layout_.q_scale.tail(scalars));
  v_size.tail(scalars) = v.tail(scalars).cwiseAbs();
}

template <class Attitude>
std::optional<double> AbsoluteSystem<Attitude>::potential_energy(double t, ConstVec, Terms& terms) const {
  return parts_.potential(t, static_cast<Work&>(*terms.scratch));
}

template <class Attitude>
double AbsoluteSystem<Attitude>::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  return parts_.power(t, static_cast<Work&>(*terms.scratch));
}

template <class Attitude>
void AbsoluteSystem<Attitude>::observe_poses(ConstVec q, Terms&, std::vector<Pose>& out) const {
  out.resize(parts_.bodies());
  for (int i = 0; i < bodies(); ++i) out[size_t(i)] = {q.segment<3>(kQ * i), attitude(q, i).normalized()};
}

template <class Attitude>
std::vector<std::string> AbsoluteSystem<Attitude>::quantity_names() const {
  return parts_.channel_names();
}

template <class Attitude>
std::vector<std::string> AbsoluteSystem<Attitude>::quantity_units() const {
  return parts_.channel_units();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  parts_.measure(*this, t, q, v, reaction, terms, work, out);
}

template <class Attitude>
std::vector<Probe> AbsoluteSystem<Attitude>::probes() const {
  return parts_.probes();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  parts_.probe_places(work, x);
}

template <class Attitude>
void AbsoluteSystem<Attitude>::wrapped_values(
    double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  measure_wrapped(parts_.channels, work.view(t), value, rate);
}

template <class Attitude>
std::vector<std::string> AbsoluteSystem<Attitude>::joint_names() const {
  return parts_.joint_names();
}

template <class Attitude>
void AbsoluteSystem<Attitude>::observe_reactions(double,
                                                 ConstVec,
                                                 ConstVec,
                                                 const Reaction& reaction,
                                                 Terms& terms,
                                                 std::vector<JointReaction>& out) const {
  SpatialWork& work = static_cast<Work&>(*terms.scratch);
  Vec& lambda = work.curvature;  // of no use behind bias()
  for (int row = 0; row < parts_.rows.rows(); ++row) lambda[row] = reaction.lambda[row_at(row)];
  driftless::joint_reactions(parts_, work, lambda, out);
}

template class AbsoluteSystem<BodyRates>;
template class AbsoluteSystem<QuaternionRates>;

// ---- Model → system -------------------------------------------------------------------------------------------------

CompiledModel compile_spatial_reference(const Model& model, const std::string& source) {
  using System = AbsoluteSystem<BodyRates>;
  SpatialStart wanted = spatial_start(model, source);
  CompiledModel compiled;
  auto system = std::make_unique<System>(expand_spatial_model(model, source));
  compiled.guess = system->start();
  if (!wanted.values.empty())
    compiled.position_start = std::make_unique<System>(expand_spatial(model, wanted.values));
  if (!wanted.rates.empty())
    compiled.velocity_start = std::make_unique<System>(expand_spatial(model, wanted.rates));
  compiled.system = std::move(system);
  return compiled;
}

}  // namespace driftless
