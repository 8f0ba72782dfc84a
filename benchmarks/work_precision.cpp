// Work against precision: CPU time and evaluations of several integrators over the error they achieve.
//
//   bench_work_precision PROBLEM|MODEL.json [--methods dopri5,rk4,…] [--rtol 1e-3,1e-4,…] [--steps 1e-3,…]
//                        [--t-end T] [--formulation F] [--stabilization S] [--repetitions N] [--csv]
//
// Adaptive integrators run through the list of tolerances (atol = rtol/10), fixed-step ones through the list
// of steps. The error is the largest difference of a position at the end, relative to the scale of that
// position, from the problem's reference values where it has them for the end time, otherwise from a run of
// dopri5 at rtol 1e-12. CPU time is the fastest of the repetitions.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/simulate.hpp"

namespace {

using namespace driftless;

constexpr std::string_view usage =
    "usage: bench_work_precision PROBLEM|MODEL.json [--methods dopri5,rk4] [--rtol 1e-3,1e-4] [--steps "
    "1e-3,5e-4]\n"
    "       [--t-end T] [--formulation F] [--stabilization S] [--repetitions N] [--csv]";

struct Usage : std::runtime_error {
  explicit Usage(const std::string& what) : std::runtime_error(fmt::format("{}\n{}", what, usage)) {}
};

// ------------------------------------------------------------------------------------------- command line
struct Request {
  std::string target;
  std::vector<std::string> methods;  // empty: all
  std::vector<double> rtol = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  std::vector<double> steps;  // empty: t_end/250, halved again and again
  std::optional<double> t_end;
  std::string formulation = "lagrange", stabilization;
  int repetitions = 3;
  bool csv = false;
};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back().push_back(c);
  }
  return parts;
}

double positive_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw Usage(fmt::format("'{}' is not a number > 0", text));
  return value;
}

std::vector<double> positive_numbers(const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : split(text)) values.push_back(positive_number(part));
  return values;
}

Request parse(const std::vector<std::string>& arguments) {
  Request request;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& key = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) throw Usage(key + " needs a value");
      return arguments[++i];
    };
    if (key == "--csv")
      request.csv = true;
    else if (key == "--methods")
      request.methods = split(value());
    else if (key == "--rtol")
      request.rtol = positive_numbers(value());
    else if (key == "--steps")
      request.steps = positive_numbers(value());
    else if (key == "--t-end")
      request.t_end = positive_number(value());
    else if (key == "--formulation")
      request.formulation = value();
    else if (key == "--stabilization")
      request.stabilization = value();
    else if (key == "--repetitions")
      request.repetitions = std::max(1, static_cast<int>(positive_number(value())));
    else if (key.starts_with("--"))
      throw Usage("unknown option " + key);
    else if (request.target.empty())
      request.target = key;
    else
      throw Usage("one problem or model at a time, found also '" + key + "'");
  }
  if (request.target.empty()) throw Usage("which problem or model?");
  return request;
}

// --------------------------------------------------------------------------------------- what is simulated
struct Target {
  std::unique_ptr<DescriptorSystem> system;
  State start;
  double t_end = 1;
  std::map<std::string, double> reference;  // position by name, at t_end
  std::string reference_source;
};

Target problem_target(const ProblemRecord& record, const Request& request) {
  ProblemInstance problem = instantiate(record, Options(record.name, record.options, {}));
  Target target;
  target.system = std::move(problem.system);
  target.start = problem.start;
  target.t_end = request.t_end.value_or(record.t_end);
  const std::vector<std::string>& names = target.system->layout().q_names;
  for (const ReferenceValue& value : record.values)
    if (std::abs(value.t - target.t_end) <= 1e-12 * target.t_end &&
        std::find(names.begin(), names.end(), value.name) != names.end())
      target.reference[value.name] = value.value;
  if (!target.reference.empty()) target.reference_source = record.reference;
  return target;
}

Target model_target(const std::string& path, const Request& request) {
  const Model model = read_model(path);
  CompiledModel compiled = compile(model, model.simulate.coordinates.value_or("reference-point"), path);
  Target target;
  target.start = assemble(compiled, 0, path).state;
  target.system = std::move(compiled.system);
  target.t_end = request.t_end.value_or(model.simulate.t_end.value_or(1));
  return target;
}

Setup setup_for(const Request& request, const Target& target, const std::string& integrator) {
  Setup setup;
  setup.formulation = request.formulation;
  setup.integrator = integrator;
  setup.stabilization = request.stabilization;
  setup.t_end = target.t_end;
  setup.record = false;
  return setup;
}

void compute_reference(const Request& request, Target& target) {
  Setup setup = setup_for(request, target, "dopri5");
  setup.rtol = 1e-12;
  const Results results = simulate(*target.system, target.start, setup);
  if (!results.good()) throw std::runtime_error("the reference run failed: " + results.message);
  const std::vector<std::string>& names = target.system->layout().q_names;
  for (size_t i = 0; i < names.size(); ++i)
    target.reference[names[i]] = results.final.q[static_cast<Eigen::Index>(i)];
  target.reference_source = "own run of dopri5, rtol 1e-12: errors below about 1e-10 mean nothing";
}

Target resolve(const Request& request) {
  Target target;
  if (const ProblemRecord* record = find_problem(request.target)) {
    target = problem_target(*record, request);
  } else {
    const bool is_path = request.target.find('/') != std::string::npos || request.target.ends_with(".json");
    const std::string path =
        is_path ? request.target : fmt::format("{}/models/{}.json", DRIFTLESS_SOURCE_DIR, request.target);
    if (!std::filesystem::exists(path)) throw Usage(fmt::format("no problem or model '{}'", request.target));
    target = model_target(path, request);
  }
  if (target.reference.empty()) compute_reference(request, target);
  return target;
}

// -------------------------------------------------------------------------------------------- measurement
struct Row {
  std::string method;
  std::string setting;
  double error = 0;
  double cpu = 0;  // s
  Statistics statistics;
  Drift drift;
  std::string failure;  // empty if the run ended well
};

double error_of(const Target& target, const State& final) {
  const Layout& layout = target.system->layout();
  double error = 0;
  for (size_t i = 0; i < layout.q_names.size(); ++i) {
    const auto known = target.reference.find(layout.q_names[i]);
    if (known == target.reference.end()) continue;
    const auto at = static_cast<Eigen::Index>(i);
    const double off = std::abs(final.q[at] - known->second) / layout.q_scale[at];
    if (!(off <= error)) error = off;  // keeps a NaN
  }
  return error;
}

Row measure(const Request& request, const Target& target, const Setup& setup, std::string setting) {
  Row row;
  row.method = setup.integrator;
  row.setting = std::move(setting);
  row.cpu = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < request.repetitions; ++repetition) {
    const std::clock_t begin = std::clock();
    const Results results = simulate(*target.system, target.start, setup);
    row.cpu = std::min(row.cpu, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    row.statistics = results.statistics;
    row.drift = results.drift;
    row.error = error_of(target, results.final);
    if (!results.good()) {
      row.failure = name(results.status);
      break;
    }
  }
  return row;
}

std::vector<Row> sweep(const Request& request, const Target& target) {
  std::vector<double> steps = request.steps;
  if (steps.empty())
    for (int k = 0; k < 8; ++k) steps.push_back(target.t_end / (250 << k));
  std::vector<Row> rows;
  for (const IntegratorRecord* record : integrator_records()) {
    const std::string& method = record->method.name;
    if (!request.methods.empty() &&
        std::find(request.methods.begin(), request.methods.end(), method) == request.methods.end())
      continue;
    Setup setup = setup_for(request, target, method);
    for (const double value : record->adaptive ? request.rtol : steps) {
      (record->adaptive ? setup.rtol : setup.step) = value;
      rows.push_back(
          measure(request, target, setup, fmt::format("{}={:.3g}", record->adaptive ? "rtol" : "h", value)));
    }
  }
  return rows;
}

void check_methods(const Request& request) {
  for (const std::string& method : request.methods) {
    std::string known;
    bool found = false;
    for (const IntegratorRecord* record : integrator_records()) {
      known += (known.empty() ? "" : ", ") + record->method.name;
      found = found || record->method.name == method;
    }
    if (!found) throw Usage(fmt::format("no integrator '{}'; there are {}", method, known));
  }
}

// ------------------------------------------------------------------------------------------------- output
void print_table(const Request& request, const Target& target, const std::vector<Row>& rows) {
  fmt::print("{} to t = {:g}, {}; reference: {}\n\n", request.target, target.t_end, request.formulation,
             target.reference_source);
  fmt::print("{:<12} {:>12} {:>10} {:>10} {:>9} {:>10} {:>9} {:>9}\n", "method", "setting", "error", "CPU ms",
             "steps", "evals", "|g|", "|Jv-nu|");
  const std::string* previous = nullptr;
  for (const Row& row : rows) {
    if (previous != nullptr && *previous != row.method) fmt::print("\n");
    previous = &row.method;
    fmt::print("{:<12} {:>12} {:>10} {:10.3f} {:9d} {:10d} {:9.1e} {:9.1e}{}\n", row.method, row.setting,
               row.failure.empty() ? fmt::format("{:.2e}", row.error) : "-", 1e3 * row.cpu,
               row.statistics.steps(), row.statistics.evaluations, row.drift.position_max,
               row.drift.velocity_max, row.failure.empty() ? "" : "  " + row.failure);
  }
}

void print_csv(const std::vector<Row>& rows) {
  fmt::print("method,setting,error,cpu_seconds,steps,evaluations,drift_position,drift_velocity,failure\n");
  for (const Row& row : rows)
    fmt::print("{},{},{:.6e},{:.6e},{},{},{:.3e},{:.3e},{}\n", row.method, row.setting, row.error, row.cpu,
               row.statistics.steps(), row.statistics.evaluations, row.drift.position_max,
               row.drift.velocity_max, row.failure);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Request request = parse({arguments + 1, arguments + count});
    check_methods(request);
    const Target target = resolve(request);
    const std::vector<Row> rows = sweep(request, target);
    if (request.csv)
      print_csv(rows);
    else
      print_table(request, target, rows);
    return 0;
  } catch (const Usage& mistake) {
    fmt::print(stderr, "{}\n", mistake.what());
    return 2;
  } catch (const InputError& mistake) {
    fmt::print(stderr, "{}\n", mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench_work_precision: {}\n", failure.what());
    return 1;
  }
}
