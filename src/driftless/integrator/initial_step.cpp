#include "driftless/integrator/initial_step.hpp"

#include <cmath>
#include <limits>

#include "driftless/integrator/step_plan.hpp"

namespace driftless {

InitialStep choose_initial_step(OdeForm& form,
                                Statistics& statistics,
                                const StepControl& control,
                                double t,
                                const Vec& y,
                                ConstVec F,
                                const Vec& magnitude,
                                int order,
                                double horizon,
                                Vec& stage,
                                VecRef F_stage) {
  InitialStep out;
  const Vec& scale = form.scale();
  const auto square_sum = [&](auto&& component) {
    double sum = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (scale[i] == 0) continue;
      const double relative = component(i) / (control.atol * scale[i] + control.rtol * magnitude[i]);
      sum += relative * relative;
    }
    return sum;
  };
  for (Eigen::Index i = 1; i < y.size(); ++i)
    if (scale[i] > 0 && std::abs(F[i]) * scale[out.steepest] > std::abs(F[out.steepest]) * scale[i])
      out.steepest = i;
  const double size = square_sum([&](Eigen::Index i) { return magnitude[i]; });
  const double slope = square_sum([&](Eigen::Index i) { return F[i]; });
  double h = size <= 1e-10 || slope <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope);
  out.is_bounded = h >= horizon;
  h = std::min(h, horizon);
  stage = y + h * F;
  ++statistics.evaluations;
  out.status = form.derivative(std::min(t + h, t + horizon), stage, F_stage);
  if (out.status != Status::ok && !asks_for_shorter_step(out.status)) return out;
  const double bend = out.status == Status::ok
                          ? std::sqrt(square_sum([&](Eigen::Index i) { return F_stage[i] - F[i]; })) / h
                          : std::numeric_limits<double>::infinity();
  out.status = Status::ok;
  const double steepest = std::max(bend, std::sqrt(slope));
  const double refined =
      steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, 1.0 / order);
  out.h = std::min({100 * h, std::max(refined, 1e-12 * h), horizon});
  out.is_bounded = out.is_bounded || out.h == horizon;
  return out;
}

}  // namespace driftless
