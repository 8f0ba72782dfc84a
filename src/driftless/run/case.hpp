// One thing to simulate, ready to run: a problem's or a model's system, where it starts, with which settings.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/analysis/assembly.hpp"
#include "driftless/run/names.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

struct Case {
  std::string name;    // of the problem or model
  std::string source;  // model file; empty for problems
  std::string coordinates;
  std::unique_ptr<DescriptorSystem> system;
  std::shared_ptr<const Drawing> drawing;  // null: none
  State start;                             // consistent
  std::optional<AssemblyReport> assembly;  // of a model
  RunSettings settings;                    // merged
  std::map<std::string, std::string>
      options;                           // everything that decides the numbers: rtol, formulation.alpha,
                                         // problem.N, model.fingerprint
  std::vector<Parameter> parameters;     // of a model
  std::vector<Event> events;             // stop conditions of a model
  std::optional<Checkpoint> checkpoint;  // of the run this one goes on from
  std::optional<Vec> quantities;         // at its end; none if it had others
  std::vector<std::string> notices;
  std::vector<std::string> doubts;          // about the model: model_doubts.hpp
  bool is_driven = false;                   // a model with drivers
  std::vector<std::string> without_events;  // laws of a model that ask for none: smooth(...)
};

// InputError for everything the user got wrong: names, options, the model file, a mechanism that cannot close.
Case prepare(const Target& target, const RunSettings& command);

// The same from the final state of a result file. If that run was of the same case with the same methods and
// tolerances, its checkpoint is taken over and the new run goes on as if the old one had never stopped; otherwise the
// state alone counts, and a notice says why.
Case prepare_continuation(const Target& target, const RunSettings& command, const std::string& from);

}  // namespace driftless
