// Spatial joints in motion against answers got without the program: closed forms, ratios, conservation.
#include "support/runs.hpp"
#include "support/spatial_samples.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

const Vec3 kX = Vec3::UnitX(), kY = Vec3::UnitY(), kZ = Vec3::UnitZ();

Body body(const std::string& name,
          const Vec3& position,
          double mass = 1,
          const Vec3& inertia = Vec3(0.1, 0.1, 0.1)) {
  Body out;
  out.name = name;
  out.mass = mass;
  out.inertia_tensor = inertia.asDiagonal();
  out.position = position;
  return out;
}

DirectionRef world(const Vec3& axis) { return {"", "", axis, true}; }

Model spatial(const std::string& name, std::vector<Body> bodies) {
  Model model;
  model.name = name;
  model.space = Space::spatial;
  model.bodies = std::move(bodies);
  return model;
}

// A joint of two bodies at a place of the world, with a world axis.
Element joint_at(const std::string& name,
                 const std::string& type,
                 const std::string& a,
                 const std::string& b,
                 const Vec3& at,
                 const Vec3& axis) {
  Element joint{name, type, {}};
  joint.fields["a"] = PointRef{a, "", at, true};
  joint.fields["b"] = PointRef{b, "", at, true};
  joint.fields["axis"] = world(axis);
  return joint;
}

Element drive(const std::string& joint, const TimeFunction& f) {
  return {"motor_" + joint, "joint-coordinate", {{"joint", joint}, {"function", f}}};
}

TimeFunction steady(double rate) { return time_function::Polynomial{{0.0, rate}}; }

// A run in reference-point coordinates with twenty records.
struct Motion {
  std::vector<std::string> coordinates;
  Results results;

  size_t records() const { return results.trajectory.size(); }
  double t(size_t record) const { return results.trajectory.t[record]; }
  Vec3 position(size_t record, int body) const { return Eigen::Map<const Vec3>(pose(record, body)); }
  Mat3 attitude(size_t record, int body) const {
    return rotation_matrix<double>(Eigen::Map<const Quat>(pose(record, body) + 3));
  }
  // Angular velocity in the world.
  Vec3 spin(size_t record, int body) const {
    const Table& v = results.trajectory.v;
    return attitude(record, body) *
           Eigen::Map<const Vec3>(&v.data[record * v.columns() + size_t(6 * body + 3)]);
  }
  double coordinate(size_t record, const std::string& name) const {
    const auto found = std::find(coordinates.begin(), coordinates.end(), name);
    EXPECT_NE(found, coordinates.end()) << name;
    return results.trajectory.q.at(record, size_t(found - coordinates.begin()));
  }

 private:
  const double* pose(size_t record, int body) const {
    const size_t bodies = results.trajectory.body_names.size();
    return &results.trajectory.poses[7 * (record * bodies + size_t(body))];
  }
};

Motion run(const Model& model, double t_end) {
  const AssembledModel mechanism = assembled(model);
  RunSetup setup;
  setup.t_end = t_end;
  setup.rtol = 1e-11;
  setup.output_step = t_end / 20;
  Motion out{mechanism.system().layout().q_names, simulate(mechanism.system(), mechanism.start(), setup)};
  EXPECT_TRUE(out.results.good()) << out.results.message;
  return out;
}

// The thread turns a part of the weight into spin: (m + I/p²) z̈ = −m g, p = pitch/(2π).
TEST(SpatialJoints, ScrewNutFallsAndTurns) {
  Model model = spatial("nut", {body("nut", Vec3::Zero(), 2, Vec3(0.02, 0.02, 0.02))});
  model.gravity = -9.81 * kZ;
  model.joints = {joint_at("thread", "screw", "ground", "nut", Vec3(0, 0, 0.3), kZ)};
  model.joints[0].fields["pitch"] = 0.5;
  const double p = 0.5 / (2 * M_PI), a = 9.81 / (1 + 0.02 / (2 * p * p));
  const Motion motion = run(model, 1);
  for (size_t k = 0; k < motion.records(); ++k) {
    const double z = -a * motion.t(k) * motion.t(k) / 2;
    EXPECT_NEAR(motion.position(k, 0).z(), z, 1e-9);
    EXPECT_NEAR(motion.coordinate(k, "thread.angle"), z / p, 1e-8);  // whole turns counted
  }
  EXPECT_LT(motion.coordinate(motion.records() - 1, "thread.angle"), -20);
  EXPECT_LT(motion.results.energy->max_relative_error, 1e-9);
}

// Two shafts at an angle β, joined at the origin: the first turns on x, the second on (cos β, sin β, 0).
Model shafts(double beta, const std::string& type, const Vec3& axis, const Vec3& axis_b, double rate) {
  const Vec3 second(std::cos(beta), std::sin(beta), 0);
  Model model = spatial("shafts", {body("first", -kX), body("second", second)});
  model.bodies[1].orientation = quaternion_of_turn(beta * kZ);
  model.joints = {joint_at("bearing", "revolute", "ground", "first", -kX, kX),
                  joint_at("cross", type, "first", "second", Vec3::Zero(), axis),
                  {"guide",
                   "parallel-axes",
                   {{"a", std::string("ground")}, {"b", std::string("second")}, {"axis", world(second)}}}};
  model.joints[1].fields["axis_b"] = world(axis_b);
  model.drivers = {drive("bearing", steady(rate))};
  return model;
}

TEST(SpatialJoints, UniversalJointTurnsUnevenly) {
  const double beta = 0.6, rate = 3;
  const Motion motion = run(shafts(beta, "universal", kY, kZ, rate), 2.5);
  const Vec3 second(std::cos(beta), std::sin(beta), 0);
  for (size_t k = 0; k < motion.records(); ++k) {
    const double c = std::cos(rate * motion.t(k)), s = std::sin(beta);
    EXPECT_NEAR(motion.spin(k, 1).dot(second), rate * std::cos(beta) / (1 - s * s * c * c), 1e-8);
  }
}

TEST(SpatialJoints, ConstantVelocityJointTurnsEvenly) {
  const double beta = 0.6, rate = 3;
  const Vec3 second(std::cos(beta), std::sin(beta), 0);
  for (const double side : {1.0, -1.0}) {  // axes are lines
    const Motion motion = run(shafts(beta, "constant-velocity", kX, side * second, rate), 2.5);
    for (size_t k = 0; k < motion.records(); ++k) EXPECT_NEAR(motion.spin(k, 1).dot(second), rate, 1e-10);
  }
}

// A bevel pair whose second pin names the wheel first and its axis the other way round.
TEST(SpatialJoints, GearsTurnInTheRatioOfTheirRadii) {
  Model model = spatial("bevel", {body("a", kX), body("b", kY)});
  model.joints = {joint_at("pin_a", "revolute", "ground", "a", kX, kX),
                  joint_at("pin_b", "revolute", "b", "ground", kY, -kY),
                  {"gears",
                   "gear",
                   {{"a", std::string("a")},
                    {"b", std::string("b")},
                    {"radius_a", 0.1},
                    {"radius_b", 0.3},
                    {"axis_a", DirectionRef{"", "", kX, false}},
                    {"axis_b", DirectionRef{"", "", kY, false}}}}};
  model.drivers = {drive("pin_a", steady(2))};
  for (const bool internal : {false, true}) {
    model.joints[2].fields["internal"] = internal;
    const Motion motion = run(model, 3);
    EXPECT_EQ(motion.coordinates.size(), 16u);  // the angles are those of the pins
    const size_t last = motion.records() - 1;
    EXPECT_LT((motion.spin(last, 1) - (internal ? 2 : -2) / 3.0 * kY).norm(), 1e-10);
    EXPECT_NEAR(motion.coordinate(last, "gears.angle_a"), 6, 1e-9);
  }
}

// ρ_s (ω_s − ω_c) + ρ_p (ω_p − ω_c) = 0 with sun and arm driven; no joint between sun and arm carries their angle.
TEST(SpatialJoints, PlanetRunsAroundTheSun) {
  Model model =
      spatial("planet", {body("sun", Vec3::Zero()), body("arm", Vec3::Zero()), body("planet", 0.3 * kX)});
  model.joints = {joint_at("sun_pin", "revolute", "ground", "sun", Vec3::Zero(), kZ),
                  joint_at("arm_pin", "revolute", "ground", "arm", Vec3::Zero(), kZ),
                  joint_at("planet_pin", "revolute", "arm", "planet", 0.3 * kX, kZ),
                  {"gears",
                   "gear",
                   {{"a", std::string("sun")},
                    {"b", std::string("planet")},
                    {"carrier", std::string("arm")},
                    {"radius_a", 0.2},
                    {"radius_b", 0.1},
                    {"axis_a", DirectionRef{"", "", kZ, false}}}}};
  model.drivers = {drive("sun_pin", steady(0.5)), drive("arm_pin", steady(2))};
  const Motion motion = run(model, 4);
  for (size_t k = 0; k < motion.records(); ++k) EXPECT_NEAR(motion.spin(k, 2).z(), 2 - 2 * (0.5 - 2), 1e-10);
}

TEST(SpatialJoints, RackMovesByRadiusTimesAngle) {
  Model model = spatial("rack", {body("rack", Vec3(0.1, 0.2, 0)), body("pinion", Vec3::Zero())});
  model.joints = {joint_at("guide", "translational", "ground", "rack", Vec3(0.1, 0.2, 0), kX),
                  joint_at("pin", "revolute", "ground", "pinion", Vec3::Zero(), -kZ),
                  {"mesh",
                   "rack-and-pinion",
                   {{"carrier", point("ground", Vec3::Zero())},
                    {"axis", world(kX)},
                    {"rack", point("rack", Vec3::Zero())},
                    {"pinion", std::string("pinion")},
                    {"pinion_axis", world(-kZ)},
                    {"radius", 0.2}}}};
  model.drivers = {drive("pin", steady(3))};
  const Motion motion = run(model, 2);
  for (size_t k = 0; k < motion.records(); ++k)
    EXPECT_NEAR(motion.position(k, 0).x(), 0.1 + 0.2 * 3 * motion.t(k), 1e-10);
}

TEST(SpatialJoints, CouplerKeepsTheRatio) {
  Model model = spatial("coupler", {body("one", kX), body("two", kY)});
  model.joints = {joint_at("pin", "revolute", "ground", "one", kX, kZ),
                  joint_at("sleeve", "cylindrical", "ground", "two", kY, kX),
                  {"turns",
                   "coupler",
                   {{"joint_a", std::string("pin")},
                    {"joint_b", std::string("sleeve")},
                    {"coordinate_b", std::string("angle")},
                    {"ratio", -3.0}}},
                  {"advance",
                   "coupler",
                   {{"joint_a", std::string("sleeve")},
                    {"coordinate_a", std::string("angle")},
                    {"joint_b", std::string("sleeve")},
                    {"ratio", 0.01},
                    {"offset", 0.25}}}};
  model.drivers = {drive("pin", steady(2))};
  const Motion motion = run(model, 3);
  for (size_t k = 0; k < motion.records(); ++k) {
    EXPECT_LT((motion.spin(k, 1) + 6 * kX).norm(), 1e-10);
    EXPECT_NEAR(motion.position(k, 1).x(), 0.25 - 0.06 * motion.t(k), 1e-10);
  }
}

// H. S. Chin's disc in other coordinates (contact point, heading φ, tilt θ, spin ψ), integrated at 1e-13: the centre at
// t = 1.2 from φ = 0.3, θ = 0.4, φ̇ = 1.5, θ̇ = −0.2, ψ̇ = 2.
TEST(SpatialJoints, RollingDiscFollowsItsReference) {
  const double phi = 0.3, theta = 0.4;
  const Vec3 heading(std::cos(phi), std::sin(phi), 0);
  const Vec3 up(-std::sin(theta) * std::sin(phi), std::sin(theta) * std::cos(phi), std::cos(theta));
  const Vec3 axis = heading.cross(up);
  Mat3 R;
  R << heading, up, axis;
  Body disc = body("disc", up, 1, Vec3(0.25, 0.25, 0.5));
  disc.orientation = quaternion_of_matrix(R);
  disc.spin = 1.5 * kZ + 0.2 * heading + 2 * axis;
  disc.velocity = disc.spin.cross(up);
  Model model = spatial("disc", {disc});
  model.gravity = -9.81 * kZ;
  model.joints = {{"floor",
                   "rolling-disc",
                   {{"a", point("ground", Vec3::Zero())},
                    {"axis", along("ground", kZ)},
                    {"b", point("disc", Vec3::Zero())},
                    {"axis_b", along("disc", kZ)},
                    {"radius", 1.0}}}};
  const Motion motion = run(model, 1.2);
  const Vec3 reference(-0.61963639, 1.36486901, 0.92174262);
  EXPECT_LT((motion.position(motion.records() - 1, 0) - reference).norm(), 1e-8);  // digits of the reference
  EXPECT_LT(motion.results.energy->max_relative_error, 1e-9);
}

// A skate on a slope: x = s/(2w²) sin² wt, y = s/(2w²) (wt − sin(2wt)/2).
TEST(SpatialJoints, KnifeEdgeFollowsTheClosedForm) {
  const double slope = 4, w = 2;
  Body skate = body("skate", Vec3::Zero(), 1, Vec3(0.2, 0.2, 0.3));
  skate.spin = w * kZ;
  Model model = spatial("skate", {skate});
  model.gravity = slope * kX;
  model.joints = {joint_at("slope", "planar", "ground", "skate", Vec3::Zero(), kZ),
                  {"edge",
                   "knife-edge",
                   {{"b", point("skate", Vec3::Zero())}, {"axis", DirectionRef{"", "", -kY, false}}}}};
  const Motion motion = run(model, 3);
  const double size = slope / (2 * w * w);
  for (size_t k = 0; k < motion.records(); ++k) {
    const double angle = w * motion.t(k), s = std::sin(angle);
    const Vec3 expected(size * s * s, size * (angle - std::sin(2 * angle) / 2), 0);
    EXPECT_LT((motion.position(k, 0) - expected).norm(), 2e-8);
  }
}

// Down a straight wire, past its last point: the spline goes on along its tangent.
TEST(SpatialJoints, BeadRunsOffTheEndOfAnOpenWire) {
  const Vec3 down = Vec3(1, 0, -1).normalized();
  Model model = spatial("bead", {body("bead", 0.1 * down)});
  model.gravity = -9.81 * kZ;
  model.joints = {{"wire",
                   "point-on-curve",
                   {{"a", point("ground", Vec3::Zero())},
                    {"b", point("bead", Vec3::Zero())},
                    {"curve", CurvePoints{{Vec3::Zero(), 0.2 * down, 0.5 * down}, false}}}}};
  const Motion motion = run(model, 1);
  for (size_t k = 0; k < motion.records(); ++k) {
    const double s = 0.1 + 9.81 / std::sqrt(2.0) * motion.t(k) * motion.t(k) / 2;
    EXPECT_LT((motion.position(k, 0) - s * down).norm(), 1e-9);
    EXPECT_NEAR(motion.coordinate(k, "wire.parameter"), s, 1e-9);
  }
}

// Twice around a ring of 64 points: on the circle to the accuracy of the spline, energy kept to that of the integration.
TEST(SpatialJoints, BeadRunsAroundAClosedWire) {
  CurvePoints ring{{}, true};
  for (int k = 0; k < 64; ++k)
    ring.points.push_back(Vec3(std::cos(k * M_PI / 32), 0, std::sin(k * M_PI / 32)));
  Body bead = body("bead", Vec3(0, 0, -1));
  bead.velocity = 8 * kX;
  Model model = spatial("ring", {bead});
  model.gravity = -9.81 * kZ;
  model.joints = {
      {"wire",
       "point-on-curve",
       {{"a", point("ground", Vec3::Zero())}, {"b", point("bead", Vec3::Zero())}, {"curve", ring}}}};
  const Motion motion = run(model, 2.5);
  for (size_t k = 0; k < motion.records(); ++k) EXPECT_NEAR(motion.position(k, 0).norm(), 1, 1e-6);
  const size_t last = motion.records() - 1;
  EXPECT_GT(std::abs(motion.coordinate(last, "wire.parameter") - motion.coordinate(0, "wire.parameter")),
            4 * M_PI);
  EXPECT_LT(motion.results.energy->max_relative_error, 1e-8);
}

// Angles are those the file says, not those half a turn away, wherever the body is drawn.
TEST(SpatialJoints, StartAnglesAreNotHalfATurnOff) {
  for (const double drawn : {0.0, 3.0, -3.0})
    for (const double wanted : {0.1, 1.7, 3.1, -3.1}) {
      Body bar = body("bar", kX);
      bar.orientation = quaternion_of_turn(drawn * kZ);
      Model model = spatial("start", {bar});
      model.joints = {joint_at("pin", "revolute", "ground", "bar", kX, kZ)};
      model.initial.joints = {{"pin", wanted, {}}};
      for (const char* coordinates : {"reference-point", "euler-parameters"}) {
        const CompiledModel compiled = compile(model, coordinates, "start");
        const Assembly start = assemble(compiled, 0, "start");
        const Mat3 R = rotation_matrix<double>(Quat(start.state.q.segment<4>(3)));
        const Mat3 expected = rotation_matrix<double>(quaternion_of_turn((drawn + wanted) * kZ));
        EXPECT_LT((R - expected).norm(), 1e-10) << drawn << " " << wanted << " " << coordinates;
      }
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
