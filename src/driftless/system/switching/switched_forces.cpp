// Forces along rows that are out of force: sliding, with limits that may follow other forces, and compliant stops; their power,
// potential and tangents.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/row_rank.hpp"
#include "driftless/system/switching/switched_rows.hpp"

namespace driftless {

bool SwitchedRows::slides(const Friction& f, const Mode& mode) const {
  const int value = mode_of(mode, friction_at(size_t(&f - frictions_.data())));
  return value == slip_plus || value == slip_minus;
}

double SwitchedRows::given_limit(const Friction& f, double t, bool resting) const {
  return std::max(0.0, (resting ? f.spec.resting : f.spec.kinetic)(t)) * f.spec.factor;
}

double SwitchedRows::pressing(const Friction& f, ConstVec lambda) const {
  if (f.normal >= 0) return std::max(0.0, -lambda[unilaterals_[size_t(f.normal)].row]);
  double sum = 0;
  for (const int row : f.pressed) sum += lambda[row] * lambda[row];
  return std::sqrt(sum);
}

double SwitchedRows::limit_at(const Friction& f, double t, ConstVec lambda, bool resting) const {
  if (f.spec.given) return given_limit(f, t, resting);
  return (resting ? f.spec.resting_coefficient : f.spec.coefficient) * f.spec.factor * pressing(f, lambda);
}

// Whether a velocity says in which direction it slides, or `held` does.
bool SwitchedRows::has_own_direction(double x, double y, const double* held) const {
  const double speed = std::hypot(x, y);
  return speed > kStartSpeed * length_ ||
         (speed > kRestSpeed * length_ && std::abs(x * held[1] - y * held[0]) > kStraight * speed);
}

// The speed of slipping, not negative, and its direction: the sign, or in space that of the velocity, before it has one that
// in which it starts to move.
double SwitchedRows::slide_speed(const Friction& f,
                                 ConstVec v,
                                 const Terms& terms,
                                 double direction[2]) const {
  const auto i = size_t(&f - frictions_.data());
  direction[1] = 0;
  if (f.k_2 < 0) {
    direction[0] = mode_of(*terms.mode, friction_at(i));
    return direction[0] * rate_of(f.k, v, terms);
  }
  const double x = rate_of(f.k, v, terms), y = rate_of(f.k_2, v, terms), speed = std::hypot(x, y);
  const double* held = terms.mode->held.data() + held_ + 2 * i;
  const bool moves = has_own_direction(x, y, held);
  // Behind where it comes to rest the direction goes on as it was, as everything does behind a root.
  const double along = x * held[0] + y * held[1], towards = along < 0 ? -1 : 1;
  direction[0] = moves ? towards * x / speed : held[0];
  direction[1] = moves ? towards * y / speed : held[1];
  return along;
}

void SwitchedRows::force(
    const DescriptorSystem& system, double t, ConstVec q, ConstVec v, Terms& terms) const {
  if (terms.mode == nullptr || terms.mode->values.empty()) return;
  SwitchedWork& work = work_of(system, terms);
  work.push.setZero();
  work.limit.setZero();
  bool coupled = false;
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (const Unilateral& u = unilaterals_[i];
        u.spec.stiffness > 0 && mode_of(*terms.mode, unilateral_at(i)) == closed)
      push_along(u.k, -u.spec.stiffness * work.g[u.k], terms, work.push);
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (!slides(f, *terms.mode)) continue;
    if (f.spec.given)
      work.limit[Eigen::Index(i)] = given_limit(f, t, false);
    else
      coupled = true;
  }
  if (coupled && !work.plain) couple(system, t, q, v, terms);
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (!slides(f, *terms.mode) || work.limit[Eigen::Index(i)] == 0) continue;
    double direction[2];
    slide_speed(f, v, terms, direction);
    push_along(f.k, -direction[0] * work.limit[Eigen::Index(i)], terms, work.push);
    if (f.k_2 >= 0) push_along(f.k_2, -direction[1] * work.limit[Eigen::Index(i)], terms, work.push);
  }
  terms.f += work.push;
}

// (4) and (5), together by the fixed point: it is what both are, and its contraction is that of the mechanism. Redundant contacts
// share the load by the least forces, as feet of equal stiffness do.
void SwitchedRows::couple(
    const DescriptorSystem& system, double t, ConstVec q, ConstVec v, Terms& terms) const {
  SwitchedWork& work = work_of(system, terms);
  const Mode& mode = *terms.mode;
  if (!work.solver) {
    work.inner = system.make_terms();
    work.inner.mode = terms.mode;
    work_of(system, work.inner).plain = true;
    work.solver = system.make_solver();
    work.vdot.setZero(system.layout().nv);
    work.x = work.r1 = work.vdot;
    work.lambda.setZero(system.layout().m);
    work.y = work.zero = work.lambda;
    work.dlambda.assign(frictions_.size(), work.lambda);
    work.least.emplace(system.layout());
  }
  system.position(t, q, work.inner);
  system.mass(t, q, work.inner);
  system.bias(t, q, v, work.inner);
  system.force(t, q, v, work.inner);
  if (work.chosen_at != mode.count) {
    work.solver->drop_rows(redundant_rows(system.layout(), work.inner));
    work.chosen_at = mode.count;
  }
  const auto fail = [&] {
    for (size_t i = 0; i < frictions_.size(); ++i)
      if (slides(frictions_[i], mode) && !frictions_[i].spec.given)
        work.limit[Eigen::Index(i)] = std::numeric_limits<double>::quiet_NaN();
  };
  const bool redundant = is_redundant(mode);
  const auto solve = [&](const Vec& force, const Vec& rows, Vec& vdot, Vec& lambda) {
    if (work.solver->solve(force, rows, vdot, lambda) != Status::ok) return false;
    return !redundant || work.least->apply(*work.solver, work.inner.J, lambda) == Status::ok;
  };
  if (work.solver->factor(work.inner) != Status::ok ||
      !solve(work.inner.f, work.inner.gamma, work.vdot, work.lambda))
    return fail();
  std::vector<Eigen::Index> coupled;
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (!slides(f, mode) || f.spec.given) continue;
    double direction[2];
    slide_speed(f, v, terms, direction);
    work.r1.setZero();
    push_along(f.k, -direction[0], terms, work.r1);
    if (f.k_2 >= 0) push_along(f.k_2, -direction[1], terms, work.r1);
    if (!solve(work.r1, work.zero, work.x, work.dlambda[i])) return fail();
    coupled.push_back(Eigen::Index(i));
  }
  const auto n = static_cast<Eigen::Index>(coupled.size());
  const auto limits = [&](const Vec& force) {
    work.y = work.lambda;
    for (Eigen::Index i = 0; i < n; ++i) work.y += force[i] * work.dlambda[size_t(coupled[size_t(i)])];
    Vec out(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Friction& f = frictions_[size_t(coupled[size_t(i)])];
      // Of redundant ones only the sum counts: a share may be negative, while there is another that is not, (7).
      out[i] = redundant && f.normal >= 0
                   ? -f.spec.coefficient * f.spec.factor * work.y[unilaterals_[size_t(f.normal)].row]
                   : limit_at(f, t, work.y, false);
    }
    return out;
  };
  // ℓ = F(ℓ), F piecewise linear for contacts and a norm for joints: Newton's iteration by differences of F along its
  // columns, which for contacts ends after one step.
  Vec force = limits(Vec::Zero(n));
  for (int k = 0; k < 50; ++k) {
    const Vec at = limits(force);
    const double size = 1e-300 + force.cwiseAbs().maxCoeff() + at.cwiseAbs().maxCoeff();
    if ((at - force).cwiseAbs().maxCoeff() <= 4e-16 * size) break;
    Mat A = Mat::Identity(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      Vec moved = force;
      moved[j] += 1e-6 * size;
      A.col(j) -= (limits(moved) - at) / (1e-6 * size);
    }
    DenseLu<double> lu(n);
    lu.compute(A);
    Vec step(n);
    lu.solve(at - force, step);
    force += step;
    if (k == 49 && step.cwiseAbs().maxCoeff() > 1e-12 * size) return fail();
  }
  for (Eigen::Index i = 0; i < n; ++i) work.limit[coupled[size_t(i)]] = force[i];
}

double SwitchedRows::power(ConstVec v, const Terms& terms) const {
  if (terms.mode == nullptr || terms.mode->values.empty() || !terms.extra) return 0;
  // Compliant stops have a potential; what slips loses ℓ |s|.
  double sum = 0;
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (!slides(f, *terms.mode)) continue;
    double direction[2];
    slide_speed(f, v, terms, direction);
    const double ell = static_cast<const SwitchedWork&>(*terms.extra).limit[Eigen::Index(i)];
    const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
    sum -= ell * direction[0] * (rate_of(f.k, v, terms) + work.nu[f.k]);
    if (f.k_2 >= 0) sum -= ell * direction[1] * (rate_of(f.k_2, v, terms) + work.nu[f.k_2]);
  }
  return sum;
}

double SwitchedRows::potential(const Terms& terms) const {
  if (terms.mode == nullptr || terms.mode->values.empty() || !terms.extra) return 0;
  double sum = 0;
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (const Unilateral& u = unilaterals_[i];
        u.spec.stiffness > 0 && mode_of(*terms.mode, unilateral_at(i)) == closed) {
      const double g = static_cast<const SwitchedWork&>(*terms.extra).g[u.k];
      sum += u.spec.stiffness * g * g / 2;
    }
  return sum;
}

void SwitchedRows::fill_lambda(double t, ConstVec v, const Terms& terms, VecRef lambda) const {
  if (terms.mode == nullptr || terms.mode->values.empty() || !terms.extra) return;
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (const Unilateral& u = unilaterals_[i];
        u.spec.stiffness > 0 && mode_of(*terms.mode, unilateral_at(i)) == closed)
      lambda[u.row] = u.spec.stiffness * work.g[u.k];
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (!slides(f, *terms.mode)) continue;
    double direction[2];
    slide_speed(f, v, terms, direction);
    const double ell = limit_at(f, t, lambda, false);
    lambda[f.row] = direction[0] * ell;
    if (f.row_2 >= 0) lambda[f.row_2] = direction[1] * ell;
  }
}

void SwitchedRows::add_tangents(ConstVec v, const Terms& terms, SparseRows& K, SparseRows& C) const {
  if (terms.mode == nullptr || terms.mode->values.empty() || !terms.extra) return;
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  struct Gradient {
    const int* columns;
    const double* values;
    int count;
  };
  const auto gradient = [&](int k) {
    const int* starts = terms.J.outerIndexPtr();
    const double* values = work.J.data();
    for (int j = 0; j < k; ++j) values += starts[optional_[size_t(j)] + 1] - starts[optional_[size_t(j)]];
    const int row = optional_[size_t(k)];
    return Gradient{terms.J.innerIndexPtr() + starts[row], values, starts[row + 1] - starts[row]};
  };
  const auto add = [](const Gradient& a, const Gradient& b, double factor, SparseRows& out) {
    for (int i = 0; i < a.count; ++i)
      for (int j = 0; j < b.count; ++j)
        out.coeffRef(a.columns[i], b.columns[j]) += factor * a.values[i] * b.values[j];
  };
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (const Unilateral& u = unilaterals_[i];
        u.spec.stiffness > 0 && mode_of(*terms.mode, unilateral_at(i)) == closed)
      add(gradient(u.k), gradient(u.k), u.spec.stiffness, K);
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (f.k_2 < 0 || !slides(f, *terms.mode)) continue;
    const double x = rate_of(f.k, v, terms), y = rate_of(f.k_2, v, terms), speed = std::hypot(x, y);
    if (!has_own_direction(x, y, terms.mode->held.data() + held_ + 2 * i)) continue;
    const double factor = work.limit[Eigen::Index(i)] / (speed * speed * speed);
    const Gradient along = gradient(f.k), across = gradient(f.k_2);
    add(along, along, factor * y * y, C);
    add(across, across, factor * x * x, C);
    add(along, across, -factor * x * y, C);
    add(across, along, -factor * x * y, C);
  }
}

}  // namespace driftless
