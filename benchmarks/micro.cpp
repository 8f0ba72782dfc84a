// Micro-benchmarks: one evaluation of all terms, one KKT factorisation and solve, one step of dopri5 with
// pstab; for the seven angles of `andrews` (13 unknowns), as equations and as a model in relative coordinates,
// and hanging chains of N bars in reference-point coordinates (5 N unknowns) and relative ones (N). Where the direct and the regularised KKT kernel cross is read off here
// (KktSolver::kDirectLimit).
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/math/linear/kkt_solver.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace {

using namespace driftless;

// A chain of bars of length 1 and mass 1 that starts straight, 45° from the vertical, at rest.
Model chain_model(int links) {
  Model model;
  model.name = fmt::format("chain of {}", links);
  model.gravity = {0, -9.81, 0};
  const double angle = -std::numbers::pi / 4;
  for (int i = 0; i < links; ++i) {
    Body bar;
    bar.name = fmt::format("bar{}", i + 1);
    bar.mass = 1;
    bar.inertia = 1.0 / 12;
    bar.angle = angle;
    bar.position = (i + 0.5) * Vec3(std::cos(angle), std::sin(angle), 0);
    model.bodies.push_back(bar);

    PointRef upper, lower;
    upper.body = i == 0 ? "ground" : fmt::format("bar{}", i);
    upper.at = Vec3(i == 0 ? 0 : 0.5, 0, 0);
    lower.body = bar.name;
    lower.at = Vec3(-0.5, 0, 0);
    model.joints.push_back({fmt::format("pin{}", i + 1), "revolute", {{"a", upper}, {"b", lower}}});
  }
  return model;
}

ProblemInstance andrews() { return find_problem("andrews")->make(Options()); }

ProblemInstance instance_of(const Model& model, const std::string& coordinates) {
  CompiledModel compiled = compile(model, coordinates, model.name);
  ProblemInstance instance;
  instance.start = assemble(compiled, 0, model.name).state;
  instance.system = std::move(compiled.system);
  return instance;
}

ProblemInstance chain(int links) { return instance_of(chain_model(links), "reference-point"); }
ProblemInstance chain_relative(int links) { return instance_of(chain_model(links), "relative"); }
ProblemInstance shipped(const std::string& model, const std::string& coordinates) {
  return instance_of(read_model(DRIFTLESS_SOURCE_DIR "/models/" + model + ".json"), coordinates);
}
ProblemInstance andrews_relative() { return shipped("andrews-bodies", "relative"); }

template <class Record>
const Record& find(std::span<const Record* const> records, std::string_view name) {
  for (const Record* record : records)
    if (record->method.name == name) return *record;
  throw std::runtime_error(fmt::format("no method {}", name));
}

void evaluate(const ProblemInstance& problem, Terms& terms) {
  const State& at = problem.start;
  problem.system->evaluate(at.t, at.q, at.v, terms);
}

// ------------------------------------------------------------------------------------------- what is timed
void time_terms(benchmark::State& run, const ProblemInstance& problem) {
  Terms terms = problem.system->make_terms();
  for (auto _ : run) {
    evaluate(problem, terms);
    benchmark::DoNotOptimize(terms.f.data());
    benchmark::ClobberMemory();
  }
}

void time_kkt(benchmark::State& run, const ProblemInstance& problem, KktSolver::Method method) {
  Terms terms = problem.system->make_terms();
  evaluate(problem, terms);
  const Layout& layout = problem.system->layout();
  KktSolver kkt(layout.M, layout.J, method);
  Vec vdot(layout.nv), lambda(layout.m);
  for (auto _ : run) {
    Status status = kkt.factor(terms.M, terms.J);
    if (status == Status::ok) status = kkt.solve(terms.f, terms.gamma, vdot, lambda);
    if (status != Status::ok) return run.SkipWithError("the KKT matrix is singular");
    benchmark::DoNotOptimize(vdot.data());
    benchmark::ClobberMemory();
  }
  run.SetLabel(
      fmt::format("{} unknowns, {}", layout.nv + layout.m, kkt.is_direct() ? "direct" : "regularized"));
}

// Fixed steps, so that each is six evaluations and one correction; back to the start before the motion
// changes its pace.
void time_step(benchmark::State& run, const ProblemInstance& problem, double h) {
  const Options none;
  Statistics statistics;
  const auto form = find(formulation_records(), "lagrange").make(*problem.system, none);
  const auto& pstab = find(stabilization_records(), "pstab");
  const auto settle = pstab.make(*problem.system, Options("pstab", pstab.method.options, {}), nullptr);
  form->statistics = settle->statistics = &statistics;
  form->stabilization = settle.get();
  StepControl control;
  control.step = h;
  control.max_steps = std::numeric_limits<long>::max();
  const auto integrator = find(integrator_records(), "dopri5").make(*form, statistics, control, none);
  Vec y(form->size());
  form->pack(problem.start, 0, y);
  constexpr int span = 1000;  // steps between two starts
  int taken = span;
  for (auto _ : run) {
    if (taken == span) {
      run.PauseTiming();
      if (integrator->start(problem.start.t, y, 1) != Status::ok) return run.SkipWithError("cannot start");
      taken = 0;
      run.ResumeTiming();
    }
    if (integrator->advance(1e9) != Status::ok) return run.SkipWithError("a step failed");
    ++taken;
  }
}

// --------------------------------------------------------------------------------------------- the list
void terms_andrews(benchmark::State& run) { time_terms(run, andrews()); }
void terms_andrews_relative(benchmark::State& run) { time_terms(run, andrews_relative()); }
void terms_model(benchmark::State& run, const char* model, const char* coordinates) {
  time_terms(run, shipped(model, coordinates));
}
void terms_chain(benchmark::State& run) { time_terms(run, chain(static_cast<int>(run.range(0)))); }
void terms_chain_relative(benchmark::State& run) {
  time_terms(run, chain_relative(static_cast<int>(run.range(0))));
}
void kkt_andrews_direct(benchmark::State& run) { time_kkt(run, andrews(), KktSolver::Method::direct); }
void kkt_andrews_regularized(benchmark::State& run) {
  time_kkt(run, andrews(), KktSolver::Method::regularized);
}
void kkt_chain_direct(benchmark::State& run) {
  time_kkt(run, chain(static_cast<int>(run.range(0))), KktSolver::Method::direct);
}
void kkt_chain_regularized(benchmark::State& run) {
  time_kkt(run, chain(static_cast<int>(run.range(0))), KktSolver::Method::regularized);
}
void step_andrews(benchmark::State& run) { time_step(run, andrews(), 1e-5); }
void step_andrews_relative(benchmark::State& run) { time_step(run, andrews_relative(), 1e-5); }
void step_chain_relative(benchmark::State& run) {
  time_step(run, chain_relative(static_cast<int>(run.range(0))), 1e-4);
}
void step_chain(benchmark::State& run) { time_step(run, chain(static_cast<int>(run.range(0))), 1e-4); }

BENCHMARK(terms_andrews);
BENCHMARK(terms_andrews_relative);
BENCHMARK_CAPTURE(terms_model, andrews_reference_point, "andrews-bodies", "reference-point");
BENCHMARK_CAPTURE(terms_model, andrews_natural, "andrews-bodies", "natural");
BENCHMARK_CAPTURE(terms_model, bricard_reference_point, "bricard", "reference-point");
BENCHMARK_CAPTURE(terms_model, bricard_euler_parameters, "bricard", "euler-parameters");
BENCHMARK_CAPTURE(terms_model, bricard_natural, "bricard", "natural");
BENCHMARK_CAPTURE(terms_model, bricard_relative, "bricard", "relative");
BENCHMARK(terms_chain)->Arg(2)->Arg(8)->Arg(32)->Arg(128);
BENCHMARK(terms_chain_relative)->Arg(2)->Arg(8)->Arg(32)->Arg(128);
BENCHMARK(kkt_andrews_direct);
BENCHMARK(kkt_andrews_regularized);
BENCHMARK(kkt_chain_direct)->Arg(2)->Arg(8)->Arg(32)->Arg(128)->Arg(512);
BENCHMARK(kkt_chain_regularized)->Arg(2)->Arg(8)->Arg(32)->Arg(128)->Arg(512);
BENCHMARK(step_andrews);
BENCHMARK(step_andrews_relative);
BENCHMARK(step_chain)->Arg(2)->Arg(8)->Arg(32)->Arg(128);
BENCHMARK(step_chain_relative)->Arg(2)->Arg(8)->Arg(32)->Arg(128);

}  // namespace

BENCHMARK_MAIN();
