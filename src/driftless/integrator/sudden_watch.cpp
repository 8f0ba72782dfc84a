#include "driftless/integrator/sudden_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kSecond = 0.1;           // of (1)
constexpr double kShortest = 1.0 / 8;     // (2)
constexpr double kGivenTolerance = 1e-3;  // (4)
constexpr int kAhead = 512;               // samples of max|f| in the time since the start
constexpr double kTooShort = 1e-9;        // cut no further
constexpr double kRoundOff = 4 * std::numeric_limits<double>::epsilon();  // of places

int places_of(const std::vector<Probe>& probes) {
  int count = 0;
  for (const Probe& probe : probes) count = std::max(count, probe.place + 1);
  return count;
}

// By how much the slope of the polynomial through nodes may be off, for 0 ≤ θ ≤ 1, if its values are off by 1.
double slope_error(const double* theta, int count) {
  double sum = 0;
  for (int j = 1; j < count; ++j) {
    double divided = 0, slope = 0;  // of the j-th divided difference, and of the product it multiplies
    for (int i = 0; i <= j; ++i) {
      double product = 1, others = 1;
      for (int k = 0; k <= j; ++k)
        if (k != i) product *= std::abs(theta[i] - theta[k]);
      divided += 1 / product;
      if (i == j) continue;
      for (int k = 0; k < j; ++k)
        if (k != i) others *= std::max(std::abs(theta[k]), std::abs(1 - theta[k]));
      slope += others;
    }
    sum += divided * slope;
  }
  return sum;
}

}  // namespace

SuddenWatch::SuddenWatch(const DescriptorSystem& system, const StepControl& control)
    : system_(dynamic_cast<const Probed*>(&system)),
      probes_(system_ != nullptr ? system_->probes() : std::vector<Probe>()),
      nq_(system.layout().nq),
      is_fixed_(control.step > 0),
      tolerance_(is_fixed_ ? std::max(kGivenTolerance, control.rtol) : control.rtol),
      x0_(Vec::Zero(places_of(probes_))),
      x1_(x0_.size()),
      past_f_(Mat::Zero(static_cast<Eigen::Index>(probes_.size()), kPast)),
      past_x_(Mat::Zero(x0_.size(), kPast)),
      f0_(static_cast<Eigen::Index>(probes_.size())),
      largest_(Vec::Zero(static_cast<Eigen::Index>(probes_.size()))),
      missed_by_(largest_) {
  if (idle()) return;
  if (x0_.size() > 0) terms_ = system.make_terms();
  samples_.resize(kMost + 1);
  deviations_.resize(kMost + 1);
}

void SuddenWatch::note_size(Eigen::Index row, double f) {
  if (std::abs(f) > largest_[row] && std::isfinite(f)) largest_[row] = std::abs(f);
}

void SuddenWatch::look_ahead(double t1) {
  const double since = t1 - begin_, apart = since / kAhead;
  for (int k = 0; k <= 2 * kAhead && ahead_ + apart <= t1 + since; ++k) {
    ahead_ += apart;
    for (size_t i = 0; i < probes_.size(); ++i)
      if (probes_[i].place < 0) note_size(static_cast<Eigen::Index>(i), probes_[i].value(ahead_, 0, 0));
  }
}

void SuddenWatch::restart() {
  past_ = 0;
  is_known_ = false;
}

void SuddenWatch::forget() {
  restart();
  is_begun_ = false;
  longest_ = 0;
  largest_.setZero();
}

void SuddenWatch::keep(Memory& memory) {
  memory(is_begun_);
  for (double* x : {&begin_, &ahead_, &longest_, &t_at_}) memory(*x);
  memory(is_known_);
  memory(past_, 0, kPast);
  memory(past_t_);
  memory(past_f_);
  memory(past_x_);
  memory(x0_);
  memory(largest_);
}

double SuddenWatch::end_of_step(double t0, ConstVec y0, double t1, ConstVec y1, std::span<const double> c) {
  const double h = t1 - t0;
  if (!(h > 0)) return t1;
  if (!is_known_ || t0 != t_at_) {
    restart();
    if (x0_.size() > 0) system_->probe_places(y0.head(nq_), terms_, x0_);
    t_at_ = t0;
    is_known_ = true;
  }
  if (x0_.size() > 0) system_->probe_places(y1.head(nq_), terms_, x1_);
  path_.t0 = t0;
  path_.h = h;
  if (!is_begun_) {
    begin_ = ahead_ = t0;
    is_begun_ = true;
  }
  longest_ = std::max(longest_, h);
  apart_ = (t1 - begin_) / kMost;
  look_ahead(t1);
  double share = 1;
  for (size_t i = 0; i < probes_.size(); ++i) share = std::min(share, look(i, c));
  if (share < 1) return t0 + std::max(share, kShortest) * h;  // (2)
  ++looked_;
  for (int j = kPast - 1; j > 0; --j) {
    past_t_[size_t(j)] = past_t_[size_t(j - 1)];
    past_f_.col(j) = past_f_.col(j - 1);
    past_x_.col(j) = past_x_.col(j - 1);
  }
  past_t_[0] = t0;
  past_f_.col(0) = f0_;
  past_x_.col(0) = x0_;
  past_ = std::min(past_ + 1, kPast);
  x0_.swap(x1_);
  t_at_ = t1;
  return t1;
}

void SuddenWatch::Newton::add(double at, double f) {
  if (count == kNodes) return;
  for (int j = 0; j < count; ++j)
    if (std::abs(at - theta[size_t(j)]) < 1e-6) return;
  for (int j = 0; j < count; ++j) f = (f - divided[size_t(j)]) / (at - theta[size_t(j)]);
  theta[size_t(count)] = at;
  divided[size_t(count)] = f;
  ++count;
}

double SuddenWatch::value(const Probe& probe, double theta) const {
  double x = 0, slope = 0;
  for (int j = path_.x.count - 1; j >= 0; --j) {
    slope = slope * (theta - path_.x.theta[size_t(j)]) + x;
    x = x * (theta - path_.x.theta[size_t(j)]) + path_.x.divided[size_t(j)];
  }
  return probe.value(path_.t0 + theta * path_.h, x, slope / path_.h);
}

double SuddenWatch::look(size_t i, std::span<const double> c) {
  const Probe& probe = probes_[i];
  const auto row = static_cast<Eigen::Index>(i);
  const auto before = [&](int j) { return (past_t_[size_t(j)] - path_.t0) / path_.h; };
  path_.x.count = 0;
  if (probe.place >= 0) {
    path_.x.add(0, x0_[probe.place]);
    path_.x.add(1, x1_[probe.place]);
    for (int j = 0; j < past_; ++j) path_.x.add(before(j), past_x_(probe.place, j));
  }
  f0_[row] = value(probe, 0);
  if (path_.h <= probe.calm) return 1;
  seen_.count = 0;
  seen_.add(0, f0_[row]);
  seen_.add(1, value(probe, 1));
  for (const double theta : c)
    if (theta > 0 && theta < 1) seen_.add(theta, value(probe, theta));
  if (seen_.count < 4)
    for (int j = 0; j < past_; ++j) seen_.add(before(j), past_f_(row, j));

  const int count = std::clamp(static_cast<int>(std::min(path_.h / apart_, 1e6)) + 1, kLeast, kMost);  // (3)
  for (int k = 0; k <= count; ++k) {
    samples_[size_t(k)] = value(probe, static_cast<double>(k) / count);
    note_size(row, samples_[size_t(k)]);
  }
  // In short steps slopes of places are round-off, and so is what laws make of them.
  double noise = 0;
  if (probe.place >= 0) {
    const double x = x0_[probe.place], rate = (x1_[probe.place] - x) / path_.h;
    const double off =
        kRoundOff * (1 + std::abs(x)) / path_.h * slope_error(path_.x.theta.data(), path_.x.count);
    noise = 2 * std::abs(probe.value(path_.t0, x, rate + off) - probe.value(path_.t0, x, rate));
    if (!std::isfinite(noise)) noise = 0;
  }
  const double bound = polynomial_errors(count) + tolerance_ * largest_[row] + noise;  // (1)
  int first = 1;
  while (first < count && !(deviations_[size_t(first)] > bound)) ++first;
  if (first == count) return 1;
  if (!is_fixed_ && path_.h > kTooShort * std::max(kMost * apart_, longest_))
    return static_cast<double>(first - 1) / count;
  if (missed_++ == 0) missed_at_ = path_.t0;  // (4)
  const double most = *std::max_element(deviations_.begin() + 1, deviations_.begin() + count);
  missed_by_[row] = std::max(missed_by_[row], most);
  return 1;
}

double SuddenWatch::polynomial_errors(int count) {
  const int first_left = std::max(1, seen_.count - 2);  // nodes from here on are left out of P_{n−2}
  // P_n, and by how much P_{n−1} and P_{n−2} differ from it, at θ.
  const auto polynomials = [&](double theta, double& last, double& last_two) {
    double product = 1, sum = 0;
    last = last_two = 0;
    for (int j = 0; j < seen_.count; ++j) {
      const double term = seen_.divided[size_t(j)] * product;
      sum += term;
      if (j >= first_left) last_two += term;
      if (j == seen_.count - 1) last = term;
      product *= theta - seen_.theta[size_t(j)];
    }
    return sum;
  };
  double inside1 = 0, inside2 = 0, left1 = 0, left2 = 0, last = 0, last_two = 0;
  for (int k = 0; k <= count; ++k) {
    const double P = polynomials(static_cast<double>(k) / count, last, last_two);
    deviations_[size_t(k)] = std::abs(samples_[size_t(k)] - P);
    inside1 = std::max(inside1, std::abs(last));
    inside2 = std::max(inside2, std::abs(last_two));
  }
  for (int j = first_left; j < seen_.count; ++j) {
    polynomials(seen_.theta[size_t(j)], last, last_two);
    left2 = std::max(left2, std::abs(last_two));
    if (j == seen_.count - 1) left1 = std::abs(last);
  }
  if (seen_.count == 2) return is_fixed_ ? kSecond * inside1 : 0;  // two nodes say nothing of a bend
  return std::max(std::min(inside1, left1), kSecond * std::min(inside2, left2));
}

std::string SuddenWatch::warning() const {
  // Against the largest value of the whole run: what a road did before its first bump may be nothing.
  Eigen::Index worst = 0;
  const double by = missed_ > 0 ? (missed_by_.array() / largest_.array().max(1e-300)).maxCoeff(&worst) : 0;
  if (by <= tolerance_) return {};
  return fmt::format(
      "{} of {} steps, from t = {:.6g} on, passed over what {} does between the instants they looked at: it "
      "differs from what they saw by up to {:.2g} of its largest value; take shorter steps{}",
      missed_, looked_, missed_at_, probes_[size_t(worst)].what, by,
      is_fixed_ ? ", or leave the choice of the step to an integrator with error control" : "");
}

}  // namespace driftless
