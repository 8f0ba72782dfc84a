#include "driftless/integrator/implicit/residual_scheme.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

ResidualForm& as_residual(OdeForm& form) {
  auto* residual = form.as_residual();
  assert(residual != nullptr);  // choose_methods() pairs them
  return *residual;
}

}  // namespace

ResidualScheme::ResidualScheme(OdeForm& form, Statistics& statistics, const StepControl& control)
    : Scheme(form, statistics, control),
      form_(as_residual(form)),
      nq_(form_.system().layout().nq),
      nv_(form_.system().layout().nv),
      error_(nv_) {}

void ResidualScheme::test(Tested what) {
  assert(what == Tested::positions || nq_ == nv_);
  tested_ = what;
  error_.resize(what == Tested::positions ? nv_ : 2 * nv_);
}

Status ResidualScheme::begin() {
  point_ = form_.make_point();
  tangent_ = form_.make_tangent();
  State state;
  work_ = form_.unpack(t1_, y1_, state);
  point_.t = t1_;
  point_.q = state.q;
  point_.v = state.v;
  ++statistics_.evaluations;
  if (const Status status = form_.complete(point_); status != Status::ok) return status;
  if (form_.integrates_work()) power_ = form_.power(point_);
  before_ = point_;
  begin_own();
  store_end();
  y0_ = y1_;
  k0_ = k1_;
  magnitude1_ = magnitude0_;
  return Status::ok;
}

void ResidualScheme::open() {
  before_ = point_;
  work_before_ = work_;
  power_before_ = power_;
}

Status ResidualScheme::attempt(double h, double t1) {
  if (const Status status = step(h, left(t1)); status != Status::ok) return status;
  store_end();
  return Status::ok;
}

Status ResidualScheme::close(double) {
  if (form_.stabilization == nullptr) return Status::ok;
  point_.q = y1_.head(nq_);
  point_.v = y1_.segment(nq_, nv_);
  return Status::ok;
}

double ResidualScheme::error(double h) {
  estimate(h, error_);
  const double size = norm(h, error_);
  worst_ = largest_share_;
  return size;
}

void ResidualScheme::undo() {
  point_ = before_;
  work_ = work_before_;
  power_ = power_before_;
}

void ResidualScheme::accept(double h) {
  point_.t = t1_;
  accept_own(h);
}

double ResidualScheme::accepted(double h, double error) {
  point_.t = t1_;
  const double next = next_step(h, error);
  after_rejection_ = false;
  return next;
}

double ResidualScheme::rejected(double h, double error) {
  const double shorter = step_after_rejection(h, error);
  after_rejection_ = true;
  return shorter;
}

double ResidualScheme::failed(double h, Status status, bool) {
  after_rejection_ = true;
  return step_after_failure(h, status);
}

// (4)
double ResidualScheme::next_step(double h, double error) {
  double factor = std::clamp(0.9 * std::pow(error, -1.0 / (order() + 1)), 0.2, 2.0);
  if (after_rejection_) factor = std::min(factor, 1.0);
  return factor >= 1 && factor <= 1.2 ? h : h * factor;
}
double ResidualScheme::step_after_rejection(double h, double error) {
  return h * std::clamp(0.9 * std::pow(error, -1.0 / (order() + 1)), 0.2, 2.0);
}
double ResidualScheme::step_after_failure(double h, Status status) {  // (5)
  return status == Status::not_finite ? h / 4 : h / 2;
}

// (2), (3)
double ResidualScheme::norm(double h, ConstVec error) {
  const Vec& scale = form_.system().layout().v_scale;
  double sum = 0, largest = -1;
  int tested = 0;
  for (int i = 0; i < error.size(); ++i) {
    const bool is_velocity = i >= nv_, as_way = is_velocity && tested_ == Tested::positions_and_ways;
    const int j = is_velocity ? i - nv_ : i, k = as_way ? j : i;  // increment; entry of y it is measured by
    if (nq_ == nv_ && form_.scale()[k] == 0) continue;
    const double size = nq_ == nv_ ? std::max(magnitude0_[k], magnitude1_[k]) : scale[j];
    const double share =
        std::abs(error[i]) * (as_way ? h : 1) / (control_.atol * scale[j] + control_.rtol * size);
    sum += share * share;
    ++tested;
    if (share > largest) {
      largest = share;
      largest_share_ = nq_ == nv_ ? i : nq_ + i;
    }
  }
  const double error_norm = tested > 0 ? std::sqrt(sum / tested) : 0;
  return std::isfinite(error_norm) ? error_norm : 1e10;
}

bool ResidualScheme::tell(Carried& out) const {
  out.acceleration_time = out.multiplier_time = t1_;
  out.acceleration = point_.a;
  out.multipliers = point_.lambda;
  return true;
}

void ResidualScheme::store_end() {
  y1_.head(nq_) = point_.q;
  y1_.segment(nq_, nv_) = point_.v;
  form_.system().kinematics(point_.t, point_.q, point_.v, k1_.head(nq_));
  k1_.segment(nq_, nv_) = point_.a;
  if (!form_.integrates_work()) return;
  y1_[y1_.size() - 1] = work_;
  k1_[k1_.size() - 1] = power_;
}

void ResidualScheme::keep(Memory& memory) {
  for (Vec* x : {&point_.a, &point_.lambda, &point_.mu}) memory(*x);
  memory(work_);
  memory(power_);
  keep_own(memory);
}

void keep_tangent(Memory& memory, DaeTangent& tangent) {
  const auto rows = tangent.J.rows(), velocity_rows = tangent.L.rows();
  const int nv = static_cast<int>(tangent.M.cols());
  for (SparseRows* block : {&tangent.M, &tangent.C, &tangent.K}) {
    memory.sparse(*block, nv, nv);
    if (block->rows() != nv || block->cols() != nv) memory.refuse();
  }
  for (SparseRows* block : {&tangent.J, &tangent.L}) {
    memory.sparse(*block, std::numeric_limits<int>::max(), nv);
    if (block->cols() != nv) memory.refuse();
  }
  if (tangent.J.rows() != rows || tangent.L.rows() != velocity_rows) memory.refuse();
}

}  // namespace driftless
