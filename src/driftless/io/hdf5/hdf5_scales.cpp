#include "driftless/io/hdf5/hdf5_scales.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace driftless::h5 {
namespace {

struct User {  // an entry of a REFERENCE_LIST
  hobj_ref_t dataset;
  int axis;
  int nothing;  // equal results give equal files
};

void check(herr_t status) {
  if (status < 0) throw Failure("cannot name the axes of a dataset");
}

std::vector<hsize_t> extents(hid_t set) {
  const Handle space(H5Dget_space(set), H5Sclose, "read the size of an array");
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> dims(static_cast<size_t>(std::max(rank, 0)));
  if (rank > 0) check(H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr));
  return dims;
}

Handle open(hid_t file, const std::string& path) {
  return {H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, fmt::format("open dataset '{}'", path)};
}

hobj_ref_t reference(hid_t file, const std::string& path) {
  hobj_ref_t result = 0;
  check(H5Rcreate(&result, file, path.c_str(), H5R_OBJECT, -1));
  return result;
}

// The library looks for text that ends with a zero.
void write_word(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), text.size() + 1));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "describe a text");
  const Handle attribute(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "create an attribute");
  check(H5Awrite(attribute.id(), type.id(), text.c_str()));
}

void write_list(hid_t object, const char* name, hid_t type, const void* data, hsize_t count) {
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "describe an array");
  const Handle attribute(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "create an attribute");
  check(H5Awrite(attribute.id(), type, data));
}

void write_users(hid_t scale, const std::vector<User>& users) {
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(User)), H5Tclose, "make a type");
  check(H5Tinsert(type.id(), "dataset", HOFFSET(User, dataset), H5T_STD_REF_OBJ));
  check(H5Tinsert(type.id(), "dimension", HOFFSET(User, axis), H5T_NATIVE_INT));
  write_list(scale, "REFERENCE_LIST", type.id(), users.data(), users.size());
}

void write_axes(hid_t dataset, std::vector<hobj_ref_t>& scales) {
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "make a type");
  std::vector<hvl_t> axes;
  for (hobj_ref_t& scale : scales) axes.push_back({1, &scale});
  write_list(dataset, "DIMENSION_LIST", type.id(), axes.data(), axes.size());
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void Dimensions::write(hid_t file) const {
  std::map<std::string, std::string> scales;  // and their names
  std::map<std::string, hsize_t> sizes;
  for (const auto& [path, size] : plain_) {
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "describe an array");
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
    check(H5Pset_obj_track_times(properties.id(), false));
    const Handle set(
        H5Dcreate2(file, path.c_str(), H5T_IEEE_F32BE, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
        H5Dclose, fmt::format("create dataset '{}'", path));  // never written: it takes no room
    // The words by which netCDF knows them (netCDF-4 format specification, "dimension without variable").
    scales[path] = fmt::format("This is a netCDF dimension but not a netCDF variable. {:10}", size);
    sizes[path] = size;
  }
  for (const auto& [path, axes] : datasets_)
    if (axes.size() == 1 && axes[0] == path && has_object(file, path)) {
      scales[path] = last_name(path);
      sizes[path] = extents(open(file, path).id()).at(0);
    }
  std::map<std::string, std::vector<User>> users;
  for (const auto& [path, axes] : datasets_) {
    if (scales.contains(path) || !has_object(file, path)) continue;
    const Handle set = open(file, path);
    const std::vector<hsize_t> dims = extents(set.id());
    bool fits = dims.size() == axes.size();
    for (size_t i = 0; fits && i < dims.size(); ++i)
      fits = scales.contains(axes[i]) && sizes[axes[i]] == dims[i];
    if (!fits) {
      if (dims.size() == 1) scales[path] = last_name(path);
      continue;
    }
    std::vector<hobj_ref_t> references;
    for (size_t i = 0; i < axes.size(); ++i) {
      references.push_back(reference(file, axes[i]));
      users[axes[i]].push_back({reference(file, path), static_cast<int>(i), 0});
    }
    write_axes(set.id(), references);
  }
  for (const auto& [path, name] : scales) {
    const Handle set = open(file, path);
    write_word(set.id(), "CLASS", "DIMENSION_SCALE");
    write_word(set.id(), "NAME", name);
    if (const auto found = users.find(path); found != users.end()) write_users(set.id(), found->second);
  }
}

}  // namespace driftless::h5
