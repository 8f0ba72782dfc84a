// Rolling disc: a thin disc rolls without slip on a plane of the ground.
//   its rim touches the plane (marker_blocks.hpp (12)), 1 row; the point of it that touches is at rest (15), 2
//   nonholonomic rows
// The disc stands on the side the normal points to, and must not lie flat.
//   Ju. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems, AMS, 1972
#include <cmath>

#include <fmt/format.h>

#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord rolling_disc_joint;
const JointRecord rolling_disc_joint = {
    .element = {"rolling-disc",
                "a thin disc rolls on a plane of the ground without slip",
                {point_field("a", "point of the plane, on ground"),
                 spatial_axis_field("normal of the plane, towards the disc"),
                 point_field("b", "centre of the disc"),
                 spatial_axis_field("axis of the disc, in the frame of its body", "axis_b"),
                 {"radius", FieldKind::positive, true, {}, "m", "radius of the disc", {}}},
                Spaces::spatial,
                {.symbol = "rolling", .wheels = {{.center = "b", .axis = "axis_b", .frame = "b"}}}},
    .spatial = {
        .frames = [](const Element& joint, const SpatialExpansion& model) -> JointFrames {
          const SpatialPoint a = model.point(joint.get<PointRef>("a"));
          const SpatialPoint b = model.point(joint.get<PointRef>("b"));
          return {model.frame(a, model.direction(joint.get<DirectionRef>("axis"), a.body)),
                  model.frame(b, model.direction(joint.get<DirectionRef>("axis_b"), b.body))};
        },
        .expand =
            [](const Element& joint, const JointFrames& frames, SpatialExpansion& model) {
              const auto& [F, M] = frames;
              markers::RimTouches<3> touch;
              touch.x = {model.axis(F, 2), model.mark(F.origin), model.mark(M.origin), model.axis(M, 2)};
              touch.radius = joint.get<double>("radius");
              model.add(touch, {"contact"});
              markers::Rolls<3> roll;
              roll.x = {model.axis(F, 0),     model.axis(F, 1), model.axis(F, 2),
                        model.mark(M.origin), model.axis(M, 0), model.axis(M, 1)};
              roll.radius = touch.radius;
              model.add(roll, {"roll_1", "roll_2"});
            }},
    .check = [](const Element& joint, const Model& model) -> std::vector<Complaint> {
      const std::string& body = joint.get<PointRef>("a").body;
      if (body != "ground")
        return {{"a", "a point of ground: the plane is at rest", fmt::format("a point of '{}'", body), ""}};
      const SpatialExpansion drawn(model);
      const auto [F, M] = rolling_disc_joint.spatial.frames(joint, drawn);
      const double lean = F.axes.col(2).dot(drawn.start(M.origin.body).turn(M.axes.col(2)));
      if (std::abs(lean) < 1 - 1e-9) return {};
      return {{"axis_b", "an axis that is not along the normal of the plane in the initial position",
               "a disc that lies flat", "tilt its body a little: it touches along its whole rim as it lies"}};
    },
};

}  // namespace driftless
