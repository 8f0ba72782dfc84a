// Points and directions in the frames of their bodies; what is given in the world comes back there.
#include "driftless/model/geometry.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "small_catalogue.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::sound_model;
using test::sound_spatial_model;

constexpr double kRoundOff = 1e-14;

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_LT((a - b).norm(), kRoundOff) << a.transpose() << " and " << b.transpose();
}

TEST(Geometry, PosesTurnBodyAxesIntoTheWorld) {
  Model model = sound_spatial_model();
  model.bodies[0].orientation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // a quarter turn about z
  const StartPose arm = start_pose(ModelIndex(model), "arm");
  expect_near(arm.rotation * Vec3::UnitX(), Vec3::UnitY());
  expect_near(arm.rotation * Vec3::UnitZ(), Vec3::UnitZ());
  EXPECT_EQ(start_pose(ModelIndex(model), "bob").origin, Vec3(1, 2, 3));
  EXPECT_EQ(start_pose(ModelIndex(model), "ground").origin, Vec3::Zero());
  EXPECT_EQ(start_pose(ModelIndex(model), "ground").rotation, Eigen::Matrix3d::Identity());

  Model planar = sound_model();
  planar.bodies[1].angle = std::numbers::pi / 2;
  expect_near(start_pose(ModelIndex(planar), "rod").rotation * Vec3::UnitX(), Vec3::UnitY());
}

TEST(Geometry, PointsByNameCoordinatesAndPlace) {
  const Model model = sound_spatial_model();
  EXPECT_EQ(resolve_point(ModelIndex(model), {"arm", "B", Vec3::Zero()}), Vec3(0.5, 0, 0.1));
  EXPECT_EQ(resolve_point(ModelIndex(model), {"ground", "O", Vec3::Zero()}), Vec3(0, 0, 1));
  EXPECT_EQ(resolve_point(ModelIndex(model), {"bob", "", Vec3(1, 2, 4)}), Vec3(1, 2, 4));
  const Vec3 place(4, -1, 0.5);
  EXPECT_EQ(resolve_point(ModelIndex(model), {"ground", "", place, true}), place);
  const StartPose pose = start_pose(ModelIndex(model), "bob");
  expect_near(pose.origin + pose.rotation * resolve_point(ModelIndex(model), {"bob", "", place, true}),
              place);

  const Model planar = sound_model();
  const StartPose rod = start_pose(ModelIndex(planar), "rod");
  const Vec3 p = resolve_point(ModelIndex(planar), {"rod", "", Vec3(4, -1, 0), true});
  EXPECT_EQ(p.z(), 0);
  expect_near(rod.origin + rod.rotation * p, Vec3(4, -1, 0));
}

TEST(Geometry, DirectionsAreUnitVectorsOfTheirBody) {
  const Model model = sound_spatial_model();
  std::string body;
  const auto resolve = [&](const DirectionRef& ref) {
    return resolve_direction(ModelIndex(model), ref, "bob", body);
  };
  expect_near(resolve({"", "", Vec3(0, 3, 4)}), Vec3(0, 0.6, 0.8));
  EXPECT_EQ(body, "bob");
  expect_near(resolve({"ground", "tilted", Vec3::Zero()}), Vec3(1, 0, 1).normalized());
  EXPECT_EQ(body, "ground");
  expect_near(resolve({"arm", "hinge", Vec3::Zero()}), Vec3::UnitZ());
  EXPECT_EQ(body, "arm");
  expect_near(resolve({"arm", "", Vec3(0, -1e-200, 0)}), -Vec3::UnitY());
  EXPECT_EQ(body, "arm");
  const Vec3 wanted = Vec3(1, -2, 3);
  expect_near(start_pose(ModelIndex(model), "bob").rotation * resolve({"", "", wanted, true}),
              wanted.normalized());
  EXPECT_EQ(body, "bob");
  expect_near(resolve({"ground", "", wanted, true}), wanted.normalized());
  EXPECT_EQ(body, "ground");
}

TEST(Geometry, WhatIsNotThereCountsAsGround) {
  const Model model = sound_spatial_model();
  std::string body;
  EXPECT_EQ(resolve_point(ModelIndex(model), {"nobody", "X", Vec3::Zero()}), Vec3::Zero());
  EXPECT_EQ(resolve_direction(ModelIndex(model), {"arm", "nothing", Vec3::Zero()}, "bob", body),
            Vec3::Zero());
  EXPECT_EQ(resolve_direction(ModelIndex(model), {"", "", Vec3(0, 0, 2), true}, "nobody", body),
            Vec3::UnitZ());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
