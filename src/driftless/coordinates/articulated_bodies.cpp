#include "driftless/coordinates/articulated_bodies.hpp"

#include <cmath>

#include <Eigen/LU>

namespace driftless {
namespace {

using Kind = SpatialTree::Kind;

// A pivot this small against the inertia it comes from is round-off of zero.
constexpr double kJointPivotTolerance = 1e-14;

double trace(const Sym3& A) { return A.xx + A.yy + A.zz; }

}  // namespace

ArticulatedBodies::ArticulatedBodies(const SpatialTree& tree)
    : tree_(tree),
      factors_(size_t(tree.links()) + 1),
      balls_(tree.balls().size()),
      inertias_(size_t(tree.links()) + 1),
      pushes_(size_t(tree.links()) + 1),
      accelerations_(size_t(tree.links()) + 1) {}

Status ArticulatedBodies::factor(const SpatialFrame<double>* frames, const TreeWork& at) {
  for (ArticulatedInertia& inertia : inertias_) inertia = {};
  for (int i = tree_.links(); i > 0; --i) {
    const SpatialTree::Link& link = tree_.link(i);
    const auto& [p, u] = at.axes[size_t(i)];
    ArticulatedInertia& A = inertias_[size_t(i)];
    Factor& own = factors_[size_t(i)];
    if (link.mass > 0) A.add_body(link.mass, frames[link.slot].r - p, at.inertias[size_t(i)]);
    own.d = p - at.axes[size_t(link.parent)].p;
    double D = 0, scale = 0;
    switch (link.kind) {  // (1)
      case Kind::turn:
        own.l = A.I * u;
        own.p = A.H.transpose() * u;
        D = u.dot(own.l);
        scale = trace(A.I);
        break;
      case Kind::slide:
        own.l = A.H * u;
        own.p = A.M * u;
        D = u.dot(own.p);
        scale = trace(A.M);
        break;
      case Kind::screw: {
        const double h = link.pitch;
        own.l = A.I * u + h * (A.H * u);
        own.p = A.H.transpose() * u + h * (A.M * u);
        D = u.dot(own.l) + h * u.dot(own.p);
        scale = trace(A.I) + h * h * trace(A.M);
        break;
      }
      case Kind::ball: {
        BallFactor& ball = balls_[size_t(link.ball)];
        ball.B = at.balls[size_t(link.ball)];
        ball.L = A.I.full() * ball.B;
        ball.P = A.H.transpose() * ball.B;
        const Mat3 pivot = ball.B.transpose() * ball.L;
        if (!(pivot.determinant() > kJointPivotTolerance * std::pow(pivot.trace(), 3)))
          return Status::singular;
        ball.inverse = pivot.inverse();
        // The whole of I gives way: what is left is M − Hᵀ I⁻¹ H, by the columns of U (B is orthogonal).
        const Mat3 scaled = ball.P * ball.inverse;
        const Mat3 M = A.M.full() - scaled * ball.P.transpose();
        A.I = {};
        A.H.setZero();
        A.M = Sym3::of(M);
        break;
      }
    }
    if (link.kind != Kind::ball) {
      own.u = u;
      if (!(D > kJointPivotTolerance * scale)) return Status::singular;
      own.inverse = 1 / D;
      A.give_way(own.l, own.p, own.inverse);
    }
    if (link.parent > 0) inertias_[size_t(link.parent)].add(A, own.d);
  }
  return Status::ok;
}

void ArticulatedBodies::pass_inboard(
    int i, const double* r, const Push& b, double* e, double* g, Push& inboard) const {
  const SpatialTree::Link& link = tree_.link(i);
  const Factor& own = factors_[size_t(i)];
  Vec3 force = b.force, moment = b.moment;
  if (link.kind == Kind::ball) {
    const BallFactor& ball = balls_[size_t(link.ball)];
    const Vec3 rest = Eigen::Map<const Vec3>(r) - ball.B.transpose() * b.moment;
    const Vec3 given = ball.inverse * rest;
    Eigen::Map<Vec3>{e} = rest;
    Eigen::Map<Vec3>{g} = given;
    force += ball.P * given;
    moment += ball.L * given;
  } else {
    double on_rate = 0;
    if (link.kind != Kind::slide) on_rate = own.u.dot(moment);
    if (link.kind != Kind::turn) on_rate += (link.kind == Kind::slide ? 1 : link.pitch) * own.u.dot(force);
    *e = *r - on_rate;
    *g = own.inverse * *e;
    force += *g * own.p;
    moment += *g * own.l;
  }
  inboard.force += force;
  inboard.moment += moment + own.d.cross(force);
}

void ArticulatedBodies::inboard(const double* r, double* g) {
  for (Push& push : pushes_) push = {};
  double e[3];
  for (int i = tree_.links(); i > 0; --i) {
    const SpatialTree::Link& link = tree_.link(i);
    pass_inboard(i, r + link.v, pushes_[size_t(i)], e, g + link.v, pushes_[size_t(link.parent)]);
  }
}

void ArticulatedBodies::outboard(const double* g, double* x) {
  accelerations_[0] = {};
  for (int i = 1; i <= tree_.links(); ++i) {
    const SpatialTree::Link& link = tree_.link(i);
    const Factor& own = factors_[size_t(i)];
    const Twist& in = accelerations_[size_t(link.parent)];
    Vec3 angular = in.omega, linear = in.r + in.omega.cross(own.d);
    if (link.kind == Kind::ball) {
      const BallFactor& ball = balls_[size_t(link.ball)];
      const Vec3 onto = ball.L.transpose() * angular + ball.P.transpose() * linear;
      const Vec3 rate = Eigen::Map<const Vec3>(g + link.v) - ball.inverse * onto;
      Eigen::Map<Vec3>{x + link.v} = rate;
      angular += ball.B * rate;
    } else {
      const double rate = g[link.v] - own.inverse * (own.l.dot(angular) + own.p.dot(linear));
      x[link.v] = rate;
      if (link.kind != Kind::slide) angular += rate * own.u;
      if (link.kind != Kind::turn) linear += (link.kind == Kind::slide ? rate : link.pitch * rate) * own.u;
    }
    accelerations_[size_t(i)] = {linear, angular};
  }
}

}  // namespace driftless
