#include "driftless/coordinates/planar_relative.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/coordinates/absolute_system.hpp"

namespace driftless {

using markers::Unmoved;

struct PlanarRelative::Work final : Scratch {
  WorkOf<2> bodies;
  PlanarTreeScratch tree;
  // As the tree has them.
  std::vector<PlanarFrame<double>> frames;
  std::vector<PlanarVelocity> velocities;
  std::vector<Resultant> resultants;
  // ---- observe_reactions()
  enum class Loops { unknown, independent, redundant } loops = Loops::unknown;
  std::vector<PlanarVelocity> accelerations;  // R z̈
  std::unique_ptr<ReactionRecovery::Work> recovery;

  Work(WorkOf<2>&& own, PlanarTreeScratch&& of_tree)
      : bodies(std::move(own)),
        tree(std::move(of_tree)),
        frames(bodies.frames.size()),
        velocities(bodies.frames.size()),
        resultants(bodies.frames.size()),
        accelerations(bodies.frames.size()) {}
};

std::unique_ptr<Scratch> PlanarRelative::make_scratch() const {
  return std::make_unique<Work>(parts_.make_work(), tree_.make_scratch());
}

std::vector<std::vector<int>> PlanarRelative::reach() const {
  const auto& vectors = parts_.rows.vector_pairs();
  const auto& scalars = parts_.rows.scalar_pairs();
  std::vector<std::vector<int>> lists(vectors.size() + scalars.size());
  const auto moves = [&](int coordinate, int body) {
    const auto& path = tree_.path(body);
    return std::find(path.begin(), path.end(), coordinate) != path.end();
  };
  parts_.rows.for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    struct End {
      int body;
      bool point;
    };
    std::vector<End> ends;  // of the vectors, then of the scalars
    for (const int of : placed.block.x)
      ends.push_back({parts_.markers[size_t(of)].body, parts_.markers[size_t(of)].kind == MarkerKind::point});
    for (const int of : placed.block.s) ends.push_back({parts_.scalars[size_t(of)].b.origin.body, false});
    bool objective = Block::unmoved == Unmoved::always;
    if constexpr (Block::scalars > 0)  // a common turn adds Σ c
      if constexpr (requires { placed.block.c; })
        objective = objective && std::accumulate(placed.block.c.begin(), placed.block.c.end(), 0.0) == 0;
    const auto moves_all = [&](int c) {
      return std::all_of(ends.begin(), ends.end(), [&](const End& end) { return moves(c, end.body); });
    };
    for (size_t e = 0; e < ends.size(); ++e) {
      std::vector<int> list;
      for (const int c : tree_.path(ends[e].body)) {
        const bool turns = tree_.coordinates()[size_t(c)].turns();
        const bool unmoved = turns ? objective : Block::unmoved != Unmoved::never;
        if ((turns || ends[e].point) && !(unmoved && moves_all(c))) list.push_back(c);
      }
      const bool vector = e < Block::vectors;
      for (int r = 0; r < Block::rows; ++r)
        lists[vector ? size_t(placed.vector_pair + r * Block::vectors) + e
                     : vectors.size() + size_t(placed.scalar_pair + r * Block::scalars) + e -
                           Block::vectors] = list;
    }
  });
  return lists;
}

Layout PlanarRelative::make_layout(const std::vector<std::vector<int>>& reached) const {
  Layout layout;
  layout.m = parts_.rows.rows();
  layout.mh = parts_.rows.holonomic_rows();
  layout.length = parts_.length;
  layout.mass = std::accumulate(parts_.masses.begin(), parts_.masses.end(), 0.0);
  layout.row_names = parts_.rows.names();
  layout.row_units.assign(size_t(layout.mh), "m");
  layout.row_units.resize(size_t(layout.m), "m/s");
  const auto& coordinates = tree_.coordinates();
  layout.nq = layout.nv = static_cast<int>(coordinates.size());
  layout.q_scale.resize(layout.nq);
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const bool turns = coordinates[i].turns();
    layout.q_names.push_back(coordinates[i].name);
    layout.v_names.push_back(coordinates[i].rate_name);
    layout.q_units.emplace_back(turns ? "rad" : "m");
    layout.v_units.emplace_back(turns ? "rad/s" : "m/s");
    layout.q_scale[static_cast<Eigen::Index>(i)] = turns ? 1 : parts_.length;
  }
  layout.v_scale = layout.q_scale;
  layout.M = tree_.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  const auto& vectors = parts_.rows.vector_pairs();
  const auto& scalars = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < reached.size(); ++k)
    for (const int c : reached[k])
      entries.emplace_back(k < vectors.size() ? vectors[k].row : scalars[k - vectors.size()].row, c, 0.0);
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  return layout;
}

PlanarRelative::PlanarRelative(Parts<2> parts,
                               PlanarTree tree,
                               std::vector<PlanarCarrier> carriers,
                               std::unique_ptr<ReactionRecovery> reactions)
    : ObservableSystem(Layout{}),
      parts_(std::move(parts)),
      tree_(std::move(tree)),
      carriers_(std::move(carriers)),
      reactions_(std::move(reactions)),
      exchanges_energy_(parts_.exchanges_energy()) {
  const auto reached = reach();
  layout_ = make_layout(reached);
  check_layout(layout_);
  const auto& coordinates = tree_.coordinates();
  for (size_t i = 0; i < coordinates.size(); ++i) {
    signs_.push_back(coordinates[i].sign);
    const bool base = coordinates[i].kind == PlanarTreeCoordinate::Kind::base;
    if (base && (bases_.empty() || bases_.back() + 1 != static_cast<Eigen::Index>(i)))
      bases_.push_back(static_cast<Eigen::Index>(i));
  }
  const auto& vectors = parts_.rows.vector_pairs();
  const auto& scalars = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < reached.size(); ++k) {
    const int row = k < vectors.size() ? vectors[k].row : scalars[k - vectors.size()].row;
    Columns at;
    at.turns = static_cast<int>(columns_.size());
    for (const bool turns : {true, false}) {
      if (!turns) at.slides = static_cast<int>(columns_.size());
      for (const int c : reached[k])
        if (coordinates[size_t(c)].turns() == turns)
          columns_.push_back({c, static_cast<int>(&layout_.J.coeffRef(row, c) - layout_.J.valuePtr())});
    }
    at.end = static_cast<int>(columns_.size());
    of_pair_.push_back(at);
  }
}

void PlanarRelative::place(ConstVec q, Work& work) const {
  tree_.place(q.data(), work.frames.data(), work.tree.axes.data());
  for (size_t i = 0; i < parts_.bodies(); ++i) {
    const PlanarFrame<double>& f = work.frames[i];
    work.bodies.frames[i] = {{f.r.x, f.r.y}, f.theta, f.c, f.s};
  }
  for (size_t k = 0; k < parts_.scalars.size(); ++k)
    work.bodies.s[k] = work.frames[size_t(parts_.scalars[k].b.origin.body)].theta;
  parts_.place_markers(work.bodies);
}

void PlanarRelative::move(ConstVec v, Work& work) const {
  tree_.move(v.data(), work.frames.data(), work.velocities.data(), work.tree);
  for (size_t i = 0; i < parts_.bodies(); ++i) {
    const PlanarVelocity& own = work.velocities[i];
    work.bodies.twists[i] = {{own.r.x, own.r.y}, own.omega};
  }
  for (size_t k = 0; k < parts_.scalars.size(); ++k)
    work.bodies.sdot[k] = work.velocities[size_t(parts_.scalars[k].b.origin.body)].omega;
}

void PlanarRelative::position(double t, ConstVec q, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  WorkOf<2>& bodies = work.bodies;
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  parts_.rows.position(bodies.places(t), terms.g.data(), terms.nu.data(), bodies.dx.data(), bodies.ds.data());
  const auto* axes = work.tree.axes.data();
  const Column* columns = columns_.data();
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {  // (5) of planar_tree.hpp
    const Vec2 &n = bodies.dx[k], &x = bodies.x[size_t(pairs[k].of)];
    const bool is_point = parts_.markers[size_t(pairs[k].of)].kind == MarkerKind::point;
    for (int i = of_pair_[k].turns; i < of_pair_[k].slides; ++i) {
      const auto& p = axes[columns[i].coordinate];
      const Vec2 arm = is_point ? Vec2(x.x() - p.x, x.y() - p.y) : x;
      values[columns[i].slot] += signs_[size_t(columns[i].coordinate)] * moment_of<double>(arm, n);
    }
    for (int i = of_pair_[k].slides; i < of_pair_[k].end; ++i) {
      const auto& w = axes[columns[i].coordinate];
      values[columns[i].slot] += n.x() * w.x + n.y() * w.y;
    }
  }
  for (size_t k = 0; k < bodies.ds.size(); ++k) {
    const Columns& at = of_pair_[pairs.size() + k];
    for (int i = at.turns; i < at.slides; ++i)
      values[columns[i].slot] += signs_[size_t(columns[i].coordinate)] * bodies.ds[k];
  }
}

void PlanarRelative::mass(double, ConstVec, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  tree_.mass(work.frames.data(), work.tree, terms.M.valuePtr());
}

void PlanarRelative::rows(double t, Work& work, Terms& terms) const {
  if (layout_.m == 0) return;
  WorkOf<2>& bodies = work.bodies;
  parts_.move_markers(bodies);
  for (size_t i = 0; i < parts_.markers.size(); ++i) {  // accelerations of the bodies at ż = 0
    const Marker<2>& marker = parts_.markers[i];
    if (marker.kind != MarkerKind::point) continue;
    const auto& b = work.tree.biases[size_t(marker.body)];
    bodies.bias[i] += Vec2(b.x, b.y);
  }
  parts_.rows.gamma(bodies.moving(t), bodies.bias.data(), bodies.dx.data(), terms.gamma.data());
}

void PlanarRelative::forces(double t, Work& work, Terms& terms) const {
  parts_.apply_forces(t, work.bodies);
  for (size_t i = 0; i < parts_.bodies(); ++i) {
    const WrenchOf<double, 2>& on = work.bodies.wrenches[i];
    work.resultants[i] = {on.force.x(), on.force.y(), on.moment};
  }
  tree_.project(work.frames.data(), work.tree, work.resultants.data(), terms.f.data());
}

void PlanarRelative::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(v, work);
  rows(t, work, terms);
}

void PlanarRelative::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(v, work);
  forces(t, work, terms);
}

void PlanarRelative::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  position(t, q, terms);
  mass(t, q, terms);
  move(v, work);
  rows(t, work, terms);
  forces(t, work, terms);
}

void PlanarRelative::magnitudes(ConstVec, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  v_size = v.cwiseAbs();
  for (const Eigen::Index x : bases_) v_size[x] = v_size[x + 1] = std::hypot(v[x], v[x + 1]);
}

std::optional<double> PlanarRelative::potential_energy(double t, ConstVec, Terms& terms) const {
  return parts_.potential(t, static_cast<Work&>(*terms.scratch).bodies);
}

double PlanarRelative::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  return parts_.power(t, static_cast<Work&>(*terms.scratch).bodies);
}

void PlanarRelative::observe_poses(ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const Work& work = static_cast<Work&>(*terms.scratch);
  out.resize(parts_.bodies());
  for (size_t i = 0; i < out.size(); ++i) {
    const double q[] = {work.frames[i].r.x, work.frames[i].r.y, work.frames[i].theta};
    out[i] = PlaneAngle::pose(q);
  }
}

void PlanarRelative::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(v, work);
  parts_.measure(*this, t, q, v, reaction, terms, work.bodies, out);
}

void PlanarRelative::probe_places(ConstVec q, Terms& terms, VecRef x) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  place(q, work);
  parts_.probe_places(work.bodies, x);
}

// ---- reactions ------------------------------------------------------------------------------------------------------

void PlanarRelative::observe_reactions(double t,
                                       ConstVec,
                                       ConstVec v,
                                       const Reaction& reaction,
                                       Terms& terms,
                                       std::vector<JointReaction>& out) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(v, work);
  if (work.loops == Work::Loops::unknown)
    work.loops = has_dependent_rows(layout_, terms) ? Work::Loops::redundant : Work::Loops::independent;
  if (work.loops == Work::Loops::independent) return sweep_reactions(t, reaction, work, out);
  if (!work.recovery) work.recovery = reactions_->make_work();
  work.recovery->at.t = t;
  for (size_t i = 0; i < parts_.bodies(); ++i)
    write_body<2>(i, work.bodies.frames[i], work.bodies.twists[i], work.recovery->at);
  reactions_->reactions(*work.recovery, out);
}

void PlanarRelative::sweep_reactions(double t,
                                     const Reaction& reaction,
                                     Work& work,
                                     std::vector<JointReaction>& out) const {
  WorkOf<2>& bodies = work.bodies;
  driftless::joint_reactions(parts_, bodies, reaction.lambda, out);
  parts_.apply_forces(t, bodies);
  const auto& pairs = parts_.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {  // what the rows exert
    const Marker<2>& marker = parts_.markers[size_t(pairs[k].of)];
    const Vec2 push = -reaction.lambda[pairs[k].row] * bodies.dx[k], &x = bodies.x[size_t(pairs[k].of)];
    WrenchOf<double, 2>& on = bodies.wrenches[size_t(marker.body)];
    const bool is_point = marker.kind == MarkerKind::point;
    if (is_point) on.force += push;
    const Vec2 arm = is_point ? Vec2(x - bodies.frames[size_t(marker.body)].r) : x;
    on.moment += moment_of(arm, push);
  }
  const auto& scalar_pairs = parts_.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k)
    bodies.wrenches[size_t(parts_.scalars[size_t(scalar_pairs[k].of)].b.origin.body)].moment -=
        reaction.lambda[scalar_pairs[k].row] * bodies.ds[k];
  tree_.transform(reaction.vdot.data(), work.frames.data(), work.tree, work.accelerations.data());
  auto* on = work.resultants.data();
  for (size_t i = 0; i < parts_.bodies(); ++i) {
    const auto a = work.accelerations[i].r + work.tree.biases[i];
    const WrenchOf<double, 2>& acts = bodies.wrenches[i];
    on[i] = {parts_.masses[i] * a.x - acts.force.x(), parts_.masses[i] * a.y - acts.force.y(),
             parts_.inertias[i] * work.accelerations[i].omega - acts.moment};
  }
  tree_.gather(work.frames.data(), on);  // (2)
  for (size_t i = 0; i < carriers_.size(); ++i) {
    const auto [joint, reversed] = carriers_[i];
    if (joint < 0) continue;
    const double sign = reversed ? -1 : 1;
    const JointPlaceOf<2>& place = parts_.joints[size_t(joint)];
    const Vec2 arm = bodies.frames[i].r - bodies.view(t).place(place.frames.second.origin);
    JointReaction& own = out[size_t(joint)];
    own.force = sign * Vec3(on[i][0], on[i][1], 0);
    own.torque.z() = sign * (on[i][2] + arm.x() * on[i][1] - arm.y() * on[i][0]);
    turn_to_joint_axes(place, bodies, own);
  }
}

// ---- from a model ---------------------------------------------------------------------------------------------------

namespace {

// Every joint of the model as an edge; what it lets move is written to `mobilities`.
std::vector<TreeCandidate> tree_candidates(const Model& model,
                                           std::vector<std::optional<PlanarMobility>>& mobilities) {
  const Expansion<2> drawn(model);
  std::vector<TreeCandidate> candidates;
  for (const Element& joint : model.joints) {
    const JointRules<2>& rules = record_of_joint(joint).planar;
    TreeCandidate candidate{.name = joint.name, .only_cut = rules.mobility == nullptr};
    mobilities.emplace_back();
    if (rules.mobility != nullptr) {
      const auto [F, M] = rules.frames(joint, drawn);
      const PlaneMobility allowed = rules.mobility(joint);
      mobilities.back() = PlanarMobility{.a = {F.origin.body, F.origin.at},
                                         .b = {M.origin.body, M.origin.at},
                                         .axis = F.axes.col(0),
                                         .angle = allowed.angle,
                                         .slides = allowed.slides,
                                         .turns = allowed.turns};
      candidate.a = F.origin.body;
      candidate.b = M.origin.body;
      candidate.rows = 3 - int(allowed.slides) - int(allowed.turns);
    }
    candidates.push_back(candidate);
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
  compiled.reference = std::make_unique<CompiledModel>(compile_reference<2>(model, source));
  std::vector<std::optional<PlanarMobility>> mobilities;
  const std::vector<TreeCandidate> candidates = tree_candidates(model, mobilities);
  std::vector<std::string> bodies, names;
  for (const Body& body : model.bodies) bodies.push_back(body.name);
  for (const auto& candidate : candidates) names.push_back(candidate.name);
  const SpanningTree spanning = span_tree(bodies, candidates, tree_wishes(options), source);
  check_paths(spanning, model.bodies.size(), source);

  NotRowsOf<2> left_out = kAnglesAreCoordinates;
  left_out.joints.assign(model.joints.size(), true);
  for (const int joint : spanning.cuts) left_out.joints[size_t(joint)] = false;
  Parts<2> parts = expand_model<2>(model, source, left_out);
  const PlanarTree tree(spanning, names, mobilities, parts);
  std::vector<Complaint> complaints;
  check_size(tree, complaints);
  if (!complaints.empty()) throw InputError(source, complaints);
  std::vector<PlanarCarrier> carriers(model.bodies.size());
  for (const auto& link : spanning.links) carriers[size_t(link.body)] = {link.joint, link.reversed};

  compiled.from_reference = [tree](const State& state) { return read_off(tree, state); };
  compiled.guess = read_off(tree, compiled.reference->guess);
  compiled.system = std::make_unique<PlanarRelative>(
      std::move(parts), tree, std::move(carriers),
      std::make_unique<ReactionRecovery>(compile_reference<2>(model, source).system));
  return compiled;
}

}  // namespace driftless
