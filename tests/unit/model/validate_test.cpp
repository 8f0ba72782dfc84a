// validate() finds every mistake, each under its JSON path, with what was expected and a suggestion.
#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_catalogue.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using test::all_text;
using test::complaint_at;
using test::element;
using test::small_catalogue;
using test::sound_model;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Complaint> complaints_after(const std::function<void(Model&)>& change) {
  Model model = sound_model();
  change(model);
  return validate(model, small_catalogue());
}

// Exactly one complaint, under this path.
Complaint only_complaint(const std::string& where, const std::function<void(Model&)>& change) {
  const auto complaints = complaints_after(change);
  EXPECT_EQ(complaints.size(), 1U) << all_text(complaints);
  EXPECT_EQ(complaint_at(complaints, where).where, where) << all_text(complaints);
  return complaint_at(complaints, where);
}

TEST(Validate, SoundModelHasNoComplaints) {
  EXPECT_EQ(all_text(validate(sound_model(), small_catalogue())), "");
}

TEST(Validate, FindBody) {
  const Model model = sound_model();
  ASSERT_NE(model.find_body("rod"), nullptr);
  EXPECT_EQ(model.find_body("rod")->name, "rod");
  EXPECT_EQ(model.find_body("ground"), nullptr);
}

TEST(Validate, BodiesMustExist) {
  EXPECT_EQ(complaint_at(validate(Model(), small_catalogue()), "bodies").found, "none");
}

TEST(Validate, NamesMustBePlain) {
  for (const std::string bad : {"", "a.b", "a b", "a\tb", "a\x7f", "\x01"}) {
    const auto complaint = only_complaint("outputs[0].name", [&](Model& m) {
      m.outputs[0].name = bad;
      m.stop_when.clear();
    });
    EXPECT_THAT(complaint.expected, HasSubstr("a name")) << bad;
  }
  only_complaint("bodies[2].name", [](Model& m) {
    m.bodies.push_back(m.bodies[0]);
    m.bodies[2].name = "a.b";
  });
  only_complaint("ground.points[\"a b\"]", [](Model& m) {
    m.ground_points.push_back({"a b", Vec3::Zero()});
  });
}

TEST(Validate, GroundIsReserved) {
  only_complaint("bodies[2].name", [](Model& m) {
    m.bodies.push_back(m.bodies[0]);
    m.bodies[2].name = "ground";
  });
}

TEST(Validate, NamesMustDiffer) {
  const auto complaint = only_complaint("bodies[2].name", [](Model& m) { m.bodies.push_back(m.bodies[0]); });
  EXPECT_THAT(complaint.hint, HasSubstr("bodies[0].name"));
  only_complaint("joints[3].name", [](Model& m) { m.joints.push_back(m.joints[0]); });
  only_complaint("outputs[3].name", [](Model& m) { m.outputs.push_back(m.outputs[0]); });
  only_complaint("bodies[0].points.B", [](Model& m) { m.bodies[0].points.push_back({"B", Vec3::Zero()}); });
  only_complaint("initial.joints.pin", [](Model& m) { m.initial.joints.push_back(m.initial.joints[0]); });
  only_complaint("initial.hold[2]", [](Model& m) { m.initial.hold.push_back(m.initial.hold[0]); });
}

TEST(Validate, JointsDriversAndForcesShareNames) {
  EXPECT_THAT(only_complaint("drivers[0].name", [](Model& m) { m.drivers[0].name = "pin"; }).hint,
              HasSubstr("joints[0]"));
  EXPECT_THAT(only_complaint("forces[1].name", [](Model& m) { m.forces[1].name = "motor"; }).hint,
              HasSubstr("drivers[0]"));
}

TEST(Validate, MassAndInertiaArePositiveAndFinite) {
  for (const double bad : {0.0, -1.0, kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(only_complaint("bodies[0].mass", [&](Model& m) { m.bodies[0].mass = bad; }).expected,
              "a number > 0");
    EXPECT_EQ(only_complaint("bodies[1].inertia", [&](Model& m) { m.bodies[1].inertia = bad; }).expected,
              "a number > 0");
  }
}

TEST(Validate, NumbersAreFinite) {
  for (const double bad : {kNan, kInfinity}) {
    only_complaint("gravity", [&](Model& m) { m.gravity.y() = bad; });
    only_complaint("ground.points.S", [&](Model& m) { m.ground_points[1].at.x() = bad; });
    only_complaint("bodies[0].points.B", [&](Model& m) { m.bodies[0].points[1].at.x() = bad; });
    only_complaint("bodies[0].center_of_mass", [&](Model& m) { m.bodies[0].center_of_mass.x() = bad; });
    only_complaint("bodies[0].position", [&](Model& m) { m.bodies[0].position.x() = bad; });
    only_complaint("bodies[0].angle", [&](Model& m) { m.bodies[0].angle = bad; });
    only_complaint("bodies[0].velocity", [&](Model& m) { m.bodies[0].velocity.y() = bad; });
    only_complaint("bodies[0].angular_velocity", [&](Model& m) { m.bodies[0].angular_velocity = bad; });
    only_complaint("joints[1].angle", [&](Model& m) { m.joints[1].fields["angle"] = bad; });
    only_complaint("joints[1].axis", [&](Model& m) { m.joints[1].fields["axis"] = Vec3(bad, 0, 0); });
    only_complaint("joints[1].b", [&](Model& m) {
      m.joints[1].fields["b"] = PointRef{"rod", "", Vec3(bad, 0, 0)};
    });
    only_complaint("forces[0].spring", [&](Model& m) {
      m.forces[0].fields["spring"] = Characteristic{{0, 0}, {1, bad}};
    });
    only_complaint("initial.joints.pin.value", [&](Model& m) { m.initial.joints[0].value = bad; });
    only_complaint("initial.joints.slide.rate", [&](Model& m) { m.initial.joints[1].rate = bad; });
    only_complaint("simulate.stop_when[0].crosses", [&](Model& m) { m.stop_when[0].crosses = bad; });
  }
}

TEST(Validate, PlanarVectorsHaveNoZ) {
  only_complaint("gravity", [](Model& m) { m.gravity.z() = 1; });
  only_complaint("bodies[0].points.A", [](Model& m) { m.bodies[0].points[0].at.z() = 1; });
  only_complaint("bodies[1].position", [](Model& m) { m.bodies[1].position.z() = 1; });
  only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields["axis"] = Vec3(1, 0, 1); });
  only_complaint("joints[1].b", [](Model& m) {
    m.joints[1].fields["b"] = PointRef{"rod", "", Vec3(0, 0, 1)};
  });
  only_complaint("forces[1].velocity", [](Model& m) { m.forces[1].fields["velocity"] = Vec3(0, 0, 1); });
  only_complaint("forces[2].at", [](Model& m) {
    m.forces[2].fields["at"] = PointRef{"rod", "", Vec3(0, 0, 1), true};
  });
  only_complaint("forces[2].rail", [](Model& m) {
    m.forces[2].fields["rail"] = CurvePoints{{Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 0, 0)}, false};
  });
}

TEST(Validate, UnknownTypeSuggestsTheNearest) {
  const auto complaint = only_complaint("joints[0].type", [](Model& m) { m.joints[0].type = "revolut"; });
  EXPECT_THAT(complaint.expected, HasSubstr("'translational'"));
  EXPECT_EQ(complaint.hint, "did you mean 'revolute'?");
  // A joint is no driver.
  only_complaint("drivers[0].type", [](Model& m) { m.drivers[0].type = "revolute"; });
}

TEST(Validate, FieldsMustBeThereAndKnown) {
  const auto missing = only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields.erase("axis"); });
  EXPECT_EQ(missing.found, "nothing (joint 'slide')");
  const auto unknown =
      only_complaint("forces[0].stifness", [](Model& m) { m.forces[0].fields["stifness"] = 1.0; });
  EXPECT_EQ(unknown.hint, "did you mean 'stiffness'?");
}

TEST(Validate, FieldsMustHoldTheirKind) {
  only_complaint("joints[0].a", [](Model& m) { m.joints[0].fields["a"] = 1.0; });
  only_complaint("joints[2].a", [](Model& m) { m.joints[2].fields["a"] = true; });
  only_complaint("joints[2].internal", [](Model& m) { m.joints[2].fields["internal"] = std::string("yes"); });
  only_complaint("drivers[0].function", [](Model& m) { m.drivers[0].fields["function"] = 1.0; });
  only_complaint("drivers[1].function", [](Model& m) { m.drivers[1].fields["function"] = TimeFunction(1); });
  only_complaint("drivers[1].function",
                 [](Model& m) { m.drivers[1].fields["function"] = std::vector<TimeFunction>(3); });
  only_complaint("forces[0].spring", [](Model& m) { m.forces[0].fields["spring"] = Vec3(1, 0, 0).eval(); });
}

TEST(Validate, FieldsMustLieInTheirRange) {
  only_complaint("joints[2].radius_a", [](Model& m) { m.joints[2].fields["radius_a"] = 0.0; });
  only_complaint("forces[0].damping", [](Model& m) { m.forces[0].fields["damping"] = -1.0; });
  only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields["axis"] = Vec3(0, 0, 0); });
  const auto complaint =
      only_complaint("forces[1].frame", [](Model& m) { m.forces[1].fields["frame"] = std::string("World"); });
  EXPECT_EQ(complaint.expected, "'world' or 'body'");
  EXPECT_EQ(complaint.hint, "did you mean 'world'?");
}

TEST(Validate, CharacteristicsIncrease) {
  const auto with = [](Characteristic c) { return [c](Model& m) { m.forces[0].fields["spring"] = c; }; };
  only_complaint("forces[0].spring", with({}));
  only_complaint("forces[0].spring", with({{0, 0}}));
  only_complaint("forces[0].spring", with({{0, 0}, {0, 1}}));
  only_complaint("forces[0].spring", with({{0, 0}, {2, 1}, {1, 1}}));
}

TEST(Validate, BodiesMustBeKnown) {
  const auto near =
      only_complaint("joints[2].b", [](Model& m) { m.joints[2].fields["b"] = std::string("Rod"); });
  EXPECT_EQ(near.hint, "did you mean 'rod'?");
  const auto far =
      only_complaint("joints[2].b", [](Model& m) { m.joints[2].fields["b"] = std::string("flywheel"); });
  EXPECT_EQ(far.hint, "the model has 'crank', 'ground' or 'rod'");
  const auto point =
      only_complaint("joints[2].b", [](Model& m) { m.joints[2].fields["b"] = std::string("rod.A"); });
  EXPECT_THAT(point.hint, HasSubstr("a body, not a point"));
  EXPECT_THAT(point.hint, HasSubstr("'rod'"));
}

TEST(Validate, PointsMustBeKnown) {
  const auto with = [](PointRef ref) { return [ref](Model& m) { m.joints[0].fields["b"] = ref; }; };
  EXPECT_EQ(only_complaint("joints[0].b", with({"cranc", "A", Vec3::Zero()})).hint, "did you mean 'crank'?");
  const auto complaint = only_complaint("joints[0].b", with({"crank", "a", Vec3::Zero()}));
  EXPECT_EQ(complaint.found, "'crank.a' (joint 'pin')");
  EXPECT_EQ(complaint.hint, "did you mean 'crank.A'? 'crank' has 'A' or 'B'");
  const auto none = only_complaint("forces[1].at", [](Model& m) {
    m.bodies.push_back(m.bodies[0]);
    m.bodies[2].name = "block";
    m.bodies[2].points.clear();
    m.forces[1].fields["at"] = PointRef{"block", "A", Vec3::Zero()};
  });
  EXPECT_THAT(none.hint, HasSubstr("has no points"));
  only_complaint("joints[0].b", with({"crank", "A", Vec3(1, 0, 0)}));  // name and coordinates
}

TEST(Validate, ReferencesMustBeKnown) {
  EXPECT_EQ(
      only_complaint("outputs[1].joint", [](Model& m) { m.outputs[1].fields["joint"] = std::string("pni"); })
          .hint,
      "did you mean 'pin'?");
  only_complaint("outputs[1].joint", [](Model& m) { m.outputs[1].fields["joint"] = std::string("motor"); });
  only_complaint("outputs[2].force", [](Model& m) { m.outputs[2].fields["force"] = std::string("pin"); });
  only_complaint("simulate.stop_when[0].output", [](Model& m) { m.stop_when[0].output = "tip_z"; });
  only_complaint("initial.joints.motor", [](Model& m) { m.initial.joints[0].joint = "motor"; });
}

TEST(Validate, HeldCoordinatesMustBeKnown) {
  for (const std::string bad :
       {"", "crank", "crank.z", "ground.x", "krank.theta", "crank.theta.x", ".x", "crank."})
    only_complaint("initial.hold[0]", [&](Model& m) { m.initial.hold[0] = bad; });
  EXPECT_EQ(only_complaint("initial.hold[0]", [](Model& m) { m.initial.hold[0] = "crank.teta"; }).hint,
            "did you mean 'crank.theta'?");
}

TEST(Validate, JointsConnectDifferentBodies) {
  const PointRef on_crank{"crank", "B", Vec3::Zero()};
  EXPECT_THAT(only_complaint("joints[0].b", [&](Model& m) { m.joints[0].fields["a"] = on_crank; }).expected,
              HasSubstr("another body than 'crank'"));
  only_complaint("joints[2].b", [](Model& m) { m.joints[2].fields["b"] = std::string("crank"); });
  only_complaint("drivers[0].b", [](Model& m) { m.drivers[0].fields["b"] = std::string("ground"); });
  // Left out, the carrier is ground.
  only_complaint("joints[2].carrier", [](Model& m) { m.joints[2].fields["a"] = std::string("ground"); });
}

TEST(Validate, StartsSayAtLeastOneThing) {
  only_complaint("initial.joints.pin", [](Model& m) { m.initial.joints[0].value.reset(); });
}

TEST(Validate, RunSettingsArePositive) {
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    only_complaint("simulate.t_end", [&](Model& m) { m.simulate.t_end = bad; });
    only_complaint("simulate.rtol", [&](Model& m) { m.simulate.rtol = bad; });
    only_complaint("simulate.atol", [&](Model& m) { m.simulate.atol = bad; });
    only_complaint("simulate.step", [&](Model& m) { m.simulate.step = bad; });
    only_complaint("simulate.initial_step", [&](Model& m) { m.simulate.initial_step = bad; });
    only_complaint("simulate.max_step", [&](Model& m) { m.simulate.max_step = bad; });
    only_complaint("simulate.output_step", [&](Model& m) { m.simulate.output_step = bad; });
    only_complaint("simulate.drift_limit", [&](Model& m) { m.simulate.drift_limit = bad; });
  }
  only_complaint("simulate.max_steps", [](Model& m) { m.simulate.max_steps = 0; });
  only_complaint("simulate.integrator", [](Model& m) { m.simulate.integrator = ""; });
  only_complaint("simulate.options.alpha", [](Model& m) { m.simulate.options["alpha"] = ""; });
  only_complaint("simulate.stop_when[0].direction", [](Model& m) { m.stop_when[0].direction = "upp"; });
}

TEST(Validate, FindsEverythingAtOnce) {
  const auto complaints = complaints_after([](Model& m) {
    m.bodies[0].mass = -1;
    m.joints[0].type = "revolut";
    m.forces[0].fields["damping"] = kNan;
    m.stop_when[1].output = "nowhere";
  });
  EXPECT_EQ(complaints.size(), 4U) << all_text(complaints);
}

TEST(Validate, HugeModelsCostBoundedTime) {
  const auto complaints = complaints_after([](Model& m) {
    for (int i = 0; i < 20000; ++i) {
      m.bodies.push_back(m.bodies[0]);
      m.bodies.back().name = "body" + std::to_string(i);
      m.joints.push_back(
          element("joint" + std::to_string(i), "gear", {{"a", std::string("nobody" + std::to_string(i))}}));
    }
  });
  EXPECT_LE(complaints.size(), 201U);
  EXPECT_THAT(to_string(complaints.back()), HasSubstr("more"));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
