// The forms on independent coordinates: projection-dependent, partitioned, projection-independent, canonical-independent.
// Same accelerations and multipliers as the KKT system whatever the independent set; order of the scheme; constraints at
// round-off; sets that change on the way; singular positions; redundant rows; the user's own set; continued runs.
#include <cmath>

#include <gmock/gmock.h>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/system/kernels/independent_basis.hpp"
#include "driftless/system/kernels/null_space.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using ::testing::HasSubstr;
using OptionMap = std::map<std::string, std::string>;

struct Variant {
  std::string formulation;
  OptionMap options;
  std::string name() const {
    std::string out = formulation;
    for (const auto& [key, value] : options) out += " " + key + "=" + value;
    return out;
  }
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"projection-dependent", {}},
      {"partitioned", {}},
      {"partitioned", {{"choice", "qr"}}},
      {"partitioned", {{"choice", "svd"}}},
      {"partitioned", {{"state", "extended"}}},
      {"partitioned", {{"state", "hybrid"}}},
      {"projection-independent", {}},
      {"projection-independent", {{"basis", "qr"}}},
      {"projection-independent", {{"basis", "svd"}}},
      {"projection-independent", {{"algorithm", "5-4"}}},
      {"projection-independent", {{"algorithm", "5-4"}, {"basis", "qr"}}},
      {"projection-independent", {{"algorithm", "5-4"}, {"basis", "svd"}}},
      {"canonical-independent", {}},
      {"canonical-independent", {{"choice", "svd"}}},
  };
  return all;
}

bool holds_positions(const Variant& v) {  // to round-off
  const auto is = [&](const char* key, const char* value) {
    const auto found = v.options.find(key);
    return found != v.options.end() && found->second == value;
  };
  return !is("state", "extended") && !is("state", "hybrid") && !is("algorithm", "5-4");
}

std::unique_ptr<OdeForm> make_form(const Variant& v, const DescriptorSystem& system) {
  for (const auto* record : formulation_records())
    if (record->method.name == v.formulation)
      return record->make(system, Options(v.formulation, record->method.options, v.options));
  throw std::invalid_argument(v.formulation);
}

RunSetup with(RunSetup setup, const Variant& v) {
  setup.formulation = v.formulation;
  setup.options.insert(v.options.begin(), v.options.end());
  return setup;
}

// Chin's two-arm manipulator, tip height prescribed: one rheonomic row, mass matrix of the configuration.
struct TwoArm {
  static constexpr int nq = 2, rows = 1;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::sin;
    const S s = sin(0.5 * t);
    g[0] = sin(q[0]) + sin(q[0] + q[1]) - s * s;
  }
  void mass(double, ConstVec q, Mat& M) const {
    const double c = std::cos(q[1]);
    M << 30 * (5.0 / 3 + c), 30 * (1.0 / 3 + c / 2), 30 * (1.0 / 3 + c / 2), 10;
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    const double c1 = std::cos(q[0]), c12 = std::cos(q[0] + q[1]), s2 = std::sin(q[1]);
    f[0] = 30 * (-9.81 * (1.5 * c1 + c12 / 2) + s2 / 2 * (2 * v[0] * v[1] + v[1] * v[1]));
    f[1] = 30 * (-9.81 * c12 / 2 - s2 / 2 * v[0] * v[0]);
  }
  double potential(double, ConstVec q) const {
    return 30 * 9.81 * (1.5 * std::sin(q[0]) + 0.5 * std::sin(q[0] + q[1]));
  }
  static State start() {
    State state{0, Vec(2), Vec::Zero(2)};
    state.q << 70 * M_PI / 180, -140 * M_PI / 180;
    return state;
  }
};

struct Sample {
  std::string name;
  std::unique_ptr<DescriptorSystem> own;
  const DescriptorSystem* system;
  State start;
  double t_end;
};

std::vector<Sample> samples() {
  static std::vector<ProblemInstance> problems;
  static std::vector<AssembledModel> models;
  problems.clear();
  models.clear();
  problems.reserve(10);
  models.reserve(10);
  std::vector<Sample> out;
  for (const char* name : {"double-pendulum", "andrews", "circle-track", "heavy-top", "rolling-disc"}) {
    problems.push_back(problem(name));
    out.push_back({name, nullptr, problems.back().system.get(), problems.back().start,
                   std::string(name) == "andrews" ? 0.02 : 1.0});
  }
  for (const char* name : {"four-bar", "spatial-slider-crank", "car-on-bump", "andrews-bodies"})
    for (const char* coordinates : {"reference-point", "natural"}) {
      const bool fast = std::string(name) == "andrews-bodies";
      if (std::string(coordinates) == "natural" && (fast || std::string(name) == "car-on-bump")) continue;
      models.push_back(assembled(model_file(name), coordinates));
      out.push_back({std::string(name) + " " + coordinates, nullptr, &models.back().system(),
                     models.back().start(), fast ? 0.02 : 0.8});
    }
  auto arm = make_system(TwoArm{});
  const DescriptorSystem* arm_system = arm.get();
  out.push_back({"two-arm", std::move(arm), arm_system, TwoArm::start(), 1.5});
  auto crank = make_system(SliderCrank{});
  const DescriptorSystem* crank_system = crank.get();
  out.push_back({"slider-crank", std::move(crank), crank_system, SliderCrank::at(0.4, 3), 2});
  return out;
}

TEST(Independent, AccelerationsAndMultipliersAreThoseOfTheKktSystem) {
  for (const Sample& sample : samples())
    for (const double part : {0.0, 0.37, 1.0}) {
      State state = sample.start;
      if (part > 0) {
        RunSetup setup = figures_only(part * sample.t_end);
        setup.rtol = 1e-6;
        setup.stabilization = "projection";
        const Results run = simulate(*sample.system, sample.start, setup);
        ASSERT_TRUE(run.good()) << sample.name << run.message;
        state = run.final;
      }
      const auto kkt = make_form({"lagrange", {}}, *sample.system);
      Reaction expected, found;
      ASSERT_EQ(kkt->react(state, expected), Status::ok);
      for (const Variant& v : variants()) {
        SCOPED_TRACE(sample.name + " " + v.name() + " " + std::to_string(part));
        const auto form = make_form(v, *sample.system);
        ASSERT_EQ(form->react(state, found), Status::ok);
        Vec y(form->size()), ydot(form->size());
        form->pack(state, 0, y);
        ASSERT_EQ(form->derivative(state.t, y, ydot), Status::ok);
        const double size = 1 + max_abs(expected.vdot),
                     lambda = 1 + max_abs(expected.lambda);  // some are zero
        EXPECT_LT(max_difference(found.vdot, expected.vdot), 1e-13 * size);
        EXPECT_LT(max_difference(found.lambda, expected.lambda), 1e-12 * lambda);
        if (v.formulation != "canonical-independent") {
          const Vec vdot = ydot.segment(state.q.size(), state.v.size());
          EXPECT_LT(max_difference(vdot, expected.vdot), 1e-13 * size);
        }
        State back;
        form->unpack(state.t, y, back);
        EXPECT_LT(max_difference(back.v, state.v), 1e-12 * (1 + max_abs(state.v)));
      }
    }
}

State reference(const Sample& sample, double t_end) {
  RunSetup setup = figures_only(t_end);
  setup.rtol = 1e-12;
  const Results results = simulate(*sample.system, sample.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return results.final;
}

TEST(Independent, Rk4HasItsOrderAndTheConstraintsHold) {
  for (const Sample& sample : samples()) {
    double steps = 0;  // the coarser of two numbers
    if (sample.name == "double-pendulum") steps = 100;
    if (sample.name == "slider-crank") steps = 200;
    if (sample.name == "heavy-top") steps = 200;
    if (sample.name == "rolling-disc") steps = 25;
    if (sample.name == "two-arm") steps = 300;
    if (steps == 0) continue;
    const State exact = reference(sample, sample.t_end);
    for (const Variant& v : variants()) {
      SCOPED_TRACE(sample.name + " " + v.name());
      if (sample.name == "two-arm" && !holds_positions(v)) continue;  // its fast end hides the order
      double error[2];
      Variant smooth = v;  // what switches at a tolerance has no order
      if (const auto state = v.options.find("state"); state != v.options.end() && state->second == "hybrid")
        smooth.options["tolerance"] = "0";
      for (const int k : {0, 1}) {
        const double h = sample.t_end / (steps * (k + 1));
        const Results results =
            simulate(*sample.system, sample.start, with(fixed(sample.t_end, "rk4", h), smooth));
        ASSERT_TRUE(results.good()) << results.message;
        error[k] =
            std::max(max_difference(results.final.q, exact.q), max_difference(results.final.v, exact.v));
        if (holds_positions(v)) {
          EXPECT_LT(results.drift.position_max, 3e-13);
          EXPECT_LT(results.drift.velocity_max, 1e-11);
        }
      }
      EXPECT_GT(order(error[0], error[1]), 3.4);
      EXPECT_LT(order(error[0], error[1]), 5.6);
    }
  }
}

TEST(Independent, OneRowNeedsTheGrowthOfRNotTheConditionOfItsMatrix) {
  const auto arm = make_system(TwoArm{});
  for (const char* formulation : {"partitioned", "projection-independent", "canonical-independent"}) {
    Variant v{formulation, {}};
    RunSetup setup = figures_only(2);
    setup.rtol = 1e-9;
    const Results good = simulate(*arm, TwoArm::start(), with(setup, v));
    ASSERT_TRUE(good.good()) << good.message;
    EXPECT_NEAR(good.final.q[0], 3.057630214, 1e-6) << formulation;
    EXPECT_NEAR(good.final.q[1], -0.590156975, 1e-6);
    EXPECT_NEAR(good.final.v[1], -14.655218270, 1e-5);
    EXPECT_LT(good.energy->max_relative_error, 1e-7);  // the driver's work included
    ASSERT_EQ(good.notices.size(), 1u);
    EXPECT_THAT(good.notices[0], HasSubstr("switch"));
    v.options["monitor"] = "condition";
    const Results bad = simulate(*arm, TwoArm::start(), with(setup, v));
    EXPECT_TRUE(bad.notices.empty());  // it never fires: the run ends, or passes the lock-up of its set badly
    EXPECT_TRUE(!bad.good() || max_difference(bad.final.q, good.final.q) > 1e-3);
    EXPECT_GT(bad.statistics.steps(), 2 * good.statistics.steps());
  }
}

TEST(Independent, SetsChangeInFullTurnsAndTheMotionGoesOn) {
  const auto crank = make_system(SliderCrank{});
  const State start = SliderCrank::at(0.4, 12);  // turns all the way round
  RunSetup setup = figures_only(5);
  setup.rtol = 1e-9;
  const State exact = simulate(*crank, start, setup).final;
  for (Variant v : variants()) {
    SCOPED_TRACE(v.name());
    if (v.formulation == "partitioned" && !v.options.count("state"))
      v.options["independent"] = "v7";  // the slider, which reverses twice a turn
    const Results results = simulate(*crank, start, with(setup, v));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(max_difference(results.final.q, exact.q), 2e-5);
    EXPECT_LT(results.energy->max_relative_error, 1e-7);
    if (v.options.count("independent") || v.options.count("basis")) {
      ASSERT_EQ(results.notices.size(), 1u);
      EXPECT_THAT(results.notices[0], HasSubstr("switch"));
    }
  }
}

TEST(Independent, SingularPositionsAreHandedOverAndComeBackOnTheRightBranch) {
  for (const char* name : {"n-four-bar", "singular-slider-crank"}) {
    const auto p = problem(name);
    RunSetup setup = figures_only(4);
    setup.rtol = 1e-8;
    const Results expected = simulate(*p.system, p.start, with(setup, {"augmented-lagrangian", {}}));
    ASSERT_TRUE(expected.good()) << expected.message;
    for (const char* formulation : {"partitioned", "projection-independent", "canonical-independent"}) {
      SCOPED_TRACE(std::string(name) + " " + formulation);
      const Results results = simulate(*p.system, p.start, with(setup, {formulation, {}}));
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT(results.energy->max_relative_error, 1e-6);
      EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-5);
      ASSERT_EQ(results.notices.size(), 1u);
      EXPECT_THAT(results.notices[0], HasSubstr("to augmented-lagrangian at singular positions"));
      EXPECT_THAT(results.notices[0], HasSubstr("independent at the end"));
    }
  }
}

// Long steps wear a basis out quickly; that alone is no singular position.
TEST(Independent, RegularMechanismsAreNeverHandedOver) {
  for (const Sample& sample : samples())
    for (const Variant& v :
         sample.name == "two-arm" ? std::vector<Variant>() : variants())  // it comes near one
      for (const double rtol : {1e-3, 1e-5}) {
        SCOPED_TRACE(sample.name + " " + v.name());
        RunSetup setup = with(figures_only(sample.t_end), v);
        setup.rtol = rtol;
        const Results results = simulate(*sample.system, sample.start, setup);
        ASSERT_TRUE(results.good()) << results.message;
        for (const auto& notice : results.notices)
          EXPECT_EQ(notice.find("handed over"), std::string::npos) << notice;
      }
}

TEST(Independent, TheUsersOwnSetIsTakenOrRefusedByName) {
  const auto crank = assembled(model_file("slider-crank"));
  RunSetup setup = figures_only(0.1);
  setup.formulation = "partitioned";
  const auto message = [&](const std::string& names) -> std::string {
    setup.options["independent"] = names;
    try {
      const Results results = simulate(crank.system(), crank.start(), setup);
      EXPECT_TRUE(results.good()) << results.message;
      return "good";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("crank.omega"), "good");
  EXPECT_EQ(message("crank.theta"), "good");  // positions have velocities of their own here
  EXPECT_THAT(message("crank.omga"), HasSubstr("did you mean 'crank.omega'"));
  EXPECT_THAT(message("crank.omega,rod.omega"), HasSubstr("1 different name"));
  EXPECT_THAT(message("slider.vy"), HasSubstr("velocities that determine all others"));
  EXPECT_THAT(message("slider.vy"), HasSubstr("try "));
}

TEST(Independent, RedundantRowsAreLeftOut) {
  for (const char* name : {"four-bar", "spatial-four-bar", "bricard"}) {
    const auto model = assembled(model_file(name));
    RunSetup setup = figures_only(0.5);
    setup.rtol = 1e-8;
    const Results lagrange = simulate(model.system(), model.start(), setup);
    for (const Variant& v : variants()) {
      SCOPED_TRACE(std::string(name) + " " + v.name());
      const Results results = simulate(model.system(), model.start(), with(setup, v));
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT(max_difference(results.final.q, lagrange.final.q), 1e-6);
      EXPECT_LT(max_difference(results.final_reaction.vdot, lagrange.final_reaction.vdot),
                1e-5 * max_abs(lagrange.final_reaction.vdot));
      EXPECT_LT(max_difference(results.final_reaction.lambda, lagrange.final_reaction.lambda),
                1e-5 * max_abs(lagrange.final_reaction.lambda));
      if (holds_positions(v)) {
        EXPECT_LT(results.drift.position_max, 1e-11);  // of all rows
      }
    }
  }
}

TEST(Independent, ContinuedRunIsTheUninterruptedOneToTolerance) {
  const auto arm = make_system(TwoArm{});
  for (const Variant& v : variants()) {
    SCOPED_TRACE(v.name());
    RunSetup setup = with(figures_only(2), v);
    setup.rtol = 1e-9;
    const Results whole = simulate(*arm, TwoArm::start(), setup);
    setup.t_end = 1.61;
    const Results first = simulate(*arm, TwoArm::start(), setup);
    ASSERT_TRUE(first.good() && first.checkpoint);
    setup.t_end = 2;
    setup.checkpoint = first.checkpoint;
    const Results second = simulate(*arm, first.final, setup);
    ASSERT_TRUE(second.good()) << second.message;
    EXPECT_LT(max_difference(whole.final.q, second.final.q), 1e-6);
    EXPECT_LT(max_difference(whole.final.v, second.final.v), 1e-5);
  }
}

// Output inside a step behind which the set changed is read with the set of the step.
TEST(Independent, OutputInsideAStepBelongsToTheSetOfThatStep) {
  const auto arm = make_system(TwoArm{});
  RunSetup setup;
  setup.t_end = 2;
  setup.rtol = 1e-8;
  setup.output_step = 0.002;
  const Results exact = simulate(*arm, TwoArm::start(), setup);
  for (const char* formulation : {"partitioned", "projection-independent", "canonical-independent"}) {
    const Results results = simulate(*arm, TwoArm::start(), with(setup, {formulation, {}}));
    ASSERT_TRUE(results.good()) << results.message;
    ASSERT_EQ(results.trajectory.size(), exact.trajectory.size());
    double worst = 0;
    for (size_t i = 0; i < exact.trajectory.v.data.size(); ++i)
      worst = std::max(worst, std::abs(exact.trajectory.v.data[i] - results.trajectory.v.data[i]));
    EXPECT_LT(worst, 1e-4) << formulation;
  }
}

// Above IndependentBasis::kDenseChoices velocities Boolean sets are chosen and solved sparsely.
TEST(Independent, LargeSystemsAreSolvedSparsely) {
  const ProblemRecord* record = find_problem("n-four-bar");
  const auto p = instantiate(*record, Options("problem n-four-bar", record->options, {{"N", "30"}}));
  const Layout& layout = p.system->layout();
  ASSERT_GT(layout.nv, IndependentBasis::kDenseChoices);
  const auto kkt = make_form({"lagrange", {}}, *p.system);
  RunSetup setup = figures_only(0.3);
  setup.rtol = 1e-7;
  const Results exact = simulate(*p.system, p.start, setup);
  Reaction expected, found;
  ASSERT_EQ(kkt->react(exact.final, expected), Status::ok);
  for (const char* formulation : {"projection-dependent", "partitioned", "canonical-independent"}) {
    SCOPED_TRACE(formulation);
    const auto form = make_form({formulation, {}}, *p.system);
    ASSERT_EQ(form->react(exact.final, found), Status::ok);
    EXPECT_LT(max_difference(found.vdot, expected.vdot), 1e-11 * max_abs(expected.vdot));
    EXPECT_LT(max_difference(found.lambda, expected.lambda), 1e-10 * max_abs(expected.lambda));
    const Results results = simulate(*p.system, p.start, with(setup, {formulation, {}}));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT(max_difference(results.final.q, exact.final.q), 1e-6);
  }
}

// J S = I, B S = 0, J R = 0, B R = I, and the transposes, for every rule, dense and sparse.
TEST(Independent, FactorsOfJAndB) {
  const auto mechanism = assembled(model_file("spatial-slider-crank"));
  const ProblemRecord* record = find_problem("n-four-bar");
  const auto ladder = [&](const char* N) {
    return instantiate(*record, Options("problem n-four-bar", record->options, {{"N", N}}));
  };
  const auto medium = ladder("8"), large = ladder("25");
  ASSERT_GT(medium.system->layout().nv, IndependentBasis::kDenseSolves);
  ASSERT_GT(large.system->layout().nv, IndependentBasis::kDenseChoices);
  const std::pair<const DescriptorSystem*, const State*> cases[] = {{&mechanism.system(), &mechanism.start()},
                                                                    {medium.system.get(), &medium.start},
                                                                    {large.system.get(), &large.start}};
  using Rule = IndependentBasis::Rule;
  for (const auto& [system, state] : cases)
    for (const Rule rule : {Rule::pivot, Rule::qr, Rule::svd, Rule::null_space_qr, Rule::null_space_svd}) {
      const State& start = *state;
      Terms terms = system->make_terms();
      system->position(start.t, start.q, terms);
      IndependentBasis basis(system->layout(), rule);
      ASSERT_TRUE(basis.choose(terms.J));
      NullSpace space;
      ASSERT_EQ(space.factor(basis, terms.J), Status::ok);
      const Mat J = terms.J;
      const int m = int(J.rows()), n = int(J.cols()), f = basis.freedom();
      ASSERT_EQ(f, n - m);
      Mat S(n, m), St(m, n), B(f, n);
      for (int i = 0; i < m; ++i) space.S(Vec::Unit(m, i), S.col(i));
      for (int j = 0; j < n; ++j) {
        space.S_transposed(Vec::Unit(n, j), St.col(j));
        space.B(Vec::Unit(n, j), B.col(j));
      }
      const double size = S.cwiseAbs().maxCoeff() * J.cwiseAbs().maxCoeff();
      EXPECT_LT((J * S - Mat::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-13 * size) << int(rule);
      EXPECT_LT((B * S).cwiseAbs().maxCoeff(), 1e-13 * size);
      EXPECT_LT((J * space.R()).cwiseAbs().maxCoeff(), 1e-13 * size);
      EXPECT_LT((B * space.R() - Mat::Identity(f, f)).cwiseAbs().maxCoeff(), 1e-13 * size);
      EXPECT_LT((S.transpose() - St).cwiseAbs().maxCoeff(), 1e-13 * size);
      const double sigma = [&] {
        double last = 0;
        for (int k = 0; k < 60; ++k) last = space.sigma();
        return last;
      }();
      EXPECT_GT(sigma, 0);
      EXPECT_LE(sigma, 1 + 1e-12);
      if (basis.boolean()) {
        EXPECT_EQ(int(basis.independent().size()), f);
      } else {
        EXPECT_NEAR(space.growth(), 1, 1e-12);
      }
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
