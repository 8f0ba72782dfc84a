// The bytes HDF5 makes of a file, in memory, at addresses of our choosing: a file driver that never touches the disk.
//
// A result file that grows must be whole at every moment, whatever kills the program. So what is in the file is never
// written over: each time it is brought up to date, its structure (superblock, headers, indices, small arrays) is made
// anew, at free places of the file, round chunks of records that stay where they are. All of it goes to the disk, and
// then one write of 48 bytes, the superblock, makes the new structure the file's. Only after that the places of the old
// structure are free. HDF5 itself sees a new file each time, and is told where the chunks are that were written before.
// For src/driftless/io only.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "driftless/io/hdf5/hdf5_access.hpp"

namespace driftless::h5 {

// What is free in a growing file. The first bytes belong to the superblock.
class Places {
 public:
  haddr_t take(hsize_t size);  // the first gap that is large enough, else the end
  void release(haddr_t address, hsize_t size);
  haddr_t end() const { return end_; }
  hsize_t unused() const;

 private:
  std::map<haddr_t, hsize_t> gaps_;  // by address, none beside another
  haddr_t end_ = 512;
};

// One structure of the file. HDF5 calls the lower half; it is never refused anything, because the library (1.10) does
// not survive a refusal at its end: `failed` says that memory ran out and the image is worth nothing.
class Image {
 public:
  explicit Image(Places& places) : places_(&places) {}

  // A new HDF5 file whose bytes come to this image, in the format of HDF5 1.8: every reader of today knows it, and unlike
  // older ones it has checksums on its structure.
  Handle create_file();
  // The next raw data HDF5 asks room for have been written before, there.
  void place_next(haddr_t address) { placed_ = address; }
  bool was_placed() const { return !placed_; }  // it has asked

  bool failed() const { return failed_; }
  const std::map<haddr_t, std::vector<char>>& pieces() const { return pieces_; }  // the superblock is at 0

  haddr_t allocate(H5FD_mem_t type, hsize_t size) noexcept;
  void write(haddr_t address, std::span<const char> bytes) noexcept;
  void read(haddr_t address, std::span<char> bytes) const noexcept;
  haddr_t end() const { return pieces_.empty() ? 0 : places_->end(); }

 private:
  Places* places_;
  std::map<haddr_t, std::vector<char>> pieces_;
  std::optional<haddr_t> placed_;
  bool failed_ = false;
};

}  // namespace driftless::h5
