// Every joint and driver of spatial models, in both absolute sets, at random states on and off the constraints: J, ν, γ
// against jets of the residual and against differences that share no code with them, the degrees of freedom it takes
// away, what its record says of itself. A new entry is tested the moment its line exists, with the example that
// spatial_samples.hpp gives.
#include <set>

#include "driftless/coordinates/absolute/absolute_system.hpp"

#include "support/runs.hpp"
#include "support/spatial_samples.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::string test_name(const ::testing::TestParamInfo<const JointRecord*>& test) {
  return plain(test.param->element.type) + (is_driver(test.param) ? "_driver" : "");
}

template <class Attitude>
AbsoluteSystem<Attitude> system_of(const Model& model) {
  return AbsoluteSystem<Attitude>(expand<3>(model, {}));
}

// Poses near those drawn or anywhere, scalars likewise; quaternions off their length where the set allows it.
template <class Attitude>
State random_state(const AbsoluteSystem<Attitude>& system, Random& random) {
  const Layout& layout = system.layout();
  State state = system.start();
  state.t = random.number(0.1, 2);
  const int bodies = static_cast<int>(system.parts().bodies());
  for (int i = 0; i < bodies; ++i) {
    state.q.segment<3>(7 * i) += random.vector(0.5);
    state.q.segment<4>(7 * i + 3) =
        random.quaternion() * (Attitude::vector_space ? random.number(0.8, 1.2) : 1.0);
  }
  for (int k = 7 * bodies; k < layout.nq; ++k) state.q[k] += random.number(-1, 1);
  for (int k = 0; k < layout.nv; ++k) state.v[k] = random.number(-2, 2);
  return state;
}

// Markers and scalars along q + τ q̇ + τ²/2 q̈.
struct JetPlaces {
  using Second = Taylor2<double>;
  std::vector<VecOf<Second, 3>> x;
  std::vector<Second> s;
};

template <class Attitude>
JetPlaces along_motion(const AbsoluteSystem<Attitude>& system, const Vec& q, const Vec& v) {
  using Second = Taylor2<double>;
  const SpatialParts& parts = system.parts();
  const int bodies = static_cast<int>(parts.bodies());
  Vec rate(q.size()), bend = Vec::Zero(q.size());
  system.kinematics(0, q, v, rate);
  if (!Attitude::vector_space)  // constant ω_body: p̈ = −|ω|²/4 p
    for (int i = 0; i < bodies; ++i)
      bend.segment<4>(7 * i + 3) = -0.25 * v.segment<3>(6 * i + 3).squaredNorm() * q.segment<4>(7 * i + 3);
  const auto jet = [&](int k) { return Second(q[k], rate[k], bend[k]); };
  JetPlaces out;
  for (const Marker<3>& marker : parts.markers) {
    SpatialFrame<Second> frame;
    if (marker.body < bodies) {
      const int at = 7 * marker.body;
      frame.r = VecOf<Second, 3>(jet(at), jet(at + 1), jet(at + 2));
      frame.R = rotation_matrix<Second>(
          Eigen::Matrix<Second, 4, 1>(jet(at + 3), jet(at + 4), jet(at + 5), jet(at + 6)));
    }
    out.x.push_back(marker.kind == MarkerKind::point ? frame.point(marker.at) : frame.turn(marker.at));
  }
  for (int k = 7 * bodies; k < q.size(); ++k) out.s.push_back(jet(k));
  return out;
}

// Left sides of all rows of the joints and their first and second derivatives along the motion by jets; nonholonomic
// rows: the rate and its derivative as the first and second one. `with_time`: time moves, too.
template <class Attitude>
std::vector<Taylor2<double>> rows_along(
    const AbsoluteSystem<Attitude>& system, double t, const Vec& q, const Vec& v, bool with_time) {
  using First = Dual<double, 1>;
  const RowSet<3>& rows = system.parts().rows;
  const JetPlaces places = along_motion(system, q, v);
  std::vector<Taylor2<double>> g(size_t(rows.rows()));
  rows.residual(Places<Taylor2<double>, 3>{places.x.data(), places.s.data(), {t, with_time ? 1.0 : 0.0, 0}},
                g.data());
  std::vector<VecOf<First, 3>> x(places.x.size()), xdot(x.size());
  std::vector<First> s(places.s.size()), sdot(s.size()), rates(g.size());
  const auto split = [](const Taylor2<double>& from, First& value, First& rate) {
    value.v = from.v;
    value.d[0] = rate.v = from.d1;
    rate.d[0] = from.d2;
  };
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) split(places.x[i][k], x[i][k], xdot[i][k]);
  for (size_t i = 0; i < s.size(); ++i) split(places.s[i], s[i], sdot[i]);
  rows.rates(Places<First, 3>{x.data(), s.data(), First(t)}, xdot.data(), sdot.data(), rates.data());
  for (int i = rows.holonomic_rows(); i < rows.rows(); ++i) {
    const First& rate = rates[size_t(i - rows.holonomic_rows())];
    g[size_t(i)] = {0, rate.v, rate.d[0]};
  }
  return g;
}

template <class Attitude>
void check_derivatives(const Model& model, Random& random) {
  const AbsoluteSystem<Attitude> system = system_of<Attitude>(model);
  const Layout& layout = system.layout();
  const RowSet<3>& rows = system.parts().rows;
  const auto row_at = [&](int row) {
    return row < rows.holonomic_rows() ? row : row + layout.m - rows.rows();
  };
  Terms terms = system.make_terms(), aside = system.make_terms();
  for (int round = 0; round < 20; ++round) {
    const State state = random_state(system, random);
    system.position(state.t, state.q, terms);
    system.bias(state.t, state.q, state.v, terms);

    // jets: J column by column, ν and γ along the motion
    for (int j = 0; j < layout.nv; ++j) {
      const auto g = rows_along(system, state.t, state.q, Vec::Unit(layout.nv, j), false);
      for (int i = 0; i < rows.rows(); ++i) {
        const double entry = terms.J.coeff(row_at(i), j);
        ASSERT_NEAR(g[size_t(i)].d1, entry, 1e-12 * (1 + std::abs(entry))) << rows.names()[size_t(i)];
      }
    }
    const auto at_rest = rows_along(system, state.t, state.q, Vec::Zero(layout.nv), true);
    const auto moving = rows_along(system, state.t, state.q, state.v, true);
    for (int i = 0; i < rows.rows(); ++i) {
      const std::string& name = rows.names()[size_t(i)];
      if (i < rows.holonomic_rows()) {
        EXPECT_NEAR(moving[size_t(i)].v, terms.g[i], 1e-13) << name;
      }
      EXPECT_NEAR(-at_rest[size_t(i)].d1, terms.nu[row_at(i)], 1e-12) << name;
      const double gamma = terms.gamma[row_at(i)];
      EXPECT_NEAR(-moving[size_t(i)].d2, gamma, 1e-11 * (1 + std::abs(gamma))) << name;
    }

    // differences along the motion, normalisation rows included
    const double h = 1e-5;
    Vec r(layout.m), r_plus(layout.m), r_minus(layout.m), plus = state.q, minus = state.q;
    system.retract(plus, h * state.v);
    system.retract(minus, -h * state.v);
    velocity_residual(terms, state.v, r);
    system.position(state.t + h, plus, aside);
    const Vec g_plus = aside.g;
    velocity_residual(aside, state.v, r_plus);
    system.position(state.t - h, minus, aside);
    velocity_residual(aside, state.v, r_minus);
    const double size = 1 + max_abs(terms.gamma);  // higher derivatives grow with the second
    EXPECT_LT(max_difference((g_plus - aside.g) / (2 * h), r.head(layout.mh)), 1e-7 * size);
    EXPECT_LT(max_difference(-(r_plus - r_minus) / (2 * h), terms.gamma), 1e-7 * size * size);
  }
}

class EverySpatialJoint : public ::testing::TestWithParam<const JointRecord*> {
 protected:
  SpatialSample sample(unsigned seed = 20261115) {
    Random random(seed);
    SpatialSample out = spatial_sample(GetParam()->element.type, is_driver(GetParam()), random);
    EXPECT_GE(out.removed, 0) << "give '" << GetParam()->element.type
                              << "' an example in spatial_samples.hpp";
    return out;
  }
};

TEST_P(EverySpatialJoint, DerivativesAgreeWithJetsAndDifferences) {
  const Model model = sample().model;
  Random random(7);
  check_derivatives<BodyRates>(model, random);
  check_derivatives<QuaternionRates>(model, random);
}

TEST_P(EverySpatialJoint, TakesAwayItsDegreesOfFreedom) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const SpatialSample with = sample(seed);
    Model without = with.model;
    (with.is_driver ? without.drivers : without.joints).pop_back();
    for (const char* coordinates : {"reference-point", "euler-parameters"}) {
      const CompiledModel bound = compile(with.model, coordinates, "sample");
      const CompiledModel free = compile(without, coordinates, "sample");
      const Assembly assembly = assemble(bound, 0, "sample");
      const RankReport rank = analyze_rank(*bound.system, assembly.state);
      EXPECT_EQ(rank.rank, rank.rows) << rank.redundant_rows.size();
      const RankReport before = analyze_rank(*free.system, assemble(free, 0, "sample").state);
      EXPECT_EQ(before.dof - rank.dof, with.removed);
      Terms terms = bound.system->make_terms();
      bound.system->position(0, assembly.state.q, terms);
      EXPECT_LT(max_abs(terms.g), 1e-11);
    }
  }
}

TEST_P(EverySpatialJoint, RecordIsConsistent) {
  const JointRecord& record = *GetParam();
  EXPECT_TRUE(exists_in(record.element.spaces, Space::spatial));
  ASSERT_NE(record.spatial.frames, nullptr);
  const SpatialSample with = sample();
  const SpatialParts parts = expand<3>(with.model, {});
  std::set<std::string> names(parts.rows.names().begin(), parts.rows.names().end());
  EXPECT_EQ(names.size(), parts.rows.names().size()) << "row labels must differ";
  for (const std::string& coordinate : record.spatial.coordinates)
    EXPECT_TRUE(coordinate == "angle" || coordinate == "displacement") << coordinate;
  if (record.spatial.mobility == nullptr) return;
  const SpatialMobility mobility = record.spatial.mobility(element_of(with));
  int free = 0;
  for (const ElementaryMotion& motion : mobility.motions)
    free += motion.kind == ElementaryMotion::Kind::ball ? 3 : 1;
  EXPECT_EQ(6 - free, with.removed);
  EXPECT_LT((mobility.zero.transpose() * mobility.zero - Mat3::Identity()).norm(), 1e-15);
  EXPECT_NEAR(mobility.zero.determinant(), 1, 1e-15);
}

// Every motion a joint allows, from the frames outwards, keeps its rows; and its coordinates are what they are called.
TEST_P(EverySpatialJoint, MobilityKeepsTheRows) {
  const JointRecord& record = *GetParam();
  if (record.spatial.mobility == nullptr) GTEST_SKIP() << "can only be cut";
  const SpatialSample with = sample();
  const AbsoluteSystem<BodyRates> system = system_of<BodyRates>(with.model);
  const Element& joint = element_of(with);
  const auto [F, M] = record.spatial.frames(joint, SpatialExpansion(with.model));
  const SpatialMobility mobility = record.spatial.mobility(joint);
  Random random(3);
  Terms terms = system.make_terms();
  for (int round = 0; round < 10; ++round) {
    Vec3 shift = Vec3::Zero();
    Mat3 turn = Mat3::Identity();
    double angle = 0, displacement = 0;
    for (const ElementaryMotion& motion : mobility.motions) {
      const double value = random.number(-1.5, 1.5);
      if (motion.name == "angle") angle = value;
      if (motion.name == "displacement") displacement = value;
      switch (motion.kind) {
        case ElementaryMotion::Kind::turn:
          turn = turn * Eigen::AngleAxisd(value, motion.axis).toRotationMatrix();
          break;
        case ElementaryMotion::Kind::slide:
          shift += turn * (value * motion.axis);
          break;
        case ElementaryMotion::Kind::screw:
          shift += turn * (value * motion.pitch * motion.axis);
          turn = turn * Eigen::AngleAxisd(value, motion.axis).toRotationMatrix();
          displacement = value * motion.pitch;
          break;
        case ElementaryMotion::Kind::ball:
          turn = turn * rotation_matrix<double>(random.quaternion());
          break;
      }
    }
    State state = system.start();
    const SpatialFrame<double>& a = system.parts().start[size_t(F.origin.body)];
    SpatialFrame<double> b;
    b.R = a.R * F.axes * turn * mobility.zero * M.axes.transpose();
    b.r = a.point(F.origin.at) + a.R * F.axes * shift - b.R * M.origin.at;
    state.q.segment<3>(7 * M.origin.body) = b.r;
    state.q.segment<4>(7 * M.origin.body + 3) = quaternion_of_matrix(b.R);
    for (size_t k = 0; k < system.parts().scalars.size(); ++k)
      state.q[21 + static_cast<int>(k)] =
          system.parts().scalars[k].kind == Scalar::Kind::angle ? angle : displacement;
    system.position(0, state.q, terms);
    EXPECT_LT(max_abs(terms.g), 1e-13);
  }
}

// Newton and Euler for the second body, on which nothing acts but joints that have it as their second one, and gravity.
TEST_P(EverySpatialJoint, ReactionsMoveTheSecondBody) {
  const SpatialSample with = sample();
  const CompiledModel compiled = compile(with.model, "reference-point", "sample");
  const auto& system = dynamic_cast<const AbsoluteSystem<BodyRates>&>(*compiled.system);
  const Assembly start = assemble(compiled, 0, "sample");
  const auto [t, q, v] = start.state;
  const Reaction motion = initial_reaction(system, start.state);
  ASSERT_GT(motion.lambda.size(), 0);
  std::vector<JointReaction> reactions;
  system.joint_reactions(t, q, v, motion, reactions);
  const auto& joints = system.parts().joints;
  const int two = joints.back().frames.second.origin.body;
  const Mat3 R = rotation_matrix<double>(Quat(q.segment<4>(7 * two + 3)));
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // about the centre of mass
  for (size_t j = 0; j < joints.size(); ++j) {
    ASSERT_NE(joints[j].frames.first.origin.body, two);
    if (joints[j].frames.second.origin.body != two) continue;
    force += reactions[j].force;
    torque += reactions[j].torque + (R * joints[j].frames.second.origin.at).cross(reactions[j].force);
  }
  const Body& body = with.model.bodies[size_t(two)];
  const Vec3 omega = v.segment<3>(6 * two + 3), omega_dot = motion.vdot.segment<3>(6 * two + 3);
  const Mat3& inertia = body.inertia_tensor;
  EXPECT_LT((body.mass * (motion.vdot.segment<3>(6 * two) - with.model.gravity) - force).norm(), 1e-9);
  EXPECT_LT((R * (inertia * omega_dot + omega.cross(inertia * omega)) - torque).norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Spatial, EverySpatialJoint, ::testing::ValuesIn(spatial_records()), test_name);

TEST(JointRecords, SpacesAreThoseTheyExpandIn) {
  for (const auto& records : {joint_records(), driver_records()})
    for (const auto* record : records) {
      const std::string& type = record->element.type;
      EXPECT_EQ(exists_in(record->element.spaces, Space::planar), record->planar.expand != nullptr) << type;
      EXPECT_EQ(exists_in(record->element.spaces, Space::spatial), record->spatial.expand != nullptr) << type;
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
