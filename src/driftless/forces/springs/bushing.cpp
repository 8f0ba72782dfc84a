// Bushing: springs and dampers along and about the axes of a frame on the first body; equations in bushing.hpp. The frame
// on the second body coincides in orientation with it in the initial position of the file: there φ = 0.
#include "driftless/forces/springs/bushing.hpp"

#include <fmt/format.h>

#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

FieldSpec rate_field(const char* name, FieldKind kind, const char* unit, const char* help, Spaces spaces) {
  return {name, kind, false, {}, unit, help, {}, spaces};
}

std::vector<Complaint> check_bushing(const Element& force, const Model& model) {
  const bool planar = model.space == Space::planar;
  std::vector<Complaint> complaints;
  for (const char* name : {"stiffness", "damping", "angular_stiffness", "angular_damping"}) {
    if (!force.has(name) || !std::holds_alternative<Vec3>(force.fields.find(name)->second)) continue;
    const Vec3& given = force.get<Vec3>(name);
    if ((given.array() >= 0).all()) continue;
    complaints.push_back({name, "components ≥ 0",
                          planar ? fmt::format("[{}, {}]", given.x(), given.y())
                                 : fmt::format("[{}, {}, {}]", given.x(), given.y(), given.z()),
                          ""});
  }
  return complaints;
}

Vec3 vector_or_zero(const Element& force, const char* name) {
  return force.has(name) ? force.get<Vec3>(name) : Vec3(Vec3::Zero());
}

// The axes on a.
JointFrameOf<2> axes_on_a(const PointOf<2>& a, const Element& force, const Expansion<2>& model) {
  JointFrameOf<2> frame{a};
  if (!force.has("x_axis")) return frame;
  const Vec2 x = direction_on(a.body, force, "x_axis", model);
  frame.axes << x.x(), -x.y(), x.y(), x.x();
  return frame;
}
JointFrameOf<3> axes_on_a(const PointOf<3>& a, const Element& force, const Expansion<3>& model) {
  const auto direction = [&](const char* name) {
    return DirectionOf<3>{a.body, direction_on(a.body, force, name, model)};
  };
  if (force.has("axis"))
    return model.frame(a, direction("axis"),
                       force.has("x_axis") ? model.world(direction("x_axis")) : Vec3(Vec3::Zero()));
  JointFrameOf<3> frame{a};
  if (force.has("x_axis")) frame.axes = axes_about(Vec3::UnitZ(), direction("x_axis").u);
  return frame;
}

template <int D>
void compile_bushing(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  Bushing<D> bushing;
  const PointOf<D> b = model.point(force.get<PointRef>("b"));
  model.needs_attitude(b.body);
  bushing.a = axes_on_a(model.point(force.get<PointRef>("a")), force, model);
  model.needs_attitude(bushing.a.origin.body);
  bushing.stiffness = vector_or_zero(force, "stiffness").template head<D>();
  bushing.damping = vector_or_zero(force, "damping").template head<D>();
  if constexpr (D == 2) {
    bushing.b = {b};
    bushing.free_angle = model.angle_drawn(bushing.a, bushing.b);
    bushing.angular_stiffness = force.number("angular_stiffness", 0);
    bushing.angular_damping = force.number("angular_damping", 0);
    if (bushing.angular_stiffness != 0) count_turns(bushing.a.origin.body, b.body, model);
  } else {
    bushing.b = model.aligned(b, bushing.a);
    bushing.angular_stiffness = vector_or_zero(force, "angular_stiffness");
    bushing.angular_damping = vector_or_zero(force, "angular_damping");
  }
  add_force(bushing, forces);
}

}  // namespace

extern const ForceRecord bushing_force;
const ForceRecord bushing_force = {
    .element =
        {"bushing",
         "elastic mount: springs and dampers along and about the axes of a frame on the first body",
         {{"a", FieldKind::point, true, {}, "", "point on the first body, which carries the axes", {}},
          {"b", FieldKind::point, true, {}, "", "point on the second body", {}},
          rate_field("x_axis",
                     FieldKind::direction,
                     "",
                     "x of the axes, in the frame of a; default: its own",
                     Spaces::planar),
          rate_field("axis",
                     FieldKind::axis,
                     "",
                     "z of the axes, fixed in a; default: z of its frame",
                     Spaces::spatial),
          rate_field(
              "x_axis",
              FieldKind::axis,
              "",
              "direction x of the axes turns towards; default: x of the frame of a, or any across `axis`",
              Spaces::spatial),
          rate_field("stiffness", FieldKind::vector, "N/m", "along the axes", Spaces::both),
          rate_field("damping", FieldKind::vector, "N s/m", "along the axes", Spaces::both),
          rate_field("angular_stiffness", FieldKind::non_negative, "N m/rad", "of the angle", Spaces::planar),
          rate_field("angular_stiffness", FieldKind::vector, "N m/rad", "about the axes", Spaces::spatial),
          rate_field("angular_damping", FieldKind::non_negative, "N m s/rad", "of the angle", Spaces::planar),
          rate_field("angular_damping", FieldKind::vector, "N m s/rad", "about the axes", Spaces::spatial)},
         Spaces::both,
         {.symbol = "bushing", .keeps_attitudes = true}},
    .compile_planar = &compile_bushing,
    .compile_spatial = &compile_bushing,
    .readings = "displacement, rotation (an angle or a vector), force and torque on b in the axes on a",
    .planar_readings = reading_names<Bushing<2>>(),
    .spatial_readings = reading_names<Bushing<3>>(),
    .check = &check_bushing,
};

}  // namespace driftless
