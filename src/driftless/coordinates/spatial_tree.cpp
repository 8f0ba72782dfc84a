#include "driftless/coordinates/spatial_tree.hpp"

#include <cmath>

namespace driftless {

TreeWork SpatialTree::make_work() const {
  TreeWork work;
  work.axes.resize(links_.size());
  work.inertias.resize(links_.size());
  work.balls.resize(balls_.size(), Mat3::Identity());
  work.biases.resize(size_t(slots_));
  return work;
}

void SpatialTree::place(const double* q, SpatialFrame<double>* frames, TreeWork& work) const {
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const Shape& shape = shapes_[i];
    const SpatialFrame<double>& in = frames[link.parent_slot];
    SpatialFrame<double>& out = frames[link.slot];
    TreeWork::Axis& axis = work.axes[i];
    axis.p = in.r + in.R * shape.origin;
    axis.u = in.R * shape.axis;
    if (link.kind == Kind::turn || link.kind == Kind::screw) {
      const double angle = q[link.q], c = std::cos(angle), s = std::sin(angle);
      const Mat3 turn = shape.A0 + c * shape.A1 + s * shape.A2;
      out.R.noalias() = in.R * turn;
      if (link.kind == Kind::screw) axis.p += (link.pitch * angle) * axis.u;
    } else if (link.kind == Kind::slide) {
      out.R.noalias() = in.R * shape.A0;
      axis.p += q[link.q] * axis.u;
    } else {
      const Mat3 E = rotation_matrix<double>(Eigen::Map<const Quat>(q + link.q));
      Mat3& B = work.balls[size_t(link.ball)];
      B.noalias() = in.R * shape.A0;
      if (shape.reversed) {
        out.R.noalias() = B * (E.transpose() * shape.A1);
        B = -B;
      } else {
        B = B * E;
        out.R.noalias() = B * shape.A1;
      }
    }
    out.r = axis.p + out.R * shape.center;
    if (link.mass > 0) work.inertias[i] = turned(out.R, shape.inertia);
  }
  for (const Rider& rider : riders_) {
    const SpatialFrame<double>& on = frames[rider.slot];
    frames[rider.body] = {on.r + on.R * rider.at.at, on.R * rider.at.axes};
  }
}

void SpatialTree::move(const double* v,
                       const SpatialFrame<double>* frames,
                       Twist* twists,
                       TreeWork& work) const {
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    const Twist &in = twists[link.parent_slot], &in_bias = work.biases[size_t(link.parent_slot)];
    const Vec3 arm = p - frames[link.parent_slot].r, swing = in.omega.cross(arm);
    Vec3 velocity = in.r + swing, omega = in.omega;
    Vec3 acceleration = in_bias.r + in_bias.omega.cross(arm) + in.omega.cross(swing), alpha = in_bias.omega;
    if (link.kind == Kind::turn) {
      const Vec3 w = v[link.v] * u;
      omega += w;
      alpha += in.omega.cross(w);
    } else if (link.kind == Kind::ball) {
      const Vec3 w = work.balls[size_t(link.ball)] * Eigen::Map<const Vec3>(v + link.v);
      omega += w;
      alpha += in.omega.cross(w);
    } else {
      const Vec3 w = v[link.v] * u, turning = in.omega.cross(w);
      const double advance = link.kind == Kind::slide ? 1 : link.pitch;
      velocity += advance * w;
      acceleration += (2 * advance) * turning;
      if (link.kind == Kind::screw) {
        omega += w;
        alpha += turning;
      }
    }
    const Vec3 c = frames[link.slot].r - p, whirl = omega.cross(c);
    twists[link.slot] = {velocity + whirl, omega};
    work.biases[size_t(link.slot)] = {acceleration + alpha.cross(c) + omega.cross(whirl), alpha};
  }
  for (const Rider& rider : riders_) {
    const Twist &on = twists[rider.slot], &bias = work.biases[size_t(rider.slot)];
    const Vec3 arm = frames[rider.body].r - frames[rider.slot].r, swing = on.omega.cross(arm);
    twists[rider.body] = {on.r + swing, on.omega};
    work.biases[size_t(rider.body)] = {bias.r + bias.omega.cross(arm) + on.omega.cross(swing), bias.omega};
  }
}

void SpatialTree::transform(const double* z,
                            const SpatialFrame<double>* frames,
                            const TreeWork& work,
                            Twist* out) const {
  out[ground_] = {};
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    const Twist& in = out[link.parent_slot];
    Vec3 velocity = in.r + in.omega.cross(p - frames[link.parent_slot].r), omega = in.omega;
    if (link.kind == Kind::ball)
      omega += work.balls[size_t(link.ball)] * Eigen::Map<const Vec3>(z + link.v);
    else if (link.kind != Kind::slide)
      omega += z[link.v] * u;
    if (link.kind == Kind::slide || link.kind == Kind::screw)
      velocity += (link.kind == Kind::slide ? z[link.v] : link.pitch * z[link.v]) * u;
    out[link.slot] = {velocity + omega.cross(frames[link.slot].r - p), omega};
  }
  for (const Rider& rider : riders_) {
    const Twist& on = out[rider.slot];
    out[rider.body] = {on.r + on.omega.cross(frames[rider.body].r - frames[rider.slot].r), on.omega};
  }
}

// f ← Rᵀ wrenches, where `own(i, link, force, moment)` adds what a link brings itself.
template <class Own>
void SpatialTree::sweep_inboard(const SpatialFrame<double>* frames,
                                const TreeWork& work,
                                Wrench* wrenches,
                                double* f,
                                const Own& own) const {
  for (const Rider& rider : riders_) {
    const Wrench& on = wrenches[rider.body];
    wrenches[rider.slot].force += on.force;
    wrenches[rider.slot].moment += on.moment + (frames[rider.body].r - frames[rider.slot].r).cross(on.force);
  }
  for (size_t i = links_.size() - 1; i > 0; --i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    Vec3 force = wrenches[link.slot].force, moment = wrenches[link.slot].moment;
    own(i, link, force, moment);
    const Vec3& r = frames[link.slot].r;
    const Vec3 at_axis = moment + (r - p).cross(force);
    switch (link.kind) {  // (4)
      case Kind::turn:
        f[link.v] = u.dot(at_axis);
        break;
      case Kind::slide:
        f[link.v] = u.dot(force);
        break;
      case Kind::screw:
        f[link.v] = u.dot(at_axis) + link.pitch * u.dot(force);
        break;
      case Kind::ball:
        Eigen::Map<Vec3>{f + link.v} = work.balls[size_t(link.ball)].transpose() * at_axis;
        break;
    }
    Wrench& in = wrenches[link.parent_slot];
    in.force += force;
    in.moment += moment + (r - frames[link.parent_slot].r).cross(force);
  }
}

void SpatialTree::project(const SpatialFrame<double>* frames,
                          const Twist* twists,
                          const TreeWork& work,
                          Wrench* wrenches,
                          double* f) const {
  for (int slot = ground_; slot < slots_; ++slot) wrenches[slot] = {};
  sweep_inboard(frames, work, wrenches, f, [&](size_t i, const Link& link, Vec3& force, Vec3& moment) {
    if (!(link.mass > 0)) return;
    const Twist& bias = work.biases[size_t(link.slot)];
    const Vec3& omega = twists[link.slot].omega;
    const Sym3& I = work.inertias[i];
    force -= link.mass * bias.r;
    moment -= I * bias.omega + omega.cross(I * omega);
  });
}

void SpatialTree::gather(const SpatialFrame<double>* frames,
                         const TreeWork& work,
                         Wrench* wrenches,
                         double* f) const {
  sweep_inboard(frames, work, wrenches, f, [](size_t, const Link&, Vec3&, Vec3&) {});
}

void SpatialTree::momenta(const Twist* twists, const TreeWork& work, Wrench* wrenches) const {
  for (int slot = 0; slot < slots_; ++slot) wrenches[slot] = {};
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.mass > 0)
      wrenches[link.slot] = {link.mass * twists[link.slot].r, work.inertias[i] * twists[link.slot].omega};
  }
}

double SpatialTree::kinetic_energy(const Twist* twists, const TreeWork& work) const {
  double twice = 0;
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (!(link.mass > 0)) continue;
    const Twist& twist = twists[link.slot];
    twice += link.mass * twist.r.squaredNorm() + twist.omega.dot(work.inertias[i] * twist.omega);
  }
  return 0.5 * twice;
}

// ---- quaternions ----------------------------------------------------------------------------------------------------

namespace {

// Applies `copy(q, v, count)` to runs of plain coordinates and `turn(q, v)` to the balls between them.
template <class Copy, class Turn>
void for_runs(const SpatialTree& tree, const Copy& copy, const Turn& turn) {
  int q = 0, v = 0;
  for (const int i : tree.balls()) {
    const SpatialTree::Link& ball = tree.link(i);
    copy(q, v, ball.v - v);
    turn(ball.q, ball.v);
    q = ball.q + 4;
    v = ball.v + 3;
  }
  copy(q, v, tree.nv() - v);
}

}  // namespace

void SpatialTree::rates(const double* q, const double* v, double* qdot) const {
  for_runs(
      *this, [&](int at, int from, int count) { copy_values(v + from, count, qdot + at); },
      [&](int at, int from) {
        const Quat e = Eigen::Map<const Quat>(q + at);
        Eigen::Map<Quat>{qdot + at} =
            0.5 * body_rate_matrix(e).transpose() * Eigen::Map<const Vec3>(v + from);
      });
}

void SpatialTree::retract(double* q, const double* delta) const {
  for_runs(
      *this,
      [&](int at, int from, int count) {
        Eigen::Map<Vec>(q + at, count) += Eigen::Map<const Vec>(delta + from, count);
      },
      [&](int at, int from) {
        const Quat e = Eigen::Map<const Quat>(q + at);
        const Vec3 turn = Eigen::Map<const Vec3>(delta + from);
        Eigen::Map<Quat>{q + at} = quaternion_product(e, quaternion_of_turn(turn)).normalized();
      });
}

void SpatialTree::difference(const double* from, const double* to, double* delta) const {
  for_runs(
      *this,
      [&](int at, int into, int count) {
        Eigen::Map<Vec>(delta + into, count) =
            Eigen::Map<const Vec>(to + at, count) - Eigen::Map<const Vec>(from + at, count);
      },
      [&](int at, int into) {
        Eigen::Map<Vec3>{delta + into} =
            turn_between(Eigen::Map<const Quat>(from + at), Eigen::Map<const Quat>(to + at));
      });
}

void SpatialTree::normalize(double* q) const {
  for (const int i : balls_) Eigen::Map<Quat>(q + link(i).q).normalize();
}

}  // namespace driftless
