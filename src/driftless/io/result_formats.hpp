// The writers behind write_results: plain files, neither temporary nor renamed. For src/driftless/io only.
#pragma once

#include <stdexcept>
#include <string>

#include "driftless/results/trajectory.hpp"

namespace driftless {

// The reason alone: who asked for the file knows its name.
struct FormatFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void write_results_csv(const Results& results, const std::string& path);   // throws FormatFailure
void write_results_hdf5(const Results& results, const std::string& path);  // throws FormatFailure

}  // namespace driftless
