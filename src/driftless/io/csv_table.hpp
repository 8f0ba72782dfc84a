// Tables of a model that stand in a file of their own. In place of a list of points a model may say
//
//   "spring.csv"                                                              the first columns
//   { "file": "spring.csv", "columns": ["x", "force"], "scale": ["mm(1)", 1] }
//
// The file: one row a line, numbers with ',', ';', tabs or blanks between; an optional first line of names; lines that begin
// with '#' and empty ones do not count. Columns are named by the first line, or by number from 1. Paths begin at the folder of the model file.
#pragma once

#include <optional>
#include <vector>

#include "driftless/io/json_reader.hpp"

namespace driftless {

// Whether the value names a file and is no list.
bool is_csv_table(const JsonValue& value);

// Rows of `columns` numbers each. Complains under the reader's path.
std::optional<std::vector<std::vector<double>>> read_csv_table(const JsonReader& reader, std::size_t columns);

}  // namespace driftless
