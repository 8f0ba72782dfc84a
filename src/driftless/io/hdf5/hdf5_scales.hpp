// Dimension scales: which dataset names the axes of which others, as netCDF-4 keeps it, so that xarray, h5netcdf and netCDF
// open a file with named dimensions and coordinates. A scale has the attributes CLASS, NAME and REFERENCE_LIST (who uses it),
// its users a DIMENSION_LIST (a list of references for each axis).      HDF5 Dimension Scale Specification 1.0, §2–3
// For src/driftless only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/io/hdf5/hdf5_access.hpp"

namespace driftless::h5 {

class Dimensions {
 public:
  // Paths from the root. One that names its own only axis is a scale, with coordinates.
  void add(std::string dataset, std::vector<std::string> scales) {
    datasets_.emplace_back(std::move(dataset), std::move(scales));
  }
  void add_scale(const std::string& dataset) { add(dataset, {dataset}); }
  // An axis without coordinates.
  void add_plain(std::string scale, hsize_t size) { plain_.emplace_back(std::move(scale), size); }

  // Once all datasets are there. Those that are not are left out; a vector that does not fit its scale is one by itself.
  void write(hid_t file) const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> datasets_;
  std::vector<std::pair<std::string, hsize_t>> plain_;
};

}  // namespace driftless::h5
