// What several methods cost and how right they are, on one system.
//
// Error at the end, against a reference run: of coordinates q with scales s, where both runs have the same ones
//   max |q − q_ref| / s                                                                                              (1)
// and of poses where they have not, L the characteristic length:
//   max (|p − p_ref|/L, angle between the attitudes)                                                                 (2)
// The reference is a tight run; its distance from a second one by another method says how far it can be trusted. Of several tight runs the
// two by different integrators that agree best are taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/report/page.hpp"
#include "driftless/results/trajectory.hpp"

namespace driftless {

// Where a run ended.
struct Ending {
  std::vector<std::string> q_names;
  Vec q, q_scale;
  double length = 1;
  std::vector<Pose> poses;
};
Ending ending_of(const DescriptorSystem& system, const Results& results);
double distance(const Ending& a, const Ending& b);  // (1), (2); NaN if nothing can be compared

struct ComparedRun {
  std::string method;
  double rtol = 0, step = 0;  // one of them is zero
  bool good = false;
  std::string status, message;  // "ok", or why not
  double error = 0;             // NaN if it failed
  Statistics statistics;
  Drift drift;
  std::optional<double> energy_error;
  std::string setting() const;  // "rtol 1e-06" or "step 0.001 s"
  long evaluations() const;  // right-hand sides, or residuals of Newton loops where there are more of these
};

struct Reference {
  std::string method, check;        // names; empty: there is none
  std::optional<double> agreement;  // distance of the two
  std::optional<Ending> ending;     // of the first
  static constexpr double kAgrees = 1e-7;
  bool is_trusted() const { return agreement && *agreement <= kAgrees; }
};

struct Comparison {
  std::string title;
  Reference reference;
  std::vector<ComparedRun> runs;
  std::vector<std::pair<std::string, Results>> recorded;  // one of each method, for curves over time
};

// CPU time at which a method reaches an error, by interpolation between the logarithms of its runs; NaN: it does not reach it.
double time_at_error(const Comparison& comparison, const std::string& method, double error);
constexpr double kRankedError = 1e-6;
// Rows by method, the method that reaches kRankedError in the least time first; then those that come nearest; failures last.
void sort_runs(Comparison& comparison);

std::string compare_csv(const Comparison& comparison);

// What the reference is worth, in one line.
std::string reference_text(const Reference& reference);

// What it comes to, in a sentence or three.
std::string verdict(const Comparison& comparison);

// Work-precision plots, drift and energy error over time, the table.
Page compare_page(const Comparison& comparison);

}  // namespace driftless
