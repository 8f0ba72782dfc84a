// Derivatives of the equations along the columns of R, for (7) of independent_form.hpp; for that class only.
#pragma once

#include <memory>

#include "driftless/formulation/independent/independent_form.hpp"
#include "driftless/math/linear/sparse_copy.hpp"

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

}  // namespace driftless
