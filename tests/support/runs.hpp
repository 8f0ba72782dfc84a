// Short ways to run things in tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/simulate.hpp"

namespace driftless::testing {

// GoogleTest reserves the name Setup inside tests.
using RunSetup = driftless::Setup;

// A name GoogleTest takes for a parameter: letters, digits, underscores.
inline std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

inline ProblemInstance problem(const std::string& name) {
  const ProblemRecord* record = find_problem(name);
  if (record == nullptr) throw std::invalid_argument("no problem " + name);
  return instantiate(*record, Options("problem " + name, record->options, {}));
}

struct AssembledModel {
  CompiledModel compiled;
  Assembly assembly;
  const DescriptorSystem& system() const { return *compiled.system; }
  const State& start() const { return assembly.state; }
};

inline AssembledModel assembled(const Model& model,
                                const std::string& coordinates = "reference-point",
                                const std::map<std::string, std::string>& options = {}) {
  AssembledModel out;
  out.compiled = compile(model, coordinates, model.name, options);
  out.assembly = assemble(out.compiled, 0, model.name);
  return out;
}

inline Model model_file(const std::string& name) {
  return read_model(std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + name + ".json");
}

// Figures and the final state only.
inline Setup figures_only(double t_end) {
  Setup setup;
  setup.t_end = t_end;
  setup.record = false;
  return setup;
}

inline Setup fixed(double t_end, const std::string& integrator, double step) {
  Setup setup = figures_only(t_end);
  setup.integrator = integrator;
  setup.step = step;
  return setup;
}

// log₂ of the ratio of two errors: the observed order when the second was got with half the step.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

inline double max_difference(ConstVec a, ConstVec b) { return (a - b).lpNorm<Eigen::Infinity>(); }

}  // namespace driftless::testing
