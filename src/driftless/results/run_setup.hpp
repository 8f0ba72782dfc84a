// What a run is set up from, before its first step: settings checked, methods chosen, the mode and the rows it begins with. Of
// simulate.cpp alone.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrator/choices.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/simulate.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

// Settings and start checked, methods resolved and checked against the system; InputError.
Choices chosen_methods(const DescriptorSystem& system, const State& start, const Setup& setup);
StepControl step_control(const Setup& setup);
Provenance provenance_of(const Choices& choices, const Setup& setup, const StepControl& control);
// In characteristic lengths: what the user says, or what suits the tolerance where something holds the constraints.
DriftLimit drift_limit(const Choices& choices, const Setup& setup, const StepControl& control);
// Rows to leave out: those a checkpoint names, or those implied by others at the start, rows not in force among them. Names
// of the others, and a notice, go to the results.
std::vector<int> note_redundancy(const DescriptorSystem& system,
                                 const State& start,
                                 const std::vector<int>& saved,
                                 const Mode& mode,
                                 Results& results);
// The system for one run: in a mode of its own where it switches, of the checkpoint, or as `start` begins. Null: it does not.
std::unique_ptr<DescriptorSystem> system_in_mode(const DescriptorSystem& system,
                                                 const State& start,
                                                 const Setup& setup,
                                                 Mode& mode);

}  // namespace driftless
