#include "driftless/io/hdf5/hdf5_access.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <zlib.h>

#include <fmt/format.h>

#include "driftless/io/hdf5/hdf5_heaps.hpp"

namespace driftless::h5 {
namespace {

constexpr hsize_t kChunkBytes = 256 * 1024;
constexpr hsize_t kCompressFrom = 16 * 1024;  // bytes; below it a chunk is not worth the filter
constexpr unsigned kDeflateLevel = 4;
constexpr size_t kMemoryIncrement = 1024 * 1024;

herr_t keep_description(unsigned, const H5E_error2_t* error, void* reason) {
  if (error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
  return 1;  // the first is the innermost: enough
}

[[noreturn]] void fail(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, &reason);
  throw Failure(reason.empty() ? fmt::format("cannot {}", what)
                               : fmt::format("cannot {} ({})", what, reason));
}

void check(herr_t status, const std::string& what) {
  if (status < 0) fail(what);
}

Handle simple_space(const std::vector<hsize_t>& dims) {
  const hid_t id = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
  return {id, H5Sclose, "describe an array"};
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "describe a number"}; }

hsize_t product(const std::vector<hsize_t>& dims) {
  hsize_t count = 1;
  for (const hsize_t d : dims) {
    if (d != 0 && count > std::numeric_limits<hsize_t>::max() / d)
      throw Failure("an array is impossibly large");
    count *= d;
  }
  return count;
}

// Chunks of whole rows. An empty array has no chunks.
Handle dataset_properties(const std::vector<hsize_t>& dims, size_t element_size) {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
  check(H5Pset_obj_track_times(list.id(), false), "switch off times");
  const hsize_t count = product(dims);
  if (dims.empty() || count == 0) return list;
  std::vector<hsize_t> chunk = dims;
  const hsize_t row_bytes = std::max<hsize_t>(count / dims[0] * element_size, 1);
  chunk[0] = std::min(rows_of_chunk(row_bytes), dims[0]);
  check(H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data()), "set the chunk size");
  if (count * element_size >= kCompressFrom && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    check(H5Pset_shuffle(list.id()), "set the shuffle filter");
    check(H5Pset_deflate(list.id(), kDeflateLevel), "set the compression");
  }
  check(H5Pset_fletcher32(list.id()), "set the checksum");
  return list;
}

void write_dataset(
    hid_t parent, const std::string& name, hid_t type, const void* data, const std::vector<hsize_t>& dims) {
  const Handle set = create_dataset(parent, name, type, dims);
  if (product(dims) == 0) return;
  check(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
        fmt::format("write dataset '{}'", name));
}

Handle text_type(size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), size), "size a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "make a text type UTF-8");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "pad a text type");
  return type;
}

Handle variable_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "size a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "make a text type UTF-8");
  return type;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* data) {
  const Handle space = scalar_space();
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, fmt::format("create attribute '{}'", name));
  check(H5Awrite(attribute.id(), type, data), fmt::format("write attribute '{}'", name));
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, fmt::format("read attribute '{}'", name)};
}

void require_scalar(const Handle& attribute, const std::string& name, H5T_class_t kind) {
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, fmt::format("read attribute '{}'", name));
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, fmt::format("read attribute '{}'", name));
  if (H5Tget_class(type.id()) != kind || H5Sget_simple_extent_npoints(space.id()) != 1)
    throw Failure(fmt::format("attribute '{}' is not of the kind expected", name));
}

std::vector<hsize_t> dims_of(const Handle& space, const std::string& name) {
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) fail(fmt::format("read dataset '{}'", name));
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  if (rank > 0)
    check(H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr), "read the size of an array");
  return dims;
}

// `or_kind`: another that will do.
Handle open_dataset(hid_t parent,
                    const std::string& name,
                    H5T_class_t kind,
                    H5T_class_t or_kind = H5T_NO_CLASS) {
  if (!has_object(parent, name)) throw Failure(fmt::format("there is no dataset '{}'", name));
  Handle set(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, fmt::format("open dataset '{}'", name));
  const Handle type(H5Dget_type(set.id()), H5Tclose, fmt::format("read dataset '{}'", name));
  if (const H5T_class_t own = H5Tget_class(type.id()); own != kind && own != or_kind)
    throw Failure(fmt::format("dataset '{}' is not of the kind expected: {}", name,
                              kind == H5T_STRING ? "text" : "numbers"));
  return set;
}

hsize_t file_size(const Handle& object) {
  const Handle file(H5Iget_file_id(object.id()), H5Fclose, "find the file of an object");
  hsize_t size = 0;
  check(H5Fget_filesize(file.id(), &size), "read the size of the file");
  return size;
}

// Of text: every letter, and where one ends. As much of it as HDF5 keeps, up to a zero.
constexpr const char* kChecksum = "crc32";
long checksum(std::span<const std::string> values) {
  uLong sum = crc32(0, nullptr, 0);
  for (const std::string& value : values)
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(value.c_str()), std::strlen(value.c_str()) + 1);
  return static_cast<long>(sum);
}

bool is_variable(const Handle& set, const std::string& name) {
  const Handle type(H5Dget_type(set.id()), H5Tclose, fmt::format("read dataset '{}'", name));
  const htri_t answer = H5Tis_variable_str(type.id());
  if (answer < 0) fail(fmt::format("read dataset '{}'", name));
  return answer > 0;
}

std::string path_of(const Handle& object) {
  const Handle file(H5Iget_file_id(object.id()), H5Fclose, "find the file of an object");
  const ssize_t length = H5Fget_name(file.id(), nullptr, 0);
  if (length < 0) fail("find the name of the file");
  std::string path(static_cast<size_t>(length), '\0');
  H5Fget_name(file.id(), path.data(), path.size() + 1);
  return path;
}

// Files of format version 1 written before text had a fixed length: before HDF5 reads it.
void require_sound_heaps(const Handle& object) {
  if (!global_heaps_are_sound(path_of(object))) throw Failure("text in it is damaged");
}

// Without the library's help, which trusts what heaps say of themselves.
std::vector<std::string> read_variable_strings(const Handle& set, const std::string& name) {
  const Handle space(H5Dget_space(set.id()), H5Sclose, fmt::format("read dataset '{}'", name));
  const hsize_t count = product(dims_of(space, name));
  std::vector<std::string> values;
  if (count > 0) {
    const haddr_t at = H5Dget_offset(set.id());
    if (at == HADDR_UNDEF) throw Failure(fmt::format("dataset '{}' is not of the kind expected", name));
    auto found = HeapReader(path_of(set)).texts(at, count);
    if (!found) throw Failure(fmt::format("text of dataset '{}' is damaged", name));
    values = std::move(*found);
  }
  if (has_attribute(set.id(), kChecksum) && read_integer(set.id(), kChecksum) != checksum(values))
    throw Failure(fmt::format("text of dataset '{}' is damaged", name));
  return values;
}

// Memory for what a dataset claims to hold. A damaged file may claim anything, but deflate never shrinks by more than
// 1032, so what is stored bounds what can come out.
template <class T>
std::vector<T> room_for(const Handle& set, hsize_t count, const std::string& name) {
  constexpr hsize_t kMostExpansion = 1100;
  const hsize_t stored = std::min(H5Dget_storage_size(set.id()), file_size(set));
  if (count / kMostExpansion > stored / sizeof(T) || (count > 0 && stored == 0))
    throw Failure(fmt::format("dataset '{}' claims {} entries in {} bytes", name, count, stored));
  return std::vector<T>(count);
}

}  // namespace

SilentErrors::SilentErrors() {
  if (H5open() < 0) throw Failure("the HDF5 library does not start");
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentErrors::~SilentErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle::Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) fail(what);
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

// ---- writing --------------------------------------------------------------------------------------------------------

Handle create_file_in_memory(const std::string& name) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare a file");
  check(H5Pset_fapl_core(access.id(), kMemoryIncrement, /*backing_store=*/false), "keep a file in memory");
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, "create the file"};
}

hsize_t rows_of_chunk(hsize_t row_bytes) {
  return std::max<hsize_t>(kChunkBytes / std::max<hsize_t>(row_bytes, 1), 1);
}

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& dims) {
  const Handle space = simple_space(dims);
  const Handle properties = dataset_properties(dims, H5Tget_size(type));
  return {H5Dcreate2(parent, name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
          H5Dclose, fmt::format("create dataset '{}'", name)};
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "prepare a group");
  check(H5Pset_obj_track_times(properties.id(), false), "switch off times");
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose,
          fmt::format("create group '{}'", name)};
}

void write_numbers(hid_t parent,
                   const std::string& name,
                   std::span<const double> values,
                   const std::vector<hsize_t>& dims) {
  if (product(dims) != values.size())
    throw Failure(
        fmt::format("dataset '{}' has {} values for {} places", name, values.size(), product(dims)));
  write_dataset(parent, name, H5T_NATIVE_DOUBLE, values.data(), dims);
}

void write_strings(hid_t parent, const std::string& name, std::span<const std::string> values) {
  const Handle type = variable_text_type();
  const Handle space = simple_space({values.size()});
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
  check(H5Pset_obj_track_times(properties.id(), false), "switch off times");
  const Handle set(
      H5Dcreate2(parent, name.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      H5Dclose, fmt::format("create dataset '{}'", name));
  std::vector<const char*> text;
  for (const std::string& value : values) text.push_back(value.c_str());
  if (!values.empty())
    check(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
          fmt::format("write dataset '{}'", name));
  write_attribute(set.id(), kChecksum, checksum(values));
}

// Text of fixed length must fit the header of its object, 64 kB; longer text stands in a heap.
constexpr size_t kLongestFixed = 60'000;

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  if (text.size() > kLongestFixed) {
    const char* data = text.c_str();
    write_attribute(object, name, variable_text_type().id(), &data);
    return;
  }
  const std::string padded = text.empty() ? std::string(1, '\0') : text;  // the type has at least one byte
  write_attribute(object, name, text_type(padded.size()).id(), padded.data());
}

void write_attribute(hid_t object, const std::string& name, double number) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, &number);
}

void write_attribute(hid_t object, const std::string& name, long number) {
  write_attribute(object, name, H5T_NATIVE_LONG, &number);
}

// ---- reading --------------------------------------------------------------------------------------------------------

Handle open_file(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it as HDF5"};
}

bool has_object(hid_t parent, const std::string& name) {
  return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0 &&
         H5Oexists_by_name(parent, name.c_str(), H5P_DEFAULT) > 0;
}

bool has_attribute(hid_t object, const std::string& name) { return H5Aexists(object, name.c_str()) > 0; }

Handle open_group(hid_t parent, const std::string& name) {
  if (!has_object(parent, name)) throw Failure(fmt::format("there is no group '{}'", name));
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, fmt::format("open group '{}'", name)};
}

Array read_numbers(hid_t parent, const std::string& name) {
  const Handle set = open_dataset(parent, name, H5T_FLOAT, H5T_INTEGER);
  const Handle space(H5Dget_space(set.id()), H5Sclose, fmt::format("read dataset '{}'", name));
  Array array{dims_of(space, name), {}};
  array.values = room_for<double>(set, product(array.dims), name);
  if (!array.values.empty())
    check(H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()),
          fmt::format("read dataset '{}'", name));
  return array;
}

std::vector<std::string> read_strings(hid_t parent, const std::string& name) {
  const Handle set = open_dataset(parent, name, H5T_STRING);
  if (is_variable(set, name)) return read_variable_strings(set, name);
  const Handle type(H5Dget_type(set.id()), H5Tclose, fmt::format("read dataset '{}'", name));
  const Handle space(H5Dget_space(set.id()), H5Sclose, fmt::format("read dataset '{}'", name));
  const size_t width = H5Tget_size(type.id());
  if (width == 0) throw Failure(fmt::format("dataset '{}' is not of the kind expected", name));
  const hsize_t count = product(dims_of(space, name));
  std::vector<char> text = room_for<char>(set, product({count, width}), name);
  if (count > 0)
    check(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
          fmt::format("read dataset '{}'", name));
  std::vector<std::string> values;
  for (hsize_t i = 0; i < count; ++i) {
    const char* begin = text.data() + i * width;
    values.emplace_back(begin, strnlen(begin, width));
  }
  return values;
}

std::string read_text(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  require_scalar(attribute, name, H5T_STRING);
  const Handle stored(H5Aget_type(attribute.id()), H5Tclose, fmt::format("read attribute '{}'", name));
  const htri_t is_variable = H5Tis_variable_str(stored.id());
  if (is_variable < 0) fail(fmt::format("read attribute '{}'", name));
  if (is_variable == 0) {
    const size_t size = H5Tget_size(stored.id());
    if (size == 0 || size > file_size(attribute))
      throw Failure(fmt::format("attribute '{}' claims {} bytes", name, size));
    std::string text(size, '\0');
    check(H5Aread(attribute.id(), text_type(size).id(), text.data()),
          fmt::format("read attribute '{}'", name));
    text.resize(strnlen(text.data(), size));
    return text;
  }
  require_sound_heaps(attribute);
  char* data = nullptr;
  check(H5Aread(attribute.id(), variable_text_type().id(), &data), fmt::format("read attribute '{}'", name));
  const std::unique_ptr<char, herr_t (*)(void*)> owner(data, H5free_memory);
  return data == nullptr ? std::string() : std::string(data);
}

double read_number(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  require_scalar(attribute, name, H5T_FLOAT);
  double number = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &number), fmt::format("read attribute '{}'", name));
  return number;
}

long read_integer(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  require_scalar(attribute, name, H5T_INTEGER);
  long number = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_LONG, &number), fmt::format("read attribute '{}'", name));
  return number;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), "list the attributes");
  return names;
}

std::vector<std::string> object_names(hid_t group) {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), "list a group");
  return names;
}

}  // namespace driftless::h5
