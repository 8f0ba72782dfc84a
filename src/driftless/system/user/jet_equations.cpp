#include "driftless/system/user/jet_equations.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace user_detail {

Layout user_layout(Layout given, int nq, int nv, int rows, int nonholonomic_rows) {
  if (nq < 1 || nv < 1 || rows < 0 || nonholonomic_rows < 0)
    throw std::invalid_argument(fmt::format(
        "equations of a system: nq = {}, nv = {}, rows = {}, nonholonomic_rows = {}: needs at least one "
        "position and one velocity, and no negative numbers of rows",
        nq, nv, rows, nonholonomic_rows));
  given.nq = nq;
  given.nv = nv;
  given.mh = rows;
  given.m = rows + nonholonomic_rows;
  if (given.m == 0) given.J = SparseRows(0, nv);  // Eigen 3.4 cannot compress a matrix without rows
  return completed(std::move(given));
}

void demand_size(const Mat& matrix, Eigen::Index rows, Eigen::Index cols, const char* what) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw std::invalid_argument(fmt::format("{}: expected a {} × {} matrix, the callback made it {} × {}",
                                            what, rows, cols, matrix.rows(), matrix.cols()));
}

void store(const Mat& dense, int first_row, SparseRows& sparse, const char* what) {
  const Eigen::Index rows = dense.rows(), cols = dense.cols();
  Eigen::Index stored = 0;
  for (int i = 0; i < rows; ++i)
    for (SparseRows::InnerIterator entry(sparse, first_row + i); entry; ++entry) {
      entry.valueRef() = dense(i, entry.col());
      stored += entry.value() != 0;
    }
  if (sparse.nonZeros() < sparse.rows() * sparse.cols() && stored != (dense.array() != 0).count())
    throw std::invalid_argument(fmt::format(
        "{}: the {} × {} matrix has a value outside the sparsity pattern that was given", what, rows, cols));
}

}  // namespace user_detail
}  // namespace driftless
