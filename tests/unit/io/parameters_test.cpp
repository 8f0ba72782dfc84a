// Parameters, expressions in every number, tables from files, files in files.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/units.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

const char* const kPendulum = R"({ "driftless": 1, "name": "pendulum", "gravity": [0, "-g"],
  "parameters": { "I": "m*L^2/12", "L": 0.5, "m": { "value": 2, "unit": "kg", "min": 1, "max": 5 }, "g": 9.81, "k": "pi/2" },
  "ground": { "points": { "O": [0, 0] } },
  "bodies": [ { "name": "bar", "mass": "m", "inertia": "I", "center_of_mass": ["L/2", 0],
                "points": { "O": [0, 0], "tip": ["L", 0] }, "angle": "-k" } ],
  "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.O" } ],
  "forces": [ { "name": "motor", "type": "torque", "body": "bar", "torque": "sin(k*t)*m" },
              { "name": "spring", "type": "rsda", "joint": "pin", "stiffness": "2*k", "law": "m*x^3",
                "spring": [["-L", -1], [0, 0], ["L", 1]] } ],
  "simulate": { "t_end": "4*L", "max_steps": "1000*m" } })";

std::string complaint_of(const std::string& text, const ParameterValues& set = {}) {
  try {
    parse_model(text, "m.json", set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "sound";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// A folder of its own for files that name one another.
class ModelFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const auto path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST(Units, ValuesAreThoseOfTheDecimals) {
  EXPECT_EQ(Expression("mm(120)")(0), 0.12);
  EXPECT_EQ(Expression("deg(180)")(0), std::numbers::pi);
  EXPECT_DOUBLE_EQ(Expression("rpm(30)")(0), std::numbers::pi);
  EXPECT_EQ(Expression("kmh(36) + inch(100)")(0), 10 + 2.54);
  EXPECT_EQ(Expression("deg(t)", {"t"}).at(90).rate, std::numbers::pi / 180);
  EXPECT_THROW(Expression("mm()"), std::invalid_argument);
  EXPECT_THROW(Expression("mm(1, 2)"), std::invalid_argument);
  for (const Unit& unit : units()) EXPECT_GT(Expression(std::string(unit.name) + "(1)")(0), 0) << unit.name;
}

TEST(Units, AreNoNamesOfVariables) {
  const double values[] = {3};
  EXPECT_EQ(Expression("g + g(500)", {"", "g"})(0, values), 3.5);
}

TEST(Parameters, StandInEveryNumber) {
  const Model model = parse_model(kPendulum, "m.json");
  const Body& bar = model.bodies[0];
  EXPECT_EQ(bar.mass, 2);
  EXPECT_EQ(bar.inertia, 2 * 0.25 / 12);
  EXPECT_EQ(bar.points[1].at.x(), 0.5);
  EXPECT_EQ(bar.angle, -std::numbers::pi / 2);
  EXPECT_EQ(model.gravity.y(), -9.81);
  EXPECT_EQ(model.simulate.t_end, 2);
  EXPECT_EQ(model.simulate.max_steps, 2000);
  EXPECT_EQ(model.forces[1].get<double>("stiffness"), std::numbers::pi);
  EXPECT_EQ(model.forces[1].get<Characteristic>("spring")[2].first, 0.5);
  EXPECT_EQ(model.forces[0].get<TimeFunction>("torque")(1), 2 * std::sin(std::numbers::pi / 2));
  ASSERT_EQ(model.parameters.size(), 5u);
  EXPECT_EQ(model.parameters[0].name, "I");
  EXPECT_EQ(model.parameters[0].text, "m*L^2/12");
  EXPECT_EQ(model.parameters[2].unit, "kg");
  EXPECT_EQ(model.parameters[2].used_in,
            (std::vector<std::string>{"parameters.I", "bodies[0].mass", "forces[0].torque", "forces[1].law",
                                      "simulate.max_steps"}));
}

TEST(Parameters, CanBeSet) {
  const Model model = parse_model(kPendulum, "m.json", {{"L", 1}});
  EXPECT_EQ(model.bodies[0].inertia, 2.0 / 12);
  EXPECT_EQ(model.simulate.t_end, 4);
  EXPECT_EQ(parse_model(kPendulum, "m.json", {{"I", 7}}).bodies[0].inertia, 7) << "an expression, too";
}

// What is written are numbers, and reading them gives the same model.
TEST(Parameters, AreWrittenAsNumbers) {
  const Model model = parse_model(kPendulum, "m.json");
  const std::string text = model_to_json(model);
  EXPECT_EQ(text.find("parameters"), std::string::npos);
  const Model again = parse_model(text, "m.json");
  EXPECT_EQ(model_to_json(again), text);
  EXPECT_TRUE(again.parameters.empty());
}

TEST(Parameters, WithOtherValues) {
  const Model model = parse_model(kPendulum, "m.json", {{"m", 3}});
  const Model other = with(model, {{"L", 1}});
  EXPECT_EQ(other.bodies[0].mass, 3) << "what was set before stays";
  EXPECT_EQ(other.bodies[0].inertia, 3.0 / 12);
  EXPECT_EQ(model.bodies[0].points[1].at.x(), 0.5) << "the model itself is as it was";
  EXPECT_THROW(with(model, {{"l", 1}}), InputError);
  Model changed = model;
  changed.bodies[0].mass = 1;
  EXPECT_THROW(with(changed, {{"L", 1}}), InputError) << "the change would be lost";
  changed.origin.reset();
  EXPECT_THROW(with(changed, {{"L", 1}}), InputError);
}

TEST(Parameters, Mistakes) {
  const auto found = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  found(complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"L\": \"2*I\"")),
        "parameters.I: expected an expression that does not lead back to its own parameter, found I → L → I");
  found(complaint_of(replaced(kPendulum, "\"mass\": \"m\"", "\"mass\": \"mas\"")),
        "bodies[0].mass: expected a number");
  found(complaint_of(replaced(kPendulum, "\"mass\": \"m\"", "\"mass\": \"ll\"")),
        "no parameter is called 'll'; did you mean 'L'?");
  found(complaint_of(kPendulum, {{"m", 6}}), "parameters.m: expected a value from 1 to 5 kg, found 6");
  found(complaint_of(kPendulum, {{"M", 3}}),
        "parameters.M: expected one of 'I', 'L', 'm', 'g' or 'k', found 'M'; did you mean 'm'?");
  found(complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"t\": 0.5")),
        "in expressions it means something else");
  found(complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"2L\": 0.5")), "a name of letters");
  found(complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"L\": []")),
        "a number, an expression in other parameters");
  found(complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"L\": {\"unit\": \"m\"}")), "parameters.L.value");
  found(complaint_of(replaced(kPendulum, "\"L/2\"", "\"L/0\"")), "center_of_mass[0]: ");
  found(complaint_of(replaced(kPendulum, "\"g\": 9.81", "\"g\": 9.81, \"x\": 1")),
        "a variable of this law and a parameter");
  // One complaint for one cause.
  const std::string one = complaint_of(replaced(kPendulum, "\"L\": 0.5", "\"L\": \"a\""));
  EXPECT_EQ(one.find('\n'), std::string::npos) << one;
}

TEST_F(ModelFiles, TablesFromCsv) {
  write("tables/spring.csv", "# measured\nx, force , other\n-10, -5, 1\n0,0,2\r\n10;5;3\n");
  const std::string force = R"("spring": [["-L", -1], [0, 0], ["L", 1]])";
  const auto model_with = [&](const std::string& spring) {
    return read_model(write("m.json", replaced(kPendulum, force, "\"spring\": " + spring)));
  };
  const auto table =
      model_with(R"({ "file": "tables/spring.csv", "columns": ["x", 2], "scale": ["mm(1)*1", "m"] })")
          .forces[1]
          .get<Characteristic>("spring");
  EXPECT_EQ(table, (Characteristic{{-0.01, -10}, {0, 0}, {0.01, 10}}));
  EXPECT_EQ(model_with(R"("tables/spring.csv")").forces[1].get<Characteristic>("spring")[2],
            std::pair(10.0, 5.0));
  const auto fails = [&](const std::string& spring, const std::string& part) {
    try {
      model_with(spring);
      ADD_FAILURE() << spring;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  fails(R"("no.csv")", "no file of this name");
  fails(R"({ "file": "tables/spring.csv", "columns": ["y", 2] })", "'x', 'force' or 'other'");
  fails(R"({ "file": "tables/spring.csv", "columns": [1, 4] })", "from 1 to 3");
  write("bad.csv", "1, 2\n3, nan\n");
  fails(R"("bad.csv")", "'nan' in line 2");
  write("ragged.csv", "1, 2\n3\n");
  fails(R"("ragged.csv")", "1 numbers in line 2");
}

// Two of one file, each where the other numbers say.
TEST_F(ModelFiles, Includes) {
  write("parts/arm.json", R"({ "driftless": 1, "gravity": [0, -1],
    "parameters": { "L": 1, "m": "3*L" },
    "ground": { "points": { "O": [0, "L"] } },
    "bodies": [ { "name": "arm", "mass": "m", "inertia": 1, "points": { "A": [0, 0] }, "position": [0, "L"] } ],
    "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.A" } ],
    "forces": [ { "name": "tie", "type": "tsda", "a": "arm.A", "b": "frame.C", "stiffness": 5 } ],
    "outputs": [ { "name": "x", "type": "point", "point": "arm.A", "component": "x" } ],
    "initial": { "joints": { "pin": { "rate": 2 } }, "hold": ["arm.theta"] } })");
  const std::string whole = R"({ "driftless": 1, "parameters": { "L": 2 },
    "bodies": [ { "name": "frame", "mass": 1, "inertia": 1, "points": { "C": [0, 0] } } ],
    "include": [ { "file": "parts/arm.json", "prefix": "a_", "parameters": { "L": "L" } },
                 { "file": "parts/arm.json", "prefix": "b_", "position": ["10*L", 0], "angle": "pi/2" } ],
    "forces": [ { "name": "rod", "type": "tsda", "a": "a_arm.A", "b": "b_arm.A", "stiffness": 1 } ] })";
  const Model model = read_model(write("whole.json", whole));
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[1].name, "a_arm");
  EXPECT_EQ(model.bodies[1].mass, 6);
  EXPECT_EQ(model.bodies[2].mass, 3);
  EXPECT_NEAR((model.bodies[2].position - Vec3(19, 0, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(model.bodies[2].angle, std::numbers::pi / 2);
  EXPECT_EQ(model.ground_points[1].name, "b_O");
  EXPECT_EQ(model.joints[0].get<PointRef>("a").point, "a_O");
  EXPECT_EQ(model.forces[0].name, "rod");
  EXPECT_EQ(model.forces[1].get<PointRef>("a").body, "a_arm");
  EXPECT_EQ(model.forces[1].get<PointRef>("b").body, "frame") << "a name of the file around it";
  EXPECT_EQ(model.outputs[1].name, "b_x");
  EXPECT_EQ(model.initial.joints[1].joint, "b_pin");
  EXPECT_EQ(model.initial.hold[1], "b_arm.theta");
  EXPECT_TRUE(model.gravity.isZero()) << "gravity is a matter of the whole";
  EXPECT_EQ(read_model(folder_ / "whole.json", {{"b_m", 7}}).bodies[2].mass, 7);
  EXPECT_EQ(with(model, {{"L", 3}}).bodies[1].mass, 9) << "through the included file";
  EXPECT_EQ(model_to_json(parse_model(model_to_json(model), "flat.json")), model_to_json(model));

  const auto fails = [&](const std::string& from, const std::string& to, const std::string& part) {
    try {
      read_model(write("bad.json", replaced(whole, from, to)));
      ADD_FAILURE() << to;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  fails("\"L\": \"L\"", "\"LL\": \"L\"",
        "include[0].parameters.LL: expected a parameter of the file: 'L' or 'm', found 'LL'");
  fails("\"L\": \"L\"", "\"L\": \"-L\"",
        "include[0](parts/arm.json).bodies[0].mass: expected a number > 0, found -6");
  fails("parts/arm.json", "bad.json", "a file that does not lead back to itself");
  fails("parts/arm.json", "parts/no.json",
        "include[0].file: expected a model file, found no file of this name");
  fails("\"prefix\": \"b_\"", "\"prefix\": \"a_\"", "a name of its own");
  fails("\"parameters\": { \"L\": 2 }", "\"parameters\": { \"L\": 2, \"a_m\": 1 }", "two of this name");
}

// A turned pendulum is the same pendulum with gravity turned back.
TEST_F(ModelFiles, TurnedPartsMoveAsTheyDoUnturned) {
  const std::string part = R"({ "driftless": 1, "ground": { "points": { "O": [1, 0] } },
    "bodies": [ { "name": "arm", "mass": 2, "inertia": 0.3, "points": { "A": [-0.5, 0] }, "position": [1.5, 0] },
                { "name": "block", "mass": 1, "inertia": 0.1, "points": { "C": [0, 0] }, "position": [2, 1], "angle": 0.2 } ],
    "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.A" },
                { "name": "guide", "type": "translational", "a": { "body": "ground", "at": [2, 1] }, "axis": [1, 0.5], "b": "block.C", "angle": 0.2 } ],
    "forces": [ { "name": "twist", "type": "rsda", "joint": "pin", "stiffness": 4, "free_angle": 0.3 },
                { "name": "tie", "type": "tsda", "a": "arm.A", "b": "block.C", "stiffness": 7, "free_length": 1 },
                { "name": "tip", "type": "tsda", "a": {"body": "arm", "at": [0.5, 0]}, "b": "block.C", "stiffness": 7, "free_length": 0.3 },
                { "name": "wind", "type": "point-force", "at": "block.C", "force": [1, 2] } ],
    "outputs": [ { "name": "slide", "type": "joint", "joint": "guide", "value": "displacement" },
                 { "name": "turn", "type": "joint", "joint": "pin", "value": "rate" } ],
    "initial": { "joints": { "pin": { "value": 0.4, "rate": 1 } } } })";
  write("part.json", part);
  const auto end_of = [&](const std::string& placement, const std::string& gravity) {
    const Model model = read_model(write(
        "whole.json", R"({ "driftless": 1, "gravity": )" + gravity +
                          R"(, "include": [ { "file": "part.json", "prefix": "p_" )" + placement + "} ] }"));
    const CompiledModel compiled = compile(model, "reference-point", "whole.json", {});
    driftless::Setup setup;
    setup.t_end = 0.7;
    setup.rtol = 1e-10;
    return simulate(*compiled.system, assemble(compiled, 0, "whole.json").state, setup).final_quantities;
  };
  const Vec straight = end_of("", "[0, -9.81]");
  const Vec turned =
      end_of(R"(, "position": [3, -2], "angle": "pi/6" )", R"(["9.81*sin(pi/6)+0", "-9.81*cos(pi/6)+0"])");
  EXPECT_LT((straight - turned).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_GT(straight.cwiseAbs().minCoeff(), 1e-3);
}

// Against the ground angles turn with a part; distances and displacements do not.
TEST_F(ModelFiles, TurnedPartsKeepWhatIsNoAngle) {
  write("part.json", R"({ "driftless": 1,
    "bodies": [ { "name": "arm", "mass": 1, "inertia": 1, "position": [1, 0] } ],
    "drivers": [ { "name": "turn", "type": "angle", "a": "ground", "b": "arm", "function": 0.5 },
                 { "name": "reach", "type": "distance", "a": { "body": "ground", "at": [0, 0] }, "b": { "body": "arm", "at": [0, 0] }, "function": 2 },
                 { "name": "push", "type": "displacement", "a": { "body": "ground", "at": [0, 0] }, "axis": [1, 0], "b": { "body": "arm", "at": [0, 0] }, "function": 3 } ] })");
  const Model model = read_model(write("whole.json", R"({ "driftless": 1,
    "include": [ { "file": "part.json", "prefix": "p_", "angle": 0.25 } ] })"));
  EXPECT_EQ(model.drivers[0].get<TimeFunction>("function")(0), 0.75);
  EXPECT_EQ(model.drivers[1].get<TimeFunction>("function")(0), 2);
  EXPECT_EQ(model.drivers[2].get<TimeFunction>("function")(0), 3);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
