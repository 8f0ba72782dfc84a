// Relative coordinates: a spanning tree of joints carries the bodies, the joints left over close the loops as rows; see
// planar_relative.hpp and spanning_tree.hpp.
#include "driftless/coordinates/planar_relative.hpp"

namespace driftless {
namespace {

CompiledModel compile_relative(const Model& model, const std::string& source, const Options& options) {
  if (model.space != Space::planar)
    throw InputError(source, Complaint{"space", "'planar' with relative coordinates", "'spatial'",
                                       "use other coordinates: `driftless methods` lists them"});
  return compile_planar_relative(model, source, options);
}

}  // namespace

extern const CoordinatesRecord relative_coordinates;
const CoordinatesRecord relative_coordinates = {
    {"relative", "joint coordinates of a spanning tree; cut joints close the loops as constraint rows",
     "Garcia de Jalon & Bayo 1994, (5.71)-(5.92)", tree_options()},
    &compile_relative};

}  // namespace driftless
