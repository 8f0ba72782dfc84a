// Text of variable length stands in global heaps of an HDF5 file, which have no checksums, and the library trusts the lengths
// written there. Results have text of fixed length; files of older programs are looked through before they are read.
//   collection   "GCOL", version 1, 3 zeros, size of all of it (8 bytes); objects; nothing, or free space to the end         (1)
//   object       index, references (2 bytes each), 4 zeros, size (8), text, filled up to 8 bytes; index 0: free space         (2)
//                                                                        HDF5 File Format Specification 3.0, III.E
#pragma once

#include <string>

namespace driftless::h5 {

// Whether every object of every global heap lies within its collection and is text without a zero. False, too, if the file
// cannot be read.
bool global_heaps_are_sound(const std::string& path);

}  // namespace driftless::h5
