// A model in relative coordinates: its tree, its rows, its start.
#include <algorithm>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/relative/relative_flexible_system.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"

namespace driftless {
namespace {

// A joint as the tree sees it.
TreeJoint<2> tree_joint(const Element& joint, const JointFramesOf<2>& frames, const JointRules<2>& rules) {
  TreeJoint<2> out{joint.name, {{frames.first.origin}, {frames.second.origin}}, {}};
  if (rules.mobility == nullptr) return out;
  const PlaneFreedoms free = rules.mobility(joint);
  if (free.slides)
    out.mobility.motions.push_back({PlaneMotion::Kind::slide, frames.first.axes.col(0), "displacement"});
  if (free.turns)
    out.mobility.motions.push_back({PlaneMotion::Kind::turn, Vec2::Zero(), "angle"});
  else
    out.mobility.zero = PlaneTurn::by(free.angle);
  return out;
}
TreeJoint<3> tree_joint(const Element& joint, const JointFramesOf<3>& frames, const JointRules<3>& rules) {
  return {joint.name, frames, rules.mobility == nullptr ? SpatialMobility() : rules.mobility(joint)};
}

// False: not of the tree.
template <int D>
bool renumber(const std::vector<int>& body_of, JointFrameOf<D>& frame) {
  const auto slot = static_cast<size_t>(frame.origin.body);
  if (slot >= body_of.size() || body_of[slot] < 0) return false;
  frame.origin.body = body_of[slot];
  return true;
}

int freedoms(const PlaneMotion&) { return 1; }
int freedoms(const ElementaryMotion& motion) { return motion.kind == ElementaryMotion::Kind::ball ? 3 : 1; }

// Every joint of the model as an edge, and as the tree sees it. `body_of`: bodies of the tree by slots of the model, ground among
// them; joints with others are left out, and `taken` has the numbers of the rest. Empty: all bodies, all joints.
template <int D>
std::vector<TreeCandidate> tree_candidates(const Model& model,
                                           std::vector<TreeJoint<D>>& joints,
                                           const std::vector<int>& body_of = {},
                                           std::vector<int>* taken = nullptr) {
  const Expansion<D> bodies(model);
  std::vector<TreeCandidate> candidates;
  candidates.reserve(model.joints.size());
  joints.reserve(model.joints.size());
  for (size_t j = 0; j < model.joints.size(); ++j) {
    const Element& element = model.joints[j];
    const JointRules<D>& rules = record_of_joint(element).template rules<D>();
    JointFramesOf<D> frames = rules.frames(element, bodies);
    if (!body_of.empty()) {
      if (!renumber(body_of, frames.first) || !renumber(body_of, frames.second)) continue;
      taken->push_back(static_cast<int>(j));
    }
    joints.push_back(tree_joint(element, frames, rules));
    TreeCandidate candidate{.name = element.name,
                            .a = frames.first.origin.body,
                            .b = frames.second.origin.body,
                            .only_cut = rules.mobility == nullptr};
    if (rules.mobility != nullptr) {
      candidate.rows = D == 2 ? 3 : 6;
      for (const auto& motion : joints.back().mobility.motions) candidate.rows -= freedoms(motion);
    }
    candidates.push_back(candidate);
  }
  return candidates;
}

// The tree's state where the bodies are as in a state of reference-point coordinates.
template <int D>
struct StateReader {
  std::shared_ptr<const Tree<D>> shared_tree;
  double length;
  std::vector<ScalarOf<D>> there;  // scalars of the reference-point set, behind its bodies
  std::vector<ScalarOf<D>> here;   // of this set: coordinates of their own where they are none of the tree

  State operator()(const State& reference) const {
    const Tree<D>& tree = *shared_tree;
    const auto bodies = static_cast<size_t>(tree.ground());
    std::vector<FrameOf<double, D>> frames(bodies + 1);
    std::vector<TwistOf<double, D>> twists(bodies + 1);
    read_bodies<D>(reference, frames, twists);
    State out{reference.t, Vec::Zero(tree.nq()), Vec::Zero(tree.nv())};
    tree.read_off(frames.data(), twists.data(), length, out.q.data(), out.v.data());
    if constexpr (D == 3) read_scalars(reference, out);
    return out;
  }

 private:
  void read_scalars(const State& reference, State& out) const {
    const Tree<D>& tree = *shared_tree;
    const auto count = static_cast<Eigen::Index>(there.size());
    const Vec s = reference.q.tail(count), s_dot = reference.v.tail(count);
    for (size_t k = 0; k < there.size(); ++k) {  // they know how many turns there were
      const auto match = tree.find(there[k].kind, there[k].a, there[k].b);
      if (match.q >= 0) out.q[match.q] = s[static_cast<Eigen::Index>(k)] / match.factor;
    }
    for (const ScalarOf<D>& own : here) {
      if (tree.find(own.kind, own.a, own.b).q >= 0) continue;
      const auto same = std::find_if(there.begin(), there.end(), [&](const ScalarOf<D>& other) {
        return other.kind == own.kind && (own.kind == ScalarOf<D>::Kind::parameter
                                              ? other.name == own.name
                                              : same_frame(other.a, own.a) && same_frame(other.b, own.b));
      });
      append(out.q, s[same - there.begin()]);
      append(out.v, s_dot[same - there.begin()]);
    }
  }

  static void append(Vec& list, double value) {
    list.conservativeResize(list.size() + 1);
    list[list.size() - 1] = value;
  }
};

void check_size(int rates, const std::string& source) {
  if (rates == 0)
    throw InputError(source, Complaint{"joints", "a joint that moves", "every body fixed to the ground",
                                       "relative coordinates have nothing to say here; use reference-point"});
}

}  // namespace

template <int D>
CompiledModel compile_relative(const Model& model, const std::string& source, const Options& options) {
  using System = RelativeSystem<D>;
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile_reference<D>(model, source));

  std::vector<TreeBody<D>> bodies;
  std::vector<std::string> names;
  for (const Body& body : model.bodies) {
    if constexpr (D == 2)
      bodies.push_back({body.name, body.mass, body.inertia});
    else
      bodies.push_back({body.name, body.mass, body.inertia_tensor});
    names.push_back(body.name);
  }
  std::vector<TreeJoint<D>> joints;
  const auto candidates = tree_candidates<D>(model, joints);
  const SpanningTree spanning = span_tree(names, candidates, tree_wishes(options), source);
  const auto tree = std::make_shared<const Tree<D>>(spanning, std::move(joints), bodies);
  check_size(tree->nv(), source);

  NotRowsOf<D> left_out;
  if constexpr (D == 2)
    left_out = kAnglesAreCoordinates;
  else
    left_out.is_coordinate = [&tree](const Scalar& scalar) {
      return tree->find(scalar.kind, scalar.a, scalar.b).q >= 0;
    };
  left_out.joints.assign(model.joints.size(), true);
  for (const int joint : spanning.cuts) left_out.joints[size_t(joint)] = false;
  Parts<D> parts = expand_model<D>(model, source, left_out);
  const auto& reference = static_cast<const ReferencePoint<D>&>(*compiled.reference->system);
  compiled.from_reference = StateReader<D>{tree, parts.length, reference.parts().scalars, parts.scalars};
  compiled.guess = compiled.from_reference(compiled.reference->guess);
  const auto path = options.choice("mass") == "formed" ? System::Path::composite : System::Path::automatic;
  auto system = std::make_unique<System>(std::move(parts), tree, path);
  if (system->layout().m > 0)
    system->recover_reactions(std::make_unique<ReactionRecovery>(compile_reference<D>(model, source).system),
                              reference.parts().scalars);
  compiled.system = std::move(system);
  return compiled;
}

template <int D>
CompiledModel compile_relative_flexible(const Model& model,
                                        const std::string& source,
                                        const Options& options) {
  using System = RelativeFlexibleSystem<D>;
  using Attitude = typename System::Attitude;
  using Match = typename Tree<D>::Match;
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile_flexible<Attitude>(model, source));

  std::vector<TreeBody<D>> bodies;
  std::vector<std::string> names;
  std::vector<int> rigid, body_of(model.bodies.size() + 1, -1);
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    if (!body.is_rigid()) continue;
    body_of[i] = static_cast<int>(rigid.size());
    rigid.push_back(static_cast<int>(i));
    names.push_back(body.name);
    if constexpr (D == 2)
      bodies.push_back({body.name, body.mass, body.inertia});
    else
      bodies.push_back({body.name, body.mass, body.inertia_tensor});
  }
  body_of.back() = static_cast<int>(rigid.size());
  std::vector<TreeJoint<D>> joints;
  std::vector<int> taken;
  const auto candidates = tree_candidates<D>(model, joints, body_of, &taken);
  const SpanningTree spanning = span_tree(names, candidates, tree_wishes(options), source);
  const auto tree = std::make_shared<const Tree<D>>(spanning, std::move(joints), bodies);

  const auto match_of = [&](const ScalarOf<D>& scalar) -> Match {
    if constexpr (D == 3) {
      JointFrame a = scalar.a, b = scalar.b;
      if (renumber(body_of, a) && renumber(body_of, b)) return tree->find(scalar.kind, a, b);
    }
    return {};
  };
  NotRowsOf<D> left_out;
  if constexpr (D == 2)
    left_out = kAnglesAreCoordinates;
  else
    left_out.is_coordinate = [&](const Scalar& scalar) { return match_of(scalar).q >= 0; };
  left_out.joints.assign(model.joints.size(), false);
  for (const int joint : taken) left_out.joints[size_t(joint)] = true;
  for (const int cut : spanning.cuts) left_out.joints[size_t(taken[size_t(cut)])] = false;
  std::shared_ptr<const FlexibleSystem<Attitude>> full =
      make_flexible_system<Attitude>(model, source, left_out);
  std::vector<Match> matches;
  for (const ScalarOf<D>& scalar : full->parts().scalars) matches.push_back(match_of(scalar));
  auto system = std::make_unique<System>(full, tree, rigid, matches);
  check_size(system->layout().nv, source);

  std::vector<typename System::Source> scalars;  // of reference-point coordinates
  const auto& reference = static_cast<const FlexibleSystem<Attitude>&>(*compiled.reference->system);
  if constexpr (D == 3)
    for (const Scalar& there : reference.parts().scalars) {
      const Match match = match_of(there);
      const auto& own = full->parts().scalars;
      const auto same = std::find_if(own.begin(), own.end(), [&](const Scalar& other) {
        return other.kind == there.kind &&
               (there.kind == Scalar::Kind::parameter
                    ? other.name == there.name
                    : same_frame(other.a, there.a) && same_frame(other.b, there.b));
      });
      scalars.push_back(match.q >= 0 ? typename System::Source{match.q, match.v, match.factor}
                                     : system->sources()[size_t(same - own.begin())]);
    }
  system->recover_reactions(
      std::make_shared<const ReactionRecovery>(compile_flexible<Attitude>(model, source).system), scalars);
  compiled.from_reference = [twin = std::make_shared<const System>(*system), scalars](const State& state) {
    return twin->from_reference(state, scalars);
  };
  compiled.guess = compiled.from_reference(compiled.reference->guess);
  compiled.system = std::move(system);
  return compiled;
}
template CompiledModel compile_relative_flexible<2>(const Model&, const std::string&, const Options&);
template CompiledModel compile_relative_flexible<3>(const Model&, const std::string&, const Options&);

template CompiledModel compile_relative<2>(const Model&, const std::string&, const Options&);
template CompiledModel compile_relative<3>(const Model&, const std::string&, const Options&);

}  // namespace driftless
