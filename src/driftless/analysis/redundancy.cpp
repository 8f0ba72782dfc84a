#include "driftless/analysis/redundancy.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "driftless/system/kernels/row_rank.hpp"

namespace driftless {

std::string joint_of_row(const std::string& row_name) { return row_name.substr(0, row_name.rfind('.')); }

std::vector<std::string> Redundancy::joints(const Layout& layout) const {
  std::set<int> concerned(rows.begin(), rows.end());
  for (const auto& others : implied_by) concerned.insert(others.begin(), others.end());
  std::vector<std::string> names;
  for (const int row : concerned)
    if (const std::string joint = joint_of_row(layout.row_names[size_t(row)]);
        std::find(names.begin(), names.end(), joint) == names.end())
      names.push_back(joint);
  return names;
}

namespace {

// What the decision is made from. Terms of a large model are large, and are gone before it is made.
struct RowsAt {
  BalancedRows rows;
  double tolerance;
};

// None: there is nothing to decide.
std::optional<RowsAt> rows_at(const DescriptorSystem& system, const State& state) {
  Terms terms = system.make_terms();
  system.position(state.t, state.q, terms);
  if (rows_are_independent(system, terms)) return std::nullopt;
  const double off = 10 * max_abs(terms.g) / system.layout().length;  // as in row_rank.hpp
  return RowsAt{balanced_rows(system.layout(), terms), std::clamp(off, kDependent, 1e-6)};
}

}  // namespace

std::vector<int> redundant_rows(const DescriptorSystem& system, const State& state) {
  const auto at = rows_at(system, state);
  return at ? dependent_rows(at->rows, at->tolerance) : std::vector<int>();
}

Redundancy find_redundancy(const DescriptorSystem& system, const State& state) {
  const auto at = rows_at(system, state);
  Redundancy out;
  if (!at) return out;
  out.rows = dependent_rows(at->rows, at->tolerance);
  out.implied_by = implying_rows(at->rows, out.rows);
  return out;
}

std::string redundancy_notice(const Layout& layout, const Redundancy& redundancy) {
  constexpr size_t kMostNames = 8;
  if (redundancy.rows.empty()) return {};
  const std::vector<std::string> joints = redundancy.joints(layout);
  std::string names;
  for (size_t i = 0; i < std::min(joints.size(), kMostNames); ++i)
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", joints[i]);
  if (joints.size() > kMostNames) names += fmt::format(" and {} more", joints.size() - kMostNames);
  const bool one = redundancy.rows.size() == 1;
  return fmt::format(
      "{} redundant constraint row{} among {}: motion and body forces are unique, individual reactions are "
      "not; minimum-norm values are given (remedy: joints that constrain less, e.g. spherical or "
      "cylindrical ones in place of revolutes; `driftless check` names the rows)",
      redundancy.rows.size(), one ? "" : "s", names);
}

}  // namespace driftless
