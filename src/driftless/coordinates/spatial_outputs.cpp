// Output channels of spatial models: what can be read off a motion by name. The types are those of planar_outputs.cpp.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/coordinates/spatial_parts.hpp"

namespace driftless {

std::vector<SpatialChannel> compile_spatial_outputs(const Model& model, std::vector<Complaint>&) {
  (void)model;
  return {};
}

}  // namespace driftless
