// Natural coordinates of planar models: which points they take, and that their terms are the textbook's and say the same
// as reference-point coordinates.
#include <random>

#include "driftless/system/kernels/motion_solver.hpp"

#include "support/natural_checks.hpp"
#include "support/runs.hpp"
#include "support/tree_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using Names = std::vector<std::string>;

// ---- which coordinates

TEST(NaturalPlanar, DoublePendulumHasTwoPointsAndTwoLengths) {
  const CompiledModel compiled = compile(model_file("double-pendulum-bars"), "natural", "");
  const Layout& layout = compiled.system->layout();
  EXPECT_EQ(layout.q_names, (Names{"bar1.A.x", "bar1.A.y", "bar2.B.x", "bar2.B.y"}));
  EXPECT_EQ(layout.v_names.front(), "bar1.A.vx");
  EXPECT_EQ(layout.row_names, (Names{"bar1.rigid_A", "bar2.rigid_B"}));
  EXPECT_EQ(layout.q_units, Names(4, "m"));
}

TEST(NaturalPlanar, SliderIsAPoint) {
  const CompiledModel compiled = compile(model_file("slider-crank"), "natural", "");
  const Layout& layout = compiled.system->layout();
  EXPECT_EQ(layout.q_names, (Names{"crank.A.x", "crank.A.y", "slider.B.x", "slider.B.y"}));
  EXPECT_EQ(layout.row_names, (Names{"crank.rigid_A", "rod.rigid_B", "guide.normal"}));
}

TEST(NaturalPlanar, TurnsAreCountedWhereTheyMatter) {
  const CompiledModel compiled = compile(model_file("gear-and-rack"), "natural", "");
  const Layout& layout = compiled.system->layout();
  EXPECT_EQ(layout.q_names,
            (Names{"motor_wheel.ex.x", "motor_wheel.ex.y", "gear_wheel.ex.x", "gear_wheel.ex.y", "rack.C.x",
                   "rack.C.y", "motor_wheel.theta", "gear_wheel.theta", "pinion.theta"}));
  EXPECT_EQ(layout.m,
            8);  // two unit vectors, mesh, rack's mesh and guide, three angles; the weld costs nothing
  const Terms terms = [&] {
    Terms t = compiled.system->make_terms();
    compiled.system->mass(0, Vec::Zero(9), t);
    return t;
  }();
  EXPECT_EQ(Mat(terms.M).rightCols(3).norm(), 0);
}

Body bar(const std::string& name, const Vec3& position, double length = 1) {
  Body body;
  body.name = name;
  body.mass = 1;
  body.inertia = length * length / 12;
  body.center_of_mass = Vec3(length / 2, 0, 0);
  body.points = {{"A", Vec3::Zero()}, {"B", Vec3(length, 0, 0)}};
  body.position = position;
  return body;
}
Element pin(const std::string& name,
            const std::string& a,
            const std::string& a_point,
            const std::string& b,
            const std::string& b_point) {
  return {name,
          "revolute",
          {{"a", PointRef{a, a_point, Vec3::Zero()}}, {"b", PointRef{b, b_point, Vec3::Zero()}}}};
}

TEST(NaturalPlanar, ThirdPointOfABodyIsTiedByRows) {
  Model model;
  model.name = "ternary";
  model.ground_points = {{"O", Vec3::Zero()}};
  model.bodies = {bar("link", Vec3::Zero()), bar("one", Vec3(1, 0, 0)), bar("two", Vec3(0.5, 0, 0))};
  model.bodies[0].points.push_back({"C", Vec3(0.5, 0, 0)});
  model.joints = {pin("o", "ground", "O", "link", "A"), pin("b", "link", "B", "one", "A"),
                  pin("c", "link", "C", "two", "A")};
  const auto natural = assembled(model, "natural");
  EXPECT_EQ(natural.system().layout().row_names,
            (Names{"link.rigid_B", "one.rigid_B", "two.rigid_B", "c.x", "c.y"}));
  const RankReport rank = analyze_rank(natural.system(), natural.start());
  EXPECT_EQ(rank.rank, rank.rows);
  EXPECT_EQ(rank.dof, 3);
}

// Three bodies on one pin, the middle one full: its place is tied once, not once a joint.
TEST(NaturalPlanar, TiesAreNotRepeated) {
  Model model;
  model.name = "on one pin";
  model.ground_points = {{"O", Vec3::Zero()}, {"C", Vec3(0.5, 0, 0)}};
  model.bodies = {bar("link", Vec3::Zero()), bar("one", Vec3(0.5, 0, 0)), bar("two", Vec3(0.5, 0, 0))};
  model.bodies[0].points.push_back({"C", Vec3(0.5, 0, 0)});
  model.joints = {pin("o", "ground", "O", "link", "A"), pin("b", "link", "B", "one", "B"),
                  pin("c", "link", "C", "two", "A"), pin("d", "two", "A", "one", "A")};
  // link: O, B; `one` shares B, its A and that of `two` are one node, and link's C is tied to it by two rows
  const CompiledModel compiled = compile(model, "natural", "");
  const Layout& layout = compiled.system->layout();
  EXPECT_EQ(layout.nq, 6);
  EXPECT_EQ(layout.row_names, (Names{"link.rigid_B", "one.rigid_A", "two.rigid_B", "c.x", "c.y"}));
}

TEST(NaturalPlanar, ContradictionsAreLeftToAssembly) {
  Model model;
  model.name = "too short";
  model.ground_points = {{"O", Vec3::Zero()}, {"P", Vec3(1.1, 0, 0)}};
  model.bodies = {bar("link", Vec3::Zero()), bar("free", Vec3(0, 1, 0))};
  model.joints = {pin("o", "ground", "O", "link", "A"), pin("p", "ground", "P", "link", "B")};
  const CompiledModel compiled = compile(model, "natural", "too short");
  EXPECT_THROW(assemble(compiled, 0, "too short"), InputError);
  model.ground_points[1].at = Vec3(1, 0, 0);  // redundant, and consistent: the link has nothing left to move
  EXPECT_EQ(compile(model, "natural", "").system->layout().nq, 4);
}

TEST(NaturalPlanar, NothingThatMovesIsAnError) {
  Model model;
  model.name = "welded";
  model.bodies = {bar("link", Vec3::Zero())};
  model.joints = {
      {"weld", "fixed", {{"a", PointRef{"ground", "", Vec3::Zero()}}, {"b", PointRef{"link", "A", {}}}}}};
  EXPECT_THROW(compile(model, "natural", ""), InputError);
}

// ---- terms

TEST(NaturalPlanar, DoublePendulumIsTheTextbooks) {
  const auto natural = assembled(model_file("double-pendulum-bars"), "natural");
  const State& start = natural.start();
  Terms terms = natural.system().make_terms();
  natural.system().evaluate(0, start.q, start.v, terms);
  Mat M(4, 4);
  M << 4, 0, 1, 0, 0, 4, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2;
  EXPECT_LT((Mat(terms.M) - M / 6).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_EQ(natural.system().layout().M.nonZeros(), 8);
  EXPECT_LT(max_difference(terms.f, (Vec(4) << 0, -9.81, 0, -9.81 / 2).finished()), 1e-15);
  // Reference values of the problem DP, rows g = |d|² − L². Ours are g/(2 L), so our multipliers are 2 L times theirs.
  const Reaction reaction = initial_reaction(natural.system(), natural.start());
  const Vec vdot = (Vec(4) << -4.1005387406, -6.3862107099, -4.1952923126, -11.7043398568).finished();
  EXPECT_LT(max_difference(reaction.vdot, vdot), 1e-10);
  EXPECT_LT(max_difference(reaction.lambda / 2, (Vec(2) << 3.2768579506, 1.0413709846).finished()), 1e-10);
}

TEST(NaturalPlanar, DoublePendulumMovesAsItShould) {
  const auto natural = assembled(model_file("double-pendulum-bars"), "natural");
  RunSetup setup = figures_only(2);
  setup.rtol = 1e-10;
  const Results results = simulate(natural.system(), natural.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Vec2 A = results.final.q.head<2>(), B = results.final.q.tail<2>();
  EXPECT_NEAR(std::atan2(A.x(), -A.y()), -0.0500940462, 1e-8);
  EXPECT_NEAR(std::atan2(B.x() - A.x(), A.y() - B.y()), 0.8950113679, 1e-8);
  EXPECT_LT(results.energy->max_relative_error, 1e-9);
}

std::vector<Model> closing_models() {
  std::vector<Model> models = {branched(false), branched(true), floating(), wheels_on_a_carrier()};
  for (const char* name : {"slider-crank", "four-bar", "quick-return", "gear-and-rack", "car-on-bump",
                           "andrews-bodies", "drawing-arm"})
    models.push_back(model_file(name));
  return models;
}

TEST(NaturalPlanar, RowsAgreeWithDifferences) {
  for (const Model& model : closing_models()) check_rows(*compile(model, "natural", "").system, model.name);
}

TEST(NaturalPlanar, RowsAreIndependent) {
  for (const Model& model : closing_models()) {
    const auto natural = assembled(model, "natural"), bodies = assembled(model);
    const RankReport here = analyze_rank(natural.system(), natural.start());
    const RankReport there = analyze_rank(bodies.system(), bodies.start());
    EXPECT_EQ(here.rank, here.rows) << model.name;
    EXPECT_EQ(here.dof, there.dof) << model.name;
  }
}

// Accelerations of the nodes, as the bodies' accelerations in reference-point coordinates make them.
TEST(NaturalPlanar, AcceleratesLikeReferencePoint) {
  for (const Model& model : closing_models()) {
    const auto natural = assembled(model, "natural"), bodies = assembled(model);
    const Reaction there = solved(bodies.system(), bodies.start()),
                   here = solved(natural.system(), natural.start());
    // d/dt of the velocities read off along the motion, by central differences
    const double h = 1e-6;
    const auto at = [&](double s) {
      const State& b = bodies.start();
      return natural.compiled.from_reference(
          {b.t, b.q + s * b.v + s * s / 2 * there.vdot, b.v + s * there.vdot});
    };
    const Vec expected = (at(h).v - at(-h).v) / (2 * h);
    const double size = 1 + max_abs(expected);
    EXPECT_LT(max_difference(here.vdot, expected), 1e-7 * size) << model.name;
    check_energy(natural.system(), natural.start(), bodies.system(), bodies.start(), model.name);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
