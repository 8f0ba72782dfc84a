// A result file that grows with its run, CSV or HDF5 by its ending. While it does it is NAME.part, whole and readable
// after whatever kills the program; at the end it takes the place of NAME, which is left alone until then.
#pragma once

#include <memory>
#include <string>

#include "driftless/results/trajectory.hpp"

namespace driftless {

// All may throw std::runtime_error with path and reason (a full disk); what was readable before still is.
class ResultFile {
 public:
  virtual ~ResultFile() = default;  // without finish(): NAME.part stays if there is one

  virtual void begin(const Results& results) = 0;  // names and methods; nothing is seen yet
  virtual void add(const Trajectory& rows) = 0;    // records and steps, behind those before
  // Its records too, and NAME.part is brought up to date: all records, and the figures of `so_far`.
  // `durable`: and is on the disk itself when this returns, safe from a power cut.
  virtual void update(const Results& so_far, bool durable) = 0;
  virtual void finish(const Results& results) = 0;  // its records too; NAME
  virtual bool is_shown() const = 0;                // NAME.part exists

  virtual std::string part() const = 0;  // NAME.part
};

std::unique_ptr<ResultFile> create_result_file(const std::string& path);

}  // namespace driftless
