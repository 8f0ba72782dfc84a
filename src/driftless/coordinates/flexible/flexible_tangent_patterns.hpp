// What FlexibleTangents is made of: slots, patterns, places among the values. For flexible_tangents.cpp only.
#pragma once

#include <algorithm>
#include <set>

#include "driftless/coordinates/flexible/flexible_tangents.hpp"

namespace driftless {
namespace flexible_detail {

inline void touch(const std::vector<int>& rows,
                  const std::vector<int>& columns,
                  std::vector<Eigen::Triplet<double>>& out) {
  for (const int r : rows)
    for (const int c : columns) out.emplace_back(r, c, 0.0);
}

}  // namespace flexible_detail

template <class Attitude>
FlexibleTangents<Attitude>::FlexibleTangents(const System& system, Tangents& out)
    : system_(system),
      parts_(system.parts_),
      jets_(parts_, scalar_slots(system)),
      lambda_(parts_.rows.rows()),
      accelerations_(system.slots_.size()),
      sddot_(parts_.scalars.size()) {
  for (int row = 0; row < parts_.rows.rows(); ++row) row_at_.push_back(system.row_at(row));
  make_slots();
  for (const FloatingBody<D>& body : system.floating_) {
    Floating& own = floating_.emplace_back();
    own.tangents = std::make_unique<FloatingTangents<D>>(body);
    own.at.eta = own.at.rates = own.at.accelerations = Vec::Zero(body.size());
  }
  for (const CableBody<D>& cable : system.cables_) hessians_.emplace_back(size_t(cable.nodes() - 1));
  make_patterns(out);
}

template <class Attitude>
std::vector<int> FlexibleTangents<Attitude>::scalar_slots(const System& system) {
  std::vector<int> slots;
  for (size_t k = 0; k < system.parts_.scalars.size(); ++k) {
    if constexpr (Attitude::counts_turns)
      slots.push_back(system.parts_.scalars[k].b.origin.body);
    else
      slots.push_back(static_cast<int>(system.slots_.size() + k));
  }
  return slots;
}

template <class Attitude>
void FlexibleTangents<Attitude>::make_slots() {
  for (const auto& slot : system_.slots_) {
    SlotData& own = slots_.emplace_back();
    own.columns = slot.columns;
    const auto count = static_cast<Eigen::Index>(slot.columns.size());
    own.Z = Mat::Zero(N, count);
    if (slot.kind == Kind::rigid || slot.kind == Kind::point) own.Z.topRows(count).setIdentity();
    if (slot.kind == Kind::floating) {
      own.Z.topLeftCorner(kV, kV).setIdentity();
      own.Z.block(kV, kV, D, count - kV) = slot.section.U;
      own.Z.block(kV + D, kV, kSpin, count - kV) = slot.section.turn;
      own.at.section = true;
    }
    if (slot.kind == Kind::cable) {
      for (Eigen::Index i = 0; i < slot.h.size(); ++i)
        for (int k = 0; k < D; ++k) {
          own.Z(k, D * i + k) = slot.h[i];
          if (slot.dh.size() > 0) own.Z(D + k, D * i + k) = slot.dh[i];
        }
      own.at.cable = slot.dh.size() > 0;
    }
  }
  for (int k = 0; k < system_.massless(); ++k) {
    SlotData& own = slots_.emplace_back();
    own.columns = {system_.layout_.nv - system_.massless() + k};
    own.Z = Mat::Zero(N, 1);
    own.Z(0, 0) = 1;
  }
  for (SlotData& own : slots_) {
    for (Mat* matrix : {&own.J, &own.twist_q, &own.acceleration_q, &own.acceleration_v})
      *matrix = Mat::Zero(kWrench, own.Z.cols());
    own.by_motion = Mat::Zero(kWrench, kWrench);
    own.turned = Mat::Zero(kWrench, own.Z.cols());
    own.by_columns = Mat::Zero(N, own.Z.cols());
    own.wrench.setZero();
  }
  for (const auto* elements : {&jets_.blocks(), &jets_.forces()})
    for (const auto& element : *elements)
      for (const int slot : element.slots) slots_[size_t(slot)].seen = true;
}

template <class Attitude>
std::vector<int> FlexibleTangents<Attitude>::range(int first, int count) {
  std::vector<int> out;
  for (int k = 0; k < count; ++k) out.push_back(first + k);
  return out;
}

template <class Attitude>
void FlexibleTangents<Attitude>::add_member_patterns(Triplets& K, Triplets& C) const {
  for (const auto& member : system_.members_) {
    const auto frame = range(member.v, kV), all = range(member.v, member.nv);
    if (member.kind == Kind::rigid)
      for (Triplets* out : {&K, &C}) flexible_detail::touch(all, all, *out);
    if (member.kind == Kind::floating)
      for (Triplets* out : {&K, &C}) {
        flexible_detail::touch(frame, all, *out);
        flexible_detail::touch(all, frame, *out);
        const SparseRows& own = floating_[size_t(member.index)].tangents->K_eta;
        for (int r = 0; r < own.rows(); ++r)
          for (SparseRows::InnerIterator entry(own, r); entry; ++entry)
            out->emplace_back(member.v + kV + r, member.v + kV + int(entry.col()), 0.0);
      }
    if (member.kind == Kind::cable)
      for (int first = 0; first + 4 * D <= member.nv; first += 2 * D)
        for (Triplets* out : {&K, &C})
          flexible_detail::touch(range(member.v + first, 4 * D), range(member.v + first, 4 * D), *out);
  }
}

template <class Attitude>
void FlexibleTangents<Attitude>::make_patterns(Tangents& out) {
  const Layout& layout = system_.layout_;
  Triplets K_entries, C_entries, L_entries;
  add_member_patterns(K_entries, C_entries);
  std::set<std::pair<int, int>> meet_K, meet_C;
  const auto meet = [](const auto& element, auto& pairs) {
    for (const int i : element.slots)
      for (const int j : element.slots) pairs.emplace(i, j);
  };
  for (const auto& element : jets_.blocks()) {
    meet(element, meet_K);
    if (!parts_.switched.empty()) meet(element, meet_C);  // of rows that slide
    for (const int slot : element.slots)
      for (int k = 0; k < element.rows; ++k)
        flexible_detail::touch({row_at_[size_t(element.row + k)]}, slots_[size_t(slot)].columns, L_entries);
  }
  for (const auto& element : jets_.forces()) {
    meet(element, meet_K);
    meet(element, meet_C);
  }
  for (const auto& [i, j] : meet_K)
    flexible_detail::touch(slots_[size_t(i)].columns, slots_[size_t(j)].columns, K_entries);
  for (const auto& [i, j] : meet_C)
    flexible_detail::touch(slots_[size_t(i)].columns, slots_[size_t(j)].columns, C_entries);
  for (const auto& member : system_.members_)
    if (member.norm >= 0)
      flexible_detail::touch({parts_.rows.holonomic_rows() + member.norm}, range(member.v + D, kW),
                             L_entries);
  SparseRows K(layout.nv, layout.nv), C(layout.nv, layout.nv), L(layout.m, layout.nv);
  K.setFromTriplets(K_entries.begin(), K_entries.end());
  C.setFromTriplets(C_entries.begin(), C_entries.end());
  L.setFromTriplets(L_entries.begin(), L_entries.end());
  for (const auto& [i, j] : meet_K)
    K_blocks_[{i, j}] = entries_of(K, slots_[size_t(i)].columns, slots_[size_t(j)].columns);
  for (const auto& [i, j] : meet_C)
    C_blocks_[{i, j}] = entries_of(C, slots_[size_t(i)].columns, slots_[size_t(j)].columns);
  find_places(K, C, L);
  if (out.parts.dynamics || out.parts.reactions) out.K = K;
  if (out.parts.dynamics) out.C = C;
  if (out.parts.velocity) out.L = L;
  if (out.parts.acceleration) out.S_q = out.S_v = L;
}

template <class Attitude>
typename FlexibleTangents<Attitude>::Entries FlexibleTangents<Attitude>::entries_of(
    const SparseRows& matrix, const std::vector<int>& rows, const std::vector<int>& columns) {
  Entries out;
  for (const int row : rows) {
    const int *begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row],
              *end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row + 1];
    for (const int column : columns) {
      const int* found = std::lower_bound(begin, end, column);
      out.push_back(found != end && *found == column ? static_cast<int>(found - matrix.innerIndexPtr()) : -1);
    }
  }
  return out;
}

template <class Attitude>
void FlexibleTangents<Attitude>::find_places(const SparseRows& K, const SparseRows& C, const SparseRows& L) {
  const auto find = [&](const auto& elements, const auto* blocks, bool rows,
                        std::vector<ElementPlaces>& out) {
    for (const auto& element : elements) {
      ElementPlaces& places = out.emplace_back();
      for (const int seeded : element.slots) {
        for (const int slot : element.slots) places.on_slots.push_back(&blocks->at({slot, seeded}));
        for (int k = 0; rows && k < element.rows; ++k)
          places.on_rows.push_back(
              entries_of(L, {row_at_[size_t(element.row + k)]}, slots_[size_t(seeded)].columns));
      }
    }
  };
  find(jets_.blocks(), &K_blocks_, true, block_places_);
  find(jets_.forces(), &K_blocks_, false, force_places_);
  find(jets_.forces(), &C_blocks_, false, velocity_places_);
  for (int slot = 0; slot < frames(); ++slot)
    if (SlotData& own = slots_[size_t(slot)]; slot >= system_.bodies() || !own.at.section)
      own.self = entries_of(K, own.columns, own.columns);
  for (const auto& member : system_.members_) {
    const auto frame = range(member.v, kV), all = range(member.v, member.nv);
    Entries& own_K = own_K_.emplace_back();
    Entries& own_C = own_C_.emplace_back();
    Entries& norm = norm_rows_.emplace_back();
    if (member.norm >= 0)
      norm = entries_of(L, {parts_.rows.holonomic_rows() + member.norm}, range(member.v + D, kW));
    if (member.turns()) {
      own_K = entries_of(K, frame, frame);
      own_C = entries_of(C, frame, frame);
    }
    if (member.kind == Kind::cable)
      for (int first = 0; first + 4 * D <= member.nv; first += 2 * D) {
        const auto element = range(member.v + first, 4 * D);
        for (const int entry : entries_of(K, element, element)) own_K.push_back(entry);
        for (const int entry : entries_of(C, element, element)) own_C.push_back(entry);
      }
    if (member.kind != Kind::floating) continue;
    Floating& own = floating_[size_t(member.index)];
    const auto eta = range(member.v + kV, member.nv - kV);
    own.K_eta_frame = entries_of(K, eta, frame);
    own.K_frame_eta = entries_of(K, frame, eta);
    own.C_eta_frame = entries_of(C, eta, frame);
    own.C_frame_eta = entries_of(C, frame, eta);
    const SparseRows& pattern = own.tangents->K_eta;
    for (int r = 0; r < pattern.rows(); ++r)
      for (SparseRows::InnerIterator entry(pattern, r); entry; ++entry) {
        const int column = member.v + kV + int(entry.col());
        own.K_eta.push_back(entries_of(K, {member.v + kV + r}, {column})[0]);
        own.C_eta.push_back(entries_of(C, {member.v + kV + r}, {column})[0]);
      }
  }
}

}  // namespace driftless
