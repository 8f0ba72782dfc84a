// What docs/user-systems.md shows is compiled, and works.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "driftless/system/user_system.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

TEST(UserSystem, CallbacksOfTheGuideWork) {
  UserEquations pendulum;
  pendulum.nq = 2;
  pendulum.rows = 1;
  pendulum.mass = [](double, ConstVec, Mat& M) { M.diagonal().setConstant(2.0); };
  pendulum.force = [](double, ConstVec, ConstVec, VecRef f) { f[1] = -2.0 * 9.81; };
  pendulum.constraint = [](double, ConstVec q, VecRef g) { g[0] = (q.squaredNorm() - 1) / 2; };

  // All that follows is optional.
  pendulum.time_dependent = false;  // no t in g: spares the differences in t
  pendulum.jacobian = [](double, ConstVec q, Mat& J) { J = q.transpose(); };
  pendulum.gamma = [](double, ConstVec, ConstVec v, VecRef gamma) { gamma[0] = -v.squaredNorm(); };
  pendulum.potential = [](double, ConstVec q) { return 2.0 * 9.81 * q[1]; };
  pendulum.description.q_names = {"bob.x", "bob.y"};
  pendulum.description.row_names = {"rod"};
  const auto system = make_system(pendulum);

  const DerivativeCheck check = check_derivatives(*system, {0.0, Vec2(0.6, -0.8), Vec2(0.3, 0.7)});
  if (check.J > 1e-9) std::printf("J is off by %g at %s\n", check.J, check.J_entry.c_str());
  EXPECT_LT(std::max({check.J, check.nu, check.gamma}), 1e-10);
}

// Every C++ block of the guide stands, but for white space, in the example, here, among the other tests of user systems or those of
// pages.
TEST(UserSystem, CodeOfTheGuideIsCompiledSomewhere) {
  const auto squeezed = [](const std::string& path) {
    std::ifstream file(std::string(DRIFTLESS_SOURCE_DIR) + "/" + path);
    std::string text;
    for (char c; file.get(c);)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
    return text;
  };
  const std::string guide = squeezed("docs/user-systems.md");
  const std::string code =
      squeezed("examples/own-dae/main.cpp") + squeezed("tests/unit/system/user_guide_test.cpp") +
      squeezed("tests/unit/system/user_system_test.cpp") + squeezed("tests/unit/report/report_test.cpp");
  int blocks = 0;
  for (size_t at = guide.find("```cpp"); at != std::string::npos;
       at = guide.find("```cpp", at + 1), ++blocks) {
    const std::string block = guide.substr(at + 6, guide.find("```", at + 6) - at - 6);
    EXPECT_NE(code.find(block), std::string::npos) << block;
  }
  EXPECT_EQ(blocks, 5);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
