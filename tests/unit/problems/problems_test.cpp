// Every problem of the library: its terms against each other, its start, its reference values; then the
// published figures of each one.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/math/jet.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

ProblemInstance make(const ProblemRecord& record) {
  return instantiate(record, Options(record.name, record.options, {}));
}

ProblemInstance make(std::string_view name) {
  const ProblemRecord* record = find_problem(name);
  if (record == nullptr) throw std::invalid_argument("no problem " + std::string(name));
  return make(*record);
}

void evaluate(const DescriptorSystem& system, const State& state, Terms& terms) {
  system.position(state.t, state.q, terms);
  system.mass(state.t, state.q, terms);
  system.bias(state.t, state.q, state.v, terms);
  system.force(state.t, state.q, state.v, terms);
}

// M v̇ + Jᵀλ = f, J v̇ = γ, dense with full pivoting.
Reaction react(const Terms& terms) {
  const Eigen::Index n = terms.M.rows(), m = terms.J.rows();
  Mat K = Mat::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = Mat(terms.M);
  K.bottomLeftCorner(m, n) = Mat(terms.J);
  K.topRightCorner(n, m) = Mat(terms.J).transpose();
  Vec right(n + m);
  right << terms.f, terms.gamma;
  const Vec x = K.fullPivLu().solve(right);
  return {x.head(n), x.tail(m)};
}

Vec random_vector(Eigen::Index size, double range, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-range, range);
  return Vec::NullaryExpr(size, [&] { return uniform(random); });
}

// Not on the constraints: the terms must be right everywhere.
State random_state(const DescriptorSystem& system, std::mt19937& random) {
  const Layout& layout = system.layout();
  State state;
  state.t = random_vector(1, 1, random)[0];
  state.q = random_vector(layout.nq, 3, random).cwiseProduct(layout.q_scale);
  state.v = random_vector(layout.nv, 5, random).cwiseProduct(layout.v_scale);
  return state;
}

// The state moved along the motion q̇ = T v by s.
State along(const DescriptorSystem& system, const State& state, double s) {
  State moved = state;
  moved.t += s;
  system.retract(moved.q, s * state.v);
  return moved;
}

constexpr double difference_step =
    1e-5;  // truncation and round-off of central differences are both near 1e-10

class EveryProblem : public ::testing::TestWithParam<std::string> {
 protected:
  const ProblemRecord& record = *find_problem(GetParam());
  ProblemInstance problem = make(record);
  const DescriptorSystem& system = *problem.system;
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  std::mt19937 random{20240229};

  bool has_energy() {  // all but test equations that are no mechanisms
    system.position(problem.start.t, problem.start.q, terms);
    return GetParam() != "prothero-robinson" ||
           system.potential_energy(problem.start.t, problem.start.q, terms).has_value();
  }
};

TEST_P(EveryProblem, HasASoundRecordAndLayout) {
  EXPECT_NO_THROW(check_layout(layout));
  EXPECT_FALSE(record.summary.empty());
  EXPECT_FALSE(record.reference.empty());
  EXPECT_GT(record.t_end, 0);
  EXPECT_GT(record.rtol, 0);
  EXPECT_FALSE(record.values.empty());
  EXPECT_EQ(problem.start.q.size(), layout.nq);
  EXPECT_EQ(problem.start.v.size(), layout.nv);
  EXPECT_EQ(system.quantity_names().size(), system.quantity_units().size());
  EXPECT_GT(layout.mass, 0);
}

TEST_P(EveryProblem, NamesEverythingOnce) {
  std::set<std::string> names;
  for (const auto& list : {layout.q_names, layout.v_names, system.quantity_names()})
    for (const std::string& name : list) EXPECT_TRUE(names.insert(name).second) << name << " is used twice";
  for (const ReferenceValue& value : record.values)
    EXPECT_TRUE(names.contains(value.name))
        << "no " << value.name << " for the reference value at " << value.t;
  const std::set<std::string> rows(layout.row_names.begin(), layout.row_names.end());
  EXPECT_EQ(rows.size(), layout.row_names.size());
}

TEST_P(EveryProblem, StartsOnTheConstraints) {
  evaluate(system, problem.start, terms);
  EXPECT_LT(max_abs(terms.g), 1e-14 * layout.length);
  Vec r(layout.m);
  velocity_residual(terms, problem.start.v, r);
  EXPECT_LT(max_abs(r), 1e-14 * layout.length);
  const Reaction reaction = react(terms);
  EXPECT_TRUE(reaction.vdot.allFinite() && reaction.lambda.allFinite());
}

TEST_P(EveryProblem, JacobianIsTheDerivativeOfTheResidual) {
  if (layout.mh == 0) return;
  for (int trial = 0; trial < 5; ++trial) {
    const State state = random_state(system, random);
    system.position(state.t, state.q, terms);
    const Mat J = Mat(terms.J).topRows(layout.mh);
    Mat differences(layout.mh, layout.nv);
    for (int j = 0; j < layout.nv; ++j) {
      const double step = difference_step * layout.v_scale[j];
      Vec plus = state.q, minus = state.q;
      system.retract(plus, step * Vec::Unit(layout.nv, j));
      system.retract(minus, -step * Vec::Unit(layout.nv, j));
      system.position(state.t, plus, terms);
      differences.col(j) = terms.g;
      system.position(state.t, minus, terms);
      differences.col(j) = (differences.col(j) - terms.g) / (2 * step);
    }
    EXPECT_LT((J - differences).cwiseAbs().maxCoeff(), 1e-7 * J.cwiseAbs().maxCoeff());
  }
}

TEST_P(EveryProblem, NuIsMinusTheTimeDerivativeOfTheResidual) {
  const State state = random_state(system, random);
  system.position(state.t + difference_step, state.q, terms);
  const Vec plus = terms.g;
  system.position(state.t - difference_step, state.q, terms);
  const Vec minus = terms.g;
  system.position(state.t, state.q, terms);
  EXPECT_LT(max_abs(terms.nu.head(layout.mh) + (plus - minus) / (2 * difference_step)), 1e-7 * layout.length);
}

TEST_P(EveryProblem, GammaIsTheChangeOfTheVelocityResidualAtConstantVelocity) {
  for (int trial = 0; trial < 5; ++trial) {
    const State state = random_state(system, random);
    Vec plus(layout.m), minus(layout.m);
    State moved = along(system, state, difference_step);
    system.position(moved.t, moved.q, terms);
    velocity_residual(terms, state.v, plus);
    moved = along(system, state, -difference_step);
    system.position(moved.t, moved.q, terms);
    velocity_residual(terms, state.v, minus);
    evaluate(system, state, terms);
    const Vec differences = -(plus - minus) / (2 * difference_step);
    const double rounding = 1e-15 * (max_abs(plus) + max_abs(terms.J.toDense() * state.v)) / difference_step;
    EXPECT_LE(max_abs(terms.gamma - differences), 1e-7 * max_abs(terms.gamma) + rounding);
  }
}

TEST_P(EveryProblem, MassMatrixIsSymmetricAndPositiveSemidefinite) {
  for (int trial = 0; trial < 20; ++trial) {
    const State state = random_state(system, random);
    evaluate(system, state, terms);
    const Mat M(terms.M);
    EXPECT_EQ((M - M.transpose()).cwiseAbs().maxCoeff(), 0);
    const Vec eigenvalues = Eigen::SelfAdjointEigenSolver<Mat>(M).eigenvalues();
    EXPECT_GE(eigenvalues[0], -1e-15 * eigenvalues[layout.nv - 1]);
  }
}

// For any q and v, on the constraints or not: vᵀf + ½ vᵀ Ṁ v + V̇ is the power that comes from outside.
TEST_P(EveryProblem, ForcesBalanceEnergy) {
  if (!has_energy()) GTEST_SKIP() << "a test equation: no energy is claimed";
  for (int trial = 0; trial < 5; ++trial) {
    const State state = random_state(system, random);
    std::array<double, 2> energy{};
    for (const int side : {0, 1}) {
      const State moved = along(system, state, side == 0 ? -difference_step : difference_step);
      evaluate(system, moved, terms);
      const std::optional<double> potential = system.potential_energy(moved.t, moved.q, terms);
      ASSERT_TRUE(potential.has_value());
      energy[static_cast<size_t>(side)] = system.kinetic_energy(state.v, terms) + *potential;
    }
    evaluate(system, state, terms);
    const double power = system.applied_power(state.t, state.q, state.v, terms);
    const double terms_size = terms.f.cwiseAbs().dot(state.v.cwiseAbs());
    EXPECT_NEAR(terms.f.dot(state.v) + (energy[1] - energy[0]) / (2 * difference_step), power,
                1e-7 * terms_size);
    EXPECT_TRUE(system.exchanges_energy() || power == 0);
  }
}

// At rest: f = −∇V plus what comes from outside, found from its power at a vanishing velocity along one
// coordinate.
TEST_P(EveryProblem, ForcesAtRestAreThePotentialsGradient) {
  if (!has_energy()) GTEST_SKIP() << "a test equation: no energy is claimed";
  State state = random_state(system, random);
  state.v.setZero();
  evaluate(system, state, terms);
  if (!terms.f.allFinite() || terms.f.isZero(0)) GTEST_SKIP() << "a test equation: no forces at rest";
  const Vec f = terms.f;
  const auto potential_at = [&](const Vec& q) {
    system.position(state.t, q, terms);
    return *system.potential_energy(state.t, q, terms);
  };
  for (int j = 0; j < layout.nv; ++j) {
    const Vec step = difference_step * Vec::Unit(layout.nv, j);
    Vec plus = state.q, minus = state.q;
    system.retract(plus, step);
    system.retract(minus, -step);
    const double slope = (potential_at(plus) - potential_at(minus)) / (2 * difference_step);
    system.position(state.t, state.q, terms);
    const auto power_at = [&](const Vec& v) {
      system.force(state.t, state.q, v, terms);
      return system.applied_power(state.t, state.q, v, terms);
    };
    // To and fro: what is even in the velocity (the change of a mass that depends on time) drops out.
    const double outside = (power_at(step) - power_at(-step)) / (2 * difference_step);
    EXPECT_NEAR(f[j], outside - slope, 1e-7 * max_abs(f)) << layout.q_names[static_cast<size_t>(j)];
  }
}

TEST_P(EveryProblem, DrawsWhatItNames) {
  std::vector<Pose> poses;
  system.poses(problem.start.t, problem.start.q, poses);
  ASSERT_EQ(poses.size(), system.body_names().size());
  for (const Pose& pose : poses) {
    EXPECT_TRUE(pose.position.allFinite());
    EXPECT_NEAR(pose.quaternion.norm(), 1, 1e-15);
  }
  Vec quantities = Vec::Constant(static_cast<Eigen::Index>(system.quantity_names().size()), NAN);
  evaluate(system, problem.start, terms);
  system.quantities(problem.start.t, problem.start.q, problem.start.v, react(terms), quantities);
  EXPECT_TRUE(quantities.allFinite());
}

// Where all coordinates and velocities are known at a time, they must lie on the constraints and, if nothing
// is exchanged with the outside, have the energy of the start.
TEST_P(EveryProblem, ReferenceStatesAreConsistent) {
  if (!has_energy()) GTEST_SKIP() << "a test equation: no energy is claimed";
  if (record.mechanism != nullptr)
    return;  // known by points, not by states: tests/validation/spatial_references_test.cpp
  std::map<double, std::map<std::string, double>> known;
  for (const ReferenceValue& value : record.values) known[value.t][value.name] = value.value;
  evaluate(system, problem.start, terms);
  const double start_energy = system.kinetic_energy(problem.start.v, terms) +
                              *system.potential_energy(problem.start.t, problem.start.q, terms);
  for (const auto& [t, values] : known) {
    const auto has = [&](const std::string& name) { return values.contains(name); };
    if (!std::all_of(layout.q_names.begin(), layout.q_names.end(), has) ||
        !std::all_of(layout.v_names.begin(), layout.v_names.end(), has))
      GTEST_SKIP() << "known by quantities, not by states";
    State state{t, Vec::Zero(layout.nq), Vec::Zero(layout.nv)};
    for (int i = 0; i < layout.nq; ++i) state.q[i] = values.at(layout.q_names[static_cast<size_t>(i)]);
    for (int i = 0; i < layout.nv; ++i) state.v[i] = values.at(layout.v_names[static_cast<size_t>(i)]);
    evaluate(system, state, terms);
    Vec r(layout.m);
    velocity_residual(terms, state.v, r);
    const double rounding = 1e-15 * (1 + max_abs(state.q));
    EXPECT_LT(max_abs(terms.g), rounding * layout.length) << "t = " << t;
    EXPECT_LT(max_abs(r), rounding * layout.length * (1 + max_abs(state.v))) << "t = " << t;
    if (system.exchanges_energy()) continue;
    const double potential = *system.potential_energy(t, state.q, terms),
                 kinetic = system.kinetic_energy(state.v, terms);
    EXPECT_NEAR(kinetic + potential, start_energy, 1e-13 * (kinetic + std::abs(potential))) << "t = " << t;
  }
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const ProblemRecord* record : problem_records()) names.push_back(record->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Library, EveryProblem, ::testing::ValuesIn(problem_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(ProblemRegistry, FindsByNameAndKnowsWhatIsMissing) {
  const std::vector<std::string> names = problem_names();
  EXPECT_THAT(names, ::testing::IsSupersetOf({"andrews", "circle-track", "double-pendulum"}));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const ProblemRecord* record : problem_records()) EXPECT_EQ(find_problem(record->name), record);
  EXPECT_EQ(find_problem("andrew"), nullptr);
  EXPECT_EQ(find_problem(""), nullptr);
}

// ------------------------------------------------------------------------------- γ by second-order jets
// g written a second time, from the drawings: γ = −d²/ds² g(q + s v).
using Line = Taylor2<double>;

std::vector<Line> andrews_loops(const std::vector<Line>& q) {
  const Line px = 0.007 * cos(q[0]) - 0.028 * cos(q[0] + q[1]),
             py = 0.007 * sin(q[0]) - 0.028 * sin(q[0] + q[1]);
  return {px - 0.035 * sin(q[2]) + 0.03635,
          py + 0.035 * cos(q[2]) - 0.03273,
          px - 0.04 * cos(q[4]) - 0.02 * sin(q[3] + q[4]) + 0.06934,
          py - 0.04 * sin(q[4]) + 0.02 * cos(q[3] + q[4]) + 0.00227,
          px - 0.02 * cos(q[5] + q[6]) - 0.04 * sin(q[6]) + 0.06934,
          py - 0.02 * sin(q[5] + q[6]) + 0.04 * cos(q[6]) + 0.00227};
}

std::vector<Line> track(const std::vector<Line>& q) { return {1.0 - q[0] * q[0] - q[1] * q[1]}; }

std::vector<Line> bars(const std::vector<Line>& q) {
  return {q[0] - sin(q[2]), q[1] + cos(q[2]), q[3] - q[0] - sin(q[5]), q[4] - q[1] + cos(q[5])};
}

TEST(Problems, ClosedFormsAgreeWithJets) {
  const std::map<std::string, std::vector<Line> (*)(const std::vector<Line>&)> residuals = {
      {"andrews", andrews_loops}, {"circle-track", track}, {"double-pendulum", bars}};
  std::mt19937 random(7);
  for (const auto& [name, residual] : residuals) {
    const ProblemInstance problem = make(name);
    Terms terms = problem.system->make_terms();
    for (int trial = 0; trial < 10; ++trial) {
      const State state = random_state(*problem.system, random);
      evaluate(*problem.system, state, terms);
      std::vector<Line> q;
      for (int i = 0; i < state.q.size(); ++i) q.emplace_back(state.q[i], state.v[i], 0.0);
      const std::vector<Line> g = residual(q);
      const Vec rates = terms.J * state.v;
      for (size_t i = 0; i < g.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        EXPECT_NEAR(terms.g[row], g[i].v, 1e-14) << name;
        EXPECT_NEAR(rates[row], g[i].d1, 1e-13) << name;
        EXPECT_NEAR(terms.gamma[row], -g[i].d2, 1e-14 * (1 + max_abs(terms.gamma))) << name;
      }
    }
  }
}

// ---------------------------------------------------------------------------------- published figures
Reaction reaction_at(const ProblemInstance& problem, const State& state) {
  Terms terms = problem.system->make_terms();
  evaluate(*problem.system, state, terms);
  return react(terms);
}

State reference_state(std::string_view name, double t) {
  const ProblemRecord& record = *find_problem(name);
  const ProblemInstance problem = make(record);
  const Layout& layout = problem.system->layout();
  State state{t, Vec::Constant(layout.nq, NAN), Vec::Constant(layout.nv, NAN)};
  for (const ReferenceValue& value : record.values) {
    if (value.t != t) continue;
    for (int i = 0; i < layout.nq; ++i)
      if (layout.q_names[static_cast<size_t>(i)] == value.name) state.q[i] = value.value;
    for (int i = 0; i < layout.nv; ++i)
      if (layout.v_names[static_cast<size_t>(i)] == value.name) state.v[i] = value.value;
  }
  return state;
}

void expect_close(const Vec& measured,
                  const std::vector<double>& published,
                  double relative,
                  double absolute = 0) {
  ASSERT_EQ(measured.size(), static_cast<Eigen::Index>(published.size()));
  for (size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(measured[static_cast<Eigen::Index>(i)], published[i],
                relative * std::abs(published[i]) + absolute);
}

TEST(Andrews, StartsWithThePublishedAccelerationsAndMultipliers) {
  const ProblemInstance andrews = make("andrews");
  const Reaction reaction = reaction_at(andrews, andrews.start);
  expect_close(reaction.vdot,
               {14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0, 0}, 1e-12,
               1e-8);
  expect_close(reaction.lambda,
               {98.5668703962410896057654982170, -6.12268834425566265503114393122, 0, 0, 0, 0}, 1e-12, 1e-10);
}

TEST(Andrews, HasTheReferenceAccelerationsAndMultipliersLater) {
  const Reaction reaction = reaction_at(make("andrews"), reference_state("andrews", 0.03));
  expect_close(reaction.vdot,
               {-24631.763122874636, 51850.31963646423, 324102.6007075786, 566749.4220009954,
                16743.635418345446, -566749.4220009954, 9826.507801544163},
               1e-9);
  expect_close(reaction.lambda,
               {199.17534810453864, -29.755309974971762, 23.06654361162215, 31.452725275771137,
                22.64249478639438, 11.617392352611256},
               1e-9);
}

TEST(Andrews, BodiesAsDrawnHaveTheKineticEnergyOfTheMassMatrix) {
  constexpr std::array<double, 7> mass = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  constexpr std::array<double, 7> inertia = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                             1.169e-5, 5.667e-7, 1.912e-5};
  const ProblemInstance andrews = make("andrews");
  Terms terms = andrews.system->make_terms();
  std::mt19937 random(11);
  for (int trial = 0; trial < 5; ++trial) {
    const State state = random_state(*andrews.system, random);
    std::vector<Pose> plus, minus;
    andrews.system->poses(0, along(*andrews.system, state, difference_step).q, plus);
    andrews.system->poses(0, along(*andrews.system, state, -difference_step).q, minus);
    double energy = 0;
    for (size_t i = 0; i < mass.size(); ++i) {
      const Vec3 velocity = (plus[i].position - minus[i].position) / (2 * difference_step);
      const auto angle = [](const Pose& pose) {
        return 2 * std::atan2(pose.quaternion[3], pose.quaternion[0]);
      };
      const double turned = std::remainder(angle(plus[i]) - angle(minus[i]), 2 * EIGEN_PI);
      const double omega = turned / (2 * difference_step);
      energy += 0.5 * mass[i] * velocity.squaredNorm() + 0.5 * inertia[i] * omega * omega;
    }
    evaluate(*andrews.system, state, terms);
    EXPECT_NEAR(andrews.system->kinetic_energy(state.v, terms), energy, 1e-8 * energy);
  }
}

TEST(CircleTrack, ExactMotionSolvesTheEquations) {
  const ProblemInstance track_problem = make("circle-track");
  for (const double t : {0.0, 0.3, 1.0, 2.0}) {
    const double s = std::sin(t * t), c = std::cos(t * t);
    const State state{t, Vec2(s, c), Vec2(2 * t * c, -2 * t * s)};
    const Reaction reaction = reaction_at(track_problem, state);
    EXPECT_NEAR(reaction.vdot[0], 2 * c - 4 * t * t * s, 1e-13);
    EXPECT_NEAR(reaction.vdot[1], -2 * s - 4 * t * t * c, 1e-13);
    EXPECT_NEAR(reaction.lambda[0], -4 * t * t, 1e-13);
    Vec quantities(2);
    track_problem.system->quantities(t, state.q, state.v, reaction, quantities);
    EXPECT_NEAR(quantities[1], 0, 1e-15);
  }
}

TEST(DoublePendulum, HasTheReferenceAccelerationsAndMultipliers) {
  const Reaction reaction = reaction_at(make("double-pendulum"), reference_state("double-pendulum", 1.0));
  expect_close(reaction.vdot,
               {19.02222367540633, -13.781954413130526, 22.84217160693426, 23.71663419776932,
                30.39675422964514, -18.31884906287755},
               1e-13);
  expect_close(reaction.lambda,
               {-42.738857873175654, -36.61479981651461, -23.71663419776932, -40.39675422964514}, 1e-13);
}

TEST(TwoArm, HasTheReferenceAccelerationsAndMultipliers) {
  const Reaction sliding =
      reaction_at(make("manipulator-parabola"), reference_state("manipulator-parabola", 1.0));
  expect_close(sliding.vdot, {10.362158461098197, -1.9169181258905033}, 1e-12);
  expect_close(sliding.lambda, {-57.24060868213027}, 1e-12);
  const Reaction led =
      reaction_at(make("manipulator-prescribed"), reference_state("manipulator-prescribed", 5.0));
  expect_close(led.vdot, {-73.63876734933143, -6.688334874593272}, 1e-11);
  expect_close(led.lambda, {-2205.2587184263575}, 1e-11);
}

TEST(NaturalDoublePendulum, HasTheReferenceAccelerationsAndMultipliers) {
  const Reaction later =
      reaction_at(make("natural-double-pendulum"), reference_state("natural-double-pendulum", 1.0));
  expect_close(later.lambda, {8.510521259175967, 2.7567664407448427}, 1e-13);
  const ProblemRecord& record = *find_problem("natural-double-pendulum");
  const ProblemInstance tilted =
      instantiate(record, Options(record.name, record.options,
                                  {{"theta1", "1"}, {"theta2", "1.6"}, {"omega1", "0"}, {"omega2", "0.5"}}));
  const Reaction start = reaction_at(tilted, tilted.start);
  expect_close(start.vdot, {-4.1005387406, -6.3862107099, -4.1952923126, -11.7043398568}, 0, 1e-10);
  expect_close(start.lambda, {3.2768579506, 1.0413709846}, 0, 1e-10);
}

TEST(LinearDae, ExactMotionSolvesTheEquations) {
  for (const char* name : {"stabilization-index2", "stabilization-index3"})
    for (const char* nu : {"1", "10", "1000"}) {
      const ProblemRecord& record = *find_problem(name);
      const ProblemInstance problem = instantiate(record, Options(name, record.options, {{"nu", nu}}));
      for (const double t : {0.0, 0.4, 1.0}) {
        const Reaction reaction =
            reaction_at(problem, {t, Vec2::Constant(std::exp(t)), Vec2::Constant(std::exp(t))});
        const double condition = 33 * std::stod(nu) * std::stod(nu);  // of M at t = 1
        const double rounding = 1e-13 + 2.2e-16 * condition;
        expect_close(reaction.vdot, {std::exp(t), std::exp(t)}, rounding);
        expect_close(reaction.lambda, {std::exp(t) / (2 - t)}, rounding);
      }
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
