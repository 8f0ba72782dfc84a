// Step-size control of embedded pairs: the PI controller of DOPRI5.     Hairer, Nørsett & Wanner II.4
//   accepted   h ← h / clip( err^α err_old^−β / safe, 1/growth, shrink ),   α = 1/k − 3β/4,  safe = 0.9             (1)
//   rejected   h ← h / min( shrink, err^α / safe ), and no growth after the next accepted step                      (2)
// Of implicit codes, where Newton's method has a say:                    Hairer & Wanner IV.8; Gustafsson 1994
//   h ← h / clip( max(err^(1/k)/fac, (h_old/h)(err²/err_old)^(1/k)/0.9) ),   fac = min( 0.9, 0.9 (1 + 2N)/(n + 2N) ),
//   n of at most N Newton iterations used                                                                           (3)
// A scheme of order p that carries on the formula its estimate belongs to, with local errors held at tol, has errors like
// tol^(p/(p+1)). To have them follow the tolerance, local ones are held at tol (tol/10⁻³)^(1/p) below 10⁻³              (4)
// but not below 10⁻¹⁴, where round-off is.
// k is the power of h the estimate goes with. DOPRI5: k = 5, β = 0.04, shrink 5, growth 10.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/integrator/scheme.hpp"

namespace driftless {

struct ControllerGains {
  int exponent = 5;  // k
  double beta = 0.04;
  double shrink = 5, growth = 10;
};

class StepController final : public StepPolicy {
 public:
  StepController() = default;
  explicit StepController(const ControllerGains& gains) : gains_(gains) {}

  void reset() override {
    error_old_ = 1e-4;
    after_rejection_ = false;
  }
  double accepted(double h, double error) override {
    const double factor = std::clamp(power(error) / std::pow(error_old_, gains_.beta) / kSafe,
                                     1 / gains_.growth, gains_.shrink);  // (1)
    double next = h / factor;
    if (after_rejection_) next = std::min(next, h);
    error_old_ = std::max(error, 1e-4);
    after_rejection_ = false;
    return next;
  }
  double rejected(double h, double error) override {
    after_rejection_ = true;
    return h / std::min(gains_.shrink, power(error) / kSafe);  // (2)
  }
  double failed(double h, Status, bool) override {
    after_rejection_ = true;
    return h / 4;
  }
  void keep_control(Memory& memory) override {
    memory(error_old_);
    memory(after_rejection_);
  }

 private:
  static constexpr double kSafe = 0.9;
  ControllerGains gains_;
  double error_old_ = 1e-4;
  bool after_rejection_ = false;
  double power(double error) const { return std::pow(error, 1.0 / gains_.exponent - 0.75 * gains_.beta); }
};

// What an error counts for by (4). Order 1, which begins anew, must not creep: it counts as 2.
inline double sharpening(double rtol, int p) {
  if (!(rtol > 0 && rtol < 1e-3)) return 1;
  return std::clamp(rtol / 1e-14, 1.0, std::pow(1e-3 / rtol, 1.0 / std::max(p, 2)));
}

// The quotients of (3).
inline double newton_quotient(double error, double k, int iterations, int most) {
  return std::pow(error, 1 / k) / std::min(0.9, 0.9 * (1 + 2.0 * most) / (iterations + 2.0 * most));
}
inline double predicted_quotient(double error, double error_old, double k, double h_old_over_h) {
  return h_old_over_h * std::pow(error * error / error_old, 1 / k) / 0.9;
}

}  // namespace driftless
