// What integrators share that can be picked up exactly where they were. A checkpoint is the end of the last step of their own
// choosing: the first step that is to be cut at its limit is preceded by a snapshot, which stands until the next start (were it
// rejected, the steps behind it would not be those of a longer run); otherwise the state at hand is the snapshot. It
// holds t, y, the grid and the step, and in its memory whatever else counts for the steps to come: of the formulation first,
// because y may mean nothing without it, then of the watch over sudden functions, then of the scheme. Where a step failed, what was kept has been used up: a run
// resumed from there starts its history anew, and says so.
#pragma once

#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/checkpoint.hpp"
#include "driftless/integrator/sudden_watch.hpp"
#include "driftless/math/memory.hpp"

namespace driftless {

class Resumable {
 public:
  virtual ~Resumable() = default;
  // Whether the last resume() found all it needed.
  bool went_on_exactly() const { return exact_; }

 protected:
  // Everything that counts for later steps, besides what take_snapshot() fills itself; both ways.
  virtual void keep(Memory& memory) = 0;

  Vec remember(OdeForm& form, SuddenWatch* sudden) {
    if (spoilt_ || is_bounded_) return {};
    Memory memory;
    if (auto* keeper = dynamic_cast<KeepsMemory*>(&form)) keeper->keep(memory);
    if (sudden != nullptr) sudden->keep(memory);
    keep(memory);
    return memory.written();
  }

  // start() at a checkpoint with what its memory says; alone where that is nothing, or does not fit.
  template <class Start>
  Status start_with(ConstVec from, OdeForm& form, SuddenWatch* sudden, Start&& start) {
    Memory memory(from);
    exact_ = from.size() > 0;
    auto* keeper = dynamic_cast<KeepsMemory*>(&form);
    if (exact_ && keeper != nullptr) keeper->keep(memory);
    if (exact_ && sudden != nullptr) sudden->keep(memory);
    const Status status = start();
    if (!exact_ || status != Status::ok) return status;
    keep(memory);
    exact_ = memory.is_read();
    if (exact_) return status;
    if (sudden != nullptr) sudden->forget();
    return start();
  }

  bool spoilt_ = false;  // a step has failed
  bool is_bounded_ =
      false;  // the first step was as long as it is for the end of the run: a longer run began otherwise
  bool exact_ = true;
};

}  // namespace driftless
