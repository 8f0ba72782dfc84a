#include "driftless/integrator/implicit/stage_system.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrator/implicit/dae_stages.hpp"
#include "driftless/integrator/implicit/ode_stages.hpp"

namespace driftless {

StageSystem::StageSystem(OdeForm& form, Statistics& statistics)
    : form_(form),
      statistics_(statistics),
      size_(form.size()),
      start_(form.size()),
      magnitude_(form.size()),
      weight_(Vec::Zero(form.size())) {}

void StageSystem::open(const StepControl& control, double t, const Vec& y, const Vec&) {
  control_ = control;
  t0_ = t;
  start_.head(y.size()) = y;
  form_.magnitudes(y, magnitude_);
  weigh(magnitude_);
}

void StageSystem::weigh(const Vec& magnitude) {
  const Vec& scale = form_.scale();
  coarsest_ = 0;
  tested_ = 0;
  for (Eigen::Index i = 0; i < magnitude.size(); ++i) {
    const double size = scale[i] + magnitude[i];
    const double sc = control_.step > 0 ? size : control_.atol * scale[i] + control_.rtol * magnitude[i];
    weight_[i] = scale[i] > 0 ? 1 / sc : 0;
    if (scale[i] == 0) continue;
    ++tested_;
    coarsest_ = std::max(coarsest_, size / sc);
  }
  tested_ = std::max(tested_, 1);
}

double StageSystem::norm(ConstVec d) const {
  const Eigen::Index entries = std::min(d.size(), magnitude_.size());
  const double sum = d.head(entries).cwiseProduct(weight_.head(entries)).squaredNorm();
  if (entries == magnitude_.size()) return std::sqrt(sum / tested_);
  return std::sqrt(sum /
                   std::max<double>(1, static_cast<double>((weight_.head(entries).array() > 0).count())));
}

int StageSystem::worst(ConstVec d) const {
  Eigen::Index at = 0;
  const Eigen::Index entries = std::min(d.size(), magnitude_.size());
  d.head(entries).cwiseProduct(weight_.head(entries)).cwiseAbs().maxCoeff(&at);
  return static_cast<int>(at);
}

std::unique_ptr<StageSystem> make_stages(OdeForm& form, Statistics& statistics) {
  if (form.as_residual() != nullptr) return std::make_unique<DaeStages>(form, statistics);
  return std::make_unique<OdeStages>(form, statistics);
}

}  // namespace driftless
