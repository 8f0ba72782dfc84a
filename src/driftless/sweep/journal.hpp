// The rows of a sweep under way, FILE.h5.rows: a first line that says which sweep it is, then a line a row, each with a checksum
// and written by one call, so that a killed program leaves whole lines and at most one torn one, which does not count. For
// src/driftless/sweep only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/sweep/sweep.hpp"

namespace driftless {

std::string journal_path(const std::string& out);

// The rows that are there. InputError if the file is that of another sweep; nothing if there is no file.
std::vector<SweepRow> read_journal(const std::string& path,
                                   const std::string& definition,
                                   std::size_t measures);

// A row as a line, with its checksum and the end of the line; and back, nothing if it is torn.
std::string journal_line(const SweepRow& row);
std::optional<SweepRow> row_in(std::string line, std::size_t measures);

// Appends; several processes may do so at once. std::runtime_error if the disk refuses.
class Journal {
 public:
  Journal(const std::string& path, const std::string& definition);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void add(const SweepRow& row);

 private:
  void append(const std::string& line);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace driftless
