// Every joint and driver in the registries, at random states: J and ν against first derivatives of g, γ against its second
// derivative along the motion, both by jets and by differences. A new entry is tested the moment its line exists, if it is
// given sample fields here.
#include <random>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/tangent_checks.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::mt19937& generator() {
  static std::mt19937 engine(20261115);
  return engine;
}
double uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator());
}

// Different bodies for the different ends of an element.
std::string sample_body(const std::string& field) {
  if (field == "b" || field == "rack") return "two";
  if (field == "carrier" || field == "reaction_on") return "three";
  return "one";
}

// Sample values for fields of every kind.
FieldValue sample(const FieldSpec& field) {
  const TimeFunction wave =
      time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4, .offset = 0.2};
  switch (field.kind) {
    case FieldKind::positive:
    case FieldKind::non_negative:
      return uniform(0.5, 2);
    case FieldKind::boolean:
      return true;
    case FieldKind::choice:
      return field.choices.back();
    case FieldKind::body:
      return sample_body(field.name);
    case FieldKind::joint:
      return std::string(field.name == "joint_b" ? "guide" : "pin");
    case FieldKind::point:
      return PointRef{sample_body(field.name), "", Vec3(uniform(-1, 1), uniform(-1, 1), 0)};
    case FieldKind::vector:
    case FieldKind::direction:
      return Vec3(uniform(0.2, 1), uniform(-1, 1), 0);
    case FieldKind::function:  // of the driver distance: positive
      return field.unit == "m" && field.help.find("> 0") != std::string::npos
                 ? TimeFunction(time_function::Harmonic{
                       .amplitude = 0.1, .frequency = 1.7, .phase = 0.4, .offset = 1.3})
                 : wave;
    case FieldKind::vector_function:
      return std::vector<TimeFunction>{wave, TimeFunction(time_function::Polynomial{{0.1, 0.5, -0.3}})};
    case FieldKind::curve:
      return CurvePoints{{Vec3(3, 0, 0), Vec3(0.5, 2, 0), Vec3(-2, 0.4, 0), Vec3(0, -3, 0)}, true};
    case FieldKind::characteristic:
      return Characteristic{{-3, -5}, {-0.4, -1}, {0, 0}, {1, 3}, {4, 4}};
    default:
      return uniform(-1, 1);
  }
}

Model three_bodies() {
  Model model;
  model.name = "sample";
  model.gravity = Vec3(0.7, -9.81, 0);
  for (const char* name : {"one", "two", "three"}) {
    Body body;
    body.name = name;
    body.mass = uniform(0.5, 2);
    body.inertia = uniform(0.1, 1);
    body.center_of_mass = Vec3(uniform(-0.2, 0.2), uniform(-0.2, 0.2), 0);
    body.position = Vec3(uniform(-1, 1), uniform(-1, 1), 0);
    body.angle = uniform(-3, 3);
    body.points = {{"A", Vec3(0.5, 0, 0)}};
    model.bodies.push_back(body);
  }
  return model;
}

Element sample_element(const ElementRecord& record) {
  Element element{"sample", record.type, {}};
  for (const FieldSpec* field : record.fields_in(Space::planar))
    // Without groups (friction, stops): their rows come and go, switching_elements_test.cpp has them.
    if (!field->name.starts_with("coordinate") && field->name.find('.') == std::string::npos)
      element.fields[field->name] = sample(*field);
  return element;
}

// The sample with whatever it names.
Model sample_model(const JointRecord* record) {
  Model model = three_bodies();
  const Element element = sample_element(record->element);
  if (element.has("joint") || element.has("joint_a"))
    model.joints.push_back(
        {"pin",
         "revolute",
         {{"a", PointRef{"one", "A", Vec3::Zero()}}, {"b", PointRef{"two", "A", Vec3::Zero()}}}});
  if (element.has("joint_b"))
    model.joints.push_back({"guide",
                            "translational",
                            {{"a", PointRef{"two", "A", Vec3::Zero()}},
                             {"axis", Vec3(1, 0.3, 0)},
                             {"b", PointRef{"three", "A", Vec3::Zero()}}}});
  const auto drivers = driver_records();
  const bool is_driver = std::find(drivers.begin(), drivers.end(), record) != drivers.end();
  (is_driver ? model.drivers : model.joints).push_back(element);
  return model;
}

State random_state(const Layout& layout) {
  State state{uniform(0.1, 2), Vec(layout.nq), Vec(layout.nv)};
  for (int i = 0; i < layout.nq; ++i) state.q[i] = uniform(-2, 2);
  for (int i = 0; i < layout.nv; ++i) state.v[i] = uniform(-2, 2);
  return state;
}

using PlanarSystem = AbsoluteSystem<PlaneAngle>;

const PlanarSystem& planar(const CompiledModel& compiled) {
  return dynamic_cast<const PlanarSystem&>(*compiled.system);
}

// g on any scalar, from positions and time on that scalar.
template <class S>
void residual(const PlanarSystem& system, const S& t, const S* q, S* g) {
  const Parts<2>& parts = system.parts();
  std::vector<FrameOf<S, 2>> frames(parts.bodies() + 1);
  for (size_t i = 0; i < parts.bodies(); ++i)
    frames[i] = {{q[3 * i], q[3 * i + 1]}, q[3 * i + 2], cos(q[3 * i + 2]), sin(q[3 * i + 2])};
  std::vector<VecOf<S, 2>> x;
  std::vector<S> s;
  for (const Marker<2>& marker : parts.markers) {
    const FrameOf<S, 2>& frame = frames[size_t(marker.body)];
    x.push_back(marker.kind == MarkerKind::point ? frame.point(marker.at) : frame.turn(marker.at));
  }
  for (const auto& scalar : parts.scalars) s.push_back(frames[size_t(scalar.b.origin.body)].theta);
  parts.rows.residual(Places<S, 2>{x.data(), s.data(), t}, g);
}

void check_derivatives(const PlanarSystem& system) {
  const Layout& layout = system.layout();
  const auto nq = size_t(layout.nq), m = size_t(layout.mh);  // jets see rows with a position only
  Terms terms = system.make_terms();
  for (int round = 0; round < 20; ++round) {
    const State state = random_state(layout);
    system.position(state.t, state.q, terms);
    system.bias(state.t, state.q, state.v, terms);

    // jets: J column by column, ν = −g_t, γ = −d²g/ds² along (t + s, q + s v)
    using First = Dual<double, 1>;
    std::vector<First> q1(nq), g1(m);
    for (size_t j = 0; j <= nq; ++j) {
      for (size_t i = 0; i < nq; ++i)
        q1[i] = i == j ? First::variable(state.q[int(i)], 0) : First(state.q[int(i)]);
      residual(system, j == nq ? First::variable(state.t, 0) : First(state.t), q1.data(), g1.data());
      for (size_t i = 0; i < m; ++i) {
        if (j < nq)
          EXPECT_NEAR(g1[i].d[0], terms.J.coeff(int(i), int(j)), 1e-12);
        else
          EXPECT_NEAR(-g1[i].d[0], terms.nu[int(i)], 1e-12);
      }
    }
    using Second = Taylor2<double>;
    std::vector<Second> q2(nq), g2(m);
    for (size_t i = 0; i < nq; ++i) q2[i] = Second(state.q[int(i)], state.v[int(i)], 0);
    residual(system, Second(state.t, 1, 0), q2.data(), g2.data());
    for (size_t i = 0; i < m; ++i) {
      EXPECT_NEAR(g2[i].v, terms.g[int(i)], 1e-13);
      EXPECT_NEAR(-g2[i].d2, terms.gamma[int(i)], 1e-11);
    }

    // differences, which share no code with the above
    const double h = 1e-5;
    Vec plus = state.q + h * state.v, minus = state.q - h * state.v, r_plus(layout.m), r_minus(layout.m),
        r(layout.m);
    velocity_residual(terms, state.v, r);
    Terms aside = system.make_terms();
    system.position(state.t + h, plus, aside);
    const Vec g_plus = aside.g;
    velocity_residual(aside, state.v, r_plus);
    system.position(state.t - h, minus, aside);
    EXPECT_LT(max_difference((g_plus - aside.g) / (2 * h), r.head(layout.mh)), 1e-8);  // dg/dt = J v − ν
    velocity_residual(aside, state.v, r_minus);
    EXPECT_LT(max_difference(-(r_plus - r_minus) / (2 * h), terms.gamma),
              1e-7);  // d(J v − ν)/dt = −γ at v̇ = 0
  }
}

class EveryJoint : public ::testing::TestWithParam<const JointRecord*> {
 protected:
  // The same states whether tests run one by one or all together: differences across a knot of a curve are off by more.
  void SetUp() override { generator().seed(20261115); }
};

TEST_P(EveryJoint, DerivativesAgreeWithJetsAndDifferences) {
  const CompiledModel compiled = compile(sample_model(GetParam()), "reference-point", "sample");
  ASSERT_GT(compiled.system->layout().m, 0);
  check_derivatives(planar(compiled));
}

TEST_P(EveryJoint, TangentsAreExact) {
  const CompiledModel compiled = compile(sample_model(GetParam()), "reference-point", "sample");
  ASSERT_TRUE(compiled.system->fills_tangents());
  for (unsigned seed = 1; seed <= 3; ++seed)
    EXPECT_LT(worst_tangent_error(*compiled.system, random_state(compiled.system->layout()), seed), 1e-10);
}

// As a joint of the tree or as rows between floating bodies, the mechanism is the same.
TEST_P(EveryJoint, HasAsManyFreedomsInRelativeCoordinates) {
  const Model model = sample_model(GetParam());
  const auto bodies = assembled(model), relative = assembled(model, "relative");
  const RankReport there = analyze_rank(bodies.system(), bodies.start()),
                   here = analyze_rank(relative.system(), relative.start());
  EXPECT_EQ(here.dof, there.dof);
  EXPECT_EQ(here.rank, here.rows);
  EXPECT_EQ(here.rows == 0, GetParam()->planar.mobility != nullptr);
  for (int round = 0; round < 5; ++round) {
    const State state = random_state(relative.system().layout());
    const DerivativeCheck check = driftless::check_derivatives(relative.system(), state);
    EXPECT_LT(check.J, 1e-9) << check.J_entry;
    EXPECT_LT(check.nu, 1e-9) << check.nu_row;
    EXPECT_LT(check.gamma, 1e-7) << check.gamma_row;
  }
}

TEST_P(EveryJoint, RowsAreIndependentAndAssemble) {
  const auto mechanism = assembled(sample_model(GetParam()));
  const RankReport rank = analyze_rank(mechanism.system(), mechanism.start());
  EXPECT_EQ(rank.rank, rank.rows);
  Terms terms = mechanism.system().make_terms();
  mechanism.system().position(0, mechanism.start().q, terms);
  EXPECT_LT(max_abs(terms.g), 1e-11);
}

std::vector<const JointRecord*> planar(std::span<const JointRecord* const> records) {
  std::vector<const JointRecord*> out;
  for (const auto* record : records)
    if (record->planar.expand != nullptr) out.push_back(record);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Joints,
                         EveryJoint,
                         ::testing::ValuesIn(planar(joint_records())),
                         [](const auto& test) { return plain(test.param->element.type); });
INSTANTIATE_TEST_SUITE_P(Drivers,
                         EveryJoint,
                         ::testing::ValuesIn(planar(driver_records())),
                         [](const auto& test) { return plain(test.param->element.type); });

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
