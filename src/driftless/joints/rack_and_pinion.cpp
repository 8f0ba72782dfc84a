// Rack and pinion: the rack moves along an axis of the carrier as the pinion turns against it.
//   u·(p_rack − p_carrier) − ρ (θ_pinion − θ_carrier) = phase                                                      (1)
// block (5), 1 row. The guide of the rack and the pin of the pinion are joints of their own.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord rack_and_pinion_joint;
const JointRecord rack_and_pinion_joint = {
    .element =
        {"rack-and-pinion",
         "rack and pinion: the rack moves by the radius times the angle of the pinion",
         {point_field("carrier", "point on the body that guides rack and pinion"),
          {"axis",
           FieldKind::direction,
           true,
           {},
           "",
           "direction of the rack's travel for positive pinion angles, in the carrier's frame",
           {}},
          point_field("rack", "point on the rack"),
          body_field("pinion", "the wheel"),
          {"radius", FieldKind::positive, true, {}, "m", "pitch radius of the pinion", {}},
          {"phase",
           FieldKind::number,
           false,
           {},
           "m",
           "rack displacement minus radius times pinion angle; default: as the poses in the file have it",
           {}}}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          Rack rack{{sink.point(joint.get<PointRef>("carrier")), sink.point(joint.get<PointRef>("rack")),
                     joint.get<Vec3>("axis").head<2>().normalized(), TimeFunction()},
                    sink.body(joint.get<std::string>("pinion")),
                    joint.get<double>("radius")};
          const auto& carrier = sink.start(rack.along.a.body);
          const auto d =
              sink.start(rack.along.b.body).point(rack.along.b.at) - carrier.point(rack.along.a.at);
          const double as_drawn = carrier.turn(rack.along.u_body).dot(d) -
                                  rack.radius * (sink.start(rack.pinion).theta - carrier.theta);
          rack.along.f = joint.number("phase", as_drawn);
          sink.add(rack, {"mesh"});
        },
    .second = "rack",
};

}  // namespace driftless
