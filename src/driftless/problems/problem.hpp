// The problem library: every published test case, with its source, its default settings and its reference values. One
// file per problem, one line in problems.def.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/options.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

struct Drawing;  // model/drawing/drawing.hpp

// A value known independently of this program: a coordinate or quantity by name at a time.
struct ReferenceValue {
  double t = 0;
  std::string name;  // coordinate, velocity or quantity name of the system
  double value = 0;
  double reliable = 0;  // absolute error the reference itself may have
};

struct ProblemInstance {
  std::unique_ptr<DescriptorSystem> system;
  State start;                                  // consistent
  std::shared_ptr<const Drawing> drawing = {};  // of bodies in the order of their names; null: none
};

struct ProblemRecord {
  std::string name;
  std::string summary;
  std::string reference;  // source
  double t_end = 1;
  std::string formulation = "lagrange", integrator, stabilization;  // empty: the defaults
  std::string coordinates = {};                                     // of a mechanism; empty: the default
  double rtol = 1e-6;
  double step = 0;                  // > 0: the fixed step the problem is usually run with
  std::vector<OptionSpec> options;  // of the problem itself (N=40)
  std::vector<ReferenceValue> values;
  // One of the two: the problem's own equations, or a mechanism that runs in any coordinate set.
  ProblemInstance (*make)(const Options& options) = nullptr;
  Model (*mechanism)(const Options& options) = nullptr;
  // For its page: what is hard about it, and methods that suit it besides the default ones, as `compare` writes them.
  std::string difficulty = {};
  std::vector<std::string> methods = {};
  std::string inferred = {};  // data that the source leaves out, and what was taken; empty: none
};

std::span<const ProblemRecord* const> problem_records();
const ProblemRecord* find_problem(std::string_view name);

// System and consistent start of a problem; mechanisms in its coordinates, if it names any, else in reference-point ones.
ProblemInstance instantiate(const ProblemRecord& problem, const Options& options);

}  // namespace driftless
