#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

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

ReproducedTable reproduce(const TableRecord& record) {
  ReproducedTable table = record.run();
  for (TableRow& row : table.rows)
    for (TableCell& cell : row.cells) {
      if (!cell.reason.empty()) continue;
      if (std::isnan(cell.published))
        judge(cell, Verdict::kDataMissing, "the source prints no figure here");
      else
        judge_digits(cell);
    }
  return table;
}

std::vector<Reproduction> reproduce(std::span<const TableRecord* const> records,
                                    int jobs,
                                    const std::function<void(const Reproduction&)>& done) {
  std::vector<Reproduction> out(records.size());
  std::vector<size_t> order(records.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return records[a]->minutes > records[b]->minutes; });
  std::atomic<size_t> next = 0;
  std::mutex reporting;
  const auto work = [&] {
    for (size_t i = next++; i < order.size(); i = next++) {
      Reproduction& mine = out[order[i]];
      mine.record = records[order[i]];
      const auto start = std::chrono::steady_clock::now();
      try {
        mine.table = reproduce(*mine.record);
      } catch (const std::exception& error) {
        mine.trouble = error.what();
      }
      mine.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const std::lock_guard lock(reporting);
      if (done) done(mine);
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < std::min<int>(jobs, static_cast<int>(records.size())); ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return out;
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
