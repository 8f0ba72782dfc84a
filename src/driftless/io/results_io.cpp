// The ending of a path chooses the format; here too is what makes a path unusable, told before a long run.

#include "driftless/io/results_io.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/io/atomic_file.hpp"
#include "driftless/io/part_file.hpp"
#include "driftless/io/result_formats.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path,
                         const std::string& expected,
                         const std::string& found,
                         const std::string& hint = {}) {
  throw InputError(path, Complaint{"", expected, found, hint});
}

void check_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  if (!fs::exists(folder, error))
    refuse(path, "a file in an existing directory", fmt::format("no directory '{}'", folder.string()),
           fmt::format("create it first: mkdir -p '{}'", folder.string()));
  refuse(path, "a file in a directory", fmt::format("'{}', which is not a directory", folder.string()));
}

void check_ending(const std::string& path, const std::vector<std::string>& endings) {
  const std::string ending = fs::path(path).extension().string();
  if (std::find(endings.begin(), endings.end(), ending) != endings.end()) return;
  std::string expected;
  for (const std::string& known : endings) expected += (expected.empty() ? "" : " or ") + known;
  refuse(path, "a file name ending in " + expected,
         ending.empty() ? "one without an ending" : fmt::format("'{}'", ending));
}

// Permissions, read-only disks, names too long: only trying tells the truth.
template <class File>
void try_to_open(const std::string& path) {
  try {
    const File probe(path);
  } catch (const std::runtime_error& failure) {
    const std::string prefix = path + ": ";
    const std::string reason = failure.what();
    refuse(path, "a file that can be written",
           reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason);
  }
}

const std::vector<std::string> kEndings = {".csv", ".h5"};

}  // namespace

std::string part_path(const std::string& path) { return part_name(path); }

void check_output_path(const std::string& path, const std::vector<std::string>& endings) {
  check_ending(path, endings);
  if (const std::string kind = no_ordinary_file(path); !kind.empty())
    refuse(path, "the name of a file", kind);
  check_folder(path);
  try_to_open<AtomicFile>(path);
}

void check_results_path(const std::string& path) {
  check_output_path(path, kEndings);
  try_to_open<PartFile>(path);
  if (is_being_written(path))
    refuse(path, "a file no other run is writing", fmt::format("{}, which one is", part_name(path)),
           "choose another name, or wait for it");
}

std::unique_ptr<ResultFile> create_result_file(const std::string& path) {
  check_ending(path, kEndings);
  return path.ends_with(".csv") ? create_csv_file(path) : create_hdf5_file(path);
}

void write_results(const Results& results, const std::string& path) {
  const auto file = create_result_file(path);
  file->begin(results);
  file->finish(results);
}

}  // namespace driftless
