// A relaxed start: the deflection η at which a floating body, at rest in its frame, does not accelerate in it,
//   r(η) = f_η − M_ηf a_f − J_ηᵀ λ = 0   for η̇ = 0,   a_f and λ those of the mechanism with η̈ = 0                     (1)
// a_f and λ come from the system made stiff, r from the true one; Newton's method with ∂r/∂η by differences, or, for many
// coordinates, with −K in its place. Between steps the assembly brings frames back to g = 0.                docs/theory/flexible.md
// Where joints hold elastic coordinates themselves (a beam clamped at both ends), frames alone cannot keep g = 0, nor does the stiff
// system know λ. η and frames then move together, δ = T z, J T = 0, and with the accelerations of the true system
//   T_ηᵀ M_ηη η̈ (q ⊕ T z) = 0   for η̇ = 0,   Newton's method by differences, the shortest z                             (2)
#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include "driftless/coordinates/flexible/flexible_system.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/kernels/row_rank.hpp"

namespace driftless {

template <class Attitude>
bool FlexibleSystem<Attitude>::has_relaxed() const {
  for (const Member& member : members_)
    if (member.kind == Kind::floating && member.relaxed) return true;
  return false;
}

namespace {

constexpr int kMostDifferenced = 200;

// Steps of (2) for the coordinates `own` of v. `held`: whether there are rows that the others alone cannot keep.
struct HeldRelaxation {
  HeldRelaxation(const DescriptorSystem& of, const State& at, const std::vector<int>& elastic)
      : system(of), state(at), own(elastic), terms(of.make_terms()), solver(of.make_solver()) {
    const Layout& layout = system.layout();
    system.evaluate(state.t, state.q, state.v, terms);
    solver->drop_rows(redundant_rows(layout, terms));
    Mat J = Mat(terms.J) * layout.v_scale.asDiagonal();
    Eigen::ColPivHouseholderQR<Mat> all(J.transpose());
    all.setThreshold(kRank);
    Mat rest = J;
    for (const int k : own) rest.col(k).setZero();
    Eigen::ColPivHouseholderQR<Mat> frames(rest.transpose());
    frames.setThreshold(kRank);
    held = frames.rank() < all.rank();
    if (!held) return;
    const Mat Q = all.householderQ();
    T = layout.v_scale.asDiagonal() * Q.rightCols(layout.nv - all.rank());
  }

  bool residual(const Vec& q, Vec& r) {
    const Layout& layout = system.layout();
    Vec a(layout.nv), lambda(layout.m);
    system.evaluate(state.t, q, state.v, terms);
    if (solver->factor(terms) != Status::ok || solver->solve(terms.f, terms.gamma, a, lambda) != Status::ok)
      return false;
    Vec elastic = Vec::Zero(layout.nv), force = elastic;
    for (const int k : own) elastic[k] = a[k];
    const Vec inertia = terms.M * elastic;
    for (const int k : own) force[k] = inertia[k];
    r = T.transpose() * force;
    return r.allFinite();
  }

  double step(State& out) {
    const Layout& layout = system.layout();
    const Eigen::Index n = T.cols();
    if (n > kMostDifferenced || n == 0) return n == 0 ? 0.0 : INFINITY;
    Vec r, beside;
    if (!residual(state.q, r)) return INFINITY;
    Mat slope(n, n);
    constexpr double h = 1e-8;
    for (Eigen::Index k = 0; k < n; ++k) {
      Vec q = state.q;
      system.retract(q, h * T.col(k));
      if (!residual(q, beside)) return INFINITY;
      slope.col(k) = (beside - r) / h;
    }
    Eigen::CompleteOrthogonalDecomposition<Mat> solved;
    solved.setThreshold(1e-11);
    solved.compute(slope);
    const Vec change = -(T * solved.solve(r));
    system.retract(out.q, change);
    double most = 0;
    for (const int k : own) most = std::max(most, std::abs(change[k]) / layout.v_scale[k]);
    return std::isfinite(most) ? most : INFINITY;
  }

  static constexpr double kRank = 1e-9;
  const DescriptorSystem& system;
  const State state;
  const std::vector<int>& own;
  Terms terms;
  std::unique_ptr<MotionSolver> solver;
  Mat T;
  bool held = false;
};

}  // namespace

template <class Attitude>
double FlexibleSystem<Attitude>::relax(State& state) const {
  const FlexibleSystem& stiff = *stiff_twin_;
  std::vector<int> own, places;  // in v and q
  for (const Member& member : members_)
    if (member.kind == Kind::floating && member.relaxed)
      for (int k = kV; k < member.nv; ++k) {
        own.push_back(member.v + k);
        places.push_back(member.q + kQ + k - kV);
      }
  const auto n = static_cast<Eigen::Index>(own.size());
  if (layout_.m > 0 && layout_.nv - layout_.m <= kMostDifferenced)
    if (HeldRelaxation together(*this, state, own); together.held) return together.step(state);
  Terms terms = this->make_terms(), stiff_terms = stiff.make_terms();
  const auto solver = stiff.make_solver();
  Vec a(layout_.nv), lambda(layout_.m);
  bool first = true;
  const auto residual = [&](const Vec& q, Vec& r) {  // (1)
    stiff.evaluate(state.t, q, state.v, stiff_terms);
    if (first) solver->drop_rows(redundant_rows(stiff.layout(), stiff_terms));
    first = false;
    if (solver->factor(stiff_terms) != Status::ok ||
        solver->solve(stiff_terms.f, stiff_terms.gamma, a, lambda) != Status::ok)
      return false;
    for (const int k : own) a[k] = 0;
    this->evaluate(state.t, q, state.v, terms);
    const Vec all = terms.f - terms.M * a - terms.J.transpose() * lambda;
    r = all(own);
    return r.allFinite();
  };
  Vec r(n), beside(n), step(n);
  if (!residual(state.q, r)) return INFINITY;
  if (n <= kMostDifferenced) {
    Mat slope(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-6 * layout_.q_scale[places[size_t(k)]];
      Vec q = state.q;
      q[places[size_t(k)]] += h;
      if (!residual(q, beside)) return INFINITY;
      slope.col(k) = (r - beside) / h;
    }
    step = Eigen::PartialPivLU<Mat>(slope).solve(r);
  } else {
    Eigen::Index at = 0;
    for (const Member& member : members_) {
      if (member.kind != Kind::floating || !member.relaxed) continue;
      const FloatingBody<D>& body = floating_[size_t(member.index)];
      const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factored(
          Eigen::SparseMatrix<double>(body.stiffness()));
      step.segment(at, body.size()) = factored.solve(Vec(r.segment(at, body.size())));
      at += body.size();
    }
  }
  double most = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    state.q[places[size_t(k)]] += step[k];
    most = std::max(most, std::abs(step[k]) / layout_.q_scale[places[size_t(k)]]);
  }
  return std::isfinite(most) ? most : INFINITY;
}

template bool FlexibleSystem<PlaneAngle>::has_relaxed() const;
template bool FlexibleSystem<BodyRates>::has_relaxed() const;
template bool FlexibleSystem<QuaternionRates>::has_relaxed() const;
template double FlexibleSystem<PlaneAngle>::relax(State&) const;
template double FlexibleSystem<BodyRates>::relax(State&) const;
template double FlexibleSystem<QuaternionRates>::relax(State&) const;

}  // namespace driftless
