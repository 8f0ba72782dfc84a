#include <stdexcept>

#include "driftless/problems/problem.hpp"
#include "driftless/reproduce/table.hpp"

namespace driftless {

#define TABLE(name) extern const TableRecord name##_table;
#include "driftless/reproduce/tables.def"
#undef TABLE

std::span<const TableRecord* const> table_records() {
  static const TableRecord* const records[] = {
#define TABLE(name) &name##_table,
#include "driftless/reproduce/tables.def"
#undef TABLE
  };
  return records;
}

const TableRecord* find_table(std::string_view id) {
  for (const TableRecord* record : table_records())
    if (record->id == id) return record;
  return nullptr;
}

Rerun rerun(const std::string& problem,
            const std::map<std::string, std::string>& problem_options,
            Setup setup) {
  const ProblemRecord* record = find_problem(problem);
  if (record == nullptr) throw std::logic_error("no problem " + problem);
  const ProblemInstance instance =
      instantiate(*record, Options("problem " + problem, record->options, problem_options));
  setup.record = false;
  Rerun out;
  out.results = simulate(*instance.system, instance.start, setup);
  Terms terms = instance.system->make_terms();
  const State& end = out.results.final;
  instance.system->position(end.t, end.q, terms);
  out.g = terms.g;
  out.r.resize(instance.system->layout().m);
  velocity_residual(terms, end.v, out.r);
  return out;
}

}  // namespace driftless
