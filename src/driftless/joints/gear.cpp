// Gear pair: two wheels roll on each other, both turning on a carrier c.
//   external  ρ_a (θ_a − θ_c) + ρ_b (θ_b − θ_c) = phase,   internal  ρ_a (θ_a − θ_c) − ρ_b (θ_b − θ_c) = phase     (1)
// block (4), 1 row. The wheels' pins on the carrier are joints of their own. Unless given, the phase is that of the
// angles in the file: the teeth mesh as drawn.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord gear_joint;
const JointRecord gear_joint = {
    .element = {"gear",
                "gear pair: two wheels on a common carrier turn in the ratio of their radii",
                {body_field("a", "first wheel"),
                 body_field("b", "second wheel"),
                 {"carrier",
                  FieldKind::body,
                  false,
                  FieldValue(std::string("ground")),
                  "",
                  "body both wheels turn on",
                  {}},
                 {"radius_a", FieldKind::positive, true, {}, "m", "pitch radius of the first wheel", {}},
                 {"radius_b", FieldKind::positive, true, {}, "m", "pitch radius of the second wheel", {}},
                 {"internal",
                  FieldKind::boolean,
                  false,
                  FieldValue(false),
                  "",
                  "one wheel runs inside the other: they turn the same way",
                  {}},
                 {"phase",
                  FieldKind::number,
                  false,
                  {},
                  "m",
                  "radius_a times the angle of the first wheel plus (internal: minus) radius_b times that of "
                  "the second, both against the carrier; default: as drawn",
                  {}}}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          const int a = sink.body(joint.get<std::string>("a")), b = sink.body(joint.get<std::string>("b"));
          const int c = sink.body(joint.has("carrier") ? joint.get<std::string>("carrier") : "ground");
          const bool internal = joint.has("internal") && joint.get<bool>("internal");
          const double ca = joint.get<double>("radius_a"),
                       cb = joint.get<double>("radius_b") * (internal ? -1 : 1);
          const double as_drawn = ca * (sink.start(a).theta - sink.start(c).theta) +
                                  cb * (sink.start(b).theta - sink.start(c).theta);
          sink.add(AngleSum{{a, b, c}, {ca, cb, -ca - cb}, 1, joint.number("phase", as_drawn)}, {"mesh"});
        },
};

}  // namespace driftless
