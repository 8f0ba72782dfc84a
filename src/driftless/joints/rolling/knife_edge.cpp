// Knife edge (skate, wheel without slip angle): a point of a body does not move across a direction of the body.
//   u·ṗ = 0,   1 nonholonomic row, marker_blocks.hpp (14)
//   Ju. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems, AMS, 1972
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto edge_row = [](const Element&, const auto& frames, auto& model) {
  const auto& M = frames.second;
  markers::NoSlip<dimension_of<decltype(model)>> edge;
  edge.x = {model.axis(M, M.kSlide), model.mark(M.origin)};
  model.add(edge, {"slip"});
};

}  // namespace

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
                 spatial_axis_field("direction across the edge, in the frame of the body of b")},
                Spaces::both,
                {.symbol = "rolling"}},
    .planar = {.frames = [](const Element& joint, const Expansion<2>& model) -> JointFramesOf<2> {
                 const PointOf<2> b = model.point(joint.get<PointRef>("b"));
                 return {{{model.ground(), model.place(b)}}, frame_along(b, joint)};
               },
               .expand = edge_row},
    .spatial = {.frames = [](const Element& joint, const Expansion<3>& model) -> JointFrames {
                  const PointOf<3> b = model.point(joint.get<PointRef>("b"));
                  const JointFrame M =
                      model.frame(b, model.direction(joint.get<DirectionRef>("axis"), b.body));
                  return {model.aligned({model.ground(), model.place(b)}, M), M};
                },
                .expand = edge_row},
};

}  // namespace driftless
