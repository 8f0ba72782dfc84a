// Constraints that say what others say already: which rows, and because of which (docs/theory/redundant.md).
#pragma once

#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

struct Redundancy {
  std::vector<int> rows;                     // may be left out, ascending
  std::vector<std::vector<int>> implied_by;  // of each: the rows that imply it

  // Joints concerned, in the order of their rows: those of the rows and of what implies them.
  std::vector<std::string> joints(const Layout& layout) const;
};

// At a state on the constraints, as system/kernels/row_rank.hpp decides; the first, only which rows.
std::vector<int> redundant_rows(const DescriptorSystem& system, const State& state);
Redundancy find_redundancy(const DescriptorSystem& system, const State& state);

// What the user must know before reading reactions; empty if nothing is redundant.
std::string redundancy_notice(const Layout& layout, const Redundancy& redundancy);

// The joint a row belongs to: "pin_B" of "pin_B.x".
std::string joint_of_row(const std::string& row_name);

}  // namespace driftless
