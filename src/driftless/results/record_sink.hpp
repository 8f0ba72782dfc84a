// Where records go while a run is under way, instead of into its Results: a file, for one. The recorder fills a block,
// hands it over and begins the next, so that memory does not grow with the run.
#pragma once

#include <cstddef>

#include "driftless/results/trajectory.hpp"

namespace driftless {

class RecordSink {
 public:
  static constexpr std::size_t kBlockBytes = 1 << 20;  // a block is handed over when it is that large

  virtual ~RecordSink() = default;

  // Once, before the first record: names and methods, no figures yet. May add to what is known of the run.
  virtual void begin(Results& so_far) = 0;
  // Records and steps since the last call, in the middle of a step; events are all there were. false: the run must end.
  virtual bool add(const Trajectory& block) = 0;
  // The same between steps, and everything else as it would be if the run ended here, checkpoint included.
  virtual bool update(Results& so_far) = 0;
  // Asked after every step: update() even if the block is not full.
  virtual bool is_due() = 0;
};

// Of the records and steps in a trajectory.
inline std::size_t bytes_of(const Trajectory& block) {
  std::size_t numbers = block.t.size() + block.poses.size() + block.reactions.size();
  for (const Table* table : {&block.q, &block.v, &block.vdot, &block.lambda, &block.quantities, &block.energy,
                             &block.modes, &block.drift, &block.steps, &block.strains})
    numbers += table->data.size();
  return numbers * sizeof(double);
}

// Forgets records and steps; names, events and memory stay.
inline void clear_rows(Trajectory& block) {
  block.t.clear();
  block.poses.clear();
  block.reactions.clear();
  for (Table* table : {&block.q, &block.v, &block.vdot, &block.lambda, &block.quantities, &block.energy,
                       &block.modes, &block.drift, &block.steps, &block.strains})
    table->data.clear();
}

// Puts the records and steps of a block behind those that are there.
inline void append_rows(Trajectory& to, const Trajectory& block) {
  const auto join = [](std::vector<double>& a, const std::vector<double>& b) {
    a.insert(a.end(), b.begin(), b.end());
  };
  join(to.t, block.t);
  join(to.q.data, block.q.data);
  join(to.v.data, block.v.data);
  join(to.vdot.data, block.vdot.data);
  join(to.lambda.data, block.lambda.data);
  join(to.quantities.data, block.quantities.data);
  join(to.energy.data, block.energy.data);
  join(to.modes.data, block.modes.data);
  join(to.drift.data, block.drift.data);
  join(to.strains.data, block.strains.data);
  join(to.poses, block.poses);
  join(to.reactions, block.reactions);
  join(to.steps.data, block.steps.data);
}

}  // namespace driftless
