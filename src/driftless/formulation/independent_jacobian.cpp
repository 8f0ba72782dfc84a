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
  // LR = L R: change of the rows along the columns of R.
  void rows_along(const DescriptorSystem& system, const Mat& R, Terms& terms) {
    const auto f = R.cols();
    LR.resize(point.lambda.size(), f);
    for (Eigen::Index k = 0; k < f; ++k) {
      if (all) {
        change.r.setZero();
        add_product(all->L, 1.0, R.col(k), change.r);
      } else {
        system.tangent_along(point, R.col(k), none, {.velocity = true}, terms, scratch, change);
      }
      LR.col(k) = change.r;
    }
  }
  // change.rho and change.sigma along (dq, dv).
  template <class Q, class V>
  void along(const DescriptorSystem& system, const Q& dq, const V& dv, bool by_q, Terms& terms) {
    if (!all)
      return system.tangent_along(point, dq, dv, {.dynamics = true, .acceleration = true}, terms, scratch,
                                  change);
    change.rho.setZero();
    change.sigma.setZero();
    if (by_q) {
      add_product(all->K, 1.0, dq, change.rho);
      add_product(all->S_q, 1.0, dq, change.sigma);
    }
    add_product(all->C, 1.0, dv, change.rho);
    add_product(all->S_v, 1.0, dv, change.sigma);
  }

  DifferenceScratch scratch;
  MotionPoint point;
  MotionChange change;
  Vec none;        // nv
  Mat LR, rates;   // m × f, nv × f: δv at ż = 0
  Mat rho, local;  // nv × f
  KinematicTangents kinematics;
  std::unique_ptr<Tangents> all;
};

IndependentForm::~IndependentForm() = default;

void IndependentForm::make_directions() {
  if (directions_ != nullptr) return;
  directions_ = std::make_unique<Directions>(system_);
  ydot_.resize(size());
  r1_.resize(nv_);
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
  ReducedBlocks& B = out.reduced;
  for (Mat* block : {&tangent.rates, &tangent.rho, &B.B1, &B.B2}) block->resize(nv_, f);
  B.R = R;
  B.mass = space_.reduced_mass();
  tangent.rows_along(system_, R, aside_);
  for (int k = 0; k < f; ++k) {
    space_.S(tangent.LR.col(k), tangent.rates.col(k));
    tangent.rates.col(k) *= -1;
  }
  // M̂J = −Rᵀ (ρ + M S σ), and S σ is what the dependent accelerations have besides.
  const auto reduce = [&](bool by_q, Mat& bias, Mat& MJ) {
    for (int k = 0; k < f; ++k) {
      if (by_q)
        tangent.along(system_, R.col(k), tangent.rates.col(k), true, aside_);
      else
        tangent.along(system_, tangent.none, R.col(k), false, aside_);
      space_.S(tangent.change.sigma, bias.col(k));
      r1_ = tangent.change.rho;
      add_product(terms_.M, 1.0, bias.col(k), r1_);
      tangent.rho.col(k) = r1_;
    }
    MJ.noalias() = -R.transpose() * tangent.rho;
  };
  reduce(true, B.B1, B.MJ1);
  reduce(false, B.B2, B.MJ2);
  B.E.resize(f, nv_);
  offset_.setZero();
  for (int j = 0; j < nv_; ++j) {
    offset_[j] = 1;
    space_.B(offset_, B.E.col(j));
    offset_[j] = 0;
  }
  if (plain_) {
    B.E_q = B.E;
    B.Q1 = tangent.rates;
    B.Q2 = R;
    B.W.resize(0, 0);
  } else {
    KinematicTangents& kinematics = tangent.kinematics;
    system_.kinematic_tangents(t, q_, v_, kinematics);
    B.E_q.noalias() = B.E * kinematics.P;
    B.Q2.noalias() = kinematics.T * R;
    B.Q1.noalias() = kinematics.N * B.Q2;
    B.W.noalias() = B.E_q * B.Q1;
    B.Q1.noalias() += kinematics.T * tangent.rates;
  }
  out.kind = FormJacobian::Kind::reduced;
  return std::isfinite(B.MJ1.sum() + B.MJ2.sum() + B.Q1.sum() + B.E_q.sum()) ? Status::ok
                                                                             : Status::not_finite;
}

}  // namespace driftless
