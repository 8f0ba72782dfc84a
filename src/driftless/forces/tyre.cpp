// Tyre on a road profile: equations in tyre.hpp.
#include "driftless/forces/tyre.hpp"

#include "driftless/forces/force_readings.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

Vec3 direction_or(const Element& force, const char* name, const Vec3& fallback) {
  return force.has(name) ? Vec3(force.get<Vec3>(name).stableNormalized()) : fallback;
}

// Unit vectors up and, across it, along the road.
struct RoadAxes {
  Vec3 up, along;
};
RoadAxes road_axes(const Element& force, Space space) {
  const Vec3 up = direction_or(force, "up", space == Space::planar ? Vec3::UnitY() : Vec3::UnitZ());
  const Vec3 towards = direction_or(force, "along", Vec3::UnitX());
  return {up, towards - towards.dot(up) * up};
}

std::vector<Complaint> check_tyre(const Element& force, const Model& model) {
  if (road_axes(force, model.space).along.norm() > 1e-6) return {};
  return {{"along", "a direction across \"up\"", "one parallel to it", "it says where the road leads"}};
}

TyreLaw law(const Element& force) {
  TyreLaw law;
  law.radius = force.get<double>("radius");
  law.stiffness = force.get<double>("stiffness");
  law.damping = force.number("damping", 0);
  if (force.has("road")) law.road = Profile(force.get<TimeFunction>("road"));
  law.speed = force.number("speed", 0);
  law.unilateral = !force.has("contact") || force.get<std::string>("contact") == "unilateral";
  return law;
}

Vec3 origin(const Element& force) {
  return force.has("origin") ? force.get<Vec3>("origin") : Vec3(Vec3::Zero());
}

FieldSpec up_field(const Vec3& fallback, Spaces spaces) {
  return {"up", FieldKind::direction,       false, FieldValue(fallback),
          "",   "the vertical, world axes", {},    spaces};
}

template <int D>
void compile_tyre(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  const RoadAxes axes = road_axes(force, D == 2 ? Space::planar : Space::spatial);
  add_force(Tyre<D>{model.point(force.get<PointRef>("at")), axes.up.template head<D>(),
                    axes.along.template head<D>().normalized(), origin(force).template head<D>(), law(force)},
            forces);
}

}  // namespace

extern const ForceRecord tyre_force;
const ForceRecord tyre_force = {
    .element = {"tyre",
                "vertical spring and damper between the centre of a wheel and a road profile",
                {{"at", FieldKind::point, true, {}, "", "centre of the wheel", {}},
                 {"radius", FieldKind::positive, true, {}, "m", "of the unloaded tyre", {}},
                 {"stiffness", FieldKind::positive, true, {}, "N/m", "vertical", {}},
                 {"damping", FieldKind::non_negative, false, FieldValue(0.0), "N s/m", "vertical", {}},
                 {"road",
                  FieldKind::profile,
                  false,
                  FieldValue(TimeFunction(0.0)),
                  "m",
                  "height of the road over the place x along it",
                  {}},
                 {"contact",
                  FieldKind::choice,
                  false,
                  FieldValue(std::string("unilateral")),
                  "",
                  "unilateral: the wheel lifts off, the road never pulls; bilateral: it is tied to the road",
                  {"unilateral", "bilateral"}},
                 {"speed",
                  FieldKind::number,
                  false,
                  FieldValue(0.0),
                  "m/s",
                  "at which the road runs backwards beneath the wheel",
                  {}},
                 up_field(Vec3::UnitY(), Spaces::planar),
                 up_field(Vec3::UnitZ(), Spaces::spatial),
                 {"along",
                  FieldKind::direction,
                  false,
                  FieldValue(Vec3(Vec3::UnitX())),
                  "",
                  "direction of x, world axes; what of it is vertical does not count",
                  {}},
                 {"origin",
                  FieldKind::vector,
                  false,
                  FieldValue(Vec3(Vec3::Zero())),
                  "m",
                  "where x and the height of the road count from, in the world",
                  {}}},
                Spaces::both,
                {.symbol = "tyre",
                 .wheels = {{.center = "at", .spaces = Spaces::planar}},
                 .is_of_world = true}},
    .compile_planar = &compile_tyre,
    .compile_spatial = &compile_tyre,
    .readings = "deflection, rate, vertical force, and its components in world axes",
    .planar_readings = force_readings<2>(reading_names<Tyre<2>>()),
    .spatial_readings = force_readings<3>(reading_names<Tyre<3>>()),
    .check = &check_tyre,
};

}  // namespace driftless
