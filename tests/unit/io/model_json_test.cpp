// Model files: what was written reads back the same, bit for bit. What is refused: model_json_bad_input_test.cpp.
#include "driftless/io/model_json.hpp"

#include <cmath>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_texts.hpp"
#include "same_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::body_with;
using test::complaint_of;
using test::driver_with;
using test::expect_round_trip;
using test::model_with;
using test::parse;
using test::sound_model;

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
      TimeFunction(time_function::Table{{0, 1, 2}, {0, 5, -1}, Interpolation::linear}),
      TimeFunction(time_function::Table{{0, 1, 2}, {0, 5, -1}, Interpolation::cubic}),
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
  std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-300, 90);
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

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
