#include "driftless/system/user_system.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>  // fmt::join

#include "driftless/system/observable_system.hpp"
#include "driftless/system/tangents/differences.hpp"
#include "driftless/system/tangents/tangent_columns.hpp"

namespace driftless {
namespace {

using differences::first_derivative, differences::kFirstStep, differences::kSecondStep,
    differences::relative_rate, differences::Samples, differences::second_derivative;

constexpr double kCautionBelow = 1e-7;  // rtol from which the noise of differences is worth a word

// ------------------------------------------------------------------------------------------- the system

struct Work final : Scratch {
  explicit Work(const Layout& l)
      : M(l.nv, l.nv),
        J(l.mh, l.nv),
        A(l.m - l.mh, l.nv),
        b(l.m - l.mh),
        q(l.nq),
        q_inner(l.nq),
        qdot(l.nq),
        qddot(l.nq),
        direction(l.nq),
        unit(Vec::Zero(l.nv)),
        holonomic(l.mh),
        nonholonomic(l.m - l.mh),
        all(l.m),
        along(l.nq),
        g_t(l.mh) {}
  Mat M, J, A;          // dense values as the callbacks fill them
  Vec b;                // mn
  Vec q, q_inner;       // displaced positions; the inner one where differences nest
  Vec qdot, qddot;      // along the motion, v constant
  Vec direction, unit;  // T eⱼ and eⱼ
  Samples holonomic, nonholonomic, all, along;
  Vec g_t;  // mh
};

class UserSystem final : public ObservableSystem {
 public:
  UserSystem(Layout layout, UserEquations equations)
      : ObservableSystem(std::move(layout)), e_(std::move(equations)), no_change_(Vec::Zero(layout_.nv)) {}

  void position(double t, ConstVec q, Terms& terms) const override {
    Work& w = work_of(terms);
    if (layout_.mh > 0) {
      constraint(t, q, terms.g);
      fill_jacobian(t, q, w);
      user_detail::store(w.J, 0, terms.J, "jacobian");
      fill_time_derivative(t, q, w);
      terms.nu.head(layout_.mh) = -w.g_t;
    }
    if (e_.nonholonomic) {
      fill_nonholonomic(t, q, w);
      user_detail::store(w.A, layout_.mh, terms.J, "nonholonomic");
      terms.nu.tail(w.b.size()) = -w.b;
    }
  }

  void mass(double t, ConstVec q, Terms& terms) const override {
    Work& w = work_of(terms);
    w.M.setZero();
    e_.mass(t, q, w.M);
    user_detail::demand_size(w.M, layout_.nv, layout_.nv, "mass");
    user_detail::store(w.M, 0, terms.M, "mass");
  }

  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    Work& w = work_of(terms);
    auto holonomic = terms.gamma.head(layout_.mh);
    auto nonholonomic = terms.gamma.tail(layout_.m - layout_.mh);
    terms.gamma.setZero();
    if (e_.gamma)
      e_.gamma(t, q, v, holonomic);
    else if (e_.constraint)
      difference_gamma(t, q, v, w, holonomic);
    if (e_.nonholonomic_gamma)
      e_.nonholonomic_gamma(t, q, v, nonholonomic);
    else if (e_.nonholonomic)
      difference_nonholonomic_gamma(t, q, v, w, nonholonomic);
  }

  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    terms.f.setZero();
    e_.force(t, q, v, terms.f);
  }

  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override {
    if (e_.kinematics) {
      qdot.setZero();
      e_.kinematics(t, q, v, qdot);
    } else {
      qdot = v;
    }
  }

  void retract(VecRef q, ConstVec delta) const override {
    if (e_.retract)
      e_.retract(q, delta);
    else
      q += delta;
  }

  void difference(ConstVec from, ConstVec to, VecRef delta) const override {
    if (e_.retract)
      find_difference(*this, from, to, delta);
    else
      delta = to - from;
  }

  void normalize(VecRef q) const override {
    if (e_.retract) e_.retract(q, no_change_);
  }

  // ρ and σ by differences of second order; r by (1) of J v + g_t and A v + b, and where J or g_t is missing of differences
  // of g along the motion: accuracy 1e-11 and 1e-9.
  void tangent_along(const MotionPoint& at,
                     ConstVec dq,
                     ConstVec dv,
                     const TangentParts& parts,
                     Terms& terms,
                     DifferenceScratch& scratch,
                     MotionChange& out) const override {
    TangentParts others = parts;
    others.velocity = false;
    difference_along(*this, at, dq, dv, others, terms, scratch, out);
    if (parts.velocity) velocity_rows_along(at, dq, terms, out.r);
  }

  std::optional<double> potential_energy(double t, ConstVec q, Terms&) const override {
    return e_.potential ? std::optional(e_.potential(t, q)) : std::nullopt;
  }
  double applied_power(double t, ConstVec q, ConstVec v, Terms&) const override {
    return e_.applied_power ? e_.applied_power(t, q, v) : 0;
  }
  bool exchanges_energy() const override {
    return e_.applied_power || e_.nonholonomic || (layout_.mh > 0 && e_.time_dependent);
  }

  std::vector<std::string> body_names() const override { return e_.body_names; }
  void observe_poses(double t, ConstVec q, Terms&, std::vector<Pose>& out) const override {
    out.assign(e_.body_names.size(), Pose{});
    if (e_.poses) e_.poses(t, q, out);
  }
  std::vector<std::string> quantity_names() const override { return e_.quantity_names; }
  std::vector<std::string> quantity_units() const override { return e_.quantity_units; }
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms&, VecRef out) const override {
    out.setZero();
    if (e_.quantities) e_.quantities(t, q, v, reaction, out);
  }
  std::vector<double> break_times(double t0, double t1) const override {
    std::vector<double> inside;
    for (const double t : e_.break_times)
      if (t0 < t && t < t1) inside.push_back(t);
    return inside;
  }

  std::string caution(double rtol) const override {
    std::string missing;
    const auto miss = [&](bool is_missing, const char* name) {
      if (is_missing) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name);
    };
    miss(e_.constraint && !e_.jacobian, "jacobian");
    miss(e_.constraint && e_.time_dependent && !e_.time_derivative, "time_derivative");
    miss(e_.constraint && !e_.gamma, "gamma");
    miss(e_.nonholonomic && !e_.nonholonomic_gamma, "nonholonomic_gamma");
    if (missing.empty() || !(rtol < kCautionBelow)) return {};
    return fmt::format(
        "rtol = {:g}, but {} of the equations {} found by central differences, good to about 1e-11 on "
        "well-scaled "
        "equations and less on others: give what is missing, or write the equations as templates (exact "
        "derivatives by "
        "jets: driftless/system/user/jet_system.hpp)",
        rtol, missing, missing.find(',') == std::string::npos ? "is" : "are");
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(layout_); }

 private:
  static Work& work_of(Terms& terms) { return static_cast<Work&>(*terms.scratch); }
  double shifted(double t, double s) const { return e_.time_dependent ? t + s : t; }
  bool knows_velocity_residual() const { return e_.jacobian && (e_.time_derivative || !e_.time_dependent); }

  void constraint(double t, ConstVec q, VecRef g) const {
    g.setZero();
    e_.constraint(t, q, g);
  }

  void velocity_rows_along(const MotionPoint& at, ConstVec dq, Terms& terms, VecRef out) const {
    Work& w = work_of(terms);
    const int mh = layout_.mh, mn = layout_.m - mh;
    const auto residual = [&](double s, Vec& r) {
      w.q = at.q + s * w.direction;
      if (mh > 0) {
        velocity_residual_at(at.t, w.q, at.v, w, w.g_t);
        r.head(mh) = w.g_t;
      }
      if (mn > 0) {
        fill_nonholonomic(at.t, w.q, w);
        r.tail(mn).noalias() = w.A * at.v;
        r.tail(mn) += w.b;
      }
    };
    // What is differenced was differenced before: its noise is that of (1).
    const double size =
        layout_.length * motion(at.t, at.q, at.v, w) / (knows_velocity_residual() ? 1 : kFirstStep);
    const double rate = direction_of(at.t, at.q, dq, w);
    if (rate > 0)
      first_derivative(kFirstStep / rate, size, residual, w.all, out);
    else
      out.setZero();
  }

  // w.direction ← T δq; returns its relative rate.
  double direction_of(double t, ConstVec q, ConstVec dq, Work& w) const {
    kinematics(t, q, dq, w.direction);
    return relative_rate(w.direction, layout_.q_scale);
  }

  // w.qdot ← T v; returns the relative rate of the motion, time included. 0: nothing moves.
  double motion(double t, ConstVec q, ConstVec v, Work& w) const {
    kinematics(t, q, v, w.qdot);
    const double rate = relative_rate(w.qdot, layout_.q_scale);
    return e_.time_dependent ? std::max(rate, 1 / e_.time_scale) : rate;
  }

  // How large the terms are that g is a sum of: w.J, which position() left, tells how it magnifies round-off
  // in q.
  double term_size(ConstVec q, const Work& w) const {
    return std::max(layout_.length, w.J.cwiseAbs().rowwise().sum().maxCoeff() * max_abs(q));
  }

  // w.J ← ∂g/∂q T, (1) if it is not given.
  void fill_jacobian(double t, ConstVec q, Work& w) const {
    w.J.setZero();
    if (e_.jacobian) {
      e_.jacobian(t, q, w.J);
      user_detail::demand_size(w.J, layout_.mh, layout_.nv, "jacobian");
      return;
    }
    const auto values = [&](double s, Vec& g) {
      w.q = q + s * w.direction;
      constraint(t, w.q, g);
    };
    for (int j = 0; j < layout_.nv; ++j) {
      w.unit[j] = 1;
      if (const double rate = direction_of(t, q, w.unit, w); rate > 0)
        first_derivative(kFirstStep / rate, layout_.length, values, w.holonomic, w.J.col(j));
      w.unit[j] = 0;
    }
  }

  // w.g_t ← ∂g/∂t, (1) if it is not given.
  void fill_time_derivative(double t, ConstVec q, Work& w) const {
    w.g_t.setZero();
    if (e_.time_derivative)
      e_.time_derivative(t, q, w.g_t);
    else if (e_.time_dependent)
      first_derivative(
          kFirstStep * e_.time_scale, term_size(q, w), [&](double s, Vec& g) { constraint(t + s, q, g); },
          w.holonomic, w.g_t);
  }

  // w.A, w.b
  void fill_nonholonomic(double t, ConstVec q, Work& w) const {
    w.A.setZero();
    w.b.setZero();
    e_.nonholonomic(t, q, w.A, w.b);
    user_detail::demand_size(w.A, layout_.m - layout_.mh, layout_.nv, "nonholonomic");
  }

  // r ← J v + g_t of the holonomic rows; along the motion where J or g_t is missing. q must not be w.q_inner.
  void velocity_residual_at(double t, ConstVec q, ConstVec v, Work& w, Vec& r) const {
    if (knows_velocity_residual()) {
      r.setZero();
      if (e_.time_derivative) e_.time_derivative(t, q, r);
      fill_jacobian(t, q, w);
      r.noalias() += w.J * v;
      return;
    }
    r.setZero();
    const double rate = motion(t, q, v, w);
    if (rate == 0) return;
    const auto values = [&](double s, Vec& g) {
      w.q_inner = q + s * w.qdot;
      constraint(shifted(t, s), w.q_inner, g);
    };
    first_derivative(kFirstStep / rate, layout_.length, values, w.holonomic, r);
  }

  // gamma ← γ of the holonomic rows by (2) or (3).
  void difference_gamma(double t, ConstVec q, ConstVec v, Work& w, VecRef gamma) const {
    const double rate = motion(t, q, v, w);
    if (rate == 0) return;
    if (knows_velocity_residual()) {
      const auto residual = [&](double s, Vec& r) {
        w.q = q + s * w.qdot;
        velocity_residual_at(shifted(t, s), w.q, v, w, r);
      };
      first_derivative(kFirstStep / rate, term_size(q, w) * rate, residual, w.holonomic, gamma);
    } else {
      difference_qddot(t, q, v, rate, w);
      const auto values = [&](double s, Vec& g) {
        w.q = q + s * w.qdot + (0.5 * s * s) * w.qddot;
        constraint(shifted(t, s), w.q, g);
      };
      second_derivative(kSecondStep / rate, term_size(q, w) + max_abs(w.g_t) * std::abs(t), values,
                        w.holonomic, gamma);
    }
    gamma *= -1;
  }

  // w.qddot ← d/ds T v along the motion: the curve of (3) bends where T is not constant.
  void difference_qddot(double t, ConstVec q, ConstVec v, double rate, Work& w) const {
    w.qddot.setZero();
    if (!e_.kinematics) return;
    const auto velocity = [&](double s, Vec& qdot) {
      w.q = q + s * w.qdot;
      kinematics(shifted(t, s), w.q, v, qdot);
    };
    first_derivative(kFirstStep / rate, max_abs(w.qdot), velocity, w.along, w.qddot);
  }

  // gamma ← γ of the nonholonomic rows by (4).
  void difference_nonholonomic_gamma(double t, ConstVec q, ConstVec v, Work& w, VecRef gamma) const {
    const double rate = motion(t, q, v, w);
    if (rate == 0) return;
    const auto residual = [&](double s, Vec& r) {
      w.q = q + s * w.qdot;
      fill_nonholonomic(shifted(t, s), w.q, w);
      r.noalias() = w.A * v;
      r += w.b;
    };
    first_derivative(kFirstStep / rate, layout_.length * rate, residual, w.nonholonomic, gamma);
    gamma *= -1;
  }

  UserEquations e_;
  Vec no_change_;  // nv
};

// Everything wrong with the equations, one clause each.
std::vector<std::string> complaints(const UserEquations& e) {
  std::vector<std::string> found;
  const auto demand = [&](bool good, std::string what) {
    if (!good) found.push_back(std::move(what));
  };
  demand(e.nq > 0, fmt::format("nq = {}: must be > 0", e.nq));
  demand(e.nv >= 0, fmt::format("nv = {}: must be > 0, or 0 for as many as positions", e.nv));
  demand(e.rows >= 0, fmt::format("rows = {}: must be >= 0", e.rows));
  demand(e.nonholonomic_rows >= 0, fmt::format("nonholonomic_rows = {}: must be >= 0", e.nonholonomic_rows));
  demand(static_cast<bool>(e.mass), "mass is missing: a callback that fills M(t, q)");
  demand(static_cast<bool>(e.force), "force is missing: a callback that fills f(t, q, v)");

  demand(e.rows <= 0 || e.constraint, fmt::format("constraint is missing, but rows = {}", e.rows));
  demand(e.rows > 0 || !e.constraint, "constraint is given, but rows = 0: say how many rows g has");
  demand(e.rows > 0 || (!e.jacobian && !e.time_derivative && !e.gamma),
         "jacobian, time_derivative or gamma is given, but rows = 0");
  demand(e.nonholonomic_rows <= 0 || e.nonholonomic,
         fmt::format("nonholonomic is missing, but nonholonomic_rows = {}", e.nonholonomic_rows));
  demand(e.nonholonomic_rows > 0 || (!e.nonholonomic && !e.nonholonomic_gamma),
         "nonholonomic or nonholonomic_gamma is given, but nonholonomic_rows = 0: say how many rows A has");

  demand(e.nv == 0 || e.nv == e.nq || e.kinematics,
         fmt::format("nv = {} velocities on nq = {} positions need kinematics, a callback for q̇ = T(t, q) v",
                     e.nv, e.nq));
  demand(!e.kinematics == !e.retract,
         "kinematics (q̇ = T v) and retract (q ← q ⊕ δ) go together: one is missing");
  demand(e.time_scale > 0 && std::isfinite(e.time_scale),
         fmt::format("time_scale = {}: must be > 0", e.time_scale));

  demand(e.body_names.empty() == !e.poses, "body_names and poses go together: one is missing");
  demand(e.quantity_names.empty() == !e.quantities,
         "quantity_names and quantities go together: one is missing");
  demand(e.quantity_units.empty() || e.quantity_units.size() == e.quantity_names.size(),
         fmt::format("{} quantity_units for {} quantity_names", e.quantity_units.size(),
                     e.quantity_names.size()));
  demand(std::is_sorted(e.break_times.begin(), e.break_times.end()), "break_times must be in order");
  demand(std::all_of(e.break_times.begin(), e.break_times.end(), [](double t) { return std::isfinite(t); }),
         "break_times must be finite");
  return found;
}

}  // namespace

std::unique_ptr<DescriptorSystem> make_system(UserEquations equations) {
  if (const auto found = complaints(equations); !found.empty())
    throw std::invalid_argument(fmt::format("equations of a system: {}", fmt::join(found, "; ")));
  if (equations.nv == 0) equations.nv = equations.nq;
  equations.quantity_units.resize(equations.quantity_names.size());
  Layout layout = user_detail::user_layout(std::move(equations.description), equations.nq, equations.nv,
                                           equations.rows, equations.nonholonomic_rows);
  return std::make_unique<UserSystem>(std::move(layout), std::move(equations));
}

DerivativeCheck check_derivatives(const DescriptorSystem& system, const State& state) {
  const Layout& l = system.layout();
  const double t = state.t;
  const Vec &q = state.q, &v = state.v;
  Terms terms = system.make_terms(), moved = system.make_terms();
  system.position(t, q, terms);
  system.bias(t, q, v, terms);

  Samples w(l.mh), residuals(l.m);
  Vec difference(l.mh), direction(l.nq), unit = Vec::Zero(l.nv), rates(l.m);
  const auto g_at = [&](double time, const Vec& x, Vec& g) {
    system.position(time, x, moved);
    g = moved.g;
  };
  DerivativeCheck check;
  const auto compare = [](double ours, double theirs, const std::string& where, double& worst,
                          std::string& place) {
    const double error = std::abs(ours - theirs) / std::max(1.0, std::abs(theirs));
    if (error > worst || std::isnan(error)) {
      worst = error;
      place = where;
    }
  };
  const Mat J(terms.J);
  for (int j = 0; j < l.nv; ++j) {
    unit[j] = 1;
    system.kinematics(t, q, unit, direction);
    unit[j] = 0;
    first_derivative(
        kFirstStep / relative_rate(direction, l.q_scale), l.length,
        [&](double s, Vec& g) { g_at(t, q + s * direction, g); }, w, difference);
    for (int i = 0; i < l.mh; ++i)
      compare(J(i, j), difference[i],
              l.row_names[static_cast<size_t>(i)] + " by " + l.v_names[static_cast<size_t>(j)], check.J,
              check.J_entry);
  }
  first_derivative(
      kFirstStep, l.length, [&](double s, Vec& g) { g_at(t + s, q, g); }, w, difference);
  for (int i = 0; i < l.mh; ++i)
    compare(terms.nu[i], -difference[i], l.row_names[static_cast<size_t>(i)], check.nu, check.nu_row);

  system.kinematics(t, q, v, direction);
  const auto residual = [&](double s, Vec& r) {
    system.position(t + s, q + s * direction, moved);
    velocity_residual(moved, v, r);
  };
  const double rate = std::max(1.0, relative_rate(direction, l.q_scale));
  first_derivative(kFirstStep / rate, l.length * rate, residual, residuals, rates);
  for (int i = 0; i < l.m; ++i)
    compare(terms.gamma[i], -rates[i], l.row_names[static_cast<size_t>(i)], check.gamma, check.gamma_row);
  return check;
}

}  // namespace driftless
