// Text of variable length stands in global heaps of an HDF5 file, which have no checksums, and the library trusts the lengths
// written there. So names are read here; long attributes by the library, after a look through all heaps.
//   collection   "GCOL", version 1, 3 zeros, size of all of it (8 bytes); objects; nothing, or free space to the end         (1)
//   object       index, references (2 bytes each), 4 zeros, size (8), text, filled up to 8 bytes; index 0: free space         (2)
//   a text of a dataset: its length (4), address of the collection (8), index of the object (4)                              (3)
//                                                                        HDF5 File Format Specification 3.0, III.E
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace driftless::h5 {

// Whether every object of every global heap lies within its collection and is text without a zero, or a reference of 8 bytes. False, too, if the file
// cannot be read.
bool global_heaps_are_sound(const std::string& path);

// Texts of datasets, as they stand in the file.
class HeapReader {
 public:
  explicit HeapReader(const std::string& path);
  // `count` of them, described (3) at an address of the file; nothing if any of it is impossible.
  std::optional<std::vector<std::string>> texts(std::uint64_t at, std::uint64_t count);

 private:
  using Objects = std::map<std::uint64_t, std::string>;  // by index
  std::optional<std::string> bytes(std::uint64_t at, std::uint64_t count);
  const Objects* collection(std::uint64_t at);

  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::map<std::uint64_t, std::optional<Objects>> known_;
};

}  // namespace driftless::h5
