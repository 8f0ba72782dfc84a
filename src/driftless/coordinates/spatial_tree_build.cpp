// How a spatial tree is made of a spanning tree, joint frames and mobilities, and how its coordinates are read off poses.
#include <algorithm>
#include <cmath>

#include "driftless/coordinates/spatial_tree.hpp"
#include "driftless/math/dense.hpp"

namespace driftless {
namespace {

using MotionKind = ElementaryMotion::Kind;

const std::vector<ElementaryMotion>& base_motions() {
  static const std::vector<ElementaryMotion> motions = {{MotionKind::slide, Vec3::UnitX(), "x"},
                                                        {MotionKind::slide, Vec3::UnitY(), "y"},
                                                        {MotionKind::slide, Vec3::UnitZ(), "z"},
                                                        {MotionKind::ball, Vec3::Zero(), ""}};
  return motions;
}

SpatialTree::Kind link_kind(MotionKind kind) {
  switch (kind) {
    case MotionKind::turn:
      return SpatialTree::Kind::turn;
    case MotionKind::slide:
      return SpatialTree::Kind::slide;
    case MotionKind::screw:
      return SpatialTree::Kind::screw;
    case MotionKind::ball:
      break;
  }
  return SpatialTree::Kind::ball;
}

Mat3 turn_about(const Vec3& axis, double angle) {
  const Mat3 K = skew(axis);
  return Mat3::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

}  // namespace

// Bodies are put on the tree one by one; centres and slots follow when it is known what each link carries.
struct SpatialTree::Builder {
  SpatialTree& tree;
  const std::vector<TreeBody>& bodies;
  std::vector<Placement> on_link;  // per body: against p and the axes of its link
  std::vector<Vec3> joint_at;      // per link: its point, from p of the link inboard, in its axes

  Builder(SpatialTree& own, const std::vector<TreeBody>& of)
      : tree(own), bodies(of), on_link(of.size() + 1), joint_at(1, Vec3::Zero()) {
    tree.ground_ = static_cast<int>(of.size());
    tree.link_of_.assign(of.size() + 1, 0);
    tree.links_.resize(1);
    tree.links_[0].slot = tree.ground_;
    tree.shapes_.resize(1);
  }

  void add(const SpanningTree::Link& spanned) {
    const int first = static_cast<int>(tree.links_.size());
    if (spanned.joint < 0) {
      tree.bases_.push_back(first);
      hang(spanned, base_motions(), {}, Mat3::Identity(), Vec3::Zero(), bodies[size_t(spanned.body)].name);
    } else {
      const TreeJoint& joint = tree.joints_[size_t(spanned.joint)];
      const auto& [F, M] = joint.frames;
      const Mat3& zero = joint.mobility.zero;
      std::vector<ElementaryMotion> motions = joint.mobility.motions;
      if (spanned.reversed) {
        std::reverse(motions.begin(), motions.end());
        for (auto& motion : motions) motion.axis = -motion.axis;
        hang(spanned, motions, {M.axes * zero.transpose(), M.origin.at}, F.axes.transpose(), F.origin.at,
             joint.name);
      } else {
        hang(spanned, motions, {F.axes, F.origin.at}, zero * M.axes.transpose(), M.origin.at, joint.name);
      }
    }
    tree.edges_.push_back({first, static_cast<int>(tree.links_.size()) - first, spanned.joint, spanned.body,
                           spanned.inboard, spanned.reversed});
  }

  // `inner`: the joint on the inboard body; `after`: axes of the body against those behind the last motion; `outer`: the
  // joint's place on the body.
  void hang(const SpanningTree::Link& spanned,
            const std::vector<ElementaryMotion>& motions,
            const Placement& inner,
            const Mat3& after,
            const Vec3& outer,
            const std::string& name) {
    const Placement& on = on_link[size_t(spanned.inboard)];
    Placement at{on.axes * inner.axes, on.at + on.axes * inner.at};
    int link = tree.link_of_[size_t(spanned.inboard)];
    for (size_t k = 0; k < motions.size(); ++k) {
      const bool last = k + 1 == motions.size();
      link = add_link(link, motions[k], at, last ? after : Mat3::Identity(), spanned.reversed);
      name_coordinates(name, motions[k], spanned.joint < 0);
      at = {};
    }
    tree.link_of_[size_t(spanned.body)] = link;
    const Mat3 axes = motions.empty() ? Mat3(at.axes * after) : Mat3::Identity();
    on_link[size_t(spanned.body)] = {axes, at.at - axes * outer};
  }

  int add_link(
      int parent, const ElementaryMotion& motion, const Placement& at, const Mat3& after, bool reversed) {
    Link link;
    Shape shape;
    link.kind = link_kind(motion.kind);
    link.parent = parent;
    link.q = tree.nq();
    link.v = tree.nv();
    link.pitch = motion.pitch;
    if (link.kind == Kind::ball) {
      link.ball = static_cast<int>(tree.balls_.size());
      tree.balls_.push_back(static_cast<int>(tree.links_.size()));
      shape.reversed = reversed;
      shape.A0 = at.axes;
      shape.A1 = after;
    } else {
      const Vec3 axis = motion.axis.normalized();
      shape.axis = at.axes * axis;
      if (link.kind == Kind::slide) {
        shape.A0 = at.axes * after;
      } else {
        const Mat3 K = skew(axis);
        shape.A0 = at.axes * (Mat3::Identity() + K * K) * after;
        shape.A1 = -at.axes * K * K * after;
        shape.A2 = at.axes * K * after;
      }
    }
    tree.links_.push_back(link);
    tree.shapes_.push_back(shape);
    joint_at.push_back(at.at);
    return static_cast<int>(tree.links_.size()) - 1;
  }

  void name_coordinates(const std::string& name, const ElementaryMotion& motion, bool of_base) {
    if (motion.kind == MotionKind::ball) {
      for (const char* suffix : {".e0", ".e1", ".e2", ".e3"}) tree.q_names_.push_back(name + suffix);
      for (const char* suffix : {".wx", ".wy", ".wz"}) tree.v_names_.push_back(name + suffix);
      tree.is_length_.insert(tree.is_length_.end(), 3, false);
      return;
    }
    tree.q_names_.push_back(name + "." + motion.name);
    tree.v_names_.push_back(of_base ? name + ".v" + motion.name : tree.q_names_.back() + "_rate");
    tree.is_length_.push_back(motion.kind == MotionKind::slide);
  }

  void finish() {
    std::vector<std::vector<int>> carried(tree.links_.size());
    for (size_t b = 0; b < bodies.size(); ++b)
      carried[size_t(tree.link_of_[b])].push_back(static_cast<int>(b));
    tree.slots_ = tree.ground_ + 1;
    for (size_t i = 1; i < tree.links_.size(); ++i) {
      Link& link = tree.links_[i];
      const bool has_own = carried[i].size() == 1;  // its axes are those of the body then
      link.slot = has_own ? carried[i].front() : tree.slots_++;
      weigh(link, tree.shapes_[i], carried[i]);
    }
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

  // Mass, centre and inertia of all a link carries.
  void weigh(Link& link, Shape& shape, const std::vector<int>& carried) const {
    if (carried.empty()) return;
    Vec3 moment = Vec3::Zero();
    for (const int b : carried) {
      link.mass += bodies[size_t(b)].mass;
      moment += bodies[size_t(b)].mass * on_link[size_t(b)].at;
    }
    shape.center = moment / link.mass;
    for (const int b : carried) {
      const Placement& at = on_link[size_t(b)];
      shape.inertia += Sym3::of(at.axes * bodies[size_t(b)].inertia * at.axes.transpose());
      shape.inertia.add_point_mass(bodies[size_t(b)].mass, at.at - shape.center);
    }
  }
};

SpatialTree::SpatialTree(const SpanningTree& spanning,
                         const std::vector<TreeJoint>& joints,
                         const std::vector<TreeBody>& bodies)
    : joints_(joints) {
  Builder builder(*this, bodies);
  for (const SpanningTree::Link& link : spanning.links) builder.add(link);
  builder.finish();
}

bool same_frame(const JointFrame& f, const JointFrame& g) {
  return f.origin.body == g.origin.body && f.origin.at == g.origin.at && f.axes == g.axes;
}

SpatialTree::Match SpatialTree::find(Scalar::Kind kind, const JointFrame& a, const JointFrame& b) const {
  for (const Edge& edge : edges_) {
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

// The motion about or along z that alone makes the angle or the displacement of M against F.
SpatialTree::Match SpatialTree::find_motion(const Edge& edge, Scalar::Kind kind) const {
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

// ---- coordinates from poses -----------------------------------------------------------------------------------------

namespace {

// A chain of motions at values of its coordinates (four of a ball): where the frame behind them stands, and the columns
// of its twist, (angular velocity, velocity of its origin), all against the frame in front of them and in its axes.
struct ChainPose {
  Mat3 R = Mat3::Identity();
  Vec3 o = Vec3::Zero();
  Mat columns;
};

ChainPose pose_of(const std::vector<ElementaryMotion>& motions, const std::vector<double>& values) {
  ChainPose pose;
  std::vector<Vec3> turning, advancing, pivots;
  size_t at = 0;
  for (const ElementaryMotion& motion : motions) {
    const Vec3 u = pose.R * motion.axis.normalized();
    if (motion.kind == MotionKind::ball) {
      pose.R *= rotation_matrix<double>(Eigen::Map<const Quat>(&values[at]));
      for (int k = 0; k < 3; ++k) {
        turning.push_back(pose.R.col(k));
        advancing.push_back(Vec3::Zero());
        pivots.push_back(pose.o);
      }
      at += 4;
      continue;
    }
    const double value = values[at++];
    const double advance = motion.kind == MotionKind::slide   ? 1
                           : motion.kind == MotionKind::screw ? motion.pitch
                                                              : 0;
    const bool turns = motion.kind != MotionKind::slide;
    turning.push_back(turns ? u : Vec3::Zero());
    advancing.push_back(advance * u);
    pivots.push_back(pose.o);
    pose.o += advance * value * u;
    if (turns) pose.R *= turn_about(motion.axis.normalized(), value);
  }
  pose.columns.resize(6, static_cast<Eigen::Index>(turning.size()));
  for (size_t k = 0; k < turning.size(); ++k) {
    auto column = pose.columns.col(static_cast<Eigen::Index>(k));
    column.head<3>() = turning[k];
    column.tail<3>() = advancing[k] + turning[k].cross(pose.o - pivots[k]);
  }
  return pose;
}

// Values motion after motion: an angle from where the next axis has to go, or, for the last turn, the turn that is left.
std::vector<double> guess_values(const std::vector<ElementaryMotion>& motions, Mat3 R, Vec3 o) {
  std::vector<double> values;
  for (size_t k = 0; k < motions.size(); ++k) {
    const ElementaryMotion& motion = motions[k];
    if (motion.kind == MotionKind::ball) {
      const Quat e = quaternion_of_matrix(R);
      values.insert(values.end(), {e[0], e[1], e[2], e[3]});
      R.setIdentity();
      continue;
    }
    const Vec3 a = motion.axis.normalized();
    if (motion.kind == MotionKind::slide) {
      values.push_back(a.dot(o));
      o -= values.back() * a;
      continue;
    }
    const auto next = std::find_if(motions.begin() + static_cast<std::ptrdiff_t>(k) + 1, motions.end(),
                                   [](const auto& m) { return m.kind != MotionKind::slide; });
    double angle = 0;
    if (next == motions.end()) {
      const Quat e = quaternion_of_matrix(R);
      angle = 2 * std::atan2(a.dot(e.tail<3>()), e[0]);
      angle = std::remainder(angle, 2 * EIGEN_PI);
    } else if (next->kind != MotionKind::ball) {
      const Vec3 b = next->axis.normalized(), c = R * b;
      angle = std::atan2(a.dot(b.cross(c)), b.dot(c) - a.dot(b) * a.dot(c));
    }
    if (motion.kind == MotionKind::screw && motion.pitch != 0)  // whole turns show in the advance
      angle += 2 * EIGEN_PI * std::round((a.dot(o) / motion.pitch - angle) / (2 * EIGEN_PI));
    values.push_back(angle);
    const Mat3 back = turn_about(a, -angle);
    R = back * R;
    o = back * o;
    if (motion.kind == MotionKind::screw) o -= motion.pitch * angle * a;
  }
  return values;
}

void add_increment(const std::vector<ElementaryMotion>& motions,
                   const Vec& step,
                   std::vector<double>& values) {
  size_t at = 0;
  Eigen::Index from = 0;
  for (const ElementaryMotion& motion : motions) {
    if (motion.kind == MotionKind::ball) {
      Eigen::Map<Quat> e(&values[at]);
      e = quaternion_product(Quat(e), quaternion_of_turn(step.segment<3>(from))).normalized();
      at += 4;
      from += 3;
    } else {
      values[at++] += step[from++];
    }
  }
}

// Values that bring the chain nearest to the pose (R, o): the guess, improved by Gauss–Newton while that helps (chains of
// three axes, poses the joint cannot take).
std::vector<double> fit_values(const std::vector<ElementaryMotion>& motions,
                               const Mat3& R,
                               const Vec3& o,
                               double length) {
  constexpr int kMaxIterations = 30;
  std::vector<double> values = guess_values(motions, R, o);
  const auto residual = [&](const ChainPose& pose) {
    Eigen::Matrix<double, 6, 1> e;
    e.head<3>() =
        length * pose.R * turn_between(Quat(1, 0, 0, 0), quaternion_of_matrix(pose.R.transpose() * R));
    e.tail<3>() = o - pose.o;
    return e;
  };
  ChainPose pose = pose_of(motions, values);
  auto e = residual(pose);
  for (int k = 0; k < kMaxIterations && e.norm() > 1e-15 * length; ++k) {
    pose.columns.topRows<3>() *= length;
    const Vec step = least_squares(pose.columns, e);
    std::vector<double> next = values;
    add_increment(motions, step, next);
    pose = pose_of(motions, next);
    const auto e_next = residual(pose);
    if (!(e_next.norm() < 0.9 * e.norm())) break;
    values = std::move(next);
    e = e_next;
  }
  return values;
}

}  // namespace

void SpatialTree::read_off(
    const SpatialFrame<double>* frames, const Twist* twists, double length, double* q, double* v) const {
  for (const Edge& edge : edges_) {
    if (edge.count == 0) continue;
    const JointFrame world{{ground_, Vec3::Zero()}, Mat3::Identity()};
    const JointFrame center{{edge.body, Vec3::Zero()}, Mat3::Identity()};
    const bool base = edge.joint < 0;
    const TreeJoint joint =
        base ? TreeJoint{"", {world, center}, {base_motions()}} : joints_[size_t(edge.joint)];
    const auto& [F, M] = joint.frames;
    const auto& motions = joint.mobility.motions;
    const auto &a = frames[F.origin.body], &b = frames[M.origin.body];
    const Twist &a_twist = twists[F.origin.body], &b_twist = twists[M.origin.body];
    const Mat3 axes = a.R * F.axes;
    const Vec3 arm_a = a.R * F.origin.at, arm_b = b.R * M.origin.at, gap = b.r + arm_b - a.r - arm_a;
    const std::vector<double> values =
        fit_values(motions, axes.transpose() * b.R * M.axes * joint.mobility.zero.transpose(),
                   axes.transpose() * gap, length);
    // Rates: least squares of the relative twist.
    ChainPose pose = pose_of(motions, values);
    Eigen::Matrix<double, 6, 1> twist;
    twist.head<3>() = length * axes.transpose() * (b_twist.omega - a_twist.omega);
    twist.tail<3>() = axes.transpose() *
                      (b_twist.r + b_twist.omega.cross(arm_b) - a_twist.r - a_twist.omega.cross(arm_a + gap));
    pose.columns.topRows<3>() *= length;
    const Vec rates = least_squares(pose.columns, twist);

    size_t at = 0;
    Eigen::Index from = 0;
    for (int k = 0; k < edge.count; ++k) {
      const Link& own = link(edge.first_link + (edge.reversed ? edge.count - 1 - k : k));
      const int positions = own.kind == Kind::ball ? 4 : 1;
      for (int i = 0; i < positions; ++i) q[own.q + i] = values[at++];
      for (int i = 0; i < width(own.kind); ++i) v[own.v + i] = rates[from++];
    }
  }
}

}  // namespace driftless
