// Consistent initial conditions: positions on g = 0, then velocities on J v = ν; v̇ and λ there (docs/theory/assembly.md).
#pragma once

#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

struct CompiledModel;  // coordinates/coordinates.hpp

struct AssemblyReport {
  int iterations = 0;
  double moved_length = 0;       // largest change of a length coordinate
  double moved_angle = 0;        // largest change of an angle
  std::string moved_most;        // name of the coordinate that moved most relative to its scale
  double velocity_change = 0;    // largest change of a velocity relative to its scale
  double position_residual = 0;  // max |g| before
  double velocity_residual = 0;  // max |J v − ν| before
};

struct Assembly {
  State state;
  AssemblyReport report;
};

// Least-change assembly of a compiled model. InputError naming the joints that cannot close if there is no closure.
Assembly assemble(const CompiledModel& model, double t, const std::string& source);

// The same for any system and guess.
Assembly assemble(const DescriptorSystem& system, const State& guess, const std::string& source);

// Accelerations and multipliers at a consistent state: λ of least norm where rows are redundant; empty if M is not positive on
// what they leave free.
Reaction initial_reaction(const DescriptorSystem& system, const State& state);

// Degrees of freedom by counting and by rank, and which rows depend on others.
struct RankReport {
  int coordinates = 0, rows = 0, rank = 0;
  int dof_counted = 0;  // nv − m (Grübler)
  int dof = 0;          // nv − rank
  std::vector<std::string> redundant_rows;
  std::vector<std::string> redundant_joints;  // of these rows and of those that imply them
  std::string notice;                         // what it means and what to do; empty if nothing is redundant
};
RankReport analyze_rank(const DescriptorSystem& system, const State& state);

}  // namespace driftless
