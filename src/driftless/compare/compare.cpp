#include "driftless/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "driftless/compare/method_pattern.hpp"
#include "driftless/compare/method_text.hpp"
#include "driftless/compare/run_bytes.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/settings.hpp"
#include "driftless/run/workers.hpp"

namespace driftless {
namespace {

constexpr const char* kDefaultMethods =
    "lagrange/dopri5/pstab,lagrange/dop853/pstab,lagrange/adams/pstab,lagrange/radau-iia5/pstab,"
    "lagrange/dopri5/none,baumgarte/dopri5,projection-independent/dopri5,index3/generalized-alpha";
constexpr long kMostSteps = 2'000'000;  // of one run: a method that does not suit must not hold up the others
constexpr double kEnoughTime = 0.05;    // s of repeated runs; the fastest counts
constexpr int kMostRepeats = 5;

class Comparing {
 public:
  explicit Comparing(const CompareRequest& request)
      : request_(request),
        tolerances_(request.tolerances),
        steps_(request.steps),
        chosen_(request.methods.has_value()) {
    for (const std::string& text : split_methods(request.methods.value_or(kDefaultMethods)))
      for (const std::string& one : expand_methods(text)) methods_.push_back(parse_method(one));
  }

  Comparison compare() {
    Comparison out;
    const Case first = prepare(request_.target, request_.settings);
    out.title = first.name;
    span_ = make_setup(first.settings).t_end - first.start.t;
    free_ = first.system->layout().m == 0;
    if (request_.reference != nullptr)
      out.reference = *request_.reference;
    else
      find_reference(out.reference);
    for (const MethodText& method : methods_) {
      if (!chosen_ && !suits(method)) continue;
      const bool fixed = needs_step(method);
      for (const double value : fixed ? steps() : tolerances_)
        cases_.push_back({&method, fixed ? 0 : value, fixed ? value : 0});
    }
    measure_all(out);
    if (request_.jobs > 0) sort_runs(out);
    if (request_.record) record_some(out);
    return out;
  }

 private:
  struct Ran {
    Case input;
    Results results;
  };

  struct Measured {
    const MethodText* method;
    double rtol, step;
  };

  void measure_all(Comparison& out) {
    if (request_.jobs == 0) {
      for (const Measured& one : cases_) {
        if (is_interrupted()) return;
        out.runs.push_back(measure(*one.method, one.rtol, one.step, out.reference));
        if (request_.on_case) request_.on_case(out.runs.size(), cases_.size());
      }
      return;
    }
    const auto results = in_workers(cases_.size(), [&](size_t i) {
      return to_bytes(measure(*cases_[i].method, cases_[i].rtol, cases_[i].step, out.reference));
    });
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].trouble == "interrupted") continue;
      ComparedRun run;
      run.method = cases_[i].method->text;
      run.rtol = cases_[i].rtol;
      run.step = cases_[i].step;
      if (!results[i].done || !from_bytes(results[i].bytes, run)) {
        run.good = false;
        run.error = std::nan("");
        run.status = results[i].trouble.starts_with("passed") ? "too slow" : "broke down";
        run.message = fmt::format("the case {}", results[i].trouble);
      }
      out.runs.push_back(std::move(run));
    }
  }

  std::vector<WorkerResult> in_workers(size_t tasks, std::function<std::string(size_t)> task) const {
    WorkerPlan plan;
    plan.tasks = tasks;
    plan.jobs = request_.jobs;
    plan.time_limit = request_.time_limit;
    plan.task = std::move(task);
    plan.interrupt = request_.interrupt;
    if (request_.on_case) plan.on_done = [this, tasks](size_t done) { request_.on_case(done, tasks); };
    return work_in_processes(plan);
  }

  // A run of each method that works, the best ones if there are many.
  void record_some(Comparison& out) {
    constexpr size_t kMostRecorded = 12;
    for (const ComparedRun& run : out.runs) {
      if (is_interrupted() || out.recorded.size() >= kMostRecorded) return;
      if (std::any_of(out.recorded.begin(), out.recorded.end(),
                      [&](const auto& r) { return r.first == run.method; }))
        continue;
      const bool works = std::any_of(out.runs.begin(), out.runs.end(),
                                     [&](const ComparedRun& r) { return r.method == run.method && r.good; });
      if (!works) continue;
      const auto found = std::find_if(methods_.begin(), methods_.end(),
                                      [&](const MethodText& m) { return m.text == run.method; });
      const bool fixed = needs_step(*found);
      const std::vector<double> values = fixed ? steps() : tolerances_;
      out.recorded.emplace_back(run.method, recorded(*found, values[values.size() / 2], fixed));
    }
  }

  RunSettings settings_of(const MethodText& method, double rtol, double step) const {
    RunSettings settings = request_.settings;
    if (method.coordinates) settings.coordinates = method.coordinates;
    settings.formulation = method.formulation ? method.formulation : Setup().formulation;
    settings.integrator = method.integrator;
    settings.stabilization = method.stabilization;
    const MethodNames names = method_names(settings);  // defaults of the formulation, not of the record
    settings.integrator = names.integrator;
    settings.stabilization = names.stabilization;
    for (const auto& [name, value] : method.options) settings.options[name] = value;
    if (rtol > 0) {
      settings.rtol = rtol;
      settings.atol = rtol / 10;
    }
    if (step > 0) settings.step = step;
    return settings;
  }

  Ran run(const RunSettings& settings, bool record) const {
    Ran out{prepare(request_.target, settings), {}};
    Setup setup = make_setup(out.input.settings);
    setup.record = record;
    setup.output_step = record ? span_ / 1000 : 0;
    setup.max_steps = kMostSteps;
    setup.interrupt = request_.interrupt;
    setup.on_progress = request_.on_progress;
    out.results = simulate(*out.input.system, out.input.start, setup);
    return out;
  }

  bool needs_step(const MethodText& method) const {
    const MethodNames names = method_names(settings_of(method, 0, 0));
    for (const IntegratorRecord* integrator : integrator_records())
      if (integrator->method.name == names.integrator) return !integrator->adaptive;
    return false;
  }

  // Of the default set: what does without constraints is shown once.
  bool suits(const MethodText& method) const {
    return !free_ || (method.formulation == "lagrange" && method.stabilization == "pstab");
  }

  // As many as tolerances, each half the one before.
  std::vector<double> steps() const {
    if (!steps_.empty()) return steps_;
    std::vector<double> out;
    for (size_t i = 0; i < tolerances_.size(); ++i)
      out.push_back(span_ / 500 / std::pow(2, static_cast<double>(i)));
    return out;
  }

  // Of the tight runs that succeed, the two that agree best.
  void find_reference(Reference& reference) {
    struct Tight {
      const char* text;
      double rtol;
    };
    // Behind singular positions penalties decide how long rows are not held: stiff ones leave 1e-9 there, the usual ones 1e-6.
    static constexpr Tight kTight[] = {
        {"lagrange/dop853/pstab", 1e-13},
        {"lagrange/radau-iia5/pstab", 1e-12},
        {"lagrange/dopri5/pstab", 1e-12},
        {"augmented-lagrangian/dop853[penalty=1e9,iterations=6,tolerance=1e-14]", 1e-11},
        {"augmented-lagrangian/adams[penalty=1e8,tolerance=1e-14]", 1e-12},
        {"augmented-lagrangian/dopri5", 1e-12}};
    constexpr size_t kUsual = 3;  // the others only if no two of these agree
    const auto integrator_of = [](size_t i) { return parse_method(kTight[i].text).integrator; };
    const auto attempt = [&](size_t i) -> std::string {
      try {
        const Ran ran = run(settings_of(parse_method(kTight[i].text), kTight[i].rtol, 0), false);
        if (ran.results.status == Status::ok) return to_bytes(ending_of(*ran.input.system, ran.results));
      } catch (const InputError&) {  // it does not go with this system
      }
      return {};
    };
    struct TightRun {
      size_t method;
      Ending ending;
    };
    std::vector<TightRun> runs;
    size_t a = 0, b = 0;
    double nearest = std::nan("");
    const auto join = [&](size_t method, const std::string& bytes) {
      Ending ending;
      if (!from_bytes(bytes, ending)) return;
      runs.push_back({method, std::move(ending)});
      for (size_t i = 0; i + 1 < runs.size(); ++i) {
        if (integrator_of(runs[i].method) == integrator_of(method)) continue;  // it may err alike
        const double apart = distance(runs[i].ending, runs.back().ending);
        if (std::isnan(apart) || apart >= nearest) continue;
        nearest = apart;
        a = i;
        b = runs.size() - 1;
      }
    };
    const auto agree = [&] { return nearest <= Reference::kAgrees; };
    for (const auto& [first, last] : {std::pair<size_t, size_t>{0, kUsual}, {kUsual, std::size(kTight)}}) {
      if (agree()) break;
      std::vector<WorkerResult> results;
      if (request_.jobs > 0)
        results = in_workers(last - first, [&, first = first](size_t i) { return attempt(first + i); });
      for (size_t i = first; i < last && (request_.jobs > 0 || !agree()); ++i)
        if (request_.jobs == 0)
          join(i, attempt(i));
        else if (results[i - first].done)
          join(i, results[i - first].bytes);
    }
    if (runs.empty()) return;
    const auto text_of = [&](size_t i) {
      return fmt::format("{} at rtol {:g}", kTight[runs[i].method].text, kTight[runs[i].method].rtol);
    };
    reference.method = text_of(a);
    reference.ending = std::move(runs[a].ending);
    if (b > a) {
      reference.check = text_of(b);
      reference.agreement = nearest;
    }
  }

  ComparedRun measure(const MethodText& method, double rtol, double step, const Reference& reference) const {
    const Ending* ending = reference.ending ? &*reference.ending : nullptr;
    ComparedRun out;
    out.method = method.text;
    out.rtol = rtol;
    out.step = step;
    out.error = std::nan("");
    try {
      Ran ran = run(settings_of(method, rtol, step), false);
      double spent = ran.results.statistics.cpu_seconds, best = spent;
      for (int i = 1; i < kMostRepeats && spent < kEnoughTime && ran.results.status == Status::ok; ++i) {
        const double again = run(settings_of(method, rtol, step), false).results.statistics.cpu_seconds;
        spent += again;
        best = std::min(best, again);
      }
      const Results& results = ran.results;
      out.good = results.status == Status::ok;
      out.status = name(results.status);
      out.message = results.message;
      out.statistics = results.statistics;
      out.statistics.cpu_seconds = best;
      out.drift = results.drift;
      if (results.energy) out.energy_error = results.energy->max_relative_error;
      if (out.good && ending != nullptr) out.error = distance(*ending, ending_of(*ran.input.system, results));
    } catch (const InputError& error) {  // it does not combine, or does not go with this system: a row, too
      out.status = "refused";
      out.message = error.what();
    }
    return out;
  }

  Results recorded(const MethodText& method, double value, bool fixed) const {
    Ran ran = run(settings_of(method, fixed ? 0 : value, fixed ? value : 0), true);
    Provenance& p = ran.results.provenance;
    p.problem = ran.input.name;
    p.source = ran.input.source;
    p.coordinates = ran.input.coordinates;
    p.parameters = ran.input.parameters;
    ran.results.drawing = ran.input.drawing;
    return std::move(ran.results);
  }

  bool is_interrupted() const { return request_.interrupt != nullptr && request_.interrupt->load(); }

  const CompareRequest& request_;
  std::vector<double> tolerances_, steps_;
  std::vector<MethodText> methods_;
  std::vector<Measured> cases_;
  bool chosen_ = false, free_ = false;
  double span_ = 1;
};

}  // namespace

Comparison compare(const CompareRequest& request) { return Comparing(request).compare(); }

}  // namespace driftless
