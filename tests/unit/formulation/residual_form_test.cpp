// Derivatives the forms know. Residual forms: zero where the motion is, blocks that are the derivatives of the residuals, rows
// at their levels. ODE forms: their Jacobians against differences of F, and the small solve by them against the full one.
#include "driftless/formulation/residual_form.hpp"

#include <random>

#include <Eigen/LU>

#include "driftless/coordinates/spatial_relative.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/ode_newton.hpp"
#include "driftless/system/motion_tangent.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace {

using namespace testing;

struct ResidualCase {
  const char* formulation;
  const char* model;
};

class ResidualForms : public ::testing::TestWithParam<ResidualCase> {
 protected:
  ResidualForms()
      : mechanism_(assembled(model_file(GetParam().model))),
        choices_(choose_methods(GetParam().formulation, "", "", {}, true)),
        made_(choices_.formulation->make(mechanism_.system(), {})),
        form_(static_cast<ResidualForm&>(*made_)),
        point_(form_.make_point()) {
    point_.t = mechanism_.start().t;
    point_.q = mechanism_.start().q;
    point_.v = mechanism_.start().v;
  }

  // (ρ, slip, rows) at a point.
  Vec residual(const DaePoint& point) {
    const int nv = mechanism_.system().layout().nv;
    Vec dynamics(nv), slip(nv), rows(form_.rows());
    form_.residual(point, dynamics, slip, rows);
    Vec all(2 * nv + rows.size());
    all << dynamics, slip, rows;
    return all;
  }

  AssembledModel mechanism_;
  Choices choices_;
  std::unique_ptr<OdeForm> made_;
  ResidualForm& form_;
  DaePoint point_;
};

TEST_P(ResidualForms, VanishWhereTheMotionIs) {
  ASSERT_EQ(form_.complete(point_), Status::ok);
  Reaction reaction;
  ASSERT_EQ(form_.react(mechanism_.start(), reaction), Status::ok);
  EXPECT_LT(max_difference(point_.a, reaction.vdot), 1e-12 * (1 + max_abs(reaction.vdot)));
  EXPECT_LT(max_abs(residual(point_)), 1e-9 * (1 + max_abs(point_.lambda)));
}

TEST_P(ResidualForms, BlocksAreTheDerivatives) {
  ASSERT_EQ(form_.complete(point_), Status::ok);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index n) {
    return Vec::NullaryExpr(n, [&] { return normal(random); }).eval();
  };
  const int nv = mechanism_.system().layout().nv;
  const Vec dq = draw(nv), dv = draw(nv), da = draw(nv), dlambda = draw(point_.lambda.size()),
            dmu = draw(point_.mu.size());
  const auto moved = [&](double s) {
    DaePoint point = point_;
    mechanism_.system().retract(point.q, s * dq);
    point.v += s * dv;
    point.a += s * da;
    point.lambda += s * dlambda;
    point.mu += s * dmu;
    return residual(point);
  };
  const double h = 1e-3;  // fourth order
  const Vec measured = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);

  DaeTangent tangent = form_.make_tangent();
  form_.tangent(point_, tangent);
  Mat slip(nv, form_.slips());
  form_.slip_tangent(tangent, slip);
  Vec predicted(measured.size());
  predicted << tangent.K * dq + tangent.C * dv + tangent.M * da + tangent.J.transpose() * dlambda, slip * dmu,
      tangent.rows_q * dq + tangent.rows_v * dv;
  EXPECT_LT(max_difference(measured, predicted), 1e-7 * (1 + max_abs(measured)));
}

TEST_P(ResidualForms, RowsStandAtTheirLevels) {
  const Layout& layout = mechanism_.system().layout();
  const std::string name = GetParam().formulation;
  EXPECT_EQ(form_.position_rows(), name == "index2" ? 0 : layout.mh);
  EXPECT_EQ(form_.velocity_rows(), name == "index3" ? layout.m - layout.mh : layout.m);
  EXPECT_EQ(form_.slips(), name == "index2-ggl" ? layout.mh : 0);
  form_.drop_rows(std::vector<int>{0});
  EXPECT_EQ(form_.multipliers(), layout.m - 1);
  EXPECT_EQ(form_.position_rows(), name == "index2" ? 0 : layout.mh - 1);
}

INSTANTIATE_TEST_SUITE_P(All,
                         ResidualForms,
                         ::testing::Values(ResidualCase{"index3", "slider-crank"},
                                           ResidualCase{"index2", "slider-crank"},
                                           ResidualCase{"index2-ggl", "slider-crank"},
                                           ResidualCase{"index3", "rolling-disc"},
                                           ResidualCase{"index2", "rolling-disc"},
                                           ResidualCase{"index3", "four-bar"},
                                           ResidualCase{"index2-ggl", "double-pendulum-bars"}),
                         [](const auto& test) {
                           return plain(test.param.formulation) + "_" + plain(test.param.model);
                         });

// ---- Jacobians the forms know -----------------------------------------------------------------------------------------

// Central differences of F, of eighth order.
Mat differences_of_F(OdeForm& form, double t, const Vec& y) {
  Mat A = Mat::Zero(y.size(), y.size());
  Vec moved = y, F(y.size());
  constexpr double kWeights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double h = 1e-3 * std::max(1.0, std::abs(y[j]));
    for (int k = 1; k <= 4; ++k)
      for (const int sign : {1, -1}) {
        moved[j] = y[j] + sign * k * h;
        EXPECT_EQ(form.derivative(t, moved, F), Status::ok);
        A.col(j) += sign * kWeights[k - 1] / h * F;
      }
    moved[j] = y[j];
  }
  return A;
}

// J₁, J₂ and all else of ∂F/∂y against differences of F, and Π against I − cA, wherever a form knows it. How many did?
int compare_jacobians(const DescriptorSystem& system, const State& start, const std::string& name) {
  int compared = 0;
  for (const auto* record : formulation_records()) {
    if (record->needs_mass && system.layout().mass_is_implicit) continue;
    const auto form = record->make(system, Options("", record->method.options, {}));
    Vec y(form->size());
    State state = start;
    for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] += 0.1 * std::sin(3.0 + double(i));
    form->pack(state, 0, y);
    if (!form->has_jacobian()) continue;
    SCOPED_TRACE(name + " " + record->method.name);
    ++compared;
    const auto n = system.layout().nq + system.layout().nv;
    FormJacobian known;
    EXPECT_EQ(form->jacobian(0.1, y, known), Status::ok);
    const Mat expected = differences_of_F(*form, 0.1, y);
    const double size = expected.topLeftCorner(n, n).lpNorm<Eigen::Infinity>();
    EXPECT_LT((known.A - expected).topLeftCorner(n, n).lpNorm<Eigen::Infinity>(), 1e-8 * size);

    Statistics statistics;
    OdeNewton newton(*form, statistics);
    Vec F(y.size());
    EXPECT_EQ(newton.evaluate(0.1, y, F), Status::ok);
    EXPECT_EQ(newton.renew(0.1, y, F), Status::ok);
    for (const double c : {1e-8, 1e-3, 1.0}) {
      newton.factor(c);
      const Vec r = Vec::LinSpaced(y.size(), -1, 2);
      Vec d = r;
      newton.filter(d);
      const Mat& A = newton.jacobian();
      const Vec full = (Mat::Identity(y.size(), y.size()) - c * A).partialPivLu().solve(r);
      EXPECT_LT((d - full).norm(), 1e-12 * full.norm() * (1 + c * A.norm())) << c;
      if (known.is_reduced) {
        EXPECT_LT((d - c * (A * d) - r).norm(), 1e-12 * (r.norm() + c * A.norm() * d.norm())) << c;
      }
    }
  }
  return compared;
}

TEST(FormJacobian, AgreesWithDifferencesOfFAndItsReducedSolveWithTheFullOne) {
  for (const char* name : {"circle-track", "andrews", "stiff-double-pendulum", "manipulator-prescribed",
                           "natural-double-pendulum", "four-mass"}) {
    const auto instance = problem(name);
    EXPECT_EQ(compare_jacobians(*instance.system, instance.start, name), 7);
  }
  const auto car = assembled(model_file("car-on-bump"));
  EXPECT_EQ(compare_jacobians(car.system(), car.start(), "car-on-bump"), 7);
  // q̇ = T v with T ≠ I: no second-order shape, and independent forms difference F.
  const auto disc = problem("rolling-disc");
  EXPECT_EQ(compare_jacobians(*disc.system, disc.start, "rolling-disc"), 5);
  const auto crank = assembled(model_file("spatial-slider-crank"));
  EXPECT_EQ(compare_jacobians(crank.system(), crank.start(), "spatial-slider-crank"), 5);
}

// Articulated bodies never form M, which derivatives of M a need: F is differenced.
TEST(FormJacobian, IsNotClaimedWhereMIsNotFormed) {
  const auto chain = assembled(model_file("hanging-chain"), "relative");
  const auto& formed = dynamic_cast<const SpatialRelative&>(chain.system());
  const SpatialRelative articulated(formed.parts(), formed.shared_tree(), SpatialRelative::Path::articulated);
  EXPECT_GT(compare_jacobians(formed, chain.start(), "formed"), 0);
  EXPECT_EQ(compare_jacobians(articulated, chain.start(), "articulated"), 0);
  const RunSetup setup = fixed(0.1, "sdirk4", 0.01);
  EXPECT_LT(max_difference(simulate(formed, chain.start(), setup).final.q,
                           simulate(articulated, chain.start(), setup).final.q),
            1e-11);
}

TEST(MotionTangent, SharesEvaluationsBetweenCoordinatesThatDoNotMeet) {
  const auto ladder = instantiate(*find_problem("n-four-bar"),
                                  Options("problem", find_problem("n-four-bar")->options, {{"N", "40"}}));
  const DescriptorSystem& system = *ladder.system;
  const Layout& layout = system.layout();
  MotionTangent tangent(system, [](const Terms& terms, ConstVec, Vec&) -> const Vec& { return terms.gamma; });
  const Vec a = Vec::LinSpaced(layout.nv, -1, 1), lambda = Vec::LinSpaced(layout.m, -2, 1);
  const auto columns = [&](const Vec& q, Mat& by_q, Mat& by_v) {
    const long before = tangent.pairs();
    tangent.stand(0, q, ladder.start.v, a, lambda);
    tangent.columns(by_q, by_v);
    return tangent.pairs() - before;
  };
  Mat by_q, by_v, again, by_v_again;
  EXPECT_EQ(columns(ladder.start.q, by_q, by_v), layout.nq + layout.nv);  // one by one, to see who meets whom
  EXPECT_LT(columns(ladder.start.q, again, by_v_again), 30);
  EXPECT_LT((again - by_q).norm(), 1e-9 * by_q.norm());
  EXPECT_LT((by_v_again - by_v).norm(), 1e-9 * (1 + by_v.norm()));
  // What was zero by chance at one place is found at another.
  const Vec elsewhere = ladder.start.q + 0.1 * Vec::LinSpaced(layout.nq, -1, 1);
  columns(elsewhere, again, by_v_again);
  Vec dq = Vec::LinSpaced(layout.nq, 1, 2), along(layout.nv + layout.m);
  tangent.along(dq, Vec::Zero(layout.nv), along);
  EXPECT_LT((again * dq - along).norm(), 1e-8 * along.norm());
}

// ρᵢ = xᵢ² + xᵢ₊₁ sin xᵢ₋₁, and a spring between the ends that is slack at first.
TEST(ColumnGroups, SeeAnEntryThatWasZeroSoFar) {
  constexpr int n = 40;
  double stiffness = 0;
  Vec x = Vec::LinSpaced(n, 0.3, 1.7);
  const auto rho = [&](const Vec& at, Vec& out) {
    for (int i = 0; i < n; ++i)
      out[i] = at[i] * at[i] + at[(i + 1) % n] * std::sin(at[(i + n - 1) % n]) * (i > 0 && i < n - 1 ? 1 : 0);
    out[0] += stiffness * at[n / 2];
  };
  int evaluations = 0;
  Vec minus(n);
  const auto difference = [&](const Vec& delta, Vec& change) {
    evaluations += 2;
    const Vec ahead = x + delta, behind = x - delta;
    rho(ahead, change);
    rho(behind, minus);
    change -= minus;
  };
  const Vec steps = Vec::Constant(n, 6e-6);
  Vec delta(n), change(n), image(n);
  const auto full = [&] {
    Mat K(n, n);
    for (int j = 0; j < n; ++j) {
      delta = steps[j] * Vec::Unit(n, j);
      difference(delta, change);
      K.col(j) = change / (2 * steps[j]);
    }
    return K;
  };
  ColumnGroups groups;
  EXPECT_FALSE(groups.is_known());
  groups.learn(full());
  x.array() += 0.1;
  Mat K(n, n);
  evaluations = 0;
  ASSERT_TRUE(groups.differ(steps, difference, delta, change, image, K));
  EXPECT_LE(evaluations, 2 * 8);
  EXPECT_LT((K - full()).cwiseAbs().maxCoeff(), 1e-9);
  stiffness = 0.01;
  EXPECT_FALSE(groups.differ(steps, difference, delta, change, image, K));
  groups.learn(full());
  ASSERT_TRUE(groups.differ(steps, difference, delta, change, image, K));
  EXPECT_LT((K - full()).cwiseAbs().maxCoeff(), 1e-9);
}

// The blocks of a large system, several columns at a time, are those of one at a time.
TEST(ColumnGroups, GiveTheTangentOfALadder) {
  const ProblemRecord* record = find_problem("n-four-bar");
  const auto ladder = instantiate(*record, Options("problem", record->options, {{"N", "8"}}));
  const Results moved = simulate(*ladder.system, ladder.start, figures_only(0.3));
  const Choices choices = choose_methods("index3", "generalized-alpha", "none", {}, true);
  const auto made = choices.make_form(*ladder.system);
  auto& form = dynamic_cast<ResidualForm&>(*made);
  Statistics statistics;
  form.statistics = &statistics;
  DaePoint point = form.make_point();
  point.q = moved.final.q;
  point.v = moved.final.v;
  ASSERT_EQ(form.complete(point), Status::ok);
  DaeTangent one = form.make_tangent(), several = one;
  form.tangent(point, one);
  form.tangent(point, several);
  EXPECT_LT((one.K - several.K).cwiseAbs().maxCoeff(), 1e-7 * one.K.cwiseAbs().maxCoeff());
  EXPECT_LT((one.C - several.C).cwiseAbs().maxCoeff(), 1e-7 * (1 + one.C.cwiseAbs().maxCoeff()));
}

}  // namespace
}  // namespace driftless
