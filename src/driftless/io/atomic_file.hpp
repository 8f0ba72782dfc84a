// A file that appears at its path complete or not at all: written without a name beside its target, synchronised to the
// disk, then put in its place. A reader never sees half a file, a failed write leaves the old one as it was, and a
// program that is killed leaves nothing. A symbolic link stays one: what it points at is replaced.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace driftless {

class HiddenFile;

class AtomicFile {
 public:
  // std::runtime_error with path and reason, here and below: folders that cannot be written, files that are read-only.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);                                       // behind what was written
  void copy(const HiddenFile& from, std::size_t offset, std::size_t size);  // the same, from another file
  void commit();

 private:
  std::string target_;
  std::unique_ptr<HiddenFile> file_;
  std::size_t size_ = 0;
};

}  // namespace driftless
