// Result files, all at once (result_file.hpp: while a run goes on). A reader never sees half a file, and a failed write
// leaves the old one.
#pragma once

#include <string>

#include "driftless/results/trajectory.hpp"

namespace driftless {

// By the ending: .csv or .h5; anything else is an InputError. An unwritable path is one too.
void check_results_path(const std::string& path);  // before a long run, not after it
// The same for any file to be written, by these endings (".html").
void check_output_path(const std::string& path, const std::vector<std::string>& endings);
void write_results(const Results& results, const std::string& path);
std::string part_path(const std::string& path);  // NAME.part, beside the target of a symbolic link

// What a new run needs of an old one: final state, quantities there, and checkpoint, with the names they belong to.
struct SavedState {
  State state;
  std::vector<std::string> q_names, v_names;
  Vec quantities;
  std::vector<std::string> quantity_names;
  std::optional<Checkpoint> checkpoint;
  Provenance provenance;
};
SavedState read_final_state(const std::string& path);  // .h5

// The whole file back (for reports and the viewer).
Results read_results(const std::string& path);  // .h5

}  // namespace driftless
