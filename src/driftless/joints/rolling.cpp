// Rolling without slip, planar: a wheel of the second body rolls on a straight track of the first. With u along the track,
// n across it towards the wheel, s = +1 where n is u turned by +90°, else −1, and d from a point of the track to the centre:
//   n·d = ρ                                                                                                       (1)
//   u·d + s ρ (θ_b − θ_a) = phase              form = holonomic                                                    (2)
//   d/dt of (2) = 0                            form = velocity: the same motion, but nothing holds the phase       (3)
// 2 rows. Unless given, the phase is that of the poses in the file.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord rolling_joint;
const JointRecord rolling_joint = {
    .element = {"rolling",
                "wheel rolling on a straight track without slip",
                {point_field("a", "point of the track"),
                 axis_field(),
                 point_field("b", "centre of the wheel"),
                 {"radius", FieldKind::positive, true, {}, "m", "radius of the wheel", {}},
                 {"form",
                  FieldKind::choice,
                  false,
                  FieldValue(std::string("holonomic")),
                  "",
                  "whether the travel is tied to the angle itself or only to its rate",
                  {"holonomic", "velocity"}},
                 {"phase",
                  FieldKind::number,
                  false,
                  {},
                  "m",
                  "travel plus (wheel on the other side: minus) radius times angle; default: as drawn",
                  {}}},
                Spaces::planar},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          const PointOn a = sink.point(joint.get<PointRef>("a")), b = sink.point(joint.get<PointRef>("b"));
          const Vec2 u = joint.get<Vec3>("axis").head<2>().normalized();
          const auto& track = sink.start(a.body);
          const auto d = sink.start(b.body).point(b.at) - track.point(a.at);
          const double side = track.turn(u).perp().dot(d) < 0 ? -1 : 1;
          const double radius = joint.get<double>("radius");
          sink.add(Along{a, b, side * Vec2(-u.y(), u.x()), TimeFunction(radius)}, {"contact"});  // (1)
          const double as_drawn =
              track.turn(u).dot(d) + side * radius * (sink.start(b.body).theta - track.theta);
          const Rack travel{{a, b, u, TimeFunction(joint.number("phase", as_drawn))}, b.body, -side * radius};
          const bool tied = !joint.has("form") || joint.get<std::string>("form") == "holonomic";
          if (tied)
            sink.add(travel, {"travel"});  // (2)
          else
            sink.add_rate(travel, {"slip"});  // (3)
        },
};

}  // namespace driftless
