// Rolling without slip, planar: a wheel of the second body rolls on a straight track of the first. With u along the track,
// n across it towards the wheel, s = +1 where n is u turned by +90°, else −1, and d from a point of the track to the centre:
//   n·d = ρ                                                                                                       (1)
//   u·d + s ρ (θ_b − θ_a) = phase              form = holonomic                                                    (2)
//   d/dt of (2) = 0                            form = velocity: the same motion, but nothing holds the phase       (3)
// 2 rows. Unless given, the phase is that of the poses in the file.
#include "driftless/joints/joint_record.hpp"

namespace driftless {

extern const JointRecord rolling_joint;
const JointRecord rolling_joint = {
    .element = {"rolling",
                "wheel rolling on a straight track without slip",
                {point_field("a", "point of the track"),
                 axis_field(),
                 point_field("b", "centre of the wheel"),
                 {"radius", FieldKind::positive, true, {}, "m", "radius of the wheel", {}},
                 {"form",
                  FieldKind::choice,
                  false,
                  FieldValue(std::string("holonomic")),
                  "",
                  "whether the travel is tied to the angle itself or only to its rate",
                  {"holonomic", "velocity"}},
                 {"phase",
                  FieldKind::number,
                  false,
                  {},
                  "m",
                  "travel plus (wheel on the other side: minus) radius times angle; default: as drawn",
                  {}}},
                Spaces::planar,
                {.symbol = "rolling", .wheels = {{.center = "b"}}}},
    .planar = {.frames = &axis_frames,
               .expand =
                   [](const Element& joint, const JointFramesOf<2>& frames, Expansion<2>& model) {
                     const auto& [F, M] = frames;
                     const int a = F.origin.body, b = M.origin.body;
                     const double side = model.displacement_drawn(F, 1, M.origin) < 0 ? -1 : 1;
                     const double radius = joint.get<double>("radius");
                     JointFrameOf<2> towards = F;  // its y from the track to the wheel
                     towards.axes.col(1) *= side;
                     model.add_along(towards, 1, M.origin, TimeFunction(radius), "contact");  // (1)
                     const double as_drawn = model.displacement_drawn(F, 0, M.origin) +
                                             side * radius * (model.start(b).theta - model.start(a).theta);
                     const TimeFunction phase = joint.number("phase", as_drawn);
                     const bool tied = !joint.has("form") ||
                                       joint.get<std::string>("form") == "holonomic";  // (2), else (3)
                     model.add_along_turns(F, M.origin, {{b, -side * radius}, {a, side * radius}}, phase,
                                           tied ? "travel" : "slip", !tied);
                   },
               .axes_on_first = true},
};

}  // namespace driftless
