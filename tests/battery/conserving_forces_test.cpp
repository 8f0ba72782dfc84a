// Energy-momentum forces: every element's discrete gradient against its energy, and whole runs that keep their energy.
#include <random>

#include <Eigen/Geometry>

#include "driftless/problems/flexible/conserving_elements.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/flexible_models.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// ---- elements -----------------------------------------------------------------------------------------------------------

template <int dim>
Vec random_nodes(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  Vec q(dim * count);
  for (int i = 0; i < q.size(); ++i) q[i] = (i % dim == 0 ? i / dim : 0) + shift(random);
  return q;
}

template <int dim, class Element>
void check_element(const Element& element, int nodes) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec q0 = random_nodes<dim>(nodes, random), q1 = random_nodes<dim>(nodes, random);
    const Vec middle = (q0 + q1) / 2;
    Vec P = Vec::Zero(q0.size()), gradient = P;
    element.add(q0, q1, P);
    const double V0 = element.energy(q0), V1 = element.energy(q1);
    EXPECT_NEAR(P.dot(q1 - q0), V1 - V0, 1e-13 * (V0 + V1 + P.norm()));
    Eigen::Matrix<double, dim, 1> resultant = Eigen::Matrix<double, dim, 1>::Zero();
    Mat moment = Mat::Zero(dim, dim);
    for (int i = 0; i < nodes; ++i) {
      const auto x = middle.segment<dim>(dim * i), p = P.segment<dim>(dim * i);
      resultant += p;
      moment += x * p.transpose() - p * x.transpose();
    }
    EXPECT_LT(resultant.norm(), 1e-14 * (1 + P.norm()));
    EXPECT_LT(moment.norm(), 1e-13 * (1 + P.norm()));
    element.add(q0, q0, gradient);  // ∂V/∂q
    for (int i = 0; i < q0.size(); ++i) {
      Vec ahead = q0, back = q0;
      ahead[i] += 1e-5;
      back[i] -= 1e-5;
      EXPECT_NEAR(gradient[i], (element.energy(ahead) - element.energy(back)) / 2e-5,
                  1e-6 * (1 + gradient.norm()));
    }
  }
}

TEST(ConservingElements, TrussHasADiscreteGradient) {
  check_element<2>(GreenTruss<2>(0, 1, 100, 0.9), 2);
  check_element<3>(GreenTruss<3>(0, 1, 100, 0.9), 2);
}
TEST(ConservingElements, SpringHasADiscreteGradient) {
  check_element<2>(AxialSpring<2>(0, 1, 1000, 0.8), 2);
  check_element<3>(AxialSpring<3>(0, 1, 1000, 0.8), 2);
}
TEST(ConservingElements, BendingHasADiscreteGradient) {
  check_element<2>(Bending<2>(0, 2, 1, 10), 3);
  check_element<3>(Bending<3>(0, 2, 1, 10), 3);
}

// ---- whole runs ---------------------------------------------------------------------------------------------------------

RunSetup conserving(double t_end, double h, const std::string& forces, int option = 2) {
  RunSetup setup = fixed(t_end, "gssss", h);
  setup.formulation = "index3";
  setup.options = {{"forces", forces}, {"constraint", std::to_string(option)}};
  return setup;
}

double energy_of(const DescriptorSystem& system, const State& state) {
  Terms terms = system.make_terms();
  system.position(state.t, state.q, terms);
  system.mass(state.t, state.q, terms);
  return system.kinetic_energy(state.v, terms) + *system.potential_energy(state.t, state.q, terms);
}

// Quartic potential and a quartic row: neither is conserved by the midpoint rule.
struct Quartic {
  static constexpr int nq = 3, rows = 1;
  static constexpr bool time_dependent = false;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    g[0] = q[0] * q[0] * q[0] * q[0] + 2.0 * q[1] * q[1] * q[1] * q[1] + q[2] * q[2] * q[2] * q[2] +
           q[0] * q[1] - 1.0;
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal() << 1, 2, 1.5; }
  void force(double, ConstVec q, ConstVec, VecRef f) const {
    f[0] = -4 * q[0] * q[0] * q[0] - 3 * q[1];
    f[1] = -8 * q[1] * q[1] * q[1] - 3 * q[0];
    f[2] = -2;
  }
  double potential(double, ConstVec q) const {
    return q[0] * q[0] * q[0] * q[0] + 2 * q[1] * q[1] * q[1] * q[1] + 3 * q[0] * q[1] + 2 * q[2];
  }
};

State quartic_start() {
  State start{0, Vec(3), Vec(3)};
  start.q << 1, 0, 0;
  start.v << 0, 0, 1.5;
  start.v[0] = -0.25 * start.v[1];  // J v = 0 with J = (4, 1, 0)
  return start;
}

TEST(ConservingForces, QuarticPotentialAndRowKeepTheirEnergy) {
  const auto system = make_system(Quartic{});
  const State start = quartic_start();
  const Results plain = simulate(*system, start, conserving(10, 0.02, "midpoint")),
                kept = simulate(*system, start, conserving(10, 0.02, "conserving"));
  ASSERT_TRUE(plain.good() && kept.good()) << kept.message;
  EXPECT_LT(kept.energy->max_relative_error * 4, 1e-12);
  EXPECT_GT(plain.energy->max_relative_error, 1e-5);
  EXPECT_LT(double(kept.statistics.newton_iterations), 4.1 * 500);  // the tangent is right
}

// With a damper and a constant force outside the potential: the energy changes by exactly their work in the middle of the
// steps, so the potential's share is told apart from theirs.
struct Driven : Quartic {
  static constexpr double damping = 0.3, push = 0.7;
  void force(double t, ConstVec q, ConstVec v, VecRef f) const {
    Quartic::force(t, q, v, f);
    f -= damping * v;
    f[1] += push;
  }
  double applied_power(double, ConstVec, ConstVec v) const { return push * v[1] - damping * v.squaredNorm(); }
};

TEST(ConservingForces, EnergyChangesByTheWorkOfOtherForcesOnly) {
  const auto system = make_system(Driven{});
  RunSetup setup = conserving(4, 0.02, "conserving");
  setup.record = true;
  const Results results = simulate(*system, quartic_start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Trajectory& trajectory = results.trajectory;
  State before = quartic_start();
  double work = 0;
  for (size_t i = 1; i < trajectory.size(); ++i) {
    State at{trajectory.t[i], Vec(3), Vec(3)};
    for (size_t k = 0; k < 3; ++k) {
      at.q[Eigen::Index(k)] = trajectory.q.at(i, k);
      at.v[Eigen::Index(k)] = trajectory.v.at(i, k);
    }
    const Vec step = at.q - before.q, v = (before.v + at.v) / 2;
    work += Driven::push * step[1] - Driven::damping * v.dot(step);
    EXPECT_NEAR(energy_of(*system, at) - energy_of(*system, quartic_start()), work, 1e-12);
    before = at;
  }
  EXPECT_GT(std::abs(work), 0.1);
}

TEST(ConservingForces, FourMassesKeepEnergyAndMomentum) {
  const auto four = problem("four-mass");
  const Vec mass = (Vec(12) << 1, 1, 1, 3, 3, 3, 2.3, 2.3, 2.3, 1.7, 1.7, 1.7).finished();
  for (int option = 2; option <= 4; ++option) {
    const Results results = simulate(*four.system, four.start, conserving(5, 0.01, "conserving", option));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(results.energy->max_relative_error, 1e-12);
    EXPECT_LT(double(results.statistics.newton_iterations), 3.05 * 500);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), linear0 = linear, angular0 = linear;
    for (int i = 0; i < 4; ++i) {
      const auto add = [&](const State& at, Vec3& p, Vec3& L) {
        const Vec3 x = at.q.segment<3>(3 * i), impulse = mass[3 * i] * at.v.segment<3>(3 * i);
        p += impulse;
        L += x.cross(impulse);
      };
      add(four.start, linear0, angular0);
      add(results.final, linear, angular);
    }
    EXPECT_LT((linear - linear0).norm(), 1e-11);
    EXPECT_LT((angular - angular0).norm(), 1e-11);
  }
  const Results plain = simulate(*four.system, four.start, conserving(5, 0.01, "midpoint"));
  EXPECT_GT(plain.energy->max_relative_error, 1e-8);
}

TEST(ConservingForces, ThinBeamKeepsItsEnergyAfterThePulse) {
  const auto beam = problem("thin-beam");
  for (const int option : {2, 3}) {
    RunSetup setup = conserving(3, 0.02, "conserving", option);
    setup.record = true;
    const Results results = simulate(*beam.system, beam.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    const Trajectory& trajectory = results.trajectory;
    double least = 1e9, most = -1e9;
    for (size_t i = 0; i < trajectory.size(); ++i) {
      if (trajectory.t[i] < 0.5) continue;
      State at{trajectory.t[i], Vec(10), Vec(10)};
      for (size_t k = 0; k < 10; ++k) {
        at.q[Eigen::Index(k)] = trajectory.q.at(i, k);
        at.v[Eigen::Index(k)] = trajectory.v.at(i, k);
      }
      const double energy = energy_of(*beam.system, at);
      least = std::min(least, energy);
      most = std::max(most, energy);
    }
    EXPECT_GT(least, 1);
    EXPECT_LT(most - least, 1e-11);
    EXPECT_LT(results.energy->max_relative_error,
              1e-11);  // the work of the pulse is counted as the scheme does it
    EXPECT_LT(double(results.statistics.newton_iterations), 4.2 * double(results.statistics.accepted));
  }
}

// Bodies with springs, gravity and a motor, generic discrete gradient: the midpoint rule loses 1e-6 and 1e-4.
TEST(ConservingForces, ModelsKeepTheirEnergyBalance) {
  const auto crank = assembled(model_file("slider-crank")), andrews = assembled(model_file("andrews-bodies"));
  for (const char* forces : {"midpoint", "conserving"}) {
    const Results a = simulate(crank.system(), crank.start(), conserving(1, 0.01, forces)),
                  b = simulate(andrews.system(), andrews.start(), conserving(0.02, 1e-4, forces));
    ASSERT_TRUE(a.good() && b.good()) << a.message << b.message;
    const bool kept = forces[0] == 'c';
    for (const Results* results : {&a, &b}) {
      EXPECT_EQ(results->energy->max_relative_error < 1e-12, kept) << results->energy->max_relative_error;
    }
  }
}

TEST(ConservingForces, HundredThousandStepsKeepTheEnergy_full) {
  const auto four = problem("four-mass");
  const Results results = simulate(*four.system, four.start, conserving(1000, 0.01, "conserving"));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_EQ(results.statistics.accepted, 100000);
  EXPECT_LT(results.energy->max_relative_error, 1e-10);
  const auto system = make_system(Quartic{});
  const Results quartic = simulate(*system, quartic_start(), conserving(2000, 0.02, "conserving"));
  ASSERT_TRUE(quartic.good()) << quartic.message;
  EXPECT_LT(quartic.energy->max_relative_error, 1e-10);
}

// A pinned chain of three soft bars with bending springs, and a pinned cable. Bars as soft as these are pressed to a few hundredths of
// their length now and then, where directions turn in a single step: with this speed once, at 19.788 s.
Model soft_chain(double speed) {
  Model model;
  model.name = "chain";
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  const auto at = [](int i) { return point("m" + std::to_string(i), "P"); };
  for (int i = 0; i < 4; ++i) {
    Body body;
    body.name = "m" + std::to_string(i);
    body.mass = 1 + 0.3 * i;
    body.point = true;
    body.points = {{"P", Vec3::Zero()}};
    body.position = Vec3(0.5 * i, 0.1 * (i % 2), 0);
    body.velocity = Vec3(0, i % 2 == 0 ? speed : -speed, 0);
    model.bodies.push_back(body);
  }
  for (int i = 0; i < 3; ++i)
    model.forces.push_back(element("bar" + std::to_string(i), "truss",
                                   {{"a", at(i)},
                                    {"b", at(i + 1)},
                                    {"stiffness", FieldValue(200.0)},
                                    {"free_length", FieldValue(0.5)}}));
  for (int i = 1; i < 3; ++i)
    model.forces.push_back(
        element("bend" + std::to_string(i), "bending",
                {{"a", at(i - 1)}, {"b", at(i + 1)}, {"center", at(i)}, {"stiffness", FieldValue(2.0)}}));
  model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", at(0)}})};
  return model;
}

TEST(ConservingForces, BarsPressedTogetherAreNoEndOfTheRun) {
  const AssembledModel chain = assembled(soft_chain(1.4));
  RunSetup setup = conserving(25, 2e-3, "conserving");
  setup.record = false;
  const Results results = simulate(chain.system(), chain.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_LT(results.energy->max_relative_error, 1e-12);
}

TEST(ConservingForces, HundredThousandStepsOfChainsAndCables_full) {
  const AssembledModel chain = assembled(soft_chain(1.5));
  const AssembledModel cable = assembled([] {
    Model model = flexible_problem("flexible-pendulum", {{"elements", "4"}});
    model.bodies[0].flexible->sections[0].EA = 1000;
    model.bodies[0].flexible->sections[0].EIy = model.bodies[0].flexible->sections[0].EIz = 0.05;
    return model;
  }());
  for (const AssembledModel* model : {&chain, &cable}) {
    RunSetup setup = conserving(200, 2e-3, "conserving");
    setup.record = false;
    const Results results = simulate(model->system(), model->start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_EQ(results.statistics.accepted, 100000);
    EXPECT_LT(results.energy->max_relative_error, 1e-12);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
