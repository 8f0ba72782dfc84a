// What a FlexibleSystem is made of: members, slots, names, scales and patterns. For flexible_system.cpp only.
#pragma once

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/model/flexible_start.hpp"

namespace driftless {

template <class Attitude>
FlexibleSystem<Attitude>::FlexibleSystem(const Model& model, Parts<D> parts, bool stiff, int drawn)
    : Base(Layout{}, std::move(parts), Attitude::counts_turns), stiff_(stiff), drawn_(drawn) {
  Layout layout;
  for (const Body& body : model.bodies) add_member(body, layout);
  layout_ = std::move(layout);
  make_slots(model);
  make_layout(model);
  check_layout(layout_);
  set_columns(model);
  for (const Body& body : model.bodies)
    if (body.flexible)
      exchanges_energy_ = exchanges_energy_ || body.flexible->alpha != 0 || body.flexible->beta != 0 ||
                          !body.flexible->modal_damping.empty() ||
                          (body.flexible->modal && body.flexible->modal->damping.size() > 0) ||
                          body.flexible->stiffening == FlexibleSpec::Stiffening::loads;
  switched_ = switched_rows(parts_, [this](int row) { return row_at(row); });
  switched_.describe(parts_.switches);
  exchanges_energy_ = exchanges_energy_ || switched_.exchanges_energy();
}

template <class Attitude>
void FlexibleSystem<Attitude>::add_member(const Body& body, Layout& layout) {
  Member member;
  member.q = static_cast<int>(layout.q_names.size());
  member.v = static_cast<int>(layout.v_names.size());
  std::vector<double> q_scale, v_scale;
  const double length = parts_.length;
  const auto q = [&](const std::string& name, const char* unit, double scale) {
    layout.q_names.push_back(body.name + name);
    layout.q_units.emplace_back(unit);
    q_scale.push_back(scale);
  };
  const auto v = [&](const std::string& name, const char* unit, double scale) {
    layout.v_names.push_back(body.name + name);
    layout.v_units.emplace_back(unit);
    v_scale.push_back(scale);
  };
  const auto place = [&](const std::string& prefix) {
    for (int k = 0; k < D; ++k) {
      q(prefix + "." + "xyz"[k], "m", length);
      v(prefix + ".v" + "xyz"[k], "m/s", length);
    }
  };
  if (body.point) {
    member.kind = Kind::point;
    place("");
  } else if (body.flexible && body.flexible->type == FlexibleSpec::Type::cable) {
    member.kind = Kind::cable;
    member.index = static_cast<int>(cables_.size());
    cables_.emplace_back(*body.flexible);
    cable_masses_.push_back(cables_.back().mass_matrix());
    cable_specs_.push_back(*body.flexible);
    for (int n = 0; n < cables_.back().nodes(); ++n) {
      const std::string node = fmt::format(".n{}", n);
      place(node);
      for (int k = 0; k < D; ++k) {
        q(node + ".d" + "xyz"[k], "", 1);
        v(node + ".d" + "xyz"[k] + "_rate", "1/s", 1);
      }
    }
  } else {
    place("");
    for (const char* suffix : Attitude::q_names) q(suffix, Attitude::q_unit, 1);
    for (const char* suffix : Attitude::v_names) v(suffix, Attitude::v_unit, 1);
    if (Attitude::normalisation_row) member.norm = norm_rows_++;
    if (body.flexible) {
      member.kind = Kind::floating;
      member.relaxed = starts_relaxed(*body.flexible);
      member.index = static_cast<int>(floating_.size());
      const FloatingBody<D>& own = floating_.emplace_back(*body.flexible);
      for (size_t k = 0; k < own.names().size(); ++k) {
        const bool is_length = own.is_length()[k];
        const double scale = 0.01 * (is_length ? length : 1) * own.unit(int(k));
        q("." + own.names()[k], is_length ? "m" : "rad", scale);
        v("." + own.names()[k] + "_rate", is_length ? "m/s" : "rad/s", scale);
      }
      if constexpr (Attitude::normalisation_row) {
        auto work = own.make_work();
        own.place(Vec::Zero(own.size()), work);
        member.kappa = QuaternionRates::kappa(work.theta);
      }
    }
  }
  member.nq = static_cast<int>(layout.q_names.size()) - member.q;
  member.nv = static_cast<int>(layout.v_names.size()) - member.v;
  const auto append = [](Vec& scale, const std::vector<double>& more) {
    const Eigen::Index old = scale.size();
    scale.conservativeResize(old + Eigen::Index(more.size()));
    for (size_t i = 0; i < more.size(); ++i) scale[old + Eigen::Index(i)] = more[i];
  };
  append(layout.q_scale, q_scale);
  append(layout.v_scale, v_scale);
  members_.push_back(member);
}

template <class Attitude>
typename FlexibleSystem<Attitude>::Slot FlexibleSystem<Attitude>::floating_slot(
    int member, typename FloatingBody<D>::Section section) const {
  Slot slot;
  slot.kind = Kind::floating;
  slot.member = member;
  const Member& own = members_[size_t(member)];
  for (int k = 0; k < kV; ++k) slot.columns.push_back(own.v + k);
  for (const int k : section.columns) slot.columns.push_back(own.v + kV + k);
  slot.section = std::move(section);
  return slot;
}

template <class Attitude>
typename FlexibleSystem<Attitude>::Slot FlexibleSystem<Attitude>::cable_slot(int member,
                                                                             const Vec& h,
                                                                             const Vec& dh,
                                                                             int first_vector) const {
  Slot slot;
  slot.kind = Kind::cable;
  slot.member = member;
  slot.h = h;
  slot.dh = dh;
  slot.first = members_[size_t(member)].q + D * first_vector;
  const int column = members_[size_t(member)].v + D * first_vector;
  for (int k = 0; k < D * h.size(); ++k) slot.columns.push_back(column + k);
  return slot;
}

template <class Attitude>
void FlexibleSystem<Attitude>::make_slots(const Model& model) {
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    if (member.kind == Kind::floating) {
      slots_.push_back(floating_slot(i, floating_[size_t(member.index)].center()));
    } else if (member.kind == Kind::cable) {
      slots_.push_back(cable_slot(i, cables_[size_t(member.index)].center(), Vec(), 0));
    } else {
      Slot& slot = slots_.emplace_back();
      slot.kind = member.kind;
      slot.member = i;
      for (int k = 0; k < member.nv; ++k) slot.columns.push_back(member.v + k);
    }
  }
  slots_.emplace_back();
  for (const SectionSlot& section : parts_.sections) {
    const Member& member = members_[size_t(section.body)];
    if (member.kind == Kind::floating) {
      slots_.push_back(
          floating_slot(section.body, floating_[size_t(member.index)].section(section.element, section.xi)));
    } else {
      const auto own = cables_[size_t(member.index)].section(section.element, section.xi);
      Slot& slot = slots_.emplace_back(cable_slot(section.body, own.h, own.dh, own.first));
      const Eigen::Matrix3d T =
          element_axes(*model.bodies[size_t(section.body)].flexible, size_t(section.element), D == 2);
      if constexpr (D == 2)
        slot.rest.theta = std::atan2(T(1, 0), T(0, 0));
      else
        slot.rest.R = T;
    }
  }
}

template <class Attitude>
void FlexibleSystem<Attitude>::make_layout(const Model&) {
  Layout& layout = layout_;
  const int scalars = massless();
  for (int k = 0; k < scalars; ++k) {
    const ScalarOf<D>& scalar = parts_.scalars[size_t(k)];
    const bool is_length = scalar.kind != ScalarOf<D>::Kind::angle;
    const std::string unit = is_length ? "m" : "rad";
    layout.q_names.push_back(scalar.name);
    layout.v_names.push_back(scalar.name + "_rate");
    layout.q_units.push_back(unit);
    layout.v_units.push_back(unit + "/s");
    for (Vec* scale : {&layout.q_scale, &layout.v_scale}) {
      scale->conservativeResize(scale->size() + 1);
      (*scale)[scale->size() - 1] = is_length ? parts_.length : 1;
    }
  }
  layout.nq = static_cast<int>(layout.q_names.size());
  layout.nv = static_cast<int>(layout.v_names.size());
  const int holonomic = parts_.rows.holonomic_rows();
  layout.mh = holonomic + norm_rows_;
  layout.m = parts_.rows.rows() + norm_rows_;
  layout.length = parts_.length;
  layout.mass = std::accumulate(parts_.masses.begin(), parts_.masses.end(), 0.0);
  layout.mass_is_constant = !Attitude::normalisation_row && floating_.empty();
  const auto& names = parts_.rows.names();
  layout.row_names.assign(names.begin(), names.begin() + holonomic);
  for (int i = 0; i < bodies(); ++i)
    if (members_[size_t(i)].norm >= 0) layout.row_names.push_back(parts_.body_names[size_t(i)] + ".norm");
  layout.row_names.insert(layout.row_names.end(), names.begin() + holonomic, names.end());
  layout.row_units.assign(size_t(layout.mh), "m");
  layout.row_units.resize(size_t(layout.m), "m/s");

  std::vector<Eigen::Triplet<double>> mass, rows;
  for (const Member& member : members_) {
    const int v = member.v;
    const auto block = [&](int r0, int r1, int c0, int c1) {
      for (int r = r0; r < r1; ++r)
        for (int c = c0; c < c1; ++c) mass.emplace_back(v + r, v + c, 0.0);
    };
    const auto pattern = [&](const SparseRows& own, int at) {
      for (int r = 0; r < own.rows(); ++r)
        for (SparseRows::InnerIterator entry(own, r); entry; ++entry)
          mass.emplace_back(v + at + r, v + at + int(entry.col()), 0.0);
    };
    if (member.kind == Kind::rigid || member.kind == Kind::point)
      for (int k = 0; k < D; ++k) block(k, k + 1, k, k + 1);
    if (member.kind == Kind::rigid) block(D, kV, D, kV);
    if (member.kind == Kind::floating) {
      block(0, kV, 0, member.nv);
      block(kV, member.nv, 0, kV);
      pattern(floating_[size_t(member.index)].elastic_mass(), kV);
    }
    if (member.kind == Kind::cable) pattern(cable_masses_[size_t(member.index)], 0);
    if (member.norm >= 0)
      for (int k = D; k < kV; ++k) rows.emplace_back(holonomic + member.norm, v + k, 0.0);
  }
  const int tail = layout.nv - scalars;
  for (int k = 0; k < scalars; ++k) mass.emplace_back(tail + k, tail + k, 0.0);
  for (const auto& pair : parts_.rows.vector_pairs())
    for (const int column : slots_[size_t(parts_.markers[size_t(pair.of)].body)].columns)
      rows.emplace_back(row_at(pair.row), column, 0.0);
  const auto scalar_columns = [&](int of) {
    if (Attitude::counts_turns) return slots_[size_t(parts_.scalars[size_t(of)].b.origin.body)].columns;
    return std::vector<int>{tail + of};
  };
  for (const auto& pair : parts_.rows.scalar_pairs())
    for (const int column : scalar_columns(pair.of)) rows.emplace_back(row_at(pair.row), column, 0.0);
  layout.M.resize(layout.nv, layout.nv);
  layout.M.setFromTriplets(mass.begin(), mass.end());
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(rows.begin(), rows.end());
  const auto entry = [&](int row, int column) {
    return static_cast<int>(&layout.J.coeffRef(row, column) - layout.J.valuePtr());
  };
  for (const auto& pair : parts_.rows.vector_pairs()) {
    pair_entries_.push_back(static_cast<int>(entries_.size()));
    for (const int column : slots_[size_t(parts_.markers[size_t(pair.of)].body)].columns)
      entries_.push_back(entry(row_at(pair.row), column));
  }
  for (const auto& pair : parts_.rows.scalar_pairs()) {
    scalar_first_.push_back(static_cast<int>(scalar_entries_.size()));
    for (const int column : scalar_columns(pair.of))
      scalar_entries_.push_back(entry(row_at(pair.row), column));
  }
}

template <class Attitude>
State FlexibleSystem<Attitude>::start() const {
  State state{0, Vec::Zero(layout_.nq), Vec::Zero(layout_.nv)};
  const int tail = layout_.nq - massless();
  for (int k = 0; k < massless(); ++k) state.q[tail + k] = parts_.scalars[size_t(k)].start;
  for (int i = 0; i < bodies(); ++i) {
    const Member& member = members_[size_t(i)];
    const FrameOf<double, D>& frame = parts_.start[size_t(i)];  // at the centre of mass
    const TwistOf<double, D>& twist = parts_.start_twists[size_t(i)];
    double *q = state.q.data() + member.q, *v = state.v.data() + member.v;
    const auto put_place = [&](const V& at, int k) {  // from the centre of mass, body axes
      const V arm = frame.turn(at);
      Eigen::Map<V>{q + k} = frame.r + arm;
      Eigen::Map<V>{v + k} = twist.r + swing(twist.omega, arm);
    };
    if (member.kind == Kind::floating) {
      const FloatingBody<D>& own = floating_[size_t(member.index)];
      put_place(-own.invariants().s0 / own.invariants().m, 0);
      state.q.segment(member.q + kQ, own.size()) = own.start();
      state.v.segment(member.v + kV, own.size()) = own.start_rates();
    } else if (member.kind != Kind::cable) {
      put_place(V::Zero(), 0);
    } else {
      const Vec3 center = flexible_center(cable_specs_[size_t(member.index)]);
      const FlexibleSpec& spec = cable_specs_[size_t(member.index)];
      const V along = element_axes(spec, 0, D == 2).col(0).template head<D>();
      for (int n = 0; n < cables_[size_t(member.index)].nodes(); ++n) {
        put_place(Vec3(spec.nodes[size_t(n)] - center).template head<D>(), 2 * D * n);
        const V slope = frame.turn(along);
        Eigen::Map<V>{q + 2 * D* n + D} = slope;
        Eigen::Map<V>{v + 2 * D* n + D} = swing(twist.omega, slope);
      }
    }
    if (member.turns()) Attitude::start(frame, twist.omega, q + D, v + D);
  }
  return state;
}

template <class Attitude>
std::vector<int> FlexibleSystem<Attitude>::elastic_positions() const {
  std::vector<int> out;
  for (const Member& member : members_)
    if (member.kind == Kind::floating)
      for (int k = kV; k < member.nv; ++k) out.push_back(member.v + k);
  return out;
}

}  // namespace driftless
