// Switching of systems compiled from a model, the same for every coordinate set: what switches are parts of the model, seen
// through frames and twists of the bodies. A system derives from SwitchesOf<itself, D> and offers
//   parts()                       Parts<D>
//   watch(t, q, v, terms)         places and velocities of the bodies: WorkOf<D>&, in the scratch space of the terms
//   copy_in(mode)                 a copy of itself whose terms refer to a mode
//   switched()                    SwitchedRows, those of its rows that come and go
// Switches of force elements come first, then those of rows, two roots each (roots 2k and 2k + 1 belong to switch k).
#pragma once

#include <algorithm>
#include <memory>

#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/system/switching/switched_rows.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

template <class System, int D>
class SwitchesOf : public Switching {
 public:
  const std::vector<Switch>& switches() const override { return self().parts().switches; }
  int root_count() const override { return self().parts().root_count(); }
  Mode make_mode() const override {
    Mode mode = self().parts().make_mode();
    if (!self().switched().empty()) self().switched().size_mode(mode);
    mode.held.resize(mode.held.size() + self().parts().sampled.size(), 0.0);
    return mode;
  }
  void set_inactive(Mode& mode) const override {
    if (!self().switched().empty()) self().switched().set_inactive(mode);
  }
  std::vector<int> optional_rows() const override { return self().switched().optional_rows(); }
  bool needs_reaction(const Mode& mode) const override { return self().switched().needs_reaction(mode); }
  bool is_quiet(int root) const override { return self().parts().is_quiet(root); }
  std::unique_ptr<DescriptorSystem> in_mode(const Mode& mode) const override { return self().copy_in(mode); }

  void begin_mode(const State& at, const Vec*, Terms& terms, Mode& mode) const override {
    self().parts().begin_mode(at.t, self().watch(at.t, at.q, at.v, terms), mode);
    if (!self().switched().empty()) self().switched().begin_mode(self(), at, mode);
    ++mode.count;
  }
  void roots(double t,
             ConstVec q,
             ConstVec v,
             const Reaction& reaction,
             Terms& terms,
             VecRef values,
             VecRef rates) const override {
    if (!self().switched().empty()) {
      self().position(t, q, terms);
      self().bias(t, q, v, terms);
      self().switched().read_signals(self(), t, q, v, reaction, terms);
      self().switched().roots(self(), t, q, v, *terms.mode, reaction, terms, values, rates);
    }
    self().parts().roots(t, self().watch(t, q, v, terms), values, rates);
  }
  Transition transition(std::span<const int> fired,
                        State& at,
                        const Reaction& reaction,
                        Terms& terms,
                        Mode& mode) const override {
    Transition out;
    const auto own = std::lower_bound(fired.begin(), fired.end(), 2 * self().switched().first());
    self().parts().cross(fired.first(size_t(own - fired.begin())), at.t,
                         self().watch(at.t, at.q, at.v, terms), mode, out);
    // Whatever switched, accelerations may have jumped.
    if (!self().switched().empty()) self().switched().transition(self(), fired, at, reaction, mode, out);
    ++mode.count;
    return out;
  }

 private:
  const System& self() const { return static_cast<const System&>(*this); }
};

}  // namespace driftless
