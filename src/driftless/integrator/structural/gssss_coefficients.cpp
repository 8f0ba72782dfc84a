#include "driftless/integrator/structural/gssss_coefficients.hpp"

#include <cmath>

namespace driftless {

bool GssssCoefficients::is_midpoint() const {
  const auto half = [](double part, double whole) { return std::abs(2 * part - whole) < 1e-14; };
  return half(W1L1, 1) && half(W2L2, 0.5) && half(W3L3, l3);
}

GssssCoefficients gssss_coefficients(GssssFamily family, double r1, double r2, double r3) {
  const double D12 = (1 + r1) * (1 + r2), D = D12 * (1 + r3), G = (3 + r1 + r2 - r1 * r2) / (2 * D12);
  GssssCoefficients c{};  // (1)
  c.W3L3 = 1 / D;
  c.W1L6 = (2 + r1 + r2 + r3 - r1 * r2 * r3) / D;
  if (family == GssssFamily::U0) {
    c.W1L1 = c.W1L4 = 1 / (1 + r3);
    c.W2L2 = 1 / (2 * (1 + r3));
    c.W2L5 = G / (1 + r3);
    c.l3 = 1 / D12;
    c.l5 = G;
  } else {
    c.W1L1 = c.W1L4 = G;
    c.W2L2 = 1 / D12;
    c.W2L5 = 2 / D;
    c.l3 = 1 / (2 * (1 + r3));
    c.l5 = 1 / (1 + r3);
  }
  return c;
}

// D as a combination of v, a and d, put into (2): a-form D = d; v-form D = (d − h a)/(λ5 h), d counted from v;
// d-form D = (d − h v − ½ h² a)/(λ3 h²), d counted from q.
GssssStep gssss_step(const GssssCoefficients& c, GssssUnknown unknown, double h) {
  double of_v = 0, of_a = 0, of_d = 1;
  if (unknown == GssssUnknown::velocity) {
    of_a = -1 / c.l5;
    of_d = 1 / (c.l5 * h);
  } else if (unknown == GssssUnknown::displacement) {
    of_v = -1 / (c.l3 * h);
    of_a = -0.5 / c.l3;
    of_d = 1 / (c.l3 * h * h);
  }
  const auto with = [&](double q, double v, double a, double D) {
    return GssssWeights{{q, v + D * of_v, a + D * of_a}, D * of_d};
  };
  GssssStep step{};
  step.end = with(1, h, 0.5 * h * h, c.l3 * h * h);
  step.middle = with(1, c.W1L1 * h, c.W2L2 * h * h, c.W3L3 * h * h);
  step.rate = with(0, 1, c.W1L4 * h, c.W2L5 * h);
  step.acceleration = with(0, 0, 1, c.W1L6);
  step.velocity = c.l5 * h * of_d;
  if (unknown == GssssUnknown::displacement) step.end = {{1, 0, 0}, 1};  // without the round-off of h/h
  return step;
}

}  // namespace driftless
