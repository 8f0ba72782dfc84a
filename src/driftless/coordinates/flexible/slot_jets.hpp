// How a slot of a FlexibleSystem moves with the few numbers that its coordinates act through, on jets; flexible_slots.hpp (1)–(4):
//   floating   z = (R, attitude, u, ϑ)     u = u0 + U η, ϑ = S_θ η
//     r = R + A u,   R_slot = A E(ϑ)
//     ṙ = Ṙ + ω × A u + A u̇                              ω_slot = ω + A τ,   τ = T ϑ̇
//     r̈ = R̈ + ω̇ × A u + ω × (ω × A u + 2 A u̇) + A ü      ω̇_slot = ω̇ + ω × A τ + A (T ϑ̈ + τ')                             (1)
//   cable      z = (r, r')                 R_slot turns with the tangent, ω = r' × ṙ'/|r'|², ω̇ = (r' × r̈' − 2 (r'·ṙ') ω)/|r'|²    (2)
//   rigid      z = (r, attitude)           point   z = r
// and what a wrench (F, M) does along z: (F, Eᵀ_att(M + A u × F), Aᵀ F, Tᵀ Aᵀ M); (F, M × r'/|r'|²); (F, E_attᵀ M); F.             (3)
// Derivatives are numbered like z; between z and the coordinates of the slot stands a constant matrix.
#pragma once

#include "driftless/coordinates/flexible/flexible_slots.hpp"
#include "driftless/coordinates/mechanism/attitude_jets.hpp"

namespace driftless {

template <class Attitude>
struct SlotJets {
  static constexpr int D = Attitude::dimension, kSpin = D == 2 ? 1 : 3, kV = D + Attitude::width,
                       N = kV + D + kSpin;  // of z
  using A = AttitudeJets<Attitude>;
  template <class S>
  using Z = Eigen::Matrix<S, N, 1>;

  // Numbers at rest: z, ż, z̈ without the attitude, which stands in p.
  struct At {
    const double* p = nullptr;  // attitude; null: none
    bool section = false, cable = false;
    Eigen::Matrix<double, N, 1> z = Eigen::Matrix<double, N, 1>::Zero(), rate = z, acceleration = z;
    FrameOf<double, D> frame;  // cable: where its frame stands
  };

  template <class S>
  struct Motion {
    FrameOf<S, D> frame;
    TwistOf<S, D> twist, acceleration;
  };

  enum class Along { none, place, rate };
  // Jets have their derivatives along z or along ż.
  template <class S>
  static Motion<S> move(const At& at, Along along) {
    Z<S> z, rate, acceleration;
    take(at, along, z, rate, acceleration);
    Motion<S> out;
    out.frame.r = z.template head<D>();
    out.twist.r = rate.template head<D>();
    out.acceleration.r = acceleration.template head<D>();
    if (at.cable) return move_cable(at, z, rate, acceleration, std::move(out));
    if (at.p == nullptr) return out;
    A::template move<S>(attitude<S>(at, along), rate.data() + D, acceleration.data() + D, out.frame,
                        out.twist.omega, out.acceleration.omega);
    if (!at.section) return out;
    const VecOf<S, D> u = turned(out.frame, z), u_dot = turned(out.frame, rate),
                      u_ddot = turned(out.frame, acceleration);
    const SpinOf<S, D> omega = out.twist.omega;
    const VecOf<S, D> swung = swing(omega, u);
    out.frame.r += u;
    out.twist.r += swung + u_dot;
    out.acceleration.r +=
        swing(out.acceleration.omega, u) + swing<S>(omega, VecOf<S, D>(swung + u_dot * S(2.0))) + u_ddot;
    turn_section(z, rate, acceleration, out);
    return out;
  }

  // (3), with derivatives along z.
  template <class S>
  static Z<S> pull(const At& at, const VecOf<S, D>& force, const SpinOf<S, D>& moment) {
    Z<S> z, rate, acceleration, out;
    take(at, Along::place, z, rate, acceleration);
    for (int k = 0; k < N; ++k) out[k] = S(0.0);
    out.template head<D>() = force;
    if (at.cable) {
      const VecOf<S, D> slope = z.template segment<D>(D);
      out.template segment<D>(D) = swing<S>(moment, slope) / slope.squaredNorm();
      return out;
    }
    if (at.p == nullptr) return out;
    const auto state = attitude<S>(at, Along::place);
    Motion<S> own;
    A::template move<S>(state, rate.data() + D, acceleration.data() + D, own.frame, own.twist.omega,
                        own.acceleration.omega);
    SpinOf<S, D> all = moment;
    if (at.section) all += moment_of<S>(turned(own.frame, z), force);
    out.template segment<kV - D>(D) = A::template pull<S>(state, all);
    if (!at.section) return out;
    out.template segment<D>(kV) = own.frame.turn_back(force);
    if constexpr (D == 2) {
      out[kV + D] = moment;
    } else {
      const VecOf<S, 3> theta = z.template tail<3>(), M = own.frame.turn_back(moment);
      const SectionTurn<S> c(theta.squaredNorm());
      out.template tail<3>() =
          M - theta.cross(M) * c.c1 + theta.cross(VecOf<S, 3>(theta.cross(M))) * c.c2;  // Tᵀ M
    }
    return out;
  }

 private:
  template <class S>
  static void take(const At& at, Along along, Z<S>& z, Z<S>& rate, Z<S>& acceleration) {
    for (int k = 0; k < N; ++k) {
      z[k] = S(at.z[k]);
      rate[k] = S(at.rate[k]);
      acceleration[k] = S(at.acceleration[k]);
      if constexpr (!std::is_same_v<S, double>) {
        if (along == Along::place) z[k].d[size_t(k)] = 1;
        if (along == Along::rate) rate[k].d[size_t(k)] = 1;
      }
    }
  }
  template <class S>
  static typename A::template State<S> attitude(const At& at, [[maybe_unused]] Along along) {
    if constexpr (!std::is_same_v<S, double>)
      if (along == Along::place) return A::template seeded<S>(at.p, D);
    return A::template constant<S>(at.p);
  }
  template <class S>
  static VecOf<S, D> turned(const FrameOf<S, D>& frame, const Z<S>& z) {
    return frame.turn_by(VecOf<S, D>(z.template segment<D>(kV)));
  }

  // The section against the frame: E, τ and τ'.
  template <class S>
  static void turn_section(const Z<S>& z, const Z<S>& rate, const Z<S>& acceleration, Motion<S>& out) {
    if constexpr (D == 2) {
      out.frame.theta += z[kV + D];
      out.frame.c = cos(out.frame.theta);
      out.frame.s = sin(out.frame.theta);
      out.twist.omega += rate[kV + D];
      out.acceleration.omega += acceleration[kV + D];
    } else {
      const VecOf<S, 3> turn = z.template tail<3>(), turn_rate = rate.template tail<3>(),
                        turn_acceleration = acceleration.template tail<3>();
      const SectionTurn<S> c(turn.squaredNorm());
      const auto by_T = [&](const VecOf<S, 3>& x) {
        const VecOf<S, 3> once = turn.cross(x);
        return VecOf<S, 3>(x + once * c.c1 + turn.cross(once) * c.c2);
      };
      const VecOf<S, 3> swept = turn.cross(turn_rate), tau = out.frame.turn_by(by_T(turn_rate));
      const S along = turn.dot(turn_rate);
      const VecOf<S, 3> bias =
          swept * (along * c.d1) + turn.cross(swept) * (along * c.d2) + turn_rate.cross(swept) * c.c2;
      const VecOf<S, 3> omega = out.twist.omega;
      out.twist.omega += tau;
      out.acceleration.omega +=
          omega.cross(tau) + out.frame.turn_by(VecOf<S, 3>(by_T(turn_acceleration) + bias));
      Eigen::Matrix<S, 3, 3> E;
      for (int k = 0; k < 3; ++k) {
        VecOf<S, 3> axis = Vec3::Unit(k).template cast<S>();
        const VecOf<S, 3> once = turn.cross(axis);
        axis += once * c.c0 + turn.cross(once) * c.c1;
        E.col(k) = axis;
      }
      const Eigen::Matrix<S, 3, 3> R = out.frame.R * E;
      out.frame.R = R;
    }
  }

  template <class S>
  static Motion<S> move_cable(
      const At& at, const Z<S>& z, const Z<S>& rate, const Z<S>& acceleration, Motion<S> out) {  // (2)
    const VecOf<S, D> slope = z.template segment<D>(D), slope_rate = rate.template segment<D>(D),
                      slope_acceleration = acceleration.template segment<D>(D);
    const S square = slope.squaredNorm();
    out.twist.omega = moment_of<S>(slope, slope_rate) / square;
    const S stretching = slope.dot(slope_rate) * 2.0;
    const SpinOf<S, D> bent = moment_of<S>(slope, slope_acceleration), turning = out.twist.omega * stretching;
    out.acceleration.omega = SpinOf<S, D>(bent - turning) / square;
    // The frame turns about a' × δa'/|a'|², and not about the tangent.
    VecOf<S, D> change = slope;
    for (int k = 0; k < D; ++k) change[k] -= S(at.z[D + k]);
    const SpinOf<S, D> turn =
        moment_of<S>(VecOf<S, D>(at.z.template segment<D>(D).template cast<S>()), change) / square;
    if constexpr (D == 2) {
      out.frame.theta = S(at.frame.theta) + turn;
      out.frame.c = cos(out.frame.theta);
      out.frame.s = sin(out.frame.theta);
    } else {
      for (int k = 0; k < 3; ++k) {
        const VecOf<S, 3> axis = at.frame.R.col(k).template cast<S>();
        const VecOf<S, 3> moved = axis + turn.cross(axis);
        out.frame.R.col(k) = moved;
      }
    }
    return out;
  }
};

}  // namespace driftless
