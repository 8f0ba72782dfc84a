#include "driftless/coordinates/planar_relative.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/planar_builder.hpp"

namespace driftless {
namespace {

struct TreeScratch final : PlanarScratch {
  PlanarTreeScratch tree;
  // ---- observe_reactions()
  enum class Loops { unknown, independent, redundant } loops = Loops::unknown;
  std::vector<JointReaction> of_rows;
  std::vector<PlanarVelocity> accelerations;  // R z̈

  TreeScratch(size_t bodies, PlanarTreeScratch own)
      : PlanarScratch(bodies), tree(std::move(own)), accelerations(bodies + 1) {}
};

TreeScratch& scratch_of(Terms& terms) { return static_cast<TreeScratch&>(*terms.scratch); }

// Points accelerate with their bodies at ż = 0 already: γ₁ − J₁ b of (1) is the block's γ with this bias.
struct TreeView : PlanarView {
  const Planar<double>* biases;
  Planar<double> bias(const PointOn& p) const { return biases[p.body] + PlanarView::bias(p); }
};

// The coordinates the gradient of a block by its body k reaches, one list a body.
template <class Block>
std::array<std::vector<int>, Block::bodies> reach(const Block& block, const PlanarTree& tree) {
  const auto sees = block.sees();
  const auto moves = [&](int coordinate, size_t k) {
    const auto& path = tree.path(block.body()[k]);
    return std::find(path.begin(), path.end(), coordinate) != path.end();
  };
  const auto moves_all = [&](int coordinate) {
    for (size_t k = 0; k < sees.size(); ++k)
      if (sees[k] != Sees::nothing && !moves(coordinate, k)) return false;
    return true;
  };
  std::array<std::vector<int>, Block::bodies> lists;
  for (size_t k = 0; k < sees.size(); ++k)
    for (const int c : tree.path(block.body()[k])) {
      const bool turns = tree.coordinates()[size_t(c)].turns();
      const bool felt = turns ? sees[k] != Sees::nothing : sees[k] == Sees::pose;
      if (felt && !(moves_all(c) && (!turns || block.objective()))) lists[k].push_back(c);
    }
  return lists;
}

Layout with_coordinates(Layout layout, const PlanarParts& parts, const PlanarTree& tree) {
  const auto& coordinates = tree.coordinates();
  layout.nq = layout.nv = static_cast<int>(coordinates.size());
  layout.q_scale.resize(layout.nq);
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const bool turns = coordinates[i].turns();
    layout.q_names.push_back(coordinates[i].name);
    layout.v_names.push_back(coordinates[i].rate_name);
    layout.q_units.emplace_back(turns ? "rad" : "m");
    layout.v_units.emplace_back(turns ? "rad/s" : "m/s");
    layout.q_scale[static_cast<Eigen::Index>(i)] = turns ? 1 : parts.length;
  }
  layout.v_scale = layout.q_scale;
  layout.M = tree.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  for_each_element(parts.blocks, [&](const auto& placed) {
    for (const auto& list : reach(placed.block, tree))
      for (const int c : list)
        for (int r = 0; r < placed.block.rows; ++r) entries.emplace_back(placed.row + r, c, 0.0);
  });
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  return layout;
}

}  // namespace

PlanarRelative::PlanarRelative(PlanarParts parts,
                               PlanarTree tree,
                               PlanarTreeJoints joints,
                               std::unique_ptr<ReactionRecovery> reactions)
    : PlanarMechanism(
          with_coordinates(row_layout(parts), parts, tree), std::move(parts), std::move(reactions)),
      tree_(std::move(tree)),
      joints_(std::move(joints)) {
  check_layout(layout_);
  const auto& coordinates = tree_.coordinates();
  for (size_t i = 0; i < coordinates.size(); ++i) {
    signs_.push_back(coordinates[i].sign);
    const bool base = coordinates[i].kind == PlanarTreeCoordinate::Kind::base;
    if (base && (bases_.empty() || bases_.back() + 1 != static_cast<Eigen::Index>(i)))
      bases_.push_back(static_cast<Eigen::Index>(i));
  }
  const auto spread_out = [&](const auto& placed, auto& spread) {
    const auto lists = reach(placed.block, tree_);
    const int* starts = layout_.J.outerIndexPtr() + placed.row;
    spread.stride = starts[1] - starts[0];
    for (size_t k = 0; k < lists.size(); ++k) {
      Columns& at = spread.of_body[k];
      at.turns = static_cast<int>(columns_.size());
      for (const bool turns : {true, false}) {
        if (!turns) at.slides = static_cast<int>(columns_.size());
        for (const int c : lists[k])
          if (coordinates[size_t(c)].turns() == turns)
            columns_.push_back(
                {c, static_cast<int>(&layout_.J.coeffRef(placed.row, c) - layout_.J.valuePtr())});
      }
      at.end = static_cast<int>(columns_.size());
    }
  };
  for_each_batch(parts_.blocks, spread_, [&](const auto& one_kind, auto& beside) {
    beside.resize(one_kind.size());
    for (size_t i = 0; i < one_kind.size(); ++i) spread_out(one_kind[i], beside[i]);
  });
}

std::unique_ptr<PlanarScratch> PlanarRelative::make_bodies() const {
  return std::make_unique<TreeScratch>(parts_.masses.size(), tree_.make_scratch());
}

void PlanarRelative::place(ConstVec q, PlanarScratch& scratch) const {
  tree_.place(q.data(), scratch.frames.data(), static_cast<TreeScratch&>(scratch).tree.axes.data());
}

void PlanarRelative::move(ConstVec v, PlanarScratch& scratch) const {
  tree_.move(v.data(), scratch.frames.data(), scratch.velocities.data(),
             static_cast<TreeScratch&>(scratch).tree);
}

void PlanarRelative::position(double t, ConstVec q, Terms& terms) const {
  TreeScratch& scratch = scratch_of(terms);
  tree_.place(q.data(), scratch.frames.data(), scratch.tree.axes.data());
  const PlanarView view = scratch.view(t);
  const auto* axes = scratch.tree.axes.data();
  const Column* columns = columns_.data();
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  for_each_pair(parts_.blocks, spread_, [&](const auto& placed, const auto& spread) {
    using Block = std::decay_t<decltype(placed.block)>;
    placed.value(view.frames, t, terms.g.data());
    placed.block.nu(view, terms.nu.data() + placed.row);
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    const auto bodies = placed.block.body();
    for (size_t k = 0; k < Block::bodies; ++k) {
      const Columns at = spread.of_body[k];
      const auto& r = view.frames[bodies[k]].r;
      for (int i = at.turns; i < at.slides; ++i) {  // (5) of planar_tree.hpp
        const auto arm = r - axes[columns[i].coordinate];
        const double sign = signs_[size_t(columns[i].coordinate)];
        double* value = values + columns[i].slot;
        for (int row = 0; row < Block::rows; ++row) {
          const Gradient& g = gradient[row][k];
          value[row * spread.stride] += sign * (g[2] + g[1] * arm.x - g[0] * arm.y);
        }
      }
      for (int i = at.slides; i < at.end; ++i) {
        const auto& w = axes[columns[i].coordinate];
        double* value = values + columns[i].slot;
        for (int row = 0; row < Block::rows; ++row)
          value[row * spread.stride] += gradient[row][k][0] * w.x + gradient[row][k][1] * w.y;
      }
    }
  });
}

void PlanarRelative::mass(double, ConstVec, Terms& terms) const {
  TreeScratch& scratch = scratch_of(terms);
  tree_.mass(scratch.frames.data(), scratch.tree, terms.M.valuePtr());
}

void PlanarRelative::rows(double t, Terms& terms) const {
  const TreeScratch& scratch = scratch_of(terms);
  const TreeView view{scratch.view(t), scratch.tree.biases.data()};
  for_each_element(parts_.blocks,
                   [&](const auto& placed) { placed.block.gamma(view, terms.gamma.data() + placed.row); });
}

void PlanarRelative::forces(double t, Terms& terms) const {
  TreeScratch& scratch = scratch_of(terms);
  load(t, scratch);
  tree_.project(scratch.frames.data(), scratch.tree, scratch.resultants.data(), terms.f.data());
}

void PlanarRelative::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  move(v, scratch_of(terms));
  rows(t, terms);
}

void PlanarRelative::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  move(v, scratch_of(terms));
  forces(t, terms);
}

void PlanarRelative::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  position(t, q, terms);
  mass(t, q, terms);
  move(v, scratch_of(terms));
  rows(t, terms);
  forces(t, terms);
}

void PlanarRelative::magnitudes(ConstVec, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const Eigen::Index x : bases_) v_size[x] = v_size[x + 1] = std::hypot(v[x], v[x + 1]);
}

// ---- reactions ------------------------------------------------------------------------------------------------------

void PlanarRelative::observe_reactions(double t,
                                       ConstVec q,
                                       ConstVec v,
                                       const Reaction& reaction,
                                       Terms& terms,
                                       std::vector<JointReaction>& out) const {
  using Loops = TreeScratch::Loops;
  TreeScratch& scratch = scratch_of(terms);
  if (scratch.loops == Loops::unknown)
    scratch.loops = has_dependent_rows(layout_, terms) ? Loops::redundant : Loops::independent;
  if (scratch.loops == Loops::redundant)
    return PlanarMechanism::observe_reactions(t, q, v, reaction, terms, out);
  move(v, scratch);
  sweep_reactions(t, reaction, terms, out);
}

void PlanarRelative::sweep_reactions(double t,
                                     const Reaction& reaction,
                                     Terms& terms,
                                     std::vector<JointReaction>& out) const {
  TreeScratch& scratch = scratch_of(terms);
  const PlanarView view = scratch.view(t);
  driftless::joint_reactions(parts_, view, reaction.lambda, scratch.of_rows);
  out.assign(joints_.all.size(), {});
  for (size_t i = 0; i < scratch.of_rows.size(); ++i)
    out[size_t(joints_.of_row_joint[i])] = scratch.of_rows[i];

  load(t, scratch);
  auto* on = scratch.resultants.data();
  for_each_element(parts_.blocks, [&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    for (int r = 0; r < Block::rows; ++r)
      for (size_t k = 0; k < Block::bodies; ++k)
        for (size_t c = 0; c < 3; ++c)
          on[placed.block.body()[k]][c] -= reaction.lambda[placed.row + r] * gradient[r][k][c];
  });
  tree_.transform(reaction.vdot.data(), view.frames, scratch.tree, scratch.accelerations.data());
  for (size_t i = 0; i < parts_.masses.size(); ++i) {
    const auto a = scratch.accelerations[i].r + scratch.tree.biases[i];
    on[i] = {parts_.masses[i] * a.x - on[i][0], parts_.masses[i] * a.y - on[i][1],
             parts_.inertias[i] * scratch.accelerations[i].omega - on[i][2]};
  }
  tree_.gather(view.frames, on);  // (2)
  for (size_t i = 0; i < joints_.of_body.size(); ++i) {
    const auto [joint, reversed] = joints_.of_body[i];
    if (joint < 0) continue;
    const double sign = reversed ? -1 : 1;
    const PlanarJoint& place = joints_.all[size_t(joint)];
    const auto arm = view.frames[i].r - view.place(place.at);
    JointReaction& own = out[size_t(joint)];
    own.force = sign * Vec3(on[i][0], on[i][1], 0);
    own.torque.z() = sign * (on[i][2] + arm.x * on[i][1] - arm.y * on[i][0]);
    turn_to_joint_axes(place, view, own);
  }
}

// ---- from a model ---------------------------------------------------------------------------------------------------

namespace {

// Every joint of the model as an edge; what it lets move is written to `mobilities`.
std::vector<TreeCandidate> tree_candidates(const Model& model,
                                           const PlanarBuilder& builder,
                                           std::vector<std::optional<PlanarMobility>>& mobilities) {
  std::vector<TreeCandidate> candidates;
  for (const Element& joint : model.joints) {
    const JointRecord& record = record_for(joint_records(), joint);
    auto mobility = record.mobility_planar == nullptr ? std::nullopt : record.mobility_planar(joint, builder);
    TreeCandidate candidate{.name = joint.name, .only_cut = !mobility};
    if (mobility) {
      candidate.a = mobility->a.body;
      candidate.b = mobility->b.body;
      candidate.rows = 3 - int(mobility->slides) - int(mobility->turns);
    }
    candidates.push_back(candidate);
    mobilities.push_back(mobility);
  }
  return candidates;
}

// Bodies of a state in reference-point coordinates.
State read_off(const PlanarTree& tree, const State& reference) {
  const auto bodies = static_cast<size_t>(reference.q.size() / 3);
  std::vector<PlanarFrame<double>> frames(bodies + 1);
  std::vector<PlanarVelocity> velocities(bodies + 1);
  for (size_t i = 0; i < bodies; ++i) {
    const double *q = reference.q.data() + 3 * i, *v = reference.v.data() + 3 * i;
    frames[i] = {{q[0], q[1]}, q[2], std::cos(q[2]), std::sin(q[2])};
    velocities[i] = {{v[0], v[1]}, v[2]};
  }
  return tree.read_off({frames.data(), velocities.data(), reference.t});
}

// M has an entry for each two coordinates on one path: long chains are for other coordinates.
constexpr double kMostPairs = 5e6;

void check_paths(const SpanningTree& tree, size_t bodies, const std::string& source) {
  std::vector<double> depth(bodies + 1, 0);
  double pairs = 0;
  for (const auto& link : tree.links) pairs += depth[size_t(link.body)] = depth[size_t(link.inboard)] + 1;
  if (pairs > kMostPairs)
    throw InputError(
        source,
        Complaint{"joints",
                  fmt::format("chains with at most {:g} pairs of coordinates on one path", kMostPairs),
                  fmt::format("{:g}", pairs), "relative coordinates suit short chains; use reference-point"});
}

void check_size(const PlanarTree& tree, std::vector<Complaint>& complaints) {
  if (tree.coordinates().empty())
    complaints.push_back({"joints", "a joint that moves", "every body fixed to the ground",
                          "relative coordinates have nothing to say here; use reference-point"});
}

}  // namespace

CompiledModel compile_planar_relative(const Model& model, const std::string& source, const Options& options) {
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile(model, "reference-point", source));

  PlanarBuilder bodies(model);
  std::vector<std::optional<PlanarMobility>> mobilities;
  const std::vector<TreeCandidate> candidates = tree_candidates(model, bodies, mobilities);
  const SpanningTree spanning = span_tree(bodies.parts.body_names, candidates, tree_wishes(options), source);
  check_paths(spanning, model.bodies.size(), source);
  std::vector<std::string> names;
  for (const auto& candidate : candidates) names.push_back(candidate.name);
  const PlanarTree tree(spanning, names, mobilities, bodies.parts);

  std::vector<Element> cut_joints;
  for (const int joint : spanning.cuts) cut_joints.push_back(model.joints[size_t(joint)]);
  PlanarBuilder builder = expand_planar(model, cut_joints);
  std::vector<Complaint> complaints;
  add_channels(model, builder, complaints);
  check_size(tree, complaints);
  if (!complaints.empty()) throw InputError(source, complaints);

  PlanarTreeJoints places;
  places.all = expand_planar(model, model.joints).parts.joints;
  for (const PlanarJoint& own : builder.parts.joints)
    for (size_t i = 0; i < places.all.size(); ++i)
      if (places.all[i].name == own.name) places.of_row_joint.push_back(static_cast<int>(i));
  places.of_body.resize(model.bodies.size());
  for (const auto& link : spanning.links) places.of_body[size_t(link.body)] = {link.joint, link.reversed};

  compiled.from_reference = [tree](const State& state) { return read_off(tree, state); };
  compiled.guess = read_off(tree, compiled.reference->guess);
  compiled.system = std::make_unique<PlanarRelative>(
      std::move(builder.parts), tree, std::move(places),
      std::make_unique<ReactionRecovery>(compile(model, "reference-point", source).system));
  return compiled;
}

}  // namespace driftless
