#include "driftless/system/kernels/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace driftless {
namespace {

constexpr double kSingularPivot = 1e-13;  // of unit rows
constexpr double kLargestShare = 1.5;     // (7)
constexpr int kMostSwaps = 50;
constexpr int kIterations = 2;  // of (5) and (6) a call; the vectors are kept from call to call

SparseRows unit_diagonal(int size) {
  SparseRows out(size, size);
  out.setIdentity();
  out.makeCompressed();
  return out;
}

void multiply(const SparseRows& A, const double* x, double* out) {
  const int* begin = A.outerIndexPtr();
  const int* column = A.innerIndexPtr();
  const double* value = A.valuePtr();
  for (int i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
    out[i] = sum;
  }
}

// No two entries alike, so that no singular vector is missed.
void start_vector(Vec& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = 1 + 0.5 * std::sin(double(i + 1) * double(i + 1));
  if (x.size() > 0) x.normalize();
}

}  // namespace

void NullSpace::lay_out(const IndependentBasis& basis, const SparseRows& J) {
  basis_ = &basis;
  version_ = basis.version();
  n_ = basis.velocities();
  rows_ = basis.rows();
  f_ = basis.freedom();
  sparse_ = basis.sparse();
  place_.assign(size_t(n_), 0);
  if (basis.boolean()) {
    for (int i = 0; i < rows_; ++i) place_[size_t(basis.dependent()[size_t(i)])] = i;
    for (int j = 0; j < f_; ++j) place_[size_t(basis.independent()[size_t(j)])] = -1 - j;
  } else {
    J_hat_.resize(rows_, n_);
    JQ_.resize(rows_, n_);
  }
  length_.resize(rows_);
  if (longest_.size() != J.rows()) longest_ = present_ = longest_before_ = Vec::Zero(J.rows());
  Jw_.resize(rows_, f_);
  H_.resize(rows_, f_);
  R_.setZero(n_, f_);
  MR_.resize(n_, f_);
  reduced_.resize(f_, f_);
  if (f_ > 0 && cholesky_.rows() != f_) (void)cholesky_.compute(Mat::Identity(f_, f_));
  for (Vec* x : {&u_, &permuted_, &rest_, &step_, &weak_, &strong_}) x->resize(rows_);
  none_.setZero(rows_);
  start_vector(weak_);
  start_vector(strong_);
  w_.resize(n_);
  x_.resize(n_);
  z_.resize(f_);
  if (!sparse_) {
    Ju_.resize(rows_, rows_);
    if (rows_ > 0 && lu_.rows() != rows_) lu_ = DenseLu<double>(rows_);
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows_; ++i)
    for (SparseRows::InnerIterator e(J, basis.kept()[size_t(i)]); e; ++e)
      if (place_[size_t(e.col())] >= 0) entries.emplace_back(i, place_[size_t(e.col())], 0.0);
  Ju_sparse_ = SparseRows(rows_, rows_);
  Ju_sparse_.setFromTriplets(entries.begin(), entries.end());
  Ju_sparse_.makeCompressed();
  identity_ = unit_diagonal(rows_);
  kkt_.emplace(identity_, Ju_sparse_);
}

void NullSpace::fill(const SparseRows& J) {
  const Vec& scale = basis_->scale();
  const int* begin = J.outerIndexPtr();
  const int* column = J.innerIndexPtr();
  const double* value = J.valuePtr();
  const bool boolean = basis_->boolean();
  if (!boolean) J_hat_.setZero();
  if (boolean && !sparse_) Ju_.setZero();
  if (boolean) Jw_.setZero();
  double* next =
      sparse_ ? Ju_sparse_.valuePtr() : nullptr;  // columns of both ascend, so does the order of entries
  for (int i = 0; i < rows_; ++i) {
    const int row = basis_->kept()[size_t(i)];
    double square = 0;
    for (int k = begin[row]; k < begin[row + 1]; ++k) square += std::pow(value[k] * scale[column[k]], 2);
    present_[row] = std::sqrt(square);
    if (longest_[row] == 0) longest_[row] = present_[row];
    length_[i] = longest_[row] > 0 ? longest_[row] : 1;
    for (int k = begin[row]; k < begin[row + 1]; ++k) {
      const int j = column[k];
      const double entry = value[k] * scale[j] / length_[i];
      if (!boolean)
        J_hat_(i, j) = entry;
      else if (const int place = place_[size_t(j)]; place < 0)
        Jw_(i, -1 - place) = entry;
      else if (sparse_)
        *next++ = entry;
      else
        Ju_(i, place) = entry;
    }
  }
  if (boolean) return;
  JQ_.noalias() = J_hat_ * basis_->Q();
  Ju_ = JQ_.leftCols(rows_);
  Jw_ = JQ_.rightCols(f_);
}

Status NullSpace::factor(const IndependentBasis& basis, const SparseRows& J) {
  if (basis_ != &basis || version_ != basis.version()) lay_out(basis, J);
  fill(J);
  noted_ = false;
  dependent_row_ = -1;
  pivot_ = 1;
  if (rows_ > 0)
    if (const Status status = factor_square(); status != Status::ok) return status;
  find_R();
  if (std::exchange(is_to_note_, false)) note_lengths();
  return std::isfinite(growth_) ? Status::ok : Status::not_finite;
}

void NullSpace::keep(Memory& memory, const IndependentBasis& basis, const SparseRows& J) {
  if (memory.reads()) lay_out(basis, J);
  memory(noted_);
  memory(noted_ && !memory.reads() ? longest_before_ : longest_);
  memory(weak_);
  memory(strong_);
  if (memory.reads()) is_to_note_ = std::exchange(noted_, false);
}

Status NullSpace::choose(IndependentBasis& basis, const SparseRows& J) {
  if (!basis.choose(J)) return J.coeffs().allFinite() ? Status::singular : Status::not_finite;
  Status status = factor(basis, J);
  if (!basis.chooses_sparsely()) return status;
  for (int k = 0; k < kMostSwaps && status == Status::ok && f_ > 0; ++k) {  // (7)
    Eigen::Index i = 0, j = 0;
    if (H_.cwiseAbs().maxCoeff(&i, &j) <= kLargestShare) break;
    basis.swap(static_cast<int>(i), static_cast<int>(j));
    status = factor(basis, J);
  }
  return status;
}

Status NullSpace::factor_square() {
  if (sparse_) {
    const Status status = kkt_->factor(identity_, Ju_sparse_);
    if (status == Status::singular)
      dependent_row_ = basis_->kept()[size_t(std::max(kkt_->dependent_row(), 0))];
    if (status != Status::ok) return status;
    if (const Status solved = kkt_->project(weak_, step_); solved != Status::ok) return solved;
    pivot_ = std::sqrt(kkt_->weakest_row());
    return Status::ok;
  }
  lu_.compute(Ju_);
  Eigen::Index weakest = 0;
  pivot_ = lu_.factors().diagonal().cwiseAbs().minCoeff(&weakest);
  if (!lu_.factors().allFinite()) return Status::not_finite;
  if (pivot_ > kSingularPivot) return Status::ok;
  for (int i = 0; i < rows_; ++i)
    if (lu_.place_of(i) == weakest) dependent_row_ = basis_->kept()[size_t(i)];
  return Status::singular;
}

void NullSpace::find_R() {  // (2), (4)
  for (int j = 0; j < f_; ++j) {
    u_ = -Jw_.col(j);
    if (rows_ > 0) solve_square(u_);
    H_.col(j) = u_;
  }
  const Vec& scale = basis_->scale();
  growth_ = 1;
  for (int j = 0; j < f_; ++j) growth_ = std::max(growth_, std::sqrt(1 + H_.col(j).squaredNorm()));
  if (f_ > 0 && !H_.allFinite()) growth_ = std::numeric_limits<double>::infinity();
  if (basis_->boolean()) {
    for (int i = 0; i < n_; ++i)
      if (const int place = place_[size_t(i)]; place >= 0)
        R_.row(i) = scale[i] * H_.row(place);
      else
        R_(i, -1 - place) = scale[i];
    return;
  }
  R_ = basis_->Q().rightCols(f_);
  if (rows_ > 0) R_.noalias() += basis_->Q().leftCols(rows_) * H_;
  for (int j = 0; j < f_; ++j) R_.col(j).array() *= scale.array();
}

void NullSpace::solve_square(Vec& u) {
  if (sparse_) {
    rest_ = u;
    kkt_->project(rest_, u);
    times_square(u, step_);
    rest_ -= step_;
    kkt_->project(rest_, step_);
    u += step_;
    return;
  }
  lu_.solve(u, permuted_);
  u = permuted_;
}

void NullSpace::solve_square_transposed(Vec& u) {
  if (sparse_) {
    rest_ = u;
    kkt_->solve(rest_, none_, step_, u);  // x = 0, y = J_u⁻ᵀ rest
    times_square_transposed(u, step_);
    rest_ -= step_;
    kkt_->solve(rest_, none_, step_, permuted_);
    u += permuted_;
    return;
  }
  lu_.solve_transposed(u, permuted_);
  u = permuted_;
}

void NullSpace::times_square(const Vec& u, Vec& out) const {
  if (sparse_)
    multiply(Ju_sparse_, u.data(), out.data());
  else
    out.noalias() = Ju_ * u;
}

void NullSpace::times_square_transposed(const Vec& u, Vec& out) const {
  if (!sparse_) {
    out.noalias() = Ju_.transpose() * u;
    return;
  }
  out.setZero();
  for (int i = 0; i < rows_; ++i)
    for (SparseRows::InnerIterator e(Ju_sparse_, i); e; ++e) out[e.col()] += e.value() * u[i];
}

void NullSpace::S(ConstVec a, VecRef v) {
  v.setZero();
  if (rows_ == 0) return;
  const Vec& scale = basis_->scale();
  for (int i = 0; i < rows_; ++i) u_[i] = a[basis_->kept()[size_t(i)]] / length_[i];
  solve_square(u_);
  if (basis_->boolean()) {
    for (int i = 0; i < rows_; ++i) {
      const int j = basis_->dependent()[size_t(i)];
      v[j] = scale[j] * u_[i];
    }
    return;
  }
  v.noalias() = basis_->Q().leftCols(rows_) * u_;
  v.array() *= scale.array();
}

void NullSpace::S_transposed(ConstVec c, VecRef a) {
  a.setZero();
  if (rows_ == 0) return;
  const Vec& scale = basis_->scale();
  if (basis_->boolean()) {
    for (int i = 0; i < rows_; ++i) {
      const int j = basis_->dependent()[size_t(i)];
      u_[i] = scale[j] * c[j];
    }
  } else {
    x_ = scale.cwiseProduct(c);
    u_.noalias() = basis_->Q().leftCols(rows_).transpose() * x_;
  }
  solve_square_transposed(u_);
  for (int i = 0; i < rows_; ++i) a[basis_->kept()[size_t(i)]] = u_[i] / length_[i];
}

void NullSpace::B(ConstVec v, VecRef z) const {
  const Vec& scale = basis_->scale();
  if (basis_->boolean())
    for (int j = 0; j < f_; ++j) {
      const int column = basis_->independent()[size_t(j)];
      z[j] = v[column] / scale[column];
    }
  else
    for (int j = 0; j < f_; ++j) {
      double sum = 0;
      for (int i = 0; i < n_; ++i) sum += basis_->Q()(i, rows_ + j) * v[i] / scale[i];
      z[j] = sum;
    }
}

Status NullSpace::factor_mass(const SparseRows& M) {
  if (f_ == 0) return Status::ok;
  for (int j = 0; j < f_; ++j) multiply(M, R_.col(j).data(), MR_.col(j).data());
  reduced_.noalias() = R_.transpose() * MR_;
  return cholesky_.compute(reduced_) ? Status::ok : Status::singular;
}

void NullSpace::solve_reduced(VecRef z) const {
  if (f_ > 0) cholesky_.solve_in_place(z);
}

void NullSpace::solve(const SparseRows& M, ConstVec r1, ConstVec r2, VecRef x, VecRef y) {
  S(r2, x);
  multiply(M, x.data(), w_.data());
  w_ = r1 - w_;
  R_transposed(w_, z_);
  solve_reduced(z_);
  x.noalias() += R_ * z_;
  multiply(M, x.data(), w_.data());
  w_ = r1 - w_;
  S_transposed(w_, y);
}

void NullSpace::project(const SparseRows& M, ConstVec r2, VecRef x) {
  S(r2, x);
  multiply(M, x.data(), w_.data());
  R_transposed(w_, z_);
  solve_reduced(z_);
  x.noalias() -= R_ * z_;
}

double NullSpace::sigma() {
  if (rows_ == 0) return 1;
  double norm = 1;
  for (int k = 0; k < kIterations; ++k) {
    solve_square(weak_);
    weak_.normalize();
    solve_square_transposed(weak_);
    norm = weak_.norm();
    weak_ /= norm;
  }
  if (!weak_.allFinite()) {
    start_vector(weak_);
    return 0;
  }
  return 1 / norm;
}

double NullSpace::condition() {
  if (rows_ == 0) return 1;
  double norm = 1;
  for (int k = 0; k < kIterations; ++k) {
    times_square(strong_, step_);
    step_.normalize();
    times_square_transposed(step_, strong_);
    norm = strong_.norm();
    strong_ /= norm;
  }
  return norm / sigma();
}

}  // namespace driftless
