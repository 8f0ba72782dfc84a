// A model in relative coordinates: its tree, its rows, its start.
#include <algorithm>

#include "driftless/coordinates/absolute_system.hpp"
#include "driftless/coordinates/spatial_relative.hpp"

namespace driftless {
namespace {

// Every joint of the model as an edge, and as the tree sees it.
std::vector<TreeCandidate> tree_candidates(const Model& model, std::vector<TreeJoint>& joints) {
  const SpatialExpansion bodies(model);
  std::vector<TreeCandidate> candidates;
  for (const Element& element : model.joints) {
    const SpatialJoint& rules = record_for(joint_records(), element).spatial;
    TreeJoint joint{element.name, rules.frames(element, bodies), {}};
    TreeCandidate candidate{.name = element.name,
                            .a = joint.frames.first.origin.body,
                            .b = joint.frames.second.origin.body,
                            .only_cut = rules.mobility == nullptr};
    if (rules.mobility != nullptr) {
      joint.mobility = rules.mobility(element);
      candidate.rows = 6;
      for (const auto& motion : joint.mobility.motions)
        candidate.rows -= motion.kind == ElementaryMotion::Kind::ball ? 3 : 1;
    }
    candidates.push_back(candidate);
    joints.push_back(joint);
  }
  return candidates;
}

// The tree's state where the bodies are as in a state of reference-point coordinates.
struct StateReader {
  SpatialTree tree;
  double length;
  std::vector<Scalar> there;  // scalars of the reference-point set, behind its bodies
  std::vector<Scalar> here;   // of this set: coordinates of their own where they are none of the tree

  State operator()(const State& reference) const {
    const auto bodies = static_cast<size_t>(tree.ground());
    std::vector<SpatialFrame<double>> frames(bodies + 1);
    std::vector<Twist> twists(bodies + 1);
    for (size_t i = 0; i < bodies; ++i) {
      const auto q = reference.q.segment<7>(7 * static_cast<Eigen::Index>(i));
      const auto v = reference.v.segment<6>(6 * static_cast<Eigen::Index>(i));
      frames[i] = {q.head<3>(), rotation_matrix<double>(q.tail<4>())};
      twists[i] = {v.head<3>(), frames[i].R * v.tail<3>()};
    }
    State out{reference.t, Vec::Zero(tree.nq()), Vec::Zero(tree.nv())};
    tree.read_off(frames.data(), twists.data(), length, out.q.data(), out.v.data());
    const auto count = static_cast<Eigen::Index>(there.size());
    const Vec s = reference.q.tail(count), s_dot = reference.v.tail(count);
    for (size_t k = 0; k < there.size(); ++k) {  // they know how many turns there were
      const auto match = tree.find(there[k].kind, there[k].a, there[k].b);
      if (match.q >= 0) out.q[match.q] = s[static_cast<Eigen::Index>(k)] / match.factor;
    }
    for (const Scalar& own : here) {
      if (tree.find(own.kind, own.a, own.b).q >= 0) continue;
      const auto same = std::find_if(there.begin(), there.end(), [&](const Scalar& other) {
        return other.kind == own.kind && (own.kind == Scalar::Kind::parameter
                                              ? other.name == own.name
                                              : same_frame(other.a, own.a) && same_frame(other.b, own.b));
      });
      append(out.q, s[same - there.begin()]);
      append(out.v, s_dot[same - there.begin()]);
    }
    return out;
  }

  static void append(Vec& list, double value) {
    list.conservativeResize(list.size() + 1);
    list[list.size() - 1] = value;
  }
};

void check_size(const Layout& layout, const std::string& source) {
  if (layout.nv == 0)
    throw InputError(source, Complaint{"joints", "a joint that moves", "every body fixed to the ground",
                                       "relative coordinates have nothing to say here; use reference-point"});
}

}  // namespace

CompiledModel compile_spatial_relative(const Model& model,
                                       const std::string& source,
                                       const Options& options) {
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile_spatial_reference(model, source));

  std::vector<TreeBody> bodies;
  std::vector<std::string> names;
  for (const Body& body : model.bodies) {
    bodies.push_back({body.name, body.mass, body.inertia_tensor});
    names.push_back(body.name);
  }
  std::vector<TreeJoint> joints;
  const auto candidates = tree_candidates(model, joints);
  const SpanningTree spanning = span_tree(names, candidates, tree_wishes(options), source);
  SpatialTree tree(spanning, joints, bodies);

  NotRows left_out;
  left_out.joints.assign(model.joints.size(), true);
  for (const int joint : spanning.cuts) left_out.joints[size_t(joint)] = false;
  left_out.is_coordinate = [&tree](const Scalar& scalar) {
    return tree.find(scalar.kind, scalar.a, scalar.b).q >= 0;
  };
  SpatialParts parts = expand_spatial_model(model, source, left_out);
  const auto& reference = static_cast<const AbsoluteSystem<BodyRates>&>(*compiled.reference->system);
  compiled.from_reference = StateReader{tree, parts.length, reference.parts().scalars, parts.scalars};
  compiled.guess = compiled.from_reference(compiled.reference->guess);
  const auto path = options.choice("mass") == "formed" ? SpatialRelative::Path::composite
                                                       : SpatialRelative::Path::automatic;
  auto system = std::make_unique<SpatialRelative>(std::move(parts), std::move(tree), path);
  check_size(system->layout(), source);
  if (system->layout().m > 0)
    system->recover_reactions(
        std::make_unique<ReactionRecovery>(compile_spatial_reference(model, source).system),
        reference.parts().scalars);
  compiled.system = std::move(system);
  return compiled;
}

}  // namespace driftless
