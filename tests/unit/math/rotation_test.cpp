// Rotation vectors and their rates.
#include "driftless/math/rotation.hpp"

#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

Vec3 random_direction(std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vec3(normal(engine), normal(engine), normal(engine)).normalized();
}

TEST(RotationVector, IsTheInverseOfTheExponentialMapUpToHalfATurn) {
  std::mt19937 engine(3);
  for (const double angle : {0.0, 1e-13, 1e-9, 1e-4, 0.05, 0.11, 1.0, 2.5, 3.1}) {
    const Vec3 phi = angle * random_direction(engine);
    EXPECT_LT((rotation_vector(quaternion_of_turn(phi)) - phi).norm(), 1e-14 * (1 + angle));
    EXPECT_LT((rotation_vector(Quat(-quaternion_of_turn(phi))) - phi).norm(),
              1e-14 * (1 + angle));  // the same turn
  }
}

// Ṙ = ω̃ R, by central differences of the vector: error h² and ε/h. The small angles pin the series.
TEST(RotationVector, RatesAgreeWithDifferences) {
  std::mt19937 engine(4);
  const double h = 1e-5;
  for (const double angle : {0.0, 1e-5, 0.01, 0.0999, 0.1001, 0.7, 2.0, 3.0}) {
    const Vec3 phi = angle * random_direction(engine), omega = random_direction(engine);
    const Quat p = quaternion_of_turn(phi);
    const auto turned = [&](double s) {
      return rotation_vector(quaternion_product(quaternion_of_turn(s * omega), p));
    };
    const Vec3 rate = rotation_vector_rates(phi) * omega;
    EXPECT_LT((rate - (turned(h) - turned(-h)) / (2 * h)).norm(), 1e-9) << angle;
  }
}

// Both sides of the switch between series and closed form.
TEST(RotationVector, SeriesMeetsTheClosedForm) {
  const Vec3 u = Vec3(1, 2, -2) / 3;
  const Mat3 below = rotation_vector_rates(Vec3(0.1 * (1 - 1e-15) * u)),
             above = rotation_vector_rates(Vec3(0.1 * (1 + 1e-15) * u));
  EXPECT_LT((below - above).norm(), 1e-14);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
