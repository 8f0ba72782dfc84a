// GSSSS families U0 and V0 on index 3: generalized single step, single solve.   Hoitink 2011, ch. 2–3; Zhou & Tamma 2004
//   M(q̃) ã + (Jᵀλ)~ = f(t + W1 h, q̃, ṽ),   g(t₁, q₁) = 0,   nonholonomic rows A v₁ + b = 0                            (1)
//   load=averaged: (1 − W1) f(t, q, v) + W1 f(t₁, q₁, v₁) on the right side; Newton's matrix stays that of (1)        (1a)
// with q̃, ṽ, ã, q₁, v₁ of gssss_coefficients.hpp, (2) there. The constraint force by `constraint`:
//   1  (1−W1) J(q)ᵀλ + W1 J(q₁)ᵀλ₁        2  J(q̃)ᵀλ₁
//   3  [(1−W1) J(q) + W1 J(q₁)]ᵀλ₁        4  J(q̃)ᵀ[(1−W1) λ + W1 λ₁]                                                  (2)
// Newton on d, an increment of a₁, v₁ or q₁ (`form`), with exact matrices, JB(q,λ) = ∂(J(q)ᵀλ)/∂q:
//   [ Ca M + Ct ∂ρ/∂q̃ + Cv ∂ρ/∂ṽ + X   Y ] [d ]     [ e1 ]     e2 = g/Cu, or (A v₁ + b)/(∂v₁/∂d)
//   [ J(q₁)                              0 ] [dλ] = − [ e2 ]                                                             (3)
//   X, Y:  1  W1 Cu JB(q₁,λ₁), W1 J(q₁)ᵀ    2  Ct JB(q̃,λ₁), J(q̃)ᵀ    3  W1 Cu JB(q₁,λ₁), [(1−W1)J(q)+W1 J(q₁)]ᵀ
//          4  Ct JB(q̃,(1−W1)λ+W1λ₁), W1 J(q̃)ᵀ                                                                          (4)
// Done when the 2-norm of (e1, e2), before a correction, falls below newton_tol, or below the round-off of q in e2:
// an iteration is one evaluation of (e1, e2), the last included, at most 100. What is left then goes into one more
// correction, with the factors at hand if there are any of this step: energy is kept far below newton_tol, and what short
// steps leave adds up like round-off.                                                                                   (5)
// The first block row is divided by Ca m̄, m̄ the mean of diag M, and dλ with it: the matrix stays regular as h → 0.     (6)
// `two-field` is the midpoint rule of Hoitink (3.49)–(3.60) in q and v: the v-form of V0(1,1,0), where a drops out.      (7)
// a₁ belongs to the instant τ₁ = τ + (t + W1 h − τ)/W1Λ6, λ₁ of 2 and 3 to t + W1 h; both are moved to t₁ along the line
// through the values before: a(t₁) = a₁ + (t₁ − τ₁)/(τ₁ − τ) (a₁ − a), order 2.                          Hoitink (3.31)  (8)
// forces=conserving: discrete gradients of the potential and, with constraint=2 and 4, of the rows
// (system/discrete_gradient.hpp): energy is constant to Newton's tolerance for constant M. Midpoint members only.        (9)
// forces=strain: trusses by strains at t + W1 h that are combined as displacements are (strain_forces.hpp), any member.  (9a)
// Error control: a of the last step is moved to the instant the new step takes it for, t + (W1 − W1Λ6) h, along the line
// through the values before; local error of the positions e = c h² (a₁ − a), c = max(|λ3 + (W1 − W1Λ6)/2 − 1/6|, 1/12).  (10)
// q₁ = q + Δq, v₁ = v + Δv: what rounding leaves out of a sum is part of the next Δ. Plain sums lose energy in proportion to
// the steps (2.5e-12 in 10⁶ of natural-double-pendulum), these as their square root.   Hairer, McLachlan & Razakarivony 2008  (11)
// Midpoint members take both from ã:  Δv = h ã,  Δq = h (v + h ã/2).  With the weights of (3), h²/2 is rounded once for all
// steps of a length, and Δq · M ã exceeds the gain of kinetic energy by ½ h² |ã|² ε in every one of them.                      (12)
// Accelerations that change much in a step lead to a place Newton's method does not come back from: where it fails on a fixed step it
// begins once more from a uniform motion, ã = 0.                                                                        (13)
// Forces of stiff elements, 10³ of them in a cable, are not known to newton_tol: after some iterations it is enough that the 2-norm of
// (σ e1, e2) is below 10 ε (σ |(|K| |q̃|)| + |q|/Cu), what rounding q̃ alone makes of e1.                                  (14)
// Not (13) and (14) where multipliers may grow without bound: those runs end where they leave Newton's tolerance behind.
// Options: family (V0), rho = r1,r2,r3 (1,1,0), constraint (2), form (a), forces (midpoint), load (point), newton_tol (1e-8, absolute).
// Members: U0(1,1,0) Newmark, U0 = V0(1,1,1) and V0(1,1,0) midpoint rules, U0(r,r,r) generalized-α, U0(r,r,0) WBZ.
// Cost: about three evaluations and factorisations a step. Multipliers of U0(1,1,0) and undamped constraint=1 grow: remarked on.
#include "driftless/integrator/structural/gssss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/math/linear/sparse_copy.hpp"
#include "driftless/math/nan_safe.hpp"

namespace driftless {
namespace {

constexpr int kMostIterations = 100, kMostIterationsAdaptive = 10;  // (5); where a shorter step may do
constexpr int kPatience = 6;                                        // (14)
constexpr double kEps = std::numeric_limits<double>::epsilon();

template <class Weights>
void combine(const Weights& w, const Vec& v, const Vec& a, Vec& out) {  // all but q
  out = w.P[1] * v + w.P[2] * a;
}

// What rounding left out of sum = a + b, exactly, whichever is larger.                       Knuth 1969, §4.2.2, theorem B
void lost_in_sum(const Vec& a, const Vec& b, const Vec& sum, Vec& rest) {
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double added = sum[i] - a[i];
    rest[i] = (a[i] - (sum[i] - added)) + (b[i] - added);
  }
}

}  // namespace

Gssss::Gssss(OdeForm& form, Statistics& statistics, const StepControl& control, const GssssMember& member)
    : ResidualScheme(form, statistics, control),
      tolerance_(member.newton_tolerance),
      c_(member.coefficients),
      is_midpoint_(c_.is_midpoint()),
      unknown_(member.unknown),
      option_(member.constraint),
      is_undamped_(member.is_undamped),
      ends_at_end_(member.ends_at_end),
      averages_load_(member.averages_load),
      a_(nv_),
      a_rate_(nv_),
      a0_(nv_),
      a1_(nv_),
      q1_(nq_),
      v1_(nv_),
      q0_(nq_),
      v0_(nv_),
      way_(nq_),
      middle_way_(nq_),
      gain_(nv_),
      q_rest_(nq_),
      v_rest_(nv_),
      all_(Vec::Zero(form_.system().layout().m)),
      all_middle_(all_),
      all_before_(all_),
      old_force_(nv_),
      velocity_rows_(all_.size()),
      column_(nv_),
      plus_(nv_),
      minus_(nv_),
      middle_terms_(form_.system().make_terms()),
      start_terms_(form_.system().make_terms()) {
  if (member.forces == GssssForces::conserving)
    conserving_ = std::make_unique<DiscreteGradient>(form_.system(), acts_in_middle());
  if (member.forces == GssssForces::strain) strains_ = std::make_unique<StrainForces>(form_.system());
}

void Gssss::begin_own() {
  const Layout& layout = form_.system().layout();
  const auto& dropped = form_.dropped_rows();
  kept_.clear();
  for (int i = 0; i < layout.m; ++i)
    if (!std::binary_search(dropped.begin(), dropped.end(), i)) kept_.push_back(i);
  holonomic_ = form_.position_rows();
  a_ = point_.a;
  lambda_ = lambda1_ = point_.lambda;
  a_time_ = lambda_time_ = point_.t;
  a_rate_.setZero();
  q_rest_.setZero();
  v_rest_.setZero();
  knows_rate_ = false;
  middle_ = form_.make_point();
  const int count = form_.multipliers();
  W_.size(nv_ + count);
  end_tangents_.reset();
  r_.resize(nv_ + count);
  d_.resize(nv_ + count);
  lu_.size(nv_ + count);
  if (conserving_ && !conserving_->begin(point_.t, point_.q))
    throw InputError(kGssssOwner,
                     Complaint{"`option forces`", "'midpoint' where the system knows no potential energy",
                               "'conserving'", ""});
  if (strains_ && !strains_->is_there())
    throw InputError(kGssssOwner, Complaint{"`option forces`",
                                            "'midpoint' where no truss hangs between points without attitude",
                                            "'strain'", ""});
}

void Gssss::spread(const Vec& kept, Vec& all) const {
  for (size_t i = 0; i < kept_.size(); ++i) all[kept_[i]] = kept[Eigen::Index(i)];
}

Status Gssss::step(double h, double t1) {
  const DescriptorSystem& system = form_.system();
  q0_ = point_.q;
  v0_ = point_.v;
  t_end_ = t1;
  a0_ = a_;
  a0_time_ = a_time_;
  if (adaptive() && knows_rate_) {  // (10)
    a0_time_ = t0_ + (c_.W1() - c_.W1L6) * h;
    a0_ += (a0_time_ - a_time_) * a_rate_;
  }
  step_ = gssss_step(c_, unknown_, h);
  middle_.t = std::min(t0_ + c_.W1() * h, left_of_limit_);  // V0 with small roots has W1 > 1
  spread(lambda_, all_before_);
  if (option_ == 1 || option_ == 3) {
    system.position(t0_, q0_, start_terms_);
    old_force_.setZero();
    add_transposed_rows(start_terms_, 1 - c_.W1(), all_before_, old_force_);
  }
  if (conserving_) conserving_->begin(middle_.t, q0_);
  if (strains_) strains_->begin(c_, h, q0_, v0_, a0_);
  if (averages_load_) {
    system.position(t0_, q0_, start_terms_);
    system.mass(t0_, q0_, start_terms_);
    system.force(t0_, q0_, v0_, start_terms_);
    load_ = start_terms_.f;
  }
  if (const Status status = iterate(h, t1); status != Status::ok) return status;
  finish(h);
  return Status::ok;
}

Status Gssss::iterate(double h, double t1) {
  predict(h, t1);
  if (control_.realtime > 0) return iterate_in_real_time(h);
  const Status status = find_end(h);
  if (status == Status::ok || adaptive() || multipliers_may_grow()) return status;
  predict(h, t1);  // (13)
  d_.setZero();
  d_.head(nv_) = -middle_.a / step_.acceleration.C;
  correct(h, d_);
  return find_end(h);
}

Status Gssss::find_end(double h) {
  const int most = adaptive() ? kMostIterationsAdaptive : kMostIterations;
  for (int k = 0; k < most; ++k) {
    fill_residual(h, r_);
    ++statistics_.evaluations;
    ++statistics_.newton_iterations;
    if (!std::isfinite(r_.norm())) return Status::not_finite;
    const bool done =
        is_small() || (k >= kPatience && !multipliers_may_grow() && is_round_off());  // (5), (14)
    if (!done || k == 0) {
      fill_matrix();
      statistics_.factor_matrix();
      if (const Status status = lu_.factor(W_); status != Status::ok) return status;
    }
    if (const Status status = solve_and_correct(h); status != Status::ok) return status;
    if (!done) continue;
    form_.system().position(t_end_, q1_, form_.terms());
    return Status::ok;
  }
  return Status::not_converged;
}

Status Gssss::iterate_in_real_time(double h) {
  for (int k = 0; k <= control_.realtime; ++k) {
    fill_residual(h, r_);
    ++statistics_.evaluations;
    left_over_ = k < control_.realtime ? left_over_ : max_or_nan(left_over_, r_.norm());
    if (!std::isfinite(r_.norm())) return Status::not_finite;
    if (k == control_.realtime) break;
    ++statistics_.newton_iterations;
    fill_matrix();
    statistics_.factor_matrix();
    if (const Status status = lu_.factor(W_); status != Status::ok) return status;
    if (const Status status = solve_and_correct(h); status != Status::ok) return status;
  }
  return Status::ok;
}

std::string Gssss::remark() const {
  std::string text;
  if (control_.realtime > 0)
    text = fmt::format("{} Newton iterations a step left residuals of {:.2g} at worst", control_.realtime,
                       left_over_);
  if (!multipliers_may_grow()) return text;
  if (!text.empty()) text += "\n";
  return text +
         fmt::format(
             "{}: accelerations and multipliers of a constrained system oscillate and may grow without "
             "bound; use family=V0 rho=1,1,0 with constraint=2 or 3, or roots below 1",
             ends_at_end_ ? "U0 with rho=1,1,0 has no damping at the end of the step"
                          : "constraint=1 carries multipliers on without damping");
}

Status Gssss::solve_and_correct(double h) {
  r_.head(nv_) *= sigma_;
  if (const Status status = lu_.solve(r_, d_); status != Status::ok) return status;
  d_ = -d_;
  correct(h, d_);
  return Status::ok;
}

// Round-off is counted in units of d, where e1 is σ e1: eps |q|/Cu may be more than all forces there are.
bool Gssss::is_small() const {
  if (r_.norm() < tolerance_) return true;
  const double size = form_.system().layout().length + max_abs(q1_);
  double floor = size / step_.end.C;
  if (unknown_ == GssssUnknown::velocity) floor += max_abs(v1_);
  if (unknown_ == GssssUnknown::displacement) floor += size;
  floor = kEps * (floor + sigma_ * max_abs(middle_terms_.f));
  if (conserving_) floor += sigma_ * conserving_->noise();
  return std::hypot(sigma_ * r_.head(nv_).norm(), r_.tail(r_.size() - nv_).norm()) < 20 * floor;
}

bool Gssss::is_round_off() const {
  const double size = form_.system().layout().length + max_abs(q1_);
  double squares = 0;
  for (int i = 0; i < nv_; ++i) {
    double force = 0;
    for (SparseRows::InnerIterator e(tangent_.K, i); e; ++e)
      force += std::abs(e.value()) * (nq_ == nv_ ? std::abs(middle_.q[e.col()]) : size);
    squares += force * force;
  }
  return std::hypot(sigma_ * r_.head(nv_).norm(), r_.tail(r_.size() - nv_).norm()) <
         10 * kEps * (sigma_ * std::sqrt(squares) + size / step_.end.C);
}

// q₁ and q̃ from the ways there.
void Gssss::go_ways(double h) {
  if (is_midpoint_) {  // (12)
    way_ = h * v0_ + h * (v_rest_ + 0.5 * h * middle_.a) + q_rest_;
    middle_way_ = 0.5 * (way_ + q_rest_);
  }
  q1_ = q0_ + way_;
  middle_.q = q0_ + middle_way_;
}

void Gssss::predict(double h, double) {
  combine(step_.end, v0_, a0_, way_);
  combine(step_.middle, v0_, a0_, middle_way_);
  combine(step_.rate, v0_, a0_, middle_.v);
  combine(step_.acceleration, v0_, a0_, middle_.a);
  way_ += q_rest_;  // (11)
  middle_way_ += q_rest_;
  go_ways(h);
  v1_ = v0_ + h * a0_ + c_.l5 * h / c_.W1L6 * (middle_.a - a0_);
  lambda1_ = lambda_;
}

double Gssss::correct(double h, const Vec& d) {
  const auto increment = d.head(nv_);
  way_ += step_.end.C * increment;
  middle_way_ += step_.middle.C * increment;
  v1_ += step_.velocity * increment;
  middle_.v += step_.rate.C * increment;
  middle_.a += step_.acceleration.C * increment;
  go_ways(h);
  lambda1_ += d.tail(lambda1_.size()) / sigma_;
  return max_abs(increment);
}

// (e1, e2) of (3); leaves position() of the end in the terms of the form.
void Gssss::fill_residual(double, Vec& r) {
  const DescriptorSystem& system = form_.system();
  const double W1 = c_.W1();
  auto e1 = r.head(nv_);
  spread(lambda1_, all_);
  if (option_ == 2) all_middle_ = all_;
  if (option_ == 4) all_middle_ = (1 - W1) * all_before_ + W1 * all_;
  Terms& end = form_.terms();
  system.position(t_end_, q1_, end);
  system.position(middle_.t, middle_.q, middle_terms_);
  column_.setZero();
  if (conserving_) conserving_->add(q1_, middle_.q, middle_terms_, all_middle_, column_);  // (9)
  if (strains_) strains_->add(q1_, middle_.q, column_);                                    // (9a)
  system.mass(middle_.t, middle_.q, middle_terms_);
  system.force(middle_.t, middle_.q, middle_.v, middle_terms_);
  mass_times(middle_terms_, middle_.a, e1);  // (1)
  e1 += column_;
  if (averages_load_) {  // (1a)
    system.mass(t_end_, q1_, end);
    system.force(t_end_, q1_, v1_, end);
    e1 -= (1 - W1) * load_ + W1 * end.f;
  } else {
    e1 -= middle_terms_.f;
  }
  if (option_ == 1) e1 += old_force_;  // (2)
  if (option_ == 3) add_transposed_rows(start_terms_, 1 - W1, all_, e1);
  if (option_ == 1 || option_ == 3) add_transposed_rows(end, W1, all_, e1);
  if (option_ == 2 || option_ == 4) add_transposed_rows(middle_terms_, 1, all_middle_, e1);
  const int count = static_cast<int>(kept_.size());
  for (int i = 0; i < holonomic_; ++i) r[nv_ + i] = end.g[kept_[size_t(i)]] / step_.end.C;
  if (holonomic_ == count) return;
  velocity_residual(end, v1_, velocity_rows_);
  for (int i = holonomic_; i < count; ++i) r[nv_ + i] = velocity_rows_[kept_[size_t(i)]] / step_.velocity;
}

Tangents& Gssss::make_end_tangents() {
  if (!end_tangents_)
    end_tangents_ = std::make_unique<Tangents>(
        form_.system().make_tangents({.reactions = !acts_in_middle(), .velocity = has_velocity_rows()}));
  return *end_tangents_;
}

void Gssss::find_end_tangents() {
  copy_rows(form_.terms().J, kept_, J1_);
  if (acts_in_middle() && !has_velocity_rows()) return;
  column_.setZero();
  form_.system().tangents(t_end_, q1_, v1_, column_, all_, form_.terms(), make_end_tangents());
}

void Gssss::fill_matrix() {  // (3), (4), (6)
  const double W1 = c_.W1();
  const int count = static_cast<int>(kept_.size());
  const bool in_middle = acts_in_middle();
  find_end_tangents();
  if (option_ == 3) copy_rows(start_terms_.J, kept_, J0_);
  if (in_middle)
    for (int i = 0; i < count; ++i) middle_.lambda[i] = all_middle_[kept_[size_t(i)]];
  else
    middle_.lambda.setZero();
  ++statistics_.jacobians;
  form_.tangent(middle_, tangent_);
  sigma_ = 1 / (step_.acceleration.C * tangent_.mean_mass());
  const SparseRows* discrete = conserving_ ? &conserving_->tangent(step_.end.C, q1_, all_middle_) : nullptr;
  if (strains_) {
    D_.setZero(nv_, nv_);
    strains_->add_tangent(step_.end.C, step_.middle.C, D_);
  }
  W_.assemble([&](SparseAssembly<double>& W) {
    W.add_block(tangent_.K, 0, 0, sigma_ * step_.middle.C);
    W.add_block(tangent_.M, 0, 0, sigma_ * step_.acceleration.C);
    W.add_block(tangent_.C, 0, 0, sigma_ * step_.rate.C);
    if (!in_middle) W.add_block(end_tangents_->K, 0, 0, sigma_ * W1 * step_.end.C);
    if (discrete != nullptr) W.add_block(*discrete, 0, 0, sigma_);
    if (strains_)
      for (int j = 0; j < nv_; ++j)
        for (int i = 0; i < nv_; ++i) W.add(i, j, sigma_ * D_(i, j));
    W.add_block(J1_, nv_, 0, 1.0);
    for (int i = holonomic_; i < count; ++i)
      W.add_rows(end_tangents_->L, kept_[size_t(i)], kept_[size_t(i)] + 1, nv_ + i, 0,
                 step_.end.C / step_.velocity);
    if (!in_middle) {
      W.add_transposed(J1_, 0, nv_, W1);
      if (option_ == 3) W.add_transposed(J0_, 0, nv_, 1 - W1);
      return;
    }
    const double share = option_ == 4 ? W1 : 1;
    W.add_transposed(tangent_.J, 0, nv_, share);
    for (int j = 0; conserving_ && j < holonomic_; ++j) {
      column_.setZero();
      conserving_->add_row_derivative(share, kept_[size_t(j)], column_);
      for (int i = 0; i < nv_; ++i) W.add(i, nv_ + j, column_[i]);
    }
  });
}

// (8), and the end of the step into point_.
void Gssss::finish(double h) {
  const DescriptorSystem& system = form_.system();
  const double t1 = t0_ + h, t_middle = t0_ + c_.W1() * h;
  a1_time_ = a0_time_ + (t_middle - a0_time_) / c_.W1L6;
  plus_ = (middle_.a - a0_) / c_.W1L6;  // D
  if (is_midpoint_)
    gain_ = h * middle_.a + v_rest_;  // (12)
  else
    gain_ = h * a0_ + c_.l5 * h * plus_ + v_rest_;
  v1_ = v0_ + gain_;
  a1_ = a0_ + plus_;
  point_.t = t_end_;
  point_.q = q1_;
  point_.v = v1_;
  point_.a = a1_ + (t1 - a1_time_) / (a1_time_ - a0_time_) * plus_;
  point_.lambda = lambda1_;
  lambda1_time_ = t1;
  if (option_ == 2 || option_ == 3) {
    lambda1_time_ = t_middle;
    point_.lambda += (t1 - t_middle) / (t_middle - lambda_time_) * (lambda1_ - lambda_);
  }
  Terms& end = form_.terms();
  system.mass(t_end_, q1_, end);
  if (!form_.integrates_work()) return;
  system.force(t_end_, q1_, v1_, end);
  const double power = form_.power(point_);
  if (is_midpoint_) {  // ṽ = (q₁ − q)/h: what the scheme itself counts as work
    system.position(middle_.t, middle_.q, middle_terms_);
    system.force(middle_.t, middle_.q, middle_.v, middle_terms_);
    spread(lambda1_, all_);
    if (option_ != 4) all_middle_ = all_;
    work_ += h * (system.applied_power(middle_.t, middle_.q, middle_.v, middle_terms_) -
                  all_middle_.dot(middle_terms_.nu));
  } else {
    work_ += 0.5 * h * (power_ + power);
  }
  power_ = power;
}

void Gssss::accept_own(double) {
  if (form_.stabilization == nullptr) {  // (11)
    lost_in_sum(q0_, way_, q1_, q_rest_);
    lost_in_sum(v0_, gain_, v1_, v_rest_);
  }
  a_rate_ = (a1_ - a0_) / (a1_time_ - a0_time_);
  knows_rate_ = true;
  a_ = a1_;
  lambda_ = lambda1_;
  a_time_ = a1_time_;
  lambda_time_ = lambda1_time_;
}

void Gssss::keep_own(Memory& memory) {
  memory(a_);
  memory(lambda_);
  memory(q_rest_);
  memory(v_rest_);
  memory(a_rate_);
  memory(a_time_);
  memory(lambda_time_);
  memory(knows_rate_);
  bool has_end = end_tangents_ != nullptr;
  memory(has_end);
  if (has_end) make_end_tangents().keep(memory);
  lu_.keep(memory);
}

void Gssss::estimate(double h, Vec& error) {  // (10)
  const double c = std::max(std::abs(c_.l3 + 0.5 * (c_.W1() - c_.W1L6) - 1.0 / 6), 1.0 / 12);
  error = c * h * h * (a1_ - a0_);
}

}  // namespace driftless
