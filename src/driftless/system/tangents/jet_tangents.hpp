// Tangents (tangents.hpp) of equations given as templates, along one direction s ↦ (q ⊕ s δq, v + s δv), by jets:
//   δ(Jᵀλ) eⱼ = d/ds (λᵀ ∂g/∂q T eⱼ)                 Dual sweeps of a Dual along s                                       (1)
//   δ(M a), δf = d/ds                                one Dual sweep each; by differences if they are no templates       (2)
//   δr = d/ds d/dτ g(t + τ, q(s) + τ T v)            one Dual of a Dual                                                  (3)
//   δγ = −d/ds d²/dτ² g along the motion at s        one Taylor2 of a Dual                                              (4)
//   δ(J a) = d/ds d/dτ g(t, q(s) + τ T a)            one Dual of a Dual                                                  (5)
// Nonholonomic rows likewise from A and b. Exact to round-off; a direction costs about two evaluations of J.
#pragma once

#include <algorithm>
#include <vector>

#include "driftless/math/jet.hpp"
#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/tangents/tangent_columns.hpp"
#include "driftless/system/user/jet_equations.hpp"

namespace driftless {

template <class E>
class JetTangents {
  static constexpr bool kHolonomic = user_detail::HasConstraint<E>;
  static constexpr bool kNonholonomic = user_detail::HasNonholonomic<E>;
  static constexpr bool kMapped = user_detail::HasKinematics<E>;
  static constexpr int N = user_detail::chunk_width<E>();
  using Line = Dual<double, 1>;   // along s
  using Moving = Dual<Line, 1>;   // and along τ
  using Curve = Taylor2<Line>;    // and twice along τ
  using Columns = Dual<Line, N>;  // and along N columns
  static constexpr bool kMassJets =
      requires(const E& e, const Line& t, const Line* q, Line* M) { e.mass(t, q, M); };
  static constexpr bool kForceJets =
      requires(const E& e, const Line& t, const Line* q, Line* f) { e.force(t, q, q, f); };

  template <class S>
  struct Arrays {
    explicit Arrays(const Layout& l)
        : q(sz(l.nq)),
          v(sz(l.nv)),
          qdot(sz(l.nq)),
          g(sz(l.mh)),
          A(sz(l.m - l.mh) * sz(l.nv)),
          b(sz(l.m - l.mh)) {}
    std::vector<S> q, v, qdot, g, A, b;
  };

 public:
  explicit JetTangents(const Layout& layout)
      : line_(layout),
        moving_(layout),
        curve_(layout),
        columns_(layout),
        rate_(sz(layout.nq)),
        M_(kMassJets ? sz(layout.nv) * sz(layout.nv) : 0),
        f_(kForceJets ? sz(layout.nv) : 0),
        velocities_(sz(layout.nv)) {}

  void along(const DescriptorSystem& system,
             const E& equations,
             const MotionPoint& at,
             ConstVec dq,
             ConstVec dv,
             const TangentParts& parts,
             Terms& terms,
             DifferenceScratch& scratch,
             MotionChange& out) {
    const Layout& l = system.layout();
    seed_line(equations, l, at, dq, dv);
    for (Vec* x : {&out.rho, &out.r, &out.sigma}) x->setZero();
    const bool moves = (dq.array() != 0).any();  // else M and J stay as they are
    if (parts.dynamics) dynamics(system, equations, at, dq, dv, moves, terms, scratch, out.rho);
    if (moves && (parts.dynamics || parts.reactions)) reactions(equations, l, at, out.rho);
    if (moves && parts.velocity) rows_times(equations, l, at.t, at.v, true, out.r);
    if (!parts.acceleration) return;
    if (moves) rows_times(equations, l, at.t, at.a, false, out.sigma);
    out.sigma = -out.sigma;
    bias(equations, l, at, dv, out.sigma);
  }

 private:
  static size_t sz(int i) { return static_cast<size_t>(i); }

  // line_.q ← q + s T δq, line_.v ← v + s δv.
  void seed_line(const E& e, const Layout& l, const MotionPoint& at, ConstVec dq, ConstVec dv) {
    for (int i = 0; i < l.nq; ++i) line_.q[sz(i)] = at.q[i];
    if constexpr (kMapped) {
      for (int j = 0; j < l.nv; ++j) {
        line_.v[sz(j)] = 0.0;
        line_.v[sz(j)].d[0] = dq[j];
      }
      e.kinematics(Line(at.t), line_.q.data(), line_.v.data(), line_.qdot.data());
      for (int i = 0; i < l.nq; ++i) line_.q[sz(i)].d[0] = line_.qdot[sz(i)].d[0];
    } else {
      for (int i = 0; i < l.nq; ++i) line_.q[sz(i)].d[0] = dq[i];
    }
    for (int j = 0; j < l.nv; ++j) {
      line_.v[sz(j)] = at.v[j];
      line_.v[sz(j)].d[0] = dv[j];
    }
  }

  void dynamics(const DescriptorSystem& system,
                const E& e,
                const MotionPoint& at,
                ConstVec dq,
                ConstVec dv,
                bool moves,
                Terms& terms,
                DifferenceScratch& scratch,
                Vec& rho) {  // (2)
    const int nv = system.layout().nv;
    const bool moves_mass = moves && !system.layout().mass_is_constant,
               differs_mass = !kMassJets && moves_mass;
    if (!kForceJets || differs_mass)
      difference_forces_along(system, at, dq, dv, differs_mass, !kForceJets, terms, scratch, rho);
    if (kMassJets && moves_mass) mass(e, at, rho);
    if constexpr (kForceJets) {
      std::fill(f_.begin(), f_.end(), Line(0.0));
      e.force(Line(at.t), line_.q.data(), line_.v.data(), f_.data());
      for (int i = 0; i < nv; ++i) rho[i] -= f_[sz(i)].d[0];
    }
  }

  void mass(const E& e, const MotionPoint& at, Vec& rho) {
    const int nv = static_cast<int>(at.a.size());
    if constexpr (kMassJets) {
      std::fill(M_.begin(), M_.end(), Line(0.0));
      e.mass(Line(at.t), line_.q.data(), M_.data());
      for (int i = 0; i < nv; ++i)
        for (int j = 0; j < nv; ++j) rho[i] += M_[sz(i * nv + j)].d[0] * at.a[j];
    }
  }

  void reactions(const E& e, const Layout& l, const MotionPoint& at, Vec& rho) {
    if constexpr (kHolonomic)
      for (int first = 0; first < l.nv; first += N) {  // (1)
        const int count = std::min(N, l.nv - first);
        for (int i = 0; i < l.nq; ++i) columns_.q[sz(i)] = line_.q[sz(i)];
        if constexpr (kMapped) {
          for (auto& component : columns_.v) component = 0.0;
          for (int c = 0; c < count; ++c) columns_.v[sz(first + c)].d[sz(c)] = 1.0;
          e.kinematics(Columns(at.t), columns_.q.data(), columns_.v.data(), columns_.qdot.data());
          for (int i = 0; i < l.nq; ++i) columns_.q[sz(i)].d = columns_.qdot[sz(i)].d;
        } else {
          for (int c = 0; c < count; ++c) columns_.q[sz(first + c)].d[sz(c)] = 1.0;
        }
        holonomic(e, Columns(at.t), columns_);
        for (int c = 0; c < count; ++c)
          for (int i = 0; i < l.mh; ++i) rho[first + c] += at.lambda[i] * columns_.g[sz(i)].d[sz(c)].d[0];
      }
    if constexpr (kNonholonomic) {
      nonholonomic(e, Line(at.t), line_);
      for (int i = 0; i < l.m - l.mh; ++i)
        for (int j = 0; j < l.nv; ++j) rho[j] += at.lambda[l.mh + i] * line_.A[sz(i * l.nv + j)].d[0];
    }
  }

  // Change of J x, and of −ν besides where time runs, x fixed: (3), (5).
  void rows_times(const E& e, const Layout& l, double t, const Vec& x, bool time_runs, Vec& out) {
    if constexpr (kHolonomic) {
      Moving time(t);
      if (time_runs) time.d[0] = Line(1.0);
      seed_moving(e, l, t, x, false);
      holonomic(e, time, moving_);
      for (int i = 0; i < l.mh; ++i) out[i] = moving_.g[sz(i)].d[0].d[0];
    }
    if constexpr (kNonholonomic) {
      nonholonomic(e, Line(t), line_);
      for (int i = 0; i < l.m - l.mh; ++i) {
        double sum = time_runs ? line_.b[sz(i)].d[0] : 0.0;
        for (int j = 0; j < l.nv; ++j) sum += line_.A[sz(i * l.nv + j)].d[0] * x[j];
        out[l.mh + i] = sum;
      }
    }
  }

  // moving_.q ← q(s) + τ T x; x fixed, or the v of line_, which changes with s.
  void seed_moving(const E& e, const Layout& l, double t, const Vec& x, bool with_line) {
    const auto velocity = [&](int j) { return with_line ? line_.v[sz(j)] : Line(x[j]); };
    if constexpr (kMapped) {
      for (int j = 0; j < l.nv; ++j) velocities_[sz(j)] = velocity(j);
      e.kinematics(Line(t), line_.q.data(), velocities_.data(), rate_.data());
    } else {
      for (int i = 0; i < l.nq; ++i) rate_[sz(i)] = velocity(i);
    }
    for (int i = 0; i < l.nq; ++i) {
      moving_.q[sz(i)] = line_.q[sz(i)];
      moving_.q[sz(i)].d[0] = rate_[sz(i)];
    }
  }

  void bias(const E& e, const Layout& l, const MotionPoint& at, ConstVec dv, Vec& sigma) {
    seed_moving(e, l, at.t, at.v, true);
    Moving time(at.t);
    time.d[0] = Line(1.0);
    if constexpr (kHolonomic) {  // (4)
      for (int i = 0; i < l.nq; ++i) curve_.q[sz(i)] = Curve(line_.q[sz(i)], rate_[sz(i)], Line(0.0));
      if constexpr (kMapped) {
        for (int j = 0; j < l.nv; ++j) moving_.v[sz(j)] = line_.v[sz(j)];
        e.kinematics(time, moving_.q.data(), moving_.v.data(), moving_.qdot.data());
        for (int i = 0; i < l.nq; ++i) curve_.q[sz(i)].d2 = moving_.qdot[sz(i)].d[0];
      }
      std::fill(curve_.g.begin(), curve_.g.end(), Curve(0.0));
      e.constraint(Curve(Line(at.t), Line(1.0), Line(0.0)), curve_.q.data(), curve_.g.data());
      for (int i = 0; i < l.mh; ++i) sigma[i] -= curve_.g[sz(i)].d2.d[0];
    }
    if constexpr (kNonholonomic) {
      nonholonomic(e, time, moving_);
      for (int i = 0; i < l.m - l.mh; ++i) {
        double sum = moving_.b[sz(i)].d[0].d[0];
        for (int j = 0; j < l.nv; ++j) {
          const Line& rate = moving_.A[sz(i * l.nv + j)].d[0];
          sum += rate.d[0] * at.v[j] + rate.v * dv[j];
        }
        sigma[l.mh + i] -= sum;
      }
    }
  }

  template <class S>
  static void holonomic(const E& e, const S& t, Arrays<S>& arrays) {
    std::fill(arrays.g.begin(), arrays.g.end(), S(0.0));
    e.constraint(t, arrays.q.data(), arrays.g.data());
  }
  template <class S>
  static void nonholonomic(const E& e, const S& t, Arrays<S>& arrays) {
    std::fill(arrays.A.begin(), arrays.A.end(), S(0.0));
    std::fill(arrays.b.begin(), arrays.b.end(), S(0.0));
    e.nonholonomic(t, arrays.q.data(), arrays.A.data(), arrays.b.data());
  }

  Arrays<Line> line_;
  Arrays<Moving> moving_;
  Arrays<Curve> curve_;
  Arrays<Columns> columns_;
  std::vector<Line> rate_, M_, f_, velocities_;
};

}  // namespace driftless
