// What results read off a FlexibleSystem: poses, output channels, section forces, reactions. For flexible_system.cpp only.
#pragma once

#include <array>
#include <cmath>

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/flexible/vibrations.hpp"
#include "driftless/model/drawing/drawn_axis.hpp"

namespace driftless {

template <class Attitude>
std::vector<std::string> FlexibleSystem<Attitude>::body_names() const {
  std::vector<std::string> names = parts_.body_names;
  int body = -1, count = 0;
  for (size_t k = parts_.sections.size() - size_t(drawn_); k < parts_.sections.size(); ++k) {
    if (parts_.sections[k].body != body) count = 0;
    body = parts_.sections[k].body;
    names.push_back(parts_.body_names[size_t(body)] + ".p" + std::to_string(count++));
  }
  return names;
}

template <class Attitude>
void FlexibleSystem<Attitude>::observe_poses(double, ConstVec q, Terms& terms, std::vector<Pose>& out) const {
  out.resize(parts_.bodies() + size_t(drawn_));
  Work& work = static_cast<Work&>(*terms.scratch);
  for (int k = 0; k < drawn_; ++k) {
    const int slot = moving_slots() + k;
    place_slot(slot, q, work);
    const FrameOf<double, D>& frame = work.frames[size_t(slot)];
    Pose& pose = out[parts_.bodies() + size_t(k)];
    pose.position.setZero();
    pose.position.template head<D>() = frame.r;
    if constexpr (D == 2)
      pose.quaternion = {std::cos(frame.theta / 2), 0, 0, std::sin(frame.theta / 2)};
    else
      pose.quaternion = quaternion_of_matrix(frame.R);
  }
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    const double* own = q.data() + member.q;
    Pose& pose = out[size_t(i)];
    pose = {Vec3::Zero(), Eigen::Vector4d(1, 0, 0, 0)};
    if (member.turns()) {
      pose = Attitude::pose(own);
      continue;
    }
    for (int k = 0; k < D; ++k) pose.position[k] = own[k];
    if (member.kind != Kind::cable) continue;
    Vec3 slope = Vec3::Zero();  // the frame of the first node, as its tangent lies
    for (int k = 0; k < D; ++k) slope[k] = own[D + k];
    const FlexibleSpec& spec = cable_specs_[size_t(member.index)];
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond::FromTwoVectors(element_axes(spec, 0, D == 2).col(0), slope);
    pose.quaternion = {turn.w(), turn.x(), turn.y(), turn.z()};
    pose.position -= turn * spec.nodes[0];
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  Base::observe_quantities(t, q, v, reaction, terms, out);
  Work& work = static_cast<Work&>(*terms.scratch);
  for (size_t i = 0; i < parts_.channels.size(); ++i)
    if (parts_.channels[i].beam.slot >= 0)
      out[Eigen::Index(i)] = beam_value(parts_.channels[i].beam, q, work);
}

template <class Attitude>
double FlexibleSystem<Attitude>::beam_value(const BeamPick& pick, ConstVec q, Work& work) const {
  const Member& member = members_[size_t(pick.body)];
  const std::string& value = pick.value;
  BeamProperties p;
  double axial = 0, kz = 0, ky = 0, twist = 0, force = 0;
  if (member.kind == Kind::cable) {
    const CableBody<D>& cable = cables_[size_t(member.index)];
    const auto strains = cable.strains(pick.element, pick.xi, q.segment(member.q, member.nq));
    p = cable_specs_[size_t(member.index)].properties(size_t(pick.element));
    axial = strains.axial;
    kz = strains.curvature;
    force = strains.force;
  } else {
    const FloatingBody<D>& body = floating_[size_t(member.index)];
    FloatingState& state = work.floating[size_t(member.index)];
    const auto& section = slots_[size_t(pick.slot)].section;
    if (value.size() == 1) {
      V moved = work.slots[size_t(pick.slot)].u - section.u0;
      if (pick.chord) {
        const V first = body.place_of(0), along = body.place_of(body.nodes() - 1) - first;
        const double x = along.dot(section.u0 - first) / along.squaredNorm();
        moved -= (1 - x) * body.node_displacement(0, state.eta) +
                 x * body.node_displacement(body.nodes() - 1, state.eta);
      }
      return moved[value == "u" ? 0 : value == "v" ? 1 : 2];
    }
    if (value.starts_with("rotation")) {
      SpinVec turn = SpinVec::Zero();
      for (size_t k = 0; k < section.columns.size(); ++k)
        turn += section.turn.col(Eigen::Index(k)) * state.eta[section.columns[k]];
      return turn[value == "rotation-x" ? 0 : value == "rotation-y" ? 1 : kSpin - 1];
    }
    const auto strains = body.strains(pick.element, pick.xi, state.eta, state.work);
    p = body.elements()[size_t(pick.element)].p;
    axial = strains.axial;
    kz = strains.kz;
    ky = strains.ky;
    twist = strains.twist;
    force = p.EA * axial;
  }
  const double strain = axial - pick.y * kz + pick.z * ky;
  if (value == "strain") return strain;
  if (value == "stress") return p.E * strain;
  if (value == "curvature") return kz;
  if (value == "curvature-y") return ky;
  if (value == "twist") return twist;
  if (value == "axial-force") return force;
  if (value == "moment") return p.EIz * kz;
  if (value == "moment-y") return p.EIy * ky;
  return p.GJ * twist;
}

// What results keep of flexible bodies. Their drawn places stand behind the bodies, in the same order.
template <class Attitude>
void FlexibleSystem<Attitude>::set_columns(const Model& model) {
  int place = bodies();
  for (size_t i = 0; i < model.bodies.size() && drawn_ > 0; ++i) {
    if (!model.bodies[i].flexible) continue;
    const FlexibleSpec& spec = *model.bodies[i].flexible;
    const Member& member = members_[i];
    const bool frame = member.kind == Kind::floating;
    FlexibleColumns& own = flexible_.emplace_back();
    own.body = model.bodies[i].name;
    own.q = member.q + (frame ? kQ : 0);
    own.v = member.v + (frame ? kV : 0);
    own.size = member.nv - (frame ? kV : 0);
    const DrawnAxis axis = drawn_axis(spec);
    for (const int drawn : axis.nodes)
      if (drawn >= 0) own.nodes.push_back(place + drawn);
    place += static_cast<int>(axis.places.size());
    if (spec.modal) continue;
    own.elements = static_cast<int>(spec.elements.size());
    own.has_stress = spec.material.youngs_modulus > 0;
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::observe_strains(ConstVec q, Terms& terms, VecRef out) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  const double gauss[] = {0.5 - std::sqrt(3.0) / 6, 0.5 + std::sqrt(3.0) / 6};
  Eigen::Index next = 0;
  size_t body = 0;
  for (const Member& member : members_) {
    if (member.kind != Kind::floating && member.kind != Kind::cable) continue;
    const FlexibleColumns& own = flexible_[body++];
    const auto strains = [&](int e, double xi, BeamProperties& p) -> std::array<double, 3> {
      if (member.kind == Kind::cable) {
        const auto found = cables_[size_t(member.index)].strains(e, xi, q.segment(member.q, member.nq));
        p = cable_specs_[size_t(member.index)].properties(size_t(e));
        return {found.axial, found.curvature, 0.0};
      }
      FloatingState& state = work.floating[size_t(member.index)];
      const FloatingBody<D>& floating = floating_[size_t(member.index)];
      const auto found = floating.strains(e, xi, state.eta, state.work);
      p = floating.elements()[size_t(e)].p;
      return {found.axial, found.kz, found.ky};
    };
    BeamProperties p;
    for (int e = 0; e < own.elements; ++e) out[next++] = strains(e, 0.5, p)[0];
    for (int e = 0; e < own.elements && own.has_stress; ++e) {
      double most = 0;
      for (const double xi : gauss) {
        const auto [axial, kz, ky] = strains(e, xi, p);
        most = std::max(most, p.E * (std::abs(axial) + p.half_y * std::abs(kz) + p.half_z * std::abs(ky)));
      }
      out[next++] = most;
    }
  }
}

// Of cables what bounds their elements have: axial 19.5 c/l, 13.0 c/l where integration is full, bending 91.7 √(EI/ρA)/l².
template <class Attitude>
std::vector<FlexibleVibrations> FlexibleSystem<Attitude>::vibrations() const {
  std::vector<FlexibleVibrations> out;
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    if (member.kind != Kind::floating && member.kind != Kind::cable) continue;
    FlexibleVibrations& own = out.emplace_back();
    own.body = parts_.body_names[size_t(i)];
    if (member.kind == Kind::floating) {
      const FloatingBody<D>& body = floating_[size_t(member.index)];
      const Vibrations found = vibrations_of(body.stiffness(), body.elastic_mass());
      own.lowest = found.lowest;
      own.highest = found.highest;
      continue;
    }
    const FlexibleSpec& spec = cable_specs_[size_t(member.index)];
    for (size_t e = 0; e < spec.elements.size(); ++e) {
      const BeamProperties p = spec.properties(e);
      const double l = spec.length_of(e), axial = spec.integration == "full" ? 13.0 : 19.5;
      own.highest = std::max({own.highest, axial * std::sqrt(p.EA / p.rhoA) / l,
                              91.7 * std::sqrt(std::max(p.EIy, p.EIz) / p.rhoA) / (l * l)});
    }
  }
  return out;
}

template <class Attitude>
std::unique_ptr<DescriptorSystem> FlexibleSystem<Attitude>::copy_in(const Mode& mode) const {
  auto copy = std::make_unique<FlexibleSystem>(*this);
  copy->mode_ = copy->parts_.run_mode = &mode;
  return copy;
}

// ẍ = J_x v̇ + b_x, of every slot.
template <class Attitude>
void FlexibleSystem<Attitude>::accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(q, vdot, work);
  std::copy(work.twists.begin(), work.twists.end(), work.accelerations.begin());
  move(q, v, work);
  for (size_t i = 0; i < size_t(moving_slots()); ++i) {
    work.accelerations[i].r += work.slots[i].bias.r;
    work.accelerations[i].omega += work.slots[i].bias.omega;
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::observe_reactions(double t,
                                                 ConstVec,
                                                 ConstVec v,
                                                 const Reaction& reaction,
                                                 Terms& terms,
                                                 std::vector<JointReaction>& out) const {
  Work& work = static_cast<Work&>(*terms.scratch);
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

}  // namespace driftless
