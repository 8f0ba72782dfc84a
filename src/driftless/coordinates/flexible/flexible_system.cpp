#include "driftless/coordinates/flexible/flexible_system.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/flexible/conserving_system.hpp"
#include "driftless/coordinates/flexible/flexible_layout.hpp"
#include "driftless/coordinates/flexible/flexible_motion.hpp"
#include "driftless/coordinates/flexible/flexible_observe.hpp"
#include "driftless/model/drawing/drawn_axis.hpp"

namespace driftless {
namespace {

// out ← out + c M x
void add_product(double c, const SparseRows& M, ConstVec x, VecRef out) {
  for (int r = 0; r < M.rows(); ++r)
    for (SparseRows::InnerIterator entry(M, r); entry; ++entry) out[r] += c * entry.value() * x[entry.col()];
}

}  // namespace

template <class Attitude>
std::unique_ptr<Scratch> FlexibleSystem<Attitude>::make_scratch() const {
  auto work = std::make_unique<Work>(parts_.make_work());
  work->slots.resize(slots_.size());
  size_t most = 0;
  for (size_t i = 0; i < slots_.size(); ++i) {
    most = std::max(most, slots_[i].columns.size());
    work->slots[i].turn_rates = slots_[i].section.turn;
  }
  for (const auto& body : floating_) {
    FloatingState& state = work->floating.emplace_back();
    state.work = body.make_work();
    state.omega.setZero();
    state.beta.setZero();
    state.eta = Vec::Zero(body.size());
  }
  if (needs_accelerations_) work->accelerations.resize(slots_.size());
  work->spread = Vec::Zero(Eigen::Index(most));
  return work;
}

// ---- equations ------------------------------------------------------------------------------------------------------

template <class Attitude>
void FlexibleSystem<Attitude>::position(double t, ConstVec q, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  parts_.rows.position(work.places(t), terms.g.data(), terms.nu.data(), work.dx.data(), work.ds.data(),
                       [](const auto&, const auto&) {});
  const auto& pairs = parts_.rows.vector_pairs();
  double* out = work.spread.data();
  const auto add = [&](int slot, const int* entries) {
    const size_t count = slots_[size_t(slot)].columns.size();
    for (size_t k = 0; k < count; ++k) values[entries[k]] += out[k];
  };
  for (size_t k = 0; k < pairs.size(); ++k) {
    const auto of = size_t(pairs[k].of);
    const Marker<D>& marker = parts_.markers[of];
    const V& n = work.dx[k];
    const V force = marker.kind == MarkerKind::point ? n : V(V::Zero());
    spread(marker.body, q, force, moment_of<double>(work.arm[of], n), work, out);
    add(marker.body, entries_.data() + pair_entries_[k]);
  }
  const auto& scalar_pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k) {
    const int* entries = scalar_entries_.data() + scalar_first_[k];
    if constexpr (Attitude::counts_turns) {
      const int slot = parts_.scalars[size_t(scalar_pairs[k].of)].b.origin.body;
      spread(slot, q, V::Zero(), work.ds[k], work, out);
      add(slot, entries);
    } else {
      values[*entries] += work.ds[k];
    }
  }
  const int holonomic = parts_.rows.holonomic_rows();
  for (int row = parts_.rows.rows() - 1; norm_rows_ > 0 && row >= holonomic; --row)
    terms.nu[row_at(row)] = terms.nu[row];
  for (const Member& member : members_) {
    if (member.norm < 0) continue;
    const auto p = q.segment(member.q + D, kQ - D);
    const int row = holonomic + member.norm;
    terms.g[row] = layout_.length * (p.squaredNorm() - 1) / 2;
    terms.nu[row] = 0;
    double* own = values + terms.J.outerIndexPtr()[row];
    for (int k = 0; k < kQ - D; ++k) own[k] = layout_.length * p[k];
  }
  if (!switched_.empty()) switched_.position(*this, terms);
  silence_positions(terms);
}

template <class Attitude>
void FlexibleSystem<Attitude>::mass(double, ConstVec q, Terms& terms) const {
  const Work& work = static_cast<const Work&>(*terms.scratch);
  double* values = terms.M.valuePtr();
  const int* first = terms.M.outerIndexPtr();
  const double elastic_weight = stiff_ ? 1e12 : 1;
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    if (member.kind == Kind::rigid || member.kind == Kind::point)
      for (int k = 0; k < D; ++k) values[first[member.v + k]] = parts_.masses[size_t(i)];
    if (member.kind == Kind::rigid) {
      double* rows[kW];
      for (int k = 0; k < kW; ++k) rows[k] = values + first[member.v + D + k];
      Attitude::mass(q.data() + member.q + D, parts_.inertias[size_t(i)], rows);
    }
    if (member.kind == Kind::cable) {
      const SparseRows& own = cable_masses_[size_t(member.index)];
      std::copy(own.valuePtr(), own.valuePtr() + own.nonZeros(), values + first[member.v]);
    }
    if (member.kind != Kind::floating) continue;
    const FloatingBody<D>& body = floating_[size_t(member.index)];
    const FloatingState& state = work.floating[size_t(member.index)];
    const auto& A = axes_of(state.frame);
    const double* p = q.data() + member.q + D;
    const auto B = rate_matrix<Attitude>(p);
    Eigen::Matrix<double, D, kSpin> swung;  // M_Rω
    if constexpr (D == 2)
      swung = A * V(-state.work.s[1], state.work.s[0]);
    else
      swung = -A * skew(state.work.s);
    Eigen::Matrix<double, kV, kV> frame = Eigen::Matrix<double, kV, kV>::Zero();
    frame.template topLeftCorner<D, D>().diagonal().setConstant(body.invariants().m);
    frame.template topRightCorner<D, kW>() = swung * B;
    frame.template bottomLeftCorner<kW, D>() = (swung * B).transpose();
    const Eigen::Matrix<double, kW, kW> turning = B.transpose() * state.work.theta * B;
    frame.template bottomRightCorner<kW, kW>() = 0.5 * (turning + turning.transpose());  // to the last bit
    if constexpr (Attitude::normalisation_row) {
      const Eigen::Map<const Quat> quaternion(p);
      frame.template bottomRightCorner<kW, kW>() += member.kappa * quaternion * quaternion.transpose();
    }
    for (int r = 0; r < kV; ++r)
      for (int c = 0; c < kV; ++c) values[first[member.v + r] + c] = frame(r, c);
    const SparseRows& own = body.elastic_mass();
    for (int j = 0; j < body.size(); ++j) {
      Eigen::Matrix<double, kV, 1> column;
      column.template head<D>() = A * body.invariants().S.col(j);
      column.template tail<kW>() = B.transpose() * state.work.spin_elastic.col(j);
      double* row = values + first[member.v + kV + j];
      for (int k = 0; k < kV; ++k) {
        values[first[member.v + k] + kV + j] = column[k];
        *row++ = column[k];
      }
      for (int k = own.outerIndexPtr()[j]; k < own.outerIndexPtr()[j + 1]; ++k)
        *row++ = own.valuePtr()[k] * elastic_weight;
    }
  }
  for (int k = 0; k < massless(); ++k) values[first[layout_.nv - massless() + k]] = 0;
}

template <class Attitude>
void FlexibleSystem<Attitude>::bias(double t, ConstVec q, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  const auto bias_of = [&](int of) {
    const Marker<D>& marker = parts_.markers[size_t(of)];
    const TwistOf<double, D>& own = work.slots[size_t(marker.body)].bias;
    VecOf<double, D> bias = parts_.whirl(work, of) + swing(own.omega, work.arm[size_t(of)]);
    if (marker.kind == MarkerKind::point) bias += own.r;
    return bias;
  };
  parts_.move_markers(work, bias_of);
  double* gamma = norm_rows_ > 0 ? work.curvature.data() : terms.gamma.data();
  parts_.rows.gamma(work.moving(t), bias_of, work.bias.data(), work.dx.data(), gamma);
  for (int row = 0; norm_rows_ > 0 && row < parts_.rows.rows(); ++row) terms.gamma[row_at(row)] = gamma[row];
  for (const Member& member : members_)
    if (member.norm >= 0)
      terms.gamma[parts_.rows.holonomic_rows() + member.norm] =
          -layout_.length * v.segment(member.v + D, kW).squaredNorm();
  if (!switched_.empty()) switched_.bias(*this, terms);
  silence_biases(terms);
}

template <class Attitude>
void FlexibleSystem<Attitude>::add_floating_forces(
    const Member& member, ConstVec q, ConstVec v, Work& work, VecRef f) const {
  const FloatingBody<D>& body = floating_[size_t(member.index)];
  FloatingState& state = work.floating[size_t(member.index)];
  const auto& A = axes_of(state.frame);
  const int n = body.size();
  const auto rates = v.segment(member.v + kV, n);
  auto elastic = f.segment(member.v + kV, n);
  V r;
  SpinVec spin;
  body.velocity_terms(state.eta, rates, state.omega, state.work, r, spin, elastic);
  body.add_elastic_forces(state.eta, rates, state.omega, state.work, elastic);
  V place_force = A * r;
  if constexpr (Attitude::normalisation_row) {  // (1)
    place_force += A * skew(state.work.s) * state.beta;
    spin -= state.work.theta * state.beta;
    elastic -= state.work.spin_elastic.transpose().lazyProduct(state.beta);
  }
  const double* p = q.data() + member.q + D;
  f.template segment<D>(member.v) = place_force;
  f.template segment<kW>(member.v + D) = rate_matrix<Attitude>(p).transpose() * spin;
  if constexpr (Attitude::normalisation_row)
    f.template segment<kW>(member.v + D) -=
        member.kappa * v.segment(member.v + D, kW).squaredNorm() * Eigen::Map<const Quat>(p);
}

template <class Attitude>
void FlexibleSystem<Attitude>::force(double t, ConstVec q, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(q, v, work);
  parts_.apply_forces(t, work);
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    const WrenchOf<double, D>& wrench = work.wrenches[size_t(i)];
    if (member.kind == Kind::rigid || member.kind == Kind::point)
      terms.f.template segment<D>(member.v) = wrench.force;
    if (member.kind == Kind::rigid)
      Attitude::force(work.frames[size_t(i)], q.data() + member.q + D, v.data() + member.v + D,
                      work.twists[size_t(i)].omega, parts_.inertias[size_t(i)], wrench.moment,
                      terms.f.data() + member.v + D);
    if (member.kind == Kind::floating) add_floating_forces(member, q, v, work, terms.f);
    if (member.kind == Kind::cable) {
      auto own = terms.f.segment(member.v, member.nv);
      own.setZero();
      cables_[size_t(member.index)].add_forces(q.segment(member.q, member.nq), own);
      if (const double alpha = cable_specs_[size_t(member.index)].alpha; alpha != 0)
        add_product(-alpha, cable_masses_[size_t(member.index)], v.segment(member.v, member.nv), own);
    }
  }
  double* out = work.spread.data();
  for (int i = 0; i < moving_slots(); ++i) {
    const Slot& slot = slots_[size_t(i)];
    if (slot.kind != Kind::floating && slot.kind != Kind::cable) continue;
    const WrenchOf<double, D>& wrench = work.wrenches[size_t(i)];
    spread(i, q, wrench.force, wrench.moment, work, out);
    for (size_t k = 0; k < slot.columns.size(); ++k) terms.f[slot.columns[k]] += out[k];
  }
  if constexpr (!Attitude::counts_turns)
    for (int k = 0; k < massless(); ++k) terms.f[layout_.nv - massless() + k] = work.loads[size_t(k)];
  if (!switched_.empty()) switched_.force(*this, t, q, v, terms);
}

template <class Attitude>
void FlexibleSystem<Attitude>::kinematics(double, ConstVec q, ConstVec v, VecRef qdot) const {
  if constexpr (Attitude::vector_space) {
    qdot = v;
  } else {
    for (const Member& member : members_) {
      if (!member.turns()) {
        qdot.segment(member.q, member.nq) = v.segment(member.v, member.nv);
        continue;
      }
      qdot.segment<D>(member.q) = v.segment<D>(member.v);
      Attitude::rate(q.data() + member.q + D, v.data() + member.v + D, qdot.data() + member.q + D);
      qdot.segment(member.q + kQ, member.nq - kQ) = v.segment(member.v + kV, member.nv - kV);
    }
    qdot.tail(massless()) = v.tail(massless());
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::retract(VecRef q, ConstVec delta) const {
  if constexpr (Attitude::vector_space) {
    q += delta;
  } else {
    for (const Member& member : members_) {
      if (!member.turns()) {
        q.segment(member.q, member.nq) += delta.segment(member.v, member.nv);
        continue;
      }
      q.segment<D>(member.q) += delta.segment<D>(member.v);
      const Quat turned =
          quaternion_product(q.segment<4>(member.q + D), quaternion_of_turn(delta.segment<3>(member.v + D)));
      q.segment<4>(member.q + D) = turned.normalized();
      q.segment(member.q + kQ, member.nq - kQ) += delta.segment(member.v + kV, member.nv - kV);
    }
    q.tail(massless()) += delta.tail(massless());
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::difference(ConstVec from, ConstVec to, VecRef delta) const {
  if constexpr (Attitude::vector_space) {
    delta = to - from;
  } else {
    for (const Member& member : members_) {
      if (!member.turns()) {
        delta.segment(member.v, member.nv) =
            to.segment(member.q, member.nq) - from.segment(member.q, member.nq);
        continue;
      }
      delta.segment<D>(member.v) = to.segment<D>(member.q) - from.segment<D>(member.q);
      delta.segment<3>(member.v + D) =
          turn_between(from.segment<4>(member.q + D), to.segment<4>(member.q + D));
      delta.segment(member.v + kV, member.nv - kV) =
          to.segment(member.q + kQ, member.nq - kQ) - from.segment(member.q + kQ, member.nq - kQ);
    }
    delta.tail(massless()) = to.tail(massless()) - from.tail(massless());
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::normalize(VecRef q) const {
  if constexpr (!Attitude::vector_space)
    for (const Member& member : members_)
      if (member.turns()) q.segment<4>(member.q + D).normalize();
}

template <class Attitude>
void FlexibleSystem<Attitude>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const Member& member : members_) {
    if (member.kind == Kind::cable) {  // places by the fastest node, slopes likewise
      double place = 0, slope = 0;
      for (int k = 0; k < member.nv; k += 2 * D) {
        place = std::max(place, v.segment<D>(member.v + k).norm());
        slope = std::max(slope, v.segment<D>(member.v + k + D).norm());
      }
      for (int k = 0; k < member.nv; ++k) v_size[member.v + k] = k % (2 * D) < D ? place : slope;
      continue;
    }
    v_size.segment<D>(member.v).setConstant(v.segment<D>(member.v).norm());
    if (!member.turns()) continue;
    v_size.segment<kW>(member.v + D).setConstant(v.segment<kW>(member.v + D).norm());
    if (member.kind != Kind::floating) continue;
    const FloatingBody<D>& body = floating_[size_t(member.index)];
    double most[2] = {0, 0};
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < body.size(); ++k) {
        double& own = most[body.is_length()[size_t(k)] ? 0 : 1];
        if (pass == 0)
          own = std::max(own, std::abs(v[member.v + kV + k]));
        else
          v_size[member.v + kV + k] = own;
      }
  }
  const int scalars = massless();
  q_size.tail(scalars) = q.tail(scalars).cwiseAbs().cwiseMax(layout_.q_scale.tail(scalars));
}

template <class Attitude>
std::optional<double> FlexibleSystem<Attitude>::potential_energy(double t, ConstVec q, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  double energy = parts_.potential(t, work) + switched_.potential(terms);
  for (const Member& member : members_) {
    if (member.kind == Kind::floating) {
      FloatingState& state = work.floating[size_t(member.index)];
      energy += floating_[size_t(member.index)].elastic_energy(state.eta, state.work);
    }
    if (member.kind == Kind::cable)
      energy += cables_[size_t(member.index)].energy(q.segment(member.q, member.nq));
  }
  return energy;
}

template <class Attitude>
double FlexibleSystem<Attitude>::applied_power(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  double power = parts_.power(t, work) + switched_.power(v, terms);
  for (const Member& member : members_) {
    if (member.kind == Kind::cable) {
      const auto rates = v.segment(member.v, member.nv);
      const SparseRows& M = cable_masses_[size_t(member.index)];
      for (int r = 0; r < M.rows(); ++r)
        for (SparseRows::InnerIterator entry(M, r); entry; ++entry)
          power -= cable_specs_[size_t(member.index)].alpha * rates[r] * entry.value() * rates[entry.col()];
    }
    if (member.kind != Kind::floating) continue;
    const FloatingBody<D>& body = floating_[size_t(member.index)];
    FloatingState& state = work.floating[size_t(member.index)];
    const auto rates = v.segment(member.v + kV, body.size());
    power +=
        body.damping_power(rates, state.work) + body.load_power(state.eta, rates, state.omega, state.work);
  }
  return power;
}

template class FlexibleSystem<PlaneAngle>;
template class FlexibleSystem<BodyRates>;
template class FlexibleSystem<QuaternionRates>;

// ---- Model → system -------------------------------------------------------------------------------------------------

template <class Attitude>
std::unique_ptr<FlexibleSystem<Attitude>> make_flexible_system(
    const Model& model, const std::string& source, const NotRowsOf<Attitude::dimension>& left_out) {
  constexpr int D = Attitude::dimension;
  Parts<D> parts = expand_model<D>(model, source, left_out);
  int drawn = 0;
  for (size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].flexible)
      for (const AxisPlace& place : drawn_axis(*model.bodies[i].flexible).places) {
        parts.sections.push_back({static_cast<int>(i), place.element, place.xi, place.at});
        ++drawn;
      }
  if constexpr (!Attitude::normalisation_row)
    if (left_out.joints.empty() && ConservingSystem<Attitude>::fits(model, parts))
      return std::make_unique<ConservingSystem<Attitude>>(model, std::move(parts), drawn);
  return std::make_unique<FlexibleSystem<Attitude>>(model, std::move(parts), false, drawn);
}
template std::unique_ptr<FlexibleSystem<PlaneAngle>> make_flexible_system(const Model&,
                                                                          const std::string&,
                                                                          const NotRowsOf<2>&);
template std::unique_ptr<FlexibleSystem<BodyRates>> make_flexible_system(const Model&,
                                                                         const std::string&,
                                                                         const NotRowsOf<3>&);

template <class Attitude>
CompiledModel compile_flexible(const Model& model, const std::string& source) {
  constexpr int D = Attitude::dimension;
  using System = FlexibleSystem<Attitude>;
  NotRowsOf<D> left_out;
  if constexpr (D == 2) left_out = kAnglesAreCoordinates;
  const PrescribedStart wanted = prescribed_start<D>(model, source);
  const auto auxiliary = [&](const std::vector<Prescribed>& held, bool stiff) {
    Parts<D> parts = expand<D>(model, held, left_out);
    check_refused<D>(model, parts, source);
    return std::make_unique<System>(model, std::move(parts), stiff);
  };
  CompiledModel compiled;
  std::unique_ptr<System> system = make_flexible_system<Attitude>(model, source, left_out);
  compiled.guess = system->start();
  if (!wanted.values.empty()) compiled.position_start = auxiliary(wanted.values, false);
  compiled.velocity_start = auxiliary(wanted.rates, true);
  compiled.held = system->elastic_positions();
  if (system->has_relaxed()) system->set_stiff_twin(auxiliary({}, true));
  compiled.system = std::move(system);
  const auto& names = compiled.system->layout().q_names;
  for (const auto& name : model.initial.hold)  // in space rows hold bodies
    if (const auto found = std::find(names.begin(), names.end(), name); D == 2 && found != names.end())
      compiled.held.push_back(static_cast<int>(found - names.begin()));
  return compiled;
}
template CompiledModel compile_flexible<PlaneAngle>(const Model&, const std::string&);
template CompiledModel compile_flexible<BodyRates>(const Model&, const std::string&);
template CompiledModel compile_flexible<QuaternionRates>(const Model&, const std::string&);

void refuse_floating(const Model& model, const std::string& coordinates, const std::string& source) {
  for (const Body& body : model.bodies)
    if (body.flexible && body.flexible->type != FlexibleSpec::Type::cable)
      throw InputError(
          source,
          Complaint{"`coordinates`",
                    model.space == Space::planar ? "'reference-point' or 'relative'"
                                                 : "'reference-point', 'euler-parameters' or 'relative'",
                    fmt::format("'{}' for a model with the flexible body '{}'", coordinates, body.name),
                    "points of a floating frame are no sums of coordinates; those of a cable are "
                    "(\"type\": \"cable\")"});
}

}  // namespace driftless
