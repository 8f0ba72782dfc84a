// What generality costs: Andrews' squeezing mechanism on [0, 0.3] by DOPRI5 with post-stabilisation,
//   hand-written     a program for this one problem, none of our abstractions (handwritten_andrews.hpp)
//   andrews          the library on the same seven angles (problems/andrews.cpp)
//   andrews-bodies   the library on bodies and joints, models/andrews-bodies.json: 21 coordinates
//   relative         the same model in relative coordinates: the seven angles again, found from the joints
// CPU seconds per simulated second. Repetitions are interleaved and the fastest of each counts, so that a
// busy machine slows all alike. Tolerances do not mean the same error everywhere; the second table
// therefore compares at equal error at t = 0.3, on straight lines log CPU over log error fitted through all
// tolerances.
//
//   bench_speed [--repetitions N]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/simulate.hpp"

#include "handwritten_andrews.hpp"

namespace {

using namespace driftless;

constexpr double t_end = 0.3;
constexpr std::array<double, 11> tolerances = {1e-4, 3.16e-5, 1e-5, 3.16e-6, 1e-6, 3.16e-7,
                                               1e-7, 3.16e-8, 1e-8, 3.16e-9, 1e-9};
constexpr std::array<double, 4> target_errors = {1e-3, 1e-4, 2e-5, 1e-5};

using BodyAngles = std::array<double, 7>;  // absolute, of K1 … K7

BodyAngles absolute(ConstVec q) { return {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]}; }

// How far the bodies turn in [0, 0.3], from the reference values of the problem.
BodyAngles reference_turns() {
  const ProblemRecord& record = *find_problem("andrews");
  const ProblemInstance problem = record.make(Options());
  const Layout& layout = problem.system->layout();
  Vec q = Vec::Constant(7, std::numeric_limits<double>::quiet_NaN());
  for (const ReferenceValue& value : record.values)
    for (size_t i = 0; i < 7; ++i)
      if (value.t == t_end && value.name == layout.q_names[i]) q[static_cast<Eigen::Index>(i)] = value.value;
  BodyAngles turns = absolute(q);
  const BodyAngles start = absolute(problem.start.q);
  for (size_t i = 0; i < turns.size(); ++i) turns[i] -= start[i];
  return turns;
}

double largest_error(const BodyAngles& start, const BodyAngles& end, const BodyAngles& turns) {
  double error = 0;
  for (size_t i = 0; i < turns.size(); ++i) {
    const double off = std::abs(end[i] - start[i] - turns[i]);
    if (!(off <= error)) error = off;  // keeps a NaN
  }
  return error;
}

struct Outcome {
  double error = 0;  // largest error of a body's angle at t_end
  long evaluations = 0;
};

struct Contestant {
  std::string name;
  std::function<Outcome(double rtol)> run;
  std::array<Outcome, tolerances.size()> outcomes{};
  std::array<double, tolerances.size()> cpu{};  // fastest run, s
};

Results run_library(const DescriptorSystem& system, const State& start, double rtol) {
  Setup setup;
  setup.t_end = t_end;
  setup.rtol = rtol;
  setup.record = false;
  Results results = simulate(system, start, setup);
  if (!results.good()) throw std::runtime_error("run failed: " + results.message);
  return results;
}

Contestant handwritten_contestant(const BodyAngles& turns) {
  const auto angles = [](const std::array<double, 7>& q) {
    return absolute(Eigen::Map<const Vec>(q.data(), 7));
  };
  std::array<double, 7> start{};
  std::copy_n(handwritten::start.begin(), 7, start.begin());
  return {"hand-written", [=](double rtol) {
            const HandwrittenResult result = run_handwritten_andrews(t_end, rtol, rtol / 10);
            return Outcome{largest_error(angles(start), angles(result.q), turns), result.evaluations};
          }};
}

Contestant problem_contestant(const ProblemInstance& problem, const BodyAngles& turns) {
  return {"andrews", [&problem, turns](double rtol) {
            const Results results = run_library(*problem.system, problem.start, rtol);
            return Outcome{largest_error(absolute(problem.start.q), absolute(results.final.q), turns),
                           results.statistics.evaluations};
          }};
}

// A model of the seven bodies and its start.
struct AssembledModel {
  CompiledModel compiled;
  State start;
};

AssembledModel assemble_bodies(const std::string& coordinates) {
  const std::string path = DRIFTLESS_SOURCE_DIR "/models/andrews-bodies.json";
  AssembledModel model{compile(read_model(path), coordinates, path), {}};
  model.start = assemble(model.compiled, 0, path).state;
  return model;
}

using Positions = std::array<Eigen::Index, 7>;

Positions positions_of(const std::array<const char*, 7>& names, const Layout& layout) {
  Positions positions{};
  for (size_t i = 0; i < positions.size(); ++i) {
    const auto found = std::find(layout.q_names.begin(), layout.q_names.end(), names[i]);
    if (found == layout.q_names.end())
      throw std::runtime_error(fmt::format("andrews-bodies has no {}", names[i]));
    positions[i] = found - layout.q_names.begin();
  }
  return positions;
}

BodyAngles pick(ConstVec q, const Positions& positions) {
  BodyAngles angles;
  for (size_t i = 0; i < positions.size(); ++i) angles[i] = q[positions[i]];
  return angles;
}

// Frames of the bodies may be turned against those of the equations, so only turns are compared.
Contestant bodies_contestant(const AssembledModel& model, const BodyAngles& turns) {
  const Positions at =
      positions_of({"K1.theta", "K2.theta", "K3.theta", "K4.theta", "K5.theta", "K6.theta", "K7.theta"},
                   model.compiled.system->layout());
  return {"andrews-bodies", [&model, turns, at](double rtol) {
            const Results results = run_library(*model.compiled.system, model.start, rtol);
            return Outcome{largest_error(pick(model.start.q, at), pick(results.final.q, at), turns),
                           results.statistics.evaluations};
          }};
}

Contestant relative_contestant(const AssembledModel& model, const BodyAngles& turns) {
  const Positions at = positions_of({"pin_O.angle", "pin_F.angle", "pin_B.angle", "pin_G.angle",
                                     "pin_A5.angle", "pin_H.angle", "pin_A7.angle"},
                                    model.compiled.system->layout());
  const auto angles = [at](ConstVec q) {
    const BodyAngles joint_angles = pick(q, at);
    return absolute(Eigen::Map<const Vec>(joint_angles.data(), 7));
  };
  return {"relative", [&model, turns, angles](double rtol) {
            const Results results = run_library(*model.compiled.system, model.start, rtol);
            return Outcome{largest_error(angles(model.start.q), angles(results.final.q), turns),
                           results.statistics.evaluations};
          }};
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void race(std::vector<Contestant>& contestants, int repetitions) {
  for (Contestant& contestant : contestants) contestant.cpu.fill(std::numeric_limits<double>::infinity());
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (size_t i = 0; i < tolerances.size(); ++i)
      for (Contestant& contestant : contestants) {
        const double begin = cpu_seconds();
        contestant.outcomes[i] = contestant.run(tolerances[i]);
        contestant.cpu[i] = std::min(contestant.cpu[i], cpu_seconds() - begin);
      }
}

// CPU time at an error, on the line fitted through all tolerances.
double cpu_at(const Contestant& contestant, double error) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < tolerances.size(); ++i) {
    const double x = std::log(contestant.outcomes[i].error), y = std::log(contestant.cpu[i]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return std::exp((sy - slope * sx) / n + slope * std::log(error));
}

void print_tolerances(const std::vector<Contestant>& contestants) {
  fmt::print(
      "At equal tolerance (atol = rtol/10): CPU s per simulated s, largest angle error at 0.3, "
      "evaluations\n\n");
  fmt::print("{:>8}", "rtol");
  for (const Contestant& contestant : contestants) fmt::print("  | {:^34}", contestant.name);
  fmt::print("\n{:>8}", "");
  for (size_t c = 0; c < contestants.size(); ++c)
    fmt::print("  | {:>8} {:>6} {:>9} {:>8}", "CPU s/s", c == 0 ? "" : "ratio", "error", "evals");
  fmt::print("\n");
  for (size_t i = 0; i < tolerances.size(); ++i) {
    fmt::print("{:8.2g}", tolerances[i]);
    for (const Contestant& contestant : contestants) {
      const double ratio = contestant.cpu[i] / contestants[0].cpu[i];
      const std::string ratio_text = &contestant == &contestants[0] ? "" : fmt::format("{:.2f}", ratio);
      fmt::print("  | {:8.4f} {:>6} {:9.1e} {:8d}", contestant.cpu[i] / t_end, ratio_text,
                 contestant.outcomes[i].error, contestant.outcomes[i].evaluations);
    }
    fmt::print("\n");
  }
}

void print_equal_errors(const std::vector<Contestant>& contestants) {
  fmt::print("\nAt equal achieved error: CPU s per simulated s (ratio to the first)\n\n{:>10}", "error rad");
  for (const Contestant& contestant : contestants) fmt::print("  {:>20}", contestant.name);
  fmt::print("\n");
  for (const double error : target_errors) {
    fmt::print("{:10.0e}", error);
    const double floor = cpu_at(contestants[0], error);
    for (const Contestant& contestant : contestants) {
      const double cpu = cpu_at(contestant, error);
      fmt::print("  {:>20}", fmt::format("{:.4f} ({:5.2f})", cpu / t_end, cpu / floor));
    }
    fmt::print("\n");
  }
}

int repetitions_from(int count, char** arguments) {
  if (count == 1) return 7;
  if (count == 3 && std::string_view(arguments[1]) == "--repetitions") {
    const int repetitions = std::atoi(arguments[2]);
    if (repetitions > 0) return repetitions;
  }
  throw std::invalid_argument("usage: bench_speed [--repetitions N]");
}

void run(int count, char** arguments) {
  const int repetitions = repetitions_from(count, arguments);
  const BodyAngles turns = reference_turns();
  const ProblemInstance problem = find_problem("andrews")->make(Options());
  const AssembledModel bodies = assemble_bodies("reference-point"), relative = assemble_bodies("relative");

  std::vector<Contestant> contestants;
  contestants.push_back(handwritten_contestant(turns));
  contestants.push_back(problem_contestant(problem, turns));
  contestants.push_back(bodies_contestant(bodies, turns));
  contestants.push_back(relative_contestant(relative, turns));
  race(contestants, repetitions);
  print_tolerances(contestants);
  print_equal_errors(contestants);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count, arguments);
    return 0;
  } catch (const std::invalid_argument& mistake) {
    fmt::print(stderr, "{}\n", mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench_speed: {}\n", failure.what());
    return 1;
  }
}
