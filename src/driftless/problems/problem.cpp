#include "driftless/problems/problem.hpp"

#include <string_view>

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

}  // namespace driftless
