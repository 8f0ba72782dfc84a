// What signals are measured from, one class a kind. s and its rate where it is one of places.
#pragma once

#include <functional>
#include <memory>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/constraints/signal.hpp"
#include "driftless/forces/force_kinds.hpp"
#include "driftless/forces/law.hpp"
#include "driftless/joints/joint_record.hpp"

namespace driftless::signal_kinds {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A component of the place, or of the velocity, of a point.
template <int D>
class Point final : public SignalFrom<Point<D>, D> {
 public:
  Point(PointOf<D> p, int component, bool of_velocity) : p_(p), k_(component), of_velocity_(of_velocity) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return of_velocity_ ? view.velocity(p_)[k_] : view.place(p_)[k_];
  }
  double rate(const ViewOf<double, D>& view) const override {
    return of_velocity_ ? kUnknown : view.velocity(p_)[k_];
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit&) const override {
    body(p_.body);
  }

 private:
  PointOf<D> p_;
  int k_;
  bool of_velocity_;
};

// A component of the angular velocity of a body, world axes.
template <int D>
class Spin final : public SignalFrom<Spin<D>, D> {
 public:
  Spin(int body, int component) : body_(body), k_(component) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    if constexpr (D == 2)
      return view.twists[body_].omega;
    else
      return view.twists[body_].omega[k_];
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit&) const override {
    body(body_);
  }

 private:
  int body_, k_;
};

// Pitch of a body in space, (1) of outputs/body.cpp: of the three the one that needs no turns counted. Smooth up to ±π/2.
class Pitch final : public SignalFrom<Pitch, 3> {
 public:
  explicit Pitch(int body) : body_(body) {}
  template <class S>
  S at(const ViewOf<S, 3>& view) const {
    const auto& R = view.frames[body_].R;
    return atan2(S(-R(2, 0)), S(sqrt(S(R(2, 1) * R(2, 1) + R(2, 2) * R(2, 2)))));
  }
  double rate(const ViewOf<double, 3>& view) const override {  // ω along z × x of the body
    const auto& R = view.frames[body_].R;
    const auto& omega = view.twists[body_].omega;
    return (omega[1] * R(0, 0) - omega[0] * R(1, 0)) / std::hypot(R(0, 0), R(1, 0));
  }
  void slots(const Signal<3>::Visit& body, const Signal<3>::Visit&) const override { body(body_); }

 private:
  int body_;
};

// Angle between two directions in space, (1) of outputs/angle.cpp; at 0 and π, where it has a corner, jets have no derivative of it.
class Between final : public SignalFrom<Between, 3> {
 public:
  Between(DirectionOf<3> u, DirectionOf<3> w) : u_(std::move(u)), w_(std::move(w)) {}
  template <class S>
  S at(const ViewOf<S, 3>& view) const {
    const VecOf<S, 3> x = view.frames[u_.body].turn(u_.u), y = view.frames[w_.body].turn(w_.u);
    const VecOf<S, 3> across = x.cross(y);
    const S square = across.dot(across), along = x.dot(y);
    if (!(value_of(square) > 0)) return S(value_of(along) > 0 ? 0.0 : std::numbers::pi);
    return atan2(S(sqrt(square)), along);
  }
  double rate(const ViewOf<double, 3>& view) const override {
    const Vec3 across = view.frames[u_.body].turn(u_.u).cross(view.frames[w_.body].turn(w_.u));
    const double size = across.norm();
    return size > 0 ? across.dot(view.twists[w_.body].omega - view.twists[u_.body].omega) / size : kUnknown;
  }
  void slots(const Signal<3>::Visit& body, const Signal<3>::Visit&) const override {
    body(u_.body);
    body(w_.body);
  }

 private:
  DirectionOf<3> u_, w_;
};

// An angle that counts its turns, from `zero` on, or its rate.
template <int D>
class Angle final : public SignalFrom<Angle<D>, D> {
 public:
  Angle(CountedAngle<D> angle, bool of_rate, double zero = 0)
      : angle_(angle), of_rate_(of_rate), zero_(zero) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return of_rate_ ? angle_.rate(view) : angle_.value(view) + zero_;
  }
  double rate(const ViewOf<double, D>& view) const override {
    return of_rate_ ? kUnknown : angle_.rate(view);
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit& scalar) const override {
    angle_.slots(body, scalar);
  }

 private:
  CountedAngle<D> angle_;
  bool of_rate_;
  double zero_;
};

// Displacement of a joint, (2) of outputs/joint.cpp, or its rate.
template <int D>
class Displacement final : public SignalFrom<Displacement<D>, D> {
 public:
  Displacement(JointFramesOf<D> frames, bool of_rate) : frames_(std::move(frames)), of_rate_(of_rate) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return of_rate_ ? moving(view) : standing(view);
  }
  double rate(const ViewOf<double, D>& view) const override { return of_rate_ ? kUnknown : moving(view); }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit&) const override {
    body(frames_.first.origin.body);
    body(frames_.second.origin.body);
  }

 private:
  template <class S>
  S standing(const ViewOf<S, D>& view) const {
    const auto& [F, M] = frames_;
    return view.axis(F, F.kSlide).dot(view.place(M.origin) - view.place(F.origin));
  }
  template <class S>
  S moving(const ViewOf<S, D>& view) const {
    const auto& [F, M] = frames_;
    const VecOf<S, D> e = view.axis(F, F.kSlide);
    const VecOf<S, D> d = view.place(M.origin) - view.place(F.origin);
    return e.dot(view.velocity(M.origin) - view.velocity(F.origin)) +
           swing(view.twists[F.origin.body].omega, e).dot(d);
  }
  JointFramesOf<D> frames_;
  bool of_rate_;
};

// Distance of two points, or its rate.
template <int D>
class Distance final : public SignalFrom<Distance<D>, D> {
 public:
  Distance(PointOf<D> a, PointOf<D> b, bool of_rate) : a_(a), b_(b), of_rate_(of_rate) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    const VecOf<S, D> d = view.place(b_) - view.place(a_);
    const S length = sqrt(d.dot(d));
    if (!of_rate_) return length;
    return value_of(length) > 0 ? S(d.dot(view.velocity(b_) - view.velocity(a_)) / length) : S(0.0);
  }
  double rate(const ViewOf<double, D>& view) const override {
    return of_rate_ ? kUnknown : Distance(a_, b_, true).at(view);
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit&) const override {
    body(a_.body);
    body(b_.body);
  }

 private:
  PointOf<D> a_, b_;
  bool of_rate_;
};

// What a force element measures (its outputs and measure()), on jets, too.
template <class S, int D, class Kind>
S reading(const Kind& element, size_t k, const ViewOf<S, D>& view) {
  return element.measure(k, view);
}
template <class S, int D>
S reading(const Tyre<D>& tyre, size_t k, const ViewOf<S, D>& view) {
  const auto contact = tyre.contact(view);
  return k == 0 ? contact.deflection : k == 1 ? contact.rate : contact.force;
}
template <class S, int D>
S reading(const Bushing<D>& bushing, size_t k, const ViewOf<S, D>& view) {
  const auto s = bushing.strain(view);
  Eigen::Matrix<S, Bushing<D>::outputs.size(), 1> all;
  all << s.d, s.phi, s.force, s.torque;
  return all[static_cast<Eigen::Index>(k)];
}
template <class S, int D>
S reading(const Truss<D>& truss, size_t k, const ViewOf<S, D>& view) {
  const VecOf<S, D> r = view.place(truss.b) - view.place(truss.a);
  const S length = sqrt(r.dot(r)), strain = truss.template strain<S>(r);
  return k == 0 ? length : k == 1 ? strain : S(strain * length * (truss.stiffness / truss.free));
}
template <class S, int D>
S reading(const BendingSpring<D>& spring, size_t, const ViewOf<S, D>& view) {  // a corner at 0
  const VecOf<S, D> at = view.place(spring.center), r1 = view.place(spring.a) - at,
                    r2 = view.place(spring.b) - at;
  const auto across = moment_of(r1, r2);
  S square(0.0);  // |r1 × r2|²
  if constexpr (D == 2)
    square = across * across;
  else
    square = across.dot(across);
  return value_of(square) > 0 ? S(atan2(S(sqrt(square)), S(-r1.dot(r2)))) : S(0.0);
}

// What a force element says of itself; its own cases are taken as they come.
template <int D, class Kind>
class Reading final : public SignalFrom<Reading<D, Kind>, D> {
 public:
  Reading(Kind element, size_t k) : element_(std::move(element)), k_(k) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return reading<S, D>(element_, k_, view);
  }
  double rate(const ViewOf<double, D>& view) const override {
    if constexpr (Kind::outputs.size() > 1)
      if (k_ == 0 && std::string_view(Kind::outputs[1].name) == "rate")
        return reading<double, D>(element_, 1, view);
    return kUnknown;
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit& scalar) const override {
    element_.slots(body, scalar);
  }

 private:
  Kind element_;
  size_t k_;
};

// Another one in another unit.
template <int D>
class Scaled final : public SignalFrom<Scaled<D>, D> {
 public:
  Scaled(SignalPtr<D> of, double factor) : of_(std::move(of)), factor_(factor) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return factor_ * of_->value(view);
  }
  double rate(const ViewOf<double, D>& view) const override { return factor_ * of_->rate(view); }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit& scalar) const override {
    of_->slots(body, scalar);
  }

 private:
  SignalPtr<D> of_;
  double factor_;
};

// A function of time.
template <int D>
class OfTime final : public SignalFrom<OfTime<D>, D> {
 public:
  explicit OfTime(TimeFunction f) : f_(std::move(f)) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return value_at(f_, view.t);
  }
  double rate(const ViewOf<double, D>& view) const override { return f_.at(view.t).rate; }
  void functions(const std::function<void(const TimeFunction&)>& visit) const override { visit(f_); }

 private:
  TimeFunction f_;
};

// An expression in others, its cases as they come.
template <int D>
class Combined final : public SignalFrom<Combined<D>, D> {
 public:
  explicit Combined(const LawText<D>& law) : law_(law) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    return law_.value(view, static_cast<const S*>(nullptr), nullptr);
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit& scalar) const override {
    law_.slots(body, scalar);
  }

 private:
  LawOf<D> law_;
};

// What a program computes from others. On jets by differences of second order, to about 1e-10 of what it reads.
template <int D>
class Computed final : public SignalFrom<Computed<D>, D> {
 public:
  using Function = std::function<double(double t, std::span<const double> read)>;
  Computed(Function f, std::vector<SignalPtr<D>> reads) : f_(std::move(f)), reads_(std::move(reads)) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    std::array<S, kMostSignals> x;
    std::array<double, kMostSignals> at;
    const size_t n = reads_.size();
    for (size_t k = 0; k < n; ++k) {
      x[k] = reads_[k]->value(view);
      at[k] = value_of(x[k]);
    }
    const double t = value_of(view.t);
    const std::span<const double> read{at.data(), n};
    S out = S(f_(t, read));
    if constexpr (!std::is_same_v<S, double>)
      for (size_t k = 0; k < n; ++k) {
        if (is_constant(x[k])) continue;
        const double centre = at[k], h = 6e-6 * std::max(1.0, std::abs(centre));
        at[k] = centre + h;
        const double ahead = f_(t, read);
        at[k] = centre - h;
        const double behind = f_(t, read);
        at[k] = centre;
        out += (x[k] - centre) * ((ahead - behind) / (2 * h));
      }
    return out;
  }
  void slots(const typename Signal<D>::Visit& body, const typename Signal<D>::Visit& scalar) const override {
    for (const auto& read : reads_) read->slots(body, scalar);
  }

 private:
  Function f_;
  std::vector<SignalPtr<D>> reads_;
};

// An input that is held between instants: in the mode of a run the k-th number from the end of those it holds. Where there is no
// run, `source`, if there is one, else 0.
template <int D>
class Held final : public SignalFrom<Held<D>, D> {
 public:
  Held(SignalPtr<D> source, size_t from_end) : source_(std::move(source)), from_end_(from_end) {}
  template <class S>
  S at(const ViewOf<S, D>& view) const {
    if (view.mode == nullptr) return source_ ? source_->value(view) : S(0.0);
    return S(view.mode->held[view.mode->held.size() - from_end_]);
  }
  double rate(const ViewOf<double, D>&) const override { return 0; }

 private:
  SignalPtr<D> source_;
  size_t from_end_;
};

}  // namespace driftless::signal_kinds
