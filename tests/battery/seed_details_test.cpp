// Details of the sources: Paul's scheme, the hybrid of Park & Haug, the two-step field that is not normalised, averaged loads,
// strains and unstable members of GSSSS, what a scheme carries of its own, the trapezoidal rule with its energy held.
#include "driftless/core/errors.hpp"

#include "support/order_problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results partitioned_andrews(const std::map<std::string, std::string>& options, double rtol = 1e-6) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  setup.formulation = "partitioned";
  setup.options = options;
  setup.rtol = rtol;
  return simulate(*andrews.system, andrews.start, setup);
}

TEST(Partitioned, PaulsSchemeDriftsWithTheErrorOfTheScheme) {
  const Results corrected = partitioned_andrews({{"state", "extended"}});
  const Results loose = partitioned_andrews({{"state", "paul"}}, 1e-5),
                tight = partitioned_andrews({{"state", "paul"}}, 1e-8);
  ASSERT_TRUE(loose.good() && tight.good());
  EXPECT_LT(corrected.drift.position_max, 1e-13);
  EXPECT_GT(loose.drift.position_max, 1e-9);
  EXPECT_LT(tight.drift.position_max, 0.03 * loose.drift.position_max);
  EXPECT_LT(loose.drift.velocity_max, 1e-13);  // velocities are solved for
  EXPECT_LT(max_difference(tight.final.q, corrected.final.q), 1e-3);
}

TEST(Partitioned, TheHybridDampsBeyondItsToleranceOnly) {
  const Results tight = partitioned_andrews({{"state", "hybrid"}, {"tolerance", "1e-9"}});
  const Results loose = partitioned_andrews({{"state", "hybrid"}, {"tolerance", "1e-3"}});
  ASSERT_TRUE(tight.good() && loose.good());
  EXPECT_LT(tight.drift.velocity_max, 0.1 * loose.drift.velocity_max);
  EXPECT_LT(max_difference(tight.final.q, loose.final.q), 1e-3);
  EXPECT_THROW(partitioned_andrews({{"tolerance", "1e-3"}}), InputError);
}

TEST(StabilizedField, TwoStepsNeedNotBeNormalised) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(2);
  setup.formulation = "stabilized-field";
  setup.options = {{"field", "two-step"}};
  const Results usual = simulate(*pendulum.system, pendulum.start, setup);
  for (const char* rows : {"unit", "raw"}) {
    setup.options = {
        {"field", "two-step-transpose"}, {"rows", rows}, {"gain", rows == std::string("raw") ? "2" : "10"}};
    const Results results = simulate(*pendulum.system, pendulum.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.drift.position_max, 1e-5) << rows;
    EXPECT_LT(max_difference(results.final.q, usual.final.q), 1e-4) << rows;
  }
}

// ---- GSSSS -----------------------------------------------------------------------------------------------------------
double gssss_error(const std::map<std::string, std::string>& options, double h) {
  RunSetup setup = fixed(1, "gssss", h);
  setup.formulation = "index3";
  setup.options = options;
  return order_problem_error(setup);
}

TEST(Gssss, AveragedLoadsAreOfOrderTwo) {
  for (const char* family : {"U0", "V0"}) {
    const std::map<std::string, std::string> point = {{"family", family}, {"rho", "0.5,0.5,0.5"}};
    auto averaged = point;
    averaged["load"] = "averaged";
    const double coarse = gssss_error(averaged, 1.0 / 64), fine = gssss_error(averaged, 1.0 / 128);
    EXPECT_NEAR(order(coarse, fine), 2, 0.15) << family;
    EXPECT_GT(std::abs(coarse / gssss_error(point, 1.0 / 64) - 1), 1e-3) << family;  // another scheme
  }
}

TEST(Gssss, SaysWhichMembersAreUnstable) {
  const auto pendulum = problem("double-pendulum");
  const auto warns = [&](const std::map<std::string, std::string>& options) {
    RunSetup setup = fixed(0.1, "gssss", 0.01);
    setup.formulation = "index3";
    setup.options = options;
    for (const auto& notice : simulate(*pendulum.system, pendulum.start, setup).notices)
      if (notice.find("grow without bound") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(warns({{"family", "U0"}, {"rho", "1,1,0"}}));
  EXPECT_TRUE(warns({{"constraint", "1"}}));
  EXPECT_FALSE(warns({}));
  EXPECT_FALSE(warns({{"family", "U0"}, {"rho", "0.8,0.8,0.8"}, {"constraint", "1"}}));
}

RunSetup four_masses(const std::map<std::string, std::string>& options, double h) {
  RunSetup setup = fixed(1, "gssss", h);
  setup.formulation = "index3";
  setup.options = options;
  return setup;
}

TEST(Gssss, StrainsCombineAsDisplacementsDo) {
  const auto four = problem("four-mass");
  // In the middle of the step they are the discrete gradients of trusses.
  const Results strained = simulate(*four.system, four.start, four_masses({{"forces", "strain"}}, 0.01)),
                kept = simulate(*four.system, four.start, four_masses({{"forces", "conserving"}}, 0.01));
  ASSERT_TRUE(strained.good() && kept.good()) << strained.message;
  EXPECT_LT(max_difference(strained.final.q, kept.final.q), 1e-11);
  EXPECT_LT(strained.energy->max_relative_error, 1e-12);
  for (const char* family : {"U0", "V0"})
    for (const char* roots : {"0.8,0.8,0.8", "0.3,0.6,0.2"}) {
      const std::map<std::string, std::string> point = {{"family", family}, {"rho", roots}};
      auto strain = point;
      strain["forces"] = "strain";
      const auto end = [&](const std::map<std::string, std::string>& options, double h) {
        const Results results = simulate(*four.system, four.start, four_masses(options, h));
        EXPECT_TRUE(results.good()) << results.message;
        EXPECT_LT(double(results.statistics.newton_iterations), 3.1 * double(results.statistics.accepted))
            << "the tangent is not that of the forces";
        return results.final.q;
      };
      const Vec exact = end(strain, 1.0 / 3200), coarse = end(strain, 0.005), fine = end(strain, 0.0025);
      EXPECT_NEAR(order((coarse - exact).norm(), (fine - exact).norm()), 2, 0.15) << family << " " << roots;
      EXPECT_GT(max_difference(coarse, end(point, 0.005)), 1e-7) << family << " " << roots;  // another scheme
    }
}

TEST(Gssss, StrainsNeedTrusses) {
  const auto pendulum = problem("double-pendulum");
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, four_masses({{"forces", "strain"}}, 0.01)),
               InputError);
  const auto four = problem("four-mass");
  EXPECT_THROW(
      simulate(*four.system, four.start, four_masses({{"forces", "strain"}, {"load", "averaged"}}, 0.01)),
      InputError);
}

// ---- the trapezoidal rule with its energy held ----------------------------------------------------------------------
const std::map<std::string, std::string> kHeld = {{"energy", "constant"}};

RunSetup held(const std::string& formulation, double t_end, double h) {
  RunSetup setup = fixed(t_end, "newmark", h);
  setup.formulation = formulation;
  setup.options = kHeld;
  return setup;
}

TEST(ConstantEnergy, HoldsWithoutConstraints) {
  const auto pendulum = order_problem();
  RunSetup setup = held("index3", 20, 0.02);
  const Results kept = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(kept.good()) << kept.message;
  EXPECT_LT(kept.energy->max_relative_error, 1e-13);
  setup.options.clear();
  const Results plain = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_GT(plain.energy->max_relative_error, 1e-5);
  EXPECT_LT(double(kept.statistics.evaluations), 2 * double(plain.statistics.evaluations));
}

TEST(ConstantEnergy, IsOfOrderTwo) {
  for (const double h : {1.0 / 32, 1.0 / 64}) {
    const double coarse = order_problem_error(held("index3", 1, h)),
                 fine = order_problem_error(held("index3", 1, h / 2));
    EXPECT_NEAR(order(coarse, fine), 2, 0.1);
  }
}

TEST(ConstantEnergy, HoldsOnConstraints) {
  for (const char* name : {"double-pendulum", "four-mass"}) {
    const auto mechanism = problem(name);
    RunSetup setup = held("index3", 10, 0.01);
    setup.options["project"] = "acceleration";
    const Results kept = simulate(*mechanism.system, mechanism.start, setup);
    ASSERT_TRUE(kept.good()) << name << ": " << kept.message;
    EXPECT_LT(kept.energy->max_relative_error, 1e-12) << name;
    EXPECT_LT(kept.drift.velocity_max, 1e-10) << name;
    setup.options["energy"] = "free";
    const Results plain = simulate(*mechanism.system, mechanism.start, setup);
    EXPECT_GT(plain.energy->max_relative_error, 1e-6) << name;
    EXPECT_LT(max_difference(kept.final.q, plain.final.q), 1) << name;
  }
}

TEST(ConstantEnergy, ChangesByTheWorkDone) {
  const auto beam = problem("thin-beam");  // a pulse does work on it
  RunSetup setup = held("index3", 1, 0.005);
  setup.options["project"] = "acceleration";
  const Results kept = simulate(*beam.system, beam.start, setup);
  ASSERT_TRUE(kept.good()) << kept.message;
  EXPECT_GT(std::abs(kept.energy->work), 1);
  EXPECT_LT(kept.energy->max_relative_error, 1e-11);
}

TEST(ConstantEnergy, HoldsWithErrorControlAndOnPenalties) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(2);
  setup.integrator = "newmark";
  setup.formulation = "penalty";
  setup.options = kHeld;
  setup.rtol = 1e-5;
  const Results penalty = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(penalty.good()) << penalty.message;
  const auto springs = order_problem();
  setup.formulation = "index3";
  const Results kept = simulate(*springs.system, springs.start, setup);
  ASSERT_TRUE(kept.good()) << kept.message;
  EXPECT_LT(kept.energy->max_relative_error, 1e-12);
}

TEST(ConstantEnergy, IsOfTheTrapezoidalRule) {
  const auto pendulum = order_problem();
  RunSetup setup = held("index3", 1, 0.01);
  setup.options["beta"] = "0.2";
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, setup), InputError);
}

TEST(RecordScheme, StepsCarryWhatTheSchemeHas) {
  const auto pendulum = problem("double-pendulum");
  const int nv = pendulum.system->layout().nv, m = pendulum.system->layout().m;
  RunSetup setup = fixed(1, "gssss", 0.01);
  setup.formulation = "index3";
  setup.record = setup.record_scheme = true;
  Results results = simulate(*pendulum.system, pendulum.start, setup);
  const Table& steps = results.trajectory.steps;
  ASSERT_EQ(steps.columns(), size_t(5 + 2 + nv + m));
  EXPECT_EQ(steps.names[6], "scheme.vdot." + pendulum.system->layout().v_names[0]);
  for (size_t i = 1; i < steps.rows(); ++i) {  // V0(1,1,0): both belong to the middle of the step
    EXPECT_NEAR(steps.at(i, 5), steps.at(i, 0) - 0.5 * steps.at(i, 1), 1e-12);
    EXPECT_NEAR(steps.at(i, size_t(6 + nv)), steps.at(i, 0) - 0.5 * steps.at(i, 1), 1e-12);
  }
  // U0(1,1,0): the multipliers of the scheme grow, those of the motion do not.           Hoitink, figures 4.2 to 4.5
  setup.options = {{"family", "U0"}, {"rho", "1,1,0"}};
  setup.t_end = 4.4;
  results = simulate(*pendulum.system, pendulum.start, setup);
  double of_scheme = 0, of_motion = 0;
  for (size_t i = 0; i < steps.rows(); ++i)
    for (size_t j = 0; j < size_t(m); ++j) {
      of_scheme = std::max(of_scheme, std::abs(steps.at(i, size_t(7 + nv) + j)));
      of_motion = std::max(of_motion, std::abs(results.trajectory.lambda.at(i + 1, j)));
    }
  EXPECT_GT(of_scheme, 10 * of_motion);
  setup.formulation = "lagrange";
  setup.integrator = "dopri5";
  setup.options.clear();
  const Results plain_run = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_EQ(plain_run.trajectory.steps.columns(), 5u);
  EXPECT_NE(plain_run.notices.back().find("of its own"), std::string::npos);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
