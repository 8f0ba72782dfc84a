#include "driftless/io/hdf5/hdf5_image.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

namespace driftless::h5 {
namespace {

constexpr hsize_t kAlignment = 8;

// Never quite up to the next piece: HDF5 would make one of neighbours it has freed, or go on beyond the last one's end.
hsize_t rounded(hsize_t size) { return (size / kAlignment + 1) * kAlignment; }

// Where `size` bytes at an address meet pieces: (place in the piece, place in the bytes, how many).
template <class Pieces, class Visit>
void for_each_overlap(Pieces& pieces, haddr_t address, size_t size, Visit visit) {
  const haddr_t end = address + size;
  auto piece = pieces.upper_bound(address);
  if (piece != pieces.begin()) --piece;
  for (; piece != pieces.end() && piece->first < end; ++piece) {
    const haddr_t from = std::max(address, piece->first);
    const haddr_t to = std::min(end, piece->first + piece->second.size());
    if (from < to) visit(piece->second.data() + (from - piece->first), from - address, to - from);
  }
}

// ---- the driver: C functions round an Image -------------------------------------------------------------------------

struct DriverFile {
  H5FD_t base;  // first, as HDF5 wants it
  Image* image;
};

Image& image_of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file)->image; }

H5FD_t* open_image(const char*, unsigned, hid_t access, haddr_t) {
  const auto* image = static_cast<Image* const*>(H5Pget_driver_info(access));
  auto* file = static_cast<DriverFile*>(std::calloc(1, sizeof(DriverFile)));
  if (image == nullptr || file == nullptr) {
    std::free(file);
    return nullptr;
  }
  file->image = *image;
  return &file->base;
}

herr_t close_image(H5FD_t* file) {
  std::free(file);
  return 0;
}

herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = 0;  // neither are allocations gathered into larger ones, nor writes
  return 0;
}

haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  return image_of(file).allocate(type, size);
}

haddr_t end_of_image(const H5FD_t* file, H5FD_mem_t) { return image_of(file).end(); }

herr_t ignore_end(H5FD_t*, H5FD_mem_t, haddr_t) { return 0; }  // the end is that of the places

herr_t read_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* bytes) {
  image_of(file).read(address, {static_cast<char*>(bytes), size});
  return 0;
}

herr_t write_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* bytes) {
  image_of(file).write(address, {static_cast<const char*>(bytes), size});
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(511);  // of those that need no registration
#endif
  driver.name = "driftless-image";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Image*);
  driver.open = open_image;
  driver.close = close_image;
  driver.query = query_features;
  driver.alloc = allocate;
  driver.get_eoa = end_of_image;
  driver.set_eoa = ignore_end;
  driver.get_eof = end_of_image;
  driver.read = read_image;
  driver.write = write_image;
  const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
  return driver;
}

}  // namespace

haddr_t Places::take(hsize_t size) {
  size = rounded(size);
  const auto gap =
      std::find_if(gaps_.begin(), gaps_.end(), [&](const auto& entry) { return entry.second >= size; });
  if (gap == gaps_.end()) {
    const haddr_t address = end_;
    end_ += size;
    return address;
  }
  const auto [address, room] = *gap;
  gaps_.erase(gap);
  if (room > size) gaps_[address + size] = room - size;
  return address;
}

void Places::release(haddr_t address, hsize_t size) {
  size = rounded(size);
  auto next = gaps_.lower_bound(address);
  if (next != gaps_.end() && address + size == next->first) {
    size += next->second;
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin())
    if (const auto before = std::prev(next); before->first + before->second == address) {
      before->second += size;
      return;
    }
  gaps_.emplace_hint(next, address, size);
}

hsize_t Places::unused() const {
  hsize_t sum = 0;
  for (const auto& [address, size] : gaps_) sum += size;
  return sum;
}

Handle Image::create_file() {
  const H5FD_class_t driver = driver_class();
  const Handle registered(H5FDregister(&driver), H5FDunregister, "prepare a file");
  Image* self = this;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare a file");
  if (H5Pset_driver(access.id(), registered.id(), &self) < 0 ||
      H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18) < 0)
    throw Failure("cannot prepare a file");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "prepare a file");
  if (H5Pset_obj_track_times(creation.id(), false) < 0 ||
      H5Pset_attr_phase_change(creation.id(), 0, 0) < 0)  // long attributes
    throw Failure("cannot prepare a file");
  return {H5Fcreate("results", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "create the file"};
}

haddr_t Image::allocate(H5FD_mem_t type, hsize_t size) noexcept {
  if (type == H5FD_MEM_DRAW && placed_) return *std::exchange(placed_, {});
  try {
    const haddr_t address = pieces_.empty() ? 0 : places_->take(size);  // the superblock comes first
    pieces_[address].resize(size);
    return address;
  } catch (const std::bad_alloc&) {
    failed_ = true;
    return 0;
  }
}

// What is in no piece is in the file already.
void Image::write(haddr_t address, std::span<const char> bytes) noexcept {
  for_each_overlap(pieces_, address, bytes.size(), [&](char* piece, size_t from, size_t size) {
    std::memcpy(piece, bytes.data() + from, size);
  });
}

// HDF5 may look at more than it has written: what is between the pieces is nothing to it.
void Image::read(haddr_t address, std::span<char> bytes) const noexcept {
  std::fill(bytes.begin(), bytes.end(), '\0');
  for_each_overlap(pieces_, address, bytes.size(), [&](const char* piece, size_t from, size_t size) {
    std::memcpy(bytes.data() + from, piece, size);
  });
}

}  // namespace driftless::h5
