// What circles and spheres that keep outside one another share: g = (|p_b − p_a|² − l²)/(2 l) ≥ 0, l the sum of the radii. Its
// sign and, at touch, its gradient are those of the gap. Slip: slip_blocks.hpp (16), (18).
#pragma once

#include <algorithm>
#include <numbers>

#include "driftless/contacts/contact_record.hpp"

namespace driftless::round_contact {

// In space the axes of both are parallel as drawn, with the third of a towards b.
inline constexpr auto frames = [](const Element& contact, const auto& model) {
  using Frame = typename std::remove_cvref_t<decltype(model)>::Frame;
  Frame F{model.point(contact.get<PointRef>("a"))}, M{model.point(contact.get<PointRef>("b"))};
  if constexpr (dimension_of<decltype(model)> == 3) {
    const Vec3 d = model.place(M.origin) - model.place(F.origin);
    if (d.norm() > 0)
      F = model.frame(F.origin, {F.origin.body, model.start(F.origin.body).R.transpose() * d.normalized()});
    M = model.aligned(M.origin, F);
  }
  return std::pair(F, M);
};

inline constexpr auto rows = [](const Element& contact, const auto& pair, auto& model) {
  constexpr int D = dimension_of<decltype(model)>;
  const auto& [F, M] = pair;
  const double radius_a = contact.get<double>("radius_a"), radius_b = contact.get<double>("radius_b");
  markers::Distance<D> block;
  block.x = {model.mark(F.origin), model.mark(M.origin)};
  block.length = radius_a + radius_b;
  model.add(block, {"gap"});
  if (!has_friction(contact)) return 0.0;
  if constexpr (D == 2) {
    const auto slip = [&](auto count) {
      markers::RoundSlip<2, std::max<int>(count, 1)> turning;  // one of them is not the ground
      turning.x = block.x;
      turning.length = block.length;
      return turning;
    };
    model.template add_with_turns<2>({{F.origin.body, radius_a}, {M.origin.body, radius_b}}, "slip", false,
                                     slip);
    return 2 * std::numbers::pi * block.length;
  } else {
    markers::SphereSlip<3> slip;
    slip.x = {model.axis(F, 0),     model.axis(F, 1), model.axis(F, 2), model.mark(F.origin),
              model.mark(M.origin), model.axis(M, 0), model.axis(M, 1), model.axis(M, 2)};
    slip.radius_a = radius_a;
    slip.radius_b = radius_b;
    slip.on_plane = false;
    model.add(slip, {"slip_1", "slip_2"});
    return 0.0;
  }
};

inline std::vector<FieldSpec> fields() {
  return contact_fields({point_field("a", "centre on the first body"),
                         point_field("b", "centre on the second body"),
                         {"radius_a", FieldKind::positive, true, {}, "m", "of the first", {}},
                         {"radius_b", FieldKind::positive, true, {}, "m", "of the second", {}}});
}

inline ElementTraits traits() {
  return {.wheels = {{.center = "a", .radius = "radius_a"}, {.center = "b", .radius = "radius_b"}}};
}

}  // namespace driftless::round_contact
