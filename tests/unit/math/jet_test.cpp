// Jets against closed forms, against Eigen's AutoDiffScalar, and against each other when nested.
#include "driftless/math/jet.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <unsupported/Eigen/AutoDiff>

namespace driftless {
namespace DRIFTLESS_FILE {

// A derivative is a handful of operations away from the closed form: a few units in the last place, relative
// to its own size or to 1 where cancellation makes it small.
constexpr double kRoundoff = 64 * std::numeric_limits<double>::epsilon();

#define EXPECT_CLOSE(a, b) EXPECT_NEAR((a), (b), kRoundoff * (1 + std::abs(b)))

// f, f', f'' in closed form; `f` also takes jets.
template <class F, class D1, class D2>
void expect_derivatives(const std::string& name, F f, D1 d1, D2 d2, const std::vector<double>& points) {
  for (const double x : points) {
    SCOPED_TRACE(name + " at " + std::to_string(x));
    const Dual<double, 2> dual = f(Dual<double, 2>::variable(x, 1));
    EXPECT_CLOSE(dual.v, f(x));
    EXPECT_EQ(dual.d[0], 0);
    EXPECT_CLOSE(dual.d[1], d1(x));

    const double xdot = 0.7, xddot = -1.3;
    const Taylor2<double> taylor = f(Taylor2<double>(x, xdot, xddot));
    EXPECT_CLOSE(taylor.v, f(x));
    EXPECT_CLOSE(taylor.d1, d1(x) * xdot);
    EXPECT_CLOSE(taylor.d2, d2(x) * xdot * xdot + d1(x) * xddot);

    // Second derivative once more, by nesting: ∂/∂x of f'(x) by a Dual of a Dual.
    Dual<Dual<double, 1>, 1> nested(Dual<double, 1>::variable(x, 0));
    nested.d[0] = 1.0;
    nested = f(nested);
    EXPECT_CLOSE(nested.d[0].d[0], d2(x));
  }
}

#define FUNCTION(expression) [](const auto& x) { return expression; }

TEST(Jet, ElementaryFunctionsHaveTheirClosedFormDerivatives) {
  const std::vector<double> any = {-1.7, -0.3, 0.0, 0.2, 1.1, 3.0}, positive = {0.1, 1.0, 2.3},
                            unit = {-0.9, 0.0, 0.6};
  expect_derivatives("sin", FUNCTION(sin(x)), FUNCTION(cos(x)), FUNCTION(-sin(x)), any);
  expect_derivatives("cos", FUNCTION(cos(x)), FUNCTION(-sin(x)), FUNCTION(-cos(x)), any);
  expect_derivatives("tan", FUNCTION(tan(x)), FUNCTION(1 / (cos(x) * cos(x))),
                     FUNCTION(2 * sin(x) / (cos(x) * cos(x) * cos(x))), {-1.1, 0.0, 0.4});
  expect_derivatives("asin", FUNCTION(asin(x)), FUNCTION(1 / sqrt(1 - x * x)),
                     FUNCTION(x / pow(1 - x * x, 1.5)), unit);
  expect_derivatives("acos", FUNCTION(acos(x)), FUNCTION(-1 / sqrt(1 - x * x)),
                     FUNCTION(-x / pow(1 - x * x, 1.5)), unit);
  expect_derivatives("atan", FUNCTION(atan(x)), FUNCTION(1 / (1 + x * x)),
                     FUNCTION(-2 * x / ((1 + x * x) * (1 + x * x))), any);
  expect_derivatives("sinh", FUNCTION(sinh(x)), FUNCTION(cosh(x)), FUNCTION(sinh(x)), any);
  expect_derivatives("cosh", FUNCTION(cosh(x)), FUNCTION(sinh(x)), FUNCTION(cosh(x)), any);
  expect_derivatives("tanh", FUNCTION(tanh(x)), FUNCTION(1 / (cosh(x) * cosh(x))),
                     FUNCTION(-2 * sinh(x) / (cosh(x) * cosh(x) * cosh(x))), any);
  expect_derivatives("exp", FUNCTION(exp(x)), FUNCTION(exp(x)), FUNCTION(exp(x)), any);
  expect_derivatives("log", FUNCTION(log(x)), FUNCTION(1 / x), FUNCTION(-1 / (x * x)), positive);
  expect_derivatives("sqrt", FUNCTION(sqrt(x)), FUNCTION(0.5 / sqrt(x)), FUNCTION(-0.25 / (x * sqrt(x))),
                     positive);
  expect_derivatives("abs", FUNCTION(abs(x)), FUNCTION(x < 0 ? -1.0 : 1.0), FUNCTION(0 * x), any);
  expect_derivatives("fabs", FUNCTION(fabs(x)), FUNCTION(x < 0 ? -1.0 : 1.0), FUNCTION(0 * x), any);
}

TEST(Jet, PowersHoldAtZeroAndForNegativeBases) {
  const std::vector<double> any = {-1.7, -0.3, 0.0, 0.2, 1.1};
  expect_derivatives("x^0", FUNCTION(pow(x, 0)), FUNCTION(0 * x), FUNCTION(0 * x), any);
  expect_derivatives("x^1", FUNCTION(pow(x, 1)), FUNCTION(0 * x + 1), FUNCTION(0 * x), any);
  expect_derivatives("x^2", FUNCTION(pow(x, 2)), FUNCTION(2 * x), FUNCTION(0 * x + 2), any);
  expect_derivatives("x^3", FUNCTION(pow(x, 3.0)), FUNCTION(3 * x * x), FUNCTION(6 * x), any);
  expect_derivatives("x^2.5", FUNCTION(pow(x, 2.5)), FUNCTION(2.5 * pow(x, 1.5)),
                     FUNCTION(3.75 * pow(x, 0.5)), {0.0, 0.3, 2.0});
  expect_derivatives("x^-2", FUNCTION(pow(x, -2)), FUNCTION(-2 / (x * x * x)), FUNCTION(6 / (x * x * x * x)),
                     {-0.6, 1.2});
  expect_derivatives("2^x", FUNCTION(pow(2.0, x)), FUNCTION(std::log(2.0) * pow(2.0, x)),
                     FUNCTION(std::log(2.0) * std::log(2.0) * pow(2.0, x)), any);
  expect_derivatives("0^x", FUNCTION(pow(0.0, x)), FUNCTION(0 * x), FUNCTION(0 * x), {0.5, 2.0});
  expect_derivatives("x^x", FUNCTION(pow(x, x)), FUNCTION(pow(x, x) * (log(x) + 1)),
                     FUNCTION(pow(x, x) * ((log(x) + 1) * (log(x) + 1) + 1 / x)), {0.4, 1.0, 1.9});
  // A constant wrapped in a jet is still a constant exponent: any base will do.
  expect_derivatives(
      "x^S(2)", [](const auto& x) { return pow(x, std::decay_t<decltype(x)>(2)); }, FUNCTION(2 * x),
      FUNCTION(0 * x + 2), any);
}

TEST(Jet, PoleOfSqrtIsNotHidden) {
  const auto root = sqrt(Dual<double, 1>::variable(0, 0));
  EXPECT_EQ(root.v, 0);
  EXPECT_TRUE(std::isinf(root.d[0]));
}

// Operators in every mix of jet and constant.
TEST(Jet, ArithmeticMixesWithConstantsOnBothSides) {
  const std::vector<double> points = {-1.3, 0.4, 2.2};
  expect_derivatives("linear", FUNCTION(3 - 2 * x + x / 4 - 1 + (+x)), FUNCTION(0 * x - 0.75),
                     FUNCTION(0 * x), points);
  expect_derivatives("s/x", FUNCTION(3 / x), FUNCTION(-3 / (x * x)), FUNCTION(6 / (x * x * x)), points);
  expect_derivatives("x/(1+x²)", FUNCTION(x / (1 + x * x)),
                     FUNCTION((1 - x * x) / ((1 + x * x) * (1 + x * x))),
                     FUNCTION(2 * x * (x * x - 3) / ((1 + x * x) * (1 + x * x) * (1 + x * x))), points);
  expect_derivatives(
      "compound assignment",
      [](auto x) {
        x += 1;
        x *= 2.0;
        x -= 3;
        x /= 4.0;
        x *= x;  // aliased: ((2x − 1)/4)²
        return x;
      },
      FUNCTION((2 * x - 1) / 4), FUNCTION(0 * x + 0.5), points);
  expect_derivatives(
      "aliased quotient",
      [](auto x) {
        const auto& same = x;
        x /= same;
        return x;
      },
      FUNCTION(0 * x), FUNCTION(0 * x), points);
  expect_derivatives(
      "aliased difference",
      [](auto x) {
        const auto& same = x;
        x -= same;
        return x;
      },
      FUNCTION(0 * x), FUNCTION(0 * x), points);
}

TEST(Jet, ComparisonsLookAtValues) {
  using D = Dual<Taylor2<double>, 3>;
  const D one = D::variable(1.0, 0), two(2.0);
  EXPECT_TRUE(one < two && one < 2 && 1.5 < two && one <= 1.0 && two >= one && two > 1 && one == 1.0 &&
              one != two);
  EXPECT_FALSE(one > two || one == 2);
  EXPECT_EQ(value_of(std::max(one, two)), 2);
  EXPECT_FALSE(D(std::nan("")) < one || D(std::nan("")) == one);
  EXPECT_EQ(value_of(one < 2 ? one : 0.0), 1);
}

TEST(Jet, ConstantsAreRecognisedAtAnyDepth) {
  EXPECT_TRUE(is_constant(Taylor2<Dual<double, 4>>(3.0)));
  EXPECT_FALSE(is_constant(Taylor2<Dual<double, 4>>(Dual<double, 4>::variable(3.0, 2))));
  EXPECT_FALSE(is_constant(Taylor2<double>(1, 0, 2)));
}

// ---- against AutoDiffScalar -------------------------------------------------------------------------------

// Something like a constraint: products, quotients, roots and angles of three variables.
template <class S>
S kernel(const S* x) {
  using std::atan2, std::cos, std::exp, std::sin, std::sqrt;
  const S r = sqrt(x[0] * x[0] + x[1] * x[1] + 1.0);
  return atan2(S(x[1] * r), S(x[0] + 3.0)) * sin(x[2]) / (2.0 + cos(S(x[0] * x[2]))) -
         exp(S(-x[1] / r)) * x[2];
}

using Outer = Eigen::AutoDiffScalar<Eigen::Matrix<Eigen::AutoDiffScalar<Eigen::Vector3d>, 3, 1>>;

TEST(Jet, GradientsAndHessiansAgreeWithAutoDiffScalar) {
  const double points[][3] = {{0.3, -0.8, 1.1}, {2.0, 0.1, -0.4}, {-1.0, 1.5, 0.0}};
  for (const auto& at : points) {
    Outer y[3];
    Dual<Dual<double, 3>, 3> x[3];
    for (int i = 0; i < 3; ++i) {
      y[i].value() = Eigen::AutoDiffScalar<Eigen::Vector3d>(at[i], 3, i);
      for (int j = 0; j < 3; ++j) {
        y[i].derivatives()[j].value() = i == j;
        y[i].derivatives()[j].derivatives().setZero();
      }
      x[i] = Dual<double, 3>::variable(at[i], i);
      x[i].d[static_cast<size_t>(i)] = 1.0;
    }
    const Outer oracle = kernel(y);
    const auto ours = kernel(x);
    EXPECT_CLOSE(value_of(ours), oracle.value().value());
    for (int i = 0; i < 3; ++i) {
      const auto row = static_cast<size_t>(i);
      EXPECT_CLOSE(ours.v.d[row], oracle.value().derivatives()[i]);
      for (int j = 0; j < 3; ++j)
        EXPECT_CLOSE(ours.d[row].d[static_cast<size_t>(j)], oracle.derivatives()[i].derivatives()[j]);
    }

    // Taylor2 along (ẋ, ẍ): ẋᵀ H ẋ + ∇ᵀ ẍ with the oracle's gradient and Hessian.
    const Eigen::Vector3d xdot(0.4, -1.2, 0.9), xddot(-0.6, 0.2, 1.7);
    Taylor2<double> line[3];
    for (int i = 0; i < 3; ++i) line[i] = {at[i], xdot[i], xddot[i]};
    const Taylor2<double> along = kernel(line);
    double first = 0, second = 0;
    for (int i = 0; i < 3; ++i) {
      first += oracle.value().derivatives()[i] * xdot[i];
      second += oracle.value().derivatives()[i] * xddot[i];
      for (int j = 0; j < 3; ++j) second += oracle.derivatives()[i].derivatives()[j] * xdot[i] * xdot[j];
    }
    EXPECT_CLOSE(along.d1, first);
    EXPECT_CLOSE(along.d2, second);
  }
}

// ---- nesting ----------------------------------------------------------------------------------------------

TEST(Jet, NestingOrderDoesNotMatter) {
  const double at[3] = {0.3, -0.8, 1.1}, xdot[3] = {0.4, -1.2, 0.9}, xddot[3] = {-0.6, 0.2, 1.7};
  Dual<Taylor2<double>, 3> outside[3];
  Taylor2<Dual<double, 3>> inside[3];
  for (int i = 0; i < 3; ++i) {
    outside[i] = Dual<Taylor2<double>, 3>::variable({at[i], xdot[i], xddot[i]}, i);
    inside[i] = {Dual<double, 3>::variable(at[i], i), xdot[i], xddot[i]};
  }
  const auto a = kernel(outside);
  const auto b = kernel(inside);
  EXPECT_CLOSE(a.v.d2, b.d2.v);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_CLOSE(a.d[i].v, b.v.d[i]);
    EXPECT_CLOSE(a.d[i].d1, b.d1.d[i]);
    EXPECT_CLOSE(a.d[i].d2, b.d2.d[i]);
  }
}

TEST(Jet, ThirdDerivativesOfACubicAreExact) {
  // g = x²y along a straight line: g̈ = 2 ẋ² y + 4 x ẋ ẏ.
  using S = Dual<Taylor2<double>, 2>;
  const S x = S::variable({3, 5, 0}, 0), y = S::variable({2, 7, 0}, 1);
  const S g = 2 * x * x * y / 2;
  EXPECT_EQ(g.v.d2, 2 * 5 * 5 * 2 + 4 * 3 * 5 * 7);
  EXPECT_EQ(g.d[0].d2, 4 * 5 * 7);  // ∂/∂x
  EXPECT_EQ(g.d[1].d2, 2 * 5 * 5);  // ∂/∂y
}

TEST(Jet, InnerJetsMixWithOuterOnes) {
  using T = Taylor2<double>;
  const T inner(2, 1, 0);
  const auto x = Dual<T, 4>::variable(inner, 3);
  const Dual<T, 4> sum = inner * x + x / inner - inner;
  EXPECT_EQ(sum.v.v, 2 * 2 + 1 - 2);
  EXPECT_EQ(sum.d[3].v, 2.5);
  EXPECT_EQ(value_of(pow(Taylor2<Dual<double, 4>>(3), 2)), 9);
  EXPECT_EQ(value_of(atan2(x, 2.0)), std::atan2(2, 2));
  EXPECT_EQ(value_of(atan2(0.0, x)), 0);
  EXPECT_EQ(value_of(hypot(x, 0)) + value_of(hypot(0, x)) + value_of(hypot(x, x)), 4 + std::sqrt(8));
}

// ---- angles over the whole circle -------------------------------------------------------------------------

TEST(Jet, Atan2GivesTheTurningRateInEveryQuadrant) {
  for (int k = 0; k < 12; ++k) {
    const double angle = -3.1 + 0.5 * k, rate = 1.7, growth = -0.4;
    const Taylor2<double> phi(angle, rate, 0.3), r(2, growth, 0.8);
    const auto back = atan2(r * sin(phi), r * cos(phi));
    EXPECT_CLOSE(back.v, angle);
    EXPECT_CLOSE(back.d1, rate);
    EXPECT_CLOSE(back.d2, 0.3);
    const auto dual =
        atan2(Dual<double, 2>::variable(std::sin(angle), 0), Dual<double, 2>::variable(std::cos(angle), 1));
    EXPECT_CLOSE(dual.d[0], std::cos(angle));
    EXPECT_CLOSE(dual.d[1], -std::sin(angle));
  }
}

// ---- Eigen ------------------------------------------------------------------------------------------------

TEST(Jet, WorksAsAnEigenScalar) {
  using S = Dual<double, 3>;
  Eigen::Matrix<S, 3, 1> x;
  for (int i = 0; i < 3; ++i) x[i] = S::variable(i + 1.0, i);
  Eigen::Matrix<S, 3, 3> A;
  A.setIdentity();
  A(0, 1) = 2.0;
  const S energy =
      x.dot(A * x) * 0.5 + x.cross(Eigen::Matrix<S, 3, 1>(1.0, 0.0, 0.0)).norm() + (2.0 * x - x / 4.0).sum();
  EXPECT_CLOSE(energy.v, 0.5 * (14 + 4) + std::sqrt(13.0) + 1.75 * 6);
  EXPECT_CLOSE(energy.d[0], 1 + 2 + 1.75);
  EXPECT_CLOSE(energy.d[1], 2 + 1 + 2 / std::sqrt(13.0) + 1.75);
  EXPECT_CLOSE(energy.d[2], 3 + 3 / std::sqrt(13.0) + 1.75);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
