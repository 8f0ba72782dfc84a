// Switching of systems compiled from a model, the same for every coordinate set: what switches are parts of the model, seen
// through frames and twists of the bodies. A system derives from SwitchesOf<itself, D> and offers
//   parts()                       Parts<D>
//   watch(t, q, v, terms)         places and velocities of the bodies: WorkOf<D>&, in the scratch space of the terms
//   copy_in(mode)                 a copy of itself whose terms refer to a mode
// Switches of force elements come first, two roots each (roots 2k and 2k + 1 belong to switch k).
#pragma once

#include <memory>

#include "driftless/coordinates/parts.hpp"
#include "driftless/system/switching.hpp"

namespace driftless {

template <class System, int D>
class SwitchesOf : public Switching {
 public:
  const std::vector<Switch>& switches() const override { return self().parts().switches; }
  int root_count() const override { return self().parts().root_count(); }
  Mode make_mode() const override { return self().parts().make_mode(); }
  bool is_quiet(int root) const override { return self().parts().is_quiet(root); }
  std::unique_ptr<DescriptorSystem> in_mode(const Mode& mode) const override { return self().copy_in(mode); }

  void begin_mode(const State& at, const Vec*, Terms& terms, Mode& mode) const override {
    self().parts().begin_mode(at.t, self().watch(at.t, at.q, at.v, terms), mode);
    ++mode.count;
  }
  void roots(double t, ConstVec q, ConstVec v, const Reaction&, Terms& terms, VecRef values, VecRef rates)
      const override {
    self().parts().roots(t, self().watch(t, q, v, terms), values, rates);
  }
  Transition transition(
      std::span<const int> fired, State& at, const Reaction&, Terms& terms, Mode& mode) const override {
    Transition out;
    self().parts().cross(fired, at.t, self().watch(at.t, at.q, at.v, terms), mode, out);
    ++mode.count;
    return out;
  }

 private:
  const System& self() const { return static_cast<const System&>(*this); }
};

}  // namespace driftless
