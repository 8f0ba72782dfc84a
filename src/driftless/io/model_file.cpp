#include "driftless/io/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kLargestModel = 64U << 20U;

[[noreturn]] void refuse_file(const std::string& path, std::string found, std::string hint = "") {
  throw InputError(path, Complaint{"", "a model file", std::move(found), std::move(hint)});
}

// A file with nearly this name in the same folder.
std::string similar_file(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < 1000;
       entry.increment(error))
    if (entry->path().extension() == ".json") names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(path.filename().string(), names);
}

}  // namespace

std::string read_model_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse_file(path, "no file of this name", similar_file(path));
  if (std::filesystem::is_directory(status)) refuse_file(path, "a folder");
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) refuse_file(path, kind);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(path, errno != 0 ? std::strerror(errno) : "a file that cannot be opened");
  // Not by its size: files under /proc have none.
  std::string text, chunk(1U << 16U, '\0');
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || file.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestModel)
      refuse_file(path, fmt::format("more than {} MB", kLargestModel >> 20U), "is this a model file?");
  }
  if (file.bad()) refuse_file(path, "a file that cannot be read");
  return text;
}

}  // namespace driftless
