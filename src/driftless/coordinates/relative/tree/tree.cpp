#include "driftless/coordinates/relative/tree/tree.hpp"

#include <cmath>

#include "driftless/constraints/plane_attitude.hpp"

namespace driftless {

using namespace sweeps;

template <int D>
TreeWork<D> Tree<D>::make_work() const {
  Work work;
  work.axes.resize(links_.size());
  for (const auto& shape : shapes_) work.inertias.push_back(shape.inertia);
  work.balls.resize(balls_.size(), Mat3::Identity());
  work.biases.resize(size_t(slots_));
  return work;
}

namespace {

// (1): attitude of a link that turns, and of a ball.
void turn_link(const LinkShape<3>& shape,
               const TreeLink&,
               double angle,
               const SpatialFrame<double>& in,
               SpatialFrame<double>& out) {
  double s, c;
  sine_cosine(angle, s, c);
  const Mat3 turn = shape.A0 + c * shape.A1 + s * shape.A2;
  out.R.noalias() = in.R * turn;
}

void turn_link(const LinkShape<2>& shape,
               const TreeLink& link,
               double angle,
               const FrameOf<double, 2>& in,
               FrameOf<double, 2>& out) {
  set_attitude(in.theta + link.sign * angle + shape.A0.angle, out);
}

void turn_ball(const LinkShape<3>& shape,
               const double* e,
               const SpatialFrame<double>& in,
               SpatialFrame<double>& out,
               Mat3& B) {
  const Mat3 E = rotation_matrix<double>(Eigen::Map<const Quat>(e));
  B.noalias() = in.R * shape.A0;
  if (shape.reversed) {
    out.R.noalias() = B * (E.transpose() * shape.A1);
    B = -B;
  } else {
    B = B * E;
    out.R.noalias() = B * shape.A1;
  }
}

}  // namespace

template <int D>
void Tree<D>::place(const double* q, Frame* frames, Work& work) const {
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const LinkShape<D>& shape = shapes_[i];
    const Frame& in = frames[link.parent_slot];
    Frame& out = frames[link.slot];
    auto& [p, u] = work.axes[i];
    put_point(in, shape.origin, p);
    if (D == 3 || link.kind == Kind::slide) u = turned(in, shape.axis);
    switch (link.kind) {
      case Kind::turn:
        turn_link(shape, link, q[link.q], in, out);
        break;
      case Kind::slide:
        turn_on(in, shape.A0, out);
        p += q[link.q] * u;
        break;
      case Kind::screw:
        turn_link(shape, link, q[link.q], in, out);
        p += (link.pitch * q[link.q]) * u;
        break;
      case Kind::ball:
        if constexpr (D == 3) turn_ball(shape, q + link.q, in, out, work.balls[size_t(link.ball)]);
        break;
    }
    set_center_from(p, shape.center, out);
    if constexpr (D == 3)
      if (link.mass > 0) work.inertias[i] = turned(out.R, shape.inertia);
  }
  for (const Rider& rider : riders_) {
    const Frame& on = frames[rider.slot];
    put_point(on, rider.at.at, frames[rider.body].r);
    turn_on(on, rider.at.axes, frames[rider.body]);
  }
}

template <int D>
void Tree<D>::move(const double* v, const Frame* frames, Twist* twists, Work& work) const {
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    const Twist &in = twists[link.parent_slot], &in_bias = work.biases[size_t(link.parent_slot)];
    const Vector arm = p - center(frames[link.parent_slot]), swing = cross(in.omega, arm);
    Vector rate = velocity(in) + swing, acceleration = velocity(in_bias) + cross(in.omega, swing);
    Angular omega = in.omega, alpha = in_bias.omega;
    if constexpr (D == 3) acceleration += in_bias.omega.cross(arm);
    if (link.kind != Kind::slide) {
      Angular w;
      if constexpr (D == 3) {
        w = link.kind == Kind::ball ? Vec3(work.balls[size_t(link.ball)] * Eigen::Map<const Vec3>(v + link.v))
                                    : Vec3(v[link.v] * u);
        alpha += in.omega.cross(w);
      } else {
        w = v[link.v] * link.sign;
      }
      omega += w;
    }
    if (link.kind == Kind::slide || (D == 3 && link.kind == Kind::screw)) {
      const Vector w = (link.kind == Kind::slide ? v[link.v] : link.pitch * v[link.v]) * u;
      rate += w;
      acceleration += 2 * cross(in.omega, w);
    }
    const Vector c = center(frames[link.slot]) - p, whirl = cross(omega, c);
    acceleration += cross(omega, whirl);
    if constexpr (D == 3) acceleration += alpha.cross(c);
    twists[link.slot] = make_twist(rate + whirl, omega);
    work.biases[size_t(link.slot)] = make_twist(acceleration, alpha);
  }
  for (const Rider& rider : riders_) {
    const Twist &on = twists[rider.slot], &bias = work.biases[size_t(rider.slot)];
    const Vector arm = center(frames[rider.body]) - center(frames[rider.slot]), swing = cross(on.omega, arm);
    twists[rider.body] = make_twist(velocity(on) + swing, on.omega);
    const Vector acceleration = velocity(bias) + cross(bias.omega, arm) + cross(on.omega, swing);
    work.biases[size_t(rider.body)] = make_twist(acceleration, bias.omega);
  }
}

template <int D>
void Tree<D>::transform(const double* z, const Frame* frames, const Work& work, Twist* out) const {
  out[ground_] = {};
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    const Twist& in = out[link.parent_slot];
    Vector rate = velocity(in) + cross(in.omega, Vector(p - center(frames[link.parent_slot])));
    Angular omega = in.omega;
    if (link.kind == Kind::ball) {
      if constexpr (D == 3) omega += work.balls[size_t(link.ball)] * Eigen::Map<const Vec3>(z + link.v);
    } else if (link.kind != Kind::slide) {
      omega += z[link.v] * turning(link, u);
    }
    if (link.kind == Kind::slide || link.kind == Kind::screw)
      rate += (link.kind == Kind::slide ? z[link.v] : link.pitch * z[link.v]) * u;
    rate += cross(omega, Vector(center(frames[link.slot]) - p));
    out[link.slot] = make_twist(rate, omega);
  }
  for (const Rider& rider : riders_) {
    const Twist& on = out[rider.slot];
    const Vector arm = center(frames[rider.body]) - center(frames[rider.slot]);
    out[rider.body] = make_twist(velocity(on) + cross(on.omega, arm), on.omega);
  }
}

// f ← Rᵀ wrenches, where `own(i, link, F, T)` adds what a link brings itself.
template <int D>
template <class Own>
void Tree<D>::sweep_inboard(
    const Frame* frames, const Work& work, Wrench* wrenches, double* f, const Own& own) const {
  for (const Rider& rider : riders_) {
    const Wrench& on = wrenches[rider.body];
    const Vector arm = center(frames[rider.body]) - center(frames[rider.slot]);
    add_to(wrenches[rider.slot], force(on), moment(on) + cross(arm, Vector(force(on))));
  }
  for (size_t i = links_.size() - 1; i > 0; --i) {
    const Link& link = links_[i];
    const auto& [p, u] = work.axes[i];
    Vector F = force(wrenches[link.slot]);
    Angular T = moment(wrenches[link.slot]);
    own(i, link, F, T);
    const Vector r = center(frames[link.slot]), arm = r - p;
    switch (link.kind) {  // (4)
      case Kind::turn:
        f[link.v] = dot(turning(link, u), Angular(T + cross(arm, F)));
        break;
      case Kind::slide:
        f[link.v] = u.dot(F);
        break;
      case Kind::screw:
        f[link.v] = dot(turning(link, u), Angular(T + cross(arm, F))) + link.pitch * u.dot(F);
        break;
      case Kind::ball:
        if constexpr (D == 3)
          Eigen::Map<Vec3>{f + link.v} = work.balls[size_t(link.ball)].transpose() * (T + cross(arm, F));
        break;
    }
    const Vector shift = r - center(frames[link.parent_slot]);
    add_to(wrenches[link.parent_slot], F, T + cross(shift, F));
  }
}

template <int D>
void Tree<D>::project(
    const Frame* frames, const Twist* twists, const Work& work, Wrench* wrenches, double* f) const {
  for (int slot = ground_; slot < slots_; ++slot) wrenches[slot] = {};
  sweep_inboard(frames, work, wrenches, f, [&](size_t i, const Link& link, Vector& F, Angular& T) {
    if (!(link.mass > 0)) return;
    const Twist& bias = work.biases[size_t(link.slot)];
    F -= link.mass * velocity(bias);
    if constexpr (D == 3) {
      const Vec3& omega = twists[link.slot].omega;
      const Sym3& I = work.inertias[i];
      T -= I * bias.omega + omega.cross(I * omega);
    }
  });
}

template <int D>
void Tree<D>::gather(const Frame* frames, const Work& work, Wrench* wrenches, double* f) const {
  sweep_inboard(frames, work, wrenches, f, [](size_t, const Link&, Vector&, Angular&) {});
}

template <int D>
void Tree<D>::momenta(const Twist* twists, const Work& work, Wrench* wrenches) const {
  for (int slot = 0; slot < slots_; ++slot) wrenches[slot] = {};
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const Twist& twist = twists[link.slot];
    if (link.mass > 0)
      wrenches[link.slot] = make_wrench(link.mass * velocity(twist), work.inertias[i] * twist.omega);
  }
}

template <int D>
double Tree<D>::kinetic_energy(const Twist* twists, const Work& work) const {
  double twice = 0;
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (!(link.mass > 0)) continue;
    const Twist& twist = twists[link.slot];
    twice += link.mass * Vector(velocity(twist)).squaredNorm() +
             dot(twist.omega, Angular(work.inertias[i] * twist.omega));
  }
  return 0.5 * twice;
}

// ---- quaternions ----------------------------------------------------------------------------------------------------

namespace {

// Applies `copy(q, v, count)` to runs of plain coordinates and `turn(q, v)` to the balls between them.
template <int D, class Copy, class Turn>
void for_runs(const Tree<D>& tree, const Copy& copy, const Turn& turn) {
  int q = 0, v = 0;
  for (const int i : tree.balls()) {
    const TreeLink& ball = tree.link(i);
    copy(q, v, ball.v - v);
    turn(ball.q, ball.v);
    q = ball.q + 4;
    v = ball.v + 3;
  }
  copy(q, v, tree.nv() - v);
}

}  // namespace

template <int D>
void Tree<D>::rates(const double* q, const double* v, double* qdot) const {
  for_runs(
      *this, [&](int at, int from, int count) { copy_values(v + from, count, qdot + at); },
      [&](int at, int from) {
        const Quat e = Eigen::Map<const Quat>(q + at);
        Eigen::Map<Quat>{qdot + at} =
            0.5 * body_rate_matrix(e).transpose() * Eigen::Map<const Vec3>(v + from);
      });
}

template <int D>
void Tree<D>::retract(double* q, const double* delta) const {
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

template <int D>
void Tree<D>::difference(const double* from, const double* to, double* delta) const {
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

template <int D>
void Tree<D>::normalize(double* q) const {
  for (const int i : balls_) Eigen::Map<Quat>(q + link(i).q).normalize();
}

template class Tree<2>;
template class Tree<3>;

}  // namespace driftless
