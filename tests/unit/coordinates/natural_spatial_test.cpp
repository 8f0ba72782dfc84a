// Natural coordinates of spatial models: which points and vectors they take, that their rows are independent, and that
// bodies move as in reference-point coordinates.
#include "support/natural_checks.hpp"
#include "support/runs.hpp"
#include "support/spatial_mechanisms.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using Names = std::vector<std::string>;

struct Sizes {
  int nodes, scalars, rows, dof;
};
Sizes sizes(const Model& model) {
  const auto natural = assembled(model, "natural");
  const RankReport rank = analyze_rank(natural.system(), natural.start());
  const Layout& layout = natural.system().layout();
  const int scalars = static_cast<int>(
      std::count_if(layout.q_names.begin(), layout.q_names.end(),
                    [](const std::string& name) { return std::count(name.begin(), name.end(), '.') == 1; }));
  return {(layout.nq - scalars) / 3, scalars, layout.m, rank.dof};
}
void expect_sizes(const Model& model, int nodes, int scalars, int rows, int dof) {
  const Sizes found = sizes(model);
  EXPECT_EQ(found.nodes, nodes) << model.name;
  EXPECT_EQ(found.scalars, scalars) << model.name;
  EXPECT_EQ(found.rows, rows) << model.name;
  EXPECT_EQ(found.dof, dof) << model.name;
}

// ---- which coordinates

TEST(NaturalSpatial, TopHasThreeUnitVectors) {
  const CompiledModel compiled = compile(heavy_top(), "natural", "");
  const Layout& layout = compiled.system->layout();
  ASSERT_EQ(layout.nq, 9);
  EXPECT_EQ(layout.q_names[0], "top.ex.x");
  EXPECT_EQ(layout.q_names[8], "top.ez.z");
  EXPECT_EQ(layout.row_names, (Names{"top.rigid_ex", "top.rigid_ex_ey", "top.rigid_ex_ez", "top.rigid_ey",
                                     "top.rigid_ey_ez", "top.rigid_ez"}));
  EXPECT_EQ(layout.q_units, Names(9, ""));
}

TEST(NaturalSpatial, SharesWhatJointsShare) {
  // the axis is the ground's: a point and a unit vector a link
  expect_sizes(parallel_chain(3), 6, 0, 15, 3);
  // one and two: their far joint's point and axis and nothing else; three: two unit vectors
  expect_sizes(skew_chain(), 6, 0, 15, 3);
  // the balls are nodes; crank: a vector, coupler: two, rocker: a vector
  expect_sizes(rssr(), 6, 0, 16, 2);
  // the slide keeps its attitude: a point, nothing else
  expect_sizes(rssp(), 5, 0, 13, 2);
  // weld: no coordinates at all; three angles of the gears, two of them scalars
  const Layout with = compile(bevel(), "natural", "").system->layout();
  Model without = bevel();
  without.bodies.pop_back();
  std::erase_if(without.joints, [](const Element& e) { return e.name == "weld"; });
  const Layout bare = compile(without, "natural", "").system->layout();
  EXPECT_EQ(with.nq, bare.nq);
  EXPECT_EQ(with.m, bare.m);
}

TEST(NaturalSpatial, NodesAreNamedAfterPointsAxesAndJoints) {
  Model model = skew_chain();
  model.bodies[1].axes = {{"hinge", Vec3(0, 1, 0)}};
  model.joints[2].fields["axis"] = DirectionRef{"two", "hinge", Vec3::Zero(), false};
  const CompiledModel compiled = compile(model, "natural", "");
  const auto& names = compiled.system->layout().q_names;
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has("one.B.x"));
  EXPECT_TRUE(has("one.b_axis.y"));
  EXPECT_TRUE(has("two.B.z"));
  EXPECT_TRUE(has("two.hinge.x"));
}

// A door with two hinges is a door with one: the second adds no rows, though it is redundant five times over.
TEST(NaturalSpatial, SecondHingeAddsNothing) {
  SpatialMechanism m("door");
  m.bar("door", Vec3(0.3, 0, 2), Vec3::Zero());
  m.model.bodies[0].points.push_back({"C", Vec3(0, 0, 2)});
  m.joint("low", "revolute", on_ground(0, 0, 0), at("door", "A"), Vec3(0, 0, 1));
  const Layout one = compile(m.model, "natural", "").system->layout();
  m.joint("high", "revolute", on_ground(0, 0, 2), at("door", "C"), Vec3(0, 0, -1));
  const Layout two = compile(m.model, "natural", "").system->layout();
  EXPECT_EQ(one.nq, 6);
  EXPECT_EQ(one.m, 5);
  EXPECT_EQ(two.nq, one.nq);
  EXPECT_EQ(two.m, one.m);
}

TEST(NaturalSpatial, OverconstrainedLoopHasItsOwnRedundancyOnly) {
  const auto natural = assembled(spatial_four_bar(), "natural");
  const RankReport rank = analyze_rank(natural.system(), natural.start());
  EXPECT_EQ(rank.coordinates, 15);
  EXPECT_EQ(rank.rows, 15);
  EXPECT_EQ(rank.dof, 1);  // one dependent row, of three in other sets
}

TEST(NaturalSpatial, RowsAreIndependentWhereTheMechanismAllows) {
  for (const Model& model : spatial_mechanisms()) {
    const auto natural = assembled(model, "natural"), bodies = assembled(model);
    const RankReport here = analyze_rank(natural.system(), natural.start());
    EXPECT_EQ(here.rank, here.rows) << model.name;
    EXPECT_EQ(here.dof, analyze_rank(bodies.system(), bodies.start()).dof) << model.name;
  }
}

TEST(NaturalSpatial, AxisDrawnTheOtherWayRoundIsSaid) {
  Model model = skew_chain();
  // the second body's own axis, drawn square to the first one's: either sense could close it
  model.joints[1].fields["axis_b"] = DirectionRef{"two", "", Vec3(1, 0, 0), true};
  const auto natural = assembled(model, "natural");
  EXPECT_EQ(analyze_rank(natural.system(), natural.start()).dof, 3);
}

// ---- terms and motion

TEST(NaturalSpatial, RowsAgreeWithDifferences) {
  for (const Model& model : spatial_mechanisms())
    check_rows(*compile(model, "natural", "").system, model.name);
}

TEST(NaturalSpatial, AcceleratesLikeReferencePoint) {
  for (const Model& model : spatial_mechanisms()) {
    const auto natural = assembled(model, "natural"), bodies = assembled(model);
    const Reaction there = solved(bodies.system(), bodies.start()),
                   here = solved(natural.system(), natural.start());
    const double h = 1e-5;
    const auto at_time = [&](double s) {
      State state = bodies.start();
      bodies.system().retract(state.q, s * state.v + s * s / 2 * there.vdot);
      state.v += s * there.vdot;
      return natural.compiled.from_reference(state);
    };
    const Vec expected = (at_time(h).v - at_time(-h).v) / (2 * h);
    EXPECT_LT(max_difference(here.vdot, expected), 1e-7 * (1 + max_abs(expected))) << model.name;
    check_energy(natural.system(), natural.start(), bodies.system(), bodies.start(), model.name);
  }
}

TEST(NaturalSpatial, MovesLikeReferencePoint) {
  for (const Model& model : spatial_mechanisms()) {
    const auto natural = assembled(model, "natural"), bodies = assembled(model);
    RunSetup setup = figures_only(1);
    setup.rtol = 1e-9;
    const Results a = simulate(bodies.system(), bodies.start(), setup);
    const Results b = simulate(natural.system(), natural.start(), setup);
    ASSERT_TRUE(a.good()) << model.name << ": " << a.message;
    ASSERT_TRUE(b.good()) << model.name << ": " << b.message;
    std::vector<Pose> there, here;
    bodies.system().poses(1, a.final.q, there);
    natural.system().poses(1, b.final.q, here);
    for (size_t i = 0; i < there.size(); ++i) {
      EXPECT_LT((there[i].position - here[i].position).norm(), 1e-7) << model.name;
      EXPECT_LT(1 - std::abs(there[i].quaternion.dot(here[i].quaternion)), 1e-13) << model.name;
    }
    EXPECT_LT(b.energy->max_relative_error, 1e-8) << model.name;
    EXPECT_LT(b.drift.position_max, 1e-10) << model.name;
  }
}

TEST(NaturalSpatial, HeavyTopAgreesWithTheReference) {
  const auto natural = assembled(heavy_top(), "natural");
  RunSetup setup = figures_only(1.5);
  setup.rtol = 1e-10;
  const Results results = simulate(natural.system(), natural.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  std::vector<Pose> poses;
  natural.system().poses(1.5, results.final.q, poses);
  EXPECT_LT((poses[0].position - Vec3(-0.076985719, 0.419951151, 0.554719956)).norm(), 1e-8);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
