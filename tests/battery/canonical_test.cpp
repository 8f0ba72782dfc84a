// The canonical forms against index 1: a wrong sign of σ keeps the velocity constraints and loses the motion, so motions
// are compared; λ = σ̇; the gauge; momenta with M(q), moving rows, nonholonomic rows and work.
#include <cmath>

#include <gtest/gtest.h>

#include "driftless/formulation/formulation.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/equations.hpp"
#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kAngle = -1.3159331177, kRate = -3.8327426843;  // slider-crank, t = 2

std::unique_ptr<OdeForm> make_form(const std::string& name, const DescriptorSystem& system) {
  for (const auto* record : formulation_records())
    if (record->method.name == name) return record->make(system, Options(name, record->method.options, {}));
  return nullptr;
}

// Classical Runge–Kutta without what comes behind a step.
void integrate(OdeForm& form, double& t, Vec& y, double h, int steps) {
  Vec k1(y.size()), k2(y.size()), k3(y.size()), k4(y.size());
  for (int n = 0; n < steps; ++n, t += h) {
    ASSERT_EQ(form.derivative(t, y, k1), Status::ok);
    ASSERT_EQ(form.derivative(t + h / 2, y + h / 2 * k1, k2), Status::ok);
    ASSERT_EQ(form.derivative(t + h / 2, y + h / 2 * k2, k3), Status::ok);
    ASSERT_EQ(form.derivative(t + h, y + h * k3, k4), Status::ok);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

// σ of p = M v + Jᵀσ at a point.
Vec sigma_at(const DescriptorSystem& system, double t, const Vec& y) {
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  system.position(t, y.head(layout.nq), terms);
  system.mass(t, y.head(layout.nq), terms);
  const auto solver = make_kkt_motion_solver(layout);
  EXPECT_EQ(solver->factor(terms), Status::ok);
  Vec v(layout.nv), sigma(layout.m);
  EXPECT_EQ(solver->solve(y.segment(layout.nq, layout.nv), terms.nu, v, sigma), Status::ok);
  return sigma;
}

TEST(CanonicalLagrange, MultipliersAreTheRatesOfSigma) {
  const auto crank = make_system(SliderCrank{});
  const auto arm = make_system(TwoArm{});
  const std::pair<const DescriptorSystem*, State> cases[] = {{crank.get(), SliderCrank::at(0.4, 3)},
                                                             {arm.get(), TwoArm::start()}};
  for (const auto& [system, start] : cases) {
    const auto form = make_form("canonical-lagrange", *system);
    Vec y(form->size());
    form->pack(start, 0, y);
    double t = 0;
    integrate(*form, t, y, 1e-3, 200);
    const double h = 0.02;
    Vec rate = Vec::Zero(system->layout().m);
    for (const int side : {-2, -1, 1, 2}) {
      Vec moved = y;
      double at = t;
      integrate(*form, at, moved, side * h / 40, 40);
      rate += (side % 2 == 0 ? -side / 2.0 : 8.0 * side) * sigma_at(*system, at, moved) / (12 * h);
    }
    State state;
    form->unpack(t, y, state);
    Reaction reaction;
    ASSERT_EQ(form->react(state, reaction), Status::ok);
    EXPECT_LT(max_difference(rate, reaction.lambda), 1e-4 * max_abs(reaction.lambda));
  }
}

TEST(CanonicalLagrange, GaugeOfTheMomentaDoesNotMatter) {
  const auto system = make_system(SliderCrank{});
  const Layout& layout = system->layout();
  const auto form = make_form("canonical-lagrange", *system);
  const State start = SliderCrank::at(0.4, 3);
  Vec y(form->size());
  form->pack(start, 0, y);
  Vec shifted = y;
  Terms terms = system->make_terms();
  system->position(0, start.q, terms);
  add_transposed_rows(terms, 1, Vec::LinSpaced(layout.m, -3, 4), shifted.segment(layout.nq, layout.nv));
  State one, other;
  double t = 0;
  integrate(*form, t, y, 1e-3, 500);
  form->unpack(t, y, one);
  t = 0;
  integrate(*form, t, shifted, 1e-3, 500);
  form->unpack(t, shifted, other);
  EXPECT_LT(max_difference(one.q, other.q), 1e-9);
  EXPECT_LT(max_difference(one.v, other.v), 1e-8);
}

class Canonical : public ::testing::TestWithParam<std::string> {
 protected:
  RunSetup setup(double t_end, double rtol) const {
    RunSetup out = figures_only(t_end);
    out.formulation = GetParam();
    out.rtol = rtol;
    return out;
  }
};

TEST_P(Canonical, MovesAsIndexOneDoes) {
  const auto system = make_system(SliderCrank{});
  for (const char* stabilization : {"projection", "pstab", "none"}) {
    RunSetup run = setup(2, 1e-9);
    run.stabilization = stabilization;
    const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.final.q[2], kAngle, 1e-7) << stabilization;
    EXPECT_NEAR(results.final.v[2], kRate, 1e-6) << stabilization;
    EXPECT_LT(results.energy->max_relative_error, 1e-7) << stabilization;
    EXPECT_LT(results.drift.velocity_max, 1e-7) << stabilization;
  }
}

TEST_P(Canonical, KeepsTheOrderOfTheScheme) {
  const auto system = make_system(SliderCrank{});
  double error[3];
  for (int k = 0; k < 3; ++k) {
    RunSetup run = fixed(2, "rk4", 0.01 / (1 << k));
    run.formulation = GetParam();
    const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
    ASSERT_TRUE(results.good()) << results.message;
    error[k] = std::abs(results.final.q[2] - kAngle);
  }
  for (const int k : {0, 1}) {
    EXPECT_GT(order(error[k], error[k + 1]), 3.5);
    EXPECT_LT(order(error[k], error[k + 1]), 5.2);
  }
}

TEST_P(Canonical, MassAndRowsMayChange) {
  const auto system = make_system(TwoArm{});
  const Results results = simulate(*system, TwoArm::start(), setup(2, 1e-9));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT((results.final.q - TwoArm::at_two_seconds()).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(results.energy->max_relative_error, 1e-7);  // with the work of the moving row
}

TEST_P(Canonical, HoldsNonholonomicRows) {
  const auto system = make_system(KnifeEdge{});
  const Results results = simulate(*system, KnifeEdge::start(), setup(3, 1e-9));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT((results.final.q - KnifeEdge::exact(3)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(results.energy->max_relative_error, 1e-7);
}

TEST_P(Canonical, RunsMechanismsInEveryCoordinates) {
  const Model model = model_file("slider-crank");
  RunSetup other = figures_only(0.5);
  other.rtol = 1e-10;
  const auto run_in = [&](const std::string& coordinates, RunSetup run) {
    const std::map<std::string, std::string> options =
        coordinates == "relative" ? std::map<std::string, std::string>{{"mass", "formed"}}
                                  : std::map<std::string, std::string>{};
    const auto mechanism = assembled(model, coordinates, options);
    const Results results = simulate(mechanism.system(), mechanism.start(), run);
    EXPECT_TRUE(results.good()) << coordinates << " " << results.message;
    return results.final_quantities;
  };
  const Vec expected = run_in("reference-point", other);
  ASSERT_GT(expected.size(), 0);
  for (const char* coordinates : {"reference-point", "natural", "relative"})
    EXPECT_LT(max_difference(run_in(coordinates, setup(0.5, 1e-9)), expected), 1e-5) << coordinates;
}

TEST_P(Canonical, MassesMayBeMissing) {
  const auto pendulum = problem("double-pendulum");
  const Results results = simulate(*pendulum.system, pendulum.start, setup(1, 1e-9));
  RunSetup other = figures_only(1);
  other.rtol = 1e-10;
  const Results expected = simulate(*pendulum.system, pendulum.start, other);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Battery,
                         Canonical,
                         ::testing::Values("canonical-lagrange", "canonical-augmented"),
                         [](const auto& test) { return plain(test.param); });

// One differentiation less: the drift of positions is far below that of index 1.
TEST(CanonicalLagrange, DriftsLessThanIndexOne) {
  const auto system = make_system(SliderCrank{});
  RunSetup run = fixed(2, "rk4", 0.01);
  run.stabilization = "none";
  const Results index1 = simulate(*system, SliderCrank::at(0.4, 3), run);
  run.formulation = "canonical-lagrange";
  const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
  EXPECT_LT(results.drift.position_max, index1.drift.position_max / 5);
  EXPECT_LT(results.drift.velocity_max, 1e-13);
}

TEST(CanonicalLagrange, ContinuedRunIsTheUninterruptedOne) {
  const auto system = make_system(SliderCrank{});
  const State start = SliderCrank::at(0.4, 3);
  RunSetup run = figures_only(1);
  run.formulation = "canonical-lagrange";
  const Results whole = simulate(*system, start, run);
  run.t_end = 0.41;
  const Results first = simulate(*system, start, run);
  ASSERT_TRUE(first.checkpoint);
  run.t_end = 1;
  run.checkpoint = first.checkpoint;
  const Results rest = simulate(*system, start, run);
  EXPECT_EQ(max_difference(rest.final.q, whole.final.q), 0);
  EXPECT_EQ(max_difference(rest.final.v, whole.final.v), 0);
}

// The first form of the source is "stiff": its errors grow with the penalty.
// y holds the choice of independent coordinates as a whole number: dense output must hand it on to the last bit.
TEST(CanonicalIndependent, RecordsBetweenStepsKnowTheirChoice) {
  const AssembledModel masses = assembled(model_file("point-masses"));
  for (const char* integrator : {"dopri5", "dop853", "rosenbrock4", "radau-iia5", "sdirk4", "trapezoidal"}) {
    RunSetup setup;
    setup.t_end = 1;
    setup.output_step = 0.001;
    setup.formulation = "canonical-independent";
    setup.integrator = integrator;
    const Results results = simulate(masses.system(), masses.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    for (size_t i = 0; i < results.trajectory.size(); ++i)
      ASSERT_TRUE(std::isfinite(results.trajectory.v.at(i, 0)))
          << integrator << " at " << results.trajectory.t[i];
  }
}

TEST(CanonicalAugmented, BasicVariantIsFarWorse) {
  const auto system = make_system(SliderCrank{});
  const auto error = [&](const char* variant, const char* penalty) {
    RunSetup run = fixed(2, "rk4", 0.005);
    run.formulation = "canonical-augmented";
    run.stabilization = "none";
    run.options = {{"variant", variant}, {"penalty", penalty}};
    const Results results = simulate(*system, SliderCrank::at(0.4, 3), run);
    EXPECT_TRUE(results.good()) << results.message;
    return std::abs(results.final.q[2] - kAngle);
  };
  EXPECT_GT(error("basic", "1e3"), 10 * error("modified", "1e3"));
  EXPECT_LT(error("basic", "10"), 1e-3);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
