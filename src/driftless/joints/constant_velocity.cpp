// Constant-velocity joint: two points coincide, and the bodies bend against each other without twisting about their
// shafts (z of F and M):
//   x_F·y_M = y_F·x_M,   3 + 1 rows                                                                                  (1)
// says that the turn from F to M is about an axis square to both shafts, so that both turn at the same rate.
//   K. H. Hunt, Constant-velocity shaft couplings: a general theory, ASME J. Eng. Ind. 95 (1973) 455-464
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord constant_velocity_joint;
const JointRecord constant_velocity_joint = {
    .element = {"constant-velocity",
                "homokinetic joint: two points coincide, both shafts turn at the same rate at any bend",
                {point_field("a", "centre of the joint, on the first body"),
                 point_field("b", "centre of the joint, on the second body"),
                 spatial_axis_field("shaft of the first body, in its frame"),
                 spatial_axis_field(
                     "shaft of the second body, in its frame; default: straight on in the initial position",
                     "axis_b",
                     false)},
                Spaces::spatial,
                {.symbol = "universal"}},
    .spatial = {.frames = &axis_frames,
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      const auto& [F, M] = frames;
                      model.add_coincident(F.origin, M.origin);
                      markers::EqualDots<3> bent;  // (1)
                      bent.x = {model.axis(F, 0), model.axis(M, 1), model.axis(F, 1), model.axis(M, 0)};
                      bent.length = model.length();
                      model.add(bent, {"twist"});
                    }},
};

}  // namespace driftless
