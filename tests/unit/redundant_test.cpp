// Redundant constraints are solved, not refused: same motion, the smallest multipliers, whatever the rows' scales, with
// every formulation and stabilization; choices that go bad on the way are changed; what is not redundant any more shows.
#include <cmath>

#include <Eigen/SVD>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/stabilization/stabilization.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::unique_ptr<OdeForm> make_form(const std::string& name, const DescriptorSystem& system) {
  for (const auto* record : formulation_records())
    if (record->method.name == name) return record->make(system, Options(name, record->method.options, {}));
  return nullptr;
}

Reaction react(const DescriptorSystem& system, const State& state) {
  const auto form = make_form("lagrange", system);
  form->drop_rows(find_redundancy(system, state).rows);
  Reaction reaction;
  EXPECT_EQ(form->react(state, reaction), Status::ok);
  return reaction;
}

// The smallest λ with Jᵀλ = f − M v̇, by the pseudo-inverse.
Vec smallest_lambda(const DescriptorSystem& system, const State& state, const Vec& vdot) {
  Terms terms = system.make_terms();
  system.evaluate(state.t, state.q, state.v, terms);
  const Mat Jt = Mat(terms.J).transpose();
  return Jt.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV)
      .setThreshold(1e-9)
      .solve(terms.f - terms.M * vdot);
}

TEST(Redundant, SliderCrankHasThePublishedReactions) {
  const auto plain = make_system(SliderCrank{});
  const Reaction reaction = react(*plain, SliderCrank::at(0.7, 2));
  EXPECT_NEAR(reaction.vdot[2], -6.6539393238, 1e-9);
  const double lambda[] = {-6.75411882, -9.14395671, -6.14051049,  -3.16699883,
                           -2.45664692, 8.78691691,  -18.59691691, 0};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(reaction.lambda[i], lambda[i], 1e-7);
}

TEST(Redundant, AccelerationsAreTheSameAndMultipliersTheSmallest) {
  const auto plain = make_system(SliderCrank{});
  for (const double scale : {1.0, 1e4, 1e-4})
    for (const double phi : {0.7, -1.2, 2.9}) {
      const State state = SliderCrank::at(phi, 2);
      const auto system = make_system(SliderCrank{.redundant = true, .row_scale = {scale, 1 / scale}});
      EXPECT_EQ(find_redundancy(*system, state).rows.size(), 2u);
      const Reaction expected = react(*plain, state), found = react(*system, state);
      EXPECT_LT(max_abs(found.vdot - expected.vdot), 1e-12 * max_abs(expected.vdot));
      const Vec lambda = smallest_lambda(*system, state, expected.vdot);
      EXPECT_LT(max_abs(found.lambda - lambda), 1e-10 * max_abs(lambda)) << scale << " " << phi;
    }
}

TEST(Redundant, RunsAgreeWithTheRowsSaidOnce) {
  const auto plain = make_system(SliderCrank{}), twice = make_system(SliderCrank{.redundant = true});
  const State start = SliderCrank::at(0.4, 3);
  for (const auto* formulation : formulation_records())
    for (const auto* stabilization : stabilization_records()) {
      // Every stabilization with lagrange, the others with their own.
      const std::string& name = formulation->method.name;
      if (name != "lagrange" && stabilization->method.name != formulation->default_stabilization) continue;
      const bool ode = formulation->kind == FormKind::ode;
      RunSetup setup = figures_only(2);
      setup.rtol = 1e-8;
      if (!ode) setup.step = 1e-3;
      setup.formulation = formulation->method.name;
      setup.stabilization = stabilization->method.name;
      SCOPED_TRACE(setup.formulation + " " + setup.stabilization);
      const Results once = simulate(*plain, start, setup), results = simulate(*twice, start, setup);
      ASSERT_TRUE(once.good() && results.good()) << results.message;
      EXPECT_LT(max_difference(once.final.q, results.final.q), 1e-6);
      EXPECT_LT(max_difference(once.final.v, results.final.v), 1e-6);
      EXPECT_LT(results.energy->max_relative_error, ode ? 1e-6 : 1e-3);
      EXPECT_TRUE(once.redundant_rows.empty());
      EXPECT_EQ(results.redundant_rows.size(), 2u);
      ASSERT_GE(results.notices.size(), 1u);
      EXPECT_NE(results.notices[0].find("minimum-norm"), std::string::npos) << results.notices[0];
      if (setup.stabilization == "pstab") {
        EXPECT_NEAR(results.final.q[2], -1.3159331177, 1e-6);
        EXPECT_NEAR(results.final.v[2], -3.8327426843, 1e-6);
        EXPECT_LT(results.drift.position_max, 1e-12);  // of all rows, dropped ones too
      }
    }
}

TEST(Redundant, OutputCarriesTheSmallestMultipliers) {
  const auto twice = make_system(SliderCrank{.redundant = true});
  RunSetup setup;
  setup.t_end = 0.5;
  setup.output_step = 0.1;
  const Results results = simulate(*twice, SliderCrank::at(0.4, 3), setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Trajectory& tr = results.trajectory;
  const auto row = [&](const Table& table, size_t i) -> Vec {
    return Eigen::Map<const Vec>(table.data.data() + i * table.columns(), Eigen::Index(table.columns()));
  };
  for (size_t i = 0; i < tr.size(); ++i) {
    const State state{tr.t[i], row(tr.q, i), row(tr.v, i)};
    const Vec lambda = smallest_lambda(*twice, state, row(tr.vdot, i));
    EXPECT_LT(max_abs(row(tr.lambda, i) - lambda), 1e-9 * max_abs(lambda));
  }
  EXPECT_LT(max_abs(results.final_reaction.lambda - row(tr.lambda, tr.size() - 1)), 1e-12);
}

TEST(Redundant, ContinuedRunIsTheUninterruptedOne) {
  const auto twice = make_system(SliderCrank{.redundant = true});
  const State start = SliderCrank::at(0.4, 3);
  const Results whole = simulate(*twice, start, figures_only(1));
  const Results first = simulate(*twice, start, figures_only(0.41));
  ASSERT_TRUE(first.checkpoint);
  EXPECT_EQ(first.checkpoint->dropped_rows.size(), 2u);
  RunSetup setup = figures_only(1);
  setup.checkpoint = first.checkpoint;
  const Results second = simulate(*twice, first.final, setup);
  EXPECT_EQ(whole.final.q, second.final.q);
  EXPECT_EQ(whole.redundant_rows, second.redundant_rows);
}

// Rows that move, said twice: the power −λᵀν does not depend on which of them is dropped.
struct DrivenPoint {
  static constexpr int nq = 2, rows = 3;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::sin;
    g[0] = q[0] - 0.2 * sin(3.0 * t);
    g[1] = 5.0 * g[0];
    g[2] = q[1] - 0.5 * q[0];
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().setConstant(2.0); }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[1] = -2.0 * 9.81; }
  double potential(double, ConstVec q) const { return 2.0 * 9.81 * q[1]; }
};

TEST(Redundant, EnergyBalanceOfDriversSaidTwiceWithMoreRowsThanVelocities) {
  const auto system = make_system(DrivenPoint{});
  State start{0, Vec::Zero(2), Vec(2)};
  start.v << 0.6, 0.3;
  RunSetup setup = figures_only(2);
  setup.rtol = 1e-9;
  const Results results = simulate(*system, start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_EQ(results.redundant_rows.size(), 1u);
  EXPECT_NEAR(results.final.q[0], 0.2 * std::sin(6.0), 1e-9);
  ASSERT_TRUE(results.energy);
  EXPECT_LT(results.energy->max_relative_error, 1e-7);
}

// A parallelogram of three cranks and one coupler pinned to all three: one crank more than needed.
struct Parallelogram {
  static constexpr int nq = 12, rows = 12;  // four bodies, six pins
  static constexpr bool time_dependent = false;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    using std::cos, std::sin;
    for (int i = 0; i < 3;
         ++i) {  // cranks of length 1 from (2 i, 0); coupler pins at 2 i − 2 from its middle
      const S *crank = q + 3 * i, *coupler = q + 9;
      const S c = cos(crank[2]), s = sin(crank[2]);
      const double at = 2.0 * i - 2.0;
      g[4 * i] = crank[0] - 2.0 * i - 0.5 * c;
      g[4 * i + 1] = crank[1] - 0.5 * s;
      g[4 * i + 2] = coupler[0] + at * cos(coupler[2]) - crank[0] - 0.5 * c;
      g[4 * i + 3] = coupler[1] + at * sin(coupler[2]) - crank[1] - 0.5 * s;
    }
  }
  void mass(double, ConstVec, Mat& M) const {
    for (int i = 0; i < 4; ++i) {
      M(3 * i, 3 * i) = M(3 * i + 1, 3 * i + 1) = i < 3 ? 1 : 4;
      M(3 * i + 2, 3 * i + 2) = i < 3 ? 1.0 / 12 : 16.0 / 3;
    }
  }
  void force(double, ConstVec, ConstVec, VecRef f) const {
    for (int i = 0; i < 4; ++i) f[3 * i + 1] = -9.81 * (i < 3 ? 1 : 4);
  }
  double potential(double, ConstVec q) const { return 9.81 * (q[1] + q[4] + q[7] + 4 * q[10]); }
  static State at(double phi, double omega) {
    State state{0, Vec(12), Vec(12)};
    const double c = std::cos(phi), s = std::sin(phi);
    for (int i = 0; i < 3; ++i) {
      state.q.segment<3>(3 * i) << 2.0 * i + c / 2, s / 2, phi;
      state.v.segment<3>(3 * i) << -s / 2 * omega, c / 2 * omega, omega;
    }
    state.q.tail<3>() << 2 + c, s, 0;
    state.v.tail<3>() << -s * omega, c * omega, 0;
    return state;
  }
};

TEST(Redundant, ThreeParallelCranksSwingLikeAPendulum) {
  const auto system = make_system(Parallelogram{});
  const State start = Parallelogram::at(-1.0, 0.0);
  RunSetup setup = figures_only(3);
  setup.rtol = 1e-9;
  for (const char* stabilization : {"pstab", "projection", "s-full", "s-seq"}) {
    setup.stabilization = stabilization;
    const Results results = simulate(*system, start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_EQ(results.redundant_rows.size(), 1u);
    EXPECT_LT(results.drift.position_max, 1e-10);
    EXPECT_LT(results.energy->max_relative_error, 1e-7);
    // φ̈ = −(3/2 + 4) g/(1 + 4) cos φ: three bars on their ends, and a coupler that does not turn.
    const double phi = results.final.q[2], omega = results.final.v[2];
    const double kinetic = 0.5 * (3 * (1.0 / 3) + 4) * omega * omega;
    const double potential = 9.81 * (1.5 + 4) * (std::sin(phi) - std::sin(-1.0));
    EXPECT_NEAR(kinetic + potential, 0, 1e-6);
  }
}

// A point held in a plane by three rows e_k·q whose directions e_k turn at different rates: any two of the three would do,
// but every pair lies on one line now and then.
struct TurningRows {
  static constexpr int nq = 3, rows = 3;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::cos, std::sin;
    for (int k = 0; k < 3; ++k) {
      const S angle = 0.9 * k + (k == 0 ? 0.0 : k == 1 ? 1.0 : -1.3) * t;
      g[k] = cos(angle) * q[0] + sin(angle) * q[1];
    }
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().setConstant(1.0); }
  void force(double, ConstVec, ConstVec, VecRef f) const { f << 1, 2, -3; }
};

TEST(Redundant, ChoicesThatGoBadAreChanged) {
  const auto system = make_system(TurningRows{});
  const State start{0, Vec::Zero(3), Vec::Zero(3)};
  for (const double step : {0.0, 0.01}) {
    RunSetup setup = figures_only(12);
    setup.step = step;
    setup.max_step = step > 0 ? 0 : 0.05;
    const Results results = simulate(*system, start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(std::abs(results.final.q[0]) + std::abs(results.final.q[1]), 1e-12);
    EXPECT_NEAR(results.final.q[2], -1.5 * 144, 1e-9);
    EXPECT_LT(results.drift.position_max, 1e-12);
  }
}

TEST(Redundant, SolverChangesABadChoiceInAStepToo) {
  const auto system = make_system(TurningRows{});
  Terms terms = system->make_terms();
  const auto solver = system->make_solver();
  const int first[] = {2};
  solver->drop_rows(first);
  // Rows 0 and 1 on one line at t = π − 0.9.
  const State state{3.14159265358979323846 - 0.9, Vec::Zero(3), Vec::Zero(3)};
  system->evaluate(state.t, state.q, state.v, terms);
  ASSERT_EQ(solver->factor(terms), Status::ok);
  EXPECT_NE(solver->dropped_rows(), std::vector<int>{2});
  EXPECT_EQ(solver->dropped_rows().size(), 1u);
  Vec x(3), y(3);
  ASSERT_EQ(solver->solve(terms.f, terms.gamma, x, y), Status::ok);
  EXPECT_NEAR(x[0], 0, 1e-12);
  EXPECT_NEAR(x[2], -3, 1e-12);
  const Vec balance = terms.M * x + terms.J.transpose() * y - terms.f;
  EXPECT_LT(max_abs(balance), 1e-12);
}

// Started where a row is implied by chance: it is left out, is not implied any more, and the run says so.
struct Tangent {
  static constexpr int nq = 3, rows = 2;
  static constexpr bool time_dependent = false;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    g[0] = q[1];
    g[1] = q[1] - q[0] * q[0];
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal().setConstant(1.0); }
  void force(double, ConstVec, ConstVec, VecRef f) const { f[0] = 1; }
};

TEST(Redundant, ARowThatWasImpliedByChanceShowsAsDrift) {
  const auto system = make_system(Tangent{});
  const Results results = simulate(*system, {0, Vec::Zero(3), Vec::Zero(3)}, figures_only(5));
  EXPECT_EQ(results.status, Status::drift_exceeded);
  EXPECT_NE(results.message.find("implied"), std::string::npos) << results.message;
}

// Rank lost on the way, with nothing dropped: singular, as ever.
TEST(Redundant, RankLossDuringARunIsSingular) {
  UserEquations equations;
  equations.nq = 3;
  equations.rows = 2;
  equations.mass = [](double, ConstVec, Mat& M) { M.diagonal().setConstant(1.0); };
  equations.force = [](double, ConstVec, ConstVec, VecRef) {};
  equations.constraint = [](double t, ConstVec q, VecRef g) {
    g[0] = q[0];
    g[1] = q[0] + std::max(0.0, 1 - t) * q[1];
  };
  const auto system = make_system(std::move(equations));
  const Results results = simulate(*system, {0, Vec::Zero(3), Vec::Unit(3, 2)}, figures_only(2));
  EXPECT_EQ(results.status, Status::singular);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
