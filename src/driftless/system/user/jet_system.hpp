// Equations written once as templates on the scalar, differentiated exactly by jets: the second door for
// user-supplied systems. (The first, plain callbacks, is user_system.hpp; docs/user-systems.md shows both.)
//
//   J eⱼ = ∂g/∂q T eⱼ,  ν = −∂g/∂t                   Dual sweeps of g, several columns and t at once    (1)
//   γ = −d²/ds² g(t + s, q(s)),  q' = T v, v fixed    one Taylor2 sweep of g along the motion           (2)
//   γ = −d/ds (A v + b) along the same curve          one Dual sweep of the nonholonomic rows           (3)
//   tangents along a direction                        jets of jets: jet_tangents.hpp                    (4)
//   J̇ eⱼ = d/ds (∂g/∂q T eⱼ),  Ṁ = d/ds M             likewise; M by differences if it is not a template (5)
// Exact to round-off. Cost: J one evaluation of g on jets for up to 8 columns, γ one.
//
// What E must have (nq and other sizes: static constexpr int, which is faster, or int members):
//   int nq;
//   void mass(double t, ConstVec q, Mat& M) const;                     M full of zeros; fill both triangles
//   void force(double t, ConstVec q, ConstVec v, VecRef f) const;      f full of zeros; all forces but −Jᵀλ
// and, where there are rows:
//   int rows;                                                          g full of zeros
//   template <class S> void constraint(const S& t, const S* q, S* g) const;
//   int nonholonomic_rows;                                             A v + b = 0; A, b full of zeros,
//   template <class S> void nonholonomic(const S& t, const S* q, S* A, S* b) const;    A row after row
// What E may have:
//   static constexpr bool time_dependent = false;                      no t in g, A, b and T
//   int nv;                                                            velocities with q̇ = T v:
//   template <class S> void kinematics(const S& t, const S* q, const S* v, S* qdot) const;
//   void retract(VecRef q, ConstVec delta) const;                      q ← q ⊕ δ; with δ = 0 normalises q
//   template <class S> void mass(const S& t, const S* q, S* M) const;              instead of the one above
//   template <class S> void force(const S& t, const S* q, const S* v, S* f) const;            likewise
//   Layout description() const;                                        names, units, scales, patterns
//   double potential(double t, ConstVec q) const;
//   double applied_power(double t, ConstVec q, ConstVec v) const;      of forces outside the potential
//   std::vector<std::string> body_names() const;
//   void poses(double t, ConstVec q, std::vector<Pose>& out) const;
//   std::vector<std::string> quantity_names() const, quantity_units() const;
//   void quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const;
//   std::vector<double> break_times(double t0, double t1) const;
// Templates say `using std::sin, std::cos;` and call sin(x): jets bring their own.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driftless/math/jet.hpp"
#include "driftless/system/observable_system.hpp"
#include "driftless/system/tangents/differences.hpp"
#include "driftless/system/tangents/jet_tangents.hpp"
#include "driftless/system/user/jet_equations.hpp"

namespace driftless {

template <JetEquations E>
class JetSystem final : public ObservableSystem {
  static constexpr bool kHolonomic = user_detail::HasConstraint<E>;
  static constexpr bool kNonholonomic = user_detail::HasNonholonomic<E>;
  static constexpr bool kMapped = user_detail::HasKinematics<E>;  // T ≠ I
  static_assert(
      kHolonomic == requires(const E& e) { e.rows; },
      "`rows` and `template <class S> void constraint(const S& t, const S* q, S* g) const` go together");
  static_assert(
      kNonholonomic == requires(const E& e) { e.nonholonomic_rows; },
      "`nonholonomic_rows` and `template <class S> void nonholonomic(const S& t, const S* q, S* A, S* b) "
      "const` go together");
  static_assert(
      kMapped == requires(const E& e) { e.nv; } &&
          kMapped == requires(const E& e, Vec& q, const Vec& delta) { e.retract(q, delta); },
      "`nv`, `kinematics` and `retract` go together");

  static constexpr int N = user_detail::chunk_width<E>();
  using Column = Dual<double, N>;  // derivatives along N local directions
  using Line = Dual<double, 1>;    // derivative along the motion
  using Mixed = Dual<Line, N>;     // both
  using Curve = Taylor2<double>;   // two derivatives along the motion
  static constexpr bool kMassJets =
      requires(const E& e, const Line& t, const Line* q, Line* M) { e.mass(t, q, M); };

  // One argument list and one result list per kind of jet; sized once.
  template <class S>
  struct Arrays {
    Arrays(int nq, int nv, int mh, int mn)
        : q(sz(nq)), v(sz(nv)), qdot(sz(nq)), g(sz(mh)), A(sz(mn) * sz(nv)), b(sz(mn)) {}
    std::vector<S> q, v, qdot, g, A, b;
  };
  struct Work final : Scratch {
    explicit Work(const Layout& layout)
        : Work(layout, layout.nq, layout.nv, layout.mh, layout.m - layout.mh) {}
    Work(const Layout& layout, int nq, int nv, int mh, int mn)
        : plain(nq, nv, mh, mn),
          column(nq, nv, mh, mn),
          line(nq, nv, mh, mn),
          mixed(nq, nv, mh, mn),
          curve(nq, nv, mh, mn),
          J(mh, nv),
          A(mn, nv),
          M(nv, nv),
          mass_line(kMassJets ? sz(nv) * sz(nv) : 0),
          tangents(layout) {}
    Arrays<double> plain;
    Arrays<Column> column;
    Arrays<Line> line;
    Arrays<Mixed> mixed;
    Arrays<Curve> curve;
    Mat J, A, M;  // dense values on their way into the patterns
    std::vector<Line> mass_line;
    JetTangents<E> tangents;
  };

 public:
  explicit JetSystem(E equations)
      : ObservableSystem(user_detail::user_layout(description_of(equations),
                                                  equations.nq,
                                                  user_detail::velocities_of(equations),
                                                  user_detail::rows_of(equations),
                                                  user_detail::nonholonomic_rows_of(equations))),
        equations_(std::move(equations)),
        no_change_(Vec::Zero(layout_.nv)) {}

  const E& equations() const { return equations_; }

  void position(double t, ConstVec q, Terms& terms) const override {
    Work& work = work_of(terms);
    if constexpr (kHolonomic) {
      auto& [x, v, qdot, g, A, b] = work.column;
      for (int first = 0; first <= layout_.nv; first += N) {  // (1); column nv is t
        seed_columns(t, q, first, work);
        Column time(t);
        if (layout_.nv < first + N) time.d[sz(layout_.nv - first)] = 1;
        holonomic_rows(time, work.column);
        for (int c = 0; c < std::min(N, layout_.nv - first); ++c)
          for (int i = 0; i < layout_.mh; ++i) work.J(i, first + c) = g[sz(i)].d[sz(c)];
        if (layout_.nv < first + N)
          for (int i = 0; i < layout_.mh; ++i) terms.nu[i] = -g[sz(i)].d[sz(layout_.nv - first)];
      }
      for (int i = 0; i < layout_.mh; ++i) terms.g[i] = g[sz(i)].v;
      user_detail::store(work.J, 0, terms.J, "constraint");
    }
    if constexpr (kNonholonomic) {
      auto& [x, v, qdot, g, A, b] = work.plain;
      for (int i = 0; i < layout_.nq; ++i) x[sz(i)] = q[i];
      nonholonomic_rows(t, work.plain);
      for (int i = 0; i < layout_.m - layout_.mh; ++i) {
        for (int j = 0; j < layout_.nv; ++j) work.A(i, j) = A[sz(i * layout_.nv + j)];
        terms.nu[layout_.mh + i] = -b[sz(i)];
      }
      user_detail::store(work.A, layout_.mh, terms.J, "nonholonomic");
    }
  }

  void mass(double t, ConstVec q, Terms& terms) const override {
    Mat& M = work_of(terms).M;
    M.setZero();
    if constexpr (user_detail::HasPlainMass<E>) {
      equations_.mass(t, q, M);
      user_detail::demand_size(M, layout_.nv, layout_.nv, "mass");
    } else {
      equations_.mass(t, q.data(), M.data());
    }
    user_detail::store(M, 0, terms.M, "mass");
  }

  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    Work& work = work_of(terms);
    seed_line(t, q, v, work);
    const auto& line = work.line;
    if constexpr (kHolonomic) {  // (2)
      auto& curve = work.curve;
      for (int i = 0; i < layout_.nq; ++i)
        curve.q[sz(i)] = {q[i], line.q[sz(i)].d[0], kMapped ? line.qdot[sz(i)].d[0] : 0.0};
      holonomic_rows(Curve(t, 1, 0), curve);
      for (int i = 0; i < layout_.mh; ++i) terms.gamma[i] = -curve.g[sz(i)].d2;
    }
    if constexpr (kNonholonomic) {  // (3)
      nonholonomic_rows(Line::variable(t, 0), work.line);
      for (int i = 0; i < layout_.m - layout_.mh; ++i) {
        double rate = line.b[sz(i)].d[0];
        for (int j = 0; j < layout_.nv; ++j) rate += line.A[sz(i * layout_.nv + j)].d[0] * v[j];
        terms.gamma[layout_.mh + i] = -rate;
      }
    }
  }

  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    terms.f.setZero();
    if constexpr (user_detail::HasPlainForce<E>)
      equations_.force(t, q, v, terms.f);
    else
      equations_.force(t, q.data(), v.data(), terms.f.data());
  }

  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override {
    if constexpr (kMapped)
      equations_.kinematics(t, q.data(), v.data(), qdot.data());
    else
      qdot = v;
  }

  void retract(VecRef q, ConstVec delta) const override {
    if constexpr (kMapped)
      equations_.retract(q, delta);
    else
      q += delta;
  }

  void difference(ConstVec from, ConstVec to, VecRef delta) const override {
    if constexpr (kMapped)
      find_difference(*this, from, to, delta);
    else
      delta = to - from;
  }

  void normalize(VecRef q) const override {
    if constexpr (kMapped) equations_.retract(q, no_change_);
  }

  void tangent_along(const MotionPoint& at,
                     ConstVec dq,
                     ConstVec dv,
                     const TangentParts& parts,
                     Terms& terms,
                     DifferenceScratch& scratch,
                     MotionChange& out) const override {  // (4)
    work_of(terms).tangents.along(*this, equations_, at, dq, dv, parts, terms, scratch, out);
  }

  void momentum_rate(double t,
                     ConstVec q,
                     ConstVec v,
                     ConstVec s,
                     Terms& terms,
                     DifferenceScratch& scratch,
                     VecRef out) const override {  // (5)
    Work& work = work_of(terms);
    seed_line(t, q, v, work);
    mass_rate(t, q, v, scratch, work, out);
    if constexpr (kHolonomic)
      for (int first = 0; first < layout_.nv; first += N) {
        seed_moving_columns(t, first, work);
        holonomic_rows(Mixed(Line::variable(t, 0)), work.mixed);
        for (int c = 0; c < std::min(N, layout_.nv - first); ++c)
          for (int i = 0; i < layout_.mh; ++i) out[first + c] += s[i] * work.mixed.g[sz(i)].d[sz(c)].d[0];
      }
    if constexpr (kNonholonomic) {
      nonholonomic_rows(Line::variable(t, 0), work.line);
      for (int i = 0; i < layout_.m - layout_.mh; ++i)
        for (int j = 0; j < layout_.nv; ++j)
          out[j] += s[layout_.mh + i] * work.line.A[sz(i * layout_.nv + j)].d[0];
    }
  }

  std::optional<double> potential_energy(double t, ConstVec q, Terms&) const override {
    if constexpr (requires { equations_.potential(t, q); })
      return equations_.potential(t, q);
    else
      return std::nullopt;
  }
  double applied_power(double t, ConstVec q, ConstVec v, Terms&) const override {
    if constexpr (requires { equations_.applied_power(t, q, v); })
      return equations_.applied_power(t, q, v);
    else
      return 0;
  }
  bool exchanges_energy() const override {
    return requires(const E& e, const Vec& q) { e.applied_power(0.0, q, q); } || kNonholonomic ||
           (kHolonomic && user_detail::depends_on_time<E>());
  }

  std::vector<std::string> body_names() const override {
    if constexpr (requires { equations_.body_names(); })
      return equations_.body_names();
    else
      return {};
  }
  void observe_poses(double t, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    if constexpr (requires { equations_.poses(t, q, out); })
      equations_.poses(t, q, out);
    else
      out.clear();
  }
  std::vector<std::string> quantity_names() const override {
    if constexpr (requires { equations_.quantity_names(); })
      return equations_.quantity_names();
    else
      return {};
  }
  std::vector<std::string> quantity_units() const override {
    if constexpr (requires { equations_.quantity_units(); })
      return equations_.quantity_units();
    else
      return Observables::quantity_units();
  }
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms&, VecRef out) const override {
    if constexpr (requires { equations_.quantities(t, q, v, reaction, out); })
      equations_.quantities(t, q, v, reaction, out);
  }
  std::vector<double> break_times(double t0, double t1) const override {
    if constexpr (requires { equations_.break_times(t0, t1); })
      return equations_.break_times(t0, t1);
    else
      return {};
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(layout_); }

 private:
  static size_t sz(int i) { return static_cast<size_t>(i); }
  static Work& work_of(Terms& terms) { return static_cast<Work&>(*terms.scratch); }
  static Layout description_of(const E& e) {
    if constexpr (requires { e.description(); })
      return e.description();
    else
      return {};
  }

  // work.column.q ← q with the derivatives T e_first, T e_(first+1), …
  void seed_columns(double t, ConstVec q, int first, Work& work) const {
    auto& [x, v, qdot, g, A, b] = work.column;
    for (int i = 0; i < layout_.nq; ++i) x[sz(i)] = q[i];
    const int columns = std::min(N, layout_.nv - first);
    if constexpr (kMapped) {  // T is the derivative of q̇ with respect to v
      for (auto& component : v) component = 0.0;
      for (int c = 0; c < columns; ++c) v[sz(first + c)].d[sz(c)] = 1;
      equations_.kinematics(Column(t), x.data(), v.data(), qdot.data());
      for (int i = 0; i < layout_.nq; ++i) x[sz(i)].d = qdot[sz(i)].d;
    } else {
      for (int c = 0; c < columns; ++c) x[sz(first + c)].d[sz(c)] = 1;
    }
  }

  // work.line.q ← q + s q̇; and work.line.qdot ← q̇ + s q̈ at constant v.
  void seed_line(double t, ConstVec q, ConstVec v, Work& work) const {
    auto& line = work.line;
    for (int i = 0; i < layout_.nq; ++i) line.q[sz(i)] = q[i];
    if constexpr (kMapped) {
      for (int j = 0; j < layout_.nv; ++j) line.v[sz(j)] = v[j];
      equations_.kinematics(t, q.data(), v.data(), work.plain.qdot.data());
      for (int i = 0; i < layout_.nq; ++i) line.q[sz(i)].d[0] = work.plain.qdot[sz(i)];
      equations_.kinematics(Line::variable(t, 0), line.q.data(), line.v.data(), line.qdot.data());
    } else {
      for (int i = 0; i < layout_.nq; ++i) line.q[sz(i)].d[0] = v[i];
    }
  }

  // work.mixed.q ← the line with the columns T(q(s)) e_first, … as they change along it.
  void seed_moving_columns(double t, int first, Work& work) const {
    auto& [x, v, qdot, g, A, b] = work.mixed;
    const int columns = std::min(N, layout_.nv - first);
    for (int i = 0; i < layout_.nq; ++i) x[sz(i)] = work.line.q[sz(i)];
    if constexpr (kMapped) {
      for (auto& component : v) component = 0.0;
      for (int c = 0; c < columns; ++c) v[sz(first + c)].d[sz(c)] = 1.0;
      equations_.kinematics(Mixed(Line::variable(t, 0)), x.data(), v.data(), qdot.data());
      for (int i = 0; i < layout_.nq; ++i) x[sz(i)].d = qdot[sz(i)].d;
    } else {
      for (int c = 0; c < columns; ++c) x[sz(first + c)].d[sz(c)] = 1.0;
    }
  }

  // out ← Ṁ v along the line.
  void mass_rate(double t, ConstVec q, ConstVec v, DifferenceScratch& scratch, Work& work, VecRef out) const {
    out.setZero();
    if (layout_.mass_is_constant) return;
    if constexpr (kMassJets) {
      std::fill(work.mass_line.begin(), work.mass_line.end(), Line(0.0));
      equations_.mass(Line::variable(t, 0), work.line.q.data(), work.mass_line.data());
      for (int i = 0; i < layout_.nv; ++i)
        for (int j = 0; j < layout_.nv; ++j) out[i] += work.mass_line[sz(i * layout_.nv + j)].d[0] * v[j];
    } else {  // formula (1) of differences.hpp
      constexpr double kWeights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
      const double step =
          differences::kFirstStep / std::max(differences::relative_rate(v, layout_.v_scale), 1.0);
      const auto momentum_at = [&](double ahead, Vec& p) {
        scratch.delta = ahead * v;
        scratch.q = q;
        retract(scratch.q, scratch.delta);
        work.M.setZero();
        equations_.mass(t + ahead, scratch.q, work.M);
        p.noalias() = work.M * v;
      };
      for (int k = 1; k <= 3; ++k) {
        momentum_at(k * step, scratch.ahead);
        momentum_at(-k * step, scratch.back);
        out += kWeights[k - 1] / step * (scratch.ahead - scratch.back);
      }
    }
  }

  template <class S>
  void holonomic_rows(const S& t, Arrays<S>& arrays) const {
    std::fill(arrays.g.begin(), arrays.g.end(), S(0.0));
    equations_.constraint(t, arrays.q.data(), arrays.g.data());
  }
  template <class S>
  void nonholonomic_rows(const S& t, Arrays<S>& arrays) const {
    std::fill(arrays.A.begin(), arrays.A.end(), S(0.0));
    std::fill(arrays.b.begin(), arrays.b.end(), S(0.0));
    equations_.nonholonomic(t, arrays.q.data(), arrays.A.data(), arrays.b.data());
  }

  E equations_;
  Vec no_change_;  // nv
};

// One verb for both doors; see user_system.hpp for the other.
template <JetEquations E>
std::unique_ptr<DescriptorSystem> make_system(E equations) {
  return std::make_unique<JetSystem<E>>(std::move(equations));
}

}  // namespace driftless
