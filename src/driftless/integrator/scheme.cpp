#include "driftless/integrator/scheme.hpp"

#include <cmath>

#include "driftless/integrator/hermite.hpp"

namespace driftless {

Scheme::Scheme(OdeForm& form, Statistics& statistics, const StepControl& control)
    : form_(form),
      statistics_(statistics),
      control_(control),
      y0_(form.size()),
      y1_(form.size()),
      k0_(form.size()),
      k1_(form.size()),
      magnitude0_(form.size()),
      magnitude1_(form.size()) {}

Status Scheme::begin() { return evaluate(t1_, y1_, k1_); }

Status Scheme::close(double t1) { return evaluate(left(t1), y1_, k1_); }

void Scheme::interpolate(double t, VecRef y) const {
  interpolate_hermite(t0_, t1_, y0_, y1_, k0_, k1_, t, y);
}

double Scheme::weighted(const Vec& error) {
  const Vec& scale = form_.scale();
  double sum = 0, largest = 0;
  int tested = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    if (scale[i] == 0) continue;
    const double relative =
        error[i] / (control_.atol * scale[i] + control_.rtol * std::max(magnitude0_[i], magnitude1_[i]));
    const double square = relative * relative;
    sum += square;
    ++tested;
    if (square > largest) {
      largest = square;
      worst_ = static_cast<int>(i);
    }
  }
  const double norm = tested > 0 ? std::sqrt(sum / tested) : 0;
  return std::isfinite(norm) ? norm : 1e10;
}

}  // namespace driftless
