// What a method keeps from step to step, written into checkpoints and read back by one and the same list of members, so that
// the two cannot differ. Files can be edited: where what is read does not fit, reading stops and the members keep their values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

class Memory {
 public:
  Memory() = default;                                                                // to write
  explicit Memory(ConstVec from) : data_(from.begin(), from.end()), reads_(true) {}  // to read

  bool reads() const { return reads_; }
  bool is_good() const { return good_; }
  bool is_read() const { return reads_ && good_ && at_ == data_.size(); }  // all of it, and it fitted
  Vec written() const {
    return good_ ? Vec(Eigen::Map<const Vec>(data_.data(), Eigen::Index(data_.size()))) : Vec();
  }
  // Something counts that cannot be written down, or does not fit: a resumed run is not the same.
  void refuse() { good_ = false; }

  void operator()(double& x) { pass(&x, 1); }
  void operator()(int& x, int low, int high) {
    double number = x;
    pass(&number, 1);
    if (!reads_ || !good_) return;
    if (number >= low && number <= high && number == std::floor(number))
      x = static_cast<int>(number);
    else
      good_ = false;
  }
  void operator()(bool& x) {
    int number = x ? 1 : 0;
    (*this)(number, 0, 1);
    x = number == 1;
  }
  void operator()(Vec& x) { pass(x.data(), x.size()); }  // of the size it has
  void operator()(Mat& x) { pass(x.data(), x.size()); }
  template <size_t N>
  void operator()(std::array<double, N>& x) {
    pass(x.data(), N);
  }
  // Of any size, up to this many rows and columns.
  void any_size(Mat& x, int most_rows, int most_columns) {
    int rows = static_cast<int>(x.rows()), columns = static_cast<int>(x.cols());
    (*this)(rows, 0, most_rows);
    (*this)(columns, 0, most_columns);
    if (reads_ && good_ && fits(Eigen::Index(rows) * columns)) x.resize(rows, columns);
    (*this)(x);
  }
  // Of any pattern.
  void sparse(SparseRows& x, int most_rows, int most_columns) {
    int rows = static_cast<int>(x.rows()), columns = static_cast<int>(x.cols());
    (*this)(rows, 0, most_rows);
    (*this)(columns, 0, most_columns);
    std::vector<int> starts(x.outerIndexPtr(), x.outerIndexPtr() + x.rows() + 1);
    std::vector<int> inner(x.innerIndexPtr(), x.innerIndexPtr() + x.nonZeros());
    list(starts, std::numeric_limits<int>::max());
    list(inner, std::max(columns - 1, 0));
    Vec values = Eigen::Map<const Vec>(x.valuePtr(), x.nonZeros());
    if (reads_) values.resize(Eigen::Index(inner.size()));
    (*this)(values);
    if (!reads_ || !good_) return;
    good_ = starts.size() == size_t(rows) + 1 && starts.front() == 0 && starts.back() == int(inner.size()) &&
            std::is_sorted(starts.begin(), starts.end());
    for (size_t i = 0; good_ && i < size_t(rows); ++i)
      for (int p = starts[i] + 1; p < starts[i + 1]; ++p)
        good_ = good_ && inner[size_t(p) - 1] < inner[size_t(p)];
    if (good_)
      x = Eigen::Map<const SparseRows>(rows, columns, values.size(), starts.data(), inner.data(),
                                       values.data());
  }
  // A list of whole numbers from 0 to most.
  void list(std::vector<int>& x, int most) {
    int count = static_cast<int>(x.size());
    (*this)(count, 0, static_cast<int>(reads_ ? data_.size() : x.size()));
    if (reads_ && good_ && fits(count)) x.resize(size_t(count));
    if (static_cast<int>(x.size()) != count) good_ = false;
    for (int& number : x) (*this)(number, 0, most);
  }

 private:
  bool fits(Eigen::Index count) {
    good_ = good_ && count >= 0 && data_.size() - at_ >= static_cast<size_t>(count);
    return good_;
  }
  void pass(double* x, Eigen::Index count) {
    if (!good_ || (reads_ && !fits(count))) return;
    if (!reads_) {
      data_.insert(data_.end(), x, x + count);
      return;
    }
    for (Eigen::Index i = 0; i < count; ++i) x[i] = data_[at_++];
  }

  std::vector<double> data_;
  size_t at_ = 0;
  bool reads_ = false, good_ = true;
};

// Formulations that keep something besides what y says.
class KeepsMemory {
 public:
  virtual ~KeepsMemory() = default;
  virtual void keep(Memory& memory) = 0;
};

}  // namespace driftless
