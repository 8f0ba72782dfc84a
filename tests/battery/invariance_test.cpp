// What must not matter: where the world's origin is and how its axes lie, the units of length and mass, the order of the
// bodies; and what must not break a run: masses that differ by a million in one chain.
#include <random>

#include <Eigen/Geometry>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// The same mechanism, turned by `angle` about the origin and then moved.
Model moved(Model model, const Vec2& shift, double angle) {
  const Eigen::Rotation2Dd R(angle);
  const auto place = [&](Vec3& p) { p.head<2>() = R * Vec2(p.head<2>()) + shift; };
  const auto turn = [&](Vec3& p) { p.head<2>() = R * Vec2(p.head<2>()); };
  turn(model.gravity);
  for (auto& point : model.ground_points) place(point.at);
  for (Body& body : model.bodies) {
    place(body.position);
    turn(body.velocity);
    body.angle += angle;
  }
  // Directions and relative angles given on the ground turn with it.
  for (Element& joint : model.joints) {
    const bool on_ground = joint.has("a") && std::holds_alternative<PointRef>(joint.fields.at("a")) &&
                           joint.get<PointRef>("a").body == "ground";
    if (on_ground && joint.has("axis")) turn(std::get<Vec3>(joint.fields.at("axis")));
    if (on_ground && joint.type == "translational") joint.fields["angle"] = joint.number("angle", 0) + angle;
  }
  for (JointStart& start : model.initial.joints)
    for (const Element& joint : model.joints)
      if (joint.name == start.joint && joint.type == "revolute" &&
          joint.get<PointRef>("a").body == "ground" && start.value)
        *start.value += angle;
  return model;
}

// The same mechanism with lengths and masses written in other units (time stays).
void change_units(Model& model, double length, double mass) {
  model.gravity *= length;
  for (auto& point : model.ground_points) point.at *= length;
  for (Body& body : model.bodies) {
    body.mass *= mass;
    body.inertia *= mass * length * length;
    body.center_of_mass *= length;
    body.position *= length;
    body.velocity *= length;
    for (auto& point : body.points) point.at *= length;
  }
  for (Element& joint : model.joints)
    if (joint.has("length")) joint.fields["length"] = joint.get<double>("length") * length;
  for (Element& force : model.forces) {
    const double effort = force.type == "tsda" ? mass : mass * length * length;  // per length, per angle
    for (const char* rate : {"stiffness", "damping"})
      if (force.has(rate)) force.fields[rate] = force.get<double>(rate) * effort;
    if (force.has("free_length")) force.fields["free_length"] = force.get<double>("free_length") * length;
    if (force.has("torque")) {
      TimeFunction::Variant torque = force.get<TimeFunction>("torque").data();
      if (auto* constant = std::get_if<time_function::Constant>(&torque)) {
        constant->value *= effort;
      } else if (auto* step = std::get_if<time_function::Step>(&torque)) {
        step->before *= effort;
        step->after *= effort;
      } else {
        FAIL() << "teach this test to rewrite the torque of " << force.name;
      }
      force.fields["torque"] = TimeFunction(torque);
    }
  }
}

const char* const kModels[] = {"slider-crank", "four-bar", "double-pendulum-bars", "andrews-bodies"};

Model bare(const std::string& name) {  // without what a change of frame or unit would have to rewrite
  Model model = model_file(name);
  model.outputs.clear();
  model.stop_when.clear();
  return model;
}

// Joint coordinates and their rates do not know where the world is, but for angles counted from the ground.
TEST(Invariance, FrameOfTheWorldInRelativeCoordinates) {
  for (const char* name : kModels) {
    const Model model = bare(name);
    const auto original = assembled(model, "relative");
    RunSetup setup = figures_only(name == std::string("andrews-bodies") ? 0.01 : 1);
    setup.rtol = 1e-8;
    const Results a = simulate(original.system(), original.start(), setup);
    ASSERT_TRUE(a.good()) << a.message;
    const double length = original.system().layout().length, angle = 2.3;
    const Vec2 shift = length * Vec2(7, -4);
    const auto other = assembled(moved(model, shift, angle), "relative");
    const Results b = simulate(other.system(), other.start(), setup);
    ASSERT_TRUE(b.good()) << b.message;
    EXPECT_EQ(a.statistics.steps(), b.statistics.steps()) << name;
    const Vec size = original.system().layout().v_scale;
    EXPECT_LT(max_abs((a.final.v - b.final.v).cwiseQuotient(size)),
              1e-9 * (1 + max_abs(a.final.v.cwiseQuotient(size))))
        << name;
    std::vector<Pose> there, here;
    original.system().poses(0, a.final.q, there);
    other.system().poses(0, b.final.q, here);
    for (size_t i = 0; i < there.size(); ++i) {
      const Vec2 expected = Eigen::Rotation2Dd(angle) * Vec2(there[i].position.head<2>()) + shift;
      EXPECT_LT((here[i].position.head<2>() - expected).norm(), 1e-9 * length) << name;
    }
  }
}

TEST(Invariance, MillimetresAndGramsInRelativeCoordinates) {
  for (const char* name : kModels) {
    const Model model = bare(name);
    const auto original = assembled(model, "relative");
    RunSetup setup = figures_only(name == std::string("andrews-bodies") ? 0.01 : 1);
    const Results a = simulate(original.system(), original.start(), setup);
    Model rewritten = model;
    ASSERT_NO_FATAL_FAILURE(change_units(rewritten, 1e3, 1e3));
    const auto other = assembled(rewritten, "relative");
    const Results b = simulate(other.system(), other.start(), setup);
    ASSERT_TRUE(a.good() && b.good()) << a.message << b.message;
    EXPECT_EQ(a.statistics.steps(), b.statistics.steps()) << name;
    EXPECT_LT(max_difference(a.final.q.cwiseQuotient(original.system().layout().q_scale),
                             b.final.q.cwiseQuotient(other.system().layout().q_scale)),
              1e-9)
        << name;
  }
}

TEST(Invariance, FrameOfTheWorld) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const char* name : kModels) {
    const Model model = bare(name);
    const auto original = assembled(model);
    RunSetup setup = figures_only(name == std::string("andrews-bodies") ? 0.01 : 1);
    setup.rtol = 1e-8;
    const Results a = simulate(original.system(), original.start(), setup);
    ASSERT_TRUE(a.good()) << a.message;
    for (int round = 0; round < 3; ++round) {
      const double length = original.system().layout().length;
      const double angle = 3 * uniform(engine);
      const Vec2 shift = 10 * length * Vec2(uniform(engine), uniform(engine));
      const auto other = assembled(moved(model, shift, angle));
      const Results b = simulate(other.system(), other.start(), setup);
      ASSERT_TRUE(b.good()) << b.message;
      EXPECT_EQ(a.statistics.steps(), b.statistics.steps()) << name;
      const Eigen::Rotation2Dd R(angle);
      for (Eigen::Index i = 0; i < a.final.q.size(); i += 3) {
        const Vec2 expected = R * Vec2(a.final.q.segment<2>(i)) + shift;
        // round-off of the larger coordinates, amplified by the motion
        EXPECT_LT((b.final.q.segment<2>(i) - expected).norm(), 1e-9 * length) << name;
        EXPECT_NEAR(b.final.q[i + 2], a.final.q[i + 2] + angle, 1e-9) << name;
        EXPECT_NEAR(b.final.v[i + 2], a.final.v[i + 2], 1e-9 * (1 + std::abs(a.final.v[i + 2]))) << name;
      }
    }
  }
}

TEST(Invariance, MillimetresAndGrams) {
  for (const char* name : kModels) {
    const Model model = bare(name);
    const auto original = assembled(model);
    RunSetup setup = figures_only(name == std::string("andrews-bodies") ? 0.01 : 1);
    const Results a = simulate(original.system(), original.start(), setup);
    ASSERT_TRUE(a.good()) << a.message;
    Model rewritten = model;
    ASSERT_NO_FATAL_FAILURE(change_units(rewritten, 1e3, 1e3));
    const auto other = assembled(rewritten);
    const Results b = simulate(other.system(), other.start(), setup);
    ASSERT_TRUE(b.good()) << b.message;
    EXPECT_EQ(a.statistics.steps(), b.statistics.steps()) << name;
    const double length = original.system().layout().length;
    for (Eigen::Index i = 0; i < a.final.q.size(); i += 3) {
      EXPECT_LT((b.final.q.segment<2>(i) / 1e3 - a.final.q.segment<2>(i)).norm(), 1e-9 * length) << name;
      EXPECT_NEAR(b.final.q[i + 2], a.final.q[i + 2], 1e-9) << name;
    }
    EXPECT_NEAR(b.energy->max_relative_error, a.energy->max_relative_error,
                1e-3 * a.energy->max_relative_error + 1e-12);
  }
}

TEST(Invariance, OrderOfTheBodies) {
  Model model = bare("slider-crank");
  const auto original = assembled(model);
  RunSetup setup = figures_only(1);
  setup.rtol = 1e-8;
  const Results a = simulate(original.system(), original.start(), setup);
  std::reverse(model.bodies.begin(), model.bodies.end());
  std::reverse(model.joints.begin(), model.joints.end());
  const auto other = assembled(model);
  const Results b = simulate(other.system(), other.start(), setup);
  const Eigen::Index n = a.final.q.size();
  for (Eigen::Index i = 0; i < n; i += 3)
    EXPECT_LT(max_difference(a.final.q.segment(i, 3), b.final.q.segment(n - 3 - i, 3)), 1e-9);
}

// A chain whose masses fall (or grow) by a factor of a million from end to end.
Model chain(int links, double ratio) {
  Model model;
  model.name = "chain";
  model.gravity = Vec3(0, -9.81, 0);
  model.ground_points = {{"O", Vec3::Zero()}};
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = "link" + std::to_string(i);
    body.mass = std::pow(ratio, double(i) / (links - 1));
    body.inertia = body.mass / 12;
    body.points = {{"A", Vec3(-0.5, 0, 0)}, {"B", Vec3(0.5, 0, 0)}};
    body.position = Vec3(i + 0.5, 0, 0);
    model.bodies.push_back(body);
    const std::string before = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    model.joints.push_back({"pin" + std::to_string(i),
                            "revolute",
                            {{"a", PointRef{before, i == 0 ? "O" : "B", Vec3::Zero()}},
                             {"b", PointRef{body.name, "A", Vec3::Zero()}}}});
  }
  return model;
}

TEST(Invariance, MassRatiosOfAMillionStillIntegrate) {
  for (const int links : {3, 8})
    for (const double ratio : {1e6, 1e-6}) {
      const auto mechanism = assembled(chain(links, ratio));
      RunSetup setup = figures_only(0.6);
      setup.rtol = 1e-7;
      const Results results = simulate(mechanism.system(), mechanism.start(), setup);
      ASSERT_TRUE(results.good()) << links << " links, ratio " << ratio << ": " << results.message;
      EXPECT_LT(results.drift.position_max, 1e-8);
      EXPECT_LT(results.energy->max_relative_error, 1e-5) << links << " links, ratio " << ratio;
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
