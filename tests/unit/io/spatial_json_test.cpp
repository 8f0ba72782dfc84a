// Spatial models in files: every form of inertia, orientation, point and direction, and the way back.
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "driftless/model/geometry.hpp"

#include "model_texts.hpp"
#include "same_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::expect_round_trip;
using test::parse;
using test::sound_spatial_model;
using test::spatial_body_with;
using test::spatial_model_with;

constexpr double kRoundOff = 1e-15;

Eigen::Matrix3d rotation(const std::string& orientation) {
  const Model model = parse(spatial_body_with(R"(, "orientation": )" + orientation));
  return start_pose(ModelIndex(model), "arm").rotation;
}

Eigen::Matrix3d turn(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

const Vec3 kX = Vec3::UnitX(), kY = Vec3::UnitY(), kZ = Vec3::UnitZ();

TEST(SpatialJson, ReadsWhatWasWritten) { expect_round_trip(sound_spatial_model()); }

TEST(SpatialJson, RandomNumbersSurvive) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-100, 90);
  for (int i = 0; i < 200; ++i) {
    Model model = sound_spatial_model();
    const auto draw = [&] { return mantissa(random) * std::pow(10, exponent(random)); };
    const auto draw_small = [&] { return mantissa(random); };
    Body& body = model.bodies[0];
    body.position = Vec3(draw(), draw(), draw());
    body.spin = Vec3(draw(), draw(), draw());
    body.orientation = Eigen::Vector4d(draw_small(), draw_small(), draw_small(), draw_small()).normalized();
    const Eigen::Matrix3d R = rotation(R"({ "xyz": [1, 2, )" + std::to_string(i) + "] }");
    const Eigen::Matrix3d tensor = R * Vec3(0.5, 0.9, 1).asDiagonal() * R.transpose();
    body.inertia_tensor = tensor.selfadjointView<Eigen::Upper>();
    body.axes[0].at = Vec3(draw(), draw(), draw());
    expect_round_trip(model);
  }
}

TEST(SpatialJson, LeavesOutDefaults) {
  EXPECT_EQ(model_to_json(parse(spatial_body_with(R"(, "orientation": { "xyz": [0, 0, 0] }, "axes": {})"))),
            "{\n  \"driftless\": 1,\n  \"space\": \"spatial\",\n  \"bodies\": [\n    { \"name\": \"arm\", "
            "\"mass\": 1, "
            "\"inertia\": [0.1, 0.2, 0.2] }\n  ]\n}\n");
}

TEST(SpatialJson, InertiaInEveryForm) {
  const auto read = [](const std::string& inertia) {
    return parse(
               R"({ "driftless": 1, "space": "spatial", "bodies": [{ "name": "arm", "mass": 1, "inertia": )" +
               inertia + "}] }")
        .bodies[0]
        .inertia_tensor;
  };
  EXPECT_EQ(read("[1, 2, 3]"), Eigen::Matrix3d(Vec3(1, 2, 3).asDiagonal()));
  Eigen::Matrix3d full;
  full << 3, -0.1, 0.2, -0.1, 4, -0.3, 0.2, -0.3, 5;
  EXPECT_EQ(read("[3, 4, 5, -0.1, 0.2, -0.3]"), full);
  EXPECT_EQ(read("[[3, -0.1, 0.2], [-0.1, 4, -0.3], [0.2, -0.3, 5]]"), full);
  const Eigen::Matrix3d nearly = read("[[3, -0.1, 0.2], [-0.100000001, 4, -0.3], [0.2, -0.3, 5]]");
  EXPECT_EQ(nearly, nearly.transpose());
  EXPECT_NEAR(nearly(0, 1), -0.1000000005, 1e-16);
}

TEST(SpatialJson, OrientationInEveryForm) {
  const auto expect_near = [](const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), kRoundOff * 4) << a << "\n and\n" << b;
  };
  const double a = 0.3, b = -1.1, c = 2.5;
  expect_near(rotation(R"({ "quaternion": [1, 0, 0, 1] })"), turn(std::numbers::pi / 2, kZ));
  expect_near(rotation(R"({ "quaternion": [3e200, 0, 0, -3e200] })"), turn(-std::numbers::pi / 2, kZ));
  expect_near(rotation(R"({ "axis": [0, 5, 0], "angle": 0.3 })"), turn(0.3, kY));
  expect_near(rotation(R"({ "axis": [1, 1, 1e-180], "angle": 12, "comment": "twice round" })"),
              turn(12, Vec3(1, 1, 0).normalized()));
  expect_near(rotation(R"({ "xyz": [0.3, -1.1, 2.5] })"), turn(a, kX) * turn(b, kY) * turn(c, kZ));
  expect_near(rotation(R"({ "zxz": [0.3, -1.1, 2.5] })"), turn(a, kZ) * turn(b, kX) * turn(c, kZ));
  expect_near(rotation(R"({ "matrix": [[0, -1, 0], [1, 0, 0], [0, 0, 1]] })"),
              turn(std::numbers::pi / 2, kZ));
  // Half turns, where the scalar part of the quaternion vanishes.
  expect_near(rotation(R"({ "matrix": [[-1, 0, 0], [0, -1, 0], [0, 0, 1]] })"), turn(std::numbers::pi, kZ));
  expect_near(rotation(R"({ "matrix": [[1, 0, 0], [0, -1, 0], [0, 0, -1]] })"), turn(std::numbers::pi, kX));
}

// Seven digits are enough, and the result is a rotation to round-off.
TEST(SpatialJson, MatricesAreMadeOrthonormal) {
  const Eigen::Matrix3d R =
      rotation(R"({ "matrix": [[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 0.9999998]] })");
  EXPECT_LT((R - turn(std::numbers::pi / 6, kZ)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), kRoundOff);
}

TEST(SpatialJson, AngularVelocityInWorldOrBodyAxes) {
  const std::string quarter = R"(, "orientation": { "axis": [0, 0, 1], "angle": 1.5707963267948966 })";
  EXPECT_EQ(parse(spatial_body_with(quarter + R"(, "angular_velocity": [1, 2, 3])")).bodies[0].spin,
            Vec3(1, 2, 3));
  const Vec3 spin =
      parse(spatial_body_with(quarter + R"(, "angular_velocity_body": [1, 2, 3])")).bodies[0].spin;
  EXPECT_LT((spin - Vec3(-2, 1, 3)).norm(), 4 * kRoundOff);
}

TEST(SpatialJson, PointsAndDirectionsInEveryForm) {
  const Model model = parse(spatial_model_with(R"(, "joints": [
    { "name": "j1", "type": "translational", "a": "ground.O", "axis": "ground.up", "b": { "body": "arm", "world": [1, 2, 3] } },
    { "name": "j2", "type": "translational", "a": "ground.O", "axis": [0, 0, 2], "b": { "body": "arm", "at": [1, 2, 3] } },
    { "name": "j3", "type": "translational", "a": "ground.O", "axis": { "body": "arm", "along": [0, 1, 0] }, "b": "arm.A" },
    { "name": "j4", "type": "translational", "a": "ground.O", "axis": { "world": [0, 1, 0] }, "b": "arm.A" },
    { "name": "j5", "type": "translational", "a": "ground.O", "axis": { "body": "arm", "world": [0, 1, 0] }, "b": "arm.A" }
  ])"));
  const auto axis = [&](std::size_t i) { return model.joints[i].get<DirectionRef>("axis"); };
  EXPECT_EQ(axis(0).body + "." + axis(0).axis, "ground.up");
  EXPECT_EQ(axis(1).along, Vec3(0, 0, 2));
  EXPECT_EQ(axis(1).body, "");
  EXPECT_EQ(axis(2).body, "arm");
  EXPECT_FALSE(axis(2).world);
  EXPECT_TRUE(axis(3).world && axis(3).body.empty());
  EXPECT_TRUE(axis(4).world && axis(4).body == "arm");
  EXPECT_TRUE(model.joints[0].get<PointRef>("b").world);
  EXPECT_FALSE(model.joints[1].get<PointRef>("b").world);
  expect_round_trip(model);
}

TEST(SpatialJson, StartsOfJointsWithSeveralCoordinates) {
  const Model model = parse(spatial_model_with(R"(,
    "joints": [{ "name": "ball", "type": "spherical", "a": "ground.O", "b": "arm.A" },
               { "name": "pin", "type": "revolute", "a": "ground.O", "b": "arm.A" }],
    "initial": { "joints": { "ball": { "angle": { "value": 0.4, "rate": 1, "comment": "x" }, "comment": "y",
                                       "displacement": { "rate": 2 } }, "pin": { "value": 1 } } })"));
  ASSERT_EQ(model.initial.joints.size(), 3U);
  EXPECT_EQ(model.initial.joints[0].coordinate, "angle");
  EXPECT_EQ(model.initial.joints[1].coordinate, "displacement");
  EXPECT_EQ(model.initial.joints[1].rate, 2);
  EXPECT_EQ(model.initial.joints[2].coordinate, "");
  expect_round_trip(model);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
