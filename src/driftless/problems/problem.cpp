#include "driftless/problems/problem.hpp"

#include <map>
#include <string>
#include <string_view>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/model/drawing/drawing.hpp"

namespace driftless {

#define PROBLEM(name) extern const ProblemRecord name##_problem;
#include "driftless/problems/problems.def"
#undef PROBLEM

std::span<const ProblemRecord* const> problem_records() {
  static constexpr const ProblemRecord* records[] = {
#define PROBLEM(name) &name##_problem,
#include "driftless/problems/problems.def"
#undef PROBLEM
  };
  return records;
}

const ProblemRecord* find_problem(std::string_view name) {
  for (const ProblemRecord* record : problem_records())
    if (record->name == name) return record;
  return nullptr;
}

ProblemInstance instantiate(const ProblemRecord& problem, const Options& options) {
  if (problem.mechanism == nullptr) return problem.make(options);
  const Model model = problem.mechanism(options);
  const std::string coordinates = problem.coordinates.empty() ? "reference-point" : problem.coordinates;
  std::map<std::string, std::string> of_coordinates;
  if (coordinates == "relative") of_coordinates["mass"] = "formed";  // whatever the formulation
  CompiledModel compiled = compile(model, coordinates, "problem " + problem.name, of_coordinates);
  State start = assemble(compiled, 0, "problem " + problem.name).state;
  return {std::move(compiled.system), std::move(start), std::make_shared<const Drawing>(drawing_of(model))};
}

}  // namespace driftless
