// Flexible bodies over long runs and with every method: spin-up, pendulum, drift, the matrix of methods, cost.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

#include "driftless/integrator/choices.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

#include "support/flexible_models.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

double named(const Results& results, const DescriptorSystem& system, const std::string& name) {
  const auto names = system.quantity_names();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return results.final_quantities[Eigen::Index(i)];
  ADD_FAILURE() << "no " << name;
  return 0;
}

// ---- F14: how far the spun-up beam is stretched in the end.
TEST(SpinUp, SteadyExtension_full) {
  const AssembledModel model =
      assembled(flexible_problem("spinup-beam", {{"beam", "geometric"}, {"elements", "16"}}));
  RunSetup setup = fixed(20, "generalized-alpha", 0.004);
  setup.formulation = "index3";
  setup.record = true;
  setup.output_step = 0.004;
  const Results results = simulate(model.system(), model.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  double sum = 0;
  int count = 0;
  const Table& table = results.trajectory.quantities;
  for (size_t k = 0; k < table.rows(); ++k)
    if (results.trajectory.t[k] > 16) {
      sum += std::hypot(table.at(k, 1), table.at(k, 2)) - 10;
      ++count;
    }
  EXPECT_NEAR(sum / count, 5.14e-4, 0.01 * 5.14e-4);
}

// ---- F17: other methods come to the same.
TEST(FlexiblePendulum, OtherMethodsConvergeToTheSame_full) {
  const AssembledModel model = assembled(flexible_problem("flexible-pendulum", {{"elements", "4"}}));
  const Vec2 exact(0.9618275081674695, -0.23075920956033083);
  RunSetup radau = figures_only(0.2);
  radau.integrator = "radau-iia5";
  radau.rtol = 1e-9;
  const Results one = simulate(model.system(), model.start(), radau);
  ASSERT_TRUE(one.good()) << one.message;
  EXPECT_LT((one.final_quantities.head<2>() - exact).norm(), 1e-7);
  EXPECT_NEAR(one.energy->final, one.energy->initial, 1e-6);
  double before = 0;
  for (const double h : {1e-4, 5e-5}) {
    RunSetup alpha = fixed(0.2, "generalized-alpha", h);
    alpha.formulation = "index3";
    const Results two = simulate(model.system(), model.start(), alpha);
    ASSERT_TRUE(two.good()) << two.message;
    const double error = (two.final_quantities.head<2>() - exact).norm();
    if (before > 0) {
      EXPECT_LT(error, before / 2.5);
    }
    EXPECT_LT(error, 2e-4);
    before = error;
  }
  const Results sharpest = simulate(model.system(), model.start(), finest(0.2));
  EXPECT_LT(std::abs(sharpest.energy->final - sharpest.energy->initial), 1e-9);
}

// ---- F11: drift over 4 s; figures 5.8 to 5.13 of the source.
TEST(FlexibleSliderCrank, DriftOverFourSeconds_full) {
  const AssembledModel model = assembled(flexible_problem("flexible-slider-crank", {{"phi_rate", "180"}}));
  const auto run = [&](const char* formulation, const char* stabilization, double rtol,
                       std::map<std::string, std::string> options, double t_end = 4) {
    RunSetup setup = figures_only(t_end);
    setup.integrator = "dopri5";
    setup.formulation = formulation;
    setup.stabilization = stabilization;
    setup.rtol = rtol;
    setup.atol = rtol / 10;
    setup.max_steps = 10000000;
    setup.options = std::move(options);
    return simulate(model.system(), model.start(), setup);
  };
  const Results sharper = run("lagrange", "pstab", 1e-5, {});
  ASSERT_TRUE(sharper.good()) << sharper.message;
  EXPECT_NEAR(named(sharper, model.system(), "phi"), 179.643928, 1e-5);
  const Results pstab = run("lagrange", "pstab", 1e-4, {});
  ASSERT_TRUE(pstab.good()) << pstab.message;
  EXPECT_LT(pstab.drift.position_max, 1e-13);
  EXPECT_LT(pstab.drift.velocity_max, 1e-11);
  const Results half = run("baumgarte", "none", 1e-4, {{"alpha", "30"}, {"beta", "100"}}, 2);
  const Results baumgarte = run("baumgarte", "none", 1e-4, {{"alpha", "30"}, {"beta", "100"}});
  ASSERT_TRUE(baumgarte.good()) << baumgarte.message;
  EXPECT_LT(baumgarte.drift.position_max, 1.5 * half.drift.position_max);  // it does not grow
  EXPECT_GT(baumgarte.drift.position_max, 1e4 * pstab.drift.position_max);
  EXPECT_LT(baumgarte.drift.position_max, 1e-5);
  const Results loose = run("lagrange", "pstab", 1e-3, {});  // unstable on the undamped rod: never silently
  EXPECT_TRUE(!loose.good() || !loose.warnings.empty() || loose.energy->max_relative_error < 0.01);
  RunSetup alpha = fixed(4, "generalized-alpha", 1e-4);
  alpha.formulation = "index3";
  alpha.options = {{"rho_inf", "0.8"}};
  alpha.record = true;
  alpha.output_step = 1e-4;
  const Results implicit = simulate(model.system(), model.start(), alpha);
  ASSERT_TRUE(implicit.good()) << implicit.message;
  EXPECT_NEAR(named(implicit, model.system(), "phi"), 179.643928, 1e-3);
  const auto names = model.system().quantity_names();
  const auto deflection = size_t(std::find(names.begin(), names.end(), "deflection") - names.begin());
  double most = 0;
  const Table& table = implicit.trajectory.quantities;
  for (size_t k = 0; k < table.rows(); ++k) most = std::max(most, std::abs(table.at(k, deflection)));
  EXPECT_NEAR(most, 0.3165, 1e-3);
}

// ---- F21: every method that fits, nodal and modal.
TEST(FlexibleSliderCrank, EveryMethodThatFits_full) {
  for (const char* modes : {"0", "2"}) {
    const AssembledModel model =
        assembled(flexible_problem("flexible-slider-crank", {{"phi_rate", "120"}, {"modes", modes}}));
    const Results exact = simulate(model.system(), model.start(), finest(0.01));
    ASSERT_TRUE(exact.good()) << exact.message;
    const auto values = [&](const Results& results) {
      return Vec2(named(results, model.system(), "phi"), named(results, model.system(), "deflection"));
    };
    int tried = 0, stabilized = 0;
    const auto step_of =
        [](const FormulationRecord& formulation) {  // of its own integrator, where that takes fixed ones
          for (const auto* integrator : integrator_records())
            if (integrator->method.name == formulation.default_integrator)
              return integrator->adaptive ? 0.0 : 5e-6;
          return 0.0;
        };
    for (const auto* formulation : formulation_records())
      for (const auto* integrator : integrator_records()) {
        if (!fits(*formulation, *integrator)) {
          EXPECT_FALSE(why_not(*formulation, *integrator).empty());
          continue;
        }
        RunSetup setup = figures_only(0.01);
        setup.formulation = formulation->method.name;
        setup.integrator = integrator->method.name;
        setup.rtol = 1e-6;
        setup.max_steps = 200000;  // heun takes 112 000 at this tolerance
        if (!integrator->adaptive) setup.step = 2e-6;
        SCOPED_TRACE(std::string("modes ") + modes + ": " + formulation->method.name + "/" +
                     integrator->method.name);
        const Results results = simulate(model.system(), model.start(), setup);
        // What does not suit undamped vibrations may end, but not silently: euler, whose amplitudes grow by ω²h/2 a second (below);
        // BDF on momenta that penalties find, whose multipliers leave over what its error test sees at this tolerance;
        // the trapezoidal rule on index 3, whose multipliers and accelerations swing undamped until the error test sees only them.
        const std::string &name = integrator->method.name, &form = formulation->method.name;
        const bool may_end = name == "euler" || (name == "bdf" && form == "canonical-augmented") ||
                             (name == "newmark" && form == "index3");
        EXPECT_TRUE(results.good() || (may_end && !results.message.empty())) << results.message;
        if (!results.good()) continue;
        // Orders 1 and 2 of fixed steps, penalties: what such a method is worth here, not 1e-6.
        const Vec2 error = (values(results) - values(exact)).cwiseAbs();
        EXPECT_LT(error[0], 1e-3);
        EXPECT_LT(error[1], integrator->adaptive ? 2e-3 : 2e-2);
        ++tried;
      }
    EXPECT_GT(tried, 200);
    for (const auto* formulation :
         formulation_records())  // every stabilization with what a formulation is used with
      for (const auto* stabilization : stabilization_records()) {
        RunSetup setup = figures_only(0.01);
        setup.formulation = formulation->method.name;
        setup.stabilization = stabilization->method.name;
        setup.rtol = 1e-6;
        setup.max_steps = 200000;
        setup.step = step_of(*formulation);
        SCOPED_TRACE(std::string("modes ") + modes + ": " + formulation->method.name + "/" +
                     stabilization->method.name);
        try {
          const Results results = simulate(model.system(), model.start(), setup);
          EXPECT_TRUE(results.good()) << results.message;
          const Vec2 error = (values(results) - values(exact)).cwiseAbs();
          EXPECT_LT(error[0], 1e-3);
          EXPECT_LT(error[1], 2e-3);
          ++stabilized;
        } catch (const InputError& error) {
          EXPECT_NE(std::string(error.what()).find(stabilization->method.name), std::string::npos)
              << error.what();
        }
      }
    EXPECT_GT(stabilized, 40);
    RunSetup shorter = fixed(0.01, "euler", 2e-8);
    shorter.max_steps = 1000000;
    const Results euler = simulate(model.system(), model.start(), shorter);
    ASSERT_TRUE(euler.good()) << euler.message;
    EXPECT_LT((values(euler) - values(exact)).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// ---- F22: what an element costs does not grow with their number.
TEST(FlexibleCost, IsLinearInTheNumberOfElements_full) {
  for (const bool cable : {false, true}) {
    std::vector<double> cost;
    for (const int n : {50, 200, 1000, 2000}) {
      FlexibleSpec spec = straight_mesh(1, n, given_section(1e4, 1, 0.1));
      if (cable) {
        spec.type = FlexibleSpec::Type::cable;
        spec.stiffening = FlexibleSpec::Stiffening::none;
      }
      Model model;
      model.name = "pendulum";
      model.bodies = {flexible_body("beam", spec)};
      model.joints = {element("pin", "revolute",
                              {{"a", PointRef{"ground", "", Vec3::Zero()}}, {"b", point("beam", "A")}})};
      const CompiledModel compiled = compile(model, "reference-point", "cost");
      const DescriptorSystem& system = *compiled.system;
      Terms terms = system.make_terms();
      const auto solver = system.make_solver();
      Vec a(system.layout().nv), lambda(system.layout().m), q = compiled.guess.q;
      double best = 1e300;
      for (int k = 0; k < 9; ++k) {
        q = compiled.guess.q;
        system.retract(q, Vec::Constant(system.layout().nv, 1e-4 * (k + 1)));
        const auto begin = std::chrono::steady_clock::now();
        system.evaluate(0, q, compiled.guess.v, terms);
        ASSERT_EQ(solver->factor(terms), Status::ok);
        ASSERT_EQ(solver->solve(terms.f, terms.gamma, a, lambda), Status::ok);
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      cost.push_back(1e6 * best / n);
      std::printf("%s, %d elements: %.2f us an element\n", cable ? "cable" : "floating frame", n,
                  cost.back());
    }
    // Caches let short beams be quicker; a square would be forty times.
    EXPECT_LT(cost.back() / cost.front(), 3) << cable;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
