// The implicit schemes on ODE forms: order conditions and stability functions of the tableaus, observed orders on a smooth
// pendulum, stiff problems against published numbers of steps, and Newton's method with a wrong Jacobian.
#include <complex>

#include <Eigen/LU>

#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/implicit/dirk_tableau.hpp"
#include "driftless/integrator/implicit/newton.hpp"
#include "driftless/integrator/implicit/ode_stages.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using Complex = std::complex<double>;

// ---- tableaus -----------------------------------------------------------------------------------------------------

struct Dense {  // a tableau with the stage at the start, if any, made explicit
  Mat A;
  Vec b, b_hat, c;
};
Dense dense(const DirkTableau& t) {
  const int first = t.a0 != 0 ? 1 : 0, s = t.stages + first;
  Dense out{Mat::Zero(s, s), Vec::Zero(s), Vec::Zero(s), Vec::Zero(s)};
  for (int i = 0; i < t.stages; ++i) {
    if (first == 1) out.A(i + 1, 0) = t.a0;
    for (int j = 0; j <= i; ++j) out.A(i + first, j + first) = t.a[size_t(i)][size_t(j)];
    out.b[i + first] = t.b[size_t(i)];
    out.b_hat[i + first] = t.b_hat[size_t(i)];
    out.c[i + first] = t.c[size_t(i)];
  }
  if (first == 1) out.b[0] = t.a0;
  return out;
}

// Largest residual of the conditions up to `order`, for weights whose end is θ.
double residual(const Mat& A, const Vec& b, const Vec& c, int order, double theta = 1) {
  const Vec one = Vec::Ones(c.size()), c2 = c.cwiseAbs2(), c3 = c2.cwiseProduct(c), Ac = A * c;
  const std::pair<int, double> conditions[] = {{1, b.dot(one) - theta},
                                               {2, b.dot(c) - std::pow(theta, 2) / 2},
                                               {3, b.dot(c2) - std::pow(theta, 3) / 3},
                                               {3, b.dot(Ac) - std::pow(theta, 3) / 6},
                                               {4, b.dot(c3) - std::pow(theta, 4) / 4},
                                               {4, b.dot(c.cwiseProduct(Ac)) - std::pow(theta, 4) / 8},
                                               {4, b.dot(A * c2) - std::pow(theta, 4) / 12},
                                               {4, b.dot(A * Ac) - std::pow(theta, 4) / 24}};
  double worst = (A * one - c).cwiseAbs().maxCoeff();
  for (const auto& [p, value] : conditions)
    if (p <= order) worst = std::max(worst, std::abs(value));
  return worst;
}

struct Case {
  const char* name;
  const DirkTableau* tableau;
  bool is_L_stable;
};
const Case kCases[] = {{"trapezoidal", &kTrapezoidal, false}, {"midpoint", &kMidpoint, false},
                       {"norsett2", &kNorsett2, true},        {"norsett3", &kNorsett3, false},
                       {"sdirk 4/15", &kSdirk4_15, true},     {"sdirk 1/4", &kSdirk1_4, true}};

TEST(DirkTableau, MeetsItsOrderConditions) {
  for (const Case& c : kCases) {
    const Dense t = dense(*c.tableau);
    EXPECT_LT(residual(t.A, t.b, t.c, c.tableau->order), 1e-14) << c.name;
    if (c.tableau->estimate == DirkTableau::Estimate::embedded) {
      EXPECT_LT(residual(t.A, t.b_hat, t.c, c.tableau->stages == 5 ? 3 : 1), 1e-14) << c.name;
    }
    if (!c.tableau->has_dense()) continue;
    for (const double theta : {0.1, 0.37, 0.8, 1.0}) {
      Vec b(5);
      for (int i = 0; i < 5; ++i) {
        const auto& p = c.tableau->dense[size_t(i)];
        b[i] = theta * (p[0] + theta * (p[1] + theta * (p[2] + theta * p[3])));
      }
      EXPECT_LT(residual(t.A, b, t.c, 3, theta), 1e-13) << c.name << " at " << theta;
      if (theta == 1) {
        EXPECT_LT(max_difference(b, t.b), 1e-13);
      }
    }
  }
}

TEST(DirkTableau, IsStable) {
  for (const Case& c : kCases) {
    const Dense t = dense(*c.tableau);
    const auto n = t.c.size();
    const auto R = [&](Complex z) {
      const Eigen::MatrixXcd W = Eigen::MatrixXcd::Identity(n, n) - z * t.A.cast<Complex>();
      const Eigen::VectorXcd k = W.partialPivLu().solve(Eigen::VectorXcd::Ones(n));
      return 1.0 + z * t.b.cast<Complex>().dot(k);
    };
    double largest = 0;
    for (int i = 0; i < 2000; ++i)
      largest = std::max(largest, std::abs(R(Complex(0, std::pow(10, -3 + 7 * i / 1999.0)))));
    EXPECT_LE(largest, 1 + 1e-12) << c.name;
    if (c.is_L_stable) {
      EXPECT_LT(std::abs(R(Complex(-1e9, 0))), 1e-8) << c.name;
    }
  }
}

// ---- orders -------------------------------------------------------------------------------------------------------

// Double pendulum of two point masses with springs.                        García de Jalón & Bayo, example 7.2, mild
std::unique_ptr<DescriptorSystem> spring_pendulum() {
  UserEquations equations;
  equations.nq = 2;
  equations.time_dependent = false;
  equations.mass = [](double, ConstVec q, Mat& M) {
    const double c = std::cos(q[1]);
    M << 3 + 2 * c, 1 + c, 1 + c, 1;
  };
  equations.force = [](double, ConstVec q, ConstVec v, VecRef f) {
    const double s = std::sin(q[1]);
    f[0] = -4 * q[0] + s * (2 * v[0] * v[1] + v[1] * v[1]);
    f[1] = -6 * q[1] - s * v[0] * v[0];
  };
  return make_system(std::move(equations));
}

double pendulum_error(const std::string& integrator,
                      const std::map<std::string, std::string>& options,
                      double step,
                      double rtol = 0) {
  const auto system = spring_pendulum();
  State start;
  start.q = Vec2(0, 0);
  start.v = Vec2(1, 1);
  RunSetup setup = fixed(1, integrator, step);
  if (rtol > 0) setup.rtol = rtol;
  setup.options = options;
  setup.stabilization = "none";
  const Results results = simulate(*system, start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return max_difference(results.final.q, Vec2(1.133765925575, 0.273614190065));
}

struct Scheme {
  const char* name;
  std::map<std::string, std::string> options;
  int order;
  double h;
};
const Scheme kSchemes[] = {{"trapezoidal", {}, 2, 0.01},        {"implicit-midpoint", {}, 2, 0.01},
                           {"norsett2", {}, 2, 0.01},           {"norsett3", {}, 3, 0.0025},
                           {"sdirk4", {}, 4, 0.0125},           {"sdirk4", {{"gamma", "1/4"}}, 4, 0.0125},
                           {"radau-iia5", {}, 5, 0.04},         {"bdf", {{"order", "1"}}, 1, 0.005},
                           {"bdf", {{"order", "2"}}, 2, 0.005}, {"bdf", {{"order", "3"}}, 3, 0.005},
                           {"bdf", {{"order", "4"}}, 4, 0.005}, {"bdf", {{"order", "5"}}, 5, 0.005}};

TEST(ImplicitSchemes, ShowTheirOrderOnASmoothPendulum) {
  for (const Scheme& scheme : kSchemes) {
    const double coarse = pendulum_error(scheme.name, scheme.options, scheme.h),
                 fine = pendulum_error(scheme.name, scheme.options, scheme.h / 2);
    EXPECT_GT(fine, 1e-11) << scheme.name;  // the reference has no more digits
    EXPECT_NEAR(order(coarse, fine), scheme.order, 0.2) << scheme.name << " " << scheme.order;
  }
}

TEST(ImplicitSchemes, ErrorFollowsTheTolerance) {
  for (const char* name :
       {"trapezoidal", "implicit-midpoint", "norsett2", "norsett3", "sdirk4", "radau-iia5", "bdf"}) {
    double before = 1;
    for (const double rtol : {1e-3, 1e-5, 1e-7}) {
      const double error = pendulum_error(name, {}, 0, rtol);
      EXPECT_LT(error, 100 * rtol) << name;
      EXPECT_LT(error, before / 8)
          << name;  // trapezoidal: a third of the steps' tolerance is lost to their number
      before = error;
    }
  }
}

// ---- stiff problems -------------------------------------------------------------------------------------------------

TEST(ImplicitSchemes, FollowASmoothSolutionNextToAFastEigenvalue) {
  const auto instance = problem("prothero-robinson");
  for (const Scheme& scheme : kSchemes) {
    RunSetup setup = fixed(5, scheme.name, 0.05);
    setup.options = scheme.options;
    setup.stabilization = "none";
    const Results results = simulate(*instance.system, instance.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    const bool is_rough = scheme.order <= 3 && std::string(scheme.name) != "bdf";
    EXPECT_LT(std::abs(results.final.v[0] - std::sin(5.0)), is_rough ? 1e-3 : 1e-7) << scheme.name;
  }
}

// R(z) of one step of size 1 of the code itself, on v̇ = z v.
Complex amplification(const Scheme& scheme, Complex z) {
  UserEquations equations;
  equations.nq = 2;
  equations.mass = [](double, ConstVec, Mat& M) { M.setIdentity(); };
  equations.force = [z](double, ConstVec, ConstVec v, VecRef f) {
    f[0] = z.real() * v[0] - z.imag() * v[1];
    f[1] = z.imag() * v[0] + z.real() * v[1];
  };
  const auto system = make_system(std::move(equations));
  RunSetup setup = fixed(1, scheme.name, 1);
  setup.options = scheme.options;
  const Results results = simulate(*system, {0, Vec2(0, 0), Vec2(1, 0)}, setup);
  EXPECT_TRUE(results.good()) << scheme.name << " " << z << results.message;
  return {results.final.v[0], results.final.v[1]};
}

void expect_A_stability(int points) {
  struct Limit {
    Scheme scheme;
    double at_infinity;
  };
  const double root3 = std::sqrt(3.0);
  for (const Limit& limit : {Limit{{"radau-iia5", {}, 5, 0}, 0}, Limit{{"sdirk4", {}, 4, 0}, 0},
                             Limit{{"sdirk4", {{"gamma", "1/4"}}, 4, 0}, 0}, Limit{{"norsett2", {}, 2, 0}, 0},
                             Limit{{"norsett3", {}, 3, 0}, 1 - root3}, Limit{{"trapezoidal", {}, 2, 0}, -1},
                             Limit{{"implicit-midpoint", {}, 2, 0}, -1}}) {
    for (int i = 0; i < points; ++i) {
      const double y = std::pow(10, -3 + 7.0 * i / (points - 1));
      EXPECT_LE(std::abs(amplification(limit.scheme, {0, y})), 1 + 1e-12) << limit.scheme.name << " " << y;
    }
    EXPECT_NEAR(amplification(limit.scheme, -1e9).real(), limit.at_infinity, 1e-7) << limit.scheme.name;
  }
}

TEST(ImplicitSchemes, OfOneStepAreAStableAsTheyAreCoded) {
  expect_A_stability(100);
  // Radau: R(z) = (1 + 2z/5 + z²/20) / (1 − 3z/5 + 3z²/20 − z³/60).
  for (const Complex z : {Complex(-0.3, 0.2), Complex(-2, 5), Complex(0, 30), Complex(-400, 100)}) {
    const Complex exact = (1.0 + 0.4 * z + 0.05 * z * z) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
    EXPECT_LT(std::abs(amplification({"radau-iia5", {}, 5, 0}, z) - exact), 1e-12) << z;
  }
}

TEST(ImplicitSchemes, OfOneStepAreAStableAsTheyAreCoded_full) { expect_A_stability(2000); }

// At h|L| ≫ 1 the order of the stages counts: 1 for those with diagonal tableaus (one more where errors are not divided by L),
// 2 for the trapezoidal rule, 3 for Radau. Backward differences lose nothing.                   Hairer & Wanner IV.15
TEST(ImplicitSchemes, LoseOrderNextToAFastEigenvalueAsTheoryHasIt) {
  const auto instance = problem("prothero-robinson");
  const auto error = [&](const Scheme& scheme, double h) {
    RunSetup setup = fixed(1, scheme.name, h);
    setup.options = scheme.options;
    setup.stabilization = "none";
    const Results results = simulate(*instance.system, instance.start, setup);
    EXPECT_TRUE(results.good()) << results.message;
    return std::abs(results.final.v[0] - std::sin(1.0));
  };
  const std::map<std::string, int> reduced = {{"norsett3", 2}, {"sdirk4", 1}, {"radau-iia5", 3}};
  for (const Scheme& scheme : kSchemes) {
    const auto found = reduced.find(scheme.name);
    const int expected = found == reduced.end() ? scheme.order : found->second;
    const double h = scheme.order == 5 && found == reduced.end() ? 0.1 : 0.05;  // bdf: round-off below
    EXPECT_NEAR(order(error(scheme, h), error(scheme, h / 2)), expected, 0.2) << scheme.name;
  }
}

// The stiff double pendulum at t = 0.5 s with steps far longer than its fast part, angles: figures of a prototype at h = 0.01,
// and what is left of the order.
TEST(ImplicitSchemes, LoseOrderOnTheStiffPendulum) {
  const auto instance = problem("stiff-double-pendulum-angles");
  RunSetup setup = figures_only(0.5);
  setup.integrator = "radau-iia5";
  setup.rtol = 1e-12;
  const Vec exact = simulate(*instance.system, instance.start, setup).final.q;
  const auto error = [&](const char* name, double h, const std::map<std::string, std::string>& options = {}) {
    RunSetup coarse = fixed(0.5, name, h);
    coarse.options = options;
    const Results results = simulate(*instance.system, instance.start, coarse);
    EXPECT_TRUE(results.good()) << name << " " << results.message;
    return max_difference(results.final.q, exact);
  };
  EXPECT_NEAR(error("norsett2", 0.01), 4.7e-4, 0.1e-4);
  EXPECT_NEAR(error("sdirk4", 0.01, {{"gamma", "1/4"}}), 6.2e-5, 0.1e-5);
  EXPECT_LT(error("radau-iia5", 0.01), 1e-6);  // what the fast part at the start leaves, whatever h
  const auto seen = [&](const char* name, const std::map<std::string, std::string>& options = {}) {
    return order(error(name, 0.005, options), error(name, 0.0025, options));
  };
  EXPECT_NEAR(seen("norsett2"), 2, 0.1);
  EXPECT_NEAR(seen("implicit-midpoint"), 2, 0.2);  // angles; rates ring
  EXPECT_NEAR(seen("sdirk4"), 1, 0.1);
  EXPECT_NEAR(seen("bdf", {{"order", "2"}}), 2, 0.1);
  EXPECT_NEAR(seen("bdf", {{"order", "4"}}), 1.1, 0.2);  // started by sdirk4, across the fast part
  EXPECT_LT(seen("trapezoidal"), 1);                     // rings
}

// Accepted steps on the stiff double pendulum for rtol = atol = 10⁻ᵏ, k = 2 … 8.
void expect_steps(const std::string& name, RunSetup setup, std::array<int, 7> expected) {
  const auto instance = problem(name);
  setup.t_end = 2;
  setup.record = false;
  setup.initial_step = 1e-6;
  for (int k = 2; k <= 8; ++k) {
    setup.rtol = setup.atol = std::pow(10, -k);
    const Results results = simulate(*instance.system, instance.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    const int steps = expected[size_t(k - 2)];
    EXPECT_NEAR(double(results.statistics.accepted), steps, std::max(2.0, 0.03 * steps)) << name << " " << k;
    EXPECT_LT(results.drift.position_max, 1e-12);
  }
}

TEST(ImplicitSchemes, TakeThePublishedNumberOfStepsOnTheStiffDoublePendulum) {
  RunSetup sdirk;
  sdirk.integrator = "sdirk4";
  sdirk.stabilization = "none";
  const std::array<int, 7> published = {31, 47, 76, 127, 223, 386, 682};  // Negrut, Haug & German, table III
  expect_steps("stiff-double-pendulum-angles", sdirk, published);
  sdirk.formulation = "partitioned";
  expect_steps("stiff-double-pendulum", sdirk, published);
  RunSetup radau;
  radau.integrator = "radau-iia5";
  radau.stabilization = "none";
  radau.options = {{"jacobian", "each-step"}};
  expect_steps("stiff-double-pendulum-angles", radau, {25, 39, 59, 97, 164, 286, 500});  // a prototype
}

TEST(ImplicitSchemes, MeetTheReferenceOfTheStiffDoublePendulum) {
  const ProblemRecord& record = *find_problem("stiff-double-pendulum-angles");
  const auto instance = problem(record.name);
  for (const char* name : {"sdirk4", "radau-iia5", "bdf"}) {
    RunSetup setup = figures_only(1);
    setup.integrator = name;
    setup.rtol = setup.atol = 1e-8;
    const Results results = simulate(*instance.system, instance.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    const Layout& layout = instance.system->layout();
    for (const ReferenceValue& value : record.values)
      for (size_t i = 0; i < 2; ++i) {
        if (value.t != 1) continue;
        if (value.name == layout.q_names[i]) {
          EXPECT_NEAR(results.final.q[Eigen::Index(i)], value.value, 2e-6) << name;
        }
        if (value.name == layout.v_names[i]) {
          EXPECT_NEAR(results.final.v[Eigen::Index(i)], value.value, 2e-5) << name;
        }
      }
  }
}

TEST(ImplicitSchemes, OfLStabilityDampTheStiffJointAndOthersRing) {
  const auto instance = problem("stiff-double-pendulum-angles");
  const auto rate = [&](const char* name) {
    RunSetup setup = fixed(0.5, name, 0.01);
    setup.stabilization = "none";
    const Results results = simulate(*instance.system, instance.start, setup);
    EXPECT_TRUE(results.good()) << name << " " << results.message;
    return results.final.v[1] - results.final.v[0];
  };
  for (const char* name : {"norsett2", "sdirk4", "radau-iia5"}) EXPECT_NEAR(rate(name), 0.0776, 2e-4) << name;
  EXPECT_NEAR(rate("bdf"), 0.0776, 5e-3);
  EXPECT_GT(std::abs(rate("implicit-midpoint")), 5);
}

// ---- Newton's method --------------------------------------------------------------------------------------------------

TEST(StageNewton, NeverTakesAStageThatHasNotConverged) {
  const auto instance = problem("stiff-double-pendulum-angles");
  for (const auto* record : formulation_records()) {
    if (record->method.name != "lagrange") continue;
    const auto form = record->make(*instance.system, Options("", record->method.options, {}));
    Statistics statistics;
    OdeStages stages(*form, statistics);
    StageNewton newton(stages, statistics);
    Vec y(form->size()), F(form->size()), z(form->size());
    form->pack(instance.start, 0, y);
    ASSERT_EQ(stages.evaluate(0, y, F), Status::ok);
    StepControl control;
    stages.open(control, 0, y, F);
    newton.open(false);
    ASSERT_EQ(stages.renew_at_start(), Status::ok);
    const Mat right = stages.dense_jacobian();
    const Vec G = Vec::Zero(y.size());
    for (const double factor : {1.0, 0.5, 0.0, -1.0})
      for (const double c : {1e-7, 1e-5, 1e-3}) {
        stages.set_jacobian(factor * right);
        stages.factor(c);
        z.setZero();
        double eta = 1;
        const Status status = newton.solve(0, y, G, c, z, eta);
        if (factor == 1) {
          EXPECT_EQ(status, Status::ok) << c;
        }
        if (status != Status::ok) {
          EXPECT_LE(newton.monitor.shrink, 0.8);  // the step is made shorter
          continue;
        }
        // What is left of the equation, as a correction of z by the right Jacobian.
        const Vec at = y + z;
        ASSERT_EQ(stages.evaluate(0, at, F), Status::ok);
        stages.set_jacobian(right);
        stages.factor(c);
        Vec rest = c * F - z;
        stages.filter(rest);
        EXPECT_LT(stages.norm(rest), 0.1) << factor << " " << c;
      }
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
