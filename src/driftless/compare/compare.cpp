#include "driftless/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/compare/method_text.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/settings.hpp"

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
      methods_.push_back(parse_method(text));
  }

  Comparison compare() {
    Comparison out;
    const Case first = prepare(request_.target, request_.settings);
    out.title = first.name;
    span_ = make_setup(first.settings).t_end - first.start.t;
    free_ = first.system->layout().m == 0;
    find_reference(out.reference);
    for (const MethodText& method : methods_) {
      if (!chosen_ && !suits(method)) continue;
      const bool fixed = needs_step(method);
      const std::vector<double> values = fixed ? steps() : tolerances_;
      const size_t before = out.runs.size();
      for (const double value : values) {
        if (is_interrupted()) return out;
        out.runs.push_back(measure(method, fixed ? 0 : value, fixed ? value : 0));
      }
      if (request_.record && std::any_of(out.runs.begin() + static_cast<long>(before), out.runs.end(),
                                         [](const auto& r) { return r.good; }))
        out.recorded.emplace_back(method.text, recorded(method, values[values.size() / 2], fixed));
    }
    return out;
  }

 private:
  struct Ran {
    Case input;
    Results results;
  };

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

  void find_reference(Reference& reference) {
    const auto attempt = [&](const char* text, double rtol) -> std::optional<Ending> {
      try {
        const Ran ran = run(settings_of(parse_method(text), rtol, 0), false);
        if (ran.results.status == Status::ok) return ending_of(*ran.input.system, ran.results);
      } catch (const InputError&) {  // it does not go with this system
      }
      return {};
    };
    for (const auto& [text, rtol] :
         {std::pair("lagrange/dop853/pstab", 1e-13), std::pair("lagrange/radau-iia5/pstab", 1e-12),
          std::pair("lagrange/dopri5/pstab", 1e-12)}) {
      if (!reference.method.empty() && reference.agreement) break;
      const auto ending = attempt(text, rtol);
      if (!ending) continue;
      const std::string name = fmt::format("{} at rtol {:g}", text, rtol);
      if (reference.method.empty()) {
        reference.method = name;
        reference_ = ending;
      } else {
        reference.check = name;
        reference.agreement = distance(*reference_, *ending);
      }
    }
  }

  ComparedRun measure(const MethodText& method, double rtol, double step) const {
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
      if (out.good && reference_) out.error = distance(*reference_, ending_of(*ran.input.system, results));
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
  bool chosen_ = false, free_ = false;
  double span_ = 1;
  std::optional<Ending> reference_;
};

}  // namespace

Comparison compare(const CompareRequest& request) { return Comparing(request).compare(); }

}  // namespace driftless
