// Chin's stabilised vector fields: how the residuals change along each field, at any state; order and drift with rk4;
// monotone decay; nonholonomic and redundant rows; limits, and what is refused.
#include <random>

#include <Eigen/Cholesky>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

const std::vector<std::string> kFields = {"full", "both", "transpose", "p1p2", "p1i", "two-step"};

// The double pendulum of the specification: both bars on their way.
ProblemInstance pendulum(const char* omega1 = "0", const char* omega2 = "0.5") {
  const ProblemRecord& record = *find_problem("natural-double-pendulum");
  return instantiate(record,
                     Options(record.name, record.options,
                             {{"theta1", "1"}, {"theta2", "1.6"}, {"omega1", omega1}, {"omega2", omega2}}));
}

using OptionMap = std::map<std::string, std::string>;
std::unique_ptr<OdeForm> make_form(const DescriptorSystem& system,
                                   const OptionMap& options,
                                   const std::string& name = "stabilized-field") {
  const Choices choices = choose_methods(name, "rk4", "none", options, true);
  return choices.formulation->make(system, choices.formulation_options);
}

// ---- the fields themselves ------------------------------------------------------------------------------------------
// A point on a moving, bent surface with one row that cannot be integrated: all kinds of rows, time in each.
struct Mixed {
  static constexpr int nq = 4, rows = 2, nonholonomic_rows = 1;
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    using std::sin;
    g[0] = q[0] * q[0] + 2.0 * q[1] * q[2] - 1.0 - 0.3 * sin(t);
    g[1] = q[3] - q[0] * q[1] * t;
  }
  template <class S>
  void nonholonomic(const S& t, const S* q, S* A, S* b) const {
    A[0] = q[1];
    A[1] = 1.0 + t;
    A[2] = -q[0];
    A[3] = 0.5 * q[2];
    b[0] = 0.2 * t * q[3];
  }
  void mass(double, ConstVec q, Mat& M) const {
    M.diagonal() << 1, 2, 3, 1.5;
    M(0, 1) = M(1, 0) = 0.3 * std::sin(q[2]);
  }
  void force(double, ConstVec q, ConstVec v, VecRef f) const { f << -q[1], q[0] - 0.1 * v[1], -9.81, v[0]; }
};

struct Residuals {
  Vec g, r;  // m each; g is zero in nonholonomic rows
};
Residuals residuals(const DescriptorSystem& system, Terms& terms, double t, ConstVec q, ConstVec v) {
  system.position(t, q, terms);
  Residuals out{Vec::Zero(system.layout().m), Vec(system.layout().m)};
  out.g.head(system.layout().mh) = terms.g;
  velocity_residual(terms, v, out.r);
  return out;
}

TEST(StabilizedField, ResidualsDecayAsEachFieldPromises) {
  const JetSystem<Mixed> system{Mixed()};
  const Layout& layout = system.layout();
  Terms terms = system.make_terms();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.4, 1.6);
  const double gain = 7, kappa = 4, s = 1e-5;
  for (const std::string& field : kFields)
    for (int trial = 0; trial < 5; ++trial) {
      OptionMap options{{"field", field}, {"gain", "7"}};
      if (field == "transpose" || field == "p1i") options["rows"] = "raw";
      if (field == "two-step") options["kappa"] = "4";
      if (trial > 2 && (field == "full" || field == "both" || field == "p1p2")) options["weight"] = "mass";
      const auto form = make_form(system, options);
      State state{uniform(random), Vec(4), Vec(4)};
      for (int i = 0; i < 4; ++i) state.q[i] = uniform(random), state.v[i] = uniform(random);
      Vec y(form->size()), ydot(form->size());
      form->pack(state, 0, y);
      ASSERT_EQ(form->derivative(state.t, y, ydot), Status::ok);
      const Vec qdot = ydot.head(4), vdot = ydot.segment(4, 4);
      const Residuals ahead = residuals(system, terms, state.t + s, state.q + s * qdot, state.v + s * vdot);
      const Residuals back = residuals(system, terms, state.t - s, state.q - s * qdot, state.v - s * vdot);
      const Residuals now = residuals(system, terms, state.t, state.q, state.v);
      const Mat J(terms.J), JD = J * J.transpose();
      const Vec gdot = ((ahead.g - back.g) / (2 * s)).head(2), rdot = (ahead.r - back.r) / (2 * s);
      const Vec rates = (Vec(3) << 2 * gain, 2 * gain, gain).finished();  // nonholonomic rows are of index 2
      const Vec follows = now.r.head(2);                                  // ġ where positions are left alone
      const double small = 1e-6 * (1 + max_abs(now.r)) * gain * gain;
      if (field == "full") {
        EXPECT_LT(max_abs(gdot - (follows - gain * now.g.head(2))), small);
        EXPECT_LT(max_abs(rdot + gain * now.r), small);
      } else if (field == "both") {
        EXPECT_LT(max_abs(gdot - (follows - gain * now.g.head(2))), small);
      } else if (field == "transpose") {
        EXPECT_LT(max_abs(gdot - (follows - gain * (JD * now.g).head(2))), small);
      } else if (field == "p1p2") {
        EXPECT_LT(max_abs(gdot - follows), small);
        EXPECT_LT(max_abs(rdot + rates.cwiseProduct(now.r) + gain * gain * now.g), small);
      } else if (field == "p1i") {
        EXPECT_LT(max_abs(gdot - follows), small);
        EXPECT_LT(max_abs(rdot + JD * (rates.cwiseProduct(now.r) + gain * gain * JD * now.g)), 10 * small);
      } else {
        EXPECT_NEAR(rdot[2], -kappa * now.r[2], small);
        const Vec kdot = rdot.head(2) + gain * gdot, k = now.r.head(2) + gain * now.g.head(2);
        EXPECT_LT(max_abs(kdot + kappa * k), small);
      }
      EXPECT_EQ(layout.m, 3);
    }
}

TEST(StabilizedField, P1p2ByTheMassIsBaumgarte) {
  const auto p = pendulum();
  State state = p.start;
  state.q[0] += 0.01;
  state.v[3] -= 0.02;
  const auto field = make_form(*p.system, {{"field", "p1p2"}, {"weight", "mass"}, {"gain", "7"}});
  const auto baumgarte = make_form(*p.system, {{"alpha", "7"}, {"beta", "7"}}, "baumgarte");
  Vec y(8), a(8), b(8);
  field->pack(state, 0, y);
  ASSERT_EQ(field->derivative(0, y, a), Status::ok);
  ASSERT_EQ(baumgarte->derivative(0, y, b), Status::ok);
  EXPECT_LT(max_difference(a, b), 1e-13 * max_abs(b));
}

// ---- decay ------------------------------------------------------------------------------------------------------------
// Largest |(g; r)| on the way against that of the start, integrated finely from positions off the constraints with r = 0.
double growth(const std::string& formulation, const OptionMap& options, bool* falls_always = nullptr) {
  const auto p = pendulum("3", "-6");
  State state = p.start;
  state.q += (Vec(4) << 1e-3, -2e-3, 1.5e-3, 1e-3).finished();
  Terms terms = p.system->make_terms();
  const Residuals off = residuals(*p.system, terms, 0, state.q, state.v);
  const Mat J(terms.J);
  state.v -= J.transpose() * (J * J.transpose()).ldlt().solve(off.r);
  const auto form = make_form(*p.system, options, formulation);
  Statistics statistics;
  StepControl control;
  control.step = 1e-3;
  const Choices choices = choose_methods("lagrange", "rk4", "none", {}, true);
  const auto integrator = choices.integrator->make(*form, statistics, control, choices.integrator_options);
  Vec y(form->size());
  form->pack(state, 0, y);
  EXPECT_EQ(integrator->start(0, y, 1), Status::ok);
  const auto size = [&] {
    form->unpack(integrator->t(), integrator->y(), state);
    const Residuals now = residuals(*p.system, terms, state.t, state.q, state.v);
    return std::hypot(now.g.norm(), now.r.norm());
  };
  const double first = size();
  double largest = first, before = first;
  if (falls_always != nullptr) *falls_always = true;
  for (int i = 0; i < 1500; ++i) {
    EXPECT_EQ(integrator->advance(10), Status::ok);
    const double now = size();
    largest = std::max(largest, now);
    if (falls_always != nullptr && now > before * (1 + 1e-9) && now > 1e-9) *falls_always = false;
    before = now;
  }
  return largest / first;
}

TEST(StabilizedField, FullNeverLetsTheResidualGrow) {
  for (const char* weight : {"identity", "mass"})
    for (const char* gain : {"0.4", "0.5", "1", "5", "10"}) {
      bool falls = false;
      EXPECT_EQ(growth("stabilized-field", {{"gain", gain}, {"weight", weight}}, &falls), 1)
          << gain << " " << weight;
      EXPECT_TRUE(falls) << gain << " " << weight;
    }
}

TEST(StabilizedField, OthersLetItGrowOnTheWay) {
  EXPECT_NEAR(growth("stabilized-field", {{"field", "both"}, {"gain", "10"}}), 1.5, 0.1);
  EXPECT_NEAR(growth("baumgarte", {{"alpha", "5"}, {"beta", "5"}}), 1.98, 0.05);
  EXPECT_NEAR(growth("baumgarte", {{"alpha", "1"}, {"beta", "20"}}), 18.5, 0.5);
}

// ---- order and drift --------------------------------------------------------------------------------------------------
struct RunFigures {
  double error, g, r;
};
RunFigures figures(const OptionMap& options, double h, const Vec& reference) {
  const auto p = pendulum();
  RunSetup setup = fixed(2, "rk4", h);
  setup.formulation = "stabilized-field";
  setup.options = options;
  const Results results = simulate(*p.system, p.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return {max_difference(results.final.q, reference), results.drift.position_max, results.drift.velocity_max};
}

TEST(StabilizedField, OrderAndDriftSlopeAreThoseOfTheScheme) {
  const auto p = pendulum();
  // th = (-0.0500940462, 0.8950113679) at t = 2: spec of the problem, minimal coordinates.
  const double a = -0.0500940462, b = 0.8950113679;
  RunSetup fine = figures_only(2);
  fine.rtol = 1e-12;
  const Results reference = simulate(*p.system, p.start, fine);
  ASSERT_TRUE(reference.good());
  EXPECT_NEAR(reference.final.q[0], std::sin(a), 1e-9);
  EXPECT_NEAR(reference.final.q[3], -std::cos(a) - std::cos(b), 1e-9);
  for (const std::string& field : kFields) {
    const RunFigures coarse = figures({{"field", field}}, 0.01, reference.final.q),
                     half = figures({{"field", field}}, 0.005, reference.final.q);
    RecordProperty(plain(field), std::to_string(order(coarse.error, half.error)) + " " +
                                     std::to_string(order(coarse.g, half.g)) + " " +
                                     std::to_string(order(coarse.r, half.r)));
    EXPECT_GT(order(coarse.error, half.error), 3.5) << field;
    EXPECT_LT(order(coarse.error, half.error), 5.2) << field;
    EXPECT_NEAR(order(coarse.g, half.g), 4.1, 0.5) << field;
    EXPECT_NEAR(order(coarse.r, half.r), 4.1, 0.5) << field;
  }
}

TEST(StabilizedField, DriftStaysBounded) {
  const auto p = pendulum();
  for (const std::string& field : kFields) {
    std::vector<double> g;
    for (const double t_end : {5.0, 40.0}) {
      RunSetup setup = fixed(t_end, "rk4", 0.005);
      setup.formulation = "stabilized-field";
      setup.options["field"] = field;
      const Results results = simulate(*p.system, p.start, setup);
      ASSERT_TRUE(results.good()) << field << ": " << results.message;
      g.push_back(results.drift.position_max);
    }
    EXPECT_LT(g[1], 5 * g[0]) << field;  // lagrange grows by t²: 64
  }
}

// Quaternions (nq ≠ nv), redundant rows and coordinates that never form their mass.
TEST(StabilizedField, ServesEveryKindOfModel) {
  struct Case {
    Model model;
    const char* coordinates;
  };
  const auto bricard = find_problem("bricard"), top = find_problem("heavy-top");
  const Case cases[] = {
      {bricard->mechanism(Options("bricard", bricard->options, {})), "reference-point"},
      {top->mechanism(Options("heavy-top", top->options, {})), "euler-parameters"},
      {model_file("four-bar"), "relative"},
      {model_file("four-bar"), "natural"},
  };
  for (const Case& c : cases) {
    const auto model = assembled(c.model, c.coordinates);
    RunSetup setup = figures_only(0.3);
    setup.rtol = 1e-8;
    const Results expected = simulate(model.system(), model.start(), setup);
    for (const std::string& field : kFields) {
      setup.formulation = "stabilized-field";
      setup.options = {{"field", field}};
      const Results results = simulate(model.system(), model.start(), setup);
      ASSERT_TRUE(results.good()) << c.coordinates << " " << field << ": " << results.message;
      EXPECT_LT(max_difference(results.final.q, expected.final.q), 1e-5) << c.coordinates << " " << field;
      EXPECT_LT(results.drift.position_max, 1e-6) << c.coordinates << " " << field;
    }
  }
}

// ---- scale of rows, limits, refusals --------------------------------------------------------------------------------
struct ScaledRows {
  static constexpr int nq = 4, rows = 2;
  static constexpr bool time_dependent = false;
  double factor = 1;
  template <class S>
  void constraint(const S&, const S* q, S* g) const {
    const S x = q[2] - q[0], y = q[3] - q[1];
    g[0] = factor * (q[0] * q[0] + q[1] * q[1] - 1.0);
    g[1] = (x * x + y * y - 1.0) / factor;
  }
  void mass(double, ConstVec, Mat& M) const { M.diagonal() << 1, 1, 2, 2; }
  void force(double, ConstVec, ConstVec, VecRef f) const { f << 0, -9.81, 0, -19.62; }
};

TEST(StabilizedField, ScaleOfRowsDoesNotMatter) {
  State state{0, Vec(4), Vec(4)};
  state.q << 0.6, -0.79, 1.2, -1.61;
  state.v << 0.3, 0.2, -0.4, 0.1;
  for (const std::string& field : kFields) {
    Vec rate[2];
    for (const int i : {0, 1}) {
      const JetSystem<ScaledRows> system(ScaledRows{i == 0 ? 1.0 : 1e3});
      const auto form = make_form(system, {{"field", field}});
      Vec y(8);
      rate[i].resize(8);
      form->pack(state, 0, y);
      ASSERT_EQ(form->derivative(0, y, rate[i]), Status::ok);
    }
    EXPECT_LT(max_difference(rate[0], rate[1]), 1e-9 * max_abs(rate[0])) << field;
  }
}

TEST(StabilizedField, TransposeBeyondItsLimitSaysWhatToDo) {
  const auto p = pendulum();
  for (const char* field : {"transpose", "p1i"}) {
    RunSetup setup = fixed(2, "rk4", 0.04);
    setup.formulation = "stabilized-field";
    setup.options = {{"field", field}, {"rows", "raw"}};  // 10 1/s · 0.04 s · 10.5, the eigenvalue
    const Results wild = simulate(*p.system, p.start, setup);
    EXPECT_FALSE(wild.good()) << field;
    ASSERT_FALSE(wild.notices.empty()) << field;
    EXPECT_NE(wild.notices.back().find("smaller gain or step, or field=both"), std::string::npos)
        << wild.notices.back();
    setup.options = {{"field", field}};
    EXPECT_TRUE(simulate(*p.system, p.start, setup).good()) << field;  // unit rows, gain 10
  }
}

TEST(StabilizedField, RefusesOptionsThatWouldDoNothing) {
  const auto p = pendulum();
  for (const OptionMap& options :
       {OptionMap{{"field", "transpose"}, {"weight", "mass"}},
        OptionMap{{"field", "two-step"}, {"weight", "mass"}}, OptionMap{{"field", "both"}, {"kappa", "3"}},
        OptionMap{{"field", "full"}, {"rows", "raw"}}})
    EXPECT_THROW(make_form(*p.system, options), InputError);
  for (const OptionMap& options : {OptionMap{{"gamma1", "12"}}, OptionMap{{"gamma2", "70"}},
                                   OptionMap{{"gamma1", "12"}, {"gamma2", "70"}, {"alpha", "6"}},
                                   OptionMap{{"gamma1", "12"}, {"gamma2", "70"}, {"scale", "step"}}})
    EXPECT_THROW(make_form(*p.system, options, "baumgarte"), InputError);
}

TEST(Baumgarte, ChinsPairSaysTheSame) {
  const auto p = pendulum();
  State state = p.start;
  state.q[0] += 0.01;
  const auto pair = make_form(*p.system, {{"gamma1", "12"}, {"gamma2", "64"}}, "baumgarte");
  const auto rates = make_form(*p.system, {{"alpha", "6"}, {"beta", "8"}}, "baumgarte");
  Vec y(8), a(8), b(8);
  pair->pack(state, 0, y);
  ASSERT_EQ(pair->derivative(0, y, a), Status::ok);
  ASSERT_EQ(rates->derivative(0, y, b), Status::ok);
  EXPECT_EQ(max_difference(a, b), 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
