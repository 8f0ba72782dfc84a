#include "driftless/coordinates/relative/solvers/articulated_bodies.hpp"

#include <cmath>

#include <Eigen/LU>

namespace driftless {

using namespace sweeps;

namespace {

using Kind = LinkKind;

// ε of (5).
constexpr double kJointPivotTolerance = 1e-14;

// The column s of a rate, as a twist of the link's point; not of a ball.
template <int D>
struct Column {
  typename Sweep<D>::Angular a = Sweep<D>::none();
  typename Sweep<D>::Vector v = Sweep<D>::Vector::Zero();
};

template <int D>
Column<D> column_of(const TreeLink& link, const typename Sweep<D>::Vector& u) {
  Column<D> s;
  if (link.kind != Kind::slide) s.a = Tree<D>::turning(link, u);
  if (link.kind == Kind::slide) s.v = u;
  if (link.kind == Kind::screw) s.v = link.pitch * u;
  return s;
}

Vec3 angular_part(const ArticulatedInertia<3>& A, const Column<3>& s) { return A.I * s.a + times(A.H, s.v); }
Vec3 linear_part(const ArticulatedInertia<3>& A, const Column<3>& s) {
  return transposed_times(A.H, s.a) + A.M * s.v;
}
double angular_part(const ArticulatedInertia<2>& A, const Column<2>& s) { return A.I * s.a + A.H.dot(s.v); }
Vec2 linear_part(const ArticulatedInertia<2>& A, const Column<2>& s) { return s.a * A.H + A.M * s.v; }

// s·(l, p)
template <int D>
double on_rate(const TreeLink& link,
               const typename Sweep<D>::Vector& u,
               const typename Sweep<D>::Angular& l,
               const typename Sweep<D>::Vector& p) {
  double sum = 0;
  if (link.kind != Kind::slide) sum = dot(Tree<D>::turning(link, u), l);
  if (link.kind != Kind::turn) sum += (link.kind == Kind::slide ? 1 : link.pitch) * u.dot(p);
  return sum;
}

}  // namespace

template <int D>
ArticulatedBodies<D>::ArticulatedBodies(const Tree<D>& tree)
    : tree_(tree),
      factors_(size_t(tree.links()) + 1),
      balls_(tree.balls().size()),
      inertias_(size_t(tree.links()) + 1),
      pivots_(size_t(tree.links()) + 1),
      lost_(size_t(tree.nv())),
      massless_(size_t(tree.links()) + 1, -1),
      pushes_(size_t(tree.links()) + 1),
      accelerations_(size_t(tree.links()) + 1) {
  int count = 0;
  for (int i = 1; i <= tree.links(); ++i)
    if (!(tree.link(i).mass > 0)) massless_[size_t(i)] = count++;
  taken_.resize(size_t(count));
}

template <int D>
Status ArticulatedBodies<D>::factor(const typename Tree<D>::Frame* frames, const TreeWork<D>& at) {
  for (auto& inertia : inertias_) inertia = {};
  for (auto& inertia : taken_) inertia = {};
  for (auto& pivot : pivots_) pivot = {};
  for (double& lost : lost_) lost = 0;
  for (int i = tree_.links(); i > 0; --i) {
    const TreeLink& link = tree_.link(i);
    const auto& [p, u] = at.axes[size_t(i)];
    ArticulatedInertia<D>& A = inertias_[size_t(i)];
    Factor& own = factors_[size_t(i)];
    const Vector c = center(frames[link.slot]) - p;
    if (link.mass > 0) A.add_body(link.mass, c, at.inertias[size_t(i)]);
    own.d = p - at.axes[size_t(link.parent)].p;
    own.u = u;
    if (link.kind == Kind::ball) {
      if (!factor_ball(link, at, &lost_[size_t(link.v)], A)) return Status::singular;
    } else {
      Pivot& pivot = pivots_[size_t(i)];
      if (link.mass > 0) {
        const Column<D> s = column_of<D>(link, u);
        const Vector P = link.mass * (s.v + cross(s.a, c));
        const Angular L = at.inertias[size_t(i)] * s.a + cross(c, P);
        pivot.l += L;
        pivot.p += P;
        pivot.size += dot(s.a, L) + s.v.dot(P);
      }
      own.l = pivot.l;
      own.p = pivot.p;
      if (!(pivot.size > kJointPivotTolerance * (pivot.size + lost_[size_t(link.v)])))
        return Status::singular;  // (5)
      own.inverse = 1 / pivot.size;
      A.give_way(own.l, own.p, own.inverse);
    }
    if (link.parent == 0) continue;
    inertias_[size_t(link.parent)].add(A, own.d);
    if (tree_.link(link.parent).kind != Kind::ball) hand_on(i, A, at.axes[size_t(link.parent)].u);
    note_loss(i, at);
  }
  return Status::ok;
}

// What link i, having given way, brings to U and D of its parent: (6).
template <int D>
void ArticulatedBodies<D>::hand_on(int i, const ArticulatedInertia<D>& A, const Vector& parent_axis) {
  const TreeLink& link = tree_.link(i);
  const Factor& own = factors_[size_t(i)];
  Column<D> s = column_of<D>(tree_.link(link.parent), parent_axis);
  s.v += cross(s.a, own.d);
  if (link.kind == Kind::slide) {
    s.v -= s.v.dot(own.u) * own.u;
  } else if (link.kind != Kind::ball) {
    const Angular u = Tree<D>::turning(link, own.u);
    const double same = dot(s.a, u);
    s.a -= same * u;
    if (link.kind == Kind::screw) s.v -= (same * link.pitch) * own.u;
  }
  const Angular l = angular_part(A, s);
  const Vector p = linear_part(A, s);
  Pivot& pivot = pivots_[size_t(link.parent)];
  pivot.l += l + cross(own.d, p);
  pivot.p += p;
  pivot.size += dot(s.a, l) + s.v.dot(p);
}

// The three rates of a ball; false where one of them has no inertia.
template <int D>
bool ArticulatedBodies<D>::factor_ball(const TreeLink& link,
                                       const TreeWork<D>& at,
                                       const double* lost,
                                       ArticulatedInertia<D>& A) {
  if constexpr (D == 3) {
    BallFactor& ball = balls_[size_t(link.ball)];
    ball.B = at.balls[size_t(link.ball)];
    ball.L = A.I.full() * ball.B;
    ball.P = A.H.transpose() * ball.B;
    const Mat3 pivot = ball.B.transpose() * ball.L;
    Mat3 left = pivot;
    for (int k = 0; k < 3; ++k) {
      if (!(left(k, k) > kJointPivotTolerance * (pivot(k, k) + lost[k]))) return false;
      for (int i = k + 1; i < 3; ++i)
        for (int j = k + 1; j < 3; ++j) left(i, j) -= left(i, k) * left(k, j) / left(k, k);
    }
    ball.inverse = pivot.inverse();
    // The whole of I gives way: what is left is M − Hᵀ I⁻¹ H, by the columns of U (B is orthogonal).
    const Mat3 scaled = ball.P * ball.inverse;
    const Mat3 M = A.M.full() - scaled * ball.P.transpose();
    A.I = {};
    A.H.setZero();
    A.M = Sym3::of(M);
  }
  return true;
}

// What link i took away, as (5) at its parent needs it.
template <int D>
void ArticulatedBodies<D>::note_loss(int i, const TreeWork<D>& at) {
  const TreeLink &link = tree_.link(i), &parent = tree_.link(link.parent);
  if (link.kind == Kind::ball || parent.kind == Kind::ball || massless_[size_t(i)] >= 0 ||
      massless_[size_t(link.parent)] >= 0)
    return note_any_loss(i, at);
  const Factor& own = factors_[size_t(i)];
  const Vector& u = at.axes[size_t(link.parent)].u;
  const double moved = on_rate<D>(parent, u, own.l + cross(own.d, own.p), own.p);
  lost_[size_t(parent.v)] += moved * moved * own.inverse;
}

// The same with balls and links without mass.
template <int D>
void ArticulatedBodies<D>::note_any_loss(int i, const TreeWork<D>& at) {
  const TreeLink &link = tree_.link(i), &parent = tree_.link(link.parent);
  const Vector &u = at.axes[size_t(link.parent)].u, &d = factors_[size_t(i)].d;
  ArticulatedInertia<D> loss;  // all of it, about the parent's point
  if (link.kind != Kind::ball) {
    const Factor& own = factors_[size_t(i)];
    loss.give_way(own.l + cross(d, own.p), own.p, -own.inverse);
  } else if constexpr (D == 3) {
    const BallFactor& ball = balls_[size_t(link.ball)];
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = ball.P.col(k), l = ball.L.col(k) + d.cross(p);
      loss.give_way(l, p, -std::abs(ball.inverse(k, k)));
    }
  }
  if (const int before = massless_[size_t(i)]; before >= 0) loss.add(taken_[size_t(before)], d);
  if constexpr (D == 3) {
    if (parent.kind == Kind::ball) {
      const Mat3& B = at.balls[size_t(parent.ball)];
      for (int k = 0; k < 3; ++k) lost_[size_t(parent.v + k)] += B.col(k).dot(loss.I * B.col(k));
    }
  }
  if (parent.kind != Kind::ball) {
    const Column<D> s = column_of<D>(parent, u);
    lost_[size_t(parent.v)] += dot(s.a, angular_part(loss, s)) + s.v.dot(linear_part(loss, s));
  }
  if (const int taken = massless_[size_t(link.parent)]; taken >= 0)
    taken_[size_t(taken)].add(loss, Vector::Zero());
}

template <int D>
void ArticulatedBodies<D>::pass_inboard(
    int i, const double* r, const Push& b, double* e, double* g, Push& inboard) const {
  const TreeLink& link = tree_.link(i);
  const Factor& own = factors_[size_t(i)];
  Vector force = b.force;
  Angular moment = b.moment;
  if (link.kind == Kind::ball) {
    if constexpr (D == 3) {
      const BallFactor& ball = balls_[size_t(link.ball)];
      const Vec3 rest = Eigen::Map<const Vec3>(r) - ball.B.transpose() * b.moment;
      const Vec3 given = ball.inverse * rest;
      Eigen::Map<Vec3>{e} = rest;
      Eigen::Map<Vec3>{g} = given;
      force += ball.P * given;
      moment += ball.L * given;
    }
  } else {
    *e = *r - on_rate<D>(link, own.u, moment, force);
    *g = own.inverse * *e;
    force += *g * own.p;
    moment += *g * own.l;
  }
  inboard.force += force;
  inboard.moment += moment + cross(own.d, force);
}

template <int D>
void ArticulatedBodies<D>::inboard(const double* r, double* g) {
  for (Push& push : pushes_) push = {};
  double e[3];
  for (int i = tree_.links(); i > 0; --i) {
    const TreeLink& link = tree_.link(i);
    pass_inboard(i, r + link.v, pushes_[size_t(i)], e, g + link.v, pushes_[size_t(link.parent)]);
  }
}

template <int D>
void ArticulatedBodies<D>::outboard(const double* g, double* x) {
  accelerations_[0] = {};
  for (int i = 1; i <= tree_.links(); ++i) {
    const TreeLink& link = tree_.link(i);
    const Factor& own = factors_[size_t(i)];
    const auto& in = accelerations_[size_t(link.parent)];
    Angular angular = in.omega;
    Vector linear = velocity(in) + cross(in.omega, own.d);
    if (link.kind == Kind::ball) {
      if constexpr (D == 3) {
        const BallFactor& ball = balls_[size_t(link.ball)];
        const Vec3 onto = ball.L.transpose() * angular + ball.P.transpose() * linear;
        const Vec3 rate = Eigen::Map<const Vec3>(g + link.v) - ball.inverse * onto;
        Eigen::Map<Vec3>{x + link.v} = rate;
        angular += ball.B * rate;
      }
    } else {
      const double rate = g[link.v] - own.inverse * (dot(own.l, angular) + own.p.dot(linear));
      x[link.v] = rate;
      if (link.kind != Kind::slide) angular += rate * Tree<D>::turning(link, own.u);
      if (link.kind != Kind::turn) linear += (link.kind == Kind::slide ? rate : link.pitch * rate) * own.u;
    }
    accelerations_[size_t(i)] = make_twist(linear, angular);
  }
}

template class ArticulatedBodies<2>;
template class ArticulatedBodies<3>;

}  // namespace driftless
