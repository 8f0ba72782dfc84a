// validate() on spatial models: inertia tensors, orientations, axes, directions, curves, and what is of one space only.
#include <cmath>
#include <functional>
#include <limits>

#include <Eigen/Geometry>
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
using test::sound_spatial_model;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Exactly one complaint, under this path.
Complaint only_complaint(const Model& model, const std::string& where) {
  const auto complaints = validate(model, small_catalogue());
  EXPECT_EQ(complaints.size(), 1U) << all_text(complaints);
  EXPECT_EQ(complaint_at(complaints, where).where, where) << all_text(complaints);
  return complaint_at(complaints, where);
}

Complaint only_complaint(const std::string& where, const std::function<void(Model&)>& change) {
  Model model = sound_spatial_model();
  change(model);
  return only_complaint(model, where);
}

std::string complaints_of_tensor(const Eigen::Matrix3d& tensor) {
  Model model = sound_spatial_model();
  model.bodies[0].inertia_tensor = tensor;
  return all_text(validate(model, small_catalogue()));
}

TEST(ValidateSpatial, SoundModelHasNoComplaints) {
  EXPECT_EQ(all_text(validate(sound_spatial_model(), small_catalogue())), "");
}

TEST(ValidateSpatial, InertiaIsThatOfABody) {
  const auto with = [](const Vec3& moments) {
    return [moments](Model& m) { m.bodies[0].inertia_tensor = moments.asDiagonal(); };
  };
  EXPECT_THAT(only_complaint("bodies[0].inertia", with({0, 1, 1})).hint, HasSubstr("thin"));
  EXPECT_THAT(only_complaint("bodies[0].inertia", with({-1, 1, 1})).hint, HasSubstr("Ixy"));
  only_complaint("bodies[0].inertia", with({0, 0, 0}));
  only_complaint("bodies[0].inertia", with({kNan, 1, 1}));
  only_complaint("bodies[0].inertia", with({kInfinity, 1, 1}));
  const auto impossible = only_complaint("bodies[0].inertia", with({1, 1, 2.0001}));
  EXPECT_THAT(impossible.expected, HasSubstr("sum of the two others"));
  EXPECT_THAT(impossible.found, HasSubstr("1, 1 and 2.0001"));
  only_complaint("bodies[0].inertia", [](Model& m) { m.bodies[0].inertia_tensor(0, 1) = 0.001; });
  // Off-diagonal elements that outweigh the diagonal.
  only_complaint("bodies[1].inertia",
                 [](Model& m) { m.bodies[1].inertia_tensor(0, 1) = m.bodies[1].inertia_tensor(1, 0) = 5; });
}

// Thin rods, plates (the sum is reached exactly) and cubes in every position and in any units are bodies.
TEST(ValidateSpatial, BodiesOfEveryShapeAreAccepted) {
  for (const double scale : {1e-300, 1e-12, 1.0, 1e12, 1e300})
    for (const Vec3& moments : {Vec3(1e-12, 1, 1), Vec3(0.3, 0.7, 1), Vec3(1, 1, 1)})
      for (int turn = 0; turn < 20; ++turn) {
        const Eigen::Matrix3d R =
            Eigen::Quaterniond(1, 0.3 * turn, std::sin(turn), -0.1 * turn).normalized().toRotationMatrix();
        const Eigen::Matrix3d product = R * moments.asDiagonal() * R.transpose();
        const Eigen::Matrix3d tensor = scale * 0.5 * (product + product.transpose());
        EXPECT_EQ(complaints_of_tensor(tensor), "") << tensor;
      }
}

// A rod without thickness is found out however it is turned.
TEST(ValidateSpatial, SingularTensorsAreRefusedInEveryPosition) {
  for (int turn = 0; turn < 20; ++turn) {
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(1, 0.3 * turn, std::sin(turn), -0.1 * turn).normalized().toRotationMatrix();
    const Eigen::Matrix3d product = R * Vec3(0, 1, 1).asDiagonal() * R.transpose();
    EXPECT_THAT(complaints_of_tensor(0.5 * (product + product.transpose())), HasSubstr("thin")) << turn;
  }
}

TEST(ValidateSpatial, OrientationsAreUnitQuaternions) {
  for (const Eigen::Vector4d& bad :
       {Eigen::Vector4d(0, 0, 0, 0), Eigen::Vector4d(2, 0, 0, 0), Eigen::Vector4d(kNan, 0, 0, 1),
        Eigen::Vector4d(kInfinity, 0, 0, 0), Eigen::Vector4d(1, 1e-4, 0, 0)})
    only_complaint("bodies[0].orientation", [&](Model& m) { m.bodies[0].orientation = bad; });
}

TEST(ValidateSpatial, NumbersAreFinite) {
  for (const double bad : {kNan, kInfinity}) {
    only_complaint("gravity", [&](Model& m) { m.gravity.z() = bad; });
    only_complaint("ground.axes.hinge", [&](Model& m) { m.ground_axes[0].at.z() = bad; });
    only_complaint("bodies[0].axes.hinge", [&](Model& m) { m.bodies[0].axes[0].at.z() = bad; });
    only_complaint("bodies[0].points.B", [&](Model& m) { m.bodies[0].points[1].at.z() = bad; });
    only_complaint("bodies[0].angular_velocity", [&](Model& m) { m.bodies[0].spin.z() = bad; });
    only_complaint("joints[1].axis", [&](Model& m) {
      m.joints[1].fields["axis"] = DirectionRef{"", "", Vec3(1, 0, bad)};
    });
    only_complaint("joints[0].b", [&](Model& m) {
      m.joints[0].fields["b"] = PointRef{"arm", "", Vec3(1, 0, bad), true};
    });
    only_complaint("initial.joints.named.angle.value", [&](Model& m) { m.initial.joints[1].value = bad; });
    only_complaint("forces[1].rail", [&](Model& m) {
      m.forces[1].fields["rail"] = CurvePoints{{Vec3(0, 0, 0), Vec3(0, 0, bad), Vec3(1, 0, 0)}, false};
    });
  }
}

TEST(ValidateSpatial, DirectionsPointSomewhere) {
  EXPECT_EQ(only_complaint("bodies[0].axes.hinge", [](Model& m) { m.bodies[0].axes[0].at.setZero(); }).found,
            "zero");
  only_complaint("ground.axes.tilted", [](Model& m) { m.ground_axes[1].at.setZero(); });
  EXPECT_EQ(
      only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields["axis"] = DirectionRef(); }).found,
      "[0, 0, 0] (joint 'components')");
  only_complaint("joints[1].axis", [](Model& m) {
    m.joints[1].fields["axis"] = DirectionRef{"bob", "", Vec3::Zero(), true};
  });
}

TEST(ValidateSpatial, AxesMustBeKnown) {
  const auto with = [](const DirectionRef& ref) {
    return [ref](Model& m) { m.joints[1].fields["axis"] = ref; };
  };
  EXPECT_EQ(only_complaint("joints[1].axis", with({"amr", "hinge", Vec3::Zero()})).hint,
            "did you mean 'arm'?");
  const auto near = only_complaint("joints[1].axis", with({"arm", "hing", Vec3::Zero()}));
  EXPECT_EQ(near.found, "'arm.hing' (joint 'components')");
  EXPECT_EQ(near.hint, "did you mean 'arm.hinge'? 'arm' has 'A' or 'hinge'");
  EXPECT_EQ(only_complaint("joints[1].axis", with({"bob", "hinge", Vec3::Zero()})).hint,
            "'bob' has no axes: name them in its \"axes\"");
  // A point is no axis.
  EXPECT_THAT(only_complaint("joints[1].axis", with({"arm", "B", Vec3::Zero()})).hint,
              HasSubstr("'arm' has"));
  only_complaint("joints[1].axis", with({"arm", "hinge", Vec3(1, 0, 0)}));
  only_complaint("joints[1].axis", with({"arm", "hinge", Vec3::Zero(), true}));
  only_complaint("joints[1].axis", with({"", "hinge", Vec3::Zero()}));
  only_complaint("joints[1].axis", with({"nobody", "", Vec3(1, 0, 0)}));
  only_complaint("joints[0].b", [](Model& m) {
    m.joints[0].fields["b"] = PointRef{"arm", "A", Vec3::Zero(), true};
  });
}

TEST(ValidateSpatial, PointsAndAxesHaveNamesOfTheirOwn) {
  only_complaint("bodies[0].axes.hinge", [](Model& m) {
    m.bodies[0].axes.push_back({"hinge", Vec3::UnitX()});
  });
  only_complaint("bodies[0].points.A", [](Model& m) { m.bodies[0].points.push_back({"A", Vec3::Zero()}); });
  only_complaint("ground.axes[\"a b\"]", [](Model& m) { m.ground_axes.push_back({"a b", Vec3::UnitX()}); });
}

TEST(ValidateSpatial, CurvesHaveThreeDistinctPoints) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  const auto with = [](const CurvePoints& curve) {
    return [curve](Model& m) { m.forces[1].fields["rail"] = curve; };
  };
  EXPECT_EQ(only_complaint("forces[1].rail", with({{}, false})).found, "0 points (force 'rail')");
  only_complaint("forces[1].rail", with({{a, b}, false}));
  EXPECT_THAT(only_complaint("forces[1].rail", with({{a, b, b, c}, false})).found,
              HasSubstr("points 1 and 2"));
  EXPECT_THAT(only_complaint("forces[1].rail", with({{a, b, c, a}, true})).hint, HasSubstr("closed"));
  Model open_loop = sound_spatial_model();
  open_loop.forces[1].fields["rail"] = CurvePoints{{a, b, c, a}, false};
  EXPECT_EQ(all_text(validate(open_loop, small_catalogue())), "");
}

TEST(ValidateSpatial, FieldsMustHoldTheirKind) {
  only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields["axis"] = Vec3(1, 0, 0); });
  only_complaint("forces[1].rail", [](Model& m) {
    m.forces[1].fields["rail"] = Characteristic{{0, 0}, {1, 1}};
  });
  only_complaint("drivers[0].function",
                 [](Model& m) { m.drivers[0].fields["function"] = std::vector<TimeFunction>(2); });
}

TEST(ValidateSpatial, TypesAndFieldsOfOneSpace) {
  const auto planar_type = only_complaint("joints[0].type", [](Model& m) { m.joints[0].type = "gear"; });
  EXPECT_EQ(planar_type.expected,
            "a type of joint in spatial models: 'revolute', 'translational' or 'spherical'");
  EXPECT_EQ(planar_type.hint, "'gear' is for planar models");
  only_complaint("joints[1].angle", [](Model& m) { m.joints[1].fields["angle"] = 0.1; });
  // What planar models require is not required here, and the other way round.
  EXPECT_EQ(only_complaint("joints[1].axis", [](Model& m) { m.joints[1].fields.erase("axis"); }).found,
            "nothing (joint 'components')");

  Model planar = sound_model();
  planar.joints[0].type = "spherical";
  EXPECT_EQ(only_complaint(planar, "joints[0].type").hint, "'spherical' is for spatial models");
}

TEST(ValidateSpatial, ValuesOfTheOtherSpaceAreRefused) {
  EXPECT_EQ(only_complaint("bodies[0].inertia", [](Model& m) { m.bodies[0].inertia = 1; }).hint,
            "give inertia_tensor instead");
  only_complaint("bodies[0].angle", [](Model& m) { m.bodies[0].angle = 1; });
  only_complaint("bodies[0].angular_velocity", [](Model& m) { m.bodies[0].angular_velocity = 1; });
  const auto planar = [](const std::string& where, const std::function<void(Body&)>& change) {
    Model model = sound_model();
    change(model.bodies[0]);
    only_complaint(model, where);
  };
  planar("bodies[0].inertia_tensor", [](Body& b) { b.inertia_tensor.setIdentity(); });
  planar("bodies[0].orientation", [](Body& b) { b.orientation = {0, 1, 0, 0}; });
  planar("bodies[0].spin", [](Body& b) { b.spin.z() = 1; });
  planar("bodies[0].axes", [](Body& b) { b.axes = {{"u", Vec3::UnitX()}}; });
}

TEST(ValidateSpatial, StartsOfSeveralCoordinates) {
  EXPECT_THAT(only_complaint("initial.joints.named.angle",
                             [](Model& m) { m.initial.joints.push_back(m.initial.joints[1]); })
                  .expected,
              HasSubstr("one start"));
  EXPECT_EQ(only_complaint("initial.joints.named",
                           [](Model& m) {
                             m.initial.joints.push_back({"named", 1.0, std::nullopt});
                           })
                .found,
            "both");
  only_complaint("initial.joints.named.angle", [](Model& m) {
    m.initial.joints[1].value.reset();
    m.initial.joints[1].rate.reset();
  });
  only_complaint("initial.joints.named[\"a b\"]", [](Model& m) { m.initial.joints[1].coordinate = "a b"; });
  // Said once, not for each coordinate.
  only_complaint("initial.joints.nmed",
                 [](Model& m) { m.initial.joints[1].joint = m.initial.joints[2].joint = "nmed"; });
}

TEST(ValidateSpatial, HeldCoordinatesMustBeKnown) {
  for (const std::string bad : {"arm.theta", "arm.e1", "ground.x", "arm", "amr.z"})
    only_complaint("initial.hold[0]", [&](Model& m) { m.initial.hold[0] = bad; });
  EXPECT_EQ(only_complaint("initial.hold[0]", [](Model& m) { m.initial.hold[0] = "arm.orientatoin"; }).hint,
            "did you mean 'arm.orientation'?");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
