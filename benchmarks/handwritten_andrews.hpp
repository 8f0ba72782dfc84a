// The yardstick of bench_speed: Andrews' squeezing mechanism integrated by DOPRI5 with post-stabilisation,
// written for this one problem as a good programmer would in an afternoon. Nothing of the library is used:
// plain arrays whose sizes are known to the compiler, no virtual call, no dynamic memory, one file to read
// from top to bottom.
//   Equations   Hairer & Wanner II, sec. VII.7: M(q) v̇ + J(q)ᵀ λ = f(q, v), J v̇ = γ(q, v)               (1)
//   Linear part Schur complement; M⁻¹ by its 2 × 2 blocks, S by Cholesky (LDLᵀ):
//                 W = M⁻¹Jᵀ, S = J W, S λ = Wᵀ f − γ, v̇ = M⁻¹ f − W λ                                    (2)
//   Scheme      RKSTAB (Chin 1995, 4.9–4.15): DOPRI5(4), PStab before stage 7, error h Σ E_j k_j, PI control
// The same algorithm and constants as the library's dopri5 + lagrange + pstab, so that equal tolerances mean
// equal steps and the difference in time is the price of generality.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace handwritten {

constexpr int n = 7, m = 6, ny = 2 * n;
using Angles = std::array<double, n>;
using Rows = std::array<double, m>;
using Y = std::array<double, ny>;  // angles, then rates

// ------------------------------------------------------------------------------------------------- data
constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                 m7 = 0.05498;
constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                 I7 = 1.912e-5;
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
constexpr double c0 = 4530, l0 = 0.07785, mom = 0.033, ra = 0.00092, rr = 0.007, da = 0.0115, d = 0.028;
constexpr double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ss = 0.035, ta = 0.02308, tb = 0.00916;
constexpr double e = 0.02, zt = 0.04, er = 0.02 - 0.01421, zf = 0.02, fr = 0.02 - 0.01421;
constexpr double u = 0.04, ua = 0.01228, ub = 0.00449;

constexpr Y start = {-0.0617138900142764496358948458001, 0,
                     0.455279819163070380255912382449,   0.222668390165885884674473185609,
                     0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                     1.23054744454982119249735015568};

// -------------------------------------------------------------------------------------------- equations
// Names as in the published program: sibe = sin β, cobt = cos(β + Θ), sipd = sin(Φ + δ), cooe = cos(Ω + ε) …
struct Trig {
  double sibe, cobe, sibt, cobt, siga, coga, sipd, copd, side, code, sioe, cooe, siep, coep;
};

inline Trig trig(const double* q) {
  Trig t;
  t.sibe = std::sin(q[0]), t.cobe = std::cos(q[0]);
  t.sibt = std::sin(q[0] + q[1]), t.cobt = std::cos(q[0] + q[1]);
  t.siga = std::sin(q[2]), t.coga = std::cos(q[2]);
  t.sipd = std::sin(q[3] + q[4]), t.copd = std::cos(q[3] + q[4]);
  t.side = std::sin(q[4]), t.code = std::cos(q[4]);
  t.sioe = std::sin(q[5] + q[6]), t.cooe = std::cos(q[5] + q[6]);
  t.siep = std::sin(q[6]), t.coep = std::cos(q[6]);
  return t;
}

inline void constraints(const Trig& t, Rows& g) {
  const double px = rr * t.cobe - d * t.cobt, py = rr * t.sibe - d * t.sibt;
  g[0] = px - ss * t.siga - xb;
  g[1] = py + ss * t.coga - yb;
  g[2] = px - e * t.sipd - zt * t.code - xa;
  g[3] = py + e * t.copd - zt * t.side - ya;
  g[4] = px - zf * t.cooe - u * t.siep - xa;
  g[5] = py - zf * t.sioe + u * t.coep - ya;
}

// Jᵀ with the six rows of J as columns, padded to eight: rows of the array fill two AVX registers.
using JacobianT = double[n][8];

inline void jacobian(const Trig& t, JacobianT& Jt) {
  for (auto& row : Jt)
    for (double& x : row) x = 0;
  const double x_beta = -rr * t.sibe + d * t.sibt, y_beta = rr * t.cobe - d * t.cobt, x_theta = d * t.sibt,
               y_theta = -d * t.cobt;
  for (int i = 0; i < m; i += 2) {
    Jt[0][i] = x_beta, Jt[0][i + 1] = y_beta;
    Jt[1][i] = x_theta, Jt[1][i + 1] = y_theta;
  }
  Jt[2][0] = -ss * t.coga, Jt[2][1] = -ss * t.siga;
  Jt[3][2] = -e * t.copd, Jt[3][3] = -e * t.sipd;
  Jt[4][2] = -e * t.copd + zt * t.side, Jt[4][3] = -e * t.sipd - zt * t.code;
  Jt[5][4] = zf * t.sioe, Jt[5][5] = -zf * t.cooe;
  Jt[6][4] = zf * t.sioe - u * t.coep, Jt[6][5] = -zf * t.cooe - u * t.siep;
}

// M consists of the blocks (β,Θ), (γ), (Φ,δ), (Ω,ε): its inverse is written down.
struct Block {
  double a, b, c;  // [a b; b c]
  Block inverse() const {
    const double s = 1 / (a * c - b * b);
    return {c * s, -b * s, a * s};
  }
};

struct InverseMass {
  Block crank;   // β, Θ
  double lever;  // γ
  Block upper;   // Φ, δ
  Block lower;   // Ω, ε

  void times(const double* x, double* y) const {
    y[0] = crank.a * x[0] + crank.b * x[1];
    y[1] = crank.b * x[0] + crank.c * x[1];
    y[2] = lever * x[2];
    y[3] = upper.a * x[3] + upper.b * x[4];
    y[4] = upper.b * x[3] + upper.c * x[4];
    y[5] = lower.a * x[5] + lower.b * x[6];
    y[6] = lower.b * x[5] + lower.c * x[6];
  }
};

inline InverseMass inverse_mass(const Trig& t) {
  const double cth = t.cobt * t.cobe + t.sibt * t.sibe, sph = t.sipd * t.code - t.copd * t.side,
               som = t.sioe * t.coep - t.cooe * t.siep;
  const Block crank = {m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cth + da * da) + I1 + I2,
                       m2 * (da * da - da * rr * cth) + I2, m2 * da * da + I2};
  const Block upper = {m4 * er * er + I4, m4 * (er * er + zt * er * sph) + I4,
                       m4 * (zt * zt + 2 * zt * er * sph + er * er) + m5 * (ta * ta + tb * tb) + I4 + I5};
  const Block lower = {m6 * fr * fr + I6, m6 * (fr * fr - u * fr * som) + I6,
                       m6 * (fr * fr - 2 * u * fr * som + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7};
  return {crank.inverse(), 1 / (m3 * (sa * sa + sb * sb) + I3), upper.inverse(), lower.inverse()};
}

inline void forces(const Trig& t, const double* v, Angles& f) {
  const double sth = t.sibt * t.cobe - t.cobt * t.sibe, cph = t.copd * t.code + t.sipd * t.side,
               com = t.cooe * t.coep + t.sioe * t.siep;
  const double x = sd * t.coga + sc * t.siga, y = sd * t.siga - sc * t.coga;
  const double dx = xb + x - xc, dy = yb + y - yc, pull = c0 * (l0 / std::sqrt(dx * dx + dy * dy) - 1);
  f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sth;
  f[1] = m2 * da * rr * v[0] * v[0] * sth;
  f[2] = pull * (dy * x - dx * y);
  f[3] = m4 * zt * er * v[4] * v[4] * cph;
  f[4] = -m4 * zt * er * v[3] * (v[3] + 2 * v[4]) * cph;
  f[5] = -m6 * u * fr * v[6] * v[6] * com;
  f[6] = m6 * u * fr * v[5] * (v[5] + 2 * v[6]) * com;
}

inline void gamma(const Trig& t, const double* v, Rows& c) {
  const double b2 = v[0] * v[0], bt2 = (v[0] + v[1]) * (v[0] + v[1]), g2 = v[2] * v[2], d2 = v[4] * v[4],
               e2 = v[6] * v[6];
  const double pd2 = (v[3] + v[4]) * (v[3] + v[4]), oe2 = (v[5] + v[6]) * (v[5] + v[6]);
  const double px = rr * t.cobe * b2 - d * t.cobt * bt2, py = rr * t.sibe * b2 - d * t.sibt * bt2;
  c[0] = px - ss * t.siga * g2;
  c[1] = py + ss * t.coga * g2;
  c[2] = px - e * t.sipd * pd2 - zt * t.code * d2;
  c[3] = py + e * t.copd * pd2 - zt * t.side * d2;
  c[4] = px - zf * t.cooe * oe2 - u * t.siep * e2;
  c[5] = py - zf * t.sioe * oe2 + u * t.coep * e2;
}

// r = J v
inline void rates(const JacobianT& Jt, const double* v, Rows& r) {
  double sum[8] = {};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 8; ++i) sum[i] += Jt[j][i] * v[j];
  for (int i = 0; i < m; ++i) r[i] = sum[i];
}

// ------------------------------------------------------------------------------------------ linear part
struct Kkt {
  InverseMass Mi;
  double W[n][8];            // M⁻¹Jᵀ, padded like Jᵀ
  double S[m][8], d_inv[m];  // S = L D Lᵀ, 1/D apart so that solves need no division

  void compute(const InverseMass& inverse, const JacobianT& Jt) {
    Mi = inverse;
    const auto pair = [&](const Block& block, int i) {
      for (int c = 0; c < 8; ++c) {
        W[i][c] = block.a * Jt[i][c] + block.b * Jt[i + 1][c];
        W[i + 1][c] = block.b * Jt[i][c] + block.c * Jt[i + 1][c];
      }
    };
    pair(Mi.crank, 0);
    for (int c = 0; c < 8; ++c) W[2][c] = Mi.lever * Jt[2][c];
    pair(Mi.upper, 3);
    pair(Mi.lower, 5);
    for (int i = 0; i < m; ++i) {
      double row[8] = {};
      for (int k = 0; k < n; ++k)
        for (int c = 0; c < 8; ++c) row[c] += Jt[k][i] * W[k][c];
      for (int c = 0; c < 8; ++c) S[i][c] = row[c];
    }
// S = L D Lᵀ in the lower triangle. Left alone, GCC keeps triangular loops rolled: 15 % of the whole run.
#pragma GCC unroll 6
    for (int j = 0; j < m; ++j) {
      d_inv[j] = 1 / S[j][j];
#pragma GCC unroll 6
      for (int i = j + 1; i < m; ++i) {
        const double l = S[i][j] * d_inv[j];
#pragma GCC unroll 6
        for (int k = j + 1; k <= i; ++k) S[i][k] -= l * S[k][j];
      }
#pragma GCC unroll 6
      for (int i = j + 1; i < m; ++i) S[i][j] *= d_inv[j];
    }
  }

  void solve_schur(Rows& x) const {
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < i; ++k) x[i] -= S[i][k] * x[k];
    for (int i = 0; i < m; ++i) x[i] *= d_inv[i];
    for (int i = m - 1; i >= 0; --i)
      for (int k = i + 1; k < m; ++k) x[i] -= S[k][i] * x[k];
  }

  // Accelerations of (2).
  void accelerate(const Angles& f, const Rows& c, double* a) const {
    double sum[8] = {};
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 8; ++k) sum[k] += W[i][k] * f[i];
    Rows lambda;
    for (int i = 0; i < m; ++i) lambda[i] = sum[i] - c[i];
    solve_schur(lambda);
    Mi.times(f.data(), a);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < m; ++k) a[i] -= W[i][k] * lambda[k];
  }

  // y ← y − x with J x = r and x smallest in the norm of M.
  void correct(Rows r, double* y) const {
    solve_schur(r);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < m; ++k) y[i] -= W[i][k] * r[k];
  }
};

inline double largest(const Rows& r) {
  double top = 0;
  for (const double x : r) top = std::max(top, std::abs(x));
  return top;
}

// --------------------------------------------------------------------------------------------- the run
struct HandwrittenResult {
  Angles q{}, v{};
  long accepted = 0, rejected = 0, evaluations = 0;
  double max_g = 0, max_jv = 0;  // over accepted steps
};

class Run {
 public:
  Run(double t_end, double rtol, double atol) : t_end_(t_end), rtol_(rtol), atol_(atol) {}

  HandwrittenResult go() {
    y_ = start;
    derivative(y_, k_[0]);
    double h = std::min(initial_step(), t_end_);
    double t = 0, old_error = 1e-4;
    bool rejected = false;
    while (t < t_end_ && h > 1e-14) {
      const bool last = t + 1.01 * h >= t_end_;
      if (last) h = t_end_ - t;
      const double error = attempt(h);
      const double power = std::pow(error, 0.2 - 0.75 * 0.04);
      if (error <= 1) {
        double factor = std::clamp(power / (std::pow(old_error, 0.04) * 0.9), 0.1, 5.0);
        if (rejected) factor = std::max(factor, 1.0);
        old_error = std::max(error, 1e-4);
        rejected = false;
        y_ = end_;
        k_[0] = k_[6];
        t += h;
        if (last) break;
        h /= factor;
        ++result_.accepted;
        measure();
      } else {
        h /= std::min(5.0, power / 0.9);
        rejected = true;
        ++result_.rejected;
      }
    }
    ++result_.accepted;
    measure();
    std::copy(y_.begin(), y_.begin() + n, result_.q.begin());
    std::copy(y_.begin() + n, y_.end(), result_.v.begin());
    return result_;
  }

 private:
  void derivative(const Y& y, Y& dy) {
    const Trig t = trig(y.data());
    constraints(t, g_);
    jacobian(t, Jt_);
    kkt_.compute(inverse_mass(t), Jt_);
    Angles f;
    Rows c;
    forces(t, &y[n], f);
    gamma(t, &y[n], c);
    for (int i = 0; i < n; ++i) dy[i] = y[n + i];
    kkt_.accelerate(f, c, &dy[n]);
    ++result_.evaluations;
  }

  // PStab: two corrections with M and J frozen where the step ended, residuals fresh.
  void stabilise(Y& y) {
    Trig t = trig(y.data());
    constraints(t, g_);
    jacobian(t, Jt_);
    kkt_.compute(inverse_mass(t), Jt_);
    Rows r;
    rates(Jt_, &y[n], r);
    kkt_.correct(g_, y.data());
    kkt_.correct(r, &y[n]);
    t = trig(y.data());
    constraints(t, g_);
    jacobian(t, Jt_);
    rates(Jt_, &y[n], r);
    kkt_.correct(g_, y.data());
    kkt_.correct(r, &y[n]);
  }

  double scale(double a, double b) const { return atol_ + rtol_ * std::max(std::abs(a), std::abs(b)); }

  double norm(const Y& x) const {
    double sum = 0;
    for (int i = 0; i < ny; ++i) {
      const double s = x[i] / scale(y_[i], y_[i]);
      sum += s * s;
    }
    return std::sqrt(sum);
  }

  double initial_step() {  // Hairer, Nørsett, Wanner I, sec. II.4
    const double d0 = norm(y_), d1 = norm(k_[0]);
    const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    for (int i = 0; i < ny; ++i) end_[i] = y_[i] + h0 * k_[0][i];
    derivative(end_, k_[1]);
    for (int i = 0; i < ny; ++i) end_[i] = k_[1][i] - k_[0][i];
    const double top = std::max(d1, norm(end_) / h0);
    const double h1 = top <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / top, 1.0 / 5);
    return std::min(100 * h0, h1);
  }

  template <int S>
  void stage(double h, const double (&a)[S]) {
    for (int i = 0; i < ny; ++i) {
      double sum = 0;
      for (int j = 0; j < S; ++j) sum += a[j] * k_[j][i];
      end_[i] = y_[i] + h * sum;
    }
  }

  // One step of size h into end_; returns the norm of the estimated error.
  double attempt(double h) {
    stage(h, {1.0 / 5});
    derivative(end_, k_[1]);
    stage(h, {3.0 / 40, 9.0 / 40});
    derivative(end_, k_[2]);
    stage(h, {44.0 / 45, -56.0 / 15, 32.0 / 9});
    derivative(end_, k_[3]);
    stage(h, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729});
    derivative(end_, k_[4]);
    stage(h, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656});
    derivative(end_, k_[5]);
    stage(h, {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84});
    stabilise(end_);
    derivative(end_, k_[6]);  // also the first stage of the next step
    double sum = 0;
    for (int i = 0; i < ny; ++i) {
      const double error = h * (71.0 / 57600 * k_[0][i] - 71.0 / 16695 * k_[2][i] + 71.0 / 1920 * k_[3][i] -
                                17253.0 / 339200 * k_[4][i] + 22.0 / 525 * k_[5][i] - 1.0 / 40 * k_[6][i]);
      const double s = error / scale(y_[i], end_[i]);
      sum += s * s;
    }
    return std::sqrt(sum / ny);
  }

  void measure() {  // g_ and Jt_ are those of the last evaluation: the end of the step
    Rows r;
    rates(Jt_, &y_[n], r);
    result_.max_g = std::max(result_.max_g, largest(g_));
    result_.max_jv = std::max(result_.max_jv, largest(r));
  }

  double t_end_, rtol_, atol_;
  Y y_{}, end_{};
  std::array<Y, 7> k_{};
  Kkt kkt_;
  JacobianT Jt_;
  Rows g_{};
  HandwrittenResult result_;
};

}  // namespace handwritten

using handwritten::HandwrittenResult;

inline HandwrittenResult run_handwritten_andrews(double t_end, double rtol, double atol) {
  return handwritten::Run(t_end, rtol, atol).go();
}
