// Universal joint (Hooke, Cardan): two points coincide, an axis of one body stays square to an axis of the other.
//   z_F·z_M = 0,   3 + 1 rows
// F has z along `axis` and x towards `axis_b`, M has z along `axis_b` and x towards `axis`: both angles, about z_F and then
// about x_F, are zero where they are drawn, if the axes are drawn square.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord universal_joint;
const JointRecord universal_joint = {
    .element =
        {"universal",
         "Hooke's joint: two points coincide, an axis of one body stays square to an axis of the other",
         {point_field("a", "centre of the cross, on the first body"),
          point_field("b", "centre of the cross, on the second body"),
          spatial_axis_field("arm of the cross in the first body, in its frame"),
          spatial_axis_field("arm of the cross in the second body, in its frame", "axis_b")},
         Spaces::spatial,
         {.symbol = "universal"}},
    .spatial = {
        .frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
          const SpatialPoint a = model.point(joint.get<PointRef>("a"));
          const SpatialPoint b = model.point(joint.get<PointRef>("b"));
          const SpatialDirection u = model.direction(joint.get<DirectionRef>("axis"), a.body);
          const SpatialDirection w = model.direction(joint.get<DirectionRef>("axis_b"), b.body);
          return {model.frame(a, u, model.world(w)), model.frame(b, w, model.world(u))};
        },
        .expand =
            [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
              const auto& [F, M] = frames;
              model.add_coincident(F.origin, M.origin);
              model.add_dot({F.origin.body, F.axes.col(2)}, {M.origin.body, M.axes.col(2)}, 0, "square");
            },
        .mobility = [](const Element&) -> SpatialMobility {
          Mat3 zero;  // z, −y, x of F
          zero << 0, 0, 1, 0, -1, 0, 1, 0, 0;
          return {{{ElementaryMotion::Kind::turn, Vec3::UnitZ(), "angle_1"},
                   {ElementaryMotion::Kind::turn, Vec3::UnitX(), "angle_2"}},
                  zero};
        }},
};

}  // namespace driftless
