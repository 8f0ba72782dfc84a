// Why a run ended early, in words: when, where, and what to try.
#pragma once

#include <string>
#include <string_view>

#include "driftless/integrator/integrator.hpp"
#include "driftless/results/monitor.hpp"

namespace driftless {

struct Failure {
  Status status;
  const State& state;
  const DescriptorSystem& system;
  const Integrator& integrator;
  const OdeForm& form;
  const Stabilization* stabilization;
  const Monitor& monitor;
  const StepControl& control;
  const std::vector<std::string>& redundant_rows;  // left out since the start
  bool implied_by_chance;                          // of these: not any more
  std::string_view switching = {};                 // what a switch that ended the run has to say
};

std::string failure_message(const Failure& failure);  // empty for good ends

}  // namespace driftless
