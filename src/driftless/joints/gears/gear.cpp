// Gear pair: two wheels roll on each other, both turning on a carrier c.
//   external  ρ_a (θ_a − θ_c) + ρ_b (θ_b − θ_c) = phase,   internal  ρ_a (θ_a − θ_c) − ρ_b (θ_b − θ_c) = phase     (1)
// 1 row. The wheels' pins on the carrier are joints of their own. Unless given, the phase is that of the initial position:
// the teeth mesh as drawn. Spatial: the angles are scalars, those of the pins where there are pins about these axes, and
// count from the initial position; axes that meet make a bevel gear.
// Radii are doubtful that the distance d of the pins on the carrier does not fit, where both are known and parallel:
//   external  ρ_a + ρ_b = d,   internal  |ρ_a − ρ_b| = d,   to 1e-3 d                                               (2)
#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "driftless/joints/gears/teeth.hpp"
#include "driftless/model/geometry.hpp"

namespace driftless {
namespace {

constexpr double kMisfit = 1e-3;  // (2)

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

// Where the pin of a wheel on its carrier is, in the frame of the carrier; its axis too, in space.
struct Pin {
  Vec3 at = Vec3::Zero(), axis = Vec3::UnitZ();
};
std::optional<Pin> pin_of(const Model& model, const std::string& wheel, const std::string& carrier) {
  const ModelIndex index(model);
  for (const Element& joint : model.joints) {
    if (!record_for(joint_records(), joint).element.traits.has_angle) continue;
    const auto &a = joint.get<PointRef>("a"), &b = joint.get<PointRef>("b");
    const bool a_is_carrier = a.body == carrier && b.body == wheel;
    if (!a_is_carrier && !(b.body == carrier && a.body == wheel)) continue;
    Pin pin;
    pin.at = resolve_point(index, a_is_carrier ? a : b);
    if (model.space == Space::spatial) {
      if (!joint.has("axis")) return std::nullopt;
      std::string body;
      const Vec3 axis = resolve_direction(index, joint.get<DirectionRef>("axis"), a.body, body);
      pin.axis = start_pose(index, carrier).rotation.transpose() * start_pose(index, body).rotation * axis;
    }
    return pin;
  }
  return std::nullopt;
}

// (2)
void doubt_radii(const Element& gear, const Model& model, std::vector<std::string>& out) {
  const std::string carrier = carrier_of(gear);
  const auto a = pin_of(model, gear.get<std::string>("a"), carrier);
  const auto b = pin_of(model, gear.get<std::string>("b"), carrier);
  if (!a || !b || a->axis.cross(b->axis).norm() > kMisfit) return;
  const Vec3 between = b->at - a->at;
  const double distance = (between - a->axis.dot(between) * a->axis).norm();
  const double fitting = std::abs(gear.get<double>("radius_a") + radius_b(gear));
  if (std::abs(distance - fitting) > kMisfit * std::max(distance, fitting))
    out.push_back(fmt::format(
        "gear '{}' does not mesh: the pins of its wheels are {:.6g} m apart, {} of its radii is {:.6g} m",
        gear.name, distance, radius_b(gear) < 0 ? "the difference" : "the sum", fitting));
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
                                    false)},
                Spaces::both,
                {.symbol = "gear",
                 .wheels = {{.center = "a", .radius = "radius_a", .axis = "axis_a", .frame = "carrier"},
                            {.center = "b",
                             .radius = "radius_b",
                             .axis = "axis_b",
                             .frame = "carrier",
                             .axis_or = "axis_a"}},
                 .axes_of = "carrier"}},
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
    .doubt = &doubt_radii,
};

}  // namespace driftless
