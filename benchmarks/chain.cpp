// How the cost of a right-hand side (all terms, factorisation, solution) grows with the number of bodies N:
//   relative coordinates on an open spatial chain of revolutes about alternating axes, by articulated bodies and with M
//   formed, against a chain written by hand (handwritten_chain.hpp);
//   the same on a planar chain of pins;
//   reference-point coordinates and their KKT system on the same chain, and on a ladder of N four-bars;
//   one step of implicit schemes (h = 1 ms) on the same chain, tangents and factors as they are renewed on the way.
// Behind the list of Google Benchmark follow the ratios: cost per body, growth between neighbouring N (1: linear), and
// multiples of the chain written by hand.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

#include "handwritten_chain.hpp"

namespace {

using namespace driftless;

// ---- mechanisms -----------------------------------------------------------------------------------------------------

constexpr double kLength = 0.2, kMass = 0.7;
const Vec3 kCenter(0.09, 0.01, -0.02);  // of a link, from its joint
const Vec3 kGravity(0, 0, -9.81);

Eigen::Matrix3d inertia() {
  Eigen::Matrix3d I;
  I << 4e-4, 3e-5, -2e-5, 3e-5, 2.6e-3, 1e-5, -2e-5, 1e-5, 2.5e-3;
  return I;
}

bool about_y(int i) { return i % 2 == 0; }

PointRef point(const std::string& body, const Vec3& at) { return {body, "", at, false}; }
DirectionRef along(const std::string& body, const Vec3& u) { return {body, "", u, false}; }

Body make_link(const std::string& name, const Vec3& position) {
  Body link;
  link.name = name;
  link.mass = kMass;
  link.inertia_tensor = inertia();
  link.center_of_mass = kCenter;
  link.position = position;
  return link;
}

Element pin(const std::string& name, const PointRef& a, const PointRef& b, const Vec3& axis) {
  return {name, "revolute", {{"a", a}, {"b", b}, {"axis", along(a.body, axis)}}};
}

// Drawn straight along x, which is where all angles are zero.
Model chain_model(int N) {
  Model model;
  model.name = fmt::format("chain of {}", N);
  model.space = Space::spatial;
  model.gravity = kGravity;
  for (int i = 0; i < N; ++i) {
    model.bodies.push_back(make_link(fmt::format("link{}", i + 1), Vec3(i * kLength, 0, 0)));
    const PointRef inboard =
        i == 0 ? point("ground", Vec3::Zero()) : point(fmt::format("link{}", i), Vec3(kLength, 0, 0));
    model.joints.push_back(pin(fmt::format("pin{}", i + 1), inboard,
                               point(model.bodies.back().name, Vec3::Zero()),
                               about_y(i) ? Vec3::UnitY() : Vec3::UnitZ()));
  }
  return model;
}

// The same in the plane.
Model planar_chain_model(int N) {
  Model model;
  model.name = fmt::format("planar chain of {}", N);
  model.gravity = {0, -9.81, 0};
  for (int i = 0; i < N; ++i) {
    Body link;
    link.name = fmt::format("link{}", i + 1);
    link.mass = kMass;
    link.inertia = 2.5e-3;
    link.center_of_mass = Vec3(kCenter.x(), kCenter.y(), 0);
    link.position = Vec3(i * kLength, 0, 0);
    model.bodies.push_back(link);
    const PointRef inboard =
        i == 0 ? point("ground", Vec3::Zero()) : point(fmt::format("link{}", i), Vec3(kLength, 0, 0));
    model.joints.push_back(
        {fmt::format("pin{}", i + 1), "revolute", {{"a", inboard}, {"b", point(link.name, Vec3::Zero())}}});
  }
  return model;
}

// N squares in a row on the ground: uprights 0 … N pinned below, each joined to the next by a bar on top.
Model ladder_model(int N) {
  Model model;
  model.name = fmt::format("{} four-bars", N);
  model.gravity = {0, -9.81, 0};
  const auto bar = [&](const std::string& name, const Vec3& at, double angle) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = 1.0 / 12;
    body.position = at;
    body.angle = angle;
    model.bodies.push_back(body);
  };
  const auto joint = [&](const std::string& name, const PointRef& a, const PointRef& b) {
    model.joints.push_back({name, "revolute", {{"a", a}, {"b", b}}});
  };
  const Vec3 low(-0.5, 0, 0), high(0.5, 0, 0);
  for (int i = 0; i <= N; ++i) {
    const std::string upright = fmt::format("upright{}", i);
    bar(upright, Vec3(i, 0.5, 0), M_PI / 2);
    joint(fmt::format("foot{}", i), point("ground", Vec3(i, 0, 0)), point(upright, low));
  }
  for (int i = 0; i < N; ++i) {
    const std::string top = fmt::format("top{}", i);
    bar(top, Vec3(i + 0.5, 1, 0), 0);
    joint(fmt::format("left{}", i), point(fmt::format("upright{}", i), high), point(top, low));
    joint(fmt::format("right{}", i), point(top, high), point(fmt::format("upright{}", i + 1), high));
  }
  return model;
}

// ---- what is timed --------------------------------------------------------------------------------------------------

double angle_of(int i) { return 0.4 * std::sin(1.3 * i + 0.2); }
double rate_of(int i) { return 0.8 * std::cos(0.7 * i); }

// A system with one state, its terms and its solver.
struct Target {
  CompiledModel compiled;
  std::unique_ptr<DescriptorSystem> own;  // in place of that of `compiled`
  State state;
  Terms terms;
  std::unique_ptr<MotionSolver> solver;
  Vec vdot, lambda;

  const DescriptorSystem& system() const { return own ? *own : *compiled.system; }
  void prepare() {
    const Layout& layout = system().layout();
    terms = system().make_terms();
    solver = system().make_solver();
    vdot.resize(layout.nv);
    lambda.resize(layout.m);
  }
  bool evaluate() {
    system().evaluate(state.t, state.q, state.v, terms);
    return solver->factor(terms) == Status::ok &&
           solver->solve(terms.f, terms.gamma, vdot, lambda) == Status::ok;
  }
};

std::unique_ptr<Target> relative_chain(int N, RelativeSystem<3>::Path path) {
  auto target = std::make_unique<Target>();
  target->compiled = compile(chain_model(N), "relative", "chain");
  const auto& system = static_cast<const RelativeSystem<3>&>(*target->compiled.system);
  target->own = std::make_unique<RelativeSystem<3>>(system.parts(), system.shared_tree(), path);
  target->state = target->compiled.guess;
  for (int i = 0; i < N; ++i) {
    target->state.q[i] = angle_of(i);
    target->state.v[i] = rate_of(i);
  }
  target->prepare();
  return target;
}

std::unique_ptr<Target> planar_relative_chain(int N, RelativeSystem<2>::Path path) {
  auto target = std::make_unique<Target>();
  target->compiled = compile(planar_chain_model(N), "relative", "chain");
  const auto& system = static_cast<const RelativeSystem<2>&>(*target->compiled.system);
  target->own = std::make_unique<RelativeSystem<2>>(system.parts(), system.shared_tree(), path);
  target->state = target->compiled.guess;
  for (int i = 0; i < N; ++i) {
    target->state.q[i] = angle_of(i);
    target->state.v[i] = rate_of(i);
  }
  target->prepare();
  return target;
}

std::unique_ptr<Target> reference_point(const Model& model) {
  auto target = std::make_unique<Target>();
  target->compiled = compile(model, "reference-point", model.name);
  target->state = target->compiled.guess;
  target->prepare();
  return target;
}

template <int N>
std::unique_ptr<handwritten::Chain<N>> handwritten_chain() {
  auto chain = std::make_unique<handwritten::Chain<N>>();
  chain->gravity = {kGravity[0], kGravity[1], kGravity[2]};
  // z of a link is its axis: frames of links about y are turned by −90° about x.
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitX()).toRotationMatrix();
  const auto axes = [&](int i) { return about_y(i) ? turned : Eigen::Matrix3d(Eigen::Matrix3d::Identity()); };
  const auto row = [](const Eigen::Matrix3d& A, int k) { return handwritten::V3{A(k, 0), A(k, 1), A(k, 2)}; };
  for (int i = 0; i < N; ++i) {
    const Eigen::Matrix3d inboard = i == 0 ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : axes(i - 1);
    const Eigen::Matrix3d T = inboard.transpose() * axes(i), I = axes(i).transpose() * inertia() * axes(i);
    const Vec3 o = inboard.transpose() * Vec3(i == 0 ? 0 : kLength, 0, 0), c = axes(i).transpose() * kCenter;
    chain->links[size_t(i)] = {{row(T, 0), row(T, 1), row(T, 2)},
                               {o[0], o[1], o[2]},
                               kMass,
                               {c[0], c[1], c[2]},
                               {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
  }
  return chain;
}

void time_target(benchmark::State& run, Target& target) {
  if (!target.evaluate()) return run.SkipWithError("singular");
  for (auto _ : run) {
    target.evaluate();
    benchmark::DoNotOptimize(target.vdot.data());
    benchmark::ClobberMemory();
  }
}

template <int N>
void written_by_hand(benchmark::State& run) {
  const auto chain = handwritten_chain<N>();
  std::vector<double> q, v, a(N);
  for (int i = 0; i < N; ++i) {
    q.push_back(angle_of(i));
    v.push_back(rate_of(i));
  }
  for (auto _ : run) {
    chain->accelerate(q.data(), v.data(), a.data());
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  // Both must say the same, or the comparison means nothing.
  const auto relative = relative_chain(N, RelativeSystem<3>::Path::articulated);
  relative->evaluate();
  double difference = 0, size = 0;
  for (int i = 0; i < N; ++i) {
    difference = std::max(difference, std::abs(a[size_t(i)] - relative->vdot[i]));
    size = std::max(size, std::abs(a[size_t(i)]));
  }
  run.SetLabel(fmt::format("differs by {:.0e}", difference / size));
}

void relative_articulated(benchmark::State& run) {
  time_target(run, *relative_chain(int(run.range(0)), RelativeSystem<3>::Path::articulated));
}
void relative_formed(benchmark::State& run) {
  time_target(run, *relative_chain(int(run.range(0)), RelativeSystem<3>::Path::composite));
}
void planar_articulated(benchmark::State& run) {
  time_target(run, *planar_relative_chain(int(run.range(0)), RelativeSystem<2>::Path::articulated));
}
void planar_formed(benchmark::State& run) {
  time_target(run, *planar_relative_chain(int(run.range(0)), RelativeSystem<2>::Path::composite));
}
void reference_chain(benchmark::State& run) {
  time_target(run, *reference_point(chain_model(int(run.range(0)))));
}
void reference_ladder(benchmark::State& run) {
  time_target(run, *reference_point(ladder_model(int(run.range(0)))));
}

// A step of an implicit scheme; the chain falls from rest.
void time_steps(benchmark::State& run,
                const char* coordinates,
                const char* formulation,
                const char* integrator) {
  const CompiledModel compiled = compile(chain_model(int(run.range(0))), coordinates, "chain");
  const Choices choices = choose_methods(formulation, integrator, "none", {}, true);
  const auto form = choices.make_form(*compiled.system);
  Statistics statistics;
  form->statistics = &statistics;
  StepControl control;
  control.step = 1e-3;
  const auto scheme = choices.integrator->make(*form, statistics, control, choices.integrator_options);
  Vec y(form->size());
  form->pack(compiled.guess, 0, y);
  bool good = scheme->start(0, y, 1) == Status::ok;
  for (int k = 0; good && k < 3; ++k) good = scheme->advance(1e3) == Status::ok;
  if (!good) return run.SkipWithError("no step");
  for (auto _ : run) good = good && scheme->advance(1e3) == Status::ok;
  if (!good) run.SkipWithError("no step");
}
void step_generalized_alpha(benchmark::State& run) {
  time_steps(run, "reference-point", "index3", "generalized-alpha");
}
void step_sdirk4(benchmark::State& run) { time_steps(run, "reference-point", "lagrange", "sdirk4"); }
void step_bdf(benchmark::State& run) { time_steps(run, "euler-parameters", "index2", "bdf"); }
void step_radau(benchmark::State& run) { time_steps(run, "euler-parameters", "index2-ggl", "radau-iia5"); }

BENCHMARK_TEMPLATE(written_by_hand, 10)->Name("written_by_hand/10");
BENCHMARK_TEMPLATE(written_by_hand, 100)->Name("written_by_hand/100");
BENCHMARK_TEMPLATE(written_by_hand, 1000)->Name("written_by_hand/1000");
BENCHMARK_TEMPLATE(written_by_hand, 10000)->Name("written_by_hand/10000");
BENCHMARK(relative_articulated)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Arg(30)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(relative_formed)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Arg(30)->Arg(100);
BENCHMARK(planar_articulated)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Arg(30)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(planar_formed)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Arg(30)->Arg(100);
BENCHMARK(reference_chain)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(reference_ladder)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(step_generalized_alpha)->Arg(250)->Arg(500)->Arg(1000)->Arg(2000)->Iterations(10);
BENCHMARK(step_sdirk4)->Arg(250)->Arg(500)->Arg(1000)->Arg(2000)->Iterations(10);
BENCHMARK(step_bdf)->Arg(250)->Arg(500)->Arg(1000)->Arg(2000)->Iterations(10);
BENCHMARK(step_radau)->Arg(250)->Arg(500)->Arg(1000)->Arg(2000)->Iterations(10);

// ---- ratios ---------------------------------------------------------------------------------------------------------

// Keeps CPU times in nanoseconds by name and N.
class Keeper : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const std::string name = run.benchmark_name();
      const auto slash = name.find('/');
      if (slash == std::string::npos || run.error_occurred) continue;
      times[name.substr(0, slash)][std::stoi(name.substr(slash + 1))] = run.GetAdjustedCPUTime();
    }
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, std::map<int, double>> times;
};

void print_ratios(const std::map<std::string, std::map<int, double>>& times) {
  fmt::print("\n{:22} {:>6} {:>14} {:>8} {:>16}\n", "", "N", "ns per body", "growth", "to one by hand");
  const auto by_hand = times.find("written_by_hand");
  for (const auto& [name, of_N] : times) {
    std::pair<int, double> before{0, 0};
    for (const auto& [N, time] : of_N) {
      fmt::print("{:22} {:6} {:14.1f}", name, N, time / N);
      if (before.first > 0)
        fmt::print(" {:8.2f}", std::log(time / before.second) / std::log(double(N) / before.first));
      else
        fmt::print(" {:8}", "");
      if (by_hand != times.end() && by_hand->second.count(N) > 0 && !name.starts_with("planar") &&
          name.find("ladder") == std::string::npos)
        fmt::print(" {:16.2f}", time / by_hand->second.at(N));
      fmt::print("\n");
      before = {N, time};
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Keeper keeper;
  benchmark::RunSpecifiedBenchmarks(&keeper);
  print_ratios(keeper.times);
}
