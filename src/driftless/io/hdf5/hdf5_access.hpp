// The few things we ask of HDF5 (serial C API), each with its errors checked and its identifiers closed.
// Objects carry no times, so equal results give equal files. For src/driftless/io only.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace driftless::h5 {

// What went wrong, in words and with the library's own reason.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The library prints its error stack to stderr unless told otherwise: silent while this lives.
class SilentErrors {
 public:
  SilentErrors();
  ~SilentErrors();
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// An identifier and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id,
         Close close,
         const std::string& what);  // Failure("cannot " + what) if the identifier is invalid
  ~Handle();
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  hid_t id() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// ---- writing --------------------------------------------------------------------------------------------------------

// To try things in; it never gets to the disk. The name must be no other open file's.
Handle create_file_in_memory(const std::string& name);

// `dims` may contain zeros. Chunks are of whole rows, large arrays are compressed, all have checksums.
Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& dims);
hsize_t rows_of_chunk(hsize_t row_bytes);  // of an array that has that many

Handle create_group(hid_t parent, const std::string& name);
void write_numbers(hid_t parent,
                   const std::string& name,
                   std::span<const double> values,
                   const std::vector<hsize_t>& dims);
// Of variable length, as netCDF wants them, with a checksum (attribute crc32): heaps have none.
void write_strings(hid_t parent, const std::string& name, std::span<const std::string> values);
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, double number);
void write_attribute(hid_t object, const std::string& name, long number);

// ---- reading --------------------------------------------------------------------------------------------------------

struct Array {
  std::vector<hsize_t> dims;
  std::vector<double> values;
};

Handle open_file(const std::string& path);
bool has_object(hid_t parent, const std::string& name);
bool has_attribute(hid_t object, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
Array read_numbers(hid_t parent, const std::string& name);
std::vector<std::string> read_strings(hid_t parent, const std::string& name);
// Attributes of an object.
std::string read_text(hid_t object, const std::string& name);
double read_number(hid_t object, const std::string& name);
long read_integer(hid_t object, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);
std::vector<std::string> object_names(hid_t group);

}  // namespace driftless::h5
