// User-supplied systems: J, ν, γ, L from every door against closed forms, to the accuracies stated.
#include "driftless/system/user_system.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/pencil_and_paper.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using pencil_and_paper::ClosedForm, pencil_and_paper::KnifeEdge, pencil_and_paper::Pendulum,
    pencil_and_paper::Top;

// What user_system.hpp promises, with terms of size one to four: the digit it states and some room.
constexpr double kRoundoff = 64 * std::numeric_limits<double>::epsilon();  // jets and given derivatives
constexpr double kFirst = 5e-12;   // (1), (2), (4), and (5) with J given
constexpr double kSecond = 5e-11;  // (3)
constexpr double kNested = 5e-9;   // (5) without J

// ---- doors ------------------------------------------------------------------------------------------------

enum Given { nothing = 0, jacobian = 1, time_derivative = 2, gamma = 4, everything = 7 };

// The plain door to the same equations, with some of the derivatives from the closed forms.
template <class E>
UserEquations plain(const E& e, int given) {
  UserEquations u;
  u.nq = E::nq;
  u.mass = [e](double t, ConstVec q, Mat& M) {
    if constexpr (requires { e.mass(t, q, M); })
      e.mass(t, q, M);
    else
      e.mass(t, q.data(), M.data());
  };
  u.force = [e](double t, ConstVec q, ConstVec v, VecRef f) {
    if constexpr (requires { e.force(t, q, v, f); })
      e.force(t, q, v, f);
    else
      e.force(t, q.data(), v.data(), f.data());
  };
  if constexpr (requires { E::nv; }) {
    u.nv = E::nv;
    u.kinematics = [e](double t, ConstVec q, ConstVec v, VecRef qdot) {
      e.kinematics(t, q.data(), v.data(), qdot.data());
    };
    u.retract = [e](VecRef q, ConstVec delta) { e.retract(q, delta); };
  }
  const int nv = u.nv == 0 ? u.nq : u.nv;
  if constexpr (requires { E::rows; }) {
    u.rows = E::rows;
    u.constraint = [e](double t, ConstVec q, VecRef g) { e.constraint(t, q.data(), g.data()); };
    const auto at_rest = [e, nv](double t, ConstVec q) { return e.closed_form({t, q, Vec::Zero(nv)}); };
    if (given & jacobian)
      u.jacobian = [=](double t, ConstVec q, Mat& J) { J = at_rest(t, q).J.topRows(E::rows); };
    if (given & time_derivative)
      u.time_derivative = [=](double t, ConstVec q, VecRef g_t) { g_t = -at_rest(t, q).nu.head(E::rows); };
    if (given & gamma)
      u.gamma = [e](double t, ConstVec q, ConstVec v, VecRef out) {
        out = e.closed_form({t, q, v}).gamma.head(E::rows);
      };
  }
  if constexpr (requires { E::nonholonomic_rows; }) {
    u.nonholonomic_rows = E::nonholonomic_rows;
    u.nonholonomic = [e](double t, ConstVec q, Mat& A, VecRef b) {
      EXPECT_TRUE(A.isZero(0) && b.isZero(0));
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_major = A;
      e.nonholonomic(t, q.data(), row_major.data(), b.data());
      A = row_major;
    };
    if (given & gamma)
      u.nonholonomic_gamma = [e](double t, ConstVec q, ConstVec v, VecRef out) {
        out = e.closed_form({t, q, v}).gamma.tail(E::nonholonomic_rows);
      };
  }
  if constexpr (requires { E::time_dependent; }) u.time_dependent = E::time_dependent;
  return u;
}

struct Errors {
  double J = 0, nu = 0, gamma = 0, L = 0;
};

// Largest errors over random states, relative to max(1, size of the term).
template <class E>
Errors errors_of(const DescriptorSystem& system, const E& e, double reach = 2, double speed = 2) {
  const Layout& l = system.layout();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  Terms terms = system.make_terms();
  Tangents tangents = system.make_tangents({.velocity = true});
  const Vec a = Vec::Zero(l.nv), lambda = Vec::Zero(l.m);
  Errors worst;
  const auto note = [](double& largest, const Mat& ours, const Mat& exact) {
    largest =
        std::max(largest, (ours - exact).cwiseAbs().maxCoeff() / std::max(1.0, exact.cwiseAbs().maxCoeff()));
  };
  for (int trial = 0; trial < 50; ++trial) {
    State s{2 * any(random), Vec(l.nq), Vec(l.nv)};
    for (double& x : s.q) x = reach * any(random);
    for (double& x : s.v) x = speed * any(random);
    if constexpr (E::nq == 7) s.q.tail<4>().normalize();
    const ClosedForm exact = e.closed_form(s);
    system.position(s.t, s.q, terms);
    system.bias(s.t, s.q, s.v, terms);
    note(worst.J, Mat(terms.J), exact.J);
    note(worst.nu, terms.nu, exact.nu);
    note(worst.gamma, terms.gamma, exact.gamma);
    system.tangents(s.t, s.q, s.v, a, lambda, terms, tangents);
    note(worst.L, Mat(tangents.L), exact.L);
  }
  if (std::getenv("DRIFTLESS_PRINT_ERRORS"))
    std::printf("  J %.1e  nu %.1e  gamma %.1e  L %.1e\n", worst.J, worst.nu, worst.gamma, worst.L);
  return worst;
}

void expect_below(const Errors& errors, const Errors& bounds) {
  EXPECT_LT(errors.J, bounds.J);
  EXPECT_LT(errors.nu, bounds.nu);
  EXPECT_LT(errors.gamma, bounds.gamma);
  EXPECT_LT(errors.L, bounds.L);
}

const Pendulum kPendulum, kShaken{1.3, 0.4, 7};
const KnifeEdge kKnifeEdge;
const Top kTop;

// ---- derivatives ------------------------------------------------------------------------------------------

TEST(JetSystem, DerivativesAreExact) {
  const Errors exact{kRoundoff, kRoundoff, kRoundoff, kRoundoff};
  expect_below(errors_of(JetSystem(kPendulum), kPendulum), exact);
  expect_below(errors_of(JetSystem(kShaken), kShaken), exact);
  expect_below(errors_of(*make_system(kKnifeEdge), kKnifeEdge), exact);
  expect_below(errors_of(*make_system(kTop), kTop), exact);
}

TEST(UserSystem, GivenDerivativesArePassedOn) {
  const Errors exact{kRoundoff, kRoundoff, kRoundoff, kFirst};
  expect_below(errors_of(*make_system(plain(kPendulum, everything)), kPendulum), exact);
  expect_below(errors_of(*make_system(plain(kShaken, everything)), kShaken), exact);
  expect_below(errors_of(*make_system(plain(kKnifeEdge, everything)), kKnifeEdge), exact);
  expect_below(errors_of(*make_system(plain(kTop, everything)), kTop), exact);
}

TEST(UserSystem, MissingDerivativesAreFoundToTheStatedAccuracy) {
  const Errors stated{kFirst, kFirst, kSecond, kNested};
  expect_below(errors_of(*make_system(plain(kPendulum, nothing)), kPendulum), stated);
  expect_below(errors_of(*make_system(plain(kShaken, nothing)), kShaken), stated);
  expect_below(errors_of(*make_system(plain(kKnifeEdge, nothing)), kKnifeEdge),
               {kRoundoff, kRoundoff, kFirst, kFirst});
  expect_below(errors_of(*make_system(plain(kTop, nothing)), kTop), stated);
  expect_below(errors_of(*make_system(plain(kPendulum, nothing)), kPendulum, 2, 100), stated);
}

TEST(UserSystem, AGivenJacobianMakesGammaAFirstDifference) {
  const Errors stated{kRoundoff, kRoundoff, kFirst, kFirst};
  UserEquations still = plain(kPendulum, jacobian);
  still.time_dependent = false;
  expect_below(errors_of(*make_system(still), kPendulum), stated);
  expect_below(errors_of(*make_system(plain(kShaken, jacobian | time_derivative)), kShaken), stated);
  expect_below(errors_of(*make_system(plain(kTop, jacobian)), kTop), stated);
}

// Scales left at one where they are not: the steps find themselves.
TEST(UserSystem, FastDriversAndForeignUnitsCostDigitsButNotAll) {
  const Pendulum fast{1.3, 0.05, 200}, hertz64{1.3, 0.05, 2 * M_PI * 64}, tall{400, 0, 0};
  for (const Pendulum& e : {fast, hertz64}) {
    expect_below(errors_of(*make_system(plain(e, nothing)), e), {kFirst, 1e-10, 1e-8, 1e-7});
    expect_below(errors_of(*make_system(plain(e, jacobian | time_derivative)), e),
                 {kRoundoff, kRoundoff, 1e-9, 1e-9});
  }
  expect_below(errors_of(*make_system(plain(tall, nothing)), tall, 400),
               {1e-9, 1e-9, 1e-8, 1e-6});  // terms of 400

  // |r| − l of a millimetre: the first step reaches beyond the singular point.
  UserEquations small;
  small.nq = 2;
  small.rows = 1;
  small.mass = [](double, ConstVec, Mat& M) { M.setIdentity(); };
  small.force = [](double, ConstVec, ConstVec, VecRef) {};
  small.constraint = [](double, ConstVec q, VecRef g) { g[0] = q.norm() - 1e-3; };
  const auto system = make_system(small);
  Terms terms = system->make_terms();
  const Vec q = Vec2(0.6e-3, 0.8e-3), v = Vec2(-0.8e-3, 0.6e-3);  // across
  system->position(0, q, terms);
  system->bias(0, q, v, terms);
  EXPECT_NEAR(terms.J.coeff(0, 0), 0.6, 1e-9);
  EXPECT_NEAR(terms.J.coeff(0, 1), 0.8, 1e-9);
  EXPECT_NEAR(terms.gamma[0], -1e-3, 1e-9);
}

TEST(UserSystem, RestIsExact) {
  UserEquations still = plain(kPendulum, nothing);
  still.time_dependent = false;
  const auto system = make_system(still);
  Terms terms = system->make_terms();
  system->position(0, Vec2(1, 2), terms);
  system->bias(0, Vec2(1, 2), Vec2(0, 0), terms);
  EXPECT_TRUE(terms.nu[0] == 0 && terms.gamma[0] == 0);
}

// ---- the other terms --------------------------------------------------------------------------------------

TEST(UserSystem, BothDoorsFillMassForceAndKinematicsAlike) {
  const auto jets = make_system(kTop), callbacks = make_system(plain(kTop, nothing));
  Terms a = jets->make_terms(), b = callbacks->make_terms();
  Vec q(7), v(6), delta(6);
  q << 0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5;
  v << 1, 2, 3, 4, 5, 6;
  delta << 0.1, 0, 0, 0.02, -0.01, 0.03;
  for (const auto& [system, terms] : {std::pair(jets.get(), &a), std::pair(callbacks.get(), &b)}) {
    system->mass(0, q, *terms);
    system->force(0, q, v, *terms);
    EXPECT_EQ(terms->M.coeff(5, 5), 0.3);
    EXPECT_EQ(terms->f[2], -9.81 * 2);
    EXPECT_DOUBLE_EQ(system->kinetic_energy(v, *terms), 0.5 * (2 * 14 + 0.3 * 77));
    Vec qdot(7), moved = q;
    system->kinematics(0, q, v, qdot);
    EXPECT_NEAR(qdot.tail<4>().dot(q.tail<4>()), 0, kRoundoff);
    system->retract(moved, delta);
    EXPECT_NEAR(moved.tail<4>().norm(), 1, kRoundoff);
  }
}

TEST(UserSystem, EnergyNamesPosesAndQuantitiesReachTheSystem) {
  UserEquations e = plain(kPendulum, nothing);
  e.time_dependent = false;
  e.potential = [](double, ConstVec q) { return 2 * 9.81 * q[1]; };
  e.description.q_names = {"bob.x", "bob.y"};
  e.description.row_names = {"rod"};
  e.description.length = 1.3;
  e.body_names = {"bob"};
  e.poses = [](double, ConstVec q, std::vector<Pose>& out) { out[0].position << q[0], q[1], 0; };
  e.quantity_names = {"angle"};
  e.quantities = [](double, ConstVec q, ConstVec, const Reaction&, VecRef out) {
    out[0] = std::atan2(q[0], -q[1]);
  };
  e.break_times = {0.5, 1, 2};
  const auto system = make_system(e);
  Terms terms = system->make_terms();
  const Layout& layout = system->layout();
  EXPECT_TRUE(layout.q_names[1] == "bob.y" && layout.v_names[1] == "v2" && layout.row_names[0] == "rod");
  EXPECT_EQ(system->potential_energy(0, Vec2(0, -1), terms), -2 * 9.81);
  EXPECT_FALSE(system->exchanges_energy());
  std::vector<Pose> poses;
  system->poses(0, Vec2(3, 4), poses);
  EXPECT_EQ(poses.at(0).position, Vec3(3, 4, 0));
  Vec out(1);
  system->quantities(0, Vec2(1, -1), Vec2(0, 0), {}, out);
  EXPECT_DOUBLE_EQ(out[0], M_PI / 4);
  EXPECT_EQ(system->quantity_units().size(), 1u);
  Observer observer(*system);  // terms of its own, for record after record
  system->position(0, Vec2(1, -1), observer.terms);
  out[0] = 0;
  observer.quantities(0, Vec2(1, -1), Vec2(0, 0), {}, out);
  EXPECT_DOUBLE_EQ(out[0], M_PI / 4);
  observer.poses(0, Vec2(1, -1), poses);
  EXPECT_EQ(poses.at(0).position, Vec3(1, -1, 0));
  std::vector<JointReaction> reactions(2);
  observer.reactions(0, Vec2(1, -1), Vec2(0, 0), {}, reactions);
  EXPECT_TRUE(reactions.empty() && system->joint_names().empty());
  EXPECT_EQ(system->observables().quantity_names(), system->quantity_names());
  EXPECT_EQ(system->break_times(0.5, 2), std::vector<double>{1});

  const auto jets = make_system(kPendulum);
  Terms jet_terms = jets->make_terms();
  EXPECT_EQ(jets->potential_energy(0, Vec2(0, -1), jet_terms), -2 * 9.81);
  EXPECT_TRUE(jets->exchanges_energy());  // the support may move
  EXPECT_DOUBLE_EQ(make_system(kKnifeEdge)->applied_power(0, Vec3(0, 0, 0), Vec3(1, 2, 2), jet_terms), -0.9);
  EXPECT_EQ(jets->caution(1e-12), "");
}

TEST(UserSystem, SystemsWithoutRowsAreOrdinaryEquationsOfMotion) {
  UserEquations e;
  e.nq = 1;
  e.mass = [](double, ConstVec, Mat& M) { M(0, 0) = 2; };
  e.force = [](double, ConstVec q, ConstVec, VecRef f) { f = -q; };
  const auto system = make_system(e);
  Terms terms = system->make_terms();
  const Vec one = Vec::Ones(1);
  system->position(0, one, terms);
  system->bias(0, one, one, terms);
  system->force(0, one, one, terms);
  EXPECT_EQ(terms.f[0], -1);
  EXPECT_FALSE(system->exchanges_energy());
  EXPECT_EQ(system->caution(1e-12), "");
}

// ---- sparsity ---------------------------------------------------------------------------------------------

TEST(UserSystem, GivenPatternsAreKeptAndGuarded) {
  UserEquations e = plain(kKnifeEdge, nothing);
  e.description.M.resize(3, 3);
  for (int i = 0; i < 3; ++i) e.description.M.insert(i, i) = 0;
  e.description.M.makeCompressed();
  const auto system = make_system(e);
  Terms terms = system->make_terms();
  system->mass(0, Vec3(0, 0, 0), terms);
  EXPECT_TRUE(terms.M.nonZeros() == 3 && terms.M.coeff(2, 2) == 0.2);

  e.mass = [](double, ConstVec, Mat& M) { M.setOnes(); };
  EXPECT_THROW(make_system(e)->mass(0, Vec3(0, 0, 0), terms), std::invalid_argument);
}

// ---- what the user is told --------------------------------------------------------------------------------

TEST(UserSystem, CautionNamesWhatIsDifferencedAndWhatToDo) {
  const auto text = [](int given, double rtol) { return make_system(plain(kShaken, given))->caution(rtol); };
  EXPECT_EQ(text(nothing, 1e-6), "");
  EXPECT_EQ(text(nothing, 1e-7), "");
  EXPECT_EQ(text(everything, 1e-12), "");
  EXPECT_NE(
      text(nothing, 1e-9).find("rtol = 1e-09, but jacobian, time_derivative, gamma of the equations are"),
      std::string::npos);
  EXPECT_NE(text(jacobian | time_derivative, 1e-9).find("but gamma of the equations is"), std::string::npos);
  EXPECT_NE(text(nothing, 1e-9).find("jet_system.hpp"), std::string::npos);
  EXPECT_NE(make_system(plain(kKnifeEdge, nothing))->caution(1e-9).find("nonholonomic_gamma"),
            std::string::npos);
}

std::string complaint(const UserEquations& e) {
  try {
    make_system(e);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(UserSystem, MistakesAreNamedAllAtOnce) {
  const std::string empty = complaint({});
  EXPECT_NE(empty.find("nq = 0: must be > 0"), std::string::npos);
  EXPECT_NE(empty.find("mass is missing"), std::string::npos);
  EXPECT_NE(empty.find("force is missing"), std::string::npos);

  const auto spoiled = [](const std::function<void(UserEquations&)>& spoil) {
    UserEquations e = plain(kPendulum, nothing);
    spoil(e);
    return complaint(e);
  };
  const std::pair<std::function<void(UserEquations&)>, const char*> cases[] = {
      {[](UserEquations& e) { e.constraint = nullptr; }, "constraint is missing, but rows = 1"},
      {[](UserEquations& e) { e.rows = 0; }, "constraint is given, but rows = 0"},
      {[](UserEquations& e) { e.rows = -1; }, "rows = -1: must be >= 0"},
      {[](UserEquations& e) { e.nonholonomic_rows = 1; }, "nonholonomic is missing"},
      {[](UserEquations& e) { e.nv = 1; }, "need kinematics"},
      {[](UserEquations& e) { e.retract = [](VecRef, ConstVec) {}; }, "go together"},
      {[](UserEquations& e) { e.time_scale = 0; }, "time_scale = 0"},
      {[](UserEquations& e) { e.body_names = {"bob"}; }, "body_names and poses go together"},
      {[](UserEquations& e) { e.quantity_names = {"angle"}; }, "quantity_names and quantities go together"},
      {[](UserEquations& e) {
         e.break_times = {2, 1};
       },
       "break_times must be in order"},
      {[](UserEquations& e) {
         e.description.row_names = {"a", "b"};
       },
       "one name and unit per row"},
      {[](UserEquations& e) { e.description.q_scale = Vec2(1, 0); }, "scales must be > 0"},
  };
  for (const auto& [spoil, expected] : cases)
    EXPECT_NE(spoiled(spoil).find(expected), std::string::npos) << expected << "\n" << spoiled(spoil);
}

struct Sized {  // sizes known at run time only
  int nq = 2, rows = 1;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    for (int i = 0; i < rows; ++i) g[i] = q[i] * q[nq - 1];
  }
  void mass(double, ConstVec, Mat& M) const { M.setIdentity(); }
  void force(double, ConstVec, ConstVec, VecRef) const {}
};

TEST(JetSystem, SizesMayBeChosenAtRunTime) {
  EXPECT_THROW(JetSystem(Sized{0, 0}), std::invalid_argument);
  EXPECT_THROW(JetSystem(Sized{2, -1}), std::invalid_argument);
  const JetSystem system(Sized{11, 4});  // three chunks
  Terms terms = system.make_terms();
  Vec q = Vec::LinSpaced(11, 1, 11);
  system.position(0, q, terms);
  system.bias(0, q, Vec::Ones(11), terms);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(terms.g[i], 11 * (i + 1));
    EXPECT_EQ(terms.J.coeff(i, i), 11);
    EXPECT_EQ(terms.J.coeff(i, 10), i + 1);
    EXPECT_EQ(terms.J.row(i).sum(), 11 + i + 1);
    EXPECT_EQ(terms.gamma[i], -2);
  }
}

TEST(UserSystem, AMatrixOfAnotherSizeIsRefused) {
  UserEquations e = plain(kPendulum, nothing);
  e.jacobian = [](double, ConstVec, Mat& J) { J = Mat::Zero(2, 2); };
  const auto system = make_system(e);
  Terms terms = system->make_terms();
  EXPECT_THROW(system->position(0, Vec2(1, 0), terms), std::invalid_argument);
  struct Wrong : Sized {
    void mass(double, ConstVec, Mat& M) const { M = Mat::Identity(1, 1); }
  };
  const JetSystem wrong(Wrong{});
  Terms wrong_terms = wrong.make_terms();
  EXPECT_THROW(wrong.mass(0, Vec2(1, 0), wrong_terms), std::invalid_argument);
}

TEST(CheckDerivatives, FindsAWrongSign) {
  const State state{0.3, Vec2(0.5, -1.1), Vec2(0.2, 0.7)};
  const DerivativeCheck good = check_derivatives(*make_system(plain(kShaken, everything)), state);
  EXPECT_LT(std::max({good.J, good.nu, good.gamma}), 1e-10);
  UserEquations e = plain(kShaken, everything);
  e.jacobian = [](double t, ConstVec q, Mat& J) {
    J = kShaken.closed_form({t, q, q}).J;
    J(0, 1) *= -1;
  };
  e.time_derivative = [](double t, ConstVec q, VecRef g_t) { g_t = kShaken.closed_form({t, q, q}).nu; };
  const DerivativeCheck bad = check_derivatives(*make_system(e), state);
  EXPECT_TRUE(bad.J > 0.1 && bad.J_entry == "row1 by v2") << bad.J << " at " << bad.J_entry;
  EXPECT_TRUE(bad.nu > 0.1 && bad.nu_row == "row1") << bad.nu << " at " << bad.nu_row;
}

// ---- threads ----------------------------------------------------------------------------------------------

TEST(UserSystem, OneSystemServesSeveralThreads) {
  const std::unique_ptr<DescriptorSystem> systems[] = {make_system(kTop), make_system(plain(kTop, nothing))};
  for (const auto& system : systems) {
    const auto worker = [&system](double x, Vec& result) {
      Terms terms = system->make_terms();
      Vec q(7), v = Vec::Constant(6, x);
      for (int i = 0; i < 200; ++i) {
        q << x, 1, 2, Eigen::Vector4d(1, x, -x, i).normalized();
        system->position(0, q, terms);
        system->bias(0, q, v, terms);
        result += terms.gamma + terms.J * v;
      }
    };
    Vec alone[4], together[4];
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) {
      alone[k] = together[k] = Vec::Zero(4);
      worker(0.1 * k, alone[k]);
    }
    for (int k = 0; k < 4; ++k) threads.emplace_back(worker, 0.1 * k, std::ref(together[k]));
    for (std::thread& thread : threads) thread.join();
    for (int k = 0; k < 4; ++k) EXPECT_EQ(alone[k], together[k]);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
