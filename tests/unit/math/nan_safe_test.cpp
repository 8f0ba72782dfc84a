// What is held against a tolerance must not lose a NaN on the way.
#include "driftless/math/nan_safe.hpp"

#include <gtest/gtest.h>

#include "driftless/math/types.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

TEST(NanSafe, LargestMagnitudeIsNanIfAnyEntryIs) {
  for (int n = 1; n <= 9; ++n)  // packets and what is left of them
    for (int i = 0; i < n; ++i) {
      Vec x = Vec::LinSpaced(n, -4, 3);
      EXPECT_EQ(max_abs(x), n == 1 ? 3 : 4);
      x[i] = std::nan("");
      EXPECT_TRUE(std::isnan(max_abs(x))) << i << " of " << n;
    }
  EXPECT_EQ(max_abs(Vec()), 0);
}

TEST(NanSafe, LargerOfTwo) {
  EXPECT_EQ(max_or_nan(1, 2), 2);
  EXPECT_EQ(max_or_nan(2, 1), 2);
  EXPECT_TRUE(std::isnan(max_or_nan(1, std::nan(""))));
  EXPECT_TRUE(std::isnan(max_or_nan(std::nan(""), 1)));
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
