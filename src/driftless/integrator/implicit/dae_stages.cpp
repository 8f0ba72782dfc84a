#include "driftless/integrator/implicit/dae_stages.hpp"

#include "driftless/integrator/implicit/residual_scheme.hpp"

namespace driftless {

DaeStages::DaeStages(OdeForm& form, Statistics& statistics)
    : StageSystem(form, statistics),
      form_(*form.as_residual()),
      nv_(form_.system().layout().nv),
      has_work_(form_.integrates_work()),
      magnitude1_(form.size()),
      dynamics_(nv_),
      slip_(nv_) {}

Status DaeStages::begin(double t, Vec& y, Vec& slope) {
  point_ = form_.make_point();
  tangent_ = form_.make_tangent();
  State state;
  form_.unpack(t, y, state);
  point_.t = t;
  point_.q = state.q;
  point_.v = state.v;
  ++statistics_.evaluations;
  if (const Status status = form_.complete(point_); status != Status::ok) return status;
  slope.head(nv_) = point_.v;
  slope.segment(nv_, nv_) = point_.a;
  if (has_work_) slope[2 * nv_] = form_.power(point_);
  before_ = stage_ = point_;
  size_ = form_.size() + form_.multipliers() + form_.slips();
  start_.setZero(size_);
  rows_.resize(form_.rows());
  size_factors(real_);
  size_factors(pair_);
  forget();
  return Status::ok;
}

template <class Scalar>
void DaeStages::size_factors(Factors<Scalar>& factors) {
  factors.system.size(form_);
  const int n = factors.system.unknowns();
  factors.W.size(n);
  factors.lu.size(n);
  factors.right.resize(n);
  factors.x.resize(n);
  factors.version = -1;
}

void DaeStages::open(const StepControl& control, double t, const Vec& y, const Vec& slope) {
  StageSystem::open(control, t, y, slope);
  before_ = point_;
  start_.segment(form_.size(), form_.multipliers()) = point_.lambda;
  start_.tail(form_.slips()) = point_.mu;
}

void DaeStages::prepare(double h) {
  h_ = h;
  weigh(magnitude_);
  scale_ways();
}

void DaeStages::scale_ways() {  // (2)
  if (velocities_follow()) weight_.segment(nv_, nv_) = h_ * weight_.head(nv_);
}

void DaeStages::guess(double c, VecRef z) const {  // Taylor
  z.setZero();
  z.head(nv_) = c * before_.v + 0.5 * c * c * before_.a;
  z.segment(nv_, nv_) = c * before_.a;
}

void DaeStages::stage_at(double t, const Vec& U, const Vec& Udot) {
  stage_.t = t;
  stage_.q = U.head(nv_);
  stage_.v = U.segment(nv_, nv_);
  stage_.a = Udot.segment(nv_, nv_);
  stage_.lambda = U.segment(form_.size(), form_.multipliers());
  stage_.mu = U.tail(form_.slips());
}

Status DaeStages::residual(double t, const Vec& U, const Vec& Udot, VecRef r) {  // (1)
  stage_at(t, U, Udot);
  ++statistics_.evaluations;
  form_.residual(stage_, dynamics_, slip_, rows_);
  r.head(nv_) = Udot.head(nv_) - stage_.v + slip_;
  r.segment(nv_, nv_) = dynamics_;
  if (has_work_) r[2 * nv_] = Udot[2 * nv_] - form_.power(stage_);
  r.tail(rows_.size()) = rows_;
  return Status::ok;
}

Status DaeStages::defect(const Vec& U, const Vec& E, Vec& r) {
  rate_ = -E;
  if (const Status status = residual(t0_, U, rate_, r); status != Status::ok) return status;
  r = -r;
  r.tail(rows_.size()).setZero();
  return Status::ok;
}

Status DaeStages::end(double t, const Vec& U, const Vec& Udot, Vec& y, Vec& slope) {
  stage_at(t, U, Udot);
  ++statistics_.evaluations;
  const DescriptorSystem& system = form_.system();
  Terms& terms = form_.terms();
  system.position(t, stage_.q, terms);
  system.mass(t, stage_.q, terms);
  system.force(t, stage_.q, stage_.v, terms);
  point_ = stage_;
  y = U.head(form_.size());
  system.kinematics(t, point_.q, point_.v, slope.head(nv_));
  slope.segment(nv_, nv_) = point_.a;
  if (has_work_) slope[2 * nv_] = form_.power(point_);
  return Status::ok;
}

Status DaeStages::close(double, const Vec& y, Vec&) {
  if (form_.stabilization == nullptr) return Status::ok;
  point_.q = y.head(nv_);
  point_.v = y.segment(nv_, nv_);
  return Status::ok;
}

// rk4 on the index-1 equations, put back on the constraints.
Status DaeStages::explicit_step(double h, double t1, Vec& y, Vec& slope) {
  constexpr double kNodes[] = {0, 0.5, 0.5, 1};
  if (projection_ == nullptr) projection_ = make_projection(form_.system(), nullptr);
  projection_->drop_rows(form_.dropped_rows());
  const Eigen::Index n = form_.size();
  slopes_.resize(n, 4);
  for (int i = 0; i < 4; ++i) {
    y = start_.head(n);
    if (i > 0) y += h * kNodes[i] * slopes_.col(i - 1);
    ++statistics_.evaluations;
    const Status status = form_.derivative(i == 3 ? t1 : t0_ + kNodes[i] * h, y, slopes_.col(i));
    if (status != Status::ok) return status;
  }
  y = start_.head(n) + h / 6 * (slopes_.col(0) + 2 * slopes_.col(1) + 2 * slopes_.col(2) + slopes_.col(3));
  point_.t = t1;
  point_.q = y.head(nv_);
  point_.v = y.segment(nv_, nv_);
  if (const Status status = projection_->settle(t1, point_.q, point_.v); status != Status::ok) return status;
  y.head(nv_) = point_.q;
  y.segment(nv_, nv_) = point_.v;
  if (const Status status = form_.complete(point_); status != Status::ok) return status;
  slope.head(nv_) = point_.v;
  slope.segment(nv_, nv_) = point_.a;
  if (has_work_) slope[2 * nv_] = form_.power(point_);
  return Status::ok;
}

void DaeStages::accept(double t) {
  StageSystem::accept(t);
  point_.t = t;
}

bool DaeStages::tell(double t, Carried& out) const {
  out.acceleration_time = out.multiplier_time = t;
  out.acceleration = point_.a;
  out.multipliers = point_.lambda;
  return true;
}

Status DaeStages::renew(const DaePoint& at) {
  ++statistics_.jacobians;
  form_.tangent(at, tangent_);
  is_known_ = is_current_ = true;
  ++version_;
  return Status::ok;
}

template <class Scalar>
void DaeStages::factor(Scalar c, Factors<Scalar>& factors) {
  const bool serves = is_same(c, factors.c);
  if (serves && factors.version == version_) return;
  if (!serves) factors.c = c;
  statistics_.factor_matrix();
  factors.system.fill(form_, tangent_, factors.c, factors.W);
  factors.status = factors.lu.factor(factors.W);
  factors.version = version_;
}
template void DaeStages::factor(double c, Factors<double>& factors);
template void DaeStages::factor(Complex c, Factors<Complex>& factors);

template <class Scalar, class Vector>
Status DaeStages::solve(const Vector& r, Factors<Scalar>& factors, Vector& d) {
  if (factors.status != Status::ok) return factors.status;
  factors.system.reduce(r, factors.right);
  if (const Status status = factors.lu.solve(factors.right, factors.x); status != Status::ok) return status;
  d.resize(r.size());
  factors.system.expand(r, factors.x, d);
  if (has_work_) d[2 * nv_] = factors.c * r[2 * nv_];
  return Status::ok;
}
template Status DaeStages::solve(const Vec& r, Factors<double>& factors, Vec& d);
template Status DaeStages::solve(const ComplexVec& r, Factors<Complex>& factors, ComplexVec& d);

double DaeStages::size_of_error(ConstVec e, const Vec& y1) {  // (2)
  form_.magnitudes(y1, magnitude1_);
  magnitude1_ = magnitude1_.cwiseMax(magnitude_);
  weigh(magnitude1_);
  scale_ways();
  return norm(e);
}

void DaeStages::keep(Memory& memory) {  // factors follow from the tangent
  for (Vec* x : {&point_.a, &point_.lambda, &point_.mu}) memory(*x);
  memory(is_known_);
  memory(is_current_);
  if (is_known_) keep_tangent(memory, tangent_);
  keep_c(memory, real_.c);
  keep_c(memory, pair_.c);
  real_.lu.keep(memory);
  pair_.lu.keep(memory);
  if (memory.reads()) ++version_;
}

}  // namespace driftless
