// How a tree is made of a spanning tree, joint frames and mobilities.
#include <algorithm>
#include <cmath>

#include "driftless/coordinates/relative/tree/tree.hpp"

namespace driftless {
namespace {

using MotionKind = ElementaryMotion::Kind;

LinkKind link_kind(MotionKind kind) {
  switch (kind) {
    case MotionKind::turn:
      return LinkKind::turn;
    case MotionKind::slide:
      return LinkKind::slide;
    case MotionKind::screw:
      return LinkKind::screw;
    case MotionKind::ball:
      break;
  }
  return LinkKind::ball;
}

LinkKind link_kind(PlaneMotion::Kind kind) {
  return kind == PlaneMotion::Kind::turn ? LinkKind::turn : LinkKind::slide;
}

void negate(ElementaryMotion& motion) { motion.axis = -motion.axis; }

void negate(PlaneMotion& motion) {
  motion.axis = -motion.axis;
  motion.sign = -motion.sign;
}

// The shape of a link whose motion starts from the axes `at` of the link inboard and ends with the axes `after`.
void shape_link(const ElementaryMotion& motion,
                const Mat3& at,
                const Mat3& after,
                bool reversed,
                TreeLink& link,
                LinkShape<3>& shape) {
  link.pitch = motion.pitch;
  if (link.kind == LinkKind::ball) {
    shape.reversed = reversed;
    shape.A0 = at;
    shape.A1 = after;
    return;
  }
  const Vec3 axis = motion.axis.normalized();
  shape.axis = at * axis;
  if (link.kind == LinkKind::slide) {
    shape.A0 = at * after;
    return;
  }
  const Mat3 K = skew(axis);
  shape.A0 = at * (Mat3::Identity() + K * K) * after;
  shape.A1 = -at * K * K * after;
  shape.A2 = at * K * after;
}

void shape_link(const PlaneMotion& motion,
                const PlaneTurn& at,
                const PlaneTurn& after,
                bool,
                TreeLink& link,
                LinkShape<2>& shape) {
  link.sign = motion.sign;
  shape.axis = at * motion.axis;
  shape.A0 = at * after;
}

Sym3 in_axes(const Mat3& axes, const Mat3& inertia) { return Sym3::of(axes * inertia * axes.transpose()); }
double in_axes(const PlaneTurn&, double inertia) { return inertia; }
void add_point_mass(Sym3& inertia, double m, const Vec3& c) { inertia.add_point_mass(m, c); }
void add_point_mass(double& inertia, double m, const Vec2& c) { inertia += m * c.squaredNorm(); }

}  // namespace

const std::vector<ElementaryMotion>& base_motions(std::integral_constant<int, 3>) {
  static const std::vector<ElementaryMotion> motions = {{MotionKind::slide, Vec3::UnitX(), "x"},
                                                        {MotionKind::slide, Vec3::UnitY(), "y"},
                                                        {MotionKind::slide, Vec3::UnitZ(), "z"},
                                                        {MotionKind::ball, Vec3::Zero(), ""}};
  return motions;
}

const std::vector<PlaneMotion>& base_motions(std::integral_constant<int, 2>) {
  using PlaneKind = PlaneMotion::Kind;
  static const std::vector<PlaneMotion> motions = {{PlaneKind::slide, Vec2::UnitX(), "x"},
                                                   {PlaneKind::slide, Vec2::UnitY(), "y"},
                                                   {PlaneKind::turn, Vec2::Zero(), "theta"}};
  return motions;
}

// Bodies are put on the tree one by one; centres and slots follow when it is known what each link carries.
template <int D>
struct Tree<D>::Builder {
  using Turn = typename Sweep<D>::Turn;
  using Motion = typename Sweep<D>::Motion;

  Tree& tree;
  const std::vector<TreeBody<D>>& bodies;
  std::vector<Placement> on_link;  // per body: against p and the axes of its link
  std::vector<Vector> joint_at;    // per link: its point, from p of the link inboard, in its axes

  Builder(Tree& own, const std::vector<TreeBody<D>>& of)
      : tree(own), bodies(of), on_link(of.size() + 1), joint_at(1, Vector::Zero()) {
    tree.ground_ = static_cast<int>(of.size());
    tree.link_of_.assign(of.size() + 1, 0);
    tree.edge_of_.assign(of.size() + 1, -1);
    tree.links_.reserve(of.size() + 1);  // most joints are one link
    tree.shapes_.reserve(of.size() + 1);
    tree.edges_.reserve(of.size());
    tree.links_.resize(1);
    tree.links_[0].slot = tree.ground_;
    tree.shapes_.resize(1);
  }

  void add(const SpanningTree::Link& spanned) {
    const int first = static_cast<int>(tree.links_.size());
    if (spanned.joint < 0) {
      tree.bases_.push_back(first);
      hang(spanned, base_motions(std::integral_constant<int, D>()), {}, Turn::Identity(), Vector::Zero(),
           bodies[size_t(spanned.body)].name);
    } else {
      const TreeJoint<D>& joint = tree.joints_[size_t(spanned.joint)];
      const auto& [F, M] = joint.frames;
      const auto& [motions, zero] = joint.mobility;
      if (spanned.reversed) {
        hang(spanned, motions, {M.axes * zero.transpose(), M.origin.at}, F.axes.transpose(), F.origin.at,
             joint.name);
      } else {
        hang(spanned, motions, {F.axes, F.origin.at}, zero * M.axes.transpose(), M.origin.at, joint.name);
      }
    }
    tree.edge_of_[size_t(spanned.body)] = static_cast<int>(tree.edges_.size());
    tree.edges_.push_back({first, static_cast<int>(tree.links_.size()) - first, spanned.joint, spanned.body,
                           spanned.inboard, spanned.reversed});
  }

  // `inner`: the joint on the inboard body; `after`: axes of the body against those behind the last motion; `outer`: the
  // joint's place on the body.
  void hang(const SpanningTree::Link& spanned,
            const std::vector<Motion>& motions,
            const Placement& inner,
            const Turn& after,
            const Vector& outer,
            const std::string& name) {
    const Placement& on = on_link[size_t(spanned.inboard)];
    Placement at{on.axes * inner.axes, on.at + on.axes * inner.at};
    int link = tree.link_of_[size_t(spanned.inboard)];
    const size_t first = tree.links_.size(), count = motions.size();
    for (size_t k = 0; k < count; ++k) {
      Motion motion = motions[spanned.reversed ? count - 1 - k : k];
      if (spanned.reversed) negate(motion);
      link = add_link(link, motion, at, k + 1 == count ? after : Turn::Identity(), spanned.reversed);
      at = {};
    }
    for (size_t k = 0; k < count; ++k) {  // coordinates in the order of the joint
      Link& own = tree.links_[first + (spanned.reversed ? count - 1 - k : k)];
      own.q = tree.nq();
      own.v = tree.nv();
      name_coordinates(name, motions[k], spanned.joint < 0);
    }
    tree.link_of_[size_t(spanned.body)] = link;
    const Turn axes = motions.empty() ? Turn(at.axes * after) : Turn::Identity();
    on_link[size_t(spanned.body)] = {axes, at.at - axes * outer};
  }

  int add_link(int parent, const Motion& motion, const Placement& at, const Turn& after, bool reversed) {
    Link link;
    LinkShape<D> shape;
    link.kind = link_kind(motion.kind);
    link.parent = parent;
    if (link.kind == Kind::ball) {
      link.ball = static_cast<int>(tree.balls_.size());
      tree.balls_.push_back(static_cast<int>(tree.links_.size()));
    }
    shape_link(motion, at.axes, after, reversed, link, shape);
    tree.links_.push_back(link);
    tree.shapes_.push_back(shape);
    joint_at.push_back(at.at);
    return static_cast<int>(tree.links_.size()) - 1;
  }

  void name_coordinates(const std::string& name, const Motion& motion, bool of_base) {
    if (link_kind(motion.kind) == Kind::ball) {
      for (const char* suffix : {".e0", ".e1", ".e2", ".e3"}) tree.q_names_.push_back(name + suffix);
      for (const char* suffix : {".wx", ".wy", ".wz"}) tree.v_names_.push_back(name + suffix);
      return;
    }
    tree.q_names_.push_back(name + "." + motion.name);
    if (!of_base)
      tree.v_names_.push_back(tree.q_names_.back() + "_rate");
    else
      tree.v_names_.push_back(name + (link_kind(motion.kind) == Kind::turn ? ".omega" : ".v" + motion.name));
  }

  void finish() {
    std::vector<int> carried(tree.links_.size());  // how many bodies
    std::vector<int> sole(tree.links_.size());     // the last of them
    for (size_t b = 0; b < bodies.size(); ++b) {
      ++carried[size_t(tree.link_of_[b])];
      sole[size_t(tree.link_of_[b])] = static_cast<int>(b);
    }
    tree.slots_ = tree.ground_ + 1;
    for (size_t i = 1; i < tree.links_.size(); ++i)  // a sole body's axes are those of the link
      tree.links_[i].slot = carried[i] == 1 ? sole[i] : tree.slots_++;
    weigh();
    for (size_t i = 1; i < tree.links_.size(); ++i) {
      Link& link = tree.links_[i];
      link.parent_slot = tree.links_[size_t(link.parent)].slot;
      tree.shapes_[i].origin = joint_at[i] - tree.shapes_[size_t(link.parent)].center;
    }
    for (size_t b = 0; b < bodies.size(); ++b) {
      const int i = tree.link_of_[b], slot = tree.links_[size_t(i)].slot;
      if (slot == static_cast<int>(b)) continue;
      const Placement& at = on_link[b];
      tree.riders_.push_back({static_cast<int>(b), slot, {at.axes, at.at - tree.shapes_[size_t(i)].center}});
    }
  }

  // Mass, centre and inertia of all a link carries; ground has none.
  void weigh() const {
    for (size_t b = 0; b < bodies.size(); ++b) {
      const auto i = size_t(tree.link_of_[b]);
      if (i == 0) continue;
      tree.links_[i].mass += bodies[b].mass;
      tree.shapes_[i].center += bodies[b].mass * on_link[b].at;
    }
    for (size_t i = 1; i < tree.links_.size(); ++i)
      if (tree.links_[i].mass > 0) tree.shapes_[i].center /= tree.links_[i].mass;
    for (size_t b = 0; b < bodies.size(); ++b) {
      const auto i = size_t(tree.link_of_[b]);
      if (i == 0) continue;
      const Placement& at = on_link[b];
      auto& inertia = tree.shapes_[i].inertia;
      inertia += in_axes(at.axes, bodies[b].inertia);
      add_point_mass(inertia, bodies[b].mass, at.at - tree.shapes_[i].center);
    }
  }
};

template <int D>
Tree<D>::Tree(const SpanningTree& spanning,
              std::vector<TreeJoint<D>> joints,
              const std::vector<TreeBody<D>>& bodies)
    : joints_(std::move(joints)) {
  Builder builder(*this, bodies);
  for (const SpanningTree::Link& link : spanning.links) builder.add(link);
  builder.finish();
}

template Tree<2>::Tree(const SpanningTree&, std::vector<TreeJoint<2>>, const std::vector<TreeBody<2>>&);
template Tree<3>::Tree(const SpanningTree&, std::vector<TreeJoint<3>>, const std::vector<TreeBody<3>>&);

bool same_frame(const JointFrame& f, const JointFrame& g) {
  return f.origin.body == g.origin.body && f.origin.at == g.origin.at && f.axes == g.axes;
}

// The motion about or along z that alone makes the angle or the displacement of M against F.
template <>
Tree<3>::Match Tree<3>::find_motion(const Edge& edge, Scalar::Kind kind) const {
  const SpatialMobility& mobility = joints_[size_t(edge.joint)].mobility;
  const bool angle = kind == Scalar::Kind::angle;
  if (kind == Scalar::Kind::parameter || !mobility.zero.isIdentity()) return {};
  Match match;
  int turns = 0;
  for (int k = 0; k < edge.count; ++k) {
    const ElementaryMotion& motion = mobility.motions[size_t(k)];
    const bool along_z = motion.axis.normalized() == Vec3::UnitZ();
    if (motion.kind == MotionKind::ball || (motion.kind != MotionKind::slide && !along_z)) return {};
    turns += motion.kind != MotionKind::slide;
    const bool makes_it = motion.kind == MotionKind::screw || (motion.kind == MotionKind::turn) == angle;
    if (!along_z || !makes_it) continue;
    const Link& own = link(edge.first_link + (edge.reversed ? edge.count - 1 - k : k));
    match = {own.q, own.v, !angle && motion.kind == MotionKind::screw ? motion.pitch : 1.0, edge.joint};
  }
  return turns > 1 ? Match{} : match;
}

// Of the two bodies one hangs on the other, or there is no such joint in the tree.
template <>
Tree<3>::Match Tree<3>::find(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const {
  for (const int body : {a.origin.body, b.origin.body}) {
    if (edge_of_[size_t(body)] < 0) continue;
    const Edge& edge = edges_[size_t(edge_of_[size_t(body)])];
    if (edge.joint < 0) continue;
    const auto& [F, M] = joints_[size_t(edge.joint)].frames;
    const bool forward = same_frame(F, a) && same_frame(M, b);
    if (!forward && !(same_frame(F, b) && same_frame(M, a))) continue;
    Match match = find_motion(edge, kind);
    if (match.q < 0) continue;
    if (!forward) match.factor = -match.factor;
    return match;
  }
  return {};
}

}  // namespace driftless
