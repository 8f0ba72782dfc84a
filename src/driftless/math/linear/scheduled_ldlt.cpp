#include "driftless/math/linear/scheduled_ldlt.hpp"

#include <algorithm>
#include <map>

namespace driftless {

using std::size_t;

ScheduledLdlt::ScheduledLdlt(const std::vector<std::vector<Entry>>& rows,
                             const std::vector<int>& diagonal,
                             int sources)
    : diagonal_(diagonal), a_(Vec::Zero(sources + 1)) {
  diagonal_.resize(rows.size(), -1);
  const auto second = std::find(diagonal_.begin(), diagonal_.end(), -1);
  first_group_ = static_cast<int>(second - diagonal_.begin());
  mixed_ = std::any_of(second, diagonal_.end(), [](int source) { return source >= 0; });
  std::vector<std::map<int, int>> slot_of(rows.size());  // of each row: column → slot
  std::vector<std::vector<int>> below(rows.size());      // of each column: rows found to have an entry there
  for (size_t i = 0; i < rows.size() && !too_long(); ++i) {
    std::map<int, int>& own = slot_of[i];
    for (const Entry& entry : rows[i]) own[entry.column] = -1;
    for (auto [k, unused] : own)  // fill: grows ahead of k while it is walked
      for (const int j : below[size_t(k)]) own.emplace(j, -1);
    Row row{-1, 0};
    for (auto& [k, slot] : own) {
      slot = static_cast<int>(slots_.size());
      if (k >= first_group_ && row.middle < 0) row.middle = slot;
      int source = sources;
      for (const Entry& entry : rows[i])
        if (entry.column == k) source = entry.source;
      for (const auto& [j, right] : slot_of[size_t(k)])
        if (const auto left = own.find(j); left != own.end()) products_.push_back({left->second, right});
      slots_.push_back({k, source, static_cast<int>(products_.size())});
      below[size_t(k)].push_back(static_cast<int>(i));
    }
    row.end = static_cast<int>(slots_.size());
    if (row.middle < 0) row.middle = row.end;
    rows_.push_back(row);
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
