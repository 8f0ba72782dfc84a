// Overconstrained linkages must not care how they are turned in space, where they stand and in which units they are written:
// the same rank, a start that is left alone, the same motion, with every formulation.
#include <cmath>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/formulation/formulation.hpp"

#include "support/hinged_linkages.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr const char* kSpatialSets[] = {"reference-point", "euler-parameters", "natural", "relative"};

// As drawn, and with a joint value and rate that assembly has to find.
Model started(Model model, bool moving) {
  if (moving) model.initial.joints = {{"hinge_1", 0.2, 0.7}};
  return model;
}

// In coordinates other than reference-point nothing is left to do where the state arrives.
State arrived(const CompiledModel& compiled) {
  if (!compiled.reference) return compiled.guess;
  return compiled.from_reference(assemble(*compiled.reference, 0, "reference").state);
}

TEST(Overconstrained, StartsAreLeftAloneHoweverTheyAreTurned) {
  std::mt19937 random(5);
  for (const Model& linkage : hinged_linkages())
    for (const char* set : kSpatialSets)
      for (const bool moving : {false, true})
        for (const double unit : {1.0, 1e6}) {
          const Model turned = moved_linkage(linkage, random_turn(random), 100 * Vec3::Random());
          SCOPED_TRACE(linkage.name + " " + set + (moving ? " moving" : "") + (unit > 1 ? " in um" : ""));
          const auto mechanism = assembled(in_units(started(turned, moving), unit, 1), set);
          const Layout& layout = mechanism.system().layout();
          const State& start = mechanism.start();
          const AssemblyReport& report = mechanism.assembly.report;
          if (!moving) {
            EXPECT_EQ(report.moved_length, 0);
            EXPECT_EQ(report.moved_angle, 0);
            EXPECT_EQ(report.velocity_change, 0);
          } else {
            EXPECT_GT(report.moved_length, 0.01 * layout.length);
          }
          if (moving && !mechanism.compiled.reference) continue;
          // 1e-13 lengths is what assembly leaves of |g|; the linkages amplify it by less than 100.
          const State expected = arrived(mechanism.compiled);
          EXPECT_LT(max_abs((start.q - expected.q).cwiseQuotient(layout.q_scale)), 1e-11);
          EXPECT_LT(max_abs((start.v - expected.v).cwiseQuotient(layout.v_scale)), 1e-11);
        }
}

// A kilometre off, where rows of relative coordinates, differences of places, are known to 1e-13 m only: starts were refused.
TEST(Overconstrained, StartsAreFoundFarAway) {
  std::mt19937 random(11);
  for (const Model& linkage : {six_bar(), peaucellier(), bennett()})
    for (int k = 0; k < 5; ++k) {
      const Model far = moved_linkage(linkage, random_turn(random), 1000 * Vec3::Random());
      const auto mechanism = assembled(far, "relative");
      EXPECT_EQ(mechanism.assembly.report.moved_length, 0) << linkage.name;
      EXPECT_EQ(mechanism.assembly.report.moved_angle, 0) << linkage.name;
    }
}

TEST(Overconstrained, RankAndJointsAreThoseOfTheLinkageAsDrawn) {
  std::mt19937 random(6);
  for (const Model& linkage : hinged_linkages())
    for (const char* set : kSpatialSets) {
      SCOPED_TRACE(linkage.name + " " + set);
      const auto drawn = assembled(linkage, set);
      const Redundancy expected = find_redundancy(drawn.system(), drawn.start());
      for (const double unit : {1.0, 1e6, 1e-3}) {
        const Model other =
            in_units(moved_linkage(linkage, random_turn(random), 10 * Vec3::Random()), unit, 1e3);
        const auto mechanism = assembled(other, set);
        const Redundancy found = find_redundancy(mechanism.system(), mechanism.start());
        EXPECT_EQ(found.rows.size(), expected.rows.size());
        EXPECT_EQ(found.joints(mechanism.system().layout()), expected.joints(drawn.system().layout()));
        EXPECT_EQ(initial_reaction(mechanism.system(), mechanism.start()).lambda.size(),
                  mechanism.system().layout().m);
      }
    }
}

// A turn so small that rows which would vanish do not quite: their directions are made of round-off.
TEST(Overconstrained, NearlyVanishingRowsAreNotTakenForIndependent) {
  for (const double angle : {1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3})
    for (const Model& linkage : {six_bar(), peaucellier(), sarrus()}) {
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Vec3(0.3, 0.8, -0.5).normalized()));
      const auto drawn = assembled(linkage, "relative");
      const auto mechanism = assembled(moved_linkage(linkage, turn, Vec3::Zero()), "relative");
      EXPECT_EQ(find_redundancy(mechanism.system(), mechanism.start()).rows.size(),
                find_redundancy(drawn.system(), drawn.start()).rows.size())
          << linkage.name << " " << angle;
    }
}

double energy_error(const Model& model, const char* set, const std::string& formulation, double t_end) {
  const auto mechanism = assembled(model, set);
  RunSetup setup = figures_only(t_end);
  setup.formulation = formulation;
  const Results results = simulate(mechanism.system(), mechanism.start(), setup);
  EXPECT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.drift.position_max, 1e-5 * mechanism.system().layout().length);
  return results.energy ? results.energy->max_relative_error : 0;
}

TEST(Overconstrained, IndependentCoordinatesMoveTurnedLinkages) {
  std::mt19937 random(8);
  for (const char* formulation :
       {"partitioned", "projection-dependent", "projection-independent", "canonical-independent"})
    for (const Model& linkage : {six_bar(), bennett()}) {
      SCOPED_TRACE(std::string(formulation) + " " + linkage.name);
      EXPECT_LT(energy_error(moved_linkage(linkage, random_turn(random), Vec3(1, 2, 3)), "relative",
                             formulation, 0.5),
                1e-5);
    }
}

// The set of rows kept at the start loses rank on the way round: others are taken before it does.
TEST(Overconstrained, KeptRowsAreChosenAnewWhileTheyAreGood) {
  std::mt19937 random(9);
  for (const char* set : {"reference-point", "relative"})
    for (int k = 0; k < 3; ++k)
      EXPECT_LT(energy_error(moved_linkage(bennett(), random_turn(random), Vec3::Zero()), set,
                             "stabilized-field", 3),
                1e-4);
}

TEST(Overconstrained, EveryFormulationMovesThemInEverySet_full) {
  std::mt19937 random(10);
  for (const auto* formulation : formulation_records()) {
    if (formulation->kind != FormKind::ode) continue;
    for (const Model& linkage : {bennett(), cube_bricard(), six_bar(), peaucellier()})
      for (const char* set : kSpatialSets)
        for (const double unit : {1.0, 1e6}) {
          SCOPED_TRACE(formulation->method.name + " " + linkage.name + " " + set);
          const Model model = in_units(moved_linkage(linkage, random_turn(random), Vec3::Random()), unit, 1);
          // Peaucellier's linkage folds up at 0.625 s, a singular position. Penalties do not conserve energy.
          EXPECT_LT(energy_error(model, set, formulation->method.name, 0.5), 2e-3);
        }
  }
}

// Two discs on one axle, each rolling: one row on velocities too many. Rows on positions are not given up for it.
Model wheel_set() {
  Model model;
  model.name = "wheel set";
  model.space = Space::spatial;
  model.gravity = Vec3(0, 0, -9.81);
  const auto add = [&](const char* name, double y, double mass, const Vec3& inertia, const Vec3& spin) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia_tensor = inertia.asDiagonal();
    body.position = Vec3(0, y, 0.5);
    body.velocity = Vec3(-y, 0, 0);
    body.spin = spin;
    model.bodies.push_back(body);
  };
  add("axle", 0, 2, Vec3(0.7, 0.02, 0.7), Vec3(0, 0, 1));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    add(name.c_str(), side, 1, Vec3(0.0625, 0.125, 0.0625), Vec3(0, -2 * side, 1));
    const DirectionRef y{"", "", Vec3::UnitY(), true};
    model.joints.push_back({"hub_" + name,
                            "revolute",
                            {{"a", PointRef{"axle", "", Vec3(0, side, 0), false}},
                             {"b", PointRef{name, "", Vec3::Zero(), false}},
                             {"axis", y}}});
    model.joints.push_back({"roll_" + name,
                            "rolling-disc",
                            {{"a", PointRef{"ground", "", Vec3::Zero(), false}},
                             {"axis", DirectionRef{"", "", Vec3::UnitZ(), true}},
                             {"b", PointRef{name, "", Vec3::Zero(), false}},
                             {"axis_b", y},
                             {"radius", 0.5}}});
  }
  return model;
}

TEST(Overconstrained, AWheelSetTurnsOnTheSpot) {
  for (const char* set : {"reference-point", "natural", "relative"}) {
    const auto mechanism = assembled(wheel_set(), set);
    const Redundancy redundancy = find_redundancy(mechanism.system(), mechanism.start());
    ASSERT_EQ(redundancy.rows.size(), 1u) << set;
    EXPECT_GE(redundancy.rows[0], mechanism.system().layout().mh) << set;  // a row on velocities
    for (const double rtol : {1e-5, 3e-6, 3e-7, 1e-7}) {
      RunSetup setup = figures_only(6.5);  // past all multiples of a right angle
      setup.rtol = rtol;
      const Results results = simulate(mechanism.system(), mechanism.start(), setup);
      ASSERT_TRUE(results.good()) << set << " " << rtol << " " << results.message;
      EXPECT_LT(results.drift.position_max, 1e-8)
          << set << " " << rtol;  // one correction a step leaves its square
    }
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
