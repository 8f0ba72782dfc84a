// Every formulation: the same motion as the others on five mechanisms and in every coordinate set, the order of the scheme,
// the drift it must have, and multipliers.
#include <map>
#include <optional>

#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// A system, wherever it comes from, with the motion all formulations must agree on.
struct Mechanism {
  ProblemInstance problem;
  AssembledModel model;
  double t_end = 0;
  double step = 0;  // of the residual forms' schemes
  Results reference;

  const DescriptorSystem& system() const { return problem.system ? *problem.system : model.system(); }
  const State& start() const { return problem.system ? problem.start : model.start(); }
};

Results reference_run(const DescriptorSystem& system, const State& start, double t_end) {
  RunSetup setup = figures_only(t_end);
  setup.rtol = 1e-11;
  Results results = simulate(system, start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return results;
}

const Mechanism& mechanism(const std::string& name) {
  static std::map<std::string, Mechanism> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  Mechanism& m = known[name];
  if (name == "andrews") {
    m.problem = problem("andrews");
    m.t_end = 0.01;
    m.step = 2e-5;
  } else if (name == "double-pendulum") {
    m.problem = problem("double-pendulum");
    m.t_end = 1;
    m.step = 2e-3;
  } else {
    m.model = assembled(model_file(name));
    m.t_end = 0.5;
    m.step = 2e-3;
  }
  m.reference = reference_run(m.system(), m.start(), m.t_end);
  return m;
}

bool is_ode(const std::string& formulation) {
  for (const auto* record : formulation_records())
    if (record->method.name == formulation) return record->kind == FormKind::ode;
  return false;
}

// Largest error of a position, in scales of the coordinates.
double error_of(const Results& results, const Mechanism& m) {
  return (results.final.q - m.reference.final.q)
      .cwiseQuotient(m.system().layout().q_scale)
      .lpNorm<Eigen::Infinity>();
}

class EveryFormulation : public ::testing::TestWithParam<const FormulationRecord*> {
 protected:
  std::string name() const { return GetParam()->method.name; }
  bool ode() const { return GetParam()->kind == FormKind::ode; }

  Results run(const Mechanism& m, RunSetup setup) const {
    setup.formulation = name();
    // Quaternions with angular velocities: the one residual scheme that moves along rotations takes index3 and index2.
    if (!ode() && m.system().layout().nq != m.system().layout().nv) setup.integrator = "generalized-alpha";
    Results results = simulate(m.system(), m.start(), setup);
    EXPECT_TRUE(results.good()) << name() << ": " << results.message;
    return results;
  }
};

class EveryFormulationOn
    : public ::testing::TestWithParam<std::tuple<const FormulationRecord*, const char*>> {};

TEST_P(EveryFormulationOn, GivesTheSameMotion) {
  const FormulationRecord& record = *std::get<0>(GetParam());
  const Mechanism& m = mechanism(std::get<1>(GetParam()));
  RunSetup setup = figures_only(m.t_end);
  setup.formulation = record.method.name;
  if (record.kind == FormKind::ode) {
    setup.rtol = 1e-9;
    const Results results = simulate(m.system(), m.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(error_of(results, m), 2e-6);
    return;
  }
  if (m.system().layout().nq != m.system().layout().nv) {
    if (record.method.name == "index2-ggl") GTEST_SKIP() << "its schemes need coordinates with dq/dt = v";
    setup.integrator = "generalized-alpha";
  }
  std::vector<double> errors;
  for (const double h : {m.step, m.step / 2}) {
    setup.step = h;
    const Results results = simulate(m.system(), m.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    errors.push_back(error_of(results, m));
  }
  EXPECT_LT(errors[1], 2e-3);
  EXPECT_NEAR(order(errors[0], errors[1]), 2, 0.3);
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms,
    EveryFormulationOn,
    ::testing::Combine(
        ::testing::ValuesIn(formulation_records().begin(), formulation_records().end()),
        ::testing::Values("andrews", "slider-crank", "four-bar", "spatial-double-pendulum", "rolling-disc")),
    [](const auto& test) {
      return plain(std::get<0>(test.param)->method.name) + "_on_" + plain(std::get<1>(test.param));
    });

TEST_P(EveryFormulation, GivesTheSameMotionInEveryCoordinateSet) {
  EXPECT_FALSE(GetParam()->method.reference.empty());
  for (const char* model : {"slider-crank", "spatial-slider-crank"})
    for (const char* coordinates : {"reference-point", "euler-parameters", "natural", "relative"}) {
      if (model == std::string("slider-crank") && coordinates == std::string("euler-parameters")) continue;
      Mechanism m;
      m.model = assembled(model_file(model), coordinates);
      if (!ode() && m.system().layout().nq != m.system().layout().nv && name() == "index2-ggl") continue;
      m.t_end = 0.3;
      m.reference = reference_run(m.system(), m.start(), m.t_end);
      RunSetup setup = figures_only(m.t_end);
      if (ode())
        setup.rtol = 1e-8;
      else
        setup.step = 1e-3;
      const Results results = run(m, setup);
      EXPECT_LT(error_of(results, m), ode() ? 1e-5 : 1e-3) << model << " " << coordinates;
    }
}

// Accelerations and multipliers at a state are those of the motion itself, whatever a formulation adds to hold it.
TEST_P(EveryFormulation, RecoversMultipliers) {
  for (const char* model : {"slider-crank", "rolling-disc", "spatial-double-pendulum"}) {
    const Mechanism& m = mechanism(model);
    const State& state = m.reference.final;
    const auto react = [&](const std::string& formulation) {
      const Choices choices = choose_methods(formulation, "", "", {}, true);
      const auto form = choices.formulation->make(m.system(), choices.formulation_options);
      Reaction reaction;
      EXPECT_EQ(form->react(state, reaction), Status::ok);
      return reaction;
    };
    const Reaction expected = react("lagrange"), found = react(name());
    const double tolerance = name() == "penalty" ? 1e-5 : 1e-9;
    EXPECT_LT(max_difference(found.vdot, expected.vdot), tolerance * (1 + max_abs(expected.vdot))) << model;
    EXPECT_LT(max_difference(found.lambda, expected.lambda), tolerance * (1 + max_abs(expected.lambda)))
        << model;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry,
                         EveryFormulation,
                         ::testing::ValuesIn(formulation_records().begin(), formulation_records().end()),
                         [](const auto& test) { return plain(test.param->method.name); });

// ---- order and drift ------------------------------------------------------------------------------------------------

struct SlopeCase {
  std::string formulation, stabilization;
  std::map<std::string, std::string> options;
  double position, velocity;  // power of h in the drift with rk4; 0: round-off
};

const std::vector<SlopeCase>& slope_cases() {
  static const std::vector<SlopeCase> cases = {
      {"lagrange", "none", {}, 4, 4},
      {"lagrange", "none", {{"solver", "schur"}}, 4, 4},
      {"baumgarte", "none", {}, 4, 4},
      {"stabilized-field", "none", {{"field", "full"}}, 4, 4},
      {"stabilized-field", "none", {{"field", "both"}}, 4, 4},
      {"stabilized-field", "none", {{"field", "p1p2"}}, 4, 4},
      {"stabilized-field", "none", {{"field", "two-step"}}, 4, 4},
      {"penalty", "projection", {}, 0, 0},
      {"augmented-lagrangian", "none", {}, 4, 4},
      {"augmented-lagrangian", "projection", {}, 0, 0},
      {"projection-dependent", "none", {}, 4, 4},
      {"partitioned", "none", {{"state", "independent"}}, 0, 0},
      {"partitioned", "none", {{"state", "extended"}}, 0, 0},
      {"partitioned", "none", {{"choice", "svd"}}, 0, 0},
      {"projection-independent", "none", {{"algorithm", "5-5"}}, 0, 0},
      {"projection-independent", "none", {{"algorithm", "5-5"}, {"basis", "qr"}}, 0, 0},
      {"projection-independent", "none", {{"algorithm", "5-4"}}, 0, 0},
      {"canonical-lagrange", "none", {}, 4, 0},
      {"canonical-lagrange", "projection", {}, 0, 0},
      {"canonical-augmented", "none", {}, 4, 4},
      {"canonical-augmented", "projection", {}, 0, 0},
      {"canonical-independent", "none", {}, 0, 0},
      {"index2-ggl", "none", {{"order", "3"}}, 0, 0},
      {"index2", "none", {{"order", "3"}}, 3, 0},
      {"index3", "none", {{"order", "3"}}, 0, 3},
  };
  return cases;
}

class FormulationSlopes : public ::testing::TestWithParam<SlopeCase> {};

// With rk4 (bdf of order 3 for residual forms) the motion converges with the order of the scheme and the drift with the
// power the formulation promises.
TEST_P(FormulationSlopes, OrderAndDrift) {
  const SlopeCase& c = GetParam();
  const bool ode = is_ode(c.formulation);
  std::map<std::string, int> mechanisms, seen;  // that have a slope to show; whose slope was above round-off
  for (const char* name : {"double-pendulum", "slider-crank", "rolling-disc", "heavy-top"}) {
    const Mechanism& m = mechanism(name);
    if (!ode && m.system().layout().nq != m.system().layout().nv) continue;
    if (c.options.contains("solver") && name == std::string("double-pendulum"))
      continue;  // its M is singular
    const double expected = ode ? 4 : 3;
    std::vector<double> errors, position, velocity;
    for (const int steps : {100, 200}) {
      RunSetup setup = fixed(m.t_end, ode ? "rk4" : "bdf", m.t_end / steps);
      setup.formulation = c.formulation;
      setup.stabilization = c.stabilization;
      setup.options = c.options;
      const Results results = simulate(m.system(), m.start(), setup);
      ASSERT_TRUE(results.good()) << name << ": " << results.message;
      errors.push_back(error_of(results, m));
      position.push_back(results.drift.position_max);
      velocity.push_back(results.drift.velocity_max);
    }
    ++mechanisms["motion"];
    if (errors[1] > 1e-10) {
      ++seen["motion"];
      EXPECT_GT(order(errors[0], errors[1]), expected - 0.5) << name;
      EXPECT_LT(order(errors[0], errors[1]), expected + 1.3) << name;
    }
    const double speed = 1 + max_abs(m.reference.final.v);
    const auto check = [&](const std::vector<double>& drift, double slope, double scale, const char* level) {
      if (slope == 0) {
        EXPECT_LT(drift[1], 1e-11 * scale) << name << ", " << level;
        return;
      }
      ++mechanisms[level];
      if (drift[1] > 1e-11) {
        ++seen[level];
        EXPECT_GT(order(drift[0], drift[1]), slope - 0.6) << name << ", " << level;
      }
    };
    check(position, c.position, 1, "position");
    check(velocity, c.velocity, ode ? speed : 100 * speed, "velocity");
  }
  // Some are too good to show it, not most of them.
  for (const auto& [level, count] : mechanisms) EXPECT_GE(2 * seen[level], count) << level;
}

INSTANTIATE_TEST_SUITE_P(Theory, FormulationSlopes, ::testing::ValuesIn(slope_cases()), [](const auto& test) {
  std::string name = plain(test.param.formulation) + "_" + plain(test.param.stabilization);
  for (const auto& [option, value] : test.param.options) name += "_" + plain(option) + "_" + plain(value);
  return name;
});

// Positions that are integrated beside the independent ones drift with a power above that of the scheme; with the steps of
// OrderAndDrift that is round-off already.
TEST(Formulation, DriftOfExtendedStatesShowsAtLongSteps) {
  const Mechanism& m = mechanism("double-pendulum");
  for (const auto& [formulation, option, value] :
       {std::tuple{"partitioned", "state", "extended"},
        std::tuple{"projection-independent", "algorithm", "5-4"}}) {
    std::vector<double> drift;
    for (const int steps : {24, 48}) {
      RunSetup setup = fixed(m.t_end, "rk4", m.t_end / steps);
      setup.formulation = formulation;
      setup.stabilization = "none";
      setup.options = {{option, value}};
      const Results results = simulate(m.system(), m.start(), setup);
      ASSERT_TRUE(results.good()) << formulation << ": " << results.message;
      drift.push_back(results.drift.position_max);
    }
    EXPECT_GT(drift[1], 1e-13) << formulation;
    EXPECT_GT(order(drift[0], drift[1]), 5 - 0.6) << formulation;
  }
}

TEST(Formulation, AllHaveTheirSlopesMeasured) {
  for (const auto* record : formulation_records()) {
    const auto measured = [&](const SlopeCase& c) { return c.formulation == record->method.name; };
    EXPECT_TRUE(std::any_of(slope_cases().begin(), slope_cases().end(), measured)) << record->method.name;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
