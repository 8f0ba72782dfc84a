// Systems that switch: laws with cases, tables with knots, wheels that lift off, contacts, friction, joints that come and go.
// A capability that a DescriptorSystem may also derive from. Inside a step the mode is frozen: every stage sees smooth
// functions. Roots say when it ends:
//
//   rᵢ(t, q, v, λ) > 0 while the mode lasts;  it ends where some rᵢ passes through zero from above                        (1)
//
// A run (simulate.cpp) finds the first zero inside a step that was accepted, cuts the step there, and calls transition(), which
// changes the mode and, if there are impulses, v. Roots that are at zero behind it, or below, and fall, fire at once: a
// cascade. A root at zero that rises is at rest until it is above. NaN: not in force in this mode.
//
// All rows that a system may ever have are in its Layout. Those that are not in force are listed in Mode::inactive, and
// position() and bias() write zeros for them (silence_rows). What is zero is implied by others: such rows are left out of
// every solve by the means of redundant rows, and monitors see nothing of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/switching/mode.hpp"

namespace driftless {

// What can switch, for people: `check`, events, the table of modes.
struct Switch {
  std::string element;  // "bump": the name in the model
  std::string kind;     // "law", "table", "road", "tyre", "stop", "contact", "friction", "clutch", "joint"
  std::string what;     // "x < 0.1": what decides; may be empty
  std::vector<std::string> modes;  // what the values from `first` on are called; empty: numbers
  int first = 0;
  std::string instead = {};  // what to use where it chatters
  bool quiet = false;        // continuous and frequent (knots of tables): it leaves no event and no records

  std::string column() const { return what.empty() ? element : element + ": " + what; }
  std::string mode_name(int value) const {
    const int k = value - first;
    return k >= 0 && k < static_cast<int>(modes.size()) ? modes[static_cast<size_t>(k)]
                                                        : std::to_string(value);
  }
};

// An impulse that acted when a mode ended.
struct Impulse {
  std::string element;
  double size = 0;  // N s or N m s
};

// What transition() did.
struct Transition {
  std::vector<int> switched;        // switches that changed, ascending
  std::vector<std::string> events;  // what happened, one line an event: "stop 'bump' closes, impulse 3.2 N s"
  std::vector<std::string> notices;  // what a user should know once: Zeno, energy gained
  std::vector<Impulse> impulses;
  bool jumped = false;       // v has changed
  double energy_lost = 0;    // by impulses, what moving drivers gave not counted in            [J]
  double energy_gained = 0;  // by a law of restitution with friction, inside `energy_lost`   [J]
  double work = 0;           // what moving drivers gave during impulses                      [J]
  std::string trouble;       // no consistent mode, or several: the run ends with these words
};

class Switching {
 public:
  virtual ~Switching() = default;

  // In the order of Mode::values; none: it never switches, and nothing below is called.
  virtual const std::vector<Switch>& switches() const = 0;
  virtual int root_count() const = 0;
  virtual Mode make_mode() const = 0;  // sized
  // Rows that may be out of force: assembly does not ask for them.
  virtual std::vector<int> optional_rows() const { return {}; }

  // Mode::inactive from the values: of a mode that was read from a file.
  virtual void set_inactive(Mode&) const {}
  // Nothing happens there that is worth an event and two records.
  virtual bool is_quiet(int /*root*/) const { return false; }

  // The same system for one run: its terms refer to `mode`, which outlives it.
  virtual std::unique_ptr<DescriptorSystem> in_mode(const Mode& mode) const = 0;

  // ---- of the system in_mode() made, with terms of its own; they are overwritten ---------------------------------------
  // The mode a state begins in. Ties are decided by what comes next: `vdot` are accelerations in the mode as it is, null on
  // the first of two calls, where they are not known.
  virtual void begin_mode(const State& state, const Vec* vdot, Terms& terms, Mode& mode) const = 0;
  // Whether roots ask for accelerations and multipliers in this mode; else `reaction` may be empty.
  virtual bool needs_reaction(const Mode&) const { return false; }
  // (1), and dr/dt along the motion, NaN where that is not known (the run then takes differences).
  virtual void roots(double t,
                     ConstVec q,
                     ConstVec v,
                     const Reaction& reaction,
                     Terms& terms,
                     VecRef values,
                     VecRef rates) const = 0;
  // `fired`: roots that passed zero at this state, ascending. `reaction`: in the old mode; empty unless roots need it.
  // Changes `mode`, which is the one terms refer to, with `inactive` and `count`, and state.v where there are impulses;
  // q is left as it is.
  virtual Transition transition(
      std::span<const int> fired, State& state, const Reaction& reaction, Terms& terms, Mode& mode) const = 0;
};

// Of a system that has switches; null: it never switches.
const Switching* switching_of(const DescriptorSystem& system);

// Zeros for rows that are not in force: at the end of position() with their g, J and ν, at that of bias() with γ.
inline void silence_positions(Terms& terms) {
  if (terms.mode == nullptr) return;
  for (const int row : terms.mode->inactive) {
    for (int k = terms.J.outerIndexPtr()[row]; k < terms.J.outerIndexPtr()[row + 1]; ++k)
      terms.J.valuePtr()[k] = 0;
    if (row < terms.g.size()) terms.g[row] = 0;
    terms.nu[row] = 0;
  }
}
inline void silence_biases(Terms& terms) {
  if (terms.mode == nullptr) return;
  for (const int row : terms.mode->inactive) terms.gamma[row] = 0;
}

}  // namespace driftless
