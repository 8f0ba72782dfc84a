#include "driftless/formulation/index1/index_one.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/math/linear/sparse_copy.hpp"

namespace driftless {
namespace {
constexpr int kSmall = 16;  // increments up to which (4) is solved column by column
}

void RowGains::right_side(const Terms& terms, ConstVec v, Vec& c) const {
  const auto mh = terms.g.size(), mn = terms.gamma.size() - mh;
  velocity_residual(terms, v, c);  // r = J v − ν
  c.tail(mn) = terms.gamma.tail(mn) - nonholonomic * c.tail(mn);
  c.head(mh) = terms.gamma.head(mh) - velocity * c.head(mh) - position * terms.g;
}

Status IndexOneForm::derivative(double t, ConstVec y, VecRef ydot) {
  const auto q = q_of(y);
  const auto v = x_of(y);
  system_.evaluate(t, q, v, terms_);
  const RowGains damping = gains();
  if (damping.any()) damping.right_side(terms_, v, c_);
  if (const Status factored = factor(terms_); factored != Status::ok) return factored;
  const Status status =
      solver_->solve(terms_.f, damping.any() ? c_ : terms_.gamma, x_of(ydot), lambda_);  // (1)
  if (status != Status::ok) return status;
  system_.kinematics(t, q, v, q_of(ydot));  // (2)
  power(t, q, v, lambda_, ydot);
  return std::isfinite(ydot.sum()) ? Status::ok : Status::not_finite;
}

bool IndexOneForm::has_jacobian() const {
  return !system_.layout().mass_is_implicit || dynamic_cast<const FormsMass*>(&system_) != nullptr;
}

void IndexOneForm::make_tangents() {
  if (tangents_ != nullptr) return;
  tangents_ = std::make_unique<Tangents>(
      system_.make_tangents({.dynamics = true, .velocity = gains().any(), .acceleration = true}));
  if (system_.layout().mass_is_implicit) mass_ = dynamic_cast<const FormsMass&>(system_).make_formed_mass();
  S_q_sum_.size(m_);
  S_v_sum_.size(m_);
  ydot_.resize(size());
  for (Vec* x : {&r1_, &dv_}) x->resize(nv_);
  for (Vec* x : {&r2_, &dlambda_}) x->resize(m_);
  probe_ = Vec::LinSpaced(nv_, 1, 2);
  ahead_.resize(nq_);
}

void IndexOneForm::keep(Memory& memory) {
  bool has_tangents = tangents_ != nullptr;
  memory(has_tangents);
  if (!has_tangents) return;
  make_tangents();
  tangents_->keep(memory);
}

Status IndexOneForm::jacobian(double t, ConstVec y, FormJacobian& out) {
  make_tangents();
  if (const Status status = derivative(t, y, ydot_); status != Status::ok) return status;
  const auto q = q_of(y);
  const auto v = x_of(y);
  system_.tangents(t, q, v, x_of(ydot_), lambda_, aside_, *tangents_);
  MotionBlocks& blocks = out.motion;
  copy_sparse(tangents_->K, blocks.K);
  copy_sparse(tangents_->C, blocks.C);
  if (mass_) mass_->fill(terms_);
  copy_sparse(mass_ ? mass_->M() : terms_.M, blocks.M);
  copy_sparse(terms_.J, blocks.J);
  make_rows(gains(), blocks);
  system_.kinematics(t, q, probe_, ahead_);
  blocks.is_plain = nq_ == nv_ && ahead_ == probe_;
  if (!blocks.is_plain) system_.kinematic_tangents(t, q, v, blocks.kinematics);
  const auto& dropped = solver_->dropped_rows();
  blocks.kept.clear();
  for (int i = 0; i < m_; ++i)
    if (!std::binary_search(dropped.begin(), dropped.end(), i)) blocks.kept.push_back(i);
  out.kind = FormJacobian::Kind::motion;
  if (blocks.is_plain && nv_ <= kSmall) return make_whole(out);
  if (solver_->yields()) return make_full(out);
  double sum = 0;
  for (const SparseRows* block : {&blocks.K, &blocks.C, &blocks.S_q, &blocks.S_v})
    if (block->rows() > 0) sum += block->sum();
  return std::isfinite(sum) ? Status::ok : Status::not_finite;
}

void IndexOneForm::make_rows(const RowGains& gains, MotionBlocks& out) {
  if (!gains.any()) {
    copy_sparse(tangents_->S_q, out.S_q);
    copy_sparse(tangents_->S_v, out.S_v);
    return;
  }
  const auto gain = [&](int i) { return i < mh_ ? gains.velocity : gains.nonholonomic; };
  const auto subtract = [](SparseAssembly<double>& W, const SparseRows& A, int i, double c) {
    for (SparseRows::InnerIterator e(A, i); e; ++e) W.add(static_cast<int>(e.col()), i, -c * e.value());
  };
  const auto store = [&](const SparseAssembly<double>& sum, SparseRows& S) {
    copy_sparse(Eigen::Map<const SparseRows>(m_, nv_, Eigen::Index(sum.values().size()), sum.starts().data(),
                                             sum.rows().data(), sum.values().data()),
                S);
  };
  S_q_sum_.assemble([&](SparseAssembly<double>& W) {
    W.add_transposed(tangents_->S_q, 0, 0, 1.0);
    for (int i = 0; i < m_; ++i) subtract(W, tangents_->L, i, gain(i));
    for (int i = 0; i < mh_; ++i) subtract(W, terms_.J, i, gains.position);
  });
  S_v_sum_.assemble([&](SparseAssembly<double>& W) {
    W.add_transposed(tangents_->S_v, 0, 0, 1.0);
    for (int i = 0; i < m_; ++i) subtract(W, terms_.J, i, gain(i));
  });
  store(S_q_sum_, out.S_q);
  store(S_v_sum_, out.S_v);
}

Status IndexOneForm::solve_column(ConstVec e, const SparseRows& by, const SparseRows& rows, VecRef column) {
  r1_.setZero();
  r2_.setZero();
  add_product(by, -1.0, e, r1_);
  add_product(rows, 1.0, e, r2_);
  return solver_->solve(r1_, r2_, column, dlambda_);
}

Status IndexOneForm::make_whole(FormJacobian& out) {
  const MotionBlocks& blocks = out.motion;
  out.kind = FormJacobian::Kind::second;
  out.J1.resize(nv_, nv_);
  out.J2.resize(nv_, nv_);
  dv_.setZero();
  for (int j = 0; j < nv_; ++j) {
    dv_[j] = 1;
    if (const Status status = solve_column(dv_, blocks.K, blocks.S_q, out.J1.col(j)); status != Status::ok)
      return status;
    if (const Status status = solve_column(dv_, blocks.C, blocks.S_v, out.J2.col(j)); status != Status::ok)
      return status;
    dv_[j] = 0;
  }
  return std::isfinite(out.J1.sum() + out.J2.sum()) ? Status::ok : Status::not_finite;
}

Status IndexOneForm::make_full(FormJacobian& out) {
  const MotionBlocks& blocks = out.motion;
  out.kind = FormJacobian::Kind::full;
  out.A.setZero(size(), size());
  for (int j = 0; j < nq_ + nv_; ++j) {
    const bool by_q = j < nq_;
    probe_.setZero();
    if (by_q && !blocks.is_plain)
      probe_ = blocks.kinematics.P.col(j);
    else
      probe_[by_q ? j : j - nq_] = 1;
    const Status status = solve_column(probe_, by_q ? blocks.K : blocks.C, by_q ? blocks.S_q : blocks.S_v,
                                       out.A.col(j).segment(nq_, nv_));
    if (status != Status::ok) return status;
  }
  probe_ = Vec::LinSpaced(nv_, 1, 2);
  if (blocks.is_plain) {
    out.A.block(0, nq_, nq_, nv_).setIdentity();
  } else {
    out.A.topLeftCorner(nq_, nq_) = Mat(blocks.kinematics.N);
    out.A.block(0, nq_, nq_, nv_) = Mat(blocks.kinematics.T);
  }
  return std::isfinite(out.A.sum()) ? Status::ok : Status::not_finite;
}

}  // namespace driftless
