#include "driftless/formulation/canonical/canonical_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

// (5): lighter than this share of the heaviest; and what of the inertia that joints tie to it counts.
constexpr double kLight = 1e-3, kShare = 0.1;
constexpr double kMostBase = 100;  // of (3a)

}  // namespace

CanonicalForm::CanonicalForm(const DescriptorSystem& system, KernelFactory kernel, int extra)
    : StateForm(system, std::move(kernel), extra),
      differences_(system.layout()),
      inertia_(Vec::Zero(nv_)),
      known_y_(Vec::Constant(nq_ + nv_ + extra, std::nan(""))),
      v_(nv_),
      sigma_(m_),
      read_sigma_(m_),
      base_(Vec::Zero(m_)),
      c_(m_),
      vdot_(nv_),
      rate_(nv_),
      guess_(nv_),
      above_(nv_) {}

bool CanonicalForm::knows(double t, ConstVec y) const {
  return t == known_t_ && y.head(known_y_.size()) == known_y_;
}

void CanonicalForm::remember(double t, ConstVec y) {
  known_t_ = t;
  known_y_ = y.head(known_y_.size());
}

void CanonicalForm::magnitudes(ConstVec y, VecRef out) const {  // (4)
  const bool known = y.head(known_y_.size()) == known_y_;
  if (!known) guess_ = x_of(y).cwiseQuotient(inertia_);  // what the momenta alone tell
  system_.magnitudes(q_of(y), known ? v_ : guess_, q_of(out), x_of(out));
  x_of(out) = x_of(out).cwiseProduct(inertia_);
  extra_of(out) = extra_of(y).cwiseAbs();
  if (integrates_work_) out[out.size() - 1] = 0;
}

void CanonicalForm::pack(const State& state, double work, VecRef y) {
  StateForm::pack(state, work, y);
  system_.position(state.t, state.q, aside_);
  system_.mass(state.t, state.q, aside_);
  if (!measured_) {
    measured_ = true;
    measure_inertia();
    scale_.segment(nq_, nv_) = inertia_.cwiseProduct(system_.layout().v_scale);
  }
  mass_times(aside_, state.v, x_of(y));
  base_.setZero();
  v_ = state.v;
  remember(state.t, y);
}

void CanonicalForm::measure_inertia() {  // (4), (5)
  const Vec& scale = system_.layout().v_scale;
  const Vec square = scale.cwiseAbs2();
  inertia_ = aside_.M.diagonal();
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0;
  for (int i = 0; i < nv_; ++i) {
    if (inertia_[i] > 0) lightest = std::min(lightest, inertia_[i] * square[i]);
    heaviest = std::max(heaviest, inertia_[i] * square[i]);
  }
  for (int i = 0; i < nv_; ++i)
    if (!(inertia_[i] > 0)) inertia_[i] = std::isfinite(lightest) ? lightest / square[i] : 1;
  if (!(lightest < kLight * heaviest) || factor(aside_) != Status::ok) return;
  Vec unit = Vec::Zero(nv_), meant(nv_);
  c_.setZero();
  for (int i = 0; i < nv_; ++i) {
    if (inertia_[i] * square[i] >= kLight * heaviest) continue;
    unit[i] = 1;
    const Status status = solver_->solve(unit, c_, meant, sigma_);
    unit[i] = 0;
    if (status != Status::ok) continue;
    const double largest = meant.cwiseQuotient(scale).lpNorm<Eigen::Infinity>() * scale[i];
    const double tied = std::min(kShare / largest, kLight * heaviest / square[i]);
    if (tied > inertia_[i]) inertia_[i] = tied;
  }
}

// By what momenta are measured, and the velocities y was made from, which (1) gives back to round-off only.
void CanonicalForm::keep(Memory& memory) {
  for (Vec* x : {&inertia_, &v_, &sigma_, &base_, &known_y_}) memory(*x);
  memory(known_t_);
  if (memory.reads() && memory.is_good()) {
    measured_ = true;
    scale_.segment(nq_, nv_) = inertia_.cwiseProduct(system_.layout().v_scale);
  }
}

double CanonicalForm::unpack(double t, ConstVec y, State& state) {
  const double work = StateForm::unpack(t, y, state);
  if (knows(t, y))
    state.v = v_;
  else if (velocities_at(t, y, aside_, state.v, read_sigma_) !=
           Status::ok)  // what is read must not change what is known
    state.v.setConstant(std::nan(""));
  return work;
}

const Vec& CanonicalForm::velocity_rows(const Terms& terms, ConstVec, Vec&) { return terms.nu; }

void CanonicalForm::add_rates(ConstVec, VecRef ydot) { extra_of(ydot).setZero(); }

Status CanonicalForm::find_velocities(double t, ConstVec y, Terms& terms) {
  if (const Status status = velocities_at(t, y, terms, v_, sigma_); status != Status::ok) return status;
  remember(t, y);
  return Status::ok;
}

Status CanonicalForm::velocities_at(double t, ConstVec y, Terms& terms, Vec& v, Vec& sigma) {
  system_.position(t, q_of(y), terms);
  system_.mass(t, q_of(y), terms);
  const Vec& c = velocity_rows(terms, extra_of(y), c_);
  if (const Status status = factor(terms); status != Status::ok) return status;
  if (!keeps_base_) return solver_->solve(x_of(y), c, v, sigma);
  above_ = x_of(y);  // (3b)
  add_transposed_rows(terms, -1, base_, above_);
  const Status status = solver_->solve(above_, c, v, sigma);
  sigma += base_;
  return status;
}

Status CanonicalForm::derivative(double t, ConstVec y, VecRef ydot) {
  const auto q = q_of(y);
  if (const Status status = find_velocities(t, y, terms_); status != Status::ok) return status;
  system_.force(t, q, v_, terms_);
  if (integrates_work_) {
    lambda_.setZero();
    if (max_abs(terms_.nu) > 0) {
      system_.bias(t, q, v_, terms_);
      const Status status = solver_->solve(terms_.f, terms_.gamma, vdot_, lambda_);
      if (status != Status::ok) return status;
    }
    power(t, q, v_, lambda_, ydot);
  }
  system_.kinematics(t, q, v_, q_of(ydot));  // (2)
  system_.momentum_rate(t, q, v_, sigma_, aside_, differences_, rate_);
  x_of(ydot) = terms_.f + rate_;
  add_rates(v_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

Status CanonicalForm::after_step(double t, VecRef y, StepChange& change) {  // (3)
  if (!knows(t, y))
    if (const Status status = find_velocities(t, y, aside_); status != Status::ok) return status;
  if (stabilization != nullptr)
    if (const Status status = stabilization->settle(t, q_of(y), v_); status != Status::ok) return status;
  system_.position(t, q_of(y), aside_);
  system_.mass(t, q_of(y), aside_);
  mass_times(aside_, v_, x_of(y));
  change = StepChange::moved;
  if (keeps_base_) {  // (3a)
    const auto size = [&](ConstVec p) {
      return p.cwiseQuotient(scale_.segment(nq_, nv_)).lpNorm<Eigen::Infinity>();
    };
    guess_ = x_of(y);
    add_transposed_rows(aside_, 1, sigma_, guess_);
    rate_ = guess_ - x_of(y);
    if (size(rate_) <= kMostBase * std::max(size(x_of(y)), 1.0)) {
      x_of(y) = guess_;
      if (stabilization != nullptr) extra_of(y).setZero();
      base_ = sigma_;  // (3b)
      remember(t, y);
      return Status::ok;
    }
    change = StepChange::redefined;
    base_.setZero();
  }
  extra_of(y).setZero();
  remember(t, y);
  return Status::ok;
}

}  // namespace driftless
