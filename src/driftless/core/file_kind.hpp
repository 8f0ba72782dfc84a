// What stands where a file is expected. Reading a pipe may wait forever, reading a device may never end.
#pragma once

#include <string>

namespace driftless {

// "a directory", "a pipe", "a device", "a socket"; empty for ordinary files and for nothing at all.
std::string no_ordinary_file(const std::string& path);

}  // namespace driftless
