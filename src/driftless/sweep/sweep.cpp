#include "driftless/sweep/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/outputs/undeclared.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/run.hpp"
#include "driftless/run/workers.hpp"
#include "driftless/sweep/journal.hpp"

namespace driftless {
namespace {

SweepRow compute(const SweepRequest& request, std::size_t index) {
  SweepRow row;
  row.index = index;
  row.measures.assign(request.measures.size(), std::numeric_limits<double>::quiet_NaN());
  try {
    RunRequest one{.target = request.target, .settings = request.settings};
    for (const auto& [name, value] : request.plan.values(index)) one.target.parameters[name] = value;
    const RunOutcome done = run(one);
    row.status = name(done.results.status);
    row.message = done.results.message;
    row.cpu_seconds = done.results.statistics.cpu_seconds;
    if (done.results.good())
      for (std::size_t i = 0; i < request.measures.size(); ++i)
        row.measures[i] = request.measures[i].of(done.results.trajectory);
  } catch (const InputError& error) {
    row.status = "refused";
    row.message = error.what();
  } catch (const std::exception& error) {
    row.status = "failed";
    row.message = error.what();
  }
  return row;
}

// In worker processes (run/workers.hpp): a run that crashes takes its own row along and no other. Rows go to the journal as they come. False:
// interrupted.
bool work(const SweepRequest& request, const std::string& definition, const std::vector<std::size_t>& todo) {
  Journal journal(journal_path(request.out), definition);
  SweepProgress progress{0, todo.size(), 0};
  WorkerPlan plan;
  plan.tasks = todo.size();
  plan.jobs = request.jobs;
  plan.reuse = true;
  plan.interrupt = request.interrupt;
  plan.task = [&](std::size_t k) { return journal_line(compute(request, todo[k])); };
  plan.on_result = [&](std::size_t k, WorkerResult& result) {
    if (result.trouble == kInterrupted) return;
    std::optional<SweepRow> row;
    if (result.done) row = row_in(result.bytes, request.measures.size());
    if (!row) {
      row.emplace();
      row->index = todo[k];
      row->status = "failed";
      row->message = fmt::format("the worker {}", result.done ? "broke down" : result.trouble);
      row->measures.assign(request.measures.size(), std::numeric_limits<double>::quiet_NaN());
    }
    result.bytes = {};
    journal.add(*row);
    ++progress.done;
    if (row->status != "ok" && row->status != "stopped") ++progress.failed;
    if (request.on_progress) request.on_progress(progress);
  };
  const std::vector<WorkerResult> results = work_in_processes(plan);
  return std::none_of(results.begin(), results.end(),
                      [](const WorkerResult& result) { return result.trouble == kInterrupted; });
}

// Everything that decides the numbers. FNV-1a, 64 bits.
std::string definition_of(const SweepRequest& request, const Model& model) {
  std::string text = model_to_json(model);
  const auto add = [&](const auto& value) { text += fmt::format("\n{}", value); };
  for (const SweepAxis& axis : request.plan.axes) {
    add(axis.name);
    for (const double value : axis.values) add(value);
  }
  add(request.plan.random);
  add(request.plan.seed);
  for (const Measure& measure : request.measures) add(measure.text);
  text += settings_text(request.settings);
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

// The model as it is without the sweep. What would be wrong with every row is said here, before the first.
Model checked_model(const SweepRequest& request) {
  const Target& target = request.target;
  if (target.problem != nullptr || target.equations)
    throw InputError("",
                     Complaint{"", "a model: problems and equations have no parameters", "one of these", ""});
  const Model model = target.model ? with(*target.model, target.parameters)
                                   : read_model(target.model_file, target.parameters);
  std::vector<std::string> parameters, outputs;
  for (const Parameter& p : model.parameters) parameters.push_back(p.name);
  for (const Input& input : model.inputs) parameters.push_back(input.name);
  for (const Element& output : model.outputs) outputs.push_back(output.name);
  if (prepare(target, request.settings).settings.record == "all") {
    for (const Element& output : undeclared_outputs(model)) outputs.push_back(output.name);
    for (const Input& input : model.inputs) outputs.push_back(input.name);
  }
  const auto check = [](const char* where, const std::string& name, const std::vector<std::string>& known,
                        const char* none) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw InputError("", Complaint{where, known.empty() ? none : quoted_list(known), driftless::quoted(name),
                                   did_you_mean(name, known)});
  };
  for (const SweepAxis& axis : request.plan.axes)
    check("`set`", axis.name, parameters, "a model with parameters");
  for (const Measure& measure : request.measures)
    check("`measure`", measure.output, outputs, "a model with outputs");
  return model;
}

}  // namespace

SweepTable sweep(const SweepRequest& request) {
  check_output_path(request.out, {".h5"});
  const Model model = checked_model(request);
  SweepTable table;
  table.model =
      !model.name.empty() ? model.name : std::filesystem::path(request.target.model_file).stem().string();
  table.command = request.command;
  table.definition = definition_of(request, model);
  table.runs = request.plan.runs();
  for (const SweepAxis& axis : request.plan.axes) {
    table.parameters.push_back(axis.name);
    for (const Parameter& p : model.parameters)
      if (p.name == axis.name) table.units.push_back(p.unit);
  }
  for (const Measure& measure : request.measures) table.measures.push_back(measure.text);

  const std::string rows = journal_path(request.out);
  std::vector<bool> is_known(table.runs, false);
  for (SweepRow& row : read_journal(rows, table.definition, table.measures.size()))
    if (row.index < table.runs) is_known[row.index] = true;
  std::vector<std::size_t> todo;
  for (std::size_t i = request.shard; i < table.runs; i += request.shards)
    if (!is_known[i]) todo.push_back(i);
  const bool complete = todo.empty() || work(request, table.definition, todo);

  std::fill(is_known.begin(), is_known.end(), false);
  for (SweepRow& row : read_journal(rows, table.definition, table.measures.size()))
    if (row.index < table.runs && row.index % request.shards == request.shard && !is_known[row.index]) {
      is_known[row.index] = true;
      table.rows.push_back(std::move(row));
    }
  std::sort(table.rows.begin(), table.rows.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  for (const SweepRow& row : table.rows) {
    const ParameterValues values = request.plan.values(row.index);
    auto& list = table.parameter_values.emplace_back();
    for (const std::string& name : table.parameters) list.push_back(values.at(name));
  }
  if (!complete) return table;
  write_sweep(table, request.out);
  std::error_code error;
  std::filesystem::remove(rows, error);
  return table;
}

std::string slurm_script(const std::string& command,
                         const std::string& out,
                         std::size_t shards,
                         std::size_t jobs) {
  const std::string stem = out.ends_with(".h5") ? out.substr(0, out.size() - 3) : out;
  return fmt::format(R"(#!/bin/bash
# A sweep as a job array: sbatch this file. Each task computes one part; started again it goes on where it was.
#SBATCH --job-name=driftless-sweep
#SBATCH --array=1-{0}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={1}

{2} -j {1} --shard "$SLURM_ARRAY_TASK_ID/{0}" --out "{3}.$SLURM_ARRAY_TASK_ID.h5"

# When all tasks are done:
#   driftless sweep merge {3}.[0-9]*.h5 --out {4}
)",
                     shards, jobs, command, stem, out);
}

}  // namespace driftless
