// Point on a curve, in the plane: a point of the second body stays on one side of a curve of the first, that to the left of the
// way from its first point to its last: outside a closed curve whose points run clockwise. g: the distance from the curve, slip:
// the way along it, plane_curve.hpp.
#include "driftless/constraints/curve_splines.hpp"
#include "driftless/contacts/point_fields.hpp"

namespace driftless {
namespace {

JointFramesOf<2> curve_frames(const Element& contact, const Expansion<2>& model) {
  return {JointFrameOf<2>{model.point(contact.get<PointRef>("a"))},
          JointFrameOf<2>{model.point(contact.get<PointRef>("b"))}};
}

double curve_rows(const Element& contact, const JointFramesOf<2>& frames, Expansion<2>& model) {
  const auto& [F, M] = frames;
  markers::OnCurve<2> block;
  block.x = {model.mark(F.origin), model.mark(M.origin), model.axis(F, 0), model.axis(F, 1)};
  block.curve = PlaneCurve(contact.get<CurvePoints>("curve"));
  model.add(block, {"gap"});
  if (!has_friction(contact)) return 0;
  markers::CurveSlip<2, 0> slip;
  slip.x = block.x;
  slip.curve = block.curve;
  model.add(slip, {"slip"});
  return contact.get<CurvePoints>("curve").closed ? block.curve.length() : 0.0;
}

}  // namespace

extern const ContactRecord point_curve_contact;
const ContactRecord point_curve_contact = {
    .element =
        {"point-curve", "a point of the second body on the left side of a curve of the first",
         point_contact_fields(
             {point_field("a", "origin of the curve, on the first body"),
              {"curve", FieldKind::curve, true, {}, "m", "the curve, in the frame of the first body", {}}},
             nullptr),
         Spaces::planar},
    .planar = {.frames = &curve_frames, .expand = &curve_rows},
    .check = &check_contact,
};

}  // namespace driftless
