// Gear pair: two wheels roll on each other, both turning on a carrier c.
//   external  ρ_a (θ_a − θ_c) + ρ_b (θ_b − θ_c) = phase,   internal  ρ_a (θ_a − θ_c) − ρ_b (θ_b − θ_c) = phase     (1)
// 1 row. The wheels' pins on the carrier are joints of their own. Unless given, the phase is that of the initial position:
// the teeth mesh as drawn. Spatial: the angles are scalars, those of the pins where there are pins about these axes, and
// count from the initial position; axes that meet make a bevel gear.
#include "driftless/joints/teeth.hpp"

namespace driftless {
namespace {

std::string carrier_of(const Element& joint) {
  return joint.has("carrier") ? joint.get<std::string>("carrier") : "ground";
}

// Coefficient of the second wheel.
double radius_b(const Element& joint) {
  const bool internal = joint.has("internal") && joint.get<bool>("internal");
  return joint.get<double>("radius_b") * (internal ? -1 : 1);
}

template <int D>
Teeth<D> wheels_of(const Element& joint, const Expansion<D>& model) {
  Teeth<D> teeth;
  teeth.a = model.body(joint.get<std::string>("a"));
  teeth.b = model.body(joint.get<std::string>("b"));
  teeth.carrier = model.body(carrier_of(joint));
  teeth.radius_a = joint.get<double>("radius_a");
  teeth.radius_b = radius_b(joint);
  if constexpr (D == 3) {
    const auto axis = [&](const char* field) {
      const auto& along = joint.get<DirectionRef>(joint.has(field) ? field : "axis_a");
      return model.carried(model.direction(along, teeth.carrier), teeth.carrier).u;
    };
    teeth.axis_a = axis("axis_a");
    teeth.axis_b = axis("axis_b");
  }
  return teeth;
}

Shaft shaft_of(const Element& joint, const char* wheel, const char* axis, const SpatialExpansion& model) {
  const int carrier = model.turning_body(carrier_of(joint));
  const auto& along = joint.get<DirectionRef>(joint.has(axis) ? axis : "axis_a");
  return find_shaft(carrier, model.turning_body(joint.get<std::string>(wheel)),
                    model.direction(along, carrier), model);
}

}  // namespace

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
                  {}},
                 spatial_axis_field("axis of the first wheel, in the frame of the carrier", "axis_a"),
                 spatial_axis_field("axis of the second wheel, in the frame of the carrier; default: axis_a",
                                    "axis_b",
                                    false)}},
    .planar = {
        .frames = [](const Element& joint, const Expansion<2>& model) -> JointFramesOf<2> {
          return {{{model.turning_body(carrier_of(joint))}},
                  {{model.turning_body(joint.get<std::string>("b"))}}};
        },
        .expand =
            [](const Element& joint, const JointFramesOf<2>& frames, Expansion<2>& model) {
              const int a = model.turning_body(joint.get<std::string>("a"));
              const int b = frames.second.origin.body, c = frames.first.origin.body;
              const double ca = joint.get<double>("radius_a"), cb = radius_b(joint);
              const double as_drawn = ca * (model.start(a).theta - model.start(c).theta) +
                                      cb * (model.start(b).theta - model.start(c).theta);
              model.add_turns({{a, ca}, {b, cb}, {c, -ca - cb}}, 1, joint.number("phase", as_drawn), "mesh");
            },
        .teeth = &wheels_of<2>},
    .spatial = {.frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
                  const JointFrames own = shaft_of(joint, "b", "axis_b", model).frames;
                  const bool ordered =
                      own.second.origin.body == model.turning_body(joint.get<std::string>("b"));
                  return ordered ? own : JointFrames{own.second, own.first};
                },
                .expand =
                    [](const Element& joint, const JointFrames&, SpatialExpansion& model) {
                      const Shaft a = shaft_of(joint, "a", "axis_a", model);
                      const Shaft b = shaft_of(joint, "b", "axis_b", model);
                      markers::Sum<3, 2> mesh;
                      mesh.s = {model.angle(a.frames.first, a.frames.second, "angle_a"),
                                model.angle(b.frames.first, b.frames.second, "angle_b")};
                      mesh.c = {a.sign * joint.get<double>("radius_a"), b.sign * radius_b(joint)};
                      const double as_drawn = mesh.c[0] * model.scalars[size_t(mesh.s[0])].start +
                                              mesh.c[1] * model.scalars[size_t(mesh.s[1])].start;
                      mesh.f = joint.number("phase", as_drawn);
                      model.add(mesh, {"mesh"});
                    },
                .teeth = &wheels_of<3>},
};

}  // namespace driftless
