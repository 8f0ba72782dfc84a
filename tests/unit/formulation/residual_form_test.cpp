// Residual forms: zero where the motion is, blocks that are the derivatives of the residuals, rows at their levels.
#include "driftless/formulation/residual_form.hpp"

#include <random>

#include "driftless/integrator/choices.hpp"

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

}  // namespace
}  // namespace driftless
