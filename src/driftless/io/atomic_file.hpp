// A file that appears at its path complete or not at all: written under a temporary name beside the target
// (".name.tmp-PID"), synchronised to the disk, then renamed over it. A reader never sees half a file, and a failed
// write leaves the old one as it was.
#pragma once

#include <string>

namespace driftless {

class AtomicFile {
 public:
  // Creates the empty temporary file; a symbolic link is followed to what it points at.
  // std::runtime_error with path and reason if that is not possible.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();  // removes the temporary file unless commit() was reached
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& temporary() const { return temporary_; }  // write here, close, then commit()
  void commit();                                               // std::runtime_error if the disk refuses

 private:
  std::string target_, temporary_;
  bool committed_ = false;
};

}  // namespace driftless
