#include "driftless/coordinates/planar_relative.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/coordinates/articulated_solver.hpp"
#include "driftless/coordinates/planar_builder.hpp"

namespace driftless {
namespace {

struct TreeScratch final : PlanarScratch {
  TreeWork<2> tree;
  CompositeBodies<2>::Work composite;
  // ---- observe_reactions()
  enum class Loops { unknown, independent, redundant } loops = Loops::unknown;
  std::vector<JointReaction> of_rows;
  std::vector<PlanarVelocity> accelerations;  // R z̈

  TreeScratch(size_t bodies, const Tree<2>& of) : PlanarScratch(bodies), tree(of.make_work()) {
    const auto slots = static_cast<size_t>(of.slots());
    frames.resize(slots);
    velocities.resize(slots);
    resultants.resize(slots);
    accelerations.resize(slots);
  }
};

TreeScratch& scratch_of(Terms& terms) { return static_cast<TreeScratch&>(*terms.scratch); }

// Points accelerate with their bodies at ż = 0 already: γ₁ − J₁ b of (1) is the block's γ with this bias.
struct TreeView : PlanarView {
  const PlanarVelocity* biases;
  Planar<double> bias(const PointOn& p) const { return biases[p.body].r + PlanarView::bias(p); }
};

bool turns(const TreeLink& link) { return link.kind == LinkKind::turn; }

// The links the gradient of a block by its body k reaches, one list a body.
template <class Block>
std::array<std::vector<int>, Block::bodies> reach(const Block& block, const Tree<2>& tree) {
  const auto sees = block.sees();
  const auto bodies = block.body();
  // How many bodies of the block a link moves; one that moves all of them is a common ancestor.
  std::map<int, int> moved;
  int seen = 0;
  for (size_t k = 0; k < sees.size(); ++k) {
    if (sees[k] == Sees::nothing) continue;
    ++seen;
    for (int i = tree.link_of(bodies[k]); i > 0; i = tree.link(i).parent) ++moved[i];
  }
  std::array<std::vector<int>, Block::bodies> lists;
  for (size_t k = 0; k < sees.size(); ++k)
    for (int i = tree.link_of(bodies[k]); i > 0; i = tree.link(i).parent) {
      const bool turning = turns(tree.link(i));
      const bool felt = turning ? sees[k] != Sees::nothing : sees[k] == Sees::pose;
      if (felt && !(moved[i] == seen && (!turning || block.objective()))) lists[k].push_back(i);
    }
  return lists;
}

Layout with_coordinates(Layout layout, const PlanarParts& parts, const Tree<2>& tree) {
  layout.nq = layout.nv = tree.nv();
  layout.q_names = tree.q_names();
  layout.v_names = tree.v_names();
  layout.q_units.assign(size_t(layout.nq), "rad");
  layout.v_units.assign(size_t(layout.nv), "rad/s");
  layout.q_scale = Vec::Ones(layout.nq);
  for (int i = 1; i <= tree.links(); ++i) {
    const TreeLink& link = tree.link(i);
    if (turns(link)) continue;
    layout.q_units[size_t(link.q)] = "m";
    layout.v_units[size_t(link.v)] = "m/s";
    layout.q_scale[link.q] = parts.length;
  }
  layout.v_scale = layout.q_scale;
  std::vector<Eigen::Triplet<double>> entries;
  for_each_element(parts.blocks, [&](const auto& placed) {
    for (const auto& list : reach(placed.block, tree))
      for (const int i : list)
        for (int r = 0; r < placed.block.rows; ++r) entries.emplace_back(placed.row + r, tree.link(i).v, 0.0);
  });
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  return layout;
}

}  // namespace

PlanarRelative::PlanarRelative(PlanarParts parts,
                               std::shared_ptr<const Tree<2>> tree,
                               PlanarTreeJoints joints,
                               std::unique_ptr<ReactionRecovery> reactions,
                               Path path)
    : PlanarMechanism(
          with_coordinates(row_layout(parts), parts, *tree), std::move(parts), std::move(reactions)),
      shared_tree_(std::move(tree)),
      tree_(*shared_tree_),
      joints_(std::move(joints)) {
  if (path == Path::composite || (path == Path::automatic && tree_.nv() < kArticulatedFrom)) {
    composite_.emplace(tree_, 0);
    layout_.M = composite_->pattern();
  } else {
    layout_.mass_is_implicit = true;
    layout_.M.resize(layout_.nv, layout_.nv);
    layout_.M.setIdentity();
    layout_.M.coeffs().setZero();
  }
  check_layout(layout_);
  const auto spread_out = [&](const auto& placed, auto& spread) {
    const auto lists = reach(placed.block, tree_);
    const int* starts = layout_.J.outerIndexPtr() + placed.row;
    spread.stride = starts[1] - starts[0];
    for (size_t k = 0; k < lists.size(); ++k) {
      Columns& at = spread.of_body[k];
      at.turns = static_cast<int>(columns_.size());
      for (const bool turns : {true, false}) {
        if (!turns) at.slides = static_cast<int>(columns_.size());
        for (const int i : lists[k])
          if (driftless::turns(tree_.link(i)) == turns) {
            const double* value = &layout_.J.coeffRef(placed.row, tree_.link(i).v);
            columns_.push_back({i, static_cast<int>(value - layout_.J.valuePtr())});
          }
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
  auto scratch = std::make_unique<TreeScratch>(parts_.masses.size(), tree_);
  if (composite_) scratch->composite = composite_->make_work();
  return scratch;
}

void PlanarRelative::place(ConstVec q, PlanarScratch& scratch) const {
  tree_.place(q.data(), scratch.frames.data(), static_cast<TreeScratch&>(scratch).tree);
}

void PlanarRelative::move(ConstVec v, PlanarScratch& scratch) const {
  tree_.move(v.data(), scratch.frames.data(), scratch.velocities.data(),
             static_cast<TreeScratch&>(scratch).tree);
}

void PlanarRelative::position(double t, ConstVec q, Terms& terms) const {
  TreeScratch& scratch = scratch_of(terms);
  tree_.place(q.data(), scratch.frames.data(), scratch.tree);
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
      for (int i = at.turns; i < at.slides; ++i) {  // (4) of tree.hpp
        const Vec2& p = axes[columns[i].link].p;
        const double x = r.x - p.x(), y = r.y - p.y(), sign = tree_.link(columns[i].link).sign;
        double* value = values + columns[i].slot;
        for (int row = 0; row < Block::rows; ++row) {
          const Gradient& g = gradient[row][k];
          value[row * spread.stride] += sign * (g[2] + g[1] * x - g[0] * y);
        }
      }
      for (int i = at.slides; i < at.end; ++i) {
        const Vec2& w = axes[columns[i].link].u;
        double* value = values + columns[i].slot;
        for (int row = 0; row < Block::rows; ++row)
          value[row * spread.stride] += gradient[row][k][0] * w.x() + gradient[row][k][1] * w.y();
      }
    }
  });
}

void PlanarRelative::mass(double, ConstVec, Terms& terms) const {
  if (!composite_) return;
  TreeScratch& scratch = scratch_of(terms);
  composite_->fill(scratch.frames.data(), scratch.tree, scratch.composite, terms.M.valuePtr());
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
  tree_.project(scratch.frames.data(), scratch.velocities.data(), scratch.tree, scratch.resultants.data(),
                terms.f.data());
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
  for (const int i : tree_.free_bases()) {
    const int x = tree_.link(i).v;
    v_size[x] = v_size[x + 1] = std::hypot(v[x], v[x + 1]);
  }
}

double PlanarRelative::kinetic_energy(ConstVec v, Terms& terms) const {
  TreeScratch& scratch = scratch_of(terms);
  tree_.transform(v.data(), scratch.frames.data(), scratch.tree, scratch.velocities.data());
  return tree_.kinetic_energy(scratch.velocities.data(), scratch.tree);
}

std::unique_ptr<MotionSolver> PlanarRelative::make_solver() const {
  if (composite_) return DescriptorSystem::make_solver();
  return std::make_unique<ArticulatedSolver<2>>(tree_, layout_, [](const Terms& terms) -> TreeStand<2> {
    const auto& scratch = static_cast<const TreeScratch&>(*terms.scratch);
    return {scratch.frames.data(), scratch.tree};
  });
}

std::vector<std::string> PlanarRelative::joint_names() const {
  std::vector<std::string> names;
  for (const PlanarJoint& joint : joints_.all) names.push_back(joint.name);
  return names;
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
    scratch.loops =
        layout_.m > 0 && has_dependent_rows(layout_, terms) ? Loops::redundant : Loops::independent;
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
    const auto a = scratch.accelerations[i].r + scratch.tree.biases[i].r;
    on[i] = {parts_.masses[i] * a.x - on[i][0], parts_.masses[i] * a.y - on[i][1],
             parts_.inertias[i] * scratch.accelerations[i].omega - on[i][2]};
  }
  const auto& edges = tree_.edges();  // (2)
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    const Resultant& through = on[edge->body];
    const auto& r = view.frames[edge->body].r;
    if (edge->inboard != tree_.ground()) {
      const auto shift = r - view.frames[edge->inboard].r;
      on[edge->inboard][0] += through[0];
      on[edge->inboard][1] += through[1];
      on[edge->inboard][2] += through[2] + shift.x * through[1] - shift.y * through[0];
    }
    if (edge->joint < 0) continue;
    const double sign = edge->reversed ? -1 : 1;
    const PlanarJoint& place = joints_.all[size_t(edge->joint)];
    const auto arm = r - view.place(place.at);
    JointReaction& own = out[size_t(edge->joint)];
    own.force = sign * Vec3(through[0], through[1], 0);
    own.torque.z() = sign * (through[2] + arm.x * through[1] - arm.y * through[0]);
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

// A joint in the words of the tree.
TreeJoint<2> tree_joint(const std::string& name, const std::optional<PlanarMobility>& mobility) {
  if (!mobility) return {name, {}, {}};
  TreeJoint<2> joint{name, {{mobility->a}, {mobility->b}}, {}};
  if (mobility->slides)
    joint.mobility.motions.push_back({PlaneMotion::Kind::slide, mobility->axis, "displacement"});
  if (mobility->turns)
    joint.mobility.motions.push_back({PlaneMotion::Kind::turn, Vec2::Zero(), "angle"});
  else
    joint.mobility.zero = PlaneTurn::by(mobility->angle);
  return joint;
}

// Bodies of a state in reference-point coordinates.
State read_off(const Tree<2>& tree, const State& reference) {
  const auto bodies = static_cast<size_t>(tree.ground());
  std::vector<PlanarFrame<double>> frames(bodies + 1);
  std::vector<PlanarVelocity> velocities(bodies + 1);
  for (size_t i = 0; i < bodies; ++i) {
    const double *q = reference.q.data() + 3 * i, *v = reference.v.data() + 3 * i;
    frames[i] = {{q[0], q[1]}, q[2], std::cos(q[2]), std::sin(q[2])};
    velocities[i] = {{v[0], v[1]}, v[2]};
  }
  State state{reference.t, Vec(tree.nq()), Vec(tree.nv())};
  tree.read_off(frames.data(), velocities.data(), 1, state.q.data(), state.v.data());
  return state;
}

void check_size(const Tree<2>& tree, std::vector<Complaint>& complaints) {
  if (tree.nv() == 0)
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
  std::vector<TreeJoint<2>> joints;
  for (size_t j = 0; j < candidates.size(); ++j)
    joints.push_back(tree_joint(candidates[j].name, mobilities[j]));
  std::vector<TreeBody<2>> carried;
  for (const Body& body : model.bodies) carried.push_back({body.name, body.mass, body.inertia});
  const auto tree = std::make_shared<const Tree<2>>(spanning, std::move(joints), carried);

  std::vector<Element> cut_joints;
  for (const int joint : spanning.cuts) cut_joints.push_back(model.joints[size_t(joint)]);
  PlanarBuilder builder = expand_planar(model, cut_joints);
  std::vector<Complaint> complaints;
  add_channels(model, builder, complaints);
  check_size(*tree, complaints);
  if (!complaints.empty()) throw InputError(source, complaints);

  PlanarTreeJoints places;
  places.all = expand_planar(model, model.joints).parts.joints;
  std::map<std::string, int> index_of;
  for (size_t i = 0; i < places.all.size(); ++i) index_of.emplace(places.all[i].name, static_cast<int>(i));
  for (const PlanarJoint& own : builder.parts.joints) places.of_row_joint.push_back(index_of.at(own.name));

  compiled.from_reference = [tree](const State& state) { return read_off(*tree, state); };
  compiled.guess = read_off(*tree, compiled.reference->guess);
  std::unique_ptr<ReactionRecovery> recovery;
  if (!builder.parts.row_names.empty())
    recovery = std::make_unique<ReactionRecovery>(compile(model, "reference-point", source).system);
  compiled.system = std::make_unique<PlanarRelative>(
      std::move(builder.parts), tree, std::move(places), std::move(recovery),
      options.choice("mass") == "formed" ? PlanarRelative::Path::composite : PlanarRelative::Path::automatic);
  return compiled;
}

}  // namespace driftless
