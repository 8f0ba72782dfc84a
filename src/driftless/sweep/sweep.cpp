#include "driftless/sweep/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/model/validate/complaints.hpp"
#include "driftless/outputs/undeclared.hpp"
#include "driftless/run/run.hpp"
#include "driftless/sweep/journal.hpp"

namespace driftless {
namespace {

constexpr unsigned kMostJobs = 1024;

// What worker processes share.
struct Shared {
  std::atomic<std::size_t> next{0}, done{0}, failed{0};
  std::atomic<std::size_t>
      current[kMostJobs];  // position in the list of what a worker is at, from 1; 0: none
};

class SharedMemory {
 public:
  SharedMemory()
      : memory_(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    shared_ = new (memory_) Shared;
  }
  ~SharedMemory() { ::munmap(memory_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() const { return shared_; }

 private:
  void* memory_;
  Shared* shared_;
};

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

class Sweeping {
 public:
  Sweeping(const SweepRequest& request, std::string definition, std::vector<std::size_t> todo)
      : request_(request),
        journal_(journal_path(request.out)),
        definition_(std::move(definition)),
        todo_(std::move(todo)) {}

  // False: interrupted.
  bool work() {
    const auto jobs =
        static_cast<unsigned>(std::min<std::size_t>(std::min(request_.jobs, kMostJobs), todo_.size()));
    workers_.assign(jobs, 0);
    for (unsigned w = 0; w < jobs; ++w) start(w);
    bool interrupted = false;
    while (std::any_of(workers_.begin(), workers_.end(), [](pid_t p) { return p > 0; })) {
      ::usleep(20'000);
      if (!interrupted && request_.interrupt != nullptr && request_.interrupt->load()) {
        interrupted = true;
        for (const pid_t worker : workers_)
          if (worker > 0) ::kill(worker, SIGTERM);
      }
      for (unsigned w = 0; w < jobs; ++w) look_after(w, interrupted);
      if (request_.on_progress) request_.on_progress({shared_->done, todo_.size(), shared_->failed});
    }
    if (!trouble_.empty()) throw std::runtime_error(trouble_);
    return !interrupted;
  }

 private:
  void start(unsigned w) {
    std::fflush(nullptr);  // or both would write it
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) be_worker(w);
    workers_[w] = child;
  }

  [[noreturn]] void be_worker(unsigned w) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    try {
      Journal journal(journal_, definition_);
      for (std::size_t k = shared_->next++; k < todo_.size(); k = shared_->next++) {
        shared_->current[w] = k + 1;
        const SweepRow row = compute(request_, todo_[k]);
        journal.add(row);
        if (row.status != "ok" && row.status != "stopped") ++shared_->failed;
        ++shared_->done;
        shared_->current[w] = 0;
      }
    } catch (...) {
      ::_exit(3);  // the journal cannot be written
    }
    ::_exit(0);
  }

  // A worker that broke down takes one row with it, and another goes on.
  void look_after(unsigned w, bool interrupted) {
    int status = 0;
    if (workers_[w] <= 0 || ::waitpid(workers_[w], &status, WNOHANG) != workers_[w]) return;
    workers_[w] = 0;
    if (interrupted || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
      trouble_ = fmt::format("{}: cannot be written", journal_);
      return;
    }
    if (const std::size_t at = shared_->current[w].exchange(0); at > 0) {
      SweepRow row;
      row.index = todo_[at - 1];
      row.status = "failed";
      row.message = WIFSIGNALED(status) ? fmt::format("the worker was ended by signal {}", WTERMSIG(status))
                                        : "the worker broke down";
      row.measures.assign(request_.measures.size(), std::numeric_limits<double>::quiet_NaN());
      Journal(journal_, definition_).add(row);
      ++shared_->failed;
      ++shared_->done;
    }
    if (shared_->next < todo_.size()) start(w);
  }

  const SweepRequest& request_;
  std::string journal_, definition_;
  std::vector<std::size_t> todo_;
  SharedMemory shared_;
  std::vector<pid_t> workers_;
  std::string trouble_;
};

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
  const RunSettings& s = request.settings;
  for (const auto& number :
       {s.t_end, s.rtol, s.atol, s.step, s.initial_step, s.max_step, s.output_step, s.drift_limit})
    add(number ? fmt::format("{}", *number) : "-");
  for (const auto& word : {s.coordinates, s.formulation, s.integrator, s.stabilization})
    add(word.value_or("-"));
  for (const auto& [name, value] : s.options) add(name + "=" + value);
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
    check("--set", axis.name, parameters, "a model with parameters");
  for (const Measure& measure : request.measures)
    check("--measure", measure.output, outputs, "a model with outputs");
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
  const bool complete = todo.empty() || Sweeping(request, table.definition, std::move(todo)).work();

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
