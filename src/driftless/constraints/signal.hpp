// Signals: numbers that laws of forces read while a run goes on. Outputs that follow from places and velocities (an angle, with
// its turns counted, the speed of a point, the force of a spring), and inputs. They are evaluated from a view of the bodies, on
// plain numbers and on the jets tangents are taken with, so that feedback is differentiated like any other force.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driftless/constraints/frame.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/math/jet.hpp"

namespace driftless {

template <class S, int D>
class SignalOn {
 public:
  virtual ~SignalOn() = default;
  virtual S value(const ViewOf<S, D>& view) const = 0;
};

// The scalars that views come in: numbers, and jets along the velocities of one body (element_jets.hpp).
template <int D>
class SignalOnAll;
template <>
class SignalOnAll<2> : public SignalOn<double, 2>, public SignalOn<Dual<double, 3>, 2> {
 public:
  using SignalOn<double, 2>::value;
  using SignalOn<Dual<double, 3>, 2>::value;
};
template <>
class SignalOnAll<3>
    : public SignalOn<double, 3>, public SignalOn<Dual<double, 6>, 3>, public SignalOn<Dual<double, 7>, 3> {
 public:
  using SignalOn<double, 3>::value;
  using SignalOn<Dual<double, 6>, 3>::value;
  using SignalOn<Dual<double, 7>, 3>::value;
};

template <int D>
class Signal : public SignalOnAll<D> {
 public:
  using Visit = std::function<void(int)>;

  // Along the motion; NaN where that is not known (velocities: accelerations follow from forces).
  virtual double rate(const ViewOf<double, D>&) const { return std::numeric_limits<double>::quiet_NaN(); }
  // Bodies and scalars it is read off.
  virtual void slots(const Visit& /*body*/, const Visit& /*scalar*/) const {}
  // Functions of time in it, whose jumps an integrator must know.
  virtual void functions(const std::function<void(const TimeFunction&)>&) const {}
};
template <int D>
using SignalPtr = std::shared_ptr<const Signal<D>>;

// A signal from a class with `template <class S> S at(const ViewOf<S, D>&) const`.
template <class Own, int D>
class SignalFrom;
template <class Own>
class SignalFrom<Own, 2> : public Signal<2> {
 public:
  double value(const ViewOf<double, 2>& view) const final { return own().at(view); }
  Dual<double, 3> value(const ViewOf<Dual<double, 3>, 2>& view) const final { return own().at(view); }

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
};
template <class Own>
class SignalFrom<Own, 3> : public Signal<3> {
 public:
  double value(const ViewOf<double, 3>& view) const final { return own().at(view); }
  Dual<double, 6> value(const ViewOf<Dual<double, 6>, 3>& view) const final { return own().at(view); }
  Dual<double, 7> value(const ViewOf<Dual<double, 7>, 3>& view) const final { return own().at(view); }

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
};

// An expression with the signals it reads: `names` are those of its argument t, of variables that its owner gives (x and v of a
// spring), and of the signals, in this order.
template <int D>
struct LawText {
  std::string text;
  std::vector<std::string> names;
  std::vector<SignalPtr<D>> signals;
};

// Who knows the signals of a model: outputs/signals.hpp. `own`: the names a law has besides, t first.
template <int D>
class SignalSource {
 public:
  virtual ~SignalSource() = default;
  virtual LawText<D> law(const std::string& text, const std::vector<std::string>& own) = 0;
};

}  // namespace driftless
