// Relative coordinates: a spanning tree of joints carries the bodies, the joints left over close the loops as rows; see
// relative_system.hpp and spanning_tree.hpp.
#include "driftless/coordinates/relative/relative_system.hpp"

namespace driftless {
namespace {

CompiledModel compile_in_plane_or_space(const Model& model,
                                        const std::string& source,
                                        const Options& options) {
  if (!model.all_rigid())
    return model.space == Space::planar ? compile_relative_flexible<2>(model, source, options)
                                        : compile_relative_flexible<3>(model, source, options);
  return model.space == Space::planar ? compile_relative<2>(model, source, options)
                                      : compile_relative<3>(model, source, options);
}

}  // namespace

extern const CoordinatesRecord relative_coordinates;
const CoordinatesRecord relative_coordinates = {
    {"relative", "joint coordinates of a spanning tree; cut joints close the loops as constraint rows",
     "Garcia de Jalon & Bayo 1994, (5.71)-(5.92)", tree_options()},
    &compile_in_plane_or_space};

}  // namespace driftless
