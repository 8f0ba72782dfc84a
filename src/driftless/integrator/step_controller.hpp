// Step-size control of embedded pairs: the PI controller of DOPRI5.     Hairer, Nørsett & Wanner II.4
//   accepted   h ← h / clip( err^α err_old^−β / safe, 1/10, 5 ),   α = 1/5 − 3β/4,  β = 0.04,  safe = 0.9           (1)
//   rejected   h ← h / min( 5, err^α / safe ), and no growth after the next accepted step                           (2)
#pragma once

#include <algorithm>
#include <cmath>

namespace driftless {

class StepController {
 public:
  double error_old = 1e-4;
  bool after_rejection = false;

  double accepted(double h, double error) {
    const double factor = std::clamp(power(error) / std::pow(error_old, kBeta) / kSafe, 0.1, 5.0);  // (1)
    double next = h / factor;
    if (after_rejection) next = std::min(next, h);
    error_old = std::max(error, 1e-4);
    after_rejection = false;
    return next;
  }
  double rejected(double h, double error) {
    after_rejection = true;
    return h / std::min(5.0, power(error) / kSafe);  // (2)
  }
  void reset() { *this = {}; }

 private:
  static constexpr double kBeta = 0.04, kSafe = 0.9, kAlpha = 0.2 - 0.75 * kBeta;
  static double power(double error) { return std::pow(error, kAlpha); }
};

}  // namespace driftless
