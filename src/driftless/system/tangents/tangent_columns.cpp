#include "driftless/system/tangents/tangent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace {

const double kStep = std::cbrt(std::numeric_limits<double>::epsilon());  // of (1)
constexpr int kFew = 24;            // columns: so few are not worth sharing
constexpr double kDisagree = 1e-5;  // of the question of (2)
constexpr double kNoise = 1e-8;     // of differences that should be zero, relative to what is differenced

void resize(SparseRows& matrix, int rows, int columns) {
  matrix.resize(rows, columns);
  matrix.makeCompressed();
}

}  // namespace

double unit_of_position(const Layout& layout, const MotionPoint& at, Eigen::Index j) {
  return layout.nq == layout.nv ? std::max(0.01 * std::abs(at.q[j]), layout.v_scale[j]) : layout.v_scale[j];
}

double unit_of_velocity(const Layout& layout, const MotionPoint& at, Eigen::Index j) {
  return std::max(std::abs(at.v[j]), layout.v_scale[j]);
}

namespace {

double step_along(const Layout& layout, const MotionPoint& at, ConstVec dq, ConstVec dv) {
  double longest = std::numeric_limits<double>::min();
  for (int j = 0; j < layout.nv; ++j)
    longest = std::max({longest, std::abs(dq[j]) / unit_of_position(layout, at, j),
                        std::abs(dv[j]) / unit_of_velocity(layout, at, j)});
  return kStep / longest;
}

}  // namespace

void difference_forces_along(const DescriptorSystem& system,
                             const MotionPoint& at,
                             ConstVec dq,
                             ConstVec dv,
                             bool with_mass,
                             bool with_force,
                             Terms& terms,
                             DifferenceScratch& scratch,
                             VecRef rho) {
  rho.setZero();
  const double step = step_along(system.layout(), at, dq, dv);
  for (const double s : {step, -step}) {
    scratch.q = at.q;
    scratch.delta = s * dq;
    system.retract(scratch.q, scratch.delta);
    scratch.delta = at.v + s * dv;
    if (with_mass) {
      system.mass(at.t, scratch.q, terms);
      mass_times(terms, at.a, scratch.ahead);
      rho += scratch.ahead / (2 * s);
    }
    if (!with_force) continue;
    system.force(at.t, scratch.q, scratch.delta, terms);
    rho -= terms.f / (2 * s);
  }
  scratch.delta.setZero();
}

void difference_along(const DescriptorSystem& system,
                      const MotionPoint& at,
                      ConstVec dq,
                      ConstVec dv,
                      const TangentParts& parts,
                      Terms& terms,
                      DifferenceScratch& scratch,
                      MotionChange& out) {
  const bool moves = (dq.array() != 0).any();
  const bool changes_mass = parts.dynamics && !system.layout().mass_is_constant;
  const auto add = [&](double s, double weight) {
    scratch.q = at.q;
    if (moves) {
      scratch.delta = s * dq;
      system.retract(scratch.q, scratch.delta);
    }
    scratch.delta = at.v + s * dv;
    if (moves || !scratch.stands) {
      system.position(at.t, scratch.q, terms);
      if (changes_mass) system.mass(at.t, scratch.q, terms);
      scratch.stands = !moves;
    }
    if (parts.dynamics || parts.reactions) {
      if (changes_mass && moves)  // by v f alone changes
        mass_times(terms, at.a, scratch.ahead);
      else
        scratch.ahead.setZero();
      if (moves) add_transposed_rows(terms, 1, at.lambda, scratch.ahead);
      if (parts.dynamics) {
        system.force(at.t, scratch.q, scratch.delta, terms);
        scratch.ahead -= terms.f;
      }
      out.rho += weight * scratch.ahead;  // at once: what is the same on both sides must leave nothing
    }
    if (parts.velocity) {
      velocity_residual(terms, at.v, scratch.plus);
      out.r += weight * scratch.plus;
    }
    if (parts.acceleration) {
      system.bias(at.t, scratch.q, scratch.delta, terms);
      velocity_residual(terms, at.a, scratch.plus);  // J a − ν
      out.sigma += weight * (terms.gamma - scratch.plus - terms.nu);
    }
  };
  for (Vec* x : {&out.rho, &out.r, &out.sigma}) x->setZero();
  const double s = step_along(system.layout(), at, dq, dv);
  add(s, 1);
  add(-s, -1);
  for (Vec* x : {&out.rho, &out.r, &out.sigma}) *x /= 2 * s;
  scratch.delta.setZero();
}

namespace {

// Entries other than zero, now or before.
void store(const Mat& dense, SparseRows& sparse) {
  const SparseRows before = sparse;
  const bool was = before.rows() == dense.rows() && before.cols() == dense.cols();
  sparse.resize(dense.rows(), dense.cols());
  sparse.reserve(before.nonZeros());
  for (Eigen::Index i = 0; i < dense.rows(); ++i) {
    sparse.startVec(i);
    int p = was ? before.outerIndexPtr()[i] : 0;
    const int last = was ? before.outerIndexPtr()[i + 1] : 0;
    for (Eigen::Index j = 0; j < dense.cols(); ++j) {
      const bool seen = p < last && before.innerIndexPtr()[p] == j;
      if (seen) ++p;
      if (seen || dense(i, j) != 0) sparse.insertBack(i, j) = dense(i, j);
    }
  }
  sparse.finalize();
}

}  // namespace

void difference_kinematics(
    const DescriptorSystem& system, double t, ConstVec q, ConstVec v, KinematicTangents& out) {
  const Layout& layout = system.layout();
  Mat T(layout.nq, layout.nv), N(layout.nq, layout.nq);
  Vec unit = Vec::Zero(layout.nv), moved = q, ahead(layout.nq), behind(layout.nq);
  for (int j = 0; j < layout.nv; ++j) {
    unit[j] = 1;
    system.kinematics(t, q, unit, ahead);
    T.col(j) = ahead;
    unit[j] = 0;
  }
  for (int j = 0; j < layout.nq; ++j) {
    const double s = kStep * std::max(0.01 * std::abs(q[j]), layout.q_scale[j]);
    moved[j] = q[j] + s;
    system.kinematics(t, moved, v, ahead);
    moved[j] = q[j] - s;
    system.kinematics(t, moved, v, behind);
    moved[j] = q[j];
    N.col(j) = (ahead - behind) / (2 * s);
  }
  const Mat square = T.transpose() * T;
  const Vec lengths = square.diagonal();
  const bool across =
      (square - Mat(lengths.asDiagonal())).cwiseAbs().maxCoeff() <= 1e-14 * lengths.maxCoeff();
  const Mat P = across ? Mat(lengths.cwiseInverse().asDiagonal() * T.transpose())
                       : solve_symmetric(square, T.transpose());
  store(T, out.T);
  store(N, out.N);
  store(P, out.P);
}

TangentColumns::TangentColumns(const DescriptorSystem& system, Tangents& out)
    : system_(system),
      parts_(out.parts),
      nv_(system.layout().nv),
      m_(system.layout().m),
      point_{0, Vec::Zero(system.layout().nq), Vec::Zero(nv_), Vec::Zero(nv_), Vec::Zero(m_)},
      scratch_(system.layout()),
      change_{Vec::Zero(nv_), Vec::Zero(m_), Vec::Zero(m_)},
      dq_(Vec::Zero(nv_)),
      dv_(Vec::Zero(nv_)),
      check_(Vec::Zero(nv_ + 2 * m_)) {
  by_v_.by_q = false;
  const auto pattern = system.tangent_pattern();
  learns_ = !pattern && nv_ > kFew;
  for (Side* side : {&by_q_, &by_v_}) {
    side->rows.resize(size_t(nv_));
    if (pattern)
      take_pattern(*side, *pattern);
    else if (!learns_)
      take_all(*side);
    side->is_known = !learns_;
    if (side->is_known) colour(*side);
    lay_out(*side, out);
  }
}

void TangentColumns::take_pattern(Side& side, const TangentPattern& pattern) const {
  const auto add = [&](const SparseRows& A, int first) {
    for (int i = 0; i < A.rows(); ++i)
      for (SparseRows::InnerIterator e(A, i); e; ++e) side.rows[size_t(e.col())].push_back(first + i);
  };
  if (parts_.dynamics || (parts_.reactions && side.by_q)) add(side.by_q ? pattern.K : pattern.C, 0);
  if (parts_.velocity && side.by_q) add(pattern.rows, nv_);
  if (parts_.acceleration) add(pattern.rows, nv_ + m_);
}

void TangentColumns::take_all(Side& side) const {
  for (auto& rows : side.rows) {
    if (parts_.dynamics || (parts_.reactions && side.by_q))
      for (int i = 0; i < nv_; ++i) rows.push_back(i);
    if (parts_.velocity && side.by_q)
      for (int i = 0; i < m_; ++i) rows.push_back(nv_ + i);
    if (parts_.acceleration)
      for (int i = 0; i < m_; ++i) rows.push_back(nv_ + m_ + i);
  }
}

// Greedily, in the order of the columns.
void TangentColumns::colour(Side& side) const {
  std::vector<std::vector<int>> colours_of(size_t(nv_ + 2 * m_));  // in each row
  std::vector<int> taken_by;  // the last column that may not have a colour
  side.columns.clear();
  for (int j = 0; j < nv_; ++j) {
    const auto& rows = side.rows[size_t(j)];
    if (rows.empty()) continue;
    for (const int row : rows)
      for (const int colour : colours_of[size_t(row)]) taken_by[size_t(colour)] = j;
    const auto free = std::find_if(taken_by.begin(), taken_by.end(), [&](int column) { return column != j; });
    const auto colour = size_t(free - taken_by.begin());
    if (free == taken_by.end()) {
      taken_by.push_back(-1);
      side.columns.emplace_back();
    }
    side.columns[colour].push_back(j);
    for (const int row : rows) colours_of[size_t(row)].push_back(static_cast<int>(colour));
  }
}

SparseRows& TangentColumns::matrix(const Side& side, int row, Tangents& out) const {
  if (row < nv_) return side.by_q ? out.K : out.C;
  if (row < nv_ + m_) return out.L;
  return side.by_q ? out.S_q : out.S_v;
}

void TangentColumns::lay_out(Side& side, Tangents& out) const {
  std::vector<Eigen::Triplet<double>> entries[3];
  const auto part = [&](int row) { return row < nv_ ? 0 : row < nv_ + m_ ? 1 : 2; };
  const int first[] = {0, nv_, nv_ + m_};
  for (int j = 0; j < nv_; ++j)
    for (const int row : side.rows[size_t(j)])
      entries[part(row)].emplace_back(row - first[part(row)], j, 0.0);
  for (int k = 0; k < 3; ++k) {
    if (k == 1 && !side.by_q) continue;
    SparseRows& A = matrix(side, first[k], out);
    resize(A, k == 0 ? nv_ : m_, nv_);
    A.setFromTriplets(entries[k].begin(), entries[k].end());
  }
  if (m_ == 0 && side.by_q) resize(out.L, 0, nv_);  // matrix() finds blocks by their rows
  side.places.assign(size_t(nv_), {});
  for (int k = 0; k < 3; ++k) {
    if (k == 1 && !side.by_q) continue;
    const SparseRows& A = matrix(side, first[k], out);
    for (int i = 0; i < A.rows(); ++i)
      for (SparseRows::InnerIterator e(A, i); e; ++e)
        side.places[size_t(e.col())].push_back(static_cast<int>(&e.value() - A.valuePtr()));
  }
}

double TangentColumns::unit(const Side& side, const MotionPoint& at, int j) const {
  return side.by_q ? unit_of_position(system_.layout(), at, j) : unit_of_velocity(system_.layout(), at, j);
}

void TangentColumns::along(const MotionPoint& at, Terms& terms) {
  system_.tangent_along(at, dq_, dv_, parts_, terms, scratch_, change_);
  ++directions_;
}

double TangentColumns::changed(int row) const {
  return row < nv_ ? change_.rho[row] : row < nv_ + m_ ? change_.r[row - nv_] : change_.sigma[row - nv_ - m_];
}

void TangentColumns::fill(const MotionPoint& at, Terms& terms, Tangents& out) {
  scratch_.stands = false;
  fill(by_q_, at, terms, out);
  if (parts_.dynamics || parts_.acceleration) fill(by_v_, at, terms, out);
}

void TangentColumns::fill(Side& side, const MotionPoint& at, Terms& terms, Tangents& out) {
  if (side.is_known) together(side, at, terms, out);
  if (!learns_ || (side.is_known && agrees(side, at, terms, out))) return;
  one_by_one(side, at, terms, out);
}

void TangentColumns::together(Side& side, const MotionPoint& at, Terms& terms, Tangents& out) {
  Vec& direction = side.by_q ? dq_ : dv_;
  for (const auto& columns : side.columns) {
    for (const int j : columns) direction[j] = unit(side, at, j);
    along(at, terms);
    for (const int j : columns) {
      const auto& rows = side.rows[size_t(j)];
      for (size_t k = 0; k < rows.size(); ++k)
        matrix(side, rows[k], out).valuePtr()[side.places[size_t(j)][k]] = changed(rows[k]) / direction[j];
      direction[j] = 0;
    }
  }
}

bool TangentColumns::agrees(Side& side, const MotionPoint& at, Terms& terms, Tangents& out) {
  Vec& direction = side.by_q ? dq_ : dv_;
  for (int j = 0; j < nv_; ++j) direction[j] = (1.1 + std::sin(double(j))) * unit(side, at, j);
  along(at, terms);
  const double dynamics = max_abs(change_.rho), rows = std::max(max_abs(change_.r), max_abs(change_.sigma));
  change_.rho.noalias() -= (side.by_q ? out.K : out.C) * direction;
  if (side.by_q) change_.r.noalias() -= out.L * direction;
  change_.sigma.noalias() -= (side.by_q ? out.S_q : out.S_v) * direction;
  direction.setZero();
  return max_abs(change_.rho) <= kDisagree * dynamics + kNoise * max_abs(terms.f) &&
         std::max(max_abs(change_.r), max_abs(change_.sigma)) <=
             kDisagree * rows + kNoise * max_abs(terms.gamma);
}

void TangentColumns::one_by_one(Side& side, const MotionPoint& at, Terms& terms, Tangents& out) {
  Vec& direction = side.by_q ? dq_ : dv_;
  std::vector<std::vector<double>> values;
  values.resize(size_t(nv_));
  for (int j = 0; j < nv_; ++j) {
    direction[j] = 1;
    along(at, terms);
    direction[j] = 0;
    std::vector<int> rows;
    size_t known = 0;
    auto& before = side.rows[size_t(j)];
    for (int row = 0; row < nv_ + 2 * m_; ++row) {
      const bool was = known < before.size() && before[known] == row;
      if (was) ++known;
      if (!was && (changed(row) == 0 || (row >= nv_ && row < nv_ + m_ && !side.by_q))) continue;
      rows.push_back(row);
      values[size_t(j)].push_back(changed(row));
    }
    before = std::move(rows);
  }
  side.is_known = true;
  colour(side);
  lay_out(side, out);
  for (int j = 0; j < nv_; ++j)
    for (size_t k = 0; k < values[size_t(j)].size(); ++k)
      matrix(side, side.rows[size_t(j)][k], out).valuePtr()[side.places[size_t(j)][k]] = values[size_t(j)][k];
}

void TangentColumns::keep(Memory& memory, Tangents& out) {
  if (!learns_) return;
  keep(memory, by_q_, out);
  keep(memory, by_v_, out);
}

void TangentColumns::keep(Memory& memory, Side& side, Tangents& out) const {
  memory(side.is_known);
  if (!side.is_known) return;
  auto rows = side.rows;
  for (auto& column : rows) {
    memory.list(column, nv_ + 2 * m_ - 1);
    if (!std::is_sorted(column.begin(), column.end())) memory.refuse();
  }
  if (!memory.reads()) return;
  if (!memory.is_good()) {
    side.is_known = false;
    return;
  }
  side.rows = std::move(rows);
  colour(side);
  lay_out(side, out);
}

}  // namespace driftless
