// Knife edge (skate, wheel without slip angle): a point of a body does not move across a direction of the body.
//   u·ṗ = 0,   1 nonholonomic row, marker_blocks.hpp (14), planar_blocks.hpp (8)
//   Ju. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems, AMS, 1972
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord knife_edge_joint;
const JointRecord knife_edge_joint = {
    .element = {"knife-edge",
                "skate: a point of a body does not move across its edge",
                {point_field("b", "point of the edge"),
                 {"axis",
                  FieldKind::direction,
                  true,
                  {},
                  "",
                  "direction across the edge, in the frame of the body of b",
                  {},
                  Spaces::planar},
                 spatial_axis_field("direction across the edge, in the frame of the body of b")}},
    .expand_planar =
        [](const Element& joint, PlanarConstraintSink& sink) {
          sink.add(Skate{sink.point(joint.get<PointRef>("b")), joint.get<Vec3>("axis").head<2>().normalized(),
                         sink.body("ground")},
                   {"slip"});
        },
    .spatial = {.frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
                  const SpatialPoint b = model.point(joint.get<PointRef>("b"));
                  const JointFrame M =
                      model.frame(b, model.direction(joint.get<DirectionRef>("axis"), b.body));
                  return {model.aligned({model.ground(), model.place(b)}, M), M};
                },
                .expand =
                    [](const Element&, const JointFrames& frames, SpatialExpansion& model) {
                      const JointFrame& M = frames.second;
                      markers::NoSlip<3> edge;
                      edge.x = {model.axis(M, 2), model.mark(M.origin)};
                      model.add(edge, {"slip"});
                    }},
};

}  // namespace driftless
