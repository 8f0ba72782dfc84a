#include "driftless/system/descriptor_system.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/math/linear/dense.hpp"
#include "driftless/system/kernels/motion_solver.hpp"
#include "driftless/system/switching/switching.hpp"
#include "driftless/system/tangents/differences.hpp"
#include "driftless/system/tangents/tangent_columns.hpp"

namespace driftless {

Terms DescriptorSystem::make_terms() const {
  Terms terms;
  terms.M = layout_.M;
  terms.J = layout_.J;
  terms.g = Vec::Zero(layout_.mh);
  terms.nu = Vec::Zero(layout_.m);
  terms.gamma = Vec::Zero(layout_.m);
  terms.f = Vec::Zero(layout_.nv);
  terms.scratch = make_scratch();
  terms.mode = mode_;
  return terms;
}

void DescriptorSystem::evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const {
  position(t, q, terms);
  mass(t, q, terms);
  bias(t, q, v, terms);
  force(t, q, v, terms);
}

void DescriptorSystem::kinematics(double, ConstVec, ConstVec v, VecRef qdot) const { qdot = v; }

void DescriptorSystem::retract(VecRef q, ConstVec delta) const { q += delta; }

void DescriptorSystem::difference(ConstVec from, ConstVec to, VecRef delta) const { delta = to - from; }

void DescriptorSystem::normalize(VecRef) const {}

std::unique_ptr<MotionSolver> DescriptorSystem::make_solver() const {
  return make_kkt_motion_solver(layout_);
}

DifferenceScratch::DifferenceScratch(const Layout& layout)
    : q(layout.nq),
      delta(Vec::Zero(layout.nv)),
      plus(layout.m),
      minus(layout.m),
      ahead(layout.nv),
      back(layout.nv) {}

Tangents DescriptorSystem::make_tangents(const TangentParts& parts) const {
  Tangents out;
  out.parts = parts;
  out.work = std::make_unique<TangentColumns>(*this, out);
  return out;
}

void DescriptorSystem::tangents(
    double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const {
  auto& columns = static_cast<TangentColumns&>(*out.work);
  MotionPoint& at = columns.point();
  at.t = t;
  at.q = q;
  at.v = v;
  at.a = a;
  at.lambda = lambda;
  columns.fill(at, terms, out);
  position(t, q, terms);
  mass(t, q, terms);
}

void DescriptorSystem::tangent_along(const MotionPoint& at,
                                     ConstVec dq,
                                     ConstVec dv,
                                     const TangentParts& parts,
                                     Terms& terms,
                                     DifferenceScratch& scratch,
                                     MotionChange& out) const {
  difference_along(*this, at, dq, dv, parts, terms, scratch, out);
}

void DescriptorSystem::kinematic_tangents(double t, ConstVec q, ConstVec v, KinematicTangents& out) const {
  difference_kinematics(*this, t, q, v, out);
}

void DescriptorSystem::momentum_rate(double t,
                                     ConstVec q,
                                     ConstVec v,
                                     ConstVec s,
                                     Terms& terms,
                                     DifferenceScratch& scratch,
                                     VecRef out) const {
  // The formula (1) of differences.hpp; a step of 2⁻¹⁰ of the time the fastest coordinate takes to pass one.
  constexpr double kWeights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  const double rate = v.cwiseQuotient(layout_.v_scale).lpNorm<Eigen::Infinity>();
  const double step = differences::kFirstStep / std::max(rate, 1.0);
  const auto momentum_at = [&](double ahead, Vec& p) {
    scratch.delta = ahead * v;
    scratch.q = q;
    retract(scratch.q, scratch.delta);
    position(t + ahead, scratch.q, terms);
    if (layout_.mass_is_constant) {
      p.setZero();
    } else {
      mass(t + ahead, scratch.q, terms);
      mass_times(terms, v, p);
    }
    add_transposed_rows(terms, 1, s, p);
  };
  out.setZero();
  for (int k = 1; k <= 3; ++k) {
    momentum_at(k * step, scratch.ahead);
    momentum_at(-k * step, scratch.back);
    out += kWeights[k - 1] / step * (scratch.ahead - scratch.back);
  }
  scratch.delta.setZero();
}

void DescriptorSystem::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = q.cwiseAbs();
  v_size = v.cwiseAbs();
}

std::optional<double> DescriptorSystem::potential_energy(double, ConstVec, Terms&) const {
  return std::nullopt;
}

double DescriptorSystem::applied_power(double, ConstVec, ConstVec, Terms&) const { return 0; }

std::vector<double> DescriptorSystem::break_times(double, double) const { return {}; }

void velocity_residual(const Terms& terms, ConstVec v, VecRef r) {
  // By hand: Eigen's sparse product costs twice as much at these sizes.
  const int* begin = terms.J.outerIndexPtr();
  const int* column = terms.J.innerIndexPtr();
  const double* value = terms.J.valuePtr();
  for (int i = 0; i < r.size(); ++i) {
    double sum = -terms.nu[i];
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * v[column[k]];
    r[i] = sum;
  }
}

void mass_times(const Terms& terms, ConstVec v, VecRef out) {
  const int* begin = terms.M.outerIndexPtr();
  const int* column = terms.M.innerIndexPtr();
  const double* value = terms.M.valuePtr();
  for (int i = 0; i < v.size(); ++i) {
    double sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * v[column[k]];
    out[i] = sum;
  }
}

void add_transposed_rows(const Terms& terms, double c, ConstVec y, VecRef out) {
  const int* begin = terms.J.outerIndexPtr();
  const int* column = terms.J.innerIndexPtr();
  const double* value = terms.J.valuePtr();
  for (int i = 0; i < y.size(); ++i)
    for (int k = begin[i]; k < begin[i + 1]; ++k) out[column[k]] += c * y[i] * value[k];
}

double DescriptorSystem::kinetic_energy(ConstVec v, Terms& terms) const {
  const int* begin = terms.M.outerIndexPtr();
  const int* column = terms.M.innerIndexPtr();
  const double* value = terms.M.valuePtr();
  double twice = 0;
  for (int i = 0; i < v.size(); ++i) {
    double momentum = 0;
    for (int k = begin[i]; k < begin[i + 1]; ++k) momentum += value[k] * v[column[k]];
    twice += v[i] * momentum;
  }
  return 0.5 * twice;
}

void find_difference(const DescriptorSystem& system, ConstVec from, ConstVec to, VecRef delta) {
  constexpr int kMaxIterations = 30;
  const Layout& layout = system.layout();
  Mat T(layout.nq, layout.nv);
  delta.setZero();
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMaxIterations; ++k) {
    Vec q = from;
    system.retract(q, delta);
    for (int j = 0; j < layout.nv; ++j) system.kinematics(0, q, Vec::Unit(layout.nv, j), T.col(j));
    const Vec step = least_squares(T, to - q);
    const double size = max_abs(step.cwiseQuotient(layout.v_scale));
    if (!(size < before)) return;  // round-off
    delta += step;
    before = size;
  }
}

const Switching* switching_of(const DescriptorSystem& system) {
  const auto* switching = dynamic_cast<const Switching*>(&system);
  return switching != nullptr && !switching->switches().empty() ? switching : nullptr;
}

namespace {

void demand(bool good, const std::string& what) {
  if (!good) throw std::invalid_argument("layout of a system: " + what);
}

SparseRows full_pattern(int rows, int cols) {
  SparseRows pattern(rows, cols);
  if (rows == 0) return pattern;  // Eigen 3.4 would compress past its end
  pattern.reserve(Eigen::VectorXi::Constant(rows, cols));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) pattern.insert(i, j) = 0;
  pattern.makeCompressed();
  return pattern;
}

void fill_names(std::vector<std::string>& names, int count, const char* stem) {
  if (names.empty())
    for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", stem, i));
}

}  // namespace

void check_layout(const Layout& layout) {
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  demand(layout.nq > 0 && layout.nv > 0, "needs at least one position and one velocity");
  demand(layout.mh >= 0 && layout.m >= layout.mh, "m counts the holonomic rows mh too, so 0 <= mh <= m");
  demand(size(layout.q_names) == layout.nq && size(layout.q_units) == layout.nq,
         "one name and unit per position");
  demand(size(layout.v_names) == layout.nv && size(layout.v_units) == layout.nv,
         "one name and unit per velocity");
  demand(size(layout.row_names) == layout.m && size(layout.row_units) == layout.m,
         "one name and unit per row");
  demand(layout.q_scale.size() == layout.nq && layout.v_scale.size() == layout.nv,
         "one scale per coordinate");
  demand((layout.q_scale.array() > 0).all() && (layout.v_scale.array() > 0).all(), "scales must be > 0");
  demand(layout.length > 0 && std::isfinite(layout.length), "length must be > 0");
  demand(layout.M.rows() == layout.nv && layout.M.cols() == layout.nv && layout.M.isCompressed(),
         "M is nv × nv");
  demand(!layout.mass_is_implicit || layout.M.nonZeros() == layout.nv,
         "a mass matrix that is never formed has the pattern of its diagonal");
  for (int i = 0; i < layout.nv; ++i) {
    bool found = false;
    for (SparseRows::InnerIterator e(layout.M, i); e; ++e) found |= e.col() == i;
    demand(found, "the pattern of M needs its whole diagonal, massless coordinates included");
  }
  demand(layout.J.rows() == layout.m && layout.J.cols() == layout.nv && layout.J.isCompressed(),
         "J is m × nv");
}

Layout completed(Layout layout) {
  fill_names(layout.q_names, layout.nq, "q");
  fill_names(layout.v_names, layout.nv, "v");
  fill_names(layout.row_names, layout.m, "row");
  layout.q_units.resize(static_cast<size_t>(layout.nq));
  layout.v_units.resize(static_cast<size_t>(layout.nv));
  layout.row_units.resize(static_cast<size_t>(layout.m));
  if (layout.q_scale.size() == 0) layout.q_scale = Vec::Ones(layout.nq);
  if (layout.v_scale.size() == 0) layout.v_scale = Vec::Ones(layout.nv);
  if (layout.M.rows() == 0) layout.M = full_pattern(layout.nv, layout.nv);
  if (layout.J.cols() == 0) layout.J = full_pattern(layout.m, layout.nv);
  check_layout(layout);
  return layout;
}

}  // namespace driftless
