// Bushing: springs and dampers along and about the axes of a frame on the first body; equations in bushing.hpp. The frame
// on the second body coincides in orientation with it in the initial position of the file: there φ = 0.
#include "driftless/forces/bushing.hpp"

#include <fmt/format.h>

#include "driftless/forces/force_record.hpp"

namespace driftless {

PlanarBushing::Strain PlanarBushing::strain(const PlanarView& view) const {
  Strain s;
  const auto r = view.place(b) - view.place(a);
  const double omega = view.velocities[a.body].omega;
  s.x = view.frames[a.body].turn(x_axis);
  s.y = s.x.perp();
  const auto r_dot = view.velocity(b) - view.velocity(a) - r.perp() * omega;
  s.d[0] = s.x.dot(r);
  s.d[1] = s.y.dot(r);
  s.d_dot[0] = s.x.dot(r_dot);
  s.d_dot[1] = s.y.dot(r_dot);
  s.phi = view.frames[b.body].theta - view.frames[a.body].theta - free_angle;
  s.phi_dot = view.velocities[b.body].omega - omega;
  for (int k : {0, 1}) s.force[k] = -stiffness[k] * s.d[k] - damping[k] * s.d_dot[k];  // (3)
  s.torque = -angular_stiffness * s.phi - angular_damping * s.phi_dot;
  return s;
}

void PlanarBushing::apply(const PlanarView& view, Resultant* on) const {
  const Strain s = strain(view);
  const auto force = s.x * s.force[0] + s.y * s.force[1];
  push(on[b.body], force, view.arm(b));
  push(on[a.body], force * -1.0, view.place(b) - view.frames[a.body].r);
  on[b.body][2] += s.torque;
  on[a.body][2] -= s.torque;
}

double PlanarBushing::potential(const PlanarView& view) const {
  const Strain s = strain(view);
  return 0.5 * (stiffness[0] * s.d[0] * s.d[0] + stiffness[1] * s.d[1] * s.d[1] +
                angular_stiffness * s.phi * s.phi);  // (2)
}

double PlanarBushing::power(const PlanarView& view) const {
  const Strain s = strain(view);
  return -(damping[0] * s.d_dot[0] * s.d_dot[0] + damping[1] * s.d_dot[1] * s.d_dot[1] +
           angular_damping * s.phi_dot * s.phi_dot);
}

double PlanarBushing::measure(size_t k, const PlanarView& view) const {
  const Strain s = strain(view);
  const double values[] = {s.d[0], s.d[1], s.phi, s.force[0], s.force[1], s.torque};
  return values[k];
}

SpatialBushing::Strain SpatialBushing::strain(const SpatialView& view) const {
  Strain s;
  const Vec3 r = view.place(b.origin) - view.place(a.origin);
  const Vec3 omega_a = view.twists[a.origin.body].omega, omega_b = view.twists[b.origin.body].omega;
  s.A = view.axes(a);
  s.d = s.A.transpose() * r;  // (1)
  s.d_dot = s.A.transpose() * (view.velocity(b.origin) - view.velocity(a.origin) - omega_a.cross(r));
  s.phi = rotation_vector(quaternion_of_matrix(s.A.transpose() * view.axes(b)));
  s.w = s.A.transpose() * (omega_b - omega_a);
  s.force = -stiffness.cwiseProduct(s.d) - damping.cwiseProduct(s.d_dot);  // (3)
  s.torque = -(rotation_vector_rates(s.phi).transpose() * angular_stiffness.cwiseProduct(s.phi)) -
             angular_damping.cwiseProduct(s.w);
  return s;
}

void SpatialBushing::apply(const SpatialView& view, SpatialLoads& loads) const {
  const Strain s = strain(view);
  const Vec3 force = s.A * s.force, torque = s.A * s.torque;
  const int body_a = a.origin.body, body_b = b.origin.body;
  loads.push(body_b, force, view.arm(b.origin));
  loads.push(body_a, -force, view.place(b.origin) - view.frames[body_a].r);
  loads.twist(body_b, torque);
  loads.twist(body_a, -torque);
}

double SpatialBushing::potential(const SpatialView& view) const {
  const Strain s = strain(view);
  return 0.5 * (s.d.dot(stiffness.cwiseProduct(s.d)) + s.phi.dot(angular_stiffness.cwiseProduct(s.phi)));
}

double SpatialBushing::power(const SpatialView& view) const {
  const Strain s = strain(view);
  return -s.d_dot.dot(damping.cwiseProduct(s.d_dot)) - s.w.dot(angular_damping.cwiseProduct(s.w));
}

double SpatialBushing::measure(size_t k, const SpatialView& view) const {
  const Strain s = strain(view);
  const Vec3* const values[] = {&s.d, &s.phi, &s.force, &s.torque};
  return (*values[k / 3])[static_cast<Eigen::Index>(k % 3)];
}

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

void compile_planar(const Element& force, PlanarForceSink& sink) {
  PlanarBushing bushing;
  bushing.a = sink.point(force.get<PointRef>("a"));
  bushing.b = sink.point(force.get<PointRef>("b"));
  if (force.has("x_axis")) bushing.x_axis = force.get<Vec3>("x_axis").head<2>().stableNormalized();
  bushing.free_angle = sink.start(bushing.b.body).theta - sink.start(bushing.a.body).theta;
  bushing.stiffness = vector_or_zero(force, "stiffness").head<2>();
  bushing.damping = vector_or_zero(force, "damping").head<2>();
  bushing.angular_stiffness = force.number("angular_stiffness", 0);
  bushing.angular_damping = force.number("angular_damping", 0);
  sink.add(bushing);
}

void compile_spatial(const Element& force, SpatialExpansion& model, SpatialForces& forces) {
  const SpatialPoint a = model.point(force.get<PointRef>("a"));
  const auto direction = [&](const char* name) {
    return model.carried(model.direction(force.get<DirectionRef>(name), a.body), a.body);
  };
  SpatialBushing bushing;
  bushing.a = {a, Mat3::Identity()};
  if (force.has("axis"))
    bushing.a = model.frame(a, direction("axis"),
                            force.has("x_axis") ? model.world(direction("x_axis")) : Vec3(Vec3::Zero()));
  else if (force.has("x_axis"))
    bushing.a.axes = axes_about(Vec3::UnitZ(), direction("x_axis").u);
  bushing.b = model.aligned(model.point(force.get<PointRef>("b")), bushing.a);
  bushing.stiffness = vector_or_zero(force, "stiffness");
  bushing.damping = vector_or_zero(force, "damping");
  bushing.angular_stiffness = vector_or_zero(force, "angular_stiffness");
  bushing.angular_damping = vector_or_zero(force, "angular_damping");
  std::get<std::vector<SpatialBushing>>(forces).push_back(bushing);
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
          rate_field("angular_damping", FieldKind::vector, "N m s/rad", "about the axes", Spaces::spatial)}},
    .compile_planar = &compile_planar,
    .compile_spatial = &compile_spatial,
    .check = &check_bushing,
};

}  // namespace driftless
