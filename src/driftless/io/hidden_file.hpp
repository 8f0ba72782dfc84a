// A file without a name (O_TMPFILE): it vanishes with the program until it is given one. Where the file system has none
// of that kind it is ".name.tmp-PID" beside its target. For src/driftless/io only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace driftless {

// Where a path leads: the target of a symbolic link, which may not exist yet.
std::string link_target(const std::string& path);

class HiddenFile {
 public:
  // In the folder of `target`, with the mode (and, where that is allowed, the owner) of what is there now; a file of
  // that name that may not be written is refused as it would be by an ordinary program. `shown`: its name in messages,
  // std::runtime_error "shown: cannot be written: reason" here and below.
  HiddenFile(std::string shown, const std::string& target);
  ~HiddenFile();
  HiddenFile(const HiddenFile&) = delete;
  HiddenFile& operator=(const HiddenFile&) = delete;

  int descriptor() const { return descriptor_; }
  void write_at(std::uint64_t offset, std::string_view bytes);
  std::string read_at(std::uint64_t offset, std::size_t size) const;
  void set_size(std::uint64_t size);
  void synchronise();                       // to the disk
  void appear_as(const std::string& name);  // once; takes the place of what has that name
  [[noreturn]] void fail(int error) const;

 private:
  std::string free_name(const std::string& target) const;

  std::string shown_;
  std::string temporary_;  // its name for now; empty: none
  int descriptor_ = -1;
};

// The entry of a folder itself, after a file appeared in it; best effort.
void synchronise_folder_of(const std::string& path);

}  // namespace driftless
