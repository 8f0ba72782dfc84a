// Whatever a file contains that is not a sound model ends in a message that says where, what was expected, what was
// found and what to try, and never in a crash or a hang.
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/io/model_json.hpp"

#include "model_texts.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::all_text;
using test::body_with;
using test::complaint_at;
using test::complaint_of;
using test::complaints_of;
using test::driver_with;
using test::kBody;
using test::model_with;
using test::parse;
using test::sound_model;
using ::testing::HasSubstr;

// ---- what is wrong with a model --------------------------------------------------------------------------------

TEST(ModelJsonBadInput, VersionIsRequired) {
  EXPECT_EQ(complaint_of("{ \"bodies\": [" + kBody + "] }").where, "driftless");
  for (const std::string bad : {"2", "\"1\"", "1.5", "null", "true"}) {
    const auto complaint = complaint_of("{ \"driftless\": " + bad + ", \"bodies\": 5, \"nonsense\": 1 }");
    EXPECT_EQ(complaint.where, "driftless");
    EXPECT_THAT(complaint.hint, HasSubstr("version 1"));
  }
}

TEST(ModelJsonBadInput, RootIsAnObject) {
  for (const std::string text : {"[]", "5", "null", "\"text\"", "true"})
    EXPECT_THAT(complaint_of(text).expected, HasSubstr("an object"));
}

TEST(ModelJsonBadInput, BodiesAreRequired) {
  EXPECT_EQ(complaint_of(R"({ "driftless": 1 })").where, "bodies");
  EXPECT_EQ(complaint_of(R"({ "driftless": 1, "bodies": [] })").where, "bodies");
  EXPECT_EQ(complaint_of(R"({ "driftless": 1, "bodies": {} })").where, "bodies");
  EXPECT_EQ(complaint_of(R"({ "driftless": 1, "bodies": [5] })").where, "bodies[0]");
}

TEST(ModelJsonBadInput, SpaceIsPlanarOrSpatial) {
  for (const std::string bad : {"\"flat\"", "3", "null", "[\"planar\"]"}) {
    // Nothing is said of the rest, which may be of either kind.
    const auto complaint = complaint_of(R"({ "driftless": 1, "space": )" + bad + R"(, "bodies": [{}] })");
    EXPECT_EQ(complaint.where, "space");
    EXPECT_EQ(complaint.expected, "'planar' or 'spatial'");
  }
  EXPECT_EQ(complaint_of(model_with(R"(, "space": "Spatial")")).hint, "did you mean 'spatial'?");
}

TEST(ModelJsonBadInput, UnknownKeysSuggestTheNearest) {
  const auto top = complaint_of(model_with(R"(, "gravty": [0, 0])"));
  EXPECT_EQ(top.where, "gravty");
  EXPECT_EQ(top.hint, "did you mean 'gravity'?");
  EXPECT_THAT(top.expected, HasSubstr("'joints'"));
  EXPECT_EQ(complaint_of(body_with(R"(, "centre_of_mass": [0, 0])")).hint, "did you mean 'center_of_mass'?");
  EXPECT_EQ(complaint_of(body_with(R"(, "a b": 1)")).where, "bodies[0][\"a b\"]");
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "tend": 1 })")).where, "simulate.tend");
  EXPECT_EQ(complaint_of(model_with(R"(, "initial": { "held": [] })")).where, "initial.held");
  EXPECT_EQ(
      complaint_of(
          model_with(
              R"(, "joints": [{ "name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A", "c": 1 }])"))
          .where,
      "joints[0].c");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "constant", "value": 1, "valu": 1 })")).where,
            "drivers[0].function.valu");
}

TEST(ModelJsonBadInput, WrongTypesOfValues) {
  EXPECT_EQ(
      complaint_of(R"({ "driftless": 1, "bodies": [{ "name": "bar", "mass": "1", "inertia": 1 }] })").hint,
      "write numbers without quotes");
  EXPECT_EQ(complaint_of(R"({ "driftless": 1, "bodies": [{ "name": 5, "mass": 1, "inertia": 1 }] })").where,
            "bodies[0].name");
  EXPECT_EQ(complaint_of(body_with(R"(, "position": [1])")).found, "a list of 1 value");
  EXPECT_EQ(complaint_of(body_with(R"(, "position": [1, 2, 3])")).hint,
            "leave z out, or say \"space\": \"spatial\" at the top");
  EXPECT_EQ(complaint_of(body_with(R"(, "position": [1, "2"])")).where, "bodies[0].position[1]");
  EXPECT_EQ(complaint_of(body_with(R"(, "position": { "x": 1 })")).found, "an object");
  EXPECT_EQ(complaint_of(body_with(R"(, "angle": null)")).found, "null");
  EXPECT_EQ(complaint_of(body_with(R"(, "points": [1])")).where, "bodies[0].points");
  EXPECT_EQ(complaint_of(body_with(R"(, "points": { "A": 1 })")).where, "bodies[0].points.A");
  EXPECT_EQ(complaint_of(model_with(R"(, "gravity": 9.81)")).where, "gravity");
  EXPECT_EQ(complaint_of(model_with(R"(, "ground": [])")).where, "ground");
  EXPECT_EQ(complaint_of(model_with(R"(, "name": 5)")).where, "name");
  EXPECT_EQ(complaint_of(model_with(R"(, "$schema": 5)")).where, "$schema");
  EXPECT_EQ(complaint_of(model_with(R"(, "joints": {})")).where, "joints");
  EXPECT_EQ(complaint_of(model_with(R"(, "forces": [[]])")).where, "forces[0]");
  EXPECT_EQ(complaint_of(model_with(R"(, "initial": { "hold": "bar.x" })")).where, "initial.hold");
  EXPECT_EQ(complaint_of(model_with(R"(, "initial": { "hold": [1] })")).where, "initial.hold[0]");
  EXPECT_EQ(complaint_of(model_with(R"(, "initial": { "joints": [] })")).where, "initial.joints");
  EXPECT_EQ(complaint_of(model_with(R"(, "initial": { "joints": { "pin": 0.4 } })")).where,
            "initial.joints.pin");
}

TEST(ModelJsonBadInput, WrongRunSettings) {
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": 5)")).where, "simulate");
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "t_end": "1" })")).where, "simulate.t_end");
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "t_end": -1 })")).where, "simulate.t_end");
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "integrator": 5 })")).where, "simulate.integrator");
  for (const std::string bad : {"1.5", "1e300", "-1e300", "\"5\"", "0", "-3"})
    EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "max_steps": )" + bad + "}")).where,
              "simulate.max_steps");
  EXPECT_EQ(complaint_of(model_with(R"(, "simulate": { "options": { "formulation.alpha": [5] } })")).where,
            "simulate.options[\"formulation.alpha\"]");
  EXPECT_EQ(
      complaint_of(
          model_with(R"(, "outputs": [{ "name": "x", "type": "point", "point": "bar.A", "component": "x" }],
                                         "simulate": { "stop_when": [{ "output": "x" }] })"))
          .where,
      "simulate.stop_when[0].crosses");
}

TEST(ModelJsonBadInput, NegativeMassAndMissingFields) {
  const auto complaints = complaints_of(
      R"({ "driftless": 1, "bodies": [{ "name": "a", "mass": -1 }, { "mass": 1, "inertia": 1 }] })");
  EXPECT_EQ(complaint_at(complaints, "bodies[0].inertia").found, "nothing");
  EXPECT_EQ(complaint_at(complaints, "bodies[1].name").found, "nothing");
  EXPECT_EQ(
      complaint_of(R"({ "driftless": 1, "bodies": [{ "name": "a", "mass": -1, "inertia": 1 }] })").found,
      "-1");
}

TEST(ModelJsonBadInput, WrongElements) {
  const auto joint = [](const std::string& fields) {
    return complaint_of(model_with(R"(, "joints": [{ "name": "pin")" + fields + "}]"));
  };
  EXPECT_EQ(joint("").where, "joints[0].type");
  EXPECT_EQ(joint(R"(, "type": 5)").where, "joints[0].type");
  EXPECT_EQ(joint(R"(, "type": "revolut", "a": 5)").hint, "did you mean 'revolute'?");
  EXPECT_EQ(joint(R"(, "type": "revolute", "a": "ground.O")").where, "joints[0].b");
  const auto b = [&](const std::string& ref) {
    return joint(R"(, "type": "revolute", "a": "ground.O", "b": )" + ref);
  };
  EXPECT_THAT(b("\"bar\"").hint, HasSubstr("'bar.POINT'"));
  EXPECT_EQ(b("\"bra.A\"").hint, "did you mean 'bar'?");
  EXPECT_THAT(b("\"bar.C\"").hint, HasSubstr("'bar' has 'A' or 'B'"));
  EXPECT_EQ(b("\"bar.A.B\"").where, "joints[0].b");
  EXPECT_EQ(b("\".A\"").where, "joints[0].b");
  EXPECT_EQ(b("\"bar.\"").where, "joints[0].b");
  EXPECT_EQ(b("5").found, "5");
  EXPECT_EQ(b(R"({ "body": "bar" })").where, "joints[0].b.at");
  EXPECT_EQ(b(R"({ "body": "bar", "at": [1] })").where, "joints[0].b.at");
  EXPECT_EQ(b(R"({ "body": "bar", "at": [1, 2], "z": 3 })").where, "joints[0].b.z");
  EXPECT_EQ(b(R"({ "body": "rab", "at": [1, 2] })").where, "joints[0].b");
}

TEST(ModelJsonBadInput, WrongFunctions) {
  EXPECT_EQ(complaint_of(driver_with("true")).where, "drivers[0].function");
  EXPECT_EQ(complaint_of(driver_with("[1]")).where, "drivers[0].function");
  EXPECT_EQ(complaint_of(driver_with("{}")).where, "drivers[0].function.type");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "harmonik" })")).hint, "did you mean 'harmonic'?");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "harmonic", "amplitude": 1 })")).where,
            "drivers[0].function.frequency");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "constant", "value": "1" })")).where,
            "drivers[0].function.value");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "polynomial", "coefficients": [] })")).where,
            "drivers[0].function.coefficients");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "polynomial", "coefficients": [1, "2"] })")).where,
            "drivers[0].function.coefficients[1]");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "table", "points": [[0, 0], [0, 1]] })")).where,
            "drivers[0].function.points[1]");
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "table", "points": [[0, 0], [1]] })")).where,
            "drivers[0].function.points[1]");
  EXPECT_EQ(complaint_of(
                driver_with(R"({ "type": "table", "points": [[0, 0], [1, 1]], "interpolation": "spline" })"))
                .where,
            "drivers[0].function.interpolation");
  const auto step = complaint_of(driver_with(R"({ "type": "step", "time": 0, "after": 1, "duration": -1 })"));
  EXPECT_EQ(step.where, "drivers[0].function.duration");
  EXPECT_EQ(step.found, "-1");
  const auto expression = complaint_of(driver_with("\"2*sine(t)\""));
  EXPECT_EQ(expression.where, "drivers[0].function");
  EXPECT_EQ(expression.found, "'2*sine(t)'");
  EXPECT_THAT(expression.hint, HasSubstr("did you mean 'sin'?"));
  EXPECT_EQ(complaint_of(driver_with(R"({ "type": "expression", "text": "1 +" })")).where,
            "drivers[0].function.text");
  EXPECT_EQ(
      complaint_of(
          model_with(
              R"(, "drivers": [{ "name": "p", "type": "path", "a": "ground.O", "b": "bar.A", "function": [1] }])"))
          .where,
      "drivers[0].function");
  EXPECT_EQ(
      complaint_of(
          model_with(
              R"(, "drivers": [{ "name": "p", "type": "path", "a": "ground.O", "b": "bar.A", "function": [1, "x"] }])"))
          .where,
      "drivers[0].function[1]");
}

TEST(ModelJsonBadInput, CollectsFromReaderAndValidation) {
  const auto complaints = complaints_of(model_with(R"(, "gravity": 5, "simulate": { "t_end": -1 },
      "forces": [{ "name": "s", "type": "tsda", "a": "ground.O", "b": "bar.X", "damping": -1, "spring": [[0, 0], [1]] }])"));
  EXPECT_EQ(complaint_at(complaints, "gravity").found, "5");
  EXPECT_EQ(complaint_at(complaints, "simulate.t_end").found, "-1");
  EXPECT_EQ(complaint_at(complaints, "forces[0].b").found, "'bar.X' (force 's')");
  EXPECT_EQ(complaint_at(complaints, "forces[0].damping").where, "forces[0].damping");
  EXPECT_EQ(complaint_at(complaints, "forces[0].spring[1]").where, "forces[0].spring[1]");
  EXPECT_EQ(complaints.size(), 5U) << all_text(complaints);  // nothing is said twice
}

// ---- what is not a model at all --------------------------------------------------------------------------------

TEST(ModelJsonBadInput, NotJson) {
  EXPECT_EQ(complaint_of("").found, "an empty file");
  EXPECT_EQ(complaint_of(" \n\t ").found, "an empty file");
  const auto nan = complaint_of(R"({ "driftless": 1, "bodies": [{ "mass": NaN }] })");
  EXPECT_EQ(nan.where, "bodies[0].mass (line 1, column 40)");
  EXPECT_EQ(nan.found, "'NaN'");
  EXPECT_THAT(nan.hint, HasSubstr("finite"));
  EXPECT_EQ(complaint_of("{ \"a\": -Infinity }").found, "'-Infinity'");
  const auto huge = complaint_of("{\n  \"a\": [1, 1e999]\n}");
  EXPECT_EQ(huge.where, "a[1] (line 2, column 12)");
  EXPECT_EQ(huge.found, "'1e999'");
  EXPECT_EQ(complaint_of("{ \"a\": 1, }").hint, "remove the comma in front of it");
  EXPECT_EQ(complaint_of("{ \"a\": 1 \"b\": 2 }").hint, "a comma in front of it is missing");
  EXPECT_EQ(complaint_of("{ a: 1 }").hint, "keys stand in double quotes");
  EXPECT_EQ(complaint_of("{ 'a': 1 }").found, "'''");
  EXPECT_EQ(complaint_of("{ \"a\": True }").hint, "write true or false, in small letters");
  EXPECT_EQ(complaint_of("{ \"a\": [1, 2").found, "the end of the file");
  EXPECT_EQ(complaint_of("{ \"a\": \"text").hint, "a closing quote is missing");
  EXPECT_EQ(complaint_of("{} {}").expected, "nothing behind the end of the model");
  EXPECT_EQ(complaint_of("{ \"a\": /* }").expected, "a comment");
  EXPECT_EQ(complaint_of("{ \"a\": \"\xff\" }").found, "bytes that are not UTF-8");
  EXPECT_EQ(complaint_of("{ \"a\": \"\xc0\xaf\" }").found, "bytes that are not UTF-8");
  EXPECT_EQ(complaint_of(std::string("{}\0{}", 5)).found, "a NUL byte");
}

TEST(ModelJsonBadInput, DuplicateKeys) {
  const auto body = complaint_of(body_with(R"(, "mass": 2)"));
  EXPECT_EQ(body.where, "bodies[0].mass");
  EXPECT_EQ(body.found, "the same key twice");
  EXPECT_EQ(
      complaint_of(body_with(R"(, "points": { "A": [0, 0], "B": [0, 0], "A": [0, 0], "A": [1, 1] })")).where,
      "bodies[0].points.A");
  EXPECT_EQ(complaints_of(R"({ "driftless": 1, "driftless": 1, "bodies": [], "bodies": [] })").size(), 2U);
}

TEST(ModelJsonBadInput, DeepNestingEndsInAMessage) {
  const std::size_t ten_megabytes = 10'000'000;
  EXPECT_THAT(complaint_of(std::string(ten_megabytes, '[')).expected, HasSubstr("64 levels"));
  std::string objects;
  while (objects.size() < ten_megabytes) objects += "{\"a\":";
  EXPECT_THAT(complaint_of(objects).expected, HasSubstr("64 levels"));
  EXPECT_THAT(complaint_of(std::string(60, '[') + std::string(60, ']')).expected, HasSubstr("an object"));
}

TEST(ModelJsonBadInput, GarbageEndsInAMessage) {
  std::mt19937 random(11);
  std::string garbage(10'000'000, ' ');
  for (auto& c : garbage) c = static_cast<char>(random() & 0xFFU);
  complaint_of(garbage);
  complaint_of(std::string(10'000'000, 'x'));
  complaint_of("\"" + std::string(10'000'000, 'x'));
  complaint_of("{\"" + std::string(10'000'000, 'x') + "\": 1");
  const auto long_key = complaint_of(model_with(", \"" + std::string(10'000'000, 'x') + "\": 1"));
  EXPECT_LT(to_string(long_key).size(), 2000U);
  const auto long_type = complaint_of(
      model_with(R"(, "joints": [{ "name": "p", "type": ")" + std::string(1'000'000, 'x') + "\" }]"));
  EXPECT_LT(to_string(long_type).size(), 2000U);
}

TEST(ModelJsonBadInput, ManyValuesAndManyMistakesEndInAMessage) {
  std::string values = "[";
  for (int i = 0; i < 6'500'000; ++i) values += "1,";
  EXPECT_THAT(complaint_of(values).expected, HasSubstr("values in a file"));
  std::string bodies = R"({ "driftless": 1, "bodies": [5)";
  for (int i = 0; i < 300'000; ++i) bodies += ",5";
  EXPECT_LE(complaints_of(bodies + "] }").size(), 201U);
  std::string keys = R"({ "driftless": 1, "bodies": [)" + kBody + "]";
  for (int i = 0; i < 100'000; ++i) keys += ",\"grafity" + std::to_string(i) + "\": 1";
  EXPECT_LE(complaints_of(keys + "}").size(), 201U);
}

// Every prefix of a model and every model with one byte changed is read or refused, and nothing else happens.
TEST(ModelJsonBadInput, DamagedModelsEndInAMessage) {
  const std::string text = model_to_json(sound_model());
  const auto survives = [](const std::string& damaged) {
    try {
      parse(damaged);
    } catch (const InputError&) {
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) survives(text.substr(0, i));
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    damaged[random() % damaged.size()] = static_cast<char>(random() & 0xFFU);
    if (i % 2 == 0) damaged.erase(random() % damaged.size(), random() % 20);
    survives(damaged);
  }
}

// ---- files ------------------------------------------------------------------------------------------------------

class ModelFile : public ::testing::Test {
 protected:
  ModelFile()
      : folder_(std::filesystem::path(::testing::TempDir()) / ("model_json_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ModelFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static Complaint complaint_of_file(const std::string& path) {
    try {
      read_model(path);
    } catch (const InputError& error) {
      EXPECT_EQ(error.source(), path);
      EXPECT_FALSE(error.complaints().empty());
      return error.complaints()[0];
    }
    ADD_FAILURE() << "accepted: " << path;
    return {};
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ModelFile, Missing) {
  std::ofstream(path("crank.json")) << "{}";
  const auto complaint = complaint_of_file(path("crnk.json"));
  EXPECT_EQ(complaint.found, "no file of this name");
  EXPECT_EQ(complaint.hint, "did you mean 'crank.json'?");
  complaint_of_file(path("no/such/folder.json"));
  complaint_of_file("");
}

TEST_F(ModelFile, FolderEmptyAndGarbage) {
  EXPECT_EQ(complaint_of_file(path("")).found, "a folder");
  std::ofstream(path("empty.json"));
  EXPECT_EQ(complaint_of_file(path("empty.json")).found, "an empty file");
  std::ofstream(path("binary.json"), std::ios::binary)
      .write(
          "\x7f"
          "ELF\x02\x01\x00\x00",
          8);
  complaint_of_file(path("binary.json"));
  EXPECT_EQ(complaint_of_file("/dev/null").found, "a device");
  EXPECT_EQ(complaint_of_file("/dev/zero").found, "a device");
  ASSERT_EQ(::mkfifo(path("pipe.json").c_str(), 0600), 0);
  EXPECT_EQ(complaint_of_file(path("pipe.json")).found, "a pipe");  // and does not wait for a writer
}

TEST_F(ModelFile, TooLarge) {
  {
    std::ofstream file(path("large.json"), std::ios::binary);
    file.seekp((64 << 20) + 1);
    file << "x";
  }
  EXPECT_EQ(complaint_of_file(path("large.json")).found, "more than 64 MB");
}

// With the built-in elements.
TEST_F(ModelFile, ReadsTheBuiltInElements) {
  std::ofstream(path("pendulum.json")) << R"({ "driftless": 1, "gravity": [0, -9.81],
    "ground": { "points": { "O": [0, 0] } },
    "bodies": [{ "name": "bar", "mass": 1, "inertia": 0.1, "points": { "A": [-0.5, 0] } }],
    "joints": [{ "name": "pin", "type": "revolute", "a": "ground.O", "b": "bar.A" }] })";
  const Model model = read_model(path("pendulum.json"));
  EXPECT_EQ(model.joints[0].type, "revolute");
  EXPECT_EQ(model_to_json(parse_model(model_to_json(model), "again")), model_to_json(model));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
