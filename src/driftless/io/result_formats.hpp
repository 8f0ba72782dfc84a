// The two kinds of result files. For src/driftless/io only.
#pragma once

#include <memory>
#include <string>

#include "driftless/io/result_file.hpp"

namespace driftless {

std::unique_ptr<ResultFile> create_csv_file(const std::string& path);
std::unique_ptr<ResultFile> create_hdf5_file(const std::string& path);

}  // namespace driftless
