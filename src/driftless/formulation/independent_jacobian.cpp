// (7) of independent_form.hpp.
#include <cmath>

#include "driftless/formulation/independent_form.hpp"
#include "driftless/math/sparse_copy.hpp"

namespace driftless {

// What (7) needs of the system: derivatives along the few columns of R, one by one or from all of them at once.
struct IndependentForm::Directions {
  explicit Directions(const DescriptorSystem& system)
      : scratch(system.layout()),
        point{0, Vec(system.layout().nq), Vec(system.layout().nv), Vec(system.layout().nv),
              Vec(system.layout().m)},
        change{Vec(system.layout().nv), Vec(system.layout().m), Vec(system.layout().m)},
        none(Vec::Zero(system.layout().nv)) {
    if (system.fills_tangents())
      all = std::make_unique<Tangents>(
          system.make_tangents({.dynamics = true, .velocity = true, .acceleration = true}));
  }

  void stand(const DescriptorSystem& system,
             double t,
             const Vec& q,
             const Vec& v,
             ConstVec a,
             const Vec& lambda,
             Terms& terms) {
    point.t = t;
    point.q = q;
    point.v = v;
    point.a = a;
    point.lambda = lambda;
    scratch.stands = false;
    if (all) system.tangents(t, q, v, a, lambda, terms, *all);
  }
  // change.r along dq.
  void rows_along(const DescriptorSystem& system, ConstVec dq, Terms& terms) {
    if (!all) return system.tangent_along(point, dq, none, {.velocity = true}, terms, scratch, change);
    change.r.setZero();
    add_product(all->L, 1.0, dq, change.r);
  }
  // change.rho and change.sigma along (dq, dv).
  void along(const DescriptorSystem& system, ConstVec dq, ConstVec dv, Terms& terms) {
    if (!all)
      return system.tangent_along(point, dq, dv, {.dynamics = true, .acceleration = true}, terms, scratch,
                                  change);
    change.rho.setZero();
    change.sigma.setZero();
    add_product(all->K, 1.0, dq, change.rho);
    add_product(all->C, 1.0, dv, change.rho);
    add_product(all->S_q, 1.0, dq, change.sigma);
    add_product(all->S_v, 1.0, dv, change.sigma);
  }

  DifferenceScratch scratch;
  MotionPoint point;
  MotionChange change;
  Vec none;  // nv
  std::unique_ptr<Tangents> all;
};

IndependentForm::~IndependentForm() = default;

void IndependentForm::make_directions() {
  if (directions_ != nullptr) return;
  directions_ = std::make_unique<Directions>(system_);
  ydot_.resize(size());
  r1_.resize(nv_);
  dlambda_.resize(m_);
}

// Patterns learned.
void IndependentForm::keep_directions(Memory& memory) {
  bool has = directions_ != nullptr && directions_->all != nullptr;
  memory(has);
  if (!has || !memory.is_good()) return;
  make_directions();
  if (directions_->all == nullptr) return memory.refuse();
  directions_->all->keep(memory);
}

Status IndependentForm::jacobian(double t, ConstVec y, FormJacobian& out) {
  make_directions();
  Directions& tangent = *directions_;
  if (const Status status = derivative(t, y, ydot_); status != Status::ok) return status;
  tangent.stand(system_, t, q_, v_, ydot_.segment(nq_, nv_), lambda_, aside_);
  const Mat& R = space_.R();
  const int f = space_.freedom();
  out.U_q.resize(nq_ + nv_, f);
  out.U_v.resize(nq_ + nv_, f);
  const auto back_substitute = [&](auto column) {
    r1_ = -tangent.change.rho;
    space_.solve(terms_.M, r1_, tangent.change.sigma, column, dlambda_);
  };
  for (int k = 0; k < f; ++k) {
    tangent.rows_along(system_, R.col(k), aside_);
    space_.S(tangent.change.r, r1_);
    out.U_q.col(k).head(nq_) = -r1_;
    tangent.along(system_, R.col(k), out.U_q.col(k).head(nq_), aside_);
    back_substitute(out.U_q.col(k).tail(nv_));
  }
  offset_.setZero();
  for (int k = 0; k < f; ++k) {
    out.U_v.col(k).head(nq_) = R.col(k);
    tangent.along(system_, offset_, R.col(k), aside_);
    back_substitute(out.U_v.col(k).tail(nv_));
  }
  out.E.resize(f, nv_);
  for (int j = 0; j < nv_; ++j) {
    offset_[j] = 1;
    space_.B(offset_, out.E.col(j));
    offset_[j] = 0;
  }
  out.kind = FormJacobian::Kind::reduced;
  return std::isfinite(out.U_q.sum() + out.U_v.sum() + out.E.sum()) ? Status::ok : Status::not_finite;
}

}  // namespace driftless
