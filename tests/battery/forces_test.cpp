// Every force in the registry, in planar and spatial models and in all absolute coordinates, at random states: its power
// against that of its potential, its conservative part against the gradient of the potential, action against reaction,
// spatial elements against their planar twins, and what turning the whole world must not change. A new entry is tested the
// moment its line exists.
#include <random>

#include <fmt/format.h>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/forces/force_record.hpp"

#include "support/runs.hpp"
#include "support/small_models.hpp"
#include "support/tangent_checks.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::mt19937& generator() {
  static std::mt19937 engine(20261201);
  return engine;
}
double uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator());
}
Vec3 random_vector(double size) { return size * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
Quat random_quaternion() {
  return Quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
}

// Different bodies for the different ends of an element.
std::string sample_body(const std::string& field) {
  if (field == "b") return "two";
  if (field == "reaction_on" || field == "center") return "three";
  return "one";
}

// Everything lies in the plane z = 0, so that a planar model takes it too.
FieldValue sample(const FieldSpec& field, Space space) {
  const TimeFunction wave =
      time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4, .offset = 0.2};
  const bool spatial = space == Space::spatial;
  switch (field.kind) {
    case FieldKind::positive:
    case FieldKind::non_negative:
      return uniform(0.5, 2);
    case FieldKind::choice:
      return field.choices.back();
    case FieldKind::body:
      return sample_body(field.name);
    case FieldKind::point:
      return PointRef{sample_body(field.name), "", Vec3(uniform(-1, 1), uniform(-1, 1), spatial ? 0.3 : 0)};
    case FieldKind::vector:
    case FieldKind::direction:
      return Vec3(uniform(0.2, 1), uniform(0.2, 1), spatial ? uniform(0.2, 1) : 0);
    case FieldKind::axis:
      return DirectionRef{"", "", random_vector(1)};
    case FieldKind::function:
    case FieldKind::profile:
      return wave;
    case FieldKind::vector_function: {
      std::vector<TimeFunction> all = {wave, TimeFunction(time_function::Polynomial{{0.1, 0.5, -0.3}})};
      if (spatial) all.emplace_back(0.7);
      return all;
    }
    case FieldKind::characteristic:
      return Characteristic{{-3, -5}, {-0.4, -1}, {0, 0}, {1, 3}, {4, 4}};
    case FieldKind::expression:
      return std::string("0.3*x^2*v + 0.2*sin(t)");
    default:
      return uniform(-1, 1);
  }
}

Element sample_element(const ElementRecord& record, Space space) {
  Element element{"sample", record.type, {}};
  for (const FieldSpec* field : record.fields_in(space))
    if (field->kind != FieldKind::joint) element.fields[field->name] = sample(*field, space);
  // Alternatives of other fields: a torque acts on a body or at a point, a bending spring has a stiffness or EI.
  if (record.type == "torque") element.fields.erase("at");
  if (record.type == "bending") element.fields.erase("EI");
  return element;
}

// Without what does work: only springs, on a flat road.
Element conservative_element(const ElementRecord& record, Space space) {
  Element element = sample_element(record, space);
  for (const char* field : {"damping", "angular_damping", "damper", "actuator", "law", "road"})
    element.fields.erase(field);
  return element;
}

Model three_bodies(Space space) {
  Model model;
  model.name = "sample";
  model.space = space;
  model.gravity = Vec3(0.7, -9.81, space == Space::spatial ? 1.3 : 0);
  for (const char* name : {"one", "two", "three"}) {
    Body body;
    body.name = name;
    body.mass = uniform(0.5, 2);
    body.inertia = uniform(0.1, 1);
    const Mat3 A = rotation_matrix<double>(random_quaternion());
    body.inertia_tensor = A * Vec3(0.5, 0.6, 0.7).asDiagonal() * A.transpose();
    body.center_of_mass = Vec3(uniform(-0.2, 0.2), uniform(-0.2, 0.2), 0);
    body.position = Vec3(uniform(-1, 1), uniform(-1, 1), 0);
    body.angle = uniform(-3, 3);
    if (space == Space::spatial) {
      body.angle = 0;
      body.orientation = random_quaternion();
    }
    body.points = {{"A", Vec3(0.5, 0, 0)}};
    model.bodies.push_back(body);
  }
  return model;
}

// A state of any coordinates: the start, moved at random and given random velocities.
State random_state(const CompiledModel& compiled) {
  const Layout& layout = compiled.system->layout();
  State state = compiled.reference ? compiled.from_reference(compiled.reference->guess) : compiled.guess;
  state.t = uniform(0.1, 2);
  Vec delta(layout.nv);
  for (int i = 0; i < layout.nv; ++i) {
    delta[i] = uniform(-0.7, 0.7);
    state.v[i] = uniform(-2, 2);
  }
  compiled.system->retract(state.q, delta);
  return state;
}

double potential(const DescriptorSystem& system, double t, const Vec& q, Terms& terms) {
  system.position(t, q, terms);
  return *system.potential_energy(t, q, terms);
}

struct Setting {
  Space space;
  const char* coordinates;
};
constexpr Setting kSettings[] = {{Space::planar, "reference-point"},
                                 {Space::spatial, "reference-point"},
                                 {Space::spatial, "euler-parameters"}};

class EveryForce : public ::testing::TestWithParam<const ForceRecord*> {
 protected:
  // The same states whether tests run one by one or all together.
  void SetUp() override { generator().seed(7); }
};

// f·v = −dV/dt + applied power along q̇ = T v; gyroscopic forces do no work.
TEST_P(EveryForce, PowerBalances) {
  for (const auto& [space, coordinates] : kSettings) {
    Model model = three_bodies(space);
    model.forces.push_back(sample_element(GetParam()->element, space));
    const CompiledModel compiled = compile(of_one_space(model), coordinates, "sample");
    const DescriptorSystem& system = *compiled.system;
    Terms terms = system.make_terms(), aside = system.make_terms();
    for (int round = 0; round < 20; ++round) {
      State state = random_state(compiled);
      if (coordinates == std::string("euler-parameters"))  // ṗ across p, as the rows of the set have it
        for (Eigen::Index i = 0; i < 3; ++i) {
          auto p_dot = state.v.segment<4>(7 * i + 3);
          state.q.segment<4>(7 * i + 3).normalize();
          const Quat p = state.q.segment<4>(7 * i + 3);
          p_dot -= p.dot(p_dot) * p;
        }
      system.position(state.t, state.q, terms);
      system.force(state.t, state.q, state.v, terms);
      double total = terms.f.dot(state.v);
      const double applied = system.applied_power(state.t, state.q, state.v, terms);
      // With v = ṗ the inertia depends on p: ½ vᵀ Ṁ v is not a matter of forces.
      if (coordinates == std::string("euler-parameters")) {
        Model free = model;
        free.forces.clear();
        free.gravity.setZero();
        const CompiledModel bare = compile(of_one_space(free), coordinates, "sample");
        Terms inertial = bare.system->make_terms();
        const auto n = bare.system->layout().nq;
        bare.system->position(state.t, state.q.head(n), inertial);
        bare.system->force(state.t, state.q.head(n), state.v.head(n), inertial);
        total -= inertial.f.dot(state.v.head(n));
      }
      Vec q_dot(system.layout().nq);
      system.kinematics(state.t, state.q, state.v, q_dot);
      const double h = 1e-5;
      const double rise = potential(system, state.t + h, state.q + h * q_dot, aside) -
                          potential(system, state.t - h, state.q - h * q_dot, aside);
      EXPECT_NEAR(total, applied - rise / (2 * h), 1e-6 * (1 + std::abs(total))) << coordinates;
    }
  }
}

TEST_P(EveryForce, TangentsAreExact) {
  constexpr Setting kOthers[] = {{Space::planar, "relative"},
                                 {Space::spatial, "relative"},
                                 {Space::planar, "natural"},
                                 {Space::spatial, "natural"}};
  std::vector<Setting> settings(std::begin(kSettings), std::end(kSettings));
  settings.insert(settings.end(), std::begin(kOthers), std::end(kOthers));
  for (const auto& [space, coordinates] : settings) {
    Model model = three_bodies(space);
    model.forces.push_back(sample_element(GetParam()->element, space));
    const CompiledModel compiled = compile(of_one_space(model), coordinates, "sample");
    ASSERT_TRUE(compiled.system->fills_tangents());
    for (unsigned seed = 1; seed <= 3; ++seed)
      EXPECT_LT(worst_tangent_error(*compiled.system, random_state(compiled), seed), 1e-10) << coordinates;
  }
}

// f = −∂V/∂q at rest, direction by direction, for elements that can be without dampers and actuators.
TEST_P(EveryForce, ConservativePartIsTheGradientOfThePotential) {
  for (const auto& [space, coordinates] : kSettings) {
    Model model = three_bodies(space);
    model.forces.push_back(conservative_element(GetParam()->element, space));
    const CompiledModel compiled = compile(of_one_space(model), coordinates, "sample");
    const DescriptorSystem& system = *compiled.system;
    if (system.exchanges_energy()) continue;  // forces given over time
    Terms terms = system.make_terms(), aside = system.make_terms();
    for (int round = 0; round < 5; ++round) {
      State state = random_state(compiled);
      state.v.setZero();
      system.position(state.t, state.q, terms);
      system.force(state.t, state.q, state.v, terms);
      EXPECT_EQ(system.applied_power(state.t, state.q, state.v, terms), 0);
      const double h = 1e-5;
      for (int k = 0; k < system.layout().nv; ++k) {
        Vec plus = state.q, minus = state.q;
        system.retract(plus, h * Vec::Unit(system.layout().nv, k));
        system.retract(minus, -h * Vec::Unit(system.layout().nv, k));
        const double slope =
            (potential(system, state.t, plus, aside) - potential(system, state.t, minus, aside)) / (2 * h);
        EXPECT_NEAR(terms.f[k], -slope, 1e-7 * (1 + terms.f.norm())) << coordinates << " " << k;
      }
    }
  }
}

// Forces and moments about the centres of mass on the bodies, in the world, loads on scalars passed on by their rows.
std::vector<Wrench> wrenches(const AbsoluteSystem<BodyRates>& system, const State& state) {
  Terms terms = system.make_terms();
  system.position(state.t, state.q, terms);
  system.force(state.t, state.q, state.v, terms);
  const auto bodies = static_cast<Eigen::Index>(system.parts().bodies());
  const Eigen::Index scalars = system.layout().nv - 6 * bodies;
  Vec f = terms.f;
  const Mat J = Mat(terms.J);
  if (scalars > 0) {
    const Vec lambda = J.rightCols(scalars).transpose().fullPivLu().solve(Vec(f.tail(scalars)));
    f -= J.transpose() * lambda;
  }
  std::vector<Wrench> out;
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const Mat3 R = rotation_matrix<double>(Quat(state.q.segment<4>(7 * i + 3)));
    const Vec3 omega = state.v.segment<3>(6 * i + 3);
    const Vec3 gyro = omega.cross(system.parts().inertias[size_t(i)] * omega);
    out.push_back({f.segment<3>(6 * i), R * (Vec3(f.segment<3>(6 * i + 3)) + gyro)});
  }
  return out;
}

const AbsoluteSystem<BodyRates>& spatial(const CompiledModel& compiled) {
  return dynamic_cast<const AbsoluteSystem<BodyRates>&>(*compiled.system);
}

TEST_P(EveryForce, ActionIsReaction) {
  Model model = three_bodies(Space::spatial);
  model.gravity.setZero();
  const Element force = sample_element(GetParam()->element, Space::spatial);
  const bool internal = force.has("b") || force.has("reaction_on");
  if (!internal) GTEST_SKIP() << "acts on one body only";
  model.forces.push_back(force);
  const CompiledModel compiled = compile(of_one_space(model), "reference-point", "sample");
  for (int round = 0; round < 10; ++round) {
    const State state = random_state(compiled);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    const auto all = wrenches(spatial(compiled), state);
    for (size_t i = 0; i < all.size(); ++i) {
      const Vec3 r = state.q.segment<3>(7 * static_cast<Eigen::Index>(i));
      sum += all[i].force;
      moment += all[i].moment + r.cross(all[i].force);
      size += all[i].force.norm() + all[i].moment.norm();
    }
    ASSERT_GT(size, 1e-3);
    EXPECT_LT(sum.norm(), 1e-13 * (1 + size));
    EXPECT_LT(moment.norm(), 1e-12 * (1 + size));
  }
}

// The world turned as a whole: forces turn with it, and nothing else happens.
TEST_P(EveryForce, TurningTheWorldChangesNothing) {
  Model model = three_bodies(Space::spatial);
  model.forces.push_back(sample_element(GetParam()->element, Space::spatial));
  const Quat turn = random_quaternion();
  const Mat3 Q = rotation_matrix<double>(turn);
  const Vec3 shift = random_vector(3);
  Model other = model;
  other.gravity = Q * model.gravity;
  for (Body& body : other.bodies) {
    body.position = Q * body.position + shift;
    body.orientation = quaternion_product(turn, body.orientation);
  }
  auto& fields = other.forces[0].fields;
  for (const char* world : {"up", "along"})
    if (other.forces[0].has(world)) fields[world] = Vec3(Q * other.forces[0].get<Vec3>(world));
  if (other.forces[0].has("origin")) fields["origin"] = Vec3(Q * other.forces[0].get<Vec3>("origin") + shift);
  const CompiledModel here = compile(of_one_space(model), "reference-point", "sample"),
                      there = compile(of_one_space(other), "reference-point", "sample");
  for (int round = 0; round < 10; ++round) {
    const State a = random_state(here);
    State b = a;
    for (Eigen::Index i = 0; i < 3; ++i) {
      b.q.segment<3>(7 * i) = Q * a.q.segment<3>(7 * i) + shift;
      b.q.segment<4>(7 * i + 3) = quaternion_product(turn, a.q.segment<4>(7 * i + 3));
      b.v.segment<3>(6 * i) = Q * a.v.segment<3>(6 * i);
    }
    const auto in_a = wrenches(spatial(here), a), in_b = wrenches(spatial(there), b);
    for (size_t i = 0; i < in_a.size(); ++i) {
      const double size = 1 + in_a[i].force.norm() + in_a[i].moment.norm();
      EXPECT_LT((Q * in_a[i].force - in_b[i].force).norm(), 1e-12 * size);
      EXPECT_LT((Q * in_a[i].moment - in_b[i].moment).norm(), 1e-12 * size);
    }
  }
}

// A field of a planar element as the spatial element with the same meaning has it.
FieldValue in_space(const FieldValue& value, const FieldSpec& field) {
  switch (field.kind) {
    case FieldKind::axis:
      return DirectionRef{"", "", std::get<Vec3>(value)};
    case FieldKind::vector_function: {
      if (const auto* one = std::get_if<TimeFunction>(&value))
        return std::vector<TimeFunction>{0.0, 0.0, *one};
      auto all = std::get<std::vector<TimeFunction>>(value);
      all.emplace_back(0.0);
      return all;
    }
    case FieldKind::vector:
      if (const auto* one = std::get_if<double>(&value)) return Vec3(0, 0, *one);
      return value;
    default:
      return value;
  }
}

TEST_P(EveryForce, SpatialElementsAgreeWithTheirPlanarTwins) {
  const ElementRecord& record = GetParam()->element;
  Model planar = three_bodies(Space::planar);
  planar.forces.push_back(sample_element(record, Space::planar));
  Model twin = planar;
  twin.space = Space::spatial;
  for (Body& body : twin.bodies) {
    body.orientation = Quat(std::cos(body.angle / 2), 0, 0, std::sin(body.angle / 2));
    body.inertia_tensor = body.inertia * Mat3::Identity();
  }
  Element& force = twin.forces[0];
  for (const FieldSpec* field : record.fields_in(Space::spatial)) {
    if (force.has(field->name))
      force.fields[field->name] = in_space(force.fields[field->name], *field);
    else if (field->kind == FieldKind::axis && record.type == "rsda")
      force.fields[field->name] = DirectionRef{"", "", Vec3::UnitZ()};
  }
  // The angle of a planar rsda is θ_b − θ_a, of a spatial one it counts from the initial position.
  const double drawn = planar.bodies[1].angle - planar.bodies[0].angle;
  if (record.type == "rsda") {
    force.fields["free_angle"] = force.get<double>("free_angle") - drawn;
    force.fields["law"] = fmt::format("0.3*(x + {})^2*v + 0.2*sin(t)", drawn);
  }
  const CompiledModel flat = compile(of_one_space(planar), "reference-point", "planar"),
                      deep = compile(of_one_space(twin), "reference-point", "spatial");
  Terms terms = flat.system->make_terms();
  for (int round = 0; round < 10; ++round) {
    const State a = random_state(flat);
    State b = deep.guess;
    b.t = a.t;
    b.v.setZero();
    for (Eigen::Index i = 0; i < 3; ++i) {
      const double theta = a.q[3 * i + 2];
      b.q.segment<2>(7 * i) = a.q.segment<2>(3 * i);
      b.q.segment<4>(7 * i + 3) = Quat(std::cos(theta / 2), 0, 0, std::sin(theta / 2));
      b.v.segment<2>(6 * i) = a.v.segment<2>(3 * i);
      b.v[6 * i + 5] = a.v[3 * i + 2];
    }
    if (record.type == "rsda") {
      b.q[21] = a.q[5] - a.q[2] - drawn;
      b.v[18] = a.v[5] - a.v[2];
    }
    flat.system->position(a.t, a.q, terms);
    flat.system->force(a.t, a.q, a.v, terms);
    const auto all = wrenches(spatial(deep), b);
    for (Eigen::Index i = 0; i < 3; ++i) {
      const Wrench& own = all[size_t(i)];
      const double size = 1 + terms.f.norm();
      EXPECT_LT((own.force - Vec3(terms.f[3 * i], terms.f[3 * i + 1], 0)).norm(), 1e-12 * size);
      EXPECT_LT((own.moment - Vec3(0, 0, terms.f[3 * i + 2])).norm(), 1e-12 * size);
    }
  }
}

// Clutches are rows: switching_elements_test.cpp.
std::vector<const ForceRecord*> forces_proper() {
  std::vector<const ForceRecord*> out;
  for (const ForceRecord* record : force_records())
    if (record->element.type != "clutch") out.push_back(record);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Forces, EveryForce, ::testing::ValuesIn(forces_proper()), [](const auto& test) {
  return plain(test.param->element.type);
});

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
