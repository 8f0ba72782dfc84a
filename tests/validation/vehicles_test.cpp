// Vehicles: the HMMWV over its bump and the five-link suspension, against independent runs of the same data, and against
// themselves in other coordinates and with other methods.
#include <algorithm>

#include "driftless/reproduce/table.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Model model_of(const std::string& name) {
  const ProblemRecord& record = *find_problem(name);
  return record.mechanism(Options(record.name, record.options, {}));
}

RunSetup settings_of(const std::string& name, double t_end, double rtol) {
  const ProblemRecord& record = *find_problem(name);
  RunSetup setup = figures_only(t_end);
  setup.formulation = record.formulation;
  setup.integrator = record.integrator;
  setup.rtol = rtol;
  return setup;
}

AssembledModel car_in(const std::string& coordinates) {
  return assembled(model_of("hmmwv"), coordinates,
                   coordinates == "relative" ? std::map<std::string, std::string>{{"mass", "formed"}}
                                             : std::map<std::string, std::string>{});
}

double quantity(const DescriptorSystem& system, const Results& results, const std::string& name) {
  const auto names = system.quantity_names();
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(found, names.end()) << name;
  return results.final_quantities[found - names.begin()];
}

// Events add records: the one nearest to t.
size_t record_at(const Results& results, double t) {
  const std::vector<double>& all = results.trajectory.t;
  size_t nearest = 0;
  for (size_t k = 0; k < all.size(); ++k)
    if (std::abs(all[k] - t) < std::abs(all[nearest] - t)) nearest = k;
  return nearest;
}

TEST(Hmmwv, HasTheCountsOfThePaper) {
  const auto euler = assembled(model_of("hmmwv"), "euler-parameters");
  EXPECT_EQ(euler.system().layout().nq, 98);
  EXPECT_EQ(euler.system().layout().m, 80);
  EXPECT_LT(euler.assembly.report.position_residual, 1e-14);
  const auto relative = assembled(model_of("hmmwv"), "relative");
  EXPECT_EQ(relative.system().layout().nv - relative.system().layout().m, 18);
}

TEST(Hmmwv, StandsStillBeforeTheBump) {
  const auto car = problem("hmmwv");
  const Results results = simulate(*car.system, car.start, settings_of("hmmwv", 0.49, 1e-6));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(quantity(*car.system, results, "height"), 0.71, 1e-10);
  EXPECT_NEAR(quantity(*car.system, results, "front_left_tyre"), 6518.58338, 1e-3);
  EXPECT_NEAR(quantity(*car.system, results, "rear_left_tyre"), 6121.22884, 1e-3);
}

// Implicit Euler, h = 5e-4, of the same data by another program: good to 3e-4 m.
TEST(Hmmwv, GoesOverTheBump) {
  const auto car = problem("hmmwv");
  RunSetup setup = settings_of("hmmwv", 4, 1e-5);
  setup.record = true;
  setup.output_step = 0.01;
  const Results results = simulate(*car.system, car.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  const auto names = car.system->quantity_names();
  const auto column = static_cast<size_t>(std::find(names.begin(), names.end(), "height") - names.begin());
  const Table& table = results.trajectory.quantities;
  size_t lowest = 0, highest = 0;
  for (size_t i = 0; i < table.rows(); ++i) {
    if (table.at(i, column) < table.at(lowest, column)) lowest = i;
    if (table.at(i, column) > table.at(highest, column)) highest = i;
  }
  EXPECT_NEAR(table.at(lowest, column), 0.7068, 3e-4);
  EXPECT_NEAR(results.trajectory.t[lowest], 1.01, 0.02);
  EXPECT_NEAR(table.at(highest, column), 0.7262, 3e-4);
  EXPECT_NEAR(results.trajectory.t[highest], 1.36, 0.02);
  EXPECT_NEAR(quantity(*car.system, results, "height"), 0.71, 3e-5);
  const auto meets = [&](const std::string& tyre) {
    for (const auto& event : results.trajectory.events)
      if (event.name.starts_with(tyre)) return event.t;
    return std::nan("");
  };
  EXPECT_NEAR(meets("front_left_tyre"), 0.5, 1e-3);
  EXPECT_NEAR(meets("rear_left_tyre"), 1.244, 1e-3);
  const std::pair<double, double> places[] = {{0.55, 0.71363}, {0.8, 0.71393}, {0.9, 0.70871}, {1.0, 0.70686},
                                              {1.3, 0.71661},  {1.8, 0.70869}, {3.0, 0.71001}};
  for (const auto& [t, z] : places) EXPECT_NEAR(table.at(record_at(results, t), column), z, 3e-4) << t;
}

TEST(Hmmwv, IsTheSameAsItsModelFile) {
  const auto car = problem("hmmwv");
  const auto file = assembled(read_model(std::string(DRIFTLESS_SOURCE_DIR) + "/examples/vehicles/hmmwv.json"),
                              "relative", {{"mass", "formed"}});
  const RunSetup setup = settings_of("hmmwv", 0.7, 1e-4);
  const Results one = simulate(*car.system, car.start, setup);
  const Results other = simulate(file.system(), file.start(), setup);
  ASSERT_TRUE(one.good() && other.good()) << one.message << other.message;
  ASSERT_EQ(one.final.q.size(), other.final.q.size());
  EXPECT_LT(max_difference(one.final.q, other.final.q), 1e-7);
}

// Jacobians by the blocks of formulation.hpp are right where q̇ ≠ v: Newton's method converges as fast as where q̇ = v.
TEST(Hmmwv, TakesFewIterationsInEverySet) {
  for (const char* coordinates : {"relative", "reference-point", "euler-parameters"}) {
    const auto car = car_in(coordinates);
    const Results results = simulate(car.system(), car.start(), settings_of("hmmwv", 1.01, 1e-3));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(quantity(car.system(), results, "height"), 0.7068, 1e-3) << coordinates;
    EXPECT_LT(results.statistics.evaluations, 1200) << coordinates;
  }
}

TEST(Hmmwv, IsSeenByEveryImplicitMethod_full) {
  const auto see = [](const std::string& coordinates, const char* formulation, const char* integrator,
                      double rtol) {
    const auto car = car_in(coordinates);
    RunSetup setup = figures_only(1.01);
    setup.formulation = formulation;
    setup.integrator = integrator;
    setup.rtol = rtol;
    const Results results = simulate(car.system(), car.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(quantity(car.system(), results, "height"), 0.7068, 1e-3)
        << coordinates << " " << formulation << " " << integrator << " " << rtol;
  };
  for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const char* integrator :
         {"implicit-midpoint", "norsett2", "norsett3", "sdirk4", "radau-iia5", "bdf"})
      see("relative", "partitioned", integrator, rtol);
    for (const char* integrator : {"sdirk4", "radau-iia5"}) see("relative", "lagrange", integrator, rtol);
    for (const char* formulation : {"index3", "index2", "index2-ggl"}) {
      see("euler-parameters", formulation, "radau-iia5", rtol);
      see("euler-parameters", formulation, "bdf", rtol);
    }
    for (const char* integrator : {"generalized-alpha", "hht-alpha", "gssss"})
      see("euler-parameters", "index3", integrator, rtol);
  }
}

TEST(Hmmwv, MovesAlikeInEverySet_full) {
  std::vector<double> heights;
  for (const char* coordinates : {"relative", "reference-point", "euler-parameters"}) {
    const auto car = car_in(coordinates);
    RunSetup setup = settings_of("hmmwv", 2, 1e-8);
    setup.integrator = "radau-iia5";
    const Results results = simulate(car.system(), car.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    heights.push_back(quantity(car.system(), results, "height"));
  }
  EXPECT_NEAR(heights[1], heights[0], 1e-6);
  EXPECT_NEAR(heights[2], heights[0], 1e-6);
}

// A soft and a very hard spring, the hard one only around t = 5.
Model passing_stiffness() {
  Model model;
  model.name = "passing-stiffness";
  model.ground_points = {{"O", Vec3::Zero()}};
  const auto add = [&](const char* name, double mass, double x) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia = 0.1 * mass;
    body.points = {{"P", Vec3::Zero()}};
    body.position = {x, 0, 0};
    model.bodies.push_back(body);
    Element slide{std::string("slide_") + name, "translational", {}};
    slide.fields = {
        {"a", PointRef{"ground", "O"}}, {"b", PointRef{name, "P"}}, {"axis", Vec3(Vec3::UnitX())}};
    model.joints.push_back(slide);
  };
  add("block", 1, 1);
  add("tip", 0.01, 1.6);
  Element soft{"soft", "tsda", {}}, hard{"hard", "tsda", {}};
  soft.fields = {{"a", PointRef{"ground", "O"}},
                 {"b", PointRef{"block", "P"}},
                 {"stiffness", 100.0},
                 {"free_length", 0.8}};
  hard.fields = {
      {"a", PointRef{"block", "P"}},
      {"b", PointRef{"tip", "P"}},
      {"law", std::string("(1 + 1e6*exp(-4*(t-5)^2))*(x - 0.5) + (0.01 + 1e4*exp(-4*(t-5)^2))*v")}};
  model.forces = {soft, hard};
  return model;
}

// `auto` needs at most 1.5 times the evaluations of the better of its two methods.
TEST(AutoChoice, IsNearTheBetterOfTheTwo) {
  const auto cost = [](const DescriptorSystem& system, const State& start, RunSetup setup,
                       const char* integrator) {
    setup.integrator = integrator;
    const Results results = simulate(system, start, setup);
    EXPECT_TRUE(results.good()) << results.message;
    return static_cast<double>(results.statistics.evaluations);
  };
  for (const char* coordinates : {"relative", "reference-point", "natural"}) {
    const auto spring = assembled(passing_stiffness(), coordinates);
    RunSetup setup = figures_only(10);
    setup.rtol = 1e-5;
    const double best = cost(spring.system(), spring.start(), setup, "radau-iia5");  // dopri5: 1.6 million
    EXPECT_LT(cost(spring.system(), spring.start(), setup, "auto"), 1.5 * best) << coordinates;
  }
  for (const char* coordinates : {"relative", "reference-point", "euler-parameters"}) {
    const auto car = car_in(coordinates);
    const RunSetup setup = settings_of("hmmwv", 1.3, 1e-3);
    const double best = cost(car.system(), car.start(), setup, "radau-iia5");
    EXPECT_LT(cost(car.system(), car.start(), setup, "auto"), 1.5 * best) << coordinates;
  }
  const auto andrews = problem("andrews");
  const RunSetup setup = figures_only(0.03);
  EXPECT_EQ(cost(*andrews.system, andrews.start, setup, "auto"),
            cost(*andrews.system, andrews.start, setup, "dopri5"));
}

TEST(NegrutTables, StepsOfTheStiffPendulumAreMet) {
  const ReproducedTable table = find_table("negrut-3")->run();
  ASSERT_EQ(table.rows.size(), 7u);
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells)
      EXPECT_NEAR(cell.measured / cell.published, 1, 0.035) << row.label;
}

TEST(NegrutTables, ErrorsOfTheStiffPendulumAreWithinTheTolerance) {
  const ReproducedTable table = find_table("negrut-2")->run();
  ASSERT_EQ(table.rows.size(), 8u);
  for (const TableRow& row : table.rows) {
    EXPECT_LT(row.cells[1].measured, row.cells[1].published) << row.label;  // the largest error
    EXPECT_GT(row.cells[1].measured, 0) << row.label;
  }
}

class FiveLink : public ::testing::TestWithParam<const char*> {};

TEST_P(FiveLink, MeetsAnIndependentRun) {
  const ProblemRecord& record = *find_problem(GetParam());
  const auto suspension = problem(GetParam());
  EXPECT_EQ(suspension.system->layout().m, 12);
  RunSetup setup = figures_only(1);
  setup.record = true;
  setup.rtol = 1e-8;
  for (const ReferenceValue& value : record.values) setup.output_times.push_back(value.t);
  const Results results = simulate(*suspension.system, suspension.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_TRUE(results.warnings.empty())
      << results.warnings.front();  // the edge does work on the tyre's spring
  for (size_t i = 0; i < record.values.size(); ++i)
    EXPECT_NEAR(results.trajectory.quantities.at(record_at(results, record.values[i].t), 0),
                record.values[i].value, record.values[i].reliable)
        << "t = " << record.values[i].t;
}
INSTANTIATE_TEST_SUITE_P(Roads,
                         FiveLink,
                         ::testing::Values("five-link-1", "five-link-2"),
                         [](const auto& test) { return plain(test.param); });

// Driven by time, as the independent run is: a road so fast that the wheel's own way along it does not matter.
TEST(FiveLinkSuspension, MeetsAnIndependentRunDrivenByTime) {
  Model model = model_of("five-link-1");
  Element& tyre = model.forces[1];
  tyre.fields.at("speed") = 3e7;
  tyre.fields.at("road") =
      TimeFunction(time_function::ExpressionText{"0.3*sin(2*pi*(x/3e7+0.2))*exp(-500*(x/3e7-0.3)^2)", "x"});
  const auto suspension = assembled(model, "relative");
  RunSetup setup = figures_only(1);
  setup.record = true;
  setup.rtol = 1e-8;
  const std::vector<ReferenceValue>& values = find_problem("five-link-1")->values;
  for (const ReferenceValue& value : values) setup.output_times.push_back(value.t);
  const Results results = simulate(suspension.system(), suspension.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(results.trajectory.quantities.at(record_at(results, values[i].t), 0), values[i].value, 1e-5)
        << "t = " << values[i].t;
}

TEST(FiveLinkSuspension, MovesAlikeInAbsoluteCoordinates) {
  for (const char* name : {"five-link-1", "five-link-2"}) {
    const auto bodies = assembled(model_of(name), "euler-parameters");
    EXPECT_EQ(bodies.system().layout().nq, 49);
    EXPECT_EQ(bodies.system().layout().m, 47);
    const auto joints = problem(name);
    RunSetup setup = figures_only(0.4);
    setup.rtol = 1e-8;
    const Results one = simulate(bodies.system(), bodies.start(), setup);
    const Results other = simulate(*joints.system, joints.start, setup);
    ASSERT_TRUE(one.good() && other.good()) << one.message << other.message;
    EXPECT_NEAR(one.final_quantities[0], other.final_quantities[0], 1e-7) << name;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
