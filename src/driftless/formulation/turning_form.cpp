#include "driftless/formulation/turning_form.hpp"

#include <utility>

#include "driftless/math/linear/sparse_copy.hpp"

namespace driftless {
namespace {

// What was summed up, transposed.
void store(const SparseAssembly<double>& sum, int rows, int columns, SparseRows& out) {
  copy_sparse(Eigen::Map<const SparseRows>(rows, columns, Eigen::Index(sum.values().size()),
                                           sum.starts().data(), sum.rows().data(), sum.values().data()),
              out);
}

// A ← A + c B X
void add_chained(
    SparseAssembly<double>& sum, double c, const SparseRows& B, const SparseRows& X, SparseRows& A) {
  sum.assemble([&](SparseAssembly<double>& W) {
    W.add_transposed(A, 0, 0, 1.0);
    for (int i = 0; i < B.rows(); ++i)
      for (SparseRows::InnerIterator b(B, i); b; ++b)
        for (SparseRows::InnerIterator x(X, b.col()); x; ++x)
          W.add(static_cast<int>(x.col()), i, c * b.value() * x.value());
  });
  store(sum, static_cast<int>(A.rows()), static_cast<int>(A.cols()), A);
}

// A ← A + B X
template <class Dense, class Sum>
void add_product(const Dense& B, const SparseRows& X, Sum&& A) {
  for (int i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator x(X, i); x; ++x) A.col(x.col()) += x.value() * B.col(i);
}

// out = A B
void multiply(SparseAssembly<double>& sum, const SparseRows& A, const SparseRows& B, SparseRows& out) {
  sum.assemble([&](SparseAssembly<double>& W) {
    for (int i = 0; i < A.rows(); ++i)
      for (SparseRows::InnerIterator a(A, i); a; ++a)
        for (SparseRows::InnerIterator b(B, a.col()); b; ++b)
          W.add(static_cast<int>(b.col()), i, a.value() * b.value());
  });
  store(sum, static_cast<int>(A.rows()), static_cast<int>(B.cols()), out);
}

}  // namespace

TurningForm::TurningForm(const Layout& layout,
                         const TurningVectors& vectors,
                         std::unique_ptr<OdeForm> form,
                         CarriesVelocities& carrier)
    : nq_(layout.nq),
      nv_(layout.nv),
      vectors_(vectors),
      form_(std::move(form)),
      carrier_(carrier),
      carried_(carrier.carries()),
      scale_(form_->scale()),
      z_(form_->size()),
      before_(form_->size()) {
  scale_.head(nq_) = layout.q_scale;
  scale_.segment(nq_, nv_) = layout.v_scale;
}

OdeForm& TurningForm::inside() {
  form_->statistics = statistics;
  form_->stabilization = stabilization;
  return *form_;
}

void TurningForm::to_space(ConstVec y, Vec& z) const {
  z = y;
  vectors_.to_space(y.head(nq_), y.segment(nq_, nv_), z.segment(nq_, nv_));
}

void TurningForm::to_body(ConstVec z, VecRef y) const {
  y = z;
  vectors_.to_body(z.head(nq_), z.segment(nq_, nv_), y.segment(nq_, nv_));
}

// Axes change no lengths: what v is measured with serves u.
void TurningForm::magnitudes(ConstVec y, VecRef out) const {
  to_space(y, z_);
  form_->magnitudes(z_, out);
}

void TurningForm::pack(const State& state, double work, VecRef y) {
  inside().pack(state, work, z_);
  to_body(z_, y);
}

double TurningForm::unpack(double t, ConstVec y, State& state) {
  to_space(y, z_);
  return inside().unpack(t, z_, state);
}

Status TurningForm::put_in_space(double t, ConstVec y) {
  z_ = y;
  vectors_.put_in_shape(z_.head(nq_));
  if (const Status status = carrier_.solve_positions(t, z_.head(nq_)); status != Status::ok) return status;
  vectors_.to_space(z_.head(nq_), y.segment(nq_, nv_), z_.segment(nq_, nv_));
  return Status::ok;
}

void TurningForm::make_sums() {
  if (sums_ != nullptr) return;
  sums_ = std::make_unique<Sums>();
  for (SparseAssembly<double>* sum :
       {&sums_->parts.T, &sums_->parts.X_q, &sums_->parts.X_v, &sums_->parts.D, &sums_->K, &sums_->C,
        &sums_->TD, &sums_->TTD, &sums_->K_shape[0], &sums_->K_shape[1], &sums_->K_shape[2]})
    sum->size(nv_);
  sums_->F.resize(size());
}

Status TurningForm::jacobian(double t, ConstVec y, FormJacobian& out) {
  make_sums();
  if (const Status placed = put_in_space(t, y); placed != Status::ok) return placed;
  Vec& F = sums_->F;
  if (const Status status = inside().derivative(t, z_, F); status != Status::ok) return status;
  if (const Status status = inside().jacobian(t, z_, out); status != Status::ok) return status;
  const auto q = z_.head(nq_), v = F.head(nq_);
  vectors_.to_body_acceleration(q, v, v, F.segment(nq_, nv_));
  vectors_.turning_tangents(q, v, y.segment(nq_, nv_), F.segment(nq_, nv_), sums_->parts);
  SparseRows &X_q = sums_->X_q, &X_v = sums_->X_v;
  store(sums_->parts.X_q, nv_, nv_, X_q);
  store(sums_->parts.X_v, nv_, nv_, X_v);
  store(sums_->parts.T, nv_, nv_, out.T);
  out.turning = &vectors_;
  out.turning_q = q;
  switch (out.kind) {
    case FormJacobian::Kind::second:
      out.J1 -= X_q;
      out.J2 -= X_v;
      break;
    case FormJacobian::Kind::full:
      out.A.block(nq_, 0, nv_, nq_) -= X_q;
      out.A.block(nq_, nq_, nv_, nv_) -= X_v;
      break;
    case FormJacobian::Kind::motion: {
      MotionBlocks& blocks = out.motion;
      for (SparseAssembly<double>* sum :
           {&sums_->S_q, &sums_->S_v, &sums_->S_shape[0], &sums_->S_shape[1], &sums_->S_shape[2]})
        if (sum->size() != blocks.J.rows()) sum->size(static_cast<int>(blocks.J.rows()));
      add_chained(sums_->K, 1, blocks.M, X_q, blocks.K);
      add_chained(sums_->C, 1, blocks.M, X_v, blocks.C);
      add_chained(sums_->S_q, -1, blocks.J, X_q, blocks.S_q);
      add_chained(sums_->S_v, -1, blocks.J, X_v, blocks.S_v);
      break;
    }
    case FormJacobian::Kind::reduced:  // of forms that do not carry all velocities: never inside this one
      return Status::not_finite;
  }
  if (!sums_->parts.D.values().empty()) see_shape(out);
  return Status::ok;
}

void TurningForm::see_shape(FormJacobian& out) {
  SparseRows &D = sums_->D, &once = sums_->once, &twice = sums_->twice;
  store(sums_->parts.D, nv_, nv_, D);
  multiply(sums_->TD, out.T, D, once);
  multiply(sums_->TTD, out.T, once, twice);
  switch (out.kind) {
    case FormJacobian::Kind::second:
      sums_->by_q = out.J1;
      add_product(sums_->by_q, D, out.J1);
      add_product(out.J2, once, out.J1);
      out.J1 -= twice;
      return;
    case FormJacobian::Kind::full: {
      auto by_q = out.A.block(nq_, 0, nv_, nq_);
      sums_->by_q = by_q;
      add_product(sums_->by_q, D, by_q);
      add_product(out.A.block(nq_, nq_, nv_, nv_), once, by_q);
      by_q -= twice;
      return;
    }
    case FormJacobian::Kind::motion: {
      MotionBlocks& blocks = out.motion;
      add_chained(sums_->K_shape[0], 1, blocks.K, D, blocks.K);
      add_chained(sums_->K_shape[1], 1, blocks.C, once, blocks.K);
      add_chained(sums_->K_shape[2], 1, blocks.M, twice, blocks.K);
      add_chained(sums_->S_shape[0], 1, blocks.S_q, D, blocks.S_q);
      add_chained(sums_->S_shape[1], 1, blocks.S_v, once, blocks.S_q);
      add_chained(sums_->S_shape[2], -1, blocks.J, twice, blocks.S_q);
      return;
    }
    case FormJacobian::Kind::reduced:
      return;
  }
}

Status TurningForm::derivative(double t, ConstVec y, VecRef ydot) {
  if (const Status placed = put_in_space(t, y); placed != Status::ok) return placed;
  const Status status = inside().derivative(t, z_, ydot);
  if (status != Status::ok) return status;
  vectors_.to_body_acceleration(z_.head(nq_), ydot.head(nq_), z_.segment(nq_, nv_), ydot.segment(nq_, nv_));
  if (carried_ == What::momenta) return status;
  // q itself moves with what it is: schemes follow a steady turn best where q̇ is linear in q.
  ydot.head(nq_) -= z_.segment(nq_, nv_);
  vectors_.to_space(y.head(nq_), y.segment(nq_, nv_), z_.segment(nq_, nv_));
  ydot.head(nq_) += z_.segment(nq_, nv_);
  return status;
}

Status TurningForm::settle(double t, VecRef y) {
  to_space(y, z_);
  before_ = z_;
  if (stabilization != nullptr ||
      solves_dependent()) {  // in shape u is what it was; a correction of v would turn it
    if (const Status status = put_in_space(t, y); status != Status::ok) return status;
  }
  const Status status = inside().settle(t, z_);
  if (z_ != before_) to_body(z_, y);
  return status;
}

Status TurningForm::after_step(double t, VecRef y, StepChange& change) {
  to_space(y, z_);
  const Status status = inside().after_step(t, z_, change);
  if (change != StepChange::same) to_body(z_, y);
  return status;
}

void TurningForm::keep(Memory& memory) {
  if (auto* keeper = dynamic_cast<KeepsMemory*>(form_.get())) keeper->keep(memory);
}

std::unique_ptr<OdeForm> in_turning_axes(const DescriptorSystem& system,
                                         std::unique_ptr<OdeForm> form,
                                         bool wants_jacobian) {
  const auto* vectors = dynamic_cast<const TurningVectors*>(&system);
  auto* carrier = dynamic_cast<CarriesVelocities*>(form.get());
  if (vectors == nullptr || !vectors->has_body_rates() || carrier == nullptr) return form;
  const bool is_plain = carrier->carries() == CarriesVelocities::What::velocities;
  if (wants_jacobian && !(is_plain && vectors->has_turning_tangents())) return form;
  return std::make_unique<TurningForm>(system.layout(), *vectors, std::move(form), *carrier);
}

}  // namespace driftless
