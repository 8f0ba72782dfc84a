// Mistakes only a joint can see, and types that do not exist in a kind of model: refused with the path of the field.
#include <gtest/gtest.h>

#include "driftless/coordinates/coordinates.hpp"

#include "support/runs.hpp"
#include "support/spatial_samples.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Every complaint about the model, one line each.
std::string complaints(const Model& model) {
  try {
    compile(model, "reference-point", "model");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Model with(Element joint, bool is_driver = false) {
  Random random(1);
  Model model = three_bodies(random);
  model.joints = {revolute_between("pin", "one", "two", random),
                  revolute_between("ball", "two", "three", random)};
  model.joints[1].type = "spherical";
  model.joints[1].fields.erase("axis");
  (is_driver ? model.drivers : model.joints).push_back(std::move(joint));
  return model;
}

void expect_complaint(const Model& model, const std::string& part, const std::string& hint = "") {
  const std::string text = complaints(model);
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_NE(text.find(hint), std::string::npos) << text;
}

Element screw(double pitch) {
  return {"nut",
          "screw",
          {{"a", point("one", Vec3::Zero())},
           {"b", point("three", Vec3::Zero())},
           {"axis", along("one", Vec3::UnitZ())},
           {"pitch", pitch}}};
}

TEST(JointChecks, ScrewNeedsAPitch) {
  EXPECT_EQ(complaints(with(screw(-0.1))), "");
  expect_complaint(with(screw(0)), "joints[2].pitch", "'revolute'");
}

TEST(JointChecks, FixedNeedsBothDirections) {
  const Element weld{"weld",
                     "fixed",
                     {{"a", point("one", Vec3::Zero())},
                      {"b", point("three", Vec3::Zero())},
                      {"axis_b", along("three", Vec3::UnitZ())}}};
  expect_complaint(with(weld), "joints[2].axis_b");
}

Element disc(const std::string& ground) {
  return {"floor",
          "rolling-disc",
          {{"a", point(ground, Vec3::Zero())},
           {"axis", along(ground, Vec3::UnitZ())},
           {"b", point("three", Vec3::Zero())},
           {"axis_b", along("three", Vec3::UnitX())},
           {"radius", 0.5}}};
}

TEST(JointChecks, DiscRollsOnGroundAndDoesNotLieFlat) {
  EXPECT_EQ(complaints(with(disc("ground"))), "");
  expect_complaint(with(disc("one")), "joints[2].a", "at rest");
  Element flat = disc("ground");
  flat.fields["axis_b"] = DirectionRef{"", "", Vec3::UnitZ(), true};
  expect_complaint(with(flat), "joints[2].axis_b", "flat");
}

Element coupler(const std::string& a, const std::string& b, double ratio) {
  return {"link", "coupler", {{"joint_a", a}, {"joint_b", b}, {"ratio", ratio}}};
}

TEST(JointChecks, CouplerNeedsTwoCoordinates) {
  expect_complaint(with(coupler("pin", "pin", 2)), "joints[2].joint_b", "another joint");
  expect_complaint(with(coupler("ball", "pin", 2)), "joints[2].joint_a", "'ball' of type 'spherical'");
  expect_complaint(with(coupler("pin", "link", 2)), "joints[2].joint_b", "'link' of type 'coupler'");
  expect_complaint(with(coupler("pin", "pin", 0)), "joints[2].ratio");
  Element wrong = coupler("pin", "pin", 2);
  wrong.fields["coordinate_b"] = std::string("displacement");
  expect_complaint(with(wrong), "joints[2].coordinate_b", "'angle', which joint 'pin' has");
}

TEST(JointChecks, DriversNameWhatTheJointHas) {
  const auto drive = [](const std::string& joint, const std::string& coordinate) {
    return Element{"motor",
                   "joint-coordinate",
                   {{"joint", joint}, {"coordinate", coordinate}, {"function", TimeFunction(0.5)}}};
  };
  EXPECT_EQ(complaints(with(drive("pin", "angle"), true)), "");
  expect_complaint(with(drive("pin", "displacement"), true), "drivers[0].coordinate");
  expect_complaint(with(drive("ball", "angle"), true), "drivers[0].joint");

  Model planar = model_file("slider-crank");
  planar.drivers = {drive(planar.joints.front().name, "displacement")};
  expect_complaint(planar, "drivers[0].coordinate");
}

TEST(JointChecks, AngleNeedsBothReferencesOrNone) {
  Element motor{"motor",
                "angle",
                {{"a", std::string("one")},
                 {"b", std::string("three")},
                 {"axis", along("one", Vec3::UnitZ())},
                 {"reference_a", along("one", Vec3::UnitX())},
                 {"function", TimeFunction(0.5)}}};
  expect_complaint(with(motor, true), "drivers[0].reference_b");
  motor.fields["reference_b"] = along("three", Vec3::UnitX());
  EXPECT_EQ(complaints(with(motor, true)), "");
}

TEST(JointChecks, TypesOfTheOtherSpaceAreRefused) {
  Model planar = model_file("slider-crank");
  for (const auto* record : joint_records()) {
    if (record->planar.expand != nullptr) continue;
    planar.joints.back().type = record->element.type;
    expect_complaint(planar, "is for spatial models");
  }
}

// The driver of a joint does in a planar model what the driver of its bodies does.
TEST(JointChecks, JointDriverInAPlanarModel) {
  Model model;
  model.name = "bar";
  model.bodies = {Body()};
  model.bodies[0].name = "bar";
  model.bodies[0].mass = model.bodies[0].inertia = 1;
  model.joints = {
      {"pin", "revolute", {{"a", point("ground", Vec3::Zero())}, {"b", point("bar", -Vec3::UnitX())}}}};
  model.drivers = {
      {"motor",
       "joint-coordinate",
       {{"joint", std::string("pin")}, {"function", TimeFunction(time_function::Polynomial{{0.3, 2}})}}}};
  const AssembledModel mechanism = assembled(model);
  EXPECT_NEAR(mechanism.start().q[2], 0.3, 1e-12);
  EXPECT_NEAR(mechanism.start().v[2], 2, 1e-12);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
