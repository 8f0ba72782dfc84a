// Assembly: rough positions close, least change, held coordinates, wanted joint values, and what cannot close is named.
#include "driftless/analysis/assembly.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include "driftless/core/errors.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

PointRef on(const char* body, double x, double y) { return {body, "", Vec3(x, y, 0)}; }

Body bar(const char* name, double length, double x, double y, double angle) {
  Body body;
  body.name = name;
  body.mass = 1;
  body.inertia = length * length / 12;
  body.points = {{"A", Vec3(-length / 2, 0, 0)}, {"B", Vec3(length / 2, 0, 0)}};
  body.position = Vec3(x, y, 0);
  body.angle = angle;
  return body;
}

// Crank 1, coupler and rocker of given lengths, pins on the ground at 0 and 2.
Model four_bar(double coupler, double rocker) {
  Model model;
  model.name = "four-bar";
  model.gravity = Vec3(0, -9.81, 0);
  model.bodies = {bar("crank", 1, 0.4, 0.3, 0.9), bar("coupler", coupler, 1.4, 1.2, 0.1),
                  bar("rocker", rocker, 2.2, 0.6, 1.4)};
  model.joints = {
      {"pin_O", "revolute", {{"a", on("ground", 0, 0)}, {"b", on("crank", -0.5, 0)}}},
      {"pin_A", "revolute", {{"a", on("crank", 0.5, 0)}, {"b", on("coupler", -coupler / 2, 0)}}},
      {"pin_B", "revolute", {{"a", on("coupler", coupler / 2, 0)}, {"b", on("rocker", rocker / 2, 0)}}},
      {"pin_C", "revolute", {{"a", on("ground", 2, 0)}, {"b", on("rocker", -rocker / 2, 0)}}}};
  return model;
}

double position_error(const AssembledModel& mechanism) {
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  return max_abs(terms.g);
}

TEST(Assembly, ClosesRoughPositionsAndSaysHowFarItMoved) {
  const auto mechanism = assembled(four_bar(2, 1.5));
  EXPECT_LT(position_error(mechanism), 1e-12);
  EXPECT_GT(mechanism.assembly.report.moved_length, 0.01);
  EXPECT_FALSE(mechanism.assembly.report.moved_most.empty());
  EXPECT_EQ(initial_reaction(mechanism.system(), mechanism.start()).lambda.size(), 8);
}

TEST(Assembly, LeavesConsistentPositionsAlone) {
  const auto first = assembled(four_bar(2, 1.5));
  const Assembly again = assemble(first.system(), first.start(), "again");
  EXPECT_LT(again.report.moved_length, 1e-12);
  EXPECT_LT(again.report.moved_angle, 1e-12);
}

// The nearest point: the change is orthogonal, in the metric of W, to every motion the constraints allow.
TEST(Assembly, ChangesAsLittleAsPossible) {
  const Model model = four_bar(2, 1.5);
  const auto mechanism = assembled(model);
  const Layout& layout = mechanism.system().layout();
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  const Vec change =
      (mechanism.start().q - mechanism.compiled.guess.q).cwiseQuotient(layout.q_scale.cwiseAbs2());
  const Mat J = Mat(terms.J);
  const Vec multipliers = J.transpose().colPivHouseholderQr().solve(change);
  EXPECT_LT((J.transpose() * multipliers - change).norm(), 1e-6 * change.norm());
}

TEST(Assembly, HoldsWhatItIsTold) {
  Model model = four_bar(2, 1.5);
  model.initial.hold = {"crank.theta"};
  const auto mechanism = assembled(model);
  EXPECT_LT(position_error(mechanism), 1e-12);
  EXPECT_NEAR(mechanism.start().q[2], 0.9, 1e-8);
}

TEST(Assembly, GivesJointsTheirWantedValuesAndRates) {
  Model model = four_bar(2, 1.5);
  model.initial.joints = {{"pin_O", 0.7, 3.0}};
  const auto mechanism = assembled(model);
  EXPECT_NEAR(mechanism.start().q[2], 0.7, 1e-12);
  EXPECT_NEAR(mechanism.start().v[2], 3.0, 1e-12);
  EXPECT_LT(position_error(mechanism), 1e-12);
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  Vec r(8);
  velocity_residual(terms, mechanism.start().v, r);
  EXPECT_LT(max_abs(r), 1e-12);
}

TEST(Assembly, WorksFromFarAway) {
  Model model = four_bar(2, 1.5);
  for (Body& body : model.bodies) {
    body.position += Vec3(3, -2, 0);
    body.angle += 1;
  }
  EXPECT_LT(position_error(assembled(model)), 1e-11);
}

TEST(Assembly, NamesTheJointsThatCannotClose) {
  try {
    assembled(four_bar(0.3, 0.3));  // crank and two short bars cannot span two metres
    FAIL() << "assembled";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("pin_"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("close"), std::string::npos) << error.what();
  }
}

TEST(Assembly, VelocitiesKeepTheFreeMomentum) {
  Model model = four_bar(2, 1.5);
  model.bodies[0].angular_velocity = 2;
  const auto mechanism = assembled(model);
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  mechanism.system().mass(0, mechanism.start().q, terms);
  const Vec change = mechanism.start().v - mechanism.compiled.guess.v;
  const Mat kernel = Mat(terms.J).fullPivLu().kernel();
  EXPECT_LT((kernel.transpose() * (terms.M * change)).norm(), 1e-12);
}

TEST(Rank, CountsDegreesOfFreedomAndNamesRedundantRows) {
  Model model = four_bar(2, 2);  // a parallelogram when the crank is as long as the rocker; here a trapezoid
  auto mechanism = assembled(model);
  RankReport rank = analyze_rank(mechanism.system(), mechanism.start());
  EXPECT_EQ(rank.dof, 1);
  EXPECT_TRUE(rank.redundant_rows.empty());

  model.joints.push_back({"again",
                          "point-on-line",
                          {{"a", on("ground", 0, 0)}, {"axis", Vec3(1, 0, 0)}, {"b", on("crank", -0.5, 0)}}});
  mechanism = assembled(model);
  rank = analyze_rank(mechanism.system(), mechanism.start());
  EXPECT_EQ(rank.rows, 9);
  EXPECT_EQ(rank.rank, 8);
  EXPECT_EQ(rank.dof, 1);
  ASSERT_EQ(rank.redundant_rows.size(), 1u);
  EXPECT_TRUE(rank.redundant_rows[0] == "again.normal" || rank.redundant_rows[0] == "pin_O.y")
      << rank.redundant_rows[0];
  // it runs, and says so
  const Results results = simulate(mechanism.system(), mechanism.start(), figures_only(1));
  EXPECT_TRUE(results.good()) << results.message;
  EXPECT_EQ(results.redundant_rows, rank.redundant_rows);
  EXPECT_NE(results.redundancy.find("'again'"), std::string::npos) << results.redundancy;
}

// A door on two hinges, five rows too many, with a closer whose angle is a coordinate without mass.
Model door(double rate) {
  Model model;
  model.name = "door";
  model.space = Space::spatial;
  Body body;
  body.name = "door";
  body.mass = 10;
  body.inertia_tensor = Vec3(2, 3, 1).asDiagonal();
  body.position = Vec3(0.4, 0, 0.75);
  body.velocity = Vec3(0, 0.4 * rate, 0);
  body.spin = Vec3(0, 0, rate);
  model.bodies = {body};
  const DirectionRef z{"", "", Vec3::UnitZ(), true};
  for (const double height : {0.0, 1.5})
    model.joints.push_back({height > 0 ? "upper" : "lower",
                            "revolute",
                            {{"a", PointRef{"ground", "", Vec3(0, 0, height), false}},
                             {"b", PointRef{"door", "", Vec3(-0.4, 0, height - 0.75), false}},
                             {"axis", z}}});
  model.forces.push_back(
      {"closer",
       "rsda",
       {{"a", std::string("ground")}, {"b", std::string("door")}, {"axis", z}, {"stiffness", 3.0}}});
  return model;
}

double kinetic_energy(const AssembledModel& mechanism) {
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  mechanism.system().mass(0, mechanism.start().q, terms);
  return mechanism.system().kinetic_energy(mechanism.start().v, terms);
}

TEST(Assembly, ConsistentVelocitiesAreKeptToTheLastBit) {
  const double rate = 2.0000000000000004;
  const auto mechanism = assembled(door(rate));
  const Vec& v = mechanism.start().v;
  EXPECT_EQ(v[1], 0.4 * rate);
  EXPECT_EQ(v[5], rate);
  EXPECT_NEAR(v[6], rate, 1e-14 * rate);  // of the closer: it follows
  EXPECT_EQ(mechanism.assembly.report.velocity_change, 0);
  EXPECT_LT(mechanism.assembly.report.velocity_residual, 1e-14);
  for (const char* set : {"euler-parameters", "natural", "relative"}) {
    const auto other = assembled(door(rate), set);
    EXPECT_NEAR(kinetic_energy(other), 0.5 * (10 * 0.4 * 0.4 + 1) * rate * rate, 1e-14 * 10) << set;
  }
}

// The nearest in the metric of M: the angular momentum about the hinges stays.
TEST(Assembly, InconsistentVelocitiesOfRedundantModelsAreProjectedByMass) {
  Model model = door(0);
  model.bodies[0].velocity = Vec3(0.3, 1, -0.2);
  model.bodies[0].spin = Vec3(0.5, 0, 0.7);
  const auto mechanism = assembled(model);
  const double expected = (10 * 0.4 * 1 + 1 * 0.7) / (10 * 0.4 * 0.4 + 1);
  EXPECT_NEAR(mechanism.start().v[5], expected, 1e-14);
  EXPECT_NEAR(mechanism.start().v[1], 0.4 * expected, 1e-14);
  EXPECT_LT(std::abs(mechanism.start().v[0]) + std::abs(mechanism.start().v[2]), 1e-14);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
