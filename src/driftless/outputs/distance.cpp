// Distance of two points and its rate:  ℓ = |d|,  ℓ̇ = d·ḋ/ℓ,  d = p_b − p_a; of points that coincide the rate is |ḋ|.          (1)
#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_distance_output(const Element& output,
                                         const OutputContext<D>& context,
                                         std::string&) {
  const PointOf<D> a = context.expansion.point(output.get<PointRef>("a"));
  const PointOf<D> b = context.expansion.point(output.get<PointRef>("b"));
  OutputChannel<D> channel;
  if (output.has("value") && output.get<std::string>("value") == "rate") {
    channel.unit = "m/s";
    channel.measure = [a, b](const MotionOf<D>& motion) {
      const VecOf<double, D> d = motion.place(b) - motion.place(a);
      const VecOf<double, D> rate = motion.velocity(b) - motion.velocity(a);
      const double length = d.norm();
      return length > 0 ? d.dot(rate) / length : rate.norm();
    };
  } else {
    channel.unit = "m";
    channel.measure = [a, b](const MotionOf<D>& motion) {
      return (motion.place(b) - motion.place(a)).norm();
    };
  }
  return channel;
}

}  // namespace

const OutputRecord& distance_output() {
  static const OutputRecord record = {{"distance",
                                       "distance of two points, or its rate",
                                       {{"a", FieldKind::point, true, {}, "", "first point", {}},
                                        {"b", FieldKind::point, true, {}, "", "second point", {}},
                                        {"value",
                                         FieldKind::choice,
                                         false,
                                         FieldValue(std::string("distance")),
                                         "",
                                         "the distance (m) or its rate (m/s)",
                                         {"distance", "rate"}}}},
                                      compile_distance_output<2>,
                                      compile_distance_output<3>};
  return record;
}

}  // namespace driftless
