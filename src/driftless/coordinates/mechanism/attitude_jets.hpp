// How the attitude of a body in absolute coordinates moves, on any scalar: what the policies of absolute_system.hpp are on
// jets. From the coordinates of one body, with velocity components v and accelerations a behind those of the centre of mass,
//   body rates         R ← R exp(δ̃),   ω = R v,   ω̇ = R a,   Q = Rᵀ τ                                                 (1)
//   quaternion rates   R(p),   ω = R B v,   ω̇ = R (B a + β),   Q = Bᵀ Rᵀ τ,   B = 2 L/|p|²,   β = −2 (p·v)/|p|² B v     (2)
//   plane angle        θ,   ω = v,   ω̇ = a,   Q = τ                                                                    (3)
// and the inertia of the body does τ = R (I ω̇_b + ω_b × I ω_b), in the plane I a.                                      (4)
#pragma once

#include "driftless/coordinates/absolute/absolute_system.hpp"

namespace driftless {

template <class Attitude>
struct AttitudeJets;

// (4)
template <class S>
VecOf<S, 3> inertia_moment(const FrameOf<S, 3>& frame,
                           const Mat3& inertia,
                           const VecOf<S, 3>& omega,
                           const VecOf<S, 3>& alpha) {
  const Eigen::Matrix<S, 3, 3> I = inertia.cast<S>();
  const VecOf<S, 3> w = frame.turn_back(omega), momentum = I * w;
  return frame.turn_by(I * frame.turn_back(alpha) + w.cross(momentum));
}
template <class S>
S inertia_moment(const FrameOf<S, 2>&, double inertia, const S&, const S& alpha) {
  return inertia * alpha;
}

template <>
struct AttitudeJets<PlaneAngle> {
  template <class S>
  using State = S;
  template <class S>
  using Pulled = Eigen::Matrix<S, 1, 1>;

  template <class S>
  static S constant(const double* p) {
    return S(*p);
  }
  // Derivatives along its local increments from column `first` on.
  template <class S>
  static S seeded(const double* p, int first) {
    S theta(*p);
    theta.d[size_t(first)] = 1;
    return theta;
  }
  template <class S>
  static void move(const S& theta, const S* v, const S* a, FrameOf<S, 2>& frame, S& omega, S& alpha) {
    frame.theta = theta;
    frame.c = cos(theta);
    frame.s = sin(theta);
    omega = *v;
    alpha = *a;
  }
  template <class S>
  static Pulled<S> pull(const S&, const S& moment) {
    return Pulled<S>(moment);
  }
};

template <>
struct AttitudeJets<BodyRates> {
  template <class S>
  using State = Eigen::Matrix<S, 3, 3>;
  template <class S>
  using Pulled = Eigen::Matrix<S, 3, 1>;

  template <class S>
  static State<S> constant(const double* p) {
    return rotation_matrix<double>(Eigen::Map<const Quat>(p)).cast<S>();
  }
  template <class S>
  static State<S> seeded(const double* p, int first) {
    State<S> R = constant<S>(p);
    for (int k = 0; k < 3; ++k) {
      const Mat3 turned = rotation_matrix<double>(Eigen::Map<const Quat>(p)) * skew(Vec3::Unit(k));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) R(i, j).d[size_t(first + k)] = turned(i, j);
    }
    return R;
  }
  template <class S>
  static void move(const State<S>& R,
                   const S* v,
                   const S* a,
                   FrameOf<S, 3>& frame,
                   VecOf<S, 3>& omega,
                   VecOf<S, 3>& alpha) {
    frame.R = R;
    omega = R * Eigen::Map<const VecOf<S, 3>>(v);
    alpha = R * Eigen::Map<const VecOf<S, 3>>(a);
  }
  template <class S>
  static Pulled<S> pull(const State<S>& R, const VecOf<S, 3>& moment) {
    return R.transpose() * moment;
  }
};

template <>
struct AttitudeJets<QuaternionRates> {
  template <class S>
  using State = Eigen::Matrix<S, 4, 1>;
  template <class S>
  using Pulled = Eigen::Matrix<S, 4, 1>;

  template <class S>
  static State<S> constant(const double* p) {
    return Eigen::Map<const Quat>(p).cast<S>();
  }
  template <class S>
  static State<S> seeded(const double* p, int first) {
    State<S> out = constant<S>(p);
    for (int k = 0; k < 4; ++k) out[k].d[size_t(first + k)] = 1;
    return out;
  }
  template <class S>
  static Eigen::Matrix<S, 3, 4> rates(const State<S>& p) {
    Eigen::Matrix<S, 3, 4> L;
    L << -p[1], p[0], p[3], -p[2],  //
        -p[2], -p[3], p[0], p[1],   //
        -p[3], p[2], -p[1], p[0];
    return L * S(2.0 / p.dot(p));
  }
  template <class S>
  static void move(const State<S>& p,
                   const S* v,
                   const S* a,
                   FrameOf<S, 3>& frame,
                   VecOf<S, 3>& omega,
                   VecOf<S, 3>& alpha) {
    const Eigen::Map<const State<S>> rate(v), acceleration(a);
    const Eigen::Matrix<S, 3, 4> B = rates(p);
    const VecOf<S, 3> w = B * rate;
    frame.R = rotation_matrix<S>(p);
    omega = frame.R * w;
    alpha = frame.R * (B * acceleration - w * S(2.0 * p.dot(rate) / p.dot(p)));
  }
  template <class S>
  static Pulled<S> pull(const State<S>& p, const VecOf<S, 3>& moment) {
    return rates(p).transpose() * (rotation_matrix<S>(p).transpose() * moment);
  }
};

}  // namespace driftless
