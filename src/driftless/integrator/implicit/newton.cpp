#include "driftless/integrator/implicit/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kRoundOff =
    1e-10;  // of |d| with fixed steps: where corrections that stop falling are taken as good

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
    if (count < most && predicted > kappa) {  // (2)
      if (size <= floor) return Verdict::converged;
      shrink = 0.8 * std::pow(std::clamp(predicted / kappa, 1e-4, 16.0), -1.0 / (most - count));
      return Verdict::failed;
    }
  }
  before_ = size;
  if ((is_plain ? size : eta * size) <= kappa) return Verdict::converged;  // (1)
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

void StageNewton::open(bool is_fixed) {
  size();
  monitor.floor = is_fixed ? kRoundOff : 1e-13 * stages_.coarsest();
  if (!is_fixed) return;
  monitor.kappa = fixed_tolerance;
  monitor.recalls = false;
}

void StageNewton::size() {
  if (at_.size() == stages_.size()) return;
  for (Vec* x : {&at_, &rate_, &r_, &d_}) x->resize(stages_.size());
}

Status StageNewton::residual(double t, const Vec& y, const Vec& G, double c, VecRef z) {
  at_ = y + z;
  rate_ = (z - G) / c;
  return stages_.residual(t, at_, rate_, r_);
}

Status StageNewton::solve(double t, const Vec& y, const Vec& G, double c, VecRef z, double& eta) {
  return iterate_to_round_off(eta, [&](double& size) {
    if (const Status status = residual(t, y, G, c, z); status != Status::ok) return status;
    if (const Status status = stages_.solve(r_, d_); status != Status::ok) return status;
    z -= d_;
    size = stages_.norm(d_);
    return Status::ok;
  });
}

Status StageNewton::solve_fully(double t, const Vec& y, const Vec& G, double c, VecRef z) {
  constexpr int kMost = 20;
  for (int k = 0; k < kMost; ++k) {
    ++statistics_.newton_iterations;
    if (const Status status = residual(t, y, G, c, z); status != Status::ok) return status;
    if (const Status status = stages_.renew_at_last(); status != Status::ok) return status;
    stages_.factor(c);
    if (const Status status = stages_.solve(r_, d_); status != Status::ok) return status;
    z -= d_;
    const double size = stages_.norm(d_);
    if (!std::isfinite(size)) return Status::not_finite;
    if (size <= monitor.floor) return Status::ok;
  }
  return Status::not_converged;
}

}  // namespace driftless
