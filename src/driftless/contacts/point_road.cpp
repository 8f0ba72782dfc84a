// Point on a road, in the plane: a point of the second body, or a wheel about it, stays above a road of the first: the curve
// (x, z(x)) along a direction of the first body, z smooth and without corners, to the left of it: a wheel meets a corner with an impact of its own, which is
// not there.
//   gap    the distance from the road less the radius, plane_curve.hpp
//   slip   the rate of the way along it + radius (ω_b − ω_a): slip_blocks.hpp (17), at velocity level
#include <cmath>

#include <fmt/format.h>

#include "driftless/contacts/point_fields.hpp"

namespace driftless {
namespace {

JointFramesOf<2> road_frames(const Element& contact, const Expansion<2>& model) {
  JointFrameOf<2> F{model.point(contact.get<PointRef>("a"))};
  if (contact.has("along")) {
    const Vec2 u = contact.get<Vec3>("along").head<2>().stableNormalized();
    F.axes.col(0) = u;
    F.axes.col(1) = Vec2(-u.y(), u.x());
  }
  return {F, JointFrameOf<2>{model.point(contact.get<PointRef>("b"))}};
}

double road_rows(const Element& contact, const JointFramesOf<2>& frames, Expansion<2>& model) {
  const auto& [F, M] = frames;
  const double radius = contact.number("radius", 0);
  markers::OnCurve<2> block;
  block.x = {model.mark(F.origin), model.mark(M.origin), model.axis(F, 0), model.axis(F, 1)};
  block.curve = PlaneCurve(contact.get<TimeFunction>("road"), radius);
  model.add(block, {"gap"});
  if (!has_friction(contact)) return 0;
  model.add_with_turns<2>({{M.origin.body, radius}, {F.origin.body, -radius}}, "slip", true, [&](auto count) {
    markers::CurveSlip<2, count> slip;
    slip.x = block.x;
    slip.curve = block.curve;
    return slip;
  });
  return 0;
}

std::vector<Complaint> check_road(const Element& contact, const Model& model) {
  std::vector<Complaint> complaints = check_contact(contact, model);
  const auto& road = contact.get<TimeFunction>("road");
  const char* expected = "a road without corners";
  const char* hint =
      "a polynomial, a harmonic, a cubic table that is level at its ends, smooth(…); a \"tyre\" drives over "
      "corners";
  if (road.expression() != nullptr && road.expression()->switch_count() > 0)
    complaints.push_back({"road", expected, "an expression with cases", hint});
  for (const double x : road.knots()) {
    const Derivatives left = road.at(x, Side::left), right = road.at(x, Side::right);
    const double size = 1 + std::abs(left.rate) + std::abs(right.rate);
    if (std::abs(left.rate - right.rate) <= 1e-9 * size && std::abs(left.value - right.value) <= 1e-12)
      continue;
    complaints.push_back(
        {"road", expected, fmt::format("one at x = {}: slopes {} and {}", x, left.rate, right.rate), hint});
    break;
  }
  return complaints;
}

}  // namespace

extern const ContactRecord point_road_contact;
const ContactRecord point_road_contact = {
    .element = {"point-road",
                "a point of the second body, or a wheel about it, above a smooth road of the first",
                point_contact_fields(
                    {point_field("a", "origin of the road, on the first body"),
                     {"road",
                      FieldKind::profile,
                      true,
                      {},
                      "m",
                      "height over the place x along it, without corners",
                      {}},
                     {"along",
                      FieldKind::direction,
                      false,
                      FieldValue(Vec3(Vec3::UnitX())),
                      "",
                      "direction of x, in the frame of the first body; heights count to the left of it",
                      {}}},
                    "of a wheel about the point, less than that of any hollow of the road"),
                Spaces::planar,
                {.wheels = {{.center = "b"}}}},
    .planar = {.frames = &road_frames, .expand = &road_rows},
    .check = &check_road,
};

}  // namespace driftless
