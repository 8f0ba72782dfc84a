#include "driftless/model/validate/broken_functions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TimeFunction expression(const std::string& text, const std::string& variable = "t") {
  return time_function::ExpressionText{text, variable};
}

TEST(BrokenFunctions, ForcesNeedAValue) {
  Model model;
  model.forces.push_back({"motor", "torque", {{"torque", expression("sin(t)/t")}}});
  model.forces.push_back(
      {"push", "point-force", {{"force", std::vector{TimeFunction(1.0), expression("log(t)")}}}});
  model.forces.push_back(
      {"brake", "torque", {{"torque", expression("sqrt(t)")}}});  // only its slope is infinite
  const auto found = broken_functions(model, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].where, "forces[0].torque");
  EXPECT_THAT(found[0].found, HasSubstr("'sin(t)/t' is NaN"));
  EXPECT_EQ(found[1].where, "forces[1].force[1]");
  EXPECT_THAT(broken_functions(model, 1), IsEmpty());
}

TEST(BrokenFunctions, DriversNeedTwoDerivatives) {
  Model model;
  model.drivers.push_back({"drive", "angle", {{"function", expression("t^1.5")}}});
  const auto found = broken_functions(model, 0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, "drivers[0].function");
  EXPECT_THAT(found[0].found, HasSubstr("second derivative of 't^1.5' is infinite"));
}

TEST(BrokenFunctions, FunctionsOfAPlaceAreNotAskedForATime) {
  Model model;
  model.forces.push_back({"tyre", "tyre", {{"road", expression("sin(x)/x", "x")}}});
  EXPECT_THAT(broken_functions(model, 0), IsEmpty());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
