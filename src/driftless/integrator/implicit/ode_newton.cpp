#include "driftless/integrator/implicit/ode_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kOneSided = 1.5e-8, kCentral = 6e-6;  // increments, relative to max(|y|, scale)
constexpr double kNoInfluence = 1e-9;                  // of |F|, under such an increment
constexpr double kRoundOff = 1e-10;  // the same: where corrections that stop falling are taken as good

}  // namespace

void NewtonMonitor::begin(double eta_before) {
  eta = !recalls ? 1 : std::pow(std::max(eta_before, std::numeric_limits<double>::epsilon()), 0.8);
  theta = 0;
  count = 0;
}

NewtonMonitor::Verdict NewtonMonitor::judge(double size) {
  ++count;
  shrink = 0.5;
  if (!std::isfinite(size)) return Verdict::failed;
  if (exactly > 0) {
    if (count < exactly) return Verdict::go_on;
    largest_left = std::max(largest_left, size);
    return Verdict::converged;
  }
  if (size == 0) return Verdict::converged;
  if (count > 1) {
    theta = size / before_;
    if (theta >= 0.99) return size <= floor ? Verdict::converged : Verdict::failed;
    eta = theta / (1 - theta);
    const double predicted = eta * size * std::pow(theta, most - 1 - count);
    if (count < most && predicted > kappa) {  // (3)
      if (size <= floor) return Verdict::converged;
      shrink = 0.8 * std::pow(std::clamp(predicted / kappa, 1e-4, 16.0), -1.0 / (most - count));
      return Verdict::failed;
    }
  }
  before_ = size;
  if ((is_plain ? size : eta * size) <= kappa) return Verdict::converged;  // (2)
  return count == most ? Verdict::failed : Verdict::go_on;
}

std::string NewtonMonitor::remark() const {
  if (exactly == 0) return {};
  return fmt::format(
      "{} Newton iterations a stage: the last corrections were {:.2g} at worst, relative to scale and size "
      "of "
      "the components",
      exactly, largest_left);
}

OdeNewton::OdeNewton(OdeForm& form, Statistics& statistics)
    : form_(form),
      statistics_(statistics),
      weight_(Vec::Zero(form.size())),
      is_inert_(size_t(form.size()), 0),
      at_(form.size()),
      shifted_(form.size()),
      F_(form.size()),
      G_(form.size()),
      ahead_(form.size()),
      behind_(form.size()) {}

void OdeNewton::weigh(const StepControl& control, ConstVec y) {
  const Vec& scale = form_.scale();
  form_.magnitudes(y, weight_);
  tested_ = 0;
  double coarsest = 0;
  for (Eigen::Index i = 0; i < weight_.size(); ++i) {
    const double size = scale[i] + weight_[i];
    const double sc = control.step > 0 ? size : control.atol * scale[i] + control.rtol * weight_[i];
    weight_[i] = scale[i] > 0 ? 1 / sc : 0;
    if (scale[i] > 0) {
      ++tested_;
      coarsest = std::max(coarsest, size / sc);
    }
  }
  tested_ = std::max(tested_, 1);
  if (control.step > 0) {
    monitor.kappa = fixed_tolerance;
    monitor.recalls = false;
    monitor.floor = kRoundOff;
  } else {
    monitor.floor = 1e-13 * coarsest;
  }
}

double OdeNewton::norm(ConstVec d) const {
  return std::sqrt(d.cwiseProduct(weight_).squaredNorm() / tested_);
}

int OdeNewton::worst(ConstVec d) const {
  Eigen::Index at = 0;
  d.cwiseProduct(weight_).cwiseAbs().maxCoeff(&at);
  return static_cast<int>(at);
}

void OdeNewton::forget() {
  is_known_ = is_current_ = false;
  std::fill(is_inert_.begin(), is_inert_.end(), char(0));
}

void OdeNewton::set_jacobian(const Mat& A) {
  known_.A = A;
  known_.kind = FormJacobian::Kind::full;
  is_known_ = is_current_ = true;
  ++version_;
}

Status OdeNewton::renew(double t, ConstVec y, ConstVec F) {
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

void OdeNewton::keep(Memory& memory) {
  memory(is_known_);
  memory(is_current_);
  memory(is_central_);
  for (char& inert : is_inert_) {
    bool is = inert != 0;
    memory(is);
    inert = is ? 1 : 0;
  }
  if (!is_known_) return;
  keep_jacobian(memory, form_.size(), known_);
  matrix_.keep(memory);
  if (!memory.reads()) return;
  if (!memory.is_good()) {
    forget();
    return;
  }
  ++version_;
}

Status OdeNewton::difference(double t, ConstVec y, ConstVec F) {
  const Vec& scale = form_.scale();
  const double size = F.lpNorm<Eigen::Infinity>();
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

void OdeNewton::factor(double c) {
  if (c == c_ && factored_version_ == version_) return;
  statistics_.factor_matrix();
  factored_ = matrix_.factor(known_, form_.size(), c);
  c_ = c;
  factored_version_ = version_;
}

Status OdeNewton::divide(const Vec& r, Vec& out) {
  return factored_ == Status::ok ? matrix_.solve(r, out) : factored_;
}

Status OdeNewton::solve(double t, ConstVec y, ConstVec G, VecRef z, double& eta) {
  monitor.begin(eta);
  while (true) {
    ++statistics_.newton_iterations;
    at_ = y + z;
    if (const Status status = evaluate(t, at_, F_); status != Status::ok) {
      monitor.shrink = 0.5;
      return status;
    }
    G_ = G + c_ * F_ - z;
    ahead_ = F_;
    if (const Status status = divide(G_, F_); status != Status::ok) {
      monitor.shrink = 0.5;
      return status;
    }
    z += F_;
    const double size = norm(F_);
    switch (monitor.judge(size)) {
      case NewtonMonitor::Verdict::converged:
        eta = monitor.eta;
        return Status::ok;
      case NewtonMonitor::Verdict::failed:
        eta = 1;
        if (monitor.count > 1 && is_round_off(t, size)) return Status::ok;
        return Status::not_converged;
      case NewtonMonitor::Verdict::go_on:
        break;
    }
  }
}

Status OdeNewton::tremor(double t, ConstVec at, ConstVec F, VecRef out) {
  shifted_ = (1 + std::numeric_limits<double>::epsilon()) * at;
  const Vec& scale = form_.scale();
  for (Eigen::Index i = 0; i < at.size(); ++i)
    if (scale[i] == 0) shifted_[i] = at[i];
  const Status status = evaluate(t, shifted_, out);
  out -= F;
  return status;
}

// at_, ahead_: where F was evaluated last, and what it was.
bool OdeNewton::is_round_off(double t, double size) {
  if (tremor(t, at_, ahead_, behind_) != Status::ok) return false;
  G_ = c_ * behind_;
  if (divide(G_, behind_) != Status::ok) return false;
  return size <= kTremors * norm(behind_);
}

Status OdeNewton::solve_fully(double t, ConstVec y, ConstVec G, double c, VecRef z) {
  constexpr int kMost = 20;
  for (int k = 0; k < kMost; ++k) {
    ++statistics_.newton_iterations;
    at_ = y + z;
    if (const Status status = evaluate(t, at_, F_); status != Status::ok) return status;
    G_ = G + c * F_ - z;
    if (const Status status = renew(t, at_, F_); status != Status::ok) return status;
    factor(c);
    if (const Status status = divide(G_, F_); status != Status::ok) return status;
    z += F_;
    const double size = norm(F_);
    if (!std::isfinite(size)) return Status::not_finite;
    if (size <= monitor.floor) return Status::ok;
  }
  return Status::not_converged;
}

}  // namespace driftless
