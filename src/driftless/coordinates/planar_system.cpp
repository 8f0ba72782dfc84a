#include "driftless/coordinates/planar_system.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

PlanarScratch& frames_of(Terms& terms) { return static_cast<PlanarScratch&>(*terms.scratch); }

void place_bodies(ConstVec q, PlanarScratch& scratch) {
  for (size_t i = 0; i + 1 < scratch.frames.size(); ++i) {
    const double* body = q.data() + 3 * i;
    scratch.frames[i] = {{body[0], body[1]}, body[2], std::cos(body[2]), std::sin(body[2])};
  }
}

void move_bodies(ConstVec v, PlanarScratch& scratch) {
  for (size_t i = 0; i + 1 < scratch.velocities.size(); ++i) {
    const double* body = v.data() + 3 * i;
    scratch.velocities[i] = {{body[0], body[1]}, body[2]};
  }
}

Layout with_coordinates(Layout layout, const PlanarParts& parts) {
  const int bodies = static_cast<int>(parts.body_names.size());
  layout.nq = layout.nv = 3 * bodies;
  layout.q_scale.resize(layout.nq);
  for (const auto& name : parts.body_names) {
    for (const char* suffix : {".x", ".y", ".theta"}) layout.q_names.push_back(name + suffix);
    for (const char* suffix : {".vx", ".vy", ".omega"}) layout.v_names.push_back(name + suffix);
    for (const char* unit : {"m", "m", "rad"}) layout.q_units.emplace_back(unit);
    for (const char* unit : {"m/s", "m/s", "rad/s"}) layout.v_units.emplace_back(unit);
  }
  for (int i = 0; i < bodies; ++i) layout.q_scale.segment<3>(3 * i) = Vec3(parts.length, parts.length, 1);
  layout.v_scale = layout.q_scale;

  layout.M.resize(layout.nv, layout.nv);
  layout.M.setIdentity();
  layout.M.makeCompressed();
  layout.mass_is_constant = true;
  std::vector<Eigen::Triplet<double>> entries;
  for_each_element(parts.blocks, [&](const auto& placed) {
    for (int r = 0; r < placed.block.rows; ++r)
      for (const int body : placed.block.body())
        if (body < bodies)
          for (int k = 0; k < 3; ++k) entries.emplace_back(placed.row + r, 3 * body + k, 0.0);
  });
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  return layout;
}

}  // namespace

PlanarSystem::PlanarSystem(PlanarParts parts)
    : PlanarMechanism(with_coordinates(row_layout(parts), parts), std::move(parts)) {
  check_layout(layout_);
  const int bodies = static_cast<int>(parts_.body_names.size());
  const auto one_kind = [&](const auto& placed, auto& slots) {
    slots.resize(placed.size());
    for (size_t i = 0; i < placed.size(); ++i)
      for (size_t r = 0; r < slots[i].size(); ++r)
        for (size_t k = 0; k < slots[i][r].size(); ++k) {
          const int body = placed[i].block.body()[k], row = placed[i].row + static_cast<int>(r);
          slots[i][r][k] = body < bodies
                               ? static_cast<int>(&layout_.J.coeffRef(row, 3 * body) - layout_.J.valuePtr())
                               : -1;
        }
  };
  for_each_batch(parts_.blocks, slots_, one_kind);
}

std::unique_ptr<PlanarScratch> PlanarSystem::make_bodies() const {
  return std::make_unique<PlanarScratch>(parts_.body_names.size());
}

void PlanarSystem::place(ConstVec q, PlanarScratch& scratch) const { place_bodies(q, scratch); }

void PlanarSystem::move(ConstVec v, PlanarScratch& scratch) const { move_bodies(v, scratch); }

void PlanarSystem::position(double t, ConstVec q, Terms& terms) const {
  PlanarScratch& scratch = frames_of(terms);
  place_bodies(q, scratch);
  const PlanarView view = scratch.view(t);
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  for_each_pair(parts_.blocks, slots_, [&](const auto& placed, const auto& slots) {
    using Block = std::decay_t<decltype(placed.block)>;
    placed.value(view.frames, t, terms.g.data());
    placed.block.nu(view, terms.nu.data() + placed.row);
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    for (size_t r = 0; r < Block::rows; ++r)
      for (size_t k = 0; k < Block::bodies; ++k)
        if (const int slot = slots[r][k]; slot >= 0)
          for (size_t c = 0; c < 3; ++c)
            values[size_t(slot) + c] += gradient[r][k][c];  // a body may stand twice
  });
}

void PlanarSystem::mass(double, ConstVec, Terms& terms) const {
  double* values = terms.M.valuePtr();
  for (size_t i = 0; i < parts_.masses.size(); ++i) {
    values[3 * i] = values[3 * i + 1] = parts_.masses[i];
    values[3 * i + 2] = parts_.inertias[i];
  }
}

void PlanarSystem::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  PlanarScratch& scratch = frames_of(terms);
  move_bodies(v, scratch);
  const PlanarView view = scratch.view(t);
  for_each_element(parts_.blocks,
                   [&](const auto& placed) { placed.block.gamma(view, terms.gamma.data() + placed.row); });
}

void PlanarSystem::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  PlanarScratch& scratch = frames_of(terms);
  move_bodies(v, scratch);
  load(t, scratch);
  for (size_t i = 0; i < parts_.masses.size(); ++i)
    std::copy(scratch.resultants[i].begin(), scratch.resultants[i].end(), terms.f.data() + 3 * i);
}

void PlanarSystem::magnitudes(ConstVec, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  for (Eigen::Index i = 0; i < v.size(); i += 3) {
    v_size[i] = v_size[i + 1] = std::hypot(v[i], v[i + 1]);
    v_size[i + 2] = std::abs(v[i + 2]);
  }
}

void PlanarSystem::observe_reactions(double t,
                                     ConstVec,
                                     ConstVec v,
                                     const Reaction& reaction,
                                     Terms& terms,
                                     std::vector<JointReaction>& out) const {
  PlanarScratch& scratch = scratch_of(terms);
  move_bodies(v, scratch);
  driftless::joint_reactions(parts_, scratch.view(t), reaction.lambda, out);
}

}  // namespace driftless
