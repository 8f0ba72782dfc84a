#include "driftless/math/sine_cosine.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace driftless {
namespace {

constexpr double kFarthest = 1e5;
constexpr double kTwoByPi = 6.36619772367581382433e-01;
constexpr double kP1 = 1.57079632673412561417e+00, kP2 = 6.07710050630396597660e-11,
                 kP3 = 2.02226624879595063154e-21;
constexpr double kToInteger = 0x1.8p52;  // a double plus this is an integer, in its last bits
constexpr double kS1 = -1.66666666666666324348e-01, kS2 = 8.33333333332248946124e-03,
                 kS3 = -1.98412698298579493134e-04, kS4 = 2.75573137070700676789e-06,
                 kS5 = -2.50507602534068634195e-08, kS6 = 1.58969099521155010221e-10;
constexpr double kC1 = 4.16666666666666019037e-02, kC2 = -1.38888888888741095749e-03,
                 kC3 = 2.48015872894767294178e-05, kC4 = -2.75573143513906633035e-07,
                 kC5 = 2.08757232129817482790e-09, kC6 = -1.13596475577881948265e-11;

double with_sign(double value, std::uint64_t is_negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (is_negative << 63));
}

}  // namespace

void sine_cosine(double x, double& sine, double& cosine) {
  if (!(std::abs(x) <= kFarthest)) {
    sine = std::sin(x);
    cosine = std::cos(x);
    return;
  }
  // (1)
  const double shifted = x * kTwoByPi + kToInteger;
  const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
  const double n = shifted - kToInteger;
  const double first = x - n * kP1, moved = n * kP2, second = first - moved;
  const double lost = n * kP3 - ((first - second) - moved);
  const double y = second - lost, rest = (second - y) - lost;
  // (2)
  const double z = y * y;
  const double S = kS2 + z * (kS3 + z * (kS4 + z * (kS5 + z * kS6)));
  const double C = kC1 + z * (kC2 + z * (kC3 + z * (kC4 + z * (kC5 + z * kC6))));
  const double cube = z * y, half = 0.5 * z, one = 1 - half;
  double s = y - ((z * (0.5 * rest - cube * S) - rest) - cube * kS1);
  double c = one + (((1 - one) - half) + (z * (z * C) - y * rest));
  if (quadrant & 1) std::swap(s, c);
  sine = with_sign(s, quadrant >> 1 & 1);
  cosine = with_sign(c, (quadrant + 1) >> 1 & 1);
}

}  // namespace driftless
