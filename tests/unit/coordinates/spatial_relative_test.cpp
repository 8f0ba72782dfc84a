// Spatial relative coordinates against reference-point ones at the same states, exactly: the velocity transformation R and
// the accelerations at ż = 0 are checked against differences, everything else against R and the terms of single bodies.
#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/coordinates/relative/solvers/articulated_solver.hpp"
#include "driftless/system/tangents/differences.hpp"
#include "driftless/system/user_system.hpp"

#include "support/spatial_trees.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kRoundOff = 1e-12;     // times the size of the terms
constexpr double kDifferences = 1e-11;  // of sixth order

void expect_close(const Mat& a, const Mat& b, const std::string& what, double tolerance = kRoundOff) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  if (a.size() == 0) return;
  const double size = std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance * size) << what;
}

// A model in both sets.
struct Pair {
  explicit Pair(SpatialTreeModel& random)
      : compiled(compile(random.model, "relative", random.model.name)),
        relative(relative_system(compiled)),
        reference(static_cast<const AbsoluteSystem<BodyRates>&>(*compiled.reference->system)),
        terms(relative.make_terms()) {}

  RelativeWork<3>& work() { return static_cast<RelativeWork<3>&>(*terms.scratch); }

  // Twists of all bodies for rates z at the last position(), six numbers a body.
  Vec twists(const Vec& z) {
    std::vector<Twist> out(size_t(relative.tree().slots()));
    relative.tree().transform(z.data(), work().bodies.frames.data(), work().tree, out.data());
    return stacked(out);
  }
  Vec stacked(const std::vector<Twist>& twists) const {
    Vec out(6 * bodies());
    for (int b = 0; b < bodies(); ++b) out.segment<6>(6 * b) << twists[size_t(b)].r, twists[size_t(b)].omega;
    return out;
  }
  Mat R() {
    const int n = relative.layout().nv;
    Mat out(6 * bodies(), n);
    for (int j = 0; j < n; ++j) out.col(j) = twists(Vec::Unit(n, j));
    return out;
  }
  int bodies() const { return int(reference.parts().bodies()); }

  // The same state of the bodies in the reference set, and the accelerations there at ż = 0.
  State bodies_at(const State& state, Vec* bias = nullptr) {
    relative.evaluate(state.t, state.q, state.v, terms);
    State out{state.t, Vec::Zero(reference.layout().nq), Vec::Zero(reference.layout().nv)};
    if (bias != nullptr) *bias = Vec::Zero(out.v.size());
    const SpatialWork& at = work().bodies;
    for (size_t b = 0; b < size_t(bodies()); ++b) {
      const auto i = static_cast<Eigen::Index>(b);
      const Mat3& R = at.frames[b].R;
      out.q.segment<7>(7 * i) << at.frames[b].r, quaternion_of_matrix(R);
      out.v.segment<6>(6 * i) << at.twists[b].r, R.transpose() * at.twists[b].omega;
      // ω̇ of the body axes: R ω_body' = ω' for ω' = d(R ω_body)/dt − ω × ω
      if (bias != nullptr)
        bias->segment<6>(6 * i) << work().tree.biases[b].r, R.transpose() * work().tree.biases[b].omega;
    }
    for (size_t k = 0; k < reference.parts().scalars.size(); ++k) {
      const Scalar& scalar = reference.parts().scalars[k];
      const auto match = relative.tree().find(scalar.kind, scalar.a, scalar.b);
      const auto own =
          std::find(relative.layout().q_names.begin(), relative.layout().q_names.end(), scalar.name) -
          relative.layout().q_names.begin();
      const auto at_q = match.q >= 0 ? match.q : own;
      const auto at_v = match.q >= 0 ? match.v : own - relative.tree().nq() + relative.tree().nv();
      out.q[7 * bodies() + int(k)] = match.factor * state.q[at_q];
      out.v[6 * bodies() + int(k)] = match.factor * state.v[at_v];
    }
    return out;
  }
  // The velocity transformation to the coordinates of the reference set, after bodies_at().
  Mat transformation() {
    const Mat own = R();
    Mat out = Mat::Zero(reference.layout().nv, own.cols());
    for (int b = 0; b < bodies(); ++b) {
      out.middleRows<3>(6 * b) = own.middleRows<3>(6 * b);
      out.middleRows<3>(6 * b + 3) =
          work().bodies.frames[size_t(b)].R.transpose() * own.middleRows<3>(6 * b + 3);
    }
    State unit{0, Vec::Zero(relative.layout().nq), Vec::Zero(relative.layout().nv)};
    for (int j = 0; j < own.cols(); ++j)
      for (size_t k = 0; k < reference.parts().scalars.size(); ++k) {
        const Scalar& scalar = reference.parts().scalars[k];
        const auto match = relative.tree().find(scalar.kind, scalar.a, scalar.b);
        const auto named =
            std::find(relative.layout().q_names.begin(), relative.layout().q_names.end(), scalar.name) -
            relative.layout().q_names.begin();
        const auto v = match.q >= 0 ? match.v : named - relative.tree().nq() + relative.tree().nv();
        if (v == j) out(6 * bodies() + int(k), j) = match.factor;
      }
    return out;
  }

  CompiledModel compiled;
  const RelativeSystem<3>& relative;
  const AbsoluteSystem<BodyRates>& reference;
  Terms terms;
};

// ---- kinematics -----------------------------------------------------------------------------------------------------

TEST(SpatialRelative, TransformationIsTheDerivativeOfThePoses) {
  SpatialTreeModel random = looped_trees();
  Pair pair(random);
  const State state = random_state(pair.relative, random);
  const int n = pair.relative.layout().nv, bodies = pair.bodies();
  pair.relative.position(state.t, state.q, pair.terms);
  const Mat R = pair.R();
  std::vector<Mat3> axes;
  for (int b = 0; b < bodies; ++b) axes.push_back(pair.work().bodies.frames[size_t(b)].R);
  differences::Samples samples(12 * bodies);
  Vec derivative(12 * bodies);
  for (int j = 0; j < n; ++j) {
    const auto poses = [&](double s, Vec& out) {
      Vec q = state.q;
      pair.relative.retract(q, s * Vec::Unit(n, j));
      pair.relative.position(state.t, q, pair.terms);
      for (int b = 0; b < bodies; ++b) {
        const auto& frame = pair.work().bodies.frames[size_t(b)];
        out.segment<3>(12 * b) = frame.r;
        for (int k = 0; k < 3; ++k) out.segment<3>(12 * b + 3 + 3 * k) = frame.R.col(k);
      }
    };
    differences::first_derivative(differences::kFirstStep, 1, poses, samples, derivative);
    for (int b = 0; b < bodies; ++b) {
      Mat3 turning;
      for (int k = 0; k < 3; ++k) turning.col(k) = derivative.segment<3>(12 * b + 3 + 3 * k);
      const Mat3 omega = turning * axes[size_t(b)].transpose();
      expect_close(derivative.segment<3>(12 * b), R.block<3, 1>(6 * b, j), "velocity", kDifferences);
      expect_close(omega, skew(R.block<3, 1>(6 * b + 3, j)), "angular velocity", kDifferences);
    }
  }
}

TEST(SpatialRelative, BiasIsTheDerivativeOfTheTwistsAtConstantRates) {
  SpatialTreeModel random = looped_trees();
  Pair pair(random);
  const State state = random_state(pair.relative, random);
  differences::Samples samples(6 * pair.bodies());
  Vec derivative(6 * pair.bodies());
  const auto twists = [&](double s, Vec& out) {
    Vec q = state.q;
    pair.relative.retract(q, s * state.v);
    pair.relative.position(state.t, q, pair.terms);
    out = pair.twists(state.v);
  };
  differences::first_derivative(differences::kFirstStep, 10, twists, samples, derivative);
  pair.relative.position(state.t, state.q, pair.terms);
  pair.relative.bias(state.t, state.q, state.v, pair.terms);
  expect_close(derivative, pair.stacked(pair.work().tree.biases), "bias", kDifferences);
  expect_close(pair.stacked(pair.work().bodies.twists), pair.twists(state.v), "twists");
}

TEST(SpatialRelative, CoordinatesAreReadOffPoses) {
  for (SpatialTreeModel random : {looped_trees(), geared_tree()}) {
    Pair pair(random);
    const State state = random_state(pair.relative, random);
    State read = pair.compiled.from_reference(pair.bodies_at(state));
    // Quaternions come back with either sign.
    for (const int i : pair.relative.tree().balls()) {
      const int at = pair.relative.tree().link(i).q;
      if (read.q.segment<4>(at).dot(state.q.segment<4>(at)) < 0) read.q.segment<4>(at) *= -1;
    }
    expect_close(read.q, state.q, random.model.name + ": q");
    expect_close(read.v, state.v, random.model.name + ": v");
  }
}

TEST(SpatialRelative, QuaternionsAreRetractedAndCompared) {
  SpatialTreeModel random = branched_tree();
  Pair pair(random);
  const State state = random_state(pair.relative, random);
  Vec q = state.q, delta = 0.3 * state.v, back(delta.size()), qdot(state.q.size());
  pair.relative.retract(q, delta);
  pair.relative.difference(state.q, q, back);
  expect_close(back, delta, "difference");
  pair.relative.kinematics(state.t, state.q, state.v, qdot);
  Vec ahead = state.q, behind = state.q;
  constexpr double h = 1e-4;
  pair.relative.retract(ahead, h * state.v);
  pair.relative.retract(behind, -h * state.v);
  EXPECT_LT(max_abs((ahead - behind) / (2 * h) - qdot), 1e-7);
  Vec scaled = 1.7 * state.q;
  pair.relative.normalize(scaled);
  for (const int i : pair.relative.tree().balls())
    EXPECT_NEAR(scaled.segment<4>(pair.relative.tree().link(i).q).norm(), 1, kRoundOff);
}

// ---- terms ----------------------------------------------------------------------------------------------------------

void check_terms(SpatialTreeModel& random) {
  Pair pair(random);
  const std::string& name = random.model.name;
  const State state = random_state(pair.relative, random);
  Vec bias;
  const State bodies = pair.bodies_at(state, &bias);
  const Mat R = pair.transformation();
  Terms there = pair.reference.make_terms();
  pair.reference.evaluate(bodies.t, bodies.q, bodies.v, there);
  expect_close(R * state.v, bodies.v, name + ": velocities");
  expect_close(pair.terms.f, R.transpose() * (there.f - there.M * bias), name + ": f");
  const Mat M = R.transpose() * there.M * R;
  const RelativeSystem<3> composite(pair.relative.parts(), pair.relative.shared_tree(),
                                    RelativeSystem<3>::Path::composite);
  Terms formed = composite.make_terms();
  composite.evaluate(state.t, state.q, state.v, formed);
  expect_close(formed.M, M, name + ": M");
  expect_close(formed.f, pair.terms.f, name + ": f, M formed");
  const double kinetic = pair.reference.kinetic_energy(bodies.v, there);
  EXPECT_NEAR(pair.relative.kinetic_energy(state.v, pair.terms), kinetic, kRoundOff * (1 + kinetic)) << name;
  const double potential = *pair.reference.potential_energy(bodies.t, bodies.q, there);
  EXPECT_NEAR(*pair.relative.potential_energy(state.t, state.q, pair.terms), potential,
              kRoundOff * (1 + std::abs(potential)));

  // Rows by their names; those of the reference set that are missing are joints of the tree, which cannot open.
  const Mat J = Mat(there.J) * R;
  const Vec gamma = there.gamma - there.J * bias;
  const auto &own = pair.relative.layout().row_names, &all = pair.reference.layout().row_names;
  size_t found = 0;
  for (int i = 0; i < int(all.size()); ++i) {
    const auto row = std::find(own.begin(), own.end(), all[size_t(i)]);
    const std::string what = name + ": " + all[size_t(i)];
    if (row == own.end()) {
      EXPECT_LT(std::abs(there.g[i]), kRoundOff) << what;
      EXPECT_LT(J.row(i).cwiseAbs().maxCoeff(), kRoundOff) << what;
      continue;
    }
    ++found;
    const auto k = row - own.begin();
    expect_close(Mat(pair.terms.J).row(k), J.row(i), what + " J");
    EXPECT_NEAR(pair.terms.g[k], there.g[i], kRoundOff) << what;
    EXPECT_NEAR(pair.terms.nu[k], there.nu[i], kRoundOff) << what;
    EXPECT_NEAR(pair.terms.gamma[k], gamma[i], 10 * kRoundOff * (1 + std::abs(gamma[i]))) << what;
  }
  EXPECT_EQ(found, own.size()) << name;
}

TEST(SpatialRelative, TermsAreThoseOfTheBodiesTransformed) {
  for (SpatialTreeModel random : {branched_tree(), looped_trees(), geared_tree()}) check_terms(random);
}

TEST(SpatialRelative, DerivativesOfRowsAreThoseOfTheirResiduals) {
  for (SpatialTreeModel random : {looped_trees(), geared_tree()}) {
    Pair pair(random);
    const DerivativeCheck check = check_derivatives(pair.relative, random_state(pair.relative, random));
    EXPECT_LT(check.J, 1e-9) << check.J_entry;
    EXPECT_LT(check.nu, 1e-9) << check.nu_row;
    EXPECT_LT(check.gamma, 1e-8) << check.gamma_row;
  }
}

TEST(SpatialRelative, NamesItsCoordinates) {
  SpatialTreeModel random = branched_tree();
  Pair pair(random);
  const Layout& layout = pair.relative.layout();
  EXPECT_EQ(layout.nq, 7 + 1 + 1 + 2 + 2 + 4 + 1 + 4 + 1 + 2 + 3);
  EXPECT_EQ(layout.nv, layout.nq - 3);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const char* name : {"base.x", "base.e3", "revolute_base_a.angle", "translational_b_a.displacement",
                           "universal_d_c.angle_2", "spherical_b_e.e0", "screw_h_g.angle"})
    EXPECT_TRUE(has(layout.q_names, name)) << name;
  for (const char* name : {"base.vx", "base.wz", "revolute_base_a.angle_rate", "spherical_b_e.wx",
                           "cylindrical_b_c.displacement_rate"})
    EXPECT_TRUE(has(layout.v_names, name)) << name;
}

// ---- solving --------------------------------------------------------------------------------------------------------

// Dense solution of [M Jᵀ; J 0].
Vec dense_solution(const Mat& M, const Mat& J, const Vec& r1, const Vec& r2) {
  const auto n = M.rows(), m = J.rows();
  Mat K = Mat::Zero(n + m, n + m);
  K << M, J.transpose(), J, Mat::Zero(m, m);
  Vec r(n + m);
  r << r1, r2;
  return K.fullPivLu().solve(r);
}

struct Solved {
  Mat M, J;
  Vec r1, r2, x, y;
};

void expect_solution(const Solved& s, const std::string& what) {
  const Vec exact = dense_solution(s.M, s.J, s.r1, s.r2);
  expect_close(s.x, exact.head(s.x.size()), what + ": x");
  expect_close(s.y, exact.tail(s.y.size()), what + ": y");
}

TEST(SpatialRelative, EveryPathSolvesWhatCompositeBodiesForm) {
  using Path = RelativeSystem<3>::Path;
  for (SpatialTreeModel random : {branched_tree(), looped_trees()})
    for (const Path path : {Path::articulated, Path::links}) {
      Pair pair(random);
      const RelativeSystem<3> composite(pair.relative.parts(), pair.relative.shared_tree(), Path::composite);
      const RelativeSystem<3> other(pair.relative.parts(), pair.relative.shared_tree(), path);
      EXPECT_TRUE(other.layout().mass_is_implicit);
      const State state = random_state(pair.relative, random);
      Terms formed = composite.make_terms(), terms = other.make_terms();
      composite.evaluate(state.t, state.q, state.v, formed);
      other.evaluate(state.t, state.q, state.v, terms);
      const auto solver = other.make_solver();
      ASSERT_EQ(solver->factor(terms), Status::ok);
      Solved s{Mat(formed.M), Mat(formed.J),        formed.f,
               formed.gamma,  Vec(formed.f.size()), Vec(formed.gamma.size())};
      ASSERT_EQ(solver->solve(s.r1, s.r2, s.x, s.y), Status::ok);
      expect_solution(s, random.model.name);
      s.r1.setZero();
      for (auto& r : s.r2) r = random.uniform(-1, 1);
      ASSERT_EQ(solver->project(s.r2, s.x), Status::ok);
      s.y = dense_solution(s.M, s.J, s.r1, s.r2).tail(s.y.size());
      expect_solution(s, random.model.name + " projected");
    }
}

TEST(SpatialRelative, DependentRowsAreNamedAndDropped) {
  SpatialTreeModel random = looped_trees();
  Element again = random.model.joints[random.model.joints.size() - 2];  // the rod between w and k
  again.name = "rod_again";
  random.add(again);
  Pair pair(random);
  using Path = RelativeSystem<3>::Path;
  const RelativeSystem<3> composite(pair.relative.parts(), pair.relative.shared_tree(), Path::composite);
  const State state = random_state(pair.relative, random);
  Terms formed = composite.make_terms();
  composite.evaluate(state.t, state.q, state.v, formed);
  for (const Path path : {Path::articulated, Path::links}) {
    const RelativeSystem<3> system(pair.relative.parts(), pair.relative.shared_tree(), path);
    Terms terms = system.make_terms();
    system.evaluate(state.t, state.q, state.v, terms);
    const auto solver = system.make_solver();
    Vec x(terms.f.size()), y(terms.gamma.size());
    Status status = solver->factor(terms);
    if (path == Path::links && status == Status::ok) {  // shows where rows contradict each other
      Vec r2 = terms.gamma;
      r2[system.layout().m - 1] += 1;
      status = solver->solve(terms.f, r2, x, y);
    }
    ASSERT_EQ(status, Status::singular);
    const int row = solver->dependent_row();
    ASSERT_GE(row, 0);
    const std::string name = system.layout().row_names[size_t(row)];
    EXPECT_TRUE(name == "rod_wk.length" || name == "rod_again.length") << name;

    const int dropped[] = {row};
    solver->drop_rows(dropped);
    ASSERT_EQ(solver->factor(terms), Status::ok);
    ASSERT_EQ(solver->solve(terms.f, terms.gamma, x, y), Status::ok);
    EXPECT_EQ(y[row], 0);
    EXPECT_LT(max_abs(formed.M * x + formed.J.transpose() * y - formed.f),
              kRoundOff * (1 + max_abs(formed.f)));
    EXPECT_LT(max_abs(formed.J * x - formed.gamma), 10 * kRoundOff * (1 + max_abs(formed.gamma)));
  }
}

// A body on a joint of the given motions, all at one point, the body's inertia that of `tensor`.
Status factored(const std::vector<ElementaryMotion>& motions, const Mat3& tensor, std::vector<double> q) {
  const TreeBody<3> body{"a", 1, tensor};
  const JointFrame F{{1, Vec3::Zero()}, Mat3::Identity()}, M{{0, Vec3::Zero()}, Mat3::Identity()};
  const SpanningTree spanning{{{0, 1, 0, false}}, {}};
  const Tree<3> tree(spanning, {{"joint", {F, M}, {motions}}}, {body});
  TreeWork<3> work = tree.make_work();
  std::vector<SpatialFrame<double>> frames(size_t(tree.slots()));
  tree.place(q.data(), frames.data(), work);
  return ArticulatedBodies<3>(tree).factor(frames.data(), work);
}

TEST(SpatialRelative, MasslessEndsAreSingular) {
  const ElementaryMotion turn{ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle"};
  EXPECT_EQ(factored({turn}, Mat3::Zero(), {0.3}), Status::singular);
  EXPECT_EQ(factored({turn}, Mat3::Identity(), {0.3}), Status::ok);
}

// Nothing between two coaxial turns, or two parallel slides: one of them moves no mass but what gives way to it.
TEST(SpatialRelative, CoaxialMotionsWithNothingBetweenAreSingular) {
  using Kind = ElementaryMotion::Kind;
  Mat3 tensor;
  tensor << 0.7, 0.1, -0.05, 0.1, 1.3, 0.2, -0.05, 0.2, 0.9;
  const Vec3 axis(0.3, -0.5, 0.8), other(1, 0.2, 0.1);
  const ElementaryMotion turn{Kind::turn, axis, "a"}, back{Kind::turn, -axis, "b"},
      across{Kind::turn, other, "c"};
  const ElementaryMotion slide{Kind::slide, axis, "d"}, slide_too{Kind::slide, axis, "e"};
  const ElementaryMotion ball{Kind::ball, Vec3::Zero(), ""};
  EXPECT_EQ(factored({turn, back}, tensor, {0.3, 0.4}), Status::singular);
  EXPECT_EQ(factored({turn, slide, back}, tensor, {0.3, 0.4, 0.5}), Status::singular);
  EXPECT_EQ(factored({turn, across, back}, tensor, {0.3, 0, 0.5}), Status::singular);  // gimbal lock
  EXPECT_EQ(factored({turn, across, back}, tensor, {0.3, 0.5, 0.5}), Status::ok);
  EXPECT_EQ(factored({slide, turn, slide_too}, tensor, {0.3, 0.4, 0.5}), Status::singular);
  EXPECT_EQ(factored({turn, ball}, tensor, {0.3, 1, 0, 0, 0}), Status::singular);
  EXPECT_EQ(factored({slide, ball}, tensor, {0.3, 0.6, 0, 0.8, 0}), Status::ok);
  const Vec3 along = axis.normalized();  // a thin rod, which has no inertia about its own axis
  EXPECT_EQ(factored({ball}, Mat3::Identity() - along * along.transpose(), {1, 0, 0, 0}), Status::singular);
}

// How long and heavy the rest of the tree is does not matter, and how it is turned but little: a chain whose moment of inertia
// across its axes is 10¹³ times that of a link about its own.
TEST(SpatialRelative, LongChainsAreRegular) {
  constexpr int kLinks = 30'000;
  std::vector<Vec> found;
  for (const Vec3& axis : {Vec3(0, 1, 0), Vec3(0, 0.6, 0.8)}) {
    std::vector<TreeBody<3>> bodies;
    std::vector<TreeJoint<3>> joints;
    SpanningTree spanning;
    Mat3 axes;  // z along the axis
    axes.col(2) = axis;
    axes.col(0) = Vec3::UnitX();
    axes.col(1) = axis.cross(Vec3::UnitX());
    for (int i = 0; i < kLinks; ++i) {
      bodies.push_back({"", 1, Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()});
      const int inboard = i == 0 ? kLinks : i - 1;
      const Vec3 at(i == 0 ? 0 : 0.5, 0, 0);
      joints.push_back({"", {{{inboard, at}, axes}, {{i, Vec3(-0.5, 0, 0)}, axes}}, {{ElementaryMotion{}}}});
      spanning.links.push_back({i, inboard, i, false});
    }
    const Tree<3> tree(spanning, joints, bodies);
    TreeWork<3> work = tree.make_work();
    std::vector<SpatialFrame<double>> frames(size_t(tree.slots()));
    Vec q(kLinks), r(kLinks), x(kLinks);
    for (int i = 0; i < kLinks; ++i) {
      q[i] = 0.01 * std::sin(0.7 * i);
      r[i] = std::cos(1.3 * i);
    }
    tree.place(q.data(), frames.data(), work);
    ArticulatedBodies<3> articulated(tree);
    ASSERT_EQ(articulated.factor(frames.data(), work), Status::ok);
    articulated.inboard(r.data(), x.data());
    articulated.outboard(x.data(), x.data());
    found.push_back(x);
  }
  EXPECT_LT(max_abs(found[1] - found[0]), 1e-5 * max_abs(found[0]));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
