// What happened: everything files, reports, bindings and the viewer read. One record per output time, stored flat and
// row after row (records × width), so that a column is a stride and a file is a single write.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/core/statistics.hpp"
#include "driftless/core/status.hpp"
#include "driftless/integrator/checkpoint.hpp"
#include "driftless/math/types.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/strained.hpp"

namespace driftless {

struct Drawing;  // model/drawing/drawing.hpp

// A table with a fixed number of named columns that grows by rows.
struct Table {
  std::vector<std::string> names;  // columns
  std::vector<std::string> units;  // columns
  std::vector<double> data;        // rows × columns, row-major

  size_t columns() const { return names.size(); }
  size_t rows() const { return names.empty() ? 0 : data.size() / names.size(); }
  double at(size_t row, size_t column) const { return data[row * columns() + column]; }
  void append(ConstVec row) { data.insert(data.end(), row.data(), row.data() + row.size()); }
};

// An instant worth a name: a located root, a discontinuity, a stop condition.
struct EventRecord {
  double t = 0;
  std::string name;
};

// What the values of a column of modes are called; numbers elsewhere.
struct ModeNames {
  std::string element, kind;
  int first = 0;
  std::vector<std::string> names = {};
};

struct Trajectory {
  std::vector<double> t;  // output times
  Table q;                // positions
  Table v;                // velocities
  Table vdot;             // accelerations, solved at the output state
  Table lambda;           // multipliers, solved at the output state
  Table quantities;       // the problem's own figures and a model's output channels
  Table energy;           // columns kinetic, potential, total, work (potential… only where it is known)
  Table modes;            // of systems that switch: the value of every switch (Switch::mode_name)
  Table drift;            // columns position, velocity: max |g|, max |J v − ν| at the record
  std::vector<std::string> body_names;
  std::vector<double> poses;             // records × bodies × 7: x y z, quaternion w x y z
  std::vector<std::string> joint_names;  // joints and drivers
  std::vector<double>
      reactions;        // records × joints × 12: force and torque on the second body, world and joint axes
  bool planar = false;  // of the reactions only fx, fy and tz are not zero
  Table
      steps;  // one row per accepted step: t, h, drift.position, drift.velocity, newton_iterations (rejected attempts
              // before it included)
  std::vector<EventRecord> events;
  std::vector<ModeNames> mode_names;  // of the columns of `modes`
  std::vector<FlexibleColumns> flexible;
  Table strains;  // of flexible bodies: strains of the elements of one, their largest stresses, and so on

  size_t size() const { return t.size(); }
};

// The columns of `strains`, without rows.
Table strain_columns(const std::vector<FlexibleColumns>& bodies);

struct Drift {
  double position_max = 0;
  double velocity_max = 0;
  std::string position_row;  // where it was largest
  std::string velocity_row;
};

struct EnergySummary {
  double initial = 0;
  double final = 0;
  double work = 0;
  double lost = 0;  // by impulses
  double max_relative_error = 0;
};

// Names and numbers that were chosen, as text: provenance in every file.
struct Provenance {
  std::string problem;  // problem or model name
  std::string source;   // model file, empty for built-in problems
  std::string coordinates, formulation, integrator, stabilization;
  std::map<std::string, std::string> options;  // "formulation.alpha" → "10"; rtol, atol, step, …
  std::vector<Parameter> parameters;           // of the model
  std::string command;                         // how to reproduce it, empty when called as a library
};

struct Results {
  Status status = Status::ok;
  std::string message;  // why a run failed and what to try; empty if it did not
  std::vector<std::string>
      warnings;  // doubts about accuracy, each with cause and figure; none in a healthy run
  std::vector<std::string> notices;         // everything else worth saying
  std::vector<std::string> redundant_rows;  // implied by others at the start, and left out
  std::string redundancy;                   // what that means for the user; one of the notices too
  Provenance provenance;
  Statistics statistics;
  Drift drift;
  std::optional<EnergySummary> energy;
  Trajectory trajectory;
  State final;  // last state reached
  Reaction final_reaction;
  Vec final_quantities;
  std::vector<int> final_mode;  // of a system that switches
  std::optional<Checkpoint> checkpoint;
  std::shared_ptr<const Drawing> drawing;  // what it looks like; null: nobody said

  // Ended as asked for: at the end time or at a stop condition.
  bool good() const { return status == Status::ok || status == Status::stopped; }
};

}  // namespace driftless
