// An array that grows by rows: full chunks go into the file once, as the filters leave them, and stay where they are; the
// rest waits in memory and is part of every structure of the file (see hdf5_image.hpp). For src/driftless/io only.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/io/hdf5/hdf5_image.hpp"

namespace driftless::h5 {

class GrowingArray {
 public:
  // Puts bytes into the file and says where.
  using Store = std::function<haddr_t(std::span<const char> bytes)>;

  // `row`: extents of one row, none for single numbers. `scratch`: a file to let the filters work in, shared by arrays.
  GrowingArray(std::string name, std::vector<hsize_t> row, hid_t scratch);

  void append(std::span<const double> values, const Store& store);
  // NaN in place of what is missing up to so many rows.
  void fill_up(hsize_t rows, const Store& store);

  // Where its chunks are in the file, and elsewhere.
  struct Chunk {
    haddr_t address;
    hsize_t size;
    unsigned unfiltered;  // mask of filters that were left out
  };
  const std::vector<Chunk>& chunks() const { return chunks_; }
  void move_chunks(std::vector<Chunk> to) { chunks_ = std::move(to); }

  // The dataset with so many rows (those it has: rows may be of nothing), in an image. What waits is left as it is unless
  // it is the last time: the filters take time.
  void write(hid_t parent, Image& image, hsize_t rows, bool last) const;

 private:
  hsize_t waiting_rows() const { return waiting_.size() / row_size_; }
  std::vector<hsize_t> extents(hsize_t rows) const;
  void encode(const Store& store);
  void write_waiting(const Handle& set, const std::vector<hsize_t>& dims, bool last) const;

  std::string name_;
  std::vector<hsize_t> row_;
  hsize_t row_size_;    // numbers
  hsize_t chunk_rows_;  // of a full one
  hid_t scratch_;
  std::vector<Handle> encoder_;  // a dataset of one chunk; none before it is needed
  std::vector<Chunk> chunks_;
  std::vector<double> waiting_;
};

}  // namespace driftless::h5
