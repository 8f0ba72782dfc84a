#include "driftless/io/hdf5/hdf5_array.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace driftless::h5 {
namespace {

constexpr uint32_t kNoFilters = 7;  // a bit for each of those a dataset may have: shuffle, deflate, checksum

void require_written(herr_t status, const std::string& name) {
  if (status < 0) throw Failure(fmt::format("cannot write dataset '{}'", name));
}

}  // namespace

GrowingArray::GrowingArray(std::string name, std::vector<hsize_t> row, hid_t scratch)
    : name_(std::move(name)),
      row_(std::move(row)),
      row_size_(std::accumulate(row_.begin(), row_.end(), hsize_t{1}, std::multiplies<>())),
      chunk_rows_(rows_of_chunk(row_size_ * sizeof(double))),
      scratch_(scratch) {}

std::vector<hsize_t> GrowingArray::extents(hsize_t rows) const {
  std::vector<hsize_t> dims{rows};
  dims.insert(dims.end(), row_.begin(), row_.end());
  return dims;
}

void GrowingArray::append(std::span<const double> values, const Store& store) {
  if (row_size_ == 0) return;
  const hsize_t full = chunk_rows_ * row_size_;
  while (!values.empty()) {
    const auto count = std::min<size_t>(values.size(), full - waiting_.size());
    waiting_.insert(waiting_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    values = values.subspan(count);
    if (waiting_.size() == full) encode(store);
  }
}

void GrowingArray::fill_up(hsize_t rows, const Store& store) {
  const std::vector<double> missing(row_size_, std::numeric_limits<double>::quiet_NaN());
  while (row_size_ > 0 && chunks_.size() * chunk_rows_ + waiting_rows() < rows)
    append(std::span(missing).subspan(waiting_.size() % row_size_), store);
}

// The filters are HDF5's own: the chunk is written to a dataset in memory and read back as it is stored there.
void GrowingArray::encode(const Store& store) {
  const std::vector<hsize_t> dims = extents(chunk_rows_);
  if (encoder_.empty()) encoder_.push_back(create_dataset(scratch_, name_, H5T_NATIVE_DOUBLE, dims));
  const hid_t set = encoder_.front().id();
  const std::vector<hsize_t> origin(dims.size(), 0);
  hsize_t size = 0;
  require_written(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, waiting_.data()), name_);
  require_written(H5Dflush(set), name_);
  require_written(H5Dget_chunk_storage_size(set, origin.data(), &size), name_);
  std::vector<char> bytes(size);
  uint32_t unfiltered = 0;
  require_written(H5Dread_chunk(set, H5P_DEFAULT, origin.data(), &unfiltered, bytes.data()), name_);
  chunks_.push_back({store(bytes), size, unfiltered});
  waiting_.clear();
}

void GrowingArray::write(hid_t parent, Image& image, hsize_t rows, bool last) const {
  const std::vector<hsize_t> dims = extents(rows);
  const Handle set = create_dataset(parent, name_, H5T_NATIVE_DOUBLE, dims);
  hsize_t largest = 0;
  for (const Chunk& chunk : chunks_) largest = std::max(largest, chunk.size);
  const std::vector<char> nothing(largest);  // the bytes are there already: the image takes none
  std::vector<hsize_t> offset(dims.size(), 0);
  for (const Chunk& chunk : chunks_) {
    image.place_next(chunk.address);
    require_written(
        H5Dwrite_chunk(set.id(), H5P_DEFAULT, chunk.unfiltered, offset.data(), chunk.size, nothing.data()),
        name_);
    if (!image.was_placed()) throw Failure(fmt::format("cannot place a chunk of dataset '{}'", name_));
    offset[0] += chunk_rows_;
  }
  if (!waiting_.empty()) write_waiting(set, dims, last);
}

void GrowingArray::write_waiting(const Handle& set, const std::vector<hsize_t>& dims, bool last) const {
  std::vector<hsize_t> offset(dims.size(), 0);
  offset[0] = chunks_.size() * chunk_rows_;
  if (!last) {
    std::vector<double> chunk = waiting_;
    if (!chunks_.empty()) chunk.resize(chunk_rows_ * row_size_);
    require_written(H5Dwrite_chunk(set.id(), H5P_DEFAULT, kNoFilters, offset.data(),
                                   chunk.size() * sizeof(double), chunk.data()),
                    name_);
    return;
  }
  const std::vector<hsize_t> count = extents(waiting_rows());
  const int rank = static_cast<int>(count.size());
  const Handle memory(H5Screate_simple(rank, count.data(), nullptr), H5Sclose, "describe an array");
  const Handle place(H5Dget_space(set.id()), H5Sclose, "describe an array");
  require_written(
      H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr), name_);
  require_written(
      H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, memory.id(), place.id(), H5P_DEFAULT, waiting_.data()), name_);
}

}  // namespace driftless::h5
