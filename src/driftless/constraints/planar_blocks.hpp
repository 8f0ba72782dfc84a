// The few equation blocks planar joints and drivers are made of. A block never sees q: it sees frames of bodies, and
// answers with its residual, its gradient per body (∂g/∂x, ∂g/∂y, ∂g/∂θ), ν = −∂g/∂t and γ in closed form. `value` is
// templated on the scalar; tests pin the closed forms to jets of it. `functions` shows the functions of time a block
// follows. All rows are lengths.
//   d = p_b − p_a,  a⊥ as in planar_frame.hpp,  biases b = −ω² a
// `gamma` asks its view for the biases of points; coordinate sets whose bodies accelerate at v̇ = 0 have a view that adds
// it. `sees` and `objective` tell which coordinates a row cannot depend on: no row changes when all its bodies are
// shifted together, and an objective one not either when they turn together.
#pragma once

#include <array>

#include "driftless/constraints/planar_frame.hpp"
#include "driftless/constraints/plane_curve.hpp"

namespace driftless {

using Gradient = std::array<double, 3>;  // (∂/∂x, ∂/∂y, ∂/∂θ) of one body

// How the rows of a block depend on one of its bodies.
enum class Sees { nothing, angle, pose };

// What a block may look at: frames, velocities (γ only) and time.
struct PlanarView {
  const PlanarFrame<double>* frames;
  const PlanarVelocity* velocities;
  double t;

  Planar<double> arm(const PointOn& p) const { return frames[p.body].turn(p.at); }
  Planar<double> place(const PointOn& p) const { return frames[p.body].point(p.at); }
  Planar<double> velocity(const PointOn& p) const {
    const PlanarVelocity& v = velocities[p.body];
    return v.r + arm(p).perp() * v.omega;
  }
  Planar<double> bias(const PointOn& p) const {
    const double omega = velocities[p.body].omega;
    return arm(p) * (-omega * omega);
  }
};

// Two points coincide: g = p_b − p_a.                                                                              (1)
struct Coincident {
  static constexpr int rows = 2, bodies = 2;
  PointOn a, b;

  std::array<int, bodies> body() const { return {a.body, b.body}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return false; }  // components along the axes of the world
  template <class Visit>
  void functions(Visit&&) const {}
  template <class S>
  void value(const PlanarFrame<S>* frames, const S&, S* g) const {
    const Planar<S> d = frames[b.body].point(b.at) - frames[a.body].point(a.at);
    g[0] = d.x;
    g[1] = d.y;
  }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    const auto arm_a = view.arm(a), arm_b = view.arm(b);
    grad[0][0] = {-1, 0, arm_a.y};
    grad[0][1] = {1, 0, -arm_b.y};
    grad[1][0] = {0, -1, -arm_a.x};
    grad[1][1] = {0, 1, arm_b.x};
  }
  void nu(const PlanarView&, double* out) const { out[0] = out[1] = 0; }
  template <class View>
  void gamma(const View& view, double* out) const {
    const auto d = view.bias(a) - view.bias(b);
    out[0] = d.x;
    out[1] = d.y;
  }
};

// A point of b stands at f(t) along a unit direction u fixed in a: g = u·(p_b − p_a) − f.                          (2)
// With u the normal of a line and f = 0 it is a pin in a slot, with u the axis a displacement driver.
struct Along {
  static constexpr int rows = 1, bodies = 2;
  PointOn a, b;
  Vec2 u_body = Vec2::UnitX();
  TimeFunction f;

  std::array<int, bodies> body() const { return {a.body, b.body}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return true; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(f);
  }
  template <class S>
  void value(const PlanarFrame<S>* frames, const S& t, S* g) const {
    const Planar<S> d = frames[b.body].point(b.at) - frames[a.body].point(a.at);
    g[0] = frames[a.body].turn(u_body).dot(d) - value_at(f, t);
  }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    const auto u = view.frames[a.body].turn(u_body);
    const auto d = view.place(b) - view.place(a);
    grad[0][0] = {-u.x, -u.y, u.perp().dot(d) - u.dot(view.arm(a).perp())};
    grad[0][1] = {u.x, u.y, u.dot(view.arm(b).perp())};
  }
  void nu(const PlanarView& view, double* out) const { out[0] = f.at(view.t).rate; }
  // γ = f̈ − u·(b_b − b_a) − 2 ω_a u⊥·ḋ + ω_a² u·d
  template <class View>
  void gamma(const View& view, double* out) const {
    const auto u = view.frames[a.body].turn(u_body);
    const auto d = view.place(b) - view.place(a);
    const auto d_dot = view.velocity(b) - view.velocity(a);
    const double omega = view.velocities[a.body].omega;
    out[0] = f.at(view.t).acceleration - u.dot(view.bias(b) - view.bias(a)) -
             2 * omega * u.perp().dot(d_dot) + omega * omega * u.dot(d);
  }
};

// Two points keep their distance: g = (|d|² − l²) / (2 l).                                                         (3)
// Not |d| − l: smooth everywhere, and divided by 2 l it is a length to first order.
struct Distance {
  static constexpr int rows = 1, bodies = 2;
  PointOn a, b;
  double length = 1;

  std::array<int, bodies> body() const { return {a.body, b.body}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return true; }
  template <class Visit>
  void functions(Visit&&) const {}
  template <class S>
  void value(const PlanarFrame<S>* frames, const S&, S* g) const {
    const Planar<S> d = frames[b.body].point(b.at) - frames[a.body].point(a.at);
    g[0] = (d.dot(d) - length * length) / (2 * length);
  }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    const auto w = (view.place(b) - view.place(a)) * (1 / length);
    grad[0][0] = {-w.x, -w.y, -w.dot(view.arm(a).perp())};
    grad[0][1] = {w.x, w.y, w.dot(view.arm(b).perp())};
  }
  void nu(const PlanarView&, double* out) const { out[0] = 0; }
  // γ = −(ḋ·ḋ + d·(b_b − b_a)) / l
  template <class View>
  void gamma(const View& view, double* out) const {
    const auto d = view.place(b) - view.place(a);
    const auto d_dot = view.velocity(b) - view.velocity(a);
    out[0] = -(d_dot.dot(d_dot) + d.dot(view.bias(b) - view.bias(a))) / length;
  }
};

// A sum of angles follows f(t): g = Σ cᵢ θᵢ − s f, cᵢ and s lengths.                                               (4)
// Relative angle: c = (−s, s, 0), s the characteristic length; gear pair: the radii, with the carrier as third body.
struct AngleSum {
  static constexpr int rows = 1, bodies = 3;
  std::array<int, bodies> index{};
  std::array<double, bodies> c{};
  double s = 1;
  TimeFunction f;

  std::array<int, bodies> body() const { return index; }
  std::array<Sees, bodies> sees() const {
    const auto one = [](double factor) { return factor == 0 ? Sees::nothing : Sees::angle; };
    return {one(c[0]), one(c[1]), one(c[2])};
  }
  bool objective() const { return c[0] + c[1] + c[2] == 0; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(f);
  }
  template <class S>
  void value(const PlanarFrame<S>* frames, const S& t, S* g) const {
    g[0] = frames[index[0]].theta * c[0] + frames[index[1]].theta * c[1] + frames[index[2]].theta * c[2] -
           value_at(f, t) * s;
  }
  void gradient(const PlanarView&, Gradient (*grad)[bodies]) const {
    for (size_t k = 0; k < bodies; ++k) grad[0][k] = {0, 0, c[k]};
  }
  void nu(const PlanarView& view, double* out) const { out[0] = s * f.at(view.t).rate; }
  template <class View>
  void gamma(const View& view, double* out) const {
    out[0] = s * f.at(view.t).acceleration;
  }
};

// A rack b moves along a direction of the carrier a as the pinion turns: g = u·(p_b − p_a) − f − ρ (θ_p − θ_a).     (5)
struct Rack {
  static constexpr int rows = 1, bodies = 3;
  Along along;  // carrier, rack, offset
  int pinion = 0;
  double radius = 1;

  std::array<int, bodies> body() const { return {along.a.body, along.b.body, pinion}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose, Sees::angle}; }
  bool objective() const { return true; }
  template <class Visit>
  void functions(Visit&& visit) const {
    along.functions(visit);
  }
  template <class S>
  void value(const PlanarFrame<S>* frames, const S& t, S* g) const {
    along.value(frames, t, g);
    g[0] = g[0] - (frames[pinion].theta - frames[along.a.body].theta) * radius;
  }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    Gradient two[1][Along::bodies];
    along.gradient(view, two);
    grad[0][0] = two[0][0];
    grad[0][0][2] += radius;
    grad[0][1] = two[0][1];
    grad[0][2] = {0, 0, -radius};
  }
  void nu(const PlanarView& view, double* out) const { along.nu(view, out); }
  template <class View>
  void gamma(const View& view, double* out) const {
    along.gamma(view, out);
  }
};

// A point of b follows a path in the frame of a: g = p_b − (r_a + R_a w(t)), w = at_a + ξ(t).                       (6)
struct Path {
  static constexpr int rows = 2, bodies = 2;
  PointOn a, b;
  TimeFunction x, y;

  std::array<int, bodies> body() const { return {a.body, b.body}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return false; }
  template <class Visit>
  void functions(Visit&& visit) const {
    visit(x);
    visit(y);
  }
  template <class S>
  void value(const PlanarFrame<S>* frames, const S& t, S* g) const {
    const PlanarFrame<S>& A = frames[a.body];
    const S wx = value_at(x, t) + a.at.x(), wy = value_at(y, t) + a.at.y();
    const Planar<S> target{A.r.x + A.c * wx - A.s * wy, A.r.y + A.s * wx + A.c * wy};
    const Planar<S> d = frames[b.body].point(b.at) - target;
    g[0] = d.x;
    g[1] = d.y;
  }
  PointOn moving(double t) const { return {a.body, a.at + Vec2(x(t), y(t))}; }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    Coincident{moving(view.t), b}.gradient(view, grad);
  }
  void nu(const PlanarView& view, double* out) const {
    const auto rate = view.frames[a.body].turn({x.at(view.t).rate, y.at(view.t).rate});
    out[0] = rate.x;
    out[1] = rate.y;
  }
  // γ = b_a(w) − b_b + 2 ω_a (R_a ẇ)⊥ + R_a ẅ
  template <class View>
  void gamma(const View& view, double* out) const {
    const Derivatives dx = x.at(view.t), dy = y.at(view.t);
    const auto& A = view.frames[a.body];
    const auto coriolis = A.turn({dx.rate, dy.rate}).perp() * (2 * view.velocities[a.body].omega);
    const auto sum =
        view.bias(moving(view.t)) - view.bias(b) + coriolis + A.turn({dx.acceleration, dy.acceleration});
    out[0] = sum.x;
    out[1] = sum.y;
  }
};

// A point of b stays on a curve of a: g = signed distance of w = R_aᵀ (p_b − p_a) from it, plane_curve.hpp (2).     (7)
struct OnCurve {
  static constexpr int rows = 1, bodies = 2;
  PointOn a, b;
  PlaneCurve curve;

  std::array<int, bodies> body() const { return {a.body, b.body}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return true; }
  template <class Visit>
  void functions(Visit&&) const {}
  // Jets follow the second-order expansion of the distance at the foot.
  template <class S>
  void value(const PlanarFrame<S>* frames, const S&, S* g) const {
    const PlanarFrame<S>& A = frames[a.body];
    const Planar<S> d = frames[b.body].point(b.at) - A.point(a.at);
    const Planar<S> w{A.c * d.x + A.s * d.y, A.c * d.y - A.s * d.x};
    const Vec2 here(value_of(w.x), value_of(w.y));
    const PlaneCurve::Foot foot = curve.foot(here);
    const S dx = w.x - here.x(), dy = w.y - here.y();
    const S along = dx * foot.tangent.x() + dy * foot.tangent.y();
    g[0] = dx * foot.normal.x() + dy * foot.normal.y() + along * along * (foot.bend / 2) + foot.distance;
  }
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    const auto d = view.place(b) - view.place(a);
    const auto n = view.frames[a.body].turn(foot(view, d).normal);
    grad[0][0] = {-n.x, -n.y, -n.dot(view.arm(a).perp()) - n.dot(d.perp())};
    grad[0][1] = {n.x, n.y, n.dot(view.arm(b).perp())};
  }
  void nu(const PlanarView&, double* out) const { out[0] = 0; }
  // γ = −n·(b_b − b_a − 2 ω_a ḋ⊥ − ω_a² d) − bend (t·(ḋ − ω_a d⊥))²
  template <class View>
  void gamma(const View& view, double* out) const {
    const auto d = view.place(b) - view.place(a);
    const auto d_dot = view.velocity(b) - view.velocity(a);
    const double omega = view.velocities[a.body].omega;
    const PlaneCurve::Foot at = foot(view, d);
    const auto n = view.frames[a.body].turn(at.normal), t = view.frames[a.body].turn(at.tangent);
    const double slide = t.dot(d_dot - d.perp() * omega);
    out[0] = -n.dot(view.bias(b) - view.bias(a) - d_dot.perp() * (2 * omega) - d * (omega * omega)) -
             at.bend * slide * slide;
  }

 private:
  PlaneCurve::Foot foot(const PlanarView& view, const Planar<double>& d) const {
    const auto& A = view.frames[a.body];
    return curve.foot({A.c * d.x + A.s * d.y, A.c * d.y - A.s * d.x});
  }
};

// A point does not move across a direction of its body: u·ṗ = 0, nonholonomic. The second body is the ground.        (8)
struct Skate {
  static constexpr int rows = 1, bodies = 2;
  PointOn p;
  Vec2 u_body = Vec2::UnitY();
  int ground = 0;

  std::array<int, bodies> body() const { return {p.body, ground}; }
  std::array<Sees, bodies> sees() const { return {Sees::pose, Sees::pose}; }
  bool objective() const { return false; }
  template <class Visit>
  void functions(Visit&&) const {}
  void gradient(const PlanarView& view, Gradient (*grad)[bodies]) const {
    const auto u = view.frames[p.body].turn(u_body);
    grad[0][0] = {u.x, u.y, u.dot(view.arm(p).perp())};
    grad[0][1] = {0, 0, 0};
  }
  void nu(const PlanarView&, double* out) const { out[0] = 0; }
  template <class View>
  void gamma(const View& view, double* out) const {
    const auto u = view.frames[p.body].turn(u_body);
    out[0] = -view.velocities[p.body].omega * u.perp().dot(view.velocity(p)) - u.dot(view.bias(p));
  }
};

// Whether a block has a position: Skate alone has not.
template <class Block>
constexpr bool is_holonomic = requires(const Block& block, double* g) {
  block.value(static_cast<const PlanarFrame<double>*>(nullptr), 0.0, g);
};

}  // namespace driftless
