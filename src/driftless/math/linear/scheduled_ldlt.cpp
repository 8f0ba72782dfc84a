#include "driftless/math/linear/scheduled_ldlt.hpp"

#include <algorithm>

namespace driftless {

using std::size_t;

ScheduledLdlt::ScheduledLdlt(const std::vector<std::vector<Entry>>& rows,
                             const std::vector<int>& diagonal,
                             int sources)
    : ScheduledLdlt(rows, diagonal, sources, kLongest) {}

ScheduledLdlt::ScheduledLdlt(const std::vector<std::vector<Entry>>& rows,
                             const std::vector<int>& diagonal,
                             int sources,
                             size_t longest)
    : diagonal_(diagonal), a_(Vec::Zero(sources + 1)) {
  diagonal_.resize(rows.size(), -1);
  const auto second = std::find(diagonal_.begin(), diagonal_.end(), -1);
  first_group_ = static_cast<int>(second - diagonal_.begin());
  mixed_ = std::any_of(second, diagonal_.end(), [](int source) { return source >= 0; });
  std::vector<int> parent(rows.size(), -1);   // p of (3)
  std::vector<int> source_of(rows.size());    // of the entries of this row, by column
  std::vector<int> slot_of(rows.size(), -1);  // of the slots of this row, by column
  std::vector<int> own;                       // its columns
  for (size_t i = 0; i < rows.size() && !too_long_; ++i) {
    own.clear();
    const auto take = [&](int k, int source) {
      source_of[size_t(k)] = source;
      slot_of[size_t(k)] = 0;
      own.push_back(k);
    };
    for (const Entry& entry : rows[i]) take(entry.column, entry.source);
    for (const Entry& entry : rows[i])  // (3)
      for (int k = entry.column;;) {
        int& next = parent[size_t(k)];
        if (next < 0) next = static_cast<int>(i);
        if (next == static_cast<int>(i) || slot_of[size_t(next)] >= 0) break;
        take(k = next, sources);
      }
    std::sort(own.begin(), own.end());
    Row row{-1, 0};
    for (const int k : own) {
      if (k >= first_group_ && row.middle < 0) row.middle = static_cast<int>(slots_.size());
      slot_of[size_t(k)] = static_cast<int>(slots_.size());
      for (int right = k > 0 ? rows_[size_t(k) - 1].end : 0; right < rows_[size_t(k)].end; ++right)
        if (const int left = slot_of[size_t(slots_[size_t(right)].column)]; left >= 0)
          products_.push_back({left, right});
      slots_.push_back({k, source_of[size_t(k)], static_cast<int>(products_.size())});
    }
    for (const int k : own) slot_of[size_t(k)] = -1;
    row.end = static_cast<int>(slots_.size());
    if (row.middle < 0) row.middle = row.end;
    rows_.push_back(row);
    too_long_ = products_.size() > longest;
  }
  Y_ = L_ = Vec::Zero(static_cast<Eigen::Index>(slots_.size()));
  inverse_ = Vec::Zero(static_cast<Eigen::Index>(rows.size()));
}

int ScheduledLdlt::factor(double tolerance) {
  if (mixed_) return factor_mixed(tolerance);
  const int n = static_cast<int>(rows_.size());
  const double* const a = a_.data();
  double* const Y = Y_.data();
  double* const L = L_.data();
  double* const inverse = inverse_.data();
  const Slot* const slots = slots_.data();
  const Product* product = products_.data();
  const Product* const products = product;
  double loss = 1, loss_first = 1;  // largest diagonal against its pivot
  int s = 0;
  for (int i = 0; i < n; ++i) {
    const bool second = i >= first_group_;
    const Row row = rows_[size_t(i)];
    double d = second ? 0 : a[diagonal_[size_t(i)]];
    double before = d;  // A_ii, or −K_ii once the first group is eliminated
    for (; s < row.end; ++s) {
      if (s == row.middle) before = d;
      const Slot slot = slots[s];
      double sum = a[slot.source];
      for (const Product* const last = products + slot.products; product != last; ++product)
        sum -= Y[product->left] * L[product->right];  // (1)
      const double scaled = sum * inverse[slot.column];
      Y[s] = sum;
      L[s] = scaled;
      d -= sum * scaled;  // (2)
    }
    if (second && row.middle == row.end) before = d;
    if (second ? !(-d > tolerance * -before) : !(d > tolerance * before)) return i;
    inverse[i] = 1 / d;
    double& most = second ? loss : loss_first;
    most = std::max(most, before * inverse[i]);
  }
  weakest_ = 1 / loss;
  weakest_first_ = 1 / loss_first;
  return n;
}

// The same with the groups mixed: `before` is what columns of the first group contribute.
int ScheduledLdlt::factor_mixed(double tolerance) {
  const int n = static_cast<int>(rows_.size());
  const Product* product = products_.data();
  double loss = 1, loss_first = 1;
  int s = 0;
  for (int i = 0; i < n; ++i) {
    const bool second = diagonal_[size_t(i)] < 0;
    double d = second ? 0 : a_[diagonal_[size_t(i)]];
    double before = d;
    for (; s < rows_[size_t(i)].end; ++s) {
      const Slot slot = slots_[size_t(s)];
      double sum = a_[slot.source];
      for (const Product* const last = products_.data() + slot.products; product != last; ++product)
        sum -= Y_[product->left] * L_[product->right];  // (1)
      const double scaled = sum * inverse_[slot.column];
      Y_[s] = sum;
      L_[s] = scaled;
      d -= sum * scaled;  // (2)
      if (second && diagonal_[size_t(slot.column)] >= 0) before -= sum * scaled;
    }
    if (second ? !(-d > tolerance * -before) : !(d > tolerance * before)) return i;
    inverse_[i] = 1 / d;
    double& most = second ? loss : loss_first;
    most = std::max(most, before * inverse_[i]);
  }
  weakest_ = 1 / loss;
  weakest_first_ = 1 / loss_first;
  return n;
}

void ScheduledLdlt::solve(double* x) const {
  const int n = static_cast<int>(rows_.size());
  const double* L = L_.data();
  const Slot* slot = slots_.data();
  for (int i = 0; i < n; ++i) {
    double sum = x[i];
    for (const Slot* end = slots_.data() + rows_[size_t(i)].end; slot < end; ++slot)
      sum -= *L++ * x[slot->column];
    x[i] = sum;
  }
  divide_and_substitute_back(x);
}

void ScheduledLdlt::solve_second_group(double* x) const {
  if (mixed_) return solve(x);
  const int n = static_cast<int>(rows_.size());
  for (int i = first_group_; i < n; ++i) {
    double sum = x[i];
    for (int s = rows_[size_t(i)].middle; s < rows_[size_t(i)].end; ++s)
      sum -= L_[s] * x[slots_[size_t(s)].column];
    x[i] = sum;
  }
  divide_and_substitute_back(x);
}

void ScheduledLdlt::divide_and_substitute_back(double* x) const {
  const int n = static_cast<int>(rows_.size());
  for (int i = 0; i < n; ++i) x[i] *= inverse_[i];
  const Slot* slot = slots_.data() + slots_.size();
  const double* L = L_.data() + L_.size();
  for (int i = n - 1; i > 0; --i) {
    const double x_i = x[i];
    for (const Slot* begin = slots_.data() + rows_[size_t(i) - 1].end; slot > begin;)
      x[(--slot)->column] -= *--L * x_i;
  }
}

}  // namespace driftless
