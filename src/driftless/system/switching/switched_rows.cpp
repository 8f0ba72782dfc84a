#include "driftless/system/switching/switched_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/dense.hpp"
#include "driftless/system/kernels/row_rank.hpp"

namespace driftless {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Gaps and speeds that are round-off are zero: behind a switch they stand where they are until they leave it.
double cleared(double x, double one) { return std::abs(x) <= 1e-13 * one ? 0.0 : x; }

}  // namespace

SwitchedRows::SwitchedRows(SwitchedSpecs specs, const SwitchedPlaces& places, int first, double length)
    : first_(first), length_(length) {
  const auto& row_of = places.row_of;
  for (UnilateralSpec& spec : specs.unilaterals) {
    const int row = row_of(spec.row);
    optional_.push_back(row);
    unilaterals_.push_back({std::move(spec), row});
  }
  for (FrictionSpec& spec : specs.frictions) {
    Friction f;
    f.row = row_of(spec.row);
    optional_.push_back(f.row);
    if (!spec.row_2.empty()) optional_.push_back(f.row_2 = row_of(spec.row_2));
    for (size_t i = 0; i < unilaterals_.size(); ++i)
      if (!spec.normal.empty() && unilaterals_[i].spec.row == spec.normal) f.normal = static_cast<int>(i);
    if (!spec.given && f.normal < 0) f.pressed = places.rows_of(spec.element);
    f.spec = std::move(spec);
    frictions_.push_back(std::move(f));
  }
  int held = 2 * static_cast<int>(frictions_.size());
  for (JointSpec& spec : specs.joints) {
    Joint& joint = joints_.emplace_back();
    joint.rows = places.rows_of_blocks(spec.first_block, spec.end_block);
    joint.held = held;
    held += static_cast<int>(joint.rows.size());
    optional_.insert(optional_.end(), joint.rows.begin(), joint.rows.end());
    joint.spec = std::move(spec);
  }
  for (TriggerSpec& spec : specs.triggers) {
    Trigger& trigger = triggers_.emplace_back();
    for (size_t i = 0; i < joints_.size(); ++i)
      if (joints_[i].spec.joint == spec.joint) trigger.joint = static_cast<int>(i);
    if (spec.when == TriggerSpec::When::output) {
      trigger.of = places.output_of(spec.of);
      trigger.period = places.period_of(trigger.of);
    }
    if (spec.when == TriggerSpec::When::reaction) trigger.of = places.joint_of(spec.of);
    trigger.spec = std::move(spec);
  }
  std::sort(optional_.begin(), optional_.end());
  const auto place = [&](int row) {
    return static_cast<int>(std::lower_bound(optional_.begin(), optional_.end(), row) - optional_.begin());
  };
  for (Unilateral& u : unilaterals_) u.k = place(u.row);
  for (Friction& f : frictions_) {
    f.k = place(f.row);
    if (f.row_2 >= 0) f.k_2 = place(f.row_2);
  }
  for (Joint& joint : joints_)
    for (const int row : joint.rows) joint.ks.push_back(place(row));
  all_off_.inactive = optional_;
  for (const Joint& joint : joints_)
    if (joint.spec.starts_on)
      for (const int row : joint.rows) std::erase(all_off_.inactive, row);
}

void SwitchedRows::describe(std::vector<Switch>& switches) const {
  for (const Unilateral& u : unilaterals_) {
    Switch out{
        u.spec.element, u.spec.kind, u.spec.kind == "stop" ? "stop " + u.spec.what : "", {"open", "closed"}};
    out.instead = "a restitution of 0, or \"stiffness\"";
    switches.push_back(out);
  }
  for (const Friction& f : frictions_) {
    Switch out{f.spec.element,
               f.spec.kind,
               f.spec.kind == "clutch" ? "" : "friction",
               {"slip -", "stick", "slip +", "apart"}};
    out.first = slip_minus;
    out.instead = "a limit that does not follow the motion so closely";
    switches.push_back(out);
  }
  for (const Joint& joint : joints_) {
    switches.push_back({joint.spec.joint, "joint", "", {"off", "on"}});
    switches.back().instead = "switches whose levels lie further apart";
  }
  for (const Trigger& trigger : triggers_) {
    const bool is_time = trigger.spec.when == TriggerSpec::When::time;
    switches.push_back(
        {trigger.spec.name, "switch", "", {is_time ? "before" : "below", is_time ? "after" : "above"}});
    switches.back().instead = "a level that the signal does not return to at once";
  }
}

void SwitchedRows::size_mode(Mode& mode) const {
  mode.values.resize(size_t(first_ + count()), 0);
  size_t held = 2 * frictions_.size();
  for (const Joint& joint : joints_) held += joint.rows.size();
  mode.held.resize(held + 1, 0.0);  // the last: whether what is in force is redundant
  mode.inactive = all_off_.inactive;
}

bool SwitchedRows::needs_reaction(const Mode& mode) const {
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (mode_of(mode, unilateral_at(i)) == closed && unilaterals_[i].spec.stiffness == 0) return true;
  for (size_t i = 0; i < frictions_.size(); ++i)
    if (mode_of(mode, friction_at(i)) != apart) return true;
  for (const Trigger& trigger : triggers_)
    if (!trigger.spec.of_state) return true;
  return false;
}

void SwitchedRows::set_inactive(Mode& mode) const {
  mode.inactive.clear();
  std::vector<char> in_force(optional_.size(), 0);
  for (size_t i = 0; i < unilaterals_.size(); ++i)
    if (mode_of(mode, unilateral_at(i)) == closed && unilaterals_[i].spec.stiffness == 0)
      in_force[size_t(unilaterals_[i].k)] = 1;
  for (size_t i = 0; i < frictions_.size(); ++i)
    if (mode_of(mode, friction_at(i)) == stick) {
      in_force[size_t(frictions_[i].k)] = 1;
      if (frictions_[i].k_2 >= 0) in_force[size_t(frictions_[i].k_2)] = 1;
    }
  for (size_t i = 0; i < joints_.size(); ++i)
    if (mode_of(mode, joint_at(i)) == on)
      for (const int k : joints_[i].ks) in_force[size_t(k)] = 1;
  for (size_t k = 0; k < optional_.size(); ++k)
    if (!in_force[k]) mode.inactive.push_back(optional_[k]);
}

// ---- stages ----------------------------------------------------------------------------------------------------------

SwitchedWork& SwitchedRows::work_of(const DescriptorSystem& system, Terms& terms) const {
  if (!terms.extra) {
    auto work = std::make_unique<SwitchedWork>();
    size_t entries = 0;
    for (const int row : optional_)
      entries += size_t(terms.J.outerIndexPtr()[row + 1] - terms.J.outerIndexPtr()[row]);
    work->J.resize(entries);
    const auto rows = static_cast<Eigen::Index>(optional_.size());
    work->g.setZero(rows);
    work->nu.setZero(rows);
    work->gamma.setZero(rows);
    work->push.setZero(system.layout().nv);
    work->limit.setZero(static_cast<Eigen::Index>(frictions_.size()));
    terms.extra = std::move(work);
  }
  return static_cast<SwitchedWork&>(*terms.extra);
}

void SwitchedRows::position(const DescriptorSystem& system, Terms& terms) const {
  if (terms.mode == nullptr) terms.mode = &all_off_;  // outside a run nothing of this is in force
  SwitchedWork& work = work_of(system, terms);
  double* out = work.J.data();
  for (size_t k = 0; k < optional_.size(); ++k) {
    const int row = optional_[k];
    for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
      *out++ = terms.J.valuePtr()[i];
    work.g[Eigen::Index(k)] = row < terms.g.size() ? terms.g[row] : 0.0;
    work.nu[Eigen::Index(k)] = terms.nu[row];
  }
  if (!terms.mode->held.empty())
    for (const Joint& joint : joints_)
      for (size_t r = 0; r < joint.rows.size(); ++r)
        if (joint.rows[r] < terms.g.size())
          terms.g[joint.rows[r]] -= terms.mode->held[size_t(joint.held) + r];
  if (terms.mode->values.empty()) return;
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    if (mode_of(*terms.mode, friction_at(i)) != stick) continue;
    const double* held = terms.mode->held.data() + held_ + 2 * i;
    if (f.row < terms.g.size()) terms.g[f.row] -= held[0];
    if (f.row_2 >= 0 && f.row_2 < terms.g.size()) terms.g[f.row_2] -= held[1];
  }
}

void SwitchedRows::bias(const DescriptorSystem& system, Terms& terms) const {
  SwitchedWork& work = work_of(system, terms);
  for (size_t k = 0; k < optional_.size(); ++k) work.gamma[Eigen::Index(k)] = terms.gamma[optional_[k]];
}

double SwitchedRows::rate_of(int k, ConstVec v, const Terms& terms) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const double* values = work.J.data();
  for (int j = 0; j < k; ++j)
    values +=
        terms.J.outerIndexPtr()[optional_[size_t(j)] + 1] - terms.J.outerIndexPtr()[optional_[size_t(j)]];
  double sum = -work.nu[k];
  const int row = optional_[size_t(k)];
  for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
    sum += *values++ * v[terms.J.innerIndexPtr()[i]];
  return sum;
}

void SwitchedRows::push_along(int k, double force, const Terms& terms, VecRef f) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const double* values = work.J.data();
  for (int j = 0; j < k; ++j)
    values +=
        terms.J.outerIndexPtr()[optional_[size_t(j)] + 1] - terms.J.outerIndexPtr()[optional_[size_t(j)]];
  const int row = optional_[size_t(k)];
  for (int i = terms.J.outerIndexPtr()[row]; i < terms.J.outerIndexPtr()[row + 1]; ++i)
    f[terms.J.innerIndexPtr()[i]] += force * *values++;
}

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
  const bool moves = speed > 1e-9 * length_;
  direction[0] = moves ? x / speed : held[0];
  direction[1] = moves ? y / speed : held[1];
  return x * held[0] + y * held[1];
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

// (4) and (5), together by the fixed point: it is what both are, and its contraction is that of the mechanism.
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
      if (slides(frictions_[i], mode) && !frictions_[i].spec.given) work.limit[Eigen::Index(i)] = kNone;
  };
  if (work.solver->factor(work.inner) != Status::ok ||
      work.solver->solve(work.inner.f, work.inner.gamma, work.vdot, work.lambda) != Status::ok)
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
    if (work.solver->solve(work.r1, work.zero, work.x, work.dlambda[i]) != Status::ok) return fail();
    coupled.push_back(Eigen::Index(i));
  }
  const auto n = static_cast<Eigen::Index>(coupled.size());
  const auto limits = [&](const Vec& force) {
    work.y = work.lambda;
    for (Eigen::Index i = 0; i < n; ++i) work.y += force[i] * work.dlambda[size_t(coupled[size_t(i)])];
    Vec out(n);
    for (Eigen::Index i = 0; i < n; ++i)
      out[i] = limit_at(frictions_[size_t(coupled[size_t(i)])], t, work.y, false);
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
    if (!(speed > 1e-9 * length_)) continue;
    const double factor = work.limit[Eigen::Index(i)] / (speed * speed * speed);
    const Gradient along = gradient(f.k), across = gradient(f.k_2);
    add(along, along, factor * y * y, C);
    add(across, across, factor * x * x, C);
    add(along, across, -factor * x * y, C);
    add(across, along, -factor * x * y, C);
  }
}

// ---- roots -----------------------------------------------------------------------------------------------------------

void SwitchedRows::roots(const ObservableSystem& system,
                         double t,
                         ConstVec q,
                         ConstVec v,
                         const Mode& mode,
                         const Reaction& reaction,
                         const Terms& terms,
                         VecRef values,
                         VecRef rates) const {
  const auto& work = static_cast<const SwitchedWork&>(*terms.extra);
  const bool moving = reaction.vdot.size() == v.size();
  // dr/dt of J v − ν along the motion: J v̇ − γ
  const auto growth = [&](int k) {
    return moving ? rate_of(k, reaction.vdot, terms) + work.nu[k] - work.gamma[k] : kNone;
  };
  const bool redundant = is_redundant(mode);
  int first_held = -1;  // the root of all redundant ones
  for (size_t i = 0; i < unilaterals_.size(); ++i) {
    const Unilateral& u = unilaterals_[i];
    const int at = unilateral_at(i);
    double* r = values.data() + 2 * at;
    double* dr = rates.data() + 2 * at;
    r[1] = dr[1] = dr[0] = kNone;
    if (mode_of(mode, at) == open) {
      r[0] = cleared(work.g[u.k], length_);
      dr[0] = rate_of(u.k, v, terms);
    } else if (u.spec.stiffness > 0) {
      r[0] = cleared(-work.g[u.k], length_);
      dr[0] = -rate_of(u.k, v, terms);
    } else {
      r[0] = moving && !redundant ? -reaction.lambda[u.row] : kNone;
      if (first_held < 0) first_held = 2 * at;
    }
  }
  for (size_t i = 0; i < frictions_.size(); ++i) {
    const Friction& f = frictions_[i];
    const int at = friction_at(i);
    double* r = values.data() + 2 * at;
    double* dr = rates.data() + 2 * at;
    r[0] = r[1] = dr[0] = dr[1] = kNone;
    const int value = mode_of(mode, at);
    if (value == apart || !moving) continue;
    if (value == stick && redundant) {
      if (first_held < 0) first_held = 2 * at;
      continue;
    }
    if (value == stick) {
      const double ell = limit_at(f, t, reaction.lambda, true);
      if (f.row_2 < 0) {
        r[0] = ell - reaction.lambda[f.row];
        r[1] = ell + reaction.lambda[f.row];
      } else {
        r[0] = ell - std::hypot(reaction.lambda[f.row], reaction.lambda[f.row_2]);
      }
      continue;
    }
    double direction[2];
    r[0] = cleared(slide_speed(f, v, terms, direction), length_);
    if (f.k_2 < 0) {
      dr[0] = value * growth(f.k);
    } else {
      const double* held = mode.held.data() + held_ + 2 * i;
      dr[0] = held[0] * growth(f.k) + held[1] * growth(f.k_2);
    }
  }
  if (redundant && moving && first_held >= 0)
    values[first_held] = margin(system, {t, q, v}, mode, reaction.lambda);
  for (size_t i = 0; i < joints_.size(); ++i)
    for (const int root : {2 * joint_at(i), 2 * joint_at(i) + 1}) values[root] = rates[root] = kNone;
  for (size_t i = 0; i < triggers_.size(); ++i) {
    const int at = trigger_at(i), side = mode_of(mode, at) == above ? 1 : -1;
    const bool is_time = triggers_[i].spec.when == TriggerSpec::When::time;
    values[2 * at] = is_time && side > 0 ? kNone : side * work.signal[Eigen::Index(i)];
    rates[2 * at] = is_time ? -1.0 : kNone;
    values[2 * at + 1] = rates[2 * at + 1] = kNone;
  }
}

}  // namespace driftless
