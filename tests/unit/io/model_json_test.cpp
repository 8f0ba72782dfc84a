// Model files: what was written reads back the same, bit for bit. What is refused: model_json_bad_input_test.cpp.
#include "driftless/io/model_json.hpp"

#include <cmath>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_texts.hpp"

namespace driftless {
namespace {

using test::body_with;
using test::complaint_of;
using test::driver_with;
using test::model_with;
using test::parse;
using test::sound_model;

// ---- equality of models ----------------------------------------------------------------------------------------

bool same(const FieldValue& a, const FieldValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* ref = std::get_if<PointRef>(&a)) {
    const auto& other = std::get<PointRef>(b);
    return ref->body == other.body && ref->point == other.point && ref->at == other.at;
  }
  if (const auto* v = std::get_if<Vec3>(&a)) return *v == std::get<Vec3>(b);
  return std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, PointRef> || std::is_same_v<T, Vec3>)
          return false;
        else
          return value == std::get<T>(b);
      },
      a);
}

void expect_same(const std::vector<Element>& a, const std::vector<Element>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].type, b[i].type);
    ASSERT_EQ(a[i].fields.size(), b[i].fields.size());
    for (const auto& [name, value] : a[i].fields) {
      ASSERT_TRUE(b[i].has(name)) << name;
      EXPECT_TRUE(same(value, b[i].fields.find(name)->second)) << a[i].name << "." << name;
    }
  }
}

void expect_same(const std::vector<NamedPoint>& a, const std::vector<NamedPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].at, b[i].at);
  }
}

void expect_same(const Body& a, const Body& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.inertia, b.inertia);
  EXPECT_EQ(a.center_of_mass, b.center_of_mass);
  expect_same(a.points, b.points);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.angle, b.angle);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.angular_velocity, b.angular_velocity);
}

void expect_same(const RunSettings& a, const RunSettings& b) {
  EXPECT_EQ(a.t_end, b.t_end);
  EXPECT_EQ(a.rtol, b.rtol);
  EXPECT_EQ(a.atol, b.atol);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.initial_step, b.initial_step);
  EXPECT_EQ(a.max_step, b.max_step);
  EXPECT_EQ(a.output_step, b.output_step);
  EXPECT_EQ(a.drift_limit, b.drift_limit);
  EXPECT_EQ(a.max_steps, b.max_steps);
  EXPECT_EQ(a.coordinates, b.coordinates);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.stabilization, b.stabilization);
  EXPECT_EQ(a.options, b.options);
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.gravity, b.gravity);
  expect_same(a.ground_points, b.ground_points);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) expect_same(a.bodies[i], b.bodies[i]);
  expect_same(a.joints, b.joints);
  expect_same(a.drivers, b.drivers);
  expect_same(a.forces, b.forces);
  expect_same(a.outputs, b.outputs);
  ASSERT_EQ(a.initial.joints.size(), b.initial.joints.size());
  for (std::size_t i = 0; i < a.initial.joints.size(); ++i) {
    EXPECT_EQ(a.initial.joints[i].joint, b.initial.joints[i].joint);
    EXPECT_EQ(a.initial.joints[i].value, b.initial.joints[i].value);
    EXPECT_EQ(a.initial.joints[i].rate, b.initial.joints[i].rate);
  }
  EXPECT_EQ(a.initial.hold, b.initial.hold);
  expect_same(a.simulate, b.simulate);
  ASSERT_EQ(a.stop_when.size(), b.stop_when.size());
  for (std::size_t i = 0; i < a.stop_when.size(); ++i) {
    EXPECT_EQ(a.stop_when[i].output, b.stop_when[i].output);
    EXPECT_EQ(a.stop_when[i].crosses, b.stop_when[i].crosses);
    EXPECT_EQ(a.stop_when[i].direction, b.stop_when[i].direction);
  }
}

void expect_round_trip(const Model& model) {
  const std::string text = model_to_json(model);
  const Model again = parse(text);
  expect_same(model, again);
  EXPECT_EQ(model_to_json(again), text);
}

// ---- reading and writing ---------------------------------------------------------------------------------------

TEST(ModelJson, ReadsWhatWasWritten) { expect_round_trip(sound_model()); }

TEST(ModelJson, EverySettingSurvives) {
  Model model = sound_model();
  model.description = "quotes \" backslash \\ tab \t newline \n unit m² — \x01";
  RunSettings& run = model.simulate;
  run.atol = 1e-9;
  run.step = run.initial_step = run.max_step = run.output_step = 0.1 + 0.2;
  run.drift_limit = 5e-324;
  run.max_steps = 999999999999999;
  run.coordinates = "reference-point";
  run.integrator = "dopri5";
  run.stabilization = "none";
  run.options = {{"a", "1e-3"}, {"b", "0.001"}, {"c", "nan"},   {"d", "inf"},
                 {"e", "-0"},   {"f", "007"},   {"g", "1e+20"}, {"h", " 1"}};
  expect_round_trip(model);
}

TEST(ModelJson, EveryFunctionSurvives) {
  using namespace time_function;
  const std::vector<TimeFunction> functions = {
      TimeFunction(-1.5),
      TimeFunction(Polynomial{{1, 0, -2.5}}),
      TimeFunction(Harmonic{0, 3, 0, 0}),
      TimeFunction(Harmonic{1, 2, 3, 4}),
      TimeFunction(Table{{0, 1, 2}, {0, 5, -1}, Interpolation::linear}),
      TimeFunction(Table{{0, 1, 2}, {0, 5, -1}, Interpolation::cubic}),
      TimeFunction(Step{1, 0, 2, 0}),
      TimeFunction(Step{0, 1, 0, 0.5}),
      TimeFunction(Ramp{0, 2, 0, 1}),
      TimeFunction(Ramp{-1, 2, 3, 0}),
      TimeFunction(Pulse{1, 2, 3, 0}),
      TimeFunction(Pulse{1, 2, 3, 0.5}),
      TimeFunction(ExpressionText{"if(t < 1, sin(2*pi*t), 0)"})};
  for (const auto& function : functions) {
    Model model = sound_model();
    model.drivers[0].fields["function"] = function;
    model.drivers[1].fields["function"] = std::vector<TimeFunction>{function, TimeFunction(1)};
    SCOPED_TRACE(model_to_json(model));
    expect_round_trip(model);
  }
}

TEST(ModelJson, RandomNumbersSurvive) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-300, 300);
  for (int i = 0; i < 200; ++i) {
    Model model = sound_model();
    const auto draw = [&] { return mantissa(random) * std::pow(10, exponent(random)); };
    model.bodies[0].position = Vec3(draw(), draw(), 0);
    model.bodies[0].angle = draw();
    model.bodies[1].mass = std::abs(draw());
    model.stop_when[0].crosses = draw();
    expect_round_trip(model);
  }
}

TEST(ModelJson, LeavesOutDefaults) {
  Model model;
  Body body;
  body.name = "bar";
  body.mass = 1;
  body.inertia = 0.5;
  model.bodies = {body};
  EXPECT_EQ(model_to_json(model),
            "{\n  \"driftless\": 1,\n  \"bodies\": [\n    { \"name\": \"bar\", \"mass\": 1, \"inertia\": 0.5 "
            "}\n  ]\n}\n");
}

TEST(ModelJson, WriterRefusesWhatJsonCannotHold) {
  Model model = sound_model();
  model.bodies[0].angle = NAN;
  EXPECT_THROW(model_to_json(model), std::invalid_argument);
}

TEST(ModelJson, CommentsAreAllowed) {
  const Model model = parse(
      "\xEF\xBB\xBF// head\n{ \"$schema\": \"../schema/model.schema.json\", \"comment\": \"all\", /* version "
      "*/ "
      "\"driftless\": 1,\n\"bodies\": [{ \"comment\": \"a bar\", \"name\": \"bar\", \"mass\": 1, "
      "\"inertia\": 1, "
      "\"points\": { \"comment\": \"ends\", \"A\": [0, 1] } }],\n"
      "\"simulate\": { \"comment\": \"x\", \"options\": { \"comment\": \"y\", \"alpha\": 5 } } } // tail");
  ASSERT_EQ(model.bodies.size(), 1U);
  EXPECT_EQ(model.bodies[0].points.size(), 1U);
  EXPECT_EQ(model.simulate.options.size(), 1U);
  // A point may be called so.
  EXPECT_EQ(parse(body_with(R"(, "points": { "comment": [1, 2] })")).bodies[0].points.size(), 1U);
  EXPECT_EQ(complaint_of(body_with(R"(, "comment": 5)")).where, "bodies[0].comment");
}

TEST(ModelJson, PointsByNameOrCoordinates) {
  const Model model = parse(model_with(R"(, "joints": [{ "name": "pin", "type": "revolute", "a": "ground.O",
                                          "b": { "body": "bar", "at": [0.25, -1] } }])"));
  EXPECT_EQ(model.joints[0].get<PointRef>("a").point, "O");
  EXPECT_EQ(model.joints[0].get<PointRef>("b").body, "bar");
  EXPECT_EQ(model.joints[0].get<PointRef>("b").at, Vec3(0.25, -1, 0));
}

TEST(ModelJson, FunctionsInEveryForm) {
  const auto read = [](const std::string& text) {
    return parse(driver_with(text)).drivers[0].get<TimeFunction>("function");
  };
  EXPECT_EQ(read("3").kind(), "constant");
  EXPECT_EQ(read(R"({ "type": "constant", "value": 3 })"), TimeFunction(3));
  EXPECT_EQ(read("\"2*t\"")(2), 4);
  EXPECT_EQ(read(R"({ "type": "expression", "text": "2*t" })")(2), 4);
  EXPECT_EQ(read(R"({ "type": "polynomial", "coefficients": [1, 2] })")(2), 5);
  EXPECT_EQ(read(R"({ "type": "table", "points": [[0, 0], [1, 3]] })")(0.5), 1.5);
  EXPECT_EQ(read(R"({ "type": "ramp", "start": 0, "end_time": 4, "to": 8 })")(2), 4);
  EXPECT_EQ(read(R"({ "type": "step", "time": 1, "after": 8 })")(2), 8);
  EXPECT_EQ(read(R"({ "type": "pulse", "start": 1, "duration": 2, "height": 8 })")(2), 8);
  EXPECT_EQ(read(R"({ "type": "harmonic", "amplitude": 1, "frequency": 1, "offset": 2, "comment": "x" })")(0),
            2);
}

}  // namespace
}  // namespace driftless
