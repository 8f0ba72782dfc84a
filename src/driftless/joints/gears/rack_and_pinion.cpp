// Rack and pinion: the rack moves along an axis of the carrier as the pinion turns against it.
//   u·(p_rack − p_carrier) − ρ (θ_pinion − θ_carrier) = phase                                                      (1)
// 1 row. The guide of the rack and the pin of the pinion are joints of their own. Spatial: the angle is a scalar, that of
// the pin if there is one about the pinion's axis, and counts from the initial position.
#include "driftless/joints/gears/teeth.hpp"

namespace driftless {
namespace {

const char* const kAxisHelp =
    "direction of the rack's travel for positive pinion angles, in the carrier's frame";

template <int D>
Teeth<D> rack_of(const Element& joint, const Expansion<D>& model) {
  const PointOf<D> carrier = model.point(joint.get<PointRef>("carrier"));
  Teeth<D> teeth;
  teeth.is_rack = true;
  teeth.a = model.body(joint.get<std::string>("pinion"));
  teeth.b = model.point(joint.get<PointRef>("rack")).body;
  teeth.carrier = carrier.body;
  teeth.radius_a = joint.get<double>("radius");
  if constexpr (D == 2) {
    const Vec2 along = frame_along(carrier, joint).axes.col(0);
    teeth.axis_b = {along.x(), along.y(), 0};
  } else {
    const auto axis = [&](const char* field) {
      const auto& along = joint.get<DirectionRef>(field);
      return model.carried(model.direction(along, carrier.body), carrier.body).u;
    };
    teeth.axis_a = axis("pinion_axis");
    teeth.axis_b = axis("axis");
  }
  return teeth;
}

}  // namespace

extern const JointRecord rack_and_pinion_joint;
const JointRecord rack_and_pinion_joint = {
    .element =
        {"rack-and-pinion",
         "rack and pinion: the rack moves by the radius times the angle of the pinion",
         {point_field("carrier", "point on the body that guides rack and pinion"),
          {"axis", FieldKind::direction, true, {}, "", kAxisHelp, {}, Spaces::planar},
          spatial_axis_field(kAxisHelp),
          point_field("rack", "point on the rack"),
          body_field("pinion", "the wheel"),
          spatial_axis_field("axis the pinion turns about, in the carrier's frame", "pinion_axis"),
          {"radius", FieldKind::positive, true, {}, "m", "pitch radius of the pinion", {}},
          {"phase",
           FieldKind::number,
           false,
           {},
           "m",
           "rack displacement minus radius times pinion angle; default: as the poses in the file have it",
           {}}},
         Spaces::both,
         {.symbol = "gear", .wheels = {{.center = "pinion", .axis = "pinion_axis", .frame = "carrier"}}}},
    .planar = {.frames = [](const Element& joint, const Expansion<2>& model) -> JointFramesOf<2> {
                 return {frame_along(model.point(joint.get<PointRef>("carrier")), joint),
                         {model.point(joint.get<PointRef>("rack"))}};
               },
               .expand =
                   [](const Element& joint, const JointFramesOf<2>& frames, Expansion<2>& model) {
                     const auto& [F, M] = frames;
                     const int pinion = model.turning_body(joint.get<std::string>("pinion")),
                               carrier = F.origin.body;
                     const double radius = joint.get<double>("radius");
                     const double as_drawn =
                         model.displacement_drawn(F, 0, M.origin) -
                         radius * (model.start(pinion).theta - model.start(carrier).theta);
                     model.add_along_turns(F, M.origin, {{pinion, radius}, {carrier, -radius}},
                                           joint.number("phase", as_drawn), "mesh");
                   },
               .axes_on_first = true,
               .teeth = &rack_of<2>},
    .spatial = {.frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
                  const SpatialPoint carrier = model.point(joint.get<PointRef>("carrier"));
                  const JointFrame F =
                      model.frame(carrier, model.direction(joint.get<DirectionRef>("axis"), carrier.body));
                  return {F, model.aligned(model.point(joint.get<PointRef>("rack")), F)};
                },
                .expand =
                    [](const Element& joint, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      const Shaft pin = find_shaft(
                          F.origin.body, model.turning_body(joint.get<std::string>("pinion")),
                          model.direction(joint.get<DirectionRef>("pinion_axis"), F.origin.body), model);
                      markers::Along<3, 1> mesh;
                      mesh.x = {model.axis(F, 2), model.mark(F.origin), model.mark(M.origin)};
                      mesh.s = {model.angle(pin.frames.first, pin.frames.second, "angle")};
                      mesh.c = {pin.sign * joint.get<double>("radius")};
                      const double displacement = model.start(F.origin.body)
                                                      .turn(F.axes.col(2))
                                                      .dot(model.place(M.origin) - model.place(F.origin));
                      mesh.f = joint.number(
                          "phase", displacement - mesh.c[0] * model.scalars[size_t(mesh.s[0])].start);
                      model.add(mesh, {"mesh"});
                    },
                .teeth = &rack_of<3>},
};

}  // namespace driftless
