// Screw joint: a nut on a thread.
//   u·(p_b − p_a) = pitch/(2π) θ                                                                                     (1)
// θ the angle of the second body about u, displacement and θ both counting from the initial position. 2 + 2 + 1 rows and
// the angle as a scalar. A negative pitch is a left-handed thread.
#include <cmath>

#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

double advance(const Element& joint) { return joint.get<double>("pitch") / (2 * M_PI); }  // per radian

}  // namespace

extern const JointRecord screw_joint;
const JointRecord screw_joint = {
    .element = {"screw",
                "nut on a thread: the second body advances along an axis of the first as it turns about it",
                {point_field("a", "point of the axis, on the first body"),
                 spatial_axis_field("the axis, in the frame of the first body"),
                 point_field("b", "point on the second body that stays on the axis"),
                 spatial_axis_b_field(),
                 {"pitch",
                  FieldKind::number,
                  true,
                  {},
                  "m",
                  "advance per turn; negative: a left-handed thread",
                  {}}},
                Spaces::spatial,
                {.symbol = "screw"}},
    .spatial = {.frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
                  // F moves along its axis to where b is drawn: origins and angles are zero together.
                  auto [F, M] = axis_frames(joint, model);
                  const Vec3 z = model.start(F.origin.body).turn(F.axes.col(2));
                  F.origin.at += z.dot(model.place(M.origin) - model.place(F.origin)) * F.axes.col(2);
                  return {F, M};
                },
                .expand =
                    [](const Element& joint, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      model.add_on_axis(F, M.origin);
                      model.add_parallel(F, M);
                      markers::Along<3, 1> thread;
                      thread.x = {model.axis(F, 2), model.mark(F.origin), model.mark(M.origin)};
                      thread.s = {model.angle(F, M, "angle")};
                      thread.c = {advance(joint)};
                      model.add(thread, {"thread"});
                    },
                .mobility = [](const Element& joint) -> SpatialMobility {
                  return {{{ElementaryMotion::Kind::screw, Vec3::UnitZ(), "angle", advance(joint)}}};
                },
                .coordinates = {"angle", "displacement"}},
    .check = [](const Element& joint, const Model&) -> std::vector<Complaint> {
      if (joint.get<double>("pitch") != 0) return {};
      return {{"pitch", "an advance per turn other than zero", "0",
               "without advance this is a 'revolute', without turning a 'translational' joint"}};
    },
};

}  // namespace driftless
