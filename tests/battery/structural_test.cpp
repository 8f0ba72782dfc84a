// The structural schemes (newmark, hht-alpha, generalized-alpha, wilson-theta, collocation): amplification matrices of the
// code itself, order of positions, velocities, accelerations and multipliers, error control, damping of multipliers,
// projection, real-time mode, checkpoints. The first-order schemes on residual forms (bdf, radau-iia5): order of every
// variable, error control, work, checkpoints.
#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "driftless/core/errors.hpp"
#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/step_loop.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using OptionMap = std::map<std::string, std::string>;

// ---- amplification matrices ----------------------------------------------------------------------------------------
class Oscillator final : public DescriptorSystem {
 public:
  explicit Oscillator(double stiffness) : DescriptorSystem(completed(one())), stiffness_(stiffness) {}
  void position(double, ConstVec, Terms&) const override {}
  void mass(double, ConstVec, Terms& terms) const override { terms.M.coeffRef(0, 0) = 1; }
  void bias(double, ConstVec, ConstVec, Terms&) const override {}
  void force(double, ConstVec q, ConstVec, Terms& terms) const override { terms.f[0] = -stiffness_ * q[0]; }

 private:
  static Layout one() {
    Layout layout;
    layout.nq = layout.nv = 1;
    return layout;
  }
  double stiffness_;
};

// Where a checkpoint keeps accelerations: behind what the form keeps now, slopes and sizes of y, and three numbers of the loop and
// its policy.
Eigen::Index kept_before(OdeForm& form) {
  Memory memory;
  dynamic_cast<KeepsMemory&>(form).keep(memory);
  return memory.written().size() + 2 * form.size() + 3;
}

// Largest eigenvalue of one step of size 1: the scheme is resumed from unit states (q, v, a and, where it has one, s).
double spectral_radius(const std::string& integrator, const OptionMap& options, double omega) {
  const Oscillator system(omega * omega);
  const bool collocates = integrator == "wilson-theta" || integrator == "collocation";
  OptionMap all = options;
  all["newton_tol"] = "1e-15";
  const Choices choices = choose_methods(collocates ? "penalty" : "index3", integrator, "none", all, true);
  const auto form = choices.make_form(system);
  Statistics statistics;
  form->statistics = &statistics;
  StepControl control;
  control.step = 1;
  const auto scheme = choices.integrator->make(*form, statistics, control, choices.integrator_options);
  const int n = collocates ? 3 : 4;
  const double w = std::max(1.0, omega);
  const double unit[] = {1, w, w * w, w * w};
  Mat A(n, n);
  // In the memory of a checkpoint: numbers of the form and the loop, a, W and its rate, s, ds/dt, h of s.
  const auto place = [](Eigen::Index a_at, int i) { return i == 2 ? a_at : a_at + 1 + 2; };
  EXPECT_EQ(scheme->start(0, Vec::Zero(form->size()), 100), Status::ok);
  const Checkpoint fresh = scheme->checkpoint();
  const Eigen::Index fresh_at = kept_before(*form);
  if (fresh.memory.size() <= place(fresh_at, 3)) {
    ADD_FAILURE() << "a checkpoint without memory: " << fresh.memory.size();
    return 0;
  }
  for (int j = 0; j < n; ++j) {
    Checkpoint from = fresh;
    if (!collocates) from.memory[place(fresh_at, 3) + 2] = 1;
    if (j < 2)
      from.y[j] = unit[j];
    else
      from.memory[place(fresh_at, j)] = unit[j];
    EXPECT_EQ(scheme->resume(from), Status::ok);
    EXPECT_EQ(scheme->advance(100), Status::ok);
    const Checkpoint to = scheme->checkpoint();
    const Eigen::Index a_at = kept_before(*form);
    if (to.memory.size() <= place(a_at, n - 1)) {
      ADD_FAILURE() << "a checkpoint without memory: " << to.memory.size();
      return 0;
    }
    for (int i = 0; i < n; ++i) A(i, j) = (i < 2 ? to.y[i] : to.memory[place(a_at, i)]) / unit[i];
  }
  return Eigen::EigenSolver<Mat>(A, false).eigenvalues().cwiseAbs().maxCoeff();
}

double largest_radius(const std::string& integrator, const OptionMap& options) {
  double largest = 0;
  for (double omega = 1e-3; omega < 1.1e5; omega *= 1.5)
    largest = std::max(largest, spectral_radius(integrator, options, omega));
  return largest;
}

TEST(StructuralScheme, IsStableAndDampsAsDesigned) {
  for (const double rho : {0.0, 0.5, 0.8, 0.95}) {
    const OptionMap options{{"rho_inf", std::to_string(rho)}};
    EXPECT_LE(largest_radius("generalized-alpha", options), 1 + 1e-9) << rho;
    EXPECT_NEAR(spectral_radius("generalized-alpha", options, 1e5), rho, 2e-3) << rho;
  }
  for (const double alpha : {-0.05, -0.1, -0.2, -0.3}) {
    const OptionMap options{{"alpha", std::to_string(alpha)}};
    EXPECT_LE(largest_radius("hht-alpha", options), 1 + 1e-9) << alpha;
    EXPECT_NEAR(spectral_radius("hht-alpha", options, 1e5), (1 + alpha) / (1 - alpha), 1e-3) << alpha;
  }
  EXPECT_LE(largest_radius("newmark", {}), 1 + 1e-6);                      // a double root at −1
  EXPECT_GT(largest_radius("newmark", {{"beta", "0.1666666667"}}), 1.01);  // linear acceleration: ωh ≤ 2√3
  EXPECT_LE(spectral_radius("newmark", {{"beta", "0.1666666667"}}, 3.4), 1 + 1e-8);
  EXPECT_GT(spectral_radius("newmark", {{"beta", "0.1666666667"}}, 3.5), 1.01);
}

TEST(StructuralScheme, WilsonAndCollocationAreStableWhereTheySay) {
  EXPECT_GT(largest_radius("wilson-theta", {{"theta", "1.36"}}), 1 + 1e-4);
  EXPECT_LE(largest_radius("wilson-theta", {{"theta", "1.37"}}), 1 + 1e-9);
  EXPECT_NEAR(spectral_radius("wilson-theta", {}, 1e5), 0.778, 1e-3);
  const double theta = 1.287, lower = (2 * theta * theta - 1) / (4 * (2 * theta * theta * theta - 1));
  EXPECT_LE(largest_radius("collocation", {}), 1 + 1e-9);
  EXPECT_LE(largest_radius("collocation", {{"beta", std::to_string(lower + 0.001)}}), 1 + 1e-9);
  EXPECT_GT(largest_radius("collocation", {{"beta", std::to_string(lower - 0.01)}}), 1 + 1e-4);
}

// ---- order ---------------------------------------------------------------------------------------------------------
// Errors of q, v, a, λ of the scheme itself on the circle track, q = (sin t², cos t²), at t = 1. Records and final_reaction hold
// v̇ and λ of the index-1 equations at (q, v) instead.
Eigen::Vector4d track_errors(const std::string& formulation,
                             const std::string& integrator,
                             const OptionMap& options,
                             double h) {
  const auto track = problem("circle-track");
  const Choices choices = choose_methods(formulation, integrator, "none", options, true);
  Statistics statistics;
  StepControl control;
  control.step = h;
  const auto form = choices.make_form(*track.system);
  form->statistics = &statistics;
  const auto steps = choices.integrator->make(*form, statistics, control, choices.integrator_options);
  Vec start(form->size());
  form->pack(track.start, 0, start);
  EXPECT_EQ(steps->start(0, start, 1), Status::ok);
  while (steps->t() < 1)
    if (steps->advance(1 + h) != Status::ok) return Eigen::Vector4d::Zero();
  EXPECT_NEAR(steps->t(), 1, 1e-12);
  const Vec& y = steps->y();
  Carried end;
  EXPECT_TRUE(dynamic_cast<const StepLoop&>(*steps).scheme().tell(end));
  const double s = std::sin(1.0), c = std::cos(1.0);
  return {(y.head(2) - Eigen::Vector2d(s, c)).norm(),
          (y.segment(2, 2) - Eigen::Vector2d(2 * c, -2 * s)).norm(),
          (end.acceleration - Eigen::Vector2d(2 * c - 4 * s, -2 * s - 4 * c)).norm(),
          std::abs(end.multipliers[0] + 4)};
}

struct Member {
  const char* integrator;
  OptionMap options;
};
const Member kConstrained[] = {{"newmark", {}},
                               {"newmark", {{"project", "acceleration"}}},
                               {"hht-alpha", {}},
                               {"hht-alpha", {{"alpha", "-0.3"}}},
                               {"generalized-alpha", {}},
                               {"generalized-alpha", {{"rho_inf", "0.5"}}},
                               {"generalized-alpha", {{"project", "velocity"}}}};

TEST(StructuralScheme, HasOrderTwoInAllVariablesOfIndexThree) {
  for (const Member& member : kConstrained) {
    OptionMap options = member.options;
    options["newton_tol"] = "1e-12";  // what Newton leaves of q is divided by h² in a and λ
    const auto coarse = track_errors("index3", member.integrator, options, 0.0125),
               fine = track_errors("index3", member.integrator, options, 0.00625);
    // Velocities moved alone leave accelerations and multipliers of the scheme with order 1.
    const auto project = member.options.find("project");
    const int variables = project != member.options.end() && project->second == "velocity" ? 2 : 4;
    for (int i = 0; i < variables; ++i)
      EXPECT_NEAR(order(coarse[i], fine[i]), 2, 0.2) << member.integrator << " variable " << i;
  }
}

// ---- double pendulum, h = 0.01, 10 s ---------------------------------------------------------------------------------
Results swing(const std::string& integrator, const OptionMap& options, double h = 0.01) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = fixed(10, integrator, h);
  setup.formulation = "index3";
  setup.options = options;
  setup.drift_limit = 1e9;
  return simulate(*pendulum.system, pendulum.start, setup);
}

double change_of(const Results& results) { return results.energy->final - results.energy->initial; }

TEST(StructuralScheme, LosesTheEnergyItShould) {
  EXPECT_NEAR(change_of(swing("generalized-alpha", {})), -2.06e-3, 1e-4);
  EXPECT_NEAR(change_of(swing("hht-alpha", {{"alpha", "-0.05"}})), -0.021, 1e-3);
  EXPECT_NEAR(change_of(swing("hht-alpha", {{"alpha", "-0.3"}})), -0.071, 2e-3);
}

TEST(StructuralScheme, NewmarkNeedsItsAccelerationsProjected) {
  const Results plain_newmark = swing("newmark", {});
  EXPECT_TRUE(!plain_newmark.good() || max_abs(plain_newmark.checkpoint->memory) > 1e4);
  const auto warned = [](const Results& results) {
    return std::any_of(results.notices.begin(), results.notices.end(), [](const std::string& notice) {
      return notice.find("oscillate") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned(plain_newmark));
  const Results projected = swing("newmark", {{"project", "acceleration"}});
  ASSERT_TRUE(projected.good()) << projected.message;
  EXPECT_FALSE(warned(projected));
  EXPECT_LT(max_abs(projected.checkpoint->memory), 1e3);
  EXPECT_LT(std::abs(change_of(projected)), 0.1);
  EXPECT_LT(projected.drift.velocity_max, 1e-12);
}

TEST(StructuralScheme, VelocityProjectionKeepsVelocitiesOnTheConstraints) {
  const Results with = swing("generalized-alpha", {{"project", "velocity"}}),
                without = swing("generalized-alpha", {});
  EXPECT_LT(with.drift.velocity_max, 1e-12);
  EXPECT_NEAR(without.drift.velocity_max, 9e-3, 1e-3);
}

// (5) of generalized_alpha.cpp, with the blocks of the form.
TEST(StructuralScheme, ScaledNewtonMatrixStaysRegularAsTheStepShrinks) {
  const auto pendulum = problem("double-pendulum");
  const Choices choices = choose_methods("index3", "generalized-alpha", "none", {}, true);
  const auto made = choices.make_form(*pendulum.system);
  auto& form = dynamic_cast<ResidualForm&>(*made);
  Statistics statistics;
  form.statistics = &statistics;
  DaePoint point = form.make_point();
  point.q = pendulum.start.q;
  point.v = pendulum.start.v;
  ASSERT_EQ(form.complete(point), Status::ok);
  DaeTangent tangent = form.make_tangent();
  form.tangent(point, tangent);
  const double rho = 0.8, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af,
               beta = 0.25 * (1 - am + af) * (1 - am + af);
  const auto n = tangent.M.rows(), m = tangent.J.rows();
  double least = 1e300, most = 0;
  for (double h = 0.1; h > 0.5e-4; h /= 10) {
    const double sigma = beta * h * h / tangent.M.diagonal().mean();
    Mat W = Mat::Zero(n + m, n + m);
    W.topLeftCorner(n, n) = sigma * ((1 - am) / (h * h * beta * (1 - af)) * Mat(tangent.M) +
                                     gamma / (h * beta) * Mat(tangent.C) + Mat(tangent.K));
    W.topRightCorner(n, m) = Mat(tangent.J).transpose();
    W.bottomLeftCorner(m, n) = Mat(tangent.J);
    const Vec singular = Eigen::JacobiSVD<Mat>(W).singularValues();
    least = std::min(least, singular[0] / singular[n + m - 1]);
    most = std::max(most, singular[0] / singular[n + m - 1]);
  }
  EXPECT_LT(most, 2 * least);
  EXPECT_LT(most, 20);
}

// ---- real time -------------------------------------------------------------------------------------------------------
TEST(StructuralScheme, RealTimeDoesTheSameWorkInEveryStep) {
  for (const double h : {0.01, 0.05}) {
    const Results results = swing("generalized-alpha", {{"realtime", "2"}}, h);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_EQ(results.statistics.newton_iterations, 2 * results.statistics.accepted);
    // Newton's matrix in each iteration; KKT once a step for the watch over the rows, which must not live on what records
    // factor; both at the start and the end.
    EXPECT_LE(results.statistics.factorizations, 3 * results.statistics.accepted + 2);
    if (h == 0.01) {
      EXPECT_LT(results.drift.position_max, 1e-11);
      EXPECT_NEAR(change_of(results), -2.1e-3, 1e-4);
    }
    ASSERT_FALSE(results.notices.empty());
    EXPECT_NE(results.notices.back().find("real time: "), std::string::npos);
  }
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(1);
  setup.formulation = "index3";
  setup.options["realtime"] = "2";
  EXPECT_THROW(simulate(*pendulum.system, pendulum.start, setup), InputError);
}

// ---- error control ---------------------------------------------------------------------------------------------------
double error_at(const DescriptorSystem& system, const State& start, RunSetup setup, const Vec& reference) {
  const Results results = simulate(system, start, setup);
  EXPECT_TRUE(results.good()) << setup.integrator << ": " << results.message;
  return (results.final.q - reference).cwiseQuotient(system.layout().q_scale).lpNorm<Eigen::Infinity>();
}

void expect_error_follows(const std::string& name,
                          const DescriptorSystem& system,
                          const State& start,
                          double t_end) {
  RunSetup exact = figures_only(t_end);
  exact.rtol = 1e-11;
  const Vec reference = simulate(system, start, exact).final.q;
  const Member members[] = {{"newmark", {{"project", "acceleration"}}},
                            {"hht-alpha", {}},
                            {"generalized-alpha", {}},
                            {"generalized-alpha", {{"rho_inf", "0"}}},
                            {"wilson-theta", {}},
                            {"collocation", {}},
                            {"implicit-midpoint", {}},
                            {"gssss", {}},
                            {"gssss", {{"rho", "0.3,0.6,0.2"}}},
                            {"gssss", {{"family", "U0"}, {"rho", "0.8,0.8,0.8"}, {"constraint", "1"}}}};
  for (const Member& member : members) {
    RunSetup setup = figures_only(t_end);
    setup.integrator = member.integrator;
    const bool is_gssss = setup.integrator == "gssss" || setup.integrator == "implicit-midpoint";
    if (is_gssss && system.layout().nq != system.layout().nv) continue;
    setup.options = member.options;
    const bool collocates = setup.integrator == "wilson-theta" || setup.integrator == "collocation";
    setup.formulation = collocates ? "penalty" : "index3";
    setup.rtol = 1e-5;
    const double coarse = error_at(system, start, setup, reference);
    setup.rtol = 1e-7;
    const double fine = error_at(system, start, setup, reference);
    EXPECT_GT(std::log10(coarse / fine) / 2, 0.6)
        << name << " " << member.integrator << " " << coarse << " " << fine;
    EXPECT_LT(fine, 2e-4) << name << " " << member.integrator;
  }
}

TEST(StructuralScheme, ErrorFollowsTheToleranceOnProblems) {
  for (const char* name : {"circle-track", "double-pendulum"}) {
    const auto p = problem(name);
    expect_error_follows(name, *p.system, p.start, 1);
  }
}

TEST(StructuralScheme, ErrorFollowsTheToleranceOnMechanisms_full) {
  for (const char* name : {"slider-crank", "spatial-double-pendulum", "spatial-slider-crank"}) {
    const auto m = assembled(model_file(name));
    expect_error_follows(name, m.system(), m.start(), 0.5);
  }
}

TEST(StructuralScheme, RejectsAFirstStepThatIsTooLong) {
  const auto track = problem("circle-track");
  RunSetup setup = figures_only(1);
  setup.formulation = "index3";
  setup.initial_step = 1;
  setup.rtol = 1e-5;
  const Results results = simulate(*track.system, track.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_GT(results.statistics.rejected, 2);
  EXPECT_LT((results.final.q - Eigen::Vector2d(std::sin(1.0), std::cos(1.0))).norm(), 1e-3);
  setup.max_step = 1e-3;
  EXPECT_GE(simulate(*track.system, track.start, setup).statistics.accepted, 1000);
}

TEST(StructuralScheme, GoesOnFromACheckpoint) {
  const auto pendulum = problem("double-pendulum");
  for (const double step : {0.0, 0.01})
    for (const char* integrator : {"generalized-alpha", "wilson-theta"}) {
      RunSetup setup = figures_only(1);
      setup.integrator = integrator;
      setup.formulation = integrator == std::string("wilson-theta") ? "penalty" : "index3";
      setup.step = step;
      setup.rtol = 1e-5;
      setup.options["newton_tol"] = "1e-10";  // the tangent is not kept, so iterations differ by as much
      const Results whole = simulate(*pendulum.system, pendulum.start, setup);
      setup.t_end = 0.5;
      const Results half = simulate(*pendulum.system, pendulum.start, setup);
      setup.t_end = 1;
      setup.checkpoint = half.checkpoint;
      const Results rest = simulate(*pendulum.system, half.final, setup);
      ASSERT_TRUE(rest.good()) << rest.message;
      EXPECT_LT(max_difference(rest.final.q, whole.final.q), 2e-6) << integrator << " " << step;
    }
}

// ---- bdf and radau-iia5 on residual forms ----------------------------------------------------------------------------
TEST(FirstOrderScheme, RadauHasTheOrdersOfTheoryOnEveryIndex) {
  struct Case {
    const char* formulation;
    Eigen::Vector4d orders;
  };
  const Case cases[] = {{"index3", {5, 3, 2, 2}}, {"index2", {5, 5, 3, 3}}, {"index2-ggl", {5, 5, 3, 3}}};
  for (const Case& at : cases) {
    const auto coarse = track_errors(at.formulation, "radau-iia5", {}, 0.05),
               fine = track_errors(at.formulation, "radau-iia5", {}, 0.025);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(order(coarse[i], fine[i]), at.orders[i], 0.3) << at.formulation << " variable " << i;
  }
}

TEST(FirstOrderScheme, BdfHasItsOrderInAllVariables) {
  for (const char* formulation : {"index3", "index2", "index2-ggl"})
    for (int k = 1; k <= 4; ++k) {
      const OptionMap options{{"order", std::to_string(k)}, {"newton_tol", "1e-12"}};
      const auto coarse = track_errors(formulation, "bdf", options, 0.0125),
                 fine = track_errors(formulation, "bdf", options, 0.00625);
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(order(coarse[i], fine[i]), k, i == 3 && k == 4 ? 0.3 : 0.2)
            << formulation << " order " << k << " variable " << i;
    }
}

TEST(FirstOrderScheme, ErrorFollowsTheTolerance) {
  const auto track = problem("circle-track");
  const auto pendulum = problem("double-pendulum");
  const auto crank = assembled(model_file("slider-crank"));
  struct Case {
    const char* name;
    const DescriptorSystem& system;
    const State& start;
  };
  const Case cases[] = {{"circle-track", *track.system, track.start},
                        {"double-pendulum", *pendulum.system, pendulum.start},
                        {"slider-crank", crank.system(), crank.start()}};
  for (const Case& at : cases) {
    RunSetup exact = figures_only(1);
    exact.rtol = 1e-12;
    const Vec reference = simulate(at.system, at.start, exact).final.q;
    for (const char* formulation : {"index3", "index2", "index2-ggl"})
      for (const char* integrator : {"radau-iia5", "bdf"}) {
        SCOPED_TRACE(std::string(at.name) + " " + formulation + " " + integrator);
        RunSetup setup = figures_only(1);
        setup.integrator = integrator;
        setup.formulation = formulation;
        setup.rtol = 1e-4;
        const double coarse = error_at(at.system, at.start, setup, reference);
        setup.rtol = 1e-8;
        const double fine = error_at(at.system, at.start, setup, reference);
        // On index 3 velocities of bdf lose orders wherever the step changes.
        const bool loses = formulation == std::string("index3") && integrator == std::string("bdf");
        EXPECT_GT(std::log10(coarse / fine) / 4, loses ? 0.6 : 0.8) << coarse << " " << fine;
        EXPECT_LT(fine, (loses ? 200 : 30) * setup.rtol);
      }
  }
}

TEST(FirstOrderScheme, GoesOnFromACheckpoint) {
  const auto pendulum = problem("double-pendulum");
  for (const double step : {0.0, 0.01})
    for (const char* integrator : {"radau-iia5", "bdf"}) {
      RunSetup setup = figures_only(1);
      setup.integrator = integrator;
      setup.formulation = "index2-ggl";
      setup.step = step;
      setup.rtol = 1e-7;
      const Results whole = simulate(*pendulum.system, pendulum.start, setup);
      setup.t_end = 0.5;
      const Results half = simulate(*pendulum.system, pendulum.start, setup);
      setup.t_end = 1;
      setup.checkpoint = half.checkpoint;
      const Results rest = simulate(*pendulum.system, half.final, setup);
      ASSERT_TRUE(rest.good()) << rest.message;
      // The past of bdf is not kept: it starts anew, with errors of its own.
      const double allowed = integrator == std::string("radau-iia5") ? 1e-8 : step > 0 ? 1e-2 : 1e-4;
      EXPECT_LT(max_difference(rest.final.q, whole.final.q), allowed) << integrator << " " << step;
    }
}

// A road that moves the wheels, tyres, tabulated springs, a load put on at t = 2. The car rests before the bump, so steps
// must be kept short enough to see it.
TEST(FirstOrderScheme, GoesThroughDiscontinuities) {
  const auto car = assembled(model_file("car-on-bump"));
  RunSetup exact = figures_only(2.2);
  exact.rtol = 1e-9;
  exact.max_step = 0.02;
  const Vec reference = simulate(car.system(), car.start(), exact).final.q;
  for (const char* formulation : {"index3", "index2-ggl"})
    for (const char* integrator : {"radau-iia5", "bdf"}) {
      RunSetup setup = exact;
      setup.integrator = integrator;
      setup.formulation = formulation;
      setup.rtol = 1e-6;
      EXPECT_LT(error_at(car.system(), car.start(), setup, reference), 50 * setup.rtol)
          << formulation << " " << integrator;
    }
}

TEST(FirstOrderScheme, KeepsToStepsItIsTold) {
  const auto track = problem("circle-track");
  for (const char* integrator : {"radau-iia5", "bdf"}) {
    RunSetup setup = figures_only(1);
    setup.formulation = "index2-ggl";
    setup.integrator = integrator;
    setup.initial_step = 1;
    setup.rtol = 1e-6;
    const Results results = simulate(*track.system, track.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_GT(results.statistics.rejected, 1);
    EXPECT_LT((results.final.q - Eigen::Vector2d(std::sin(1.0), std::cos(1.0))).norm(), 1e-4);
    setup.max_step = 5e-3;
    EXPECT_GE(simulate(*track.system, track.start, setup).statistics.accepted, 200);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
