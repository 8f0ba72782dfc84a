// The coordinates of a tree where its bodies are given: in the plane read off joint by joint, in space fitted.
#include <algorithm>
#include <cmath>

#include "driftless/coordinates/relative/tree/tree.hpp"
#include "driftless/math/linear/dense.hpp"

namespace driftless {

using namespace sweeps;

namespace {

using MotionKind = ElementaryMotion::Kind;

Mat3 turn_about(const Vec3& axis, double angle) {
  const Mat3 K = skew(axis);
  return Mat3::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

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

template <>
void Tree<3>::read_off(const Frame* frames, const Twist* twists, double length, double* q, double* v) const {
  for (const Edge& edge : edges_) {
    if (edge.count == 0) continue;
    const JointFrame world{{ground_, Vec3::Zero()}, Mat3::Identity()};
    const JointFrame center{{edge.body, Vec3::Zero()}, Mat3::Identity()};
    const bool base = edge.joint < 0;
    const TreeJoint<3> joint =
        base ? TreeJoint<3>{"", {world, center}, {base_motions(std::integral_constant<int, 3>())}}
             : joints_[size_t(edge.joint)];
    const auto& [F, M] = joint.frames;
    const auto& motions = joint.mobility.motions;
    const auto &a = frames[F.origin.body], &b = frames[M.origin.body];
    const auto &a_twist = twists[F.origin.body], &b_twist = twists[M.origin.body];
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

template <>
void Tree<2>::read_off(const Frame* frames, const Twist* twists, double, double* q, double* v) const {
  for (const Edge& edge : edges_) {
    if (edge.joint < 0) {
      const Link* base = &links_[size_t(edge.first_link)];
      const Vec2 r = center(frames[edge.body]), rate = velocity(twists[edge.body]);
      for (int k = 0; k < 2; ++k) {
        q[base[k].q] = r[k];
        v[base[k].v] = rate[k];
      }
      q[base[2].q] = frames[edge.body].theta;
      v[base[2].v] = twists[edge.body].omega;
      continue;
    }
    const TreeJoint<2>& joint = joints_[size_t(edge.joint)];
    const auto& [F, M] = joint.frames;
    const Frame &a = frames[F.origin.body], &b = frames[M.origin.body];
    const Twist &a_twist = twists[F.origin.body], &b_twist = twists[M.origin.body];
    const Vec2 arm_a = turned(a, F.origin.at), arm_b = turned(b, M.origin.at);
    const Vec2 gap = center(b) + arm_b - center(a) - arm_a;
    const Vec2 opening = velocity(b_twist) + cross(b_twist.omega, arm_b) - velocity(a_twist) -
                         cross(a_twist.omega, Vec2(arm_a + gap));
    for (int k = 0; k < edge.count; ++k) {
      const Link& own = link(edge.first_link + (edge.reversed ? edge.count - 1 - k : k));
      const PlaneMotion& motion = joint.mobility.motions[size_t(k)];
      if (motion.kind == PlaneMotion::Kind::turn) {
        q[own.q] = b.theta - a.theta;
        v[own.v] = b_twist.omega - a_twist.omega;
      } else {
        const Vec2 u = turned(a, motion.axis);
        q[own.q] = u.dot(gap);
        v[own.v] = u.dot(opening);
      }
    }
  }
}

}  // namespace driftless
