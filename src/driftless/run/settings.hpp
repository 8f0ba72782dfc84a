// Run settings from three places: those of the caller (the command line, a program) go before the model's `simulate` block or the
// problem's record, and these before the defaults.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

inline constexpr const char* kDefaultCoordinates = "reference-point";  // of models

RunSettings record_settings(const ProblemRecord& problem);

// The methods a run will use, defaults filled in.
struct MethodNames {
  std::string formulation, integrator, stabilization;
};
MethodNames method_names(const RunSettings& settings);

// Names that are in no registry are InputErrors: of the command line where `command` has them, else of `source`.
void check_method_names(const RunSettings& merged, const RunSettings& command, const std::string& source);

// Options a problem takes itself, taken out of `settings.options`: "N" and "problem.N".
std::map<std::string, std::string> take_problem_options(const ProblemRecord& problem, RunSettings& settings);

// Options of the coordinate set, taken out of `settings.options` likewise.
std::map<std::string, std::string> take_coordinates_options(std::span<const OptionSpec> specs,
                                                            RunSettings& settings);

// Command line over record. What the record says that no longer fits what the command line chose (a fixed step for an
// adaptive integrator, an integrator or an option of another formulation) is left out, and a notice says so.
struct Merged {
  RunSettings settings;
  std::vector<std::string> notices;
};
Merged merge(const RunSettings& command, const RunSettings& record);

Setup make_setup(const RunSettings& settings);

}  // namespace driftless
