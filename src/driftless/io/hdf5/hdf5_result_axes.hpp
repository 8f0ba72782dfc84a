// Which datasets of a result file share their axes, for those who open it with xarray or netCDF. For src/driftless/io only.
#pragma once

#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/results/trajectory.hpp"

namespace driftless::hdf5_layout {

// Names the axes of all datasets, once they are there. `steps`: how many the file has.
void write_dimensions(hid_t file, const Trajectory& trajectory, hsize_t steps);

}  // namespace driftless::hdf5_layout
