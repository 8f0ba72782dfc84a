// Derivatives the forms know. Residual forms: zero where the motion is, blocks that are the derivatives of the residuals, rows
// at their levels. ODE forms: their Jacobians against differences of F, and the small solve by them against the full one.
#include "driftless/formulation/residual/residual_form.hpp"

#include <random>

#include <Eigen/LU>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/formulation/turning_form.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/integrator/implicit/ode_stages.hpp"
#include "driftless/system/tangents/tangent_columns.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

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
  Mat slip = Mat::Zero(nv, form_.slips());
  form_.slip_tangent(tangent, [&](int i, int j, double value) { slip(i, j) += value; });
  const int positions = form_.position_rows(), velocities = form_.velocity_rows();
  Vec predicted(measured.size());
  predicted << tangent.K * dq + tangent.C * dv + tangent.M * da + tangent.J.transpose() * dlambda, slip * dmu,
      (tangent.J * dq).head(positions), tangent.L * dq + (tangent.J * dv).tail(velocities);
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
    DenseJacobian dense;
    const Mat& A = dense.of(known, form->size());
    EXPECT_LT((A - expected).topLeftCorner(n, n).lpNorm<Eigen::Infinity>(), 1e-8 * size);

    Statistics statistics;
    OdeStages stages(*form, statistics);
    Vec F(y.size());
    EXPECT_EQ(stages.evaluate(0.1, y, F), Status::ok);
    EXPECT_EQ(stages.renew(0.1, y, F), Status::ok);
    for (const double c : {1e-8, 1e-3, 1.0}) {
      stages.factor(c);
      const Vec r = Vec::LinSpaced(y.size(), -1, 2);
      Vec d = r;
      EXPECT_EQ(stages.filter(d), Status::ok);
      const Vec full = (Mat::Identity(y.size(), y.size()) - c * A).partialPivLu().solve(r);
      EXPECT_LT((d - full).norm(), 1e-11 * full.norm() * (1 + c * A.norm())) << c;
      EXPECT_LT((d - c * (A * d) - r).norm(), 1e-11 * (r.norm() + c * A.norm() * d.norm())) << c;
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
  // q̇ = T v with T ≠ I: no second-order shape, but independent forms have their blocks, too.
  const auto disc = problem("rolling-disc");
  EXPECT_EQ(compare_jacobians(*disc.system, disc.start, "rolling-disc"), 7);
  const auto crank = assembled(model_file("spatial-slider-crank"));
  EXPECT_EQ(compare_jacobians(crank.system(), crank.start(), "spatial-slider-crank"), 7);
}

// With velocities in axes of the bodies (turning_form.hpp): ∂F/∂u, and ∂F/∂y along the motion, which keeps everything in shape.
TEST(FormJacobian, InAxesOfBodiesAgreesWithDifferencesOfF) {
  for (const char* name : {"heavy-top", "spatial-double-pendulum", "spatial-four-bar", "bricard"})
    for (const char* coordinates : {"euler-parameters", "natural"})
      for (const auto* record : formulation_records()) {
        const auto model = assembled(model_file(name), coordinates);
        if (record->kind != FormKind::ode) continue;
        const auto form = in_turning_axes(
            model.system(), record->make(model.system(), Options("", record->method.options, {})), true);
        if (form->turning_axes().vectors == nullptr) continue;
        form->drop_rows(redundant_rows(model.system(), model.start()));
        SCOPED_TRACE(std::string(name) + " " + coordinates + " " + record->method.name);
        Vec y(form->size());
        form->pack(model.start(), 0, y);
        if (!form->has_jacobian()) continue;
        FormJacobian known;
        ASSERT_EQ(form->jacobian(0, y, known), Status::ok);
        DenseJacobian dense;
        const Mat& A = dense.of(known, form->size());
        Vec F(y.size());
        ASSERT_EQ(form->derivative(0, y, F), Status::ok);
        const auto nq = model.system().layout().nq, nv = model.system().layout().nv, n = nq + nv;
        const auto along = [&](const Vec& direction) {
          const double h = 1e-4 / std::max(1.0, direction.lpNorm<Eigen::Infinity>());
          Vec sum = Vec::Zero(y.size()), out(y.size());
          constexpr double kWeights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
          for (int k = 1; k <= 4; ++k)
            for (const int sign : {1, -1}) {
              EXPECT_EQ(form->derivative(0, Vec(y + sign * k * h * direction), out), Status::ok);
              sum += sign * kWeights[k - 1] / h * out;
            }
          return sum;
        };
        const double size = A.topLeftCorner(n, n).lpNorm<Eigen::Infinity>();
        Vec motion = F;
        motion.tail(y.size() - n).setZero();
        EXPECT_LT((A * motion - along(motion)).head(n).lpNorm<Eigen::Infinity>(),
                  1e-7 * size * motion.lpNorm<Eigen::Infinity>());
        for (int j = 0; j < nv; ++j) {
          const Vec unit = Vec::Unit(y.size(), nq + j);
          EXPECT_LT((A.col(nq + j) - along(unit)).head(n).lpNorm<Eigen::Infinity>(), 1e-7 * size) << j;
        }
      }
}

// Articulated bodies never form M for their own solves; Jacobians have it formed.
TEST(FormJacobian, HasMFormedWhereTheSystemNeverDoes) {
  const auto chain = assembled(model_file("hanging-chain"), "relative");
  const auto& formed = dynamic_cast<const RelativeSystem<3>&>(chain.system());
  const RelativeSystem<3> articulated(formed.parts(), formed.shared_tree(),
                                      RelativeSystem<3>::Path::articulated);
  EXPECT_GT(compare_jacobians(formed, chain.start(), "formed"), 0);
  EXPECT_EQ(compare_jacobians(articulated, chain.start(), "articulated"), 2);  // lagrange, baumgarte
  const RunSetup setup = fixed(0.1, "sdirk4", 0.01);
  EXPECT_LT(max_difference(simulate(formed, chain.start(), setup).final.q,
                           simulate(articulated, chain.start(), setup).final.q),
            1e-11);
}

// ---- columns of tangents ------------------------------------------------------------------------------------------------

// A system of n springs in a ring whose structure nobody knows, and one more between its ends that may be slack:
//   fᵢ = −xᵢ² − xᵢ₊₁ sin xᵢ₋₁,   v₀ ẋ₁ in f₂
class Ring final : public DescriptorSystem {
 public:
  explicit Ring(int n) : DescriptorSystem(completed(sizes(n))) {}
  double stiffness = 0;
  mutable int evaluations = 0;

  void position(double, ConstVec, Terms&) const override {}
  void mass(double, ConstVec, Terms& terms) const override { terms.M.setIdentity(); }
  void bias(double, ConstVec, ConstVec, Terms&) const override {}
  void force(double, ConstVec q, ConstVec v, Terms& terms) const override {
    ++evaluations;
    const int n = layout_.nv;
    for (int i = 0; i < n; ++i)
      terms.f[i] = -q[i] * q[i] - (i > 0 && i < n - 1 ? q[i + 1] * std::sin(q[i - 1]) : 0.0);
    terms.f[0] -= stiffness * q[n / 2];
    terms.f[2] += v[0] * v[1];
  }

 private:
  static Layout sizes(int n) {
    Layout layout;
    layout.nq = layout.nv = n;
    return layout;
  }
};

TEST(TangentColumns, AreTakenTogetherAndSeeAnEntryThatWasZeroSoFar) {
  constexpr int n = 40;
  Ring ring(n);
  Terms terms = ring.make_terms();
  Vec q = Vec::LinSpaced(n, 0.3, 1.7);
  const Vec v = Vec::LinSpaced(n, 1, 2), a = Vec::Ones(n), lambda(0);
  const auto exact = [&] {
    Mat K = Mat::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      K(i, i) = 2 * q[i];
      if (i == 0 || i == n - 1) continue;
      K(i, i + 1) += std::sin(q[i - 1]);
      K(i, i - 1) += q[i + 1] * std::cos(q[i - 1]);
    }
    K(0, n / 2) += ring.stiffness;
    return K;
  };
  Tangents tangents = ring.make_tangents({.dynamics = true});
  const auto expect_right = [&](int most) {
    ring.evaluations = 0;
    ring.tangents(0, q, v, a, lambda, terms, tangents);
    EXPECT_LE(ring.evaluations, most);
    EXPECT_LT((Mat(tangents.K) - exact()).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(tangents.C.coeff(2, 1), -v[0], 1e-9);
    EXPECT_NEAR(tangents.C.coeff(2, 0), -v[1], 1e-9);
  };
  expect_right(4 * n);  // one by one, to see who meets whom
  q.array() += 0.1;
  expect_right(20);
  ring.stiffness = 0.01;
  expect_right(4 * n + 20);
  expect_right(22);
  EXPECT_LT(tangents.K.nonZeros(), 4 * n);

  Memory writes;
  tangents.keep(writes);
  Tangents again = ring.make_tangents({.dynamics = true});
  Memory reads(writes.written());
  again.keep(reads);
  EXPECT_TRUE(reads.is_read());
  ring.evaluations = 0;
  ring.tangents(0, q, v, a, lambda, terms, again);
  EXPECT_LE(ring.evaluations, 22);
  EXPECT_EQ(Mat(again.K), Mat(tangents.K));
}

// What a system knows of its structure is never asked for.
TEST(TangentColumns, OfALadderAreSparse) {
  const auto ladder = instantiate(*find_problem("n-four-bar"),
                                  Options("problem", find_problem("n-four-bar")->options, {{"N", "40"}}));
  const DescriptorSystem& system = *ladder.system;
  const Layout& layout = system.layout();
  const Vec a = Vec::LinSpaced(layout.nv, -1, 1), lambda = Vec::LinSpaced(layout.m, -2, 1);
  Tangents tangents = system.make_tangents({.dynamics = true, .velocity = true, .acceleration = true});
  Terms terms = system.make_terms();
  const Vec q = ladder.start.q + 0.1 * Vec::LinSpaced(layout.nq, -1, 1), v = ladder.start.v;
  system.tangents(0, q, v, a, lambda, terms, tangents);
  EXPECT_LT(tangents.K.nonZeros(), 40 * layout.nv);
  EXPECT_LT(tangents.S_q.nonZeros(), 10 * layout.nv);
  MotionPoint at{0, q, v, a, lambda};
  DifferenceScratch scratch(layout);
  MotionChange change{Vec(layout.nv), Vec(layout.m), Vec(layout.m)};
  const Vec dq = Vec::LinSpaced(layout.nv, 1, 2), dv = Vec::LinSpaced(layout.nv, -2, 1);
  difference_along(system, at, dq, dv, tangents.parts, terms, scratch, change);
  EXPECT_LT((tangents.K * dq + tangents.C * dv - change.rho).norm(), 1e-7 * change.rho.norm());
  EXPECT_LT((tangents.L * dq - change.r).norm(), 1e-7 * (1 + change.r.norm()));
  EXPECT_LT((tangents.S_q * dq + tangents.S_v * dv - change.sigma).norm(), 1e-7 * (1 + change.sigma.norm()));
}

// Found by tools/fuzz (seed 40001884): a top on a ball joint has no rows in relative coordinates, and quaternions.
TEST(FormJacobian, OfSystemsWithoutRows) {
  const auto top = assembled(model_file("heavy-top"), "relative");
  ASSERT_EQ(top.system().layout().m, 0);
  for (const char* integrator : {"trapezoidal", "sdirk4", "radau-iia5", "bdf"}) {
    RunSetup setup = figures_only(0.05);
    setup.integrator = integrator;
    EXPECT_TRUE(simulate(top.system(), top.start(), setup).good()) << integrator;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
