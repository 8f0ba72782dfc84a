// (7) of independent_form.hpp.
#include <cmath>

#include "driftless/formulation/independent/independent_directions.hpp"

namespace driftless {

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
