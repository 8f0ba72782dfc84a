#include "driftless/core/file_kind.hpp"

#include <filesystem>

namespace driftless {

std::string no_ordinary_file(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  switch (std::filesystem::status(path, error).type()) {
    case file_type::directory:
      return "a directory";
    case file_type::fifo:
      return "a pipe";
    case file_type::block:
    case file_type::character:
      return "a device";
    case file_type::socket:
      return "a socket";
    default:
      return {};
  }
}

}  // namespace driftless
