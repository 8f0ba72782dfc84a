// Copies between sparse matrices that allocate only where the pattern is another one, and products without temporaries.
#pragma once

#include <algorithm>
#include <span>

#include "driftless/math/types.hpp"

namespace driftless {

template <class From>
bool same_pattern(const From& a, const SparseRows& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() && b.isCompressed() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

template <class From>
void copy_sparse(const From& from, SparseRows& to) {
  if (same_pattern(from, to))
    std::copy(from.valuePtr(), from.valuePtr() + from.nonZeros(), to.valuePtr());
  else
    to = from;
}

// Some rows of `from`, in order.
inline void copy_rows(const SparseRows& from, std::span<const int> rows, SparseRows& to) {
  const auto fits = [&] {
    if (!to.isCompressed() || to.rows() != Eigen::Index(rows.size()) || to.cols() != from.cols())
      return false;
    for (size_t i = 0; i < rows.size(); ++i) {
      const int first = from.outerIndexPtr()[rows[i]], last = from.outerIndexPtr()[rows[i] + 1];
      const int at = to.outerIndexPtr()[i];
      if (to.outerIndexPtr()[i + 1] - at != last - first ||
          !std::equal(from.innerIndexPtr() + first, from.innerIndexPtr() + last, to.innerIndexPtr() + at))
        return false;
    }
    return true;
  };
  if (!fits()) {
    to.resize(Eigen::Index(rows.size()), from.cols());
    Eigen::Index entries = 0;
    for (const int i : rows) entries += from.outerIndexPtr()[i + 1] - from.outerIndexPtr()[i];
    to.reserve(entries);
    for (size_t i = 0; i < rows.size(); ++i) {
      to.startVec(Eigen::Index(i));
      for (SparseRows::InnerIterator e(from, rows[i]); e; ++e)
        to.insertBack(Eigen::Index(i), e.col()) = e.value();
    }
    to.finalize();
    return;
  }
  double* value = to.valuePtr();
  for (const int i : rows)
    value = std::copy(from.valuePtr() + from.outerIndexPtr()[i],
                      from.valuePtr() + from.outerIndexPtr()[i + 1], value);
}

// out ← out + c A x.
template <class Scalar, class X, class Out>
void add_product(const SparseRows& A, Scalar c, const X& x, Out&& out) {
  for (int i = 0; i < A.rows(); ++i) {
    Scalar sum(0);
    for (SparseRows::InnerIterator e(A, i); e; ++e) sum += e.value() * x[e.col()];
    out[i] += c * sum;
  }
}

}  // namespace driftless
