#include "driftless/core/expression/expression.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

constexpr double kPi = std::numbers::pi;
constexpr double kRoundoff = 1e-14;  // a handful of operations, relative

double value(const std::string& text, double t = 0.0) { return Expression(text)(t); }

// The message of the error, or what went wrong instead.
std::string complaint(const std::string& text) {
  try {
    const Expression e(text);
    return "no error, value " + std::to_string(e(0.0));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Expression, PrecedenceAndAssociativity) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("10-4-3"), 3);
  EXPECT_EQ(value("24/4/3"), 2);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**3**2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-2^2"), 1.0 / 16);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("+-+3"), -3);
  EXPECT_EQ(value("3*2^2"), 12);
  EXPECT_EQ(value("1+1<3"), 1);
  EXPECT_EQ(value(" \t1\n+\r 2 "), 3);
}

TEST(Expression, NumbersAndConstants) {
  EXPECT_EQ(value("1.5e-3"), 1.5e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("1E+2"), 100);
  EXPECT_EQ(value("2*pi"), 2 * kPi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("2*e"), 2 * std::numbers::e);  // not an exponent
}

TEST(Expression, Functions) {
  EXPECT_EQ(value("atan2(1,-1)"), std::atan2(1, -1));
  EXPECT_EQ(value("pow(2,10)"), 1024);
  EXPECT_EQ(value("min(3,1,2)"), 1);
  EXPECT_EQ(value("max(3,1,7,2)"), 7);
  EXPECT_EQ(value("sign(-3)+sign(0)+10*sign(5)"), 9);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("log(e)+log10(1000)"), 4);
  EXPECT_EQ(value("step(-1e-300)"), 0);
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("if(2>1,3,4)"), 3);
  EXPECT_EQ(value("if(2!=2,3,4)"), 4);
  EXPECT_EQ(value("(t>=1)*(t<2)", 1), 1);
  EXPECT_EQ(value("(t>=1)*(t<2)", 2), 0);
  EXPECT_EQ(value("if(t==0,1,sin(t)/t)", 0), 1);
}

TEST(Expression, IsConstantWhenTimeDoesNotOccur) {
  EXPECT_TRUE(Expression("2*sin(pi/3)+if(1<2,3,4)").is_constant());
  EXPECT_FALSE(Expression("t").is_constant());
  EXPECT_FALSE(Expression("2+0*t").is_constant());
  EXPECT_EQ(Expression(" 1 + t ").text(), " 1 + t ");
}

// Value against C++, derivatives against central differences of the next lower exact quantity.
struct Case {
  std::string text;
  std::function<double(double)> f;
  double low, high;  // where it is smooth
};

class ExpressionDerivatives : public ::testing::TestWithParam<Case> {};

TEST_P(ExpressionDerivatives, AgreeWithDifferencesAtRandomTimes) {
  const auto& [text, f, low, high] = GetParam();
  const Expression e(text);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> time(low, high);
  for (int i = 0; i < 200; ++i) {
    const double t = time(random), h = 1e-5;
    const Derivatives x = e.at(t), right = e.at(t + h), left = e.at(t - h);
    EXPECT_NEAR(x.value, f(t), kRoundoff * (1 + std::abs(f(t)))) << text << " at " << t;
    // Central differences: h² x'''/6 + ε x/h, for functions of size and time scale one.
    const double scale = 1 + std::abs(x.value) + std::abs(x.rate) + std::abs(x.acceleration);
    EXPECT_NEAR(x.rate, (right.value - left.value) / (2 * h), 1e-8 * scale) << text << " at " << t;
    EXPECT_NEAR(x.acceleration, (right.rate - left.rate) / (2 * h), 1e-8 * scale) << text << " at " << t;
    const Derivatives from_left = e.limit(t, Side::left), from_right = e.limit(t, Side::right);
    EXPECT_NEAR(from_left.value, from_right.value, 1e-13 * scale) << text << " at " << t;
    EXPECT_NEAR(from_left.acceleration, from_right.acceleration, 1e-12 * scale) << text << " at " << t;
  }
}

const Case kCases[] = {
    {"3*t^3-2*t+1", [](double t) { return 3 * t * t * t - 2 * t + 1; }, -2, 2},
    {"sin(3*t+1)*cos(t)", [](double t) { return std::sin(3 * t + 1) * std::cos(t); }, -5, 5},
    {"tan(t/2)", [](double t) { return std::tan(t / 2); }, -2, 2},
    {"asin(t/2)+acos(t^2/9)", [](double t) { return std::asin(t / 2) + std::acos(t * t / 9); }, -1.5, 1.5},
    {"atan(t^2)", [](double t) { return std::atan(t * t); }, -3, 3},
    {"atan2(sin(t),2+cos(t))", [](double t) { return std::atan2(std::sin(t), 2 + std::cos(t)); }, -9, 9},
    {"sinh(t)/cosh(2*t)+tanh(t)", [](double t) { return std::sinh(t) / std::cosh(2 * t) + std::tanh(t); }, -2,
     2},
    {"exp(-t^2)*log(3+t)", [](double t) { return std::exp(-t * t) * std::log(3 + t); }, -2, 2},
    {"log10(t)/sqrt(t)", [](double t) { return std::log10(t) / std::sqrt(t); }, 0.5, 4},
    {"t^t", [](double t) { return std::pow(t, t); }, 0.5, 2.5},
    {"2^t", [](double t) { return std::pow(2, t); }, -2, 2},
    {"(1+t^2)^1.5", [](double t) { return std::pow(1 + t * t, 1.5); }, -2, 2},
    {"pow(t,-3)", [](double t) { return std::pow(t, -3); }, -3, -1},
    {"pow(t-10,3)", [](double t) { return std::pow(t - 10, 3); }, 9, 11},
    {"1/(1+1/(1+t^2))", [](double t) { return 1 / (1 + 1 / (1 + t * t)); }, -3, 3},
    {"abs(t)*t-min(t,-7)+max(t,9)*step(t)", [](double t) { return -t * t + 7; }, -5, -0.1},
    {"if(t<5,sin(t),log(-t))", [](double t) { return std::sin(t); }, 0, 4},
    {"-(2-t)/-t", [](double t) { return (2 - t) / t; }, 1, 2},
};

INSTANTIATE_TEST_SUITE_P(Functions, ExpressionDerivatives, ::testing::ValuesIn(kCases));

TEST(Expression, PowersAtZeroAndBelow) {
  const Derivatives square = Expression("t^2").at(0);
  EXPECT_EQ(square.value, 0);
  EXPECT_EQ(square.rate, 0);
  EXPECT_EQ(square.acceleration, 2);
  const Derivatives line = Expression("t^1").at(0);
  EXPECT_EQ(line.rate, 1);
  EXPECT_EQ(line.acceleration, 0);
  const Derivatives one = Expression("t^0").at(0);
  EXPECT_EQ(one.value, 1);
  EXPECT_EQ(one.rate, 0);
  EXPECT_EQ(one.acceleration, 0);
  const Derivatives cube = Expression("t^3").at(-2);
  EXPECT_EQ(cube.value, -8);
  EXPECT_EQ(cube.rate, 12);
  EXPECT_EQ(cube.acceleration, -12);
  const Derivatives alternating = Expression("(-1)^floor(t)").at(3.5);
  EXPECT_EQ(alternating.value, -1);
  EXPECT_EQ(alternating.rate, 0);
}

TEST(Expression, FlatPiecesHaveNoSpuriousNan) {
  const Derivatives flat = Expression("sqrt(max(t-1,0))").at(0.5);
  EXPECT_EQ(flat.value, 0);
  EXPECT_EQ(flat.rate, 0);
  EXPECT_EQ(flat.acceleration, 0);
  EXPECT_EQ(Expression("max(t-1,0)^1.5").at(0.5).acceleration, 0);
  EXPECT_EQ(Expression("max(t-1,0)^t").at(0.5).rate, 0);
}

TEST(Expression, OutsideTheDomainIsNan) {
  for (const char* text : {"sqrt(t)", "log(t)", "asin(t-3)", "t^0.5", "if(sqrt(t)<1,1,2)", "abs(log(t))",
                           "min(1,sqrt(t))", "floor(sqrt(t))", "if(log(t),1,1)", "sqrt(t)^0", "sqrt(t)==2"}) {
    const Derivatives x = Expression(text).at(-1);
    EXPECT_TRUE(std::isnan(x.value)) << text;
    EXPECT_TRUE(Expression(text).break_times(-2, -1).empty()) << text;
  }
}

TEST(Expression, LimitsAtASwitch) {
  struct Expected {
    const char* text;
    double written, left, right;
  };
  // At t = 1, where the written value may belong to either side or to neither.
  for (const auto& [text, written, left, right] :
       {Expected{"step(t-1)", 1, 0, 1}, Expected{"step(1-t)", 1, 1, 0}, Expected{"if(t<1,2,3)", 3, 2, 3},
        Expected{"if(t<=1,2,3)", 2, 2, 3}, Expected{"if(t>1,2,3)", 3, 3, 2}, Expected{"sign(t-1)", 0, -1, 1},
        Expected{"floor(t)", 1, 0, 1}, Expected{"floor(-t)", -1, -1, -2},
        Expected{"atan2(1-t,-1)", kPi, kPi, -kPi}, Expected{"step((t-1)^2)", 1, 1, 1},
        Expected{"step(-(t-1)^2)", 1, 0, 0}}) {
    const Expression e(text);
    EXPECT_EQ(e(1), written) << text;
    EXPECT_NEAR(e.limit(1, Side::left).value, left, kRoundoff) << text;
    EXPECT_NEAR(e.limit(1, Side::right).value, right, kRoundoff) << text;
  }
  EXPECT_EQ(Expression("abs(t-1)").limit(1, Side::left).rate, -1);
  EXPECT_EQ(Expression("abs(t-1)").limit(1, Side::right).rate, 1);
  EXPECT_EQ(Expression("max(2*t,t+1)").limit(1, Side::left).rate, 1);
  EXPECT_EQ(Expression("max(2*t,t+1)").limit(1, Side::right).rate, 2);
}

TEST(Expression, GuardedSingularityStaysFinite) {
  EXPECT_EQ(Expression("if(t>0,sin(t)/t,1)").limit(0, Side::right).value, 1);
  EXPECT_EQ(Expression("if(t<=0,1,sin(t)/t)").limit(0, Side::right).value, 1);
  EXPECT_EQ(Expression("if(t==0,1,sin(t)/t)").limit(0, Side::right).value, 1);
}

void expect_breaks(const std::string& text, double t0, double t1, const std::vector<double>& expected) {
  const std::vector<double> found = Expression(text).break_times(t0, t1);
  ASSERT_EQ(found.size(), expected.size()) << text << ": " << ::testing::PrintToString(found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 4e-15 * (1 + std::abs(expected[i]))) << text;
  }
}

TEST(Expression, BreakTimes) {
  expect_breaks("sin(t)", 0, 10, {});
  expect_breaks("step(t-1)", 0, 10, {1});
  expect_breaks("step(1-t)", 0, 10, {1});
  expect_breaks("sign(t-1)", 0, 10, {1});
  expect_breaks("abs(sin(t))", 0.5, 7, {kPi, 2 * kPi});
  expect_breaks("floor(2*t)", 0, 2.2, {0.5, 1, 1.5, 2});
  expect_breaks("floor(-t)", 0, 2.5, {1, 2});
  expect_breaks("max(t,2-t)+min(t,5)", 0, 10, {1, 5});
  expect_breaks("if(t<1,0,if(t<2,1,0))", 0, 10, {1, 2});
  expect_breaks("(t>=1)*(t<2)", 0, 10, {1, 2});
  expect_breaks("if(sin(t)>0.5,1,0)", 0, 3, {kPi / 6, 5 * kPi / 6});
  expect_breaks("atan2(sin(t),cos(t))", 0, 7, {kPi});
  expect_breaks("abs(t)", -1, 1, {0});
  expect_breaks("if(t<1,sqrt(1-t),5)", 0, 2, {1});
  expect_breaks("if(t<1,sqrt(1-t),0)", 0, 2, {1});
  expect_breaks("1e9+step(t-0.3)", 0, 1, {0.3});
}

TEST(Expression, BreakTimesLieStrictlyInside) {
  expect_breaks("step(t-1)", 1, 2, {});
  expect_breaks("step(1-t)", 1, 2, {});
  expect_breaks("step(t-1)", 0, 1, {});
  expect_breaks("step(-t)", 0, 1, {});
  expect_breaks("step(t-1)", 2, 0, {});
  expect_breaks("if(t>0,sin(t)/t,1)", 0, 1, {});
}

TEST(Expression, BreakTimesWithoutEffectAreNotListed) {
  expect_breaks("if(t<1,step(t-2),0)", 0, 10, {});
  expect_breaks("if(t<1,t,t)", 0, 10, {});
  expect_breaks("max(t-1,0)^3", 0, 10, {});  // C²
  expect_breaks("max(t-1,0)^2", 0, 10, {1});
}

TEST(Expression, SeveralSwitchesAtOneInstantMakeOneBreak) {
  expect_breaks("step(t-0.3)+abs(10*t-3)+if(t/3>0.1,5,0)", 0, 1, {0.3});
  const Expression e("step(t-0.3)+step(10*t-3)+step(t/3-0.1)+step(3*t-0.9)");
  const std::vector<double> breaks = e.break_times(0, 1);
  ASSERT_EQ(breaks.size(), 1u);
  EXPECT_EQ(e.limit(breaks[0], Side::left).value, 0);
  EXPECT_EQ(e.limit(breaks[0], Side::right).value, 4);
}

TEST(Expression, NarrowPulseBetweenTwoSamplesIsFound) {
  // Samples are 0.01 apart; the argument turns between two of them.
  expect_breaks("step(0.001-abs(t-5.005))", 0, 10, {5.004, 5.006});
}

// Switching faster than the samples, also where they hit the same phase every time: cos(2 pi 100 t) is 1 at
// all of the 1001 samples of [0, 10].
TEST(Expression, FastSwitchesAreResolved) {
  EXPECT_EQ(Expression("sign(sin(100*t))").break_times(0, 10).size(), 318u);
  EXPECT_EQ(Expression("sign(sin(100*t))").break_times(0, 100).size(), 3183u);
  EXPECT_EQ(Expression("sign(sin(100*t))").break_times(0, 1000).size(), 31830u);
  EXPECT_EQ(Expression("sign(cos(2*pi*100*t))").break_times(0, 10).size(), 2000u);
  EXPECT_EQ(Expression("sign(sin(2*pi*100*t))").break_times(0.001, 10.001).size(), 2000u);
  EXPECT_EQ(Expression("if(sin(1000*t)>0.9,1,0)").break_times(0, 10).size(), 3184u);
  EXPECT_EQ(Expression("floor(2.5*sin(2*pi*50*t))").break_times(0.001, 20.001).size(),
            10'000u);  // 10 a period
}

TEST(Expression, BreakIsExactlyWhereTheStateChanges) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> time(0, 10);
  for (int i = 0; i < 50; ++i) {
    const double b = time(random);
    const Expression e("if(t<" + std::to_string(b) + ",t,5-t)");
    const std::vector<double> breaks = e.break_times(-0.5, 10.5);
    ASSERT_EQ(breaks.size(), 1u);
    EXPECT_EQ(breaks[0], std::stod(std::to_string(b)));
    EXPECT_EQ(e.limit(breaks[0], Side::left).rate, 1);
    EXPECT_EQ(e.limit(breaks[0], Side::right).rate, -1);
  }
}

TEST(Expression, BreakSearchRefusesWhatItCanNotDo) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Expression("step(t)").break_times(0, infinity), std::invalid_argument);
  EXPECT_THROW(Expression("floor(1e9*t)").break_times(0, 10), std::invalid_argument);
  EXPECT_TRUE(Expression("sin(t)").break_times(0, infinity).empty());
  EXPECT_TRUE(Expression("step(t)").break_times(0, std::nan("")).empty());
}

TEST(ExpressionErrors, SayColumnExpectedAndFound) {
  EXPECT_EQ(complaint("2*sine(t)"),
            "expression '2*sine(t)': column 3: unknown name 'sine'; did you mean 'sin'?");
  EXPECT_EQ(complaint("Sin(t)"), "expression 'Sin(t)': column 1: unknown name 'Sin'; did you mean 'sin'?");
  EXPECT_EQ(complaint("1+"),
            "expression '1+': column 3: expected a number, a name, '-' or '(', found the end");
  EXPECT_EQ(complaint(""), "expression '': column 1: expected a number, a name, '-' or '(', found the end");
  EXPECT_EQ(complaint("2*t)"), "expression '2*t)': column 4: expected an operator or the end, found ')'");
  EXPECT_TRUE(contains(complaint("x+1"), "column 1: unknown name 'x'; known are 't', 'pi', 'e', 'sin'"));
  EXPECT_TRUE(contains(complaint("(1+t"), "column 5: expected an operator or ')', found the end"));
  EXPECT_TRUE(
      contains(complaint("2 t"), "column 3: expected an operator or the end, found 't'; a product needs"));
  EXPECT_TRUE(
      contains(complaint("2(t)"), "column 2: expected an operator or the end, found '('; a product needs"));
  EXPECT_TRUE(contains(complaint("2pi"), "found 'pi'; a product needs '*'"));
  EXPECT_TRUE(
      contains(complaint("1<t<2"), "column 4: expected an operator or the end, found '<'; comparisons can"));
  EXPECT_TRUE(
      contains(complaint("t=2"), "column 2: expected an operator or the end, found '='; equality is"));
  EXPECT_TRUE(contains(complaint("sin t"), "column 5: expected '(' after 'sin', found 't'"));
  EXPECT_TRUE(contains(complaint("sin()"), "column 1: 'sin' takes 1 argument, found 0"));
  EXPECT_TRUE(contains(complaint("1+sin(t,2,3)"), "column 3: 'sin' takes 1 argument, found more"));
  EXPECT_TRUE(contains(complaint("atan2(t)"), "'atan2' takes 2 arguments, found 1"));
  EXPECT_TRUE(contains(complaint("atan2(1 2)"), "column 9: expected an operator, ',' or ')', found '2'"));
  EXPECT_TRUE(contains(complaint("max(t)"), "'max' takes 2 or more arguments, found 1"));
  EXPECT_TRUE(contains(complaint("if(t<1,2)"), "'if' takes 3 arguments, found 2"));
  EXPECT_TRUE(contains(complaint("."), "column 1: expected a number, found '.'"));
  EXPECT_TRUE(contains(complaint("t+1e999"), "column 3: expected a number within the range of a double"));
  EXPECT_TRUE(contains(complaint("t+1/0"), "column 4: this constant part is inf: must be finite"));
  EXPECT_TRUE(contains(complaint("sqrt(-1)*t"), "column 1: this constant part is"));
  EXPECT_TRUE(contains(complaint("0x10"), "column 2: expected an operator or the end, found 'x10'"));
  EXPECT_TRUE(contains(complaint("nan"), "unknown name 'nan'"));
  EXPECT_TRUE(contains(complaint("pi(2)"), "column 3: expected an operator or the end, found '('"));
}

TEST(ExpressionErrors, GarbageBytes) {
  EXPECT_TRUE(contains(complaint("t\xFF"), "column 2: expected an operator or the end, found '\\xFF'"));
  EXPECT_TRUE(
      contains(complaint("t − 1"), "column 3: expected an operator or the end, found '−'"));  // U+2212
  EXPECT_TRUE(contains(complaint(std::string("t\0+1", 4)), "found '\\x00'"));
  EXPECT_TRUE(contains(complaint("\x1B[2J"), "expression '\\x1B[2J': column 1"));
}

TEST(ExpressionErrors, HostileTextEndsInAMessage) {
  const std::size_t huge = 10'000'000;
  EXPECT_TRUE(
      contains(complaint(std::string(huge, '(')), "expected at most 10000 characters, found 10000000"));
  EXPECT_TRUE(contains(complaint(std::string(9'000, '(')), "column 101: nested deeper than 100 levels"));
  EXPECT_TRUE(contains(complaint(std::string(9'000, '-') + "t"), "nested deeper than 100 levels"));
  std::string tower = "t";
  for (int i = 0; i < 4000; ++i) tower += "^t";
  EXPECT_TRUE(contains(complaint(tower), "needs more than 64 intermediate values"));
  std::string wide, closing;
  for (int i = 0; i < 90; ++i) {
    wide += "t+(";
    closing += ")";
  }
  EXPECT_TRUE(contains(complaint(wide + "t" + closing), "needs more than 64 intermediate values"));
  std::string switches = "abs(t)";
  for (int i = 0; i < 500; ++i) switches += "+abs(t)";
  EXPECT_TRUE(contains(complaint(switches), "expected at most 200 of abs"));
  EXPECT_TRUE(contains(complaint("sin(" + std::string(9'000, 'x') + ")"), "unknown name 'xxx"));
  std::string arguments = "sin(t";
  for (int i = 0; i < 3000; ++i) arguments += ",t";
  EXPECT_TRUE(contains(complaint(arguments + ")"), "'sin' takes 1 argument, found more"));
}

TEST(Expression, LongButHonestTextWorks) {
  std::string sum = "t";
  for (int i = 0; i < 4000; ++i) sum += "+t";
  EXPECT_EQ(value(sum, 2), 8002);
  std::string smallest = "min(t";
  for (int i = 0; i < 190; ++i) smallest += ",t+1";
  EXPECT_EQ(value(smallest + ")", 2), 2);
}

// ---- other arguments, further variables ----

TEST(Expression, ArgumentMayHaveAnotherName) {
  const Expression road("0.1*x^2", {"x"});
  EXPECT_EQ(road(3), 0.1 * 9);
  EXPECT_DOUBLE_EQ(road.at(3).rate, 0.6);
  EXPECT_THROW(Expression("0.1*t", {"x"}), std::invalid_argument);
  EXPECT_TRUE(contains(
      [] {
        try {
          Expression("2*y", {"x"});
        } catch (const std::invalid_argument& error) {
          return std::string(error.what());
        }
        return std::string();
      }(),
      "known are 'x'"));
}

TEST(Expression, VariablesAreTakenInOrder) {
  const Expression law("100*x + 3*v*abs(v) + if(t > 1, 7, 0)", {"t", "x", "v"});
  EXPECT_FALSE(law.is_constant());
  const double variables[] = {0.25, -2};
  EXPECT_DOUBLE_EQ(law(0, variables), 25 - 12);
  EXPECT_DOUBLE_EQ(law(2, variables), 25 - 12 + 7);
  EXPECT_TRUE(std::isnan(law(0)));  // unknown variables
}

TEST(Expression, BreaksOfTheArgumentAloneAreFoundBesideVariables) {
  const Expression law("step(t - 0.5)*x + sign(v) + floor(t/0.75)*v", {"t", "x", "v"});
  EXPECT_EQ(law.break_times(0, 1), (std::vector<double>{0.5, 0.75}));
  EXPECT_TRUE(Expression("abs(x)*v", {"t", "x", "v"}).break_times(0, 1).empty());
}

TEST(Expression, VariablesAreNotFoldedAway) {
  const Expression law("2*3*x", {"t", "x"});
  const double variables[] = {4};
  EXPECT_EQ(law(0, variables), 24);
}

// Random strings over the language's own alphabet: either a message or a program that runs.
TEST(Expression, RandomTextNeverCrashes) {
  const std::vector<std::string> words = {"t",   "1",    "2.5",    "+",      "-",    "*",  "/",    "^",
                                          "(",   ")",    ",",      "<",      ">=",   "==", "sin(", "abs(",
                                          "if(", "max(", "floor(", "atan2(", "pow(", " ",  "e",    "\xE2"};
  std::mt19937 random(11);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    const auto length = random() % 12 + 1;
    for (std::size_t k = 0; k < length; ++k) text += words[random() % words.size()];
    try {
      const Expression e(text);
      e.at(0.3);
      e.limit(0.0, Side::left);
      if (accepted % 20 == 0) e.break_times(-1, 1);
      ++accepted;
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(contains(error.what(), "expression '")) << text;
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
