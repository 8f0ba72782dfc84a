// Point on a plane: a point of the second body, or a circle or sphere about it, stays on one side of a plane of the first.
//   gap    g = n·(p_b − p_a) − radius ≥ 0
//   slip   planar: s = t·(p_b − p_a) + radius (θ_b − θ_a), with t such that (t, n) is right-handed: what the material point of b
//          that touches has slipped on a;   spatial: t_i·(p_b − p_a) of points, of spheres the velocity of the material point
//          that touches, slip_blocks.hpp (18)
#include "driftless/contacts/point_fields.hpp"

namespace driftless {
namespace {

template <int D>
JointFramesOf<D> plane_frames(const Element& contact, const Expansion<D>& model) {
  const PointOf<D> a = model.point(contact.get<PointRef>("a")), b = model.point(contact.get<PointRef>("b"));
  if constexpr (D == 2) {
    const Vec2 n = contact.get<Vec3>("normal").head<2>().stableNormalized();
    JointFrameOf<2> F{a};
    F.axes.col(0) = Vec2(n.y(), -n.x());
    F.axes.col(1) = n;
    return {F, JointFrameOf<2>{b}};
  } else {
    const JointFrame F = model.frame(a, model.direction(contact.get<DirectionRef>("normal"), a.body));
    return {F, model.aligned(b, F)};
  }
}

constexpr auto plane_rows = [](const Element& contact, const auto& frames, auto& model) {
  constexpr int D = dimension_of<decltype(model)>;
  const auto& [F, M] = frames;
  const double radius = contact.number("radius", 0);
  model.add_along(F, D - 1, M.origin, TimeFunction(radius), "gap");
  if (!has_friction(contact)) return 0.0;
  if constexpr (D == 2) {
    model.add_along_turns(F, M.origin, {{M.origin.body, -radius}, {F.origin.body, radius}}, TimeFunction(),
                          "slip");
  } else if (radius > 0) {
    markers::SphereSlip<3> roll;
    roll.x = {model.axis(F, 0),     model.axis(F, 1), model.axis(F, 2), model.mark(F.origin),
              model.mark(M.origin), model.axis(M, 0), model.axis(M, 1), model.axis(M, 2)};
    roll.radius_b = radius;
    model.add(roll, {"slip_1", "slip_2"});
  } else {
    model.add_along(F, 0, M.origin, TimeFunction(), "slip_1");
    model.add_along(F, 1, M.origin, TimeFunction(), "slip_2");
  }
  return 0.0;
};

}  // namespace

extern const ContactRecord point_plane_contact;
const ContactRecord point_plane_contact = {
    .element = {"point-plane",
                "a point, circle or sphere of the second body on one side of a plane of the first",
                point_contact_fields(
                    {point_field("a", "point of the plane, on the first body"),
                     {"normal",
                      FieldKind::direction,
                      true,
                      {},
                      "",
                      "out of the plane, towards the second body, in the frame of the first",
                      {},
                      Spaces::planar},
                     spatial_axis_field(
                         "out of the plane, towards the second body, in the frame of the first", "normal")},
                    "of a circle or sphere about the point"),
                Spaces::both,
                {.wheels = {{.center = "b"}}}},
    .planar = {.frames = &plane_frames<2>, .expand = plane_rows},
    .spatial = {.frames = &plane_frames<3>, .expand = plane_rows},
    .check = &check_contact,
};

}  // namespace driftless
