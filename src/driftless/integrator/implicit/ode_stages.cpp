#include "driftless/integrator/implicit/ode_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double kOneSided = 1.5e-8, kCentral = 6e-6;  // increments, relative to max(|y|, scale)
constexpr double kNoInfluence = 1e-9;                  // of |F|, under such an increment
constexpr double kTremors = 100;                       // (2)

}  // namespace

OdeStages::OdeStages(OdeForm& form, Statistics& statistics)
    : StageSystem(form, statistics),
      is_inert_(size_t(form.size()), 0),
      F_(form.size()),
      shifted_(form.size()),
      ahead_(form.size()),
      behind_(form.size()),
      work_(form.size()) {}

Status OdeStages::residual(double t, const Vec& U, const Vec& Udot, VecRef r) {
  t_ = t;
  at_ = &U;
  if (const Status status = evaluate(t, U, F_); status != Status::ok) return status;
  r = Udot - F_;
  return Status::ok;
}

Status OdeStages::start_defect(const Vec& E, Vec& r) {
  r = E + *slope_;
  return Status::ok;
}

Status OdeStages::defect(const Vec& U, const Vec& E, Vec& r) {
  if (const Status status = evaluate(t0_, U, r); status != Status::ok) return status;
  r += E;
  return Status::ok;
}

bool OdeStages::use_central() {
  if (is_central_) return false;
  is_central_ = true;
  return true;
}

void OdeStages::forget() {
  StageSystem::forget();
  std::fill(is_inert_.begin(), is_inert_.end(), char(0));
}

void OdeStages::set_jacobian(const Mat& A) {
  known_.turning = nullptr;
  known_.A = A;
  known_.kind = FormJacobian::Kind::full;
  is_known_ = is_current_ = true;
  ++version_;
}

Status OdeStages::renew(double t, ConstVec y, ConstVec F) {
  is_known_ = false;
  ++statistics_.jacobians;
  if (form_.has_jacobian()) {
    ++statistics_.evaluations;
    if (const Status status = form_.jacobian(t, y, known_); status != Status::ok) return status;
  } else if (const Status status = difference(t, y, F); status != Status::ok) {
    return status;
  }
  is_known_ = is_current_ = true;
  ++version_;
  return Status::ok;
}

void OdeStages::keep(Memory& memory) {
  memory(is_known_);
  memory(is_current_);
  memory(is_central_);
  for (char& inert : is_inert_) {
    bool is = inert != 0;
    memory(is);
    inert = is ? 1 : 0;
  }
  if (!is_known_) return;
  keep_jacobian(memory, form_.size(), form_.turning_axes(), known_);
  keep_c(memory, real_.c);
  keep_c(memory, pair_.c);
  real_.matrix.keep(memory);
  pair_.matrix.keep(memory);
  if (!memory.reads()) return;
  if (!memory.is_good()) {
    forget();
    return;
  }
  ++version_;
}

Status OdeStages::difference(double t, ConstVec y, ConstVec F) {
  const Vec& scale = form_.scale();
  const double size = F.lpNorm<Eigen::Infinity>();
  known_.turning = nullptr;
  known_.kind = FormJacobian::Kind::full;
  known_.A.resize(y.size(), y.size());
  shifted_ = y;
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    auto column = known_.A.col(j);
    const bool tested = scale[j] > 0;
    if (!tested && (is_inert_[size_t(j)] || F[j] == 0)) {
      column.setZero();
      continue;
    }
    const double reach = std::max(std::abs(y[j]), tested ? scale[j] : 1);
    shifted_[j] = y[j] + (is_central_ ? kCentral : kOneSided) * reach;
    if (const Status status = evaluate(t, shifted_, ahead_); status != Status::ok) return status;
    double width = shifted_[j] - y[j];
    if (is_central_) {
      const double right = shifted_[j];
      shifted_[j] = y[j] - kCentral * reach;
      if (const Status status = evaluate(t, shifted_, behind_); status != Status::ok) return status;
      width = right - shifted_[j];
      column = ahead_ - behind_;
    } else {
      column = ahead_ - F;
    }
    if (!tested && column.lpNorm<Eigen::Infinity>() <= kNoInfluence * size) {
      is_inert_[size_t(j)] = 1;
      column.setZero();
    }
    column /= width;
    shifted_[j] = y[j];
  }
  return Status::ok;
}

template <class Scalar>
void OdeStages::factor(Scalar c, Factors<Scalar>& factors) {
  const bool serves = is_same(c, factors.c);
  if (serves && factors.version == version_) return;
  if (!serves) factors.c = c;
  statistics_.factor_matrix();
  factors.status = factors.matrix.factor(known_, form_.size(), factors.c);
  factors.version = version_;
}
template void OdeStages::factor(double c, Factors<double>& factors);
template void OdeStages::factor(Complex c, Factors<Complex>& factors);

bool OdeStages::is_round_off(double size) {  // (2)
  shifted_ = (1 + std::numeric_limits<double>::epsilon()) * *at_;
  const Vec& scale = form_.scale();
  for (Eigen::Index i = 0; i < shifted_.size(); ++i)
    if (scale[i] == 0) shifted_[i] = (*at_)[i];
  if (evaluate(t_, shifted_, behind_) != Status::ok) return false;
  behind_ -= F_;
  return solve(behind_, ahead_) == Status::ok && size <= kTremors * norm(ahead_);
}

}  // namespace driftless
