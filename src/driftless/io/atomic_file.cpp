#include "driftless/io/atomic_file.hpp"

#include <algorithm>

#include "driftless/io/hidden_file.hpp"

namespace driftless {

AtomicFile::AtomicFile(const std::string& path)
    : target_(link_target(path)), file_(std::make_unique<HiddenFile>(path, target_)) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
  file_->write_at(size_, bytes);
  size_ += bytes.size();
}

void AtomicFile::copy(const HiddenFile& from, std::size_t offset, std::size_t size) {
  constexpr std::size_t kAtATime = 1 << 20;
  for (std::size_t done = 0; done < size; done += kAtATime)
    write(from.read_at(offset + done, std::min(kAtATime, size - done)));
}

void AtomicFile::commit() {
  file_->synchronise();
  file_->appear_as(target_);
  synchronise_folder_of(target_);
}

}  // namespace driftless
