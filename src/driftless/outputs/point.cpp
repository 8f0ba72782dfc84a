// Place, velocity or acceleration of a point in the world.
#include "driftless/outputs/motion.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_point_output(const Element& output, const OutputContext<D>& context, std::string&) {
  return point_channel<D>(output.get<std::string>("component"),
                          context.expansion.point(output.get<PointRef>("point")));
}

}  // namespace

const OutputRecord& point_output() {
  static const OutputRecord record = {
      {"point",
       "place, velocity or acceleration of a point in the world",
       {{"point", FieldKind::point, true, {}, "", "the point", {}},
        choice_field("component", "coordinate (m), velocity (m/s) or acceleration (m/s^2)",
                     {"x", "y", "vx", "vy", "ax", "ay"}, Spaces::planar),
        choice_field("component", "coordinate (m), velocity (m/s) or acceleration (m/s^2)",
                     {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"}, Spaces::spatial)}},
      compile_point_output<2>,
      compile_point_output<3>};
  return record;
}

}  // namespace driftless
