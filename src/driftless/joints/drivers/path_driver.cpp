// Path driver: a point of the second body follows a path in the frame of the first.   planar 2 rows, spatial 3
//   p_b − p_a = Σ e_k f_k(t)
#include "driftless/joints/joint_record.hpp"

namespace driftless {

namespace {

constexpr auto path_rows = [](const Element& driver, const auto& frames, auto& model) {
  constexpr int D = dimension_of<decltype(model)>;
  const auto& [F, M] = frames;
  markers::Follow<D, 0> path;
  path.x[0] = model.mark(F.origin);
  path.x[1] = model.mark(M.origin);
  std::vector<std::string> labels;
  for (size_t k = 0; k < D; ++k) {
    path.x[2 + k] = model.axis(F, static_cast<int>(k));
    path.curve[k] = driver.get<std::vector<TimeFunction>>("function")[k];
    labels.emplace_back(1, "xyz"[k]);
  }
  model.add(path, labels);
};

}  // namespace

extern const JointRecord path_driver_joint;
const JointRecord path_driver_joint = {
    .element = {"path",
                "prescribed path of a point",
                {point_field("a", "origin of the path, on the reference body"),
                 point_field("b", "driven point"),
                 {"function",
                  FieldKind::vector_function,
                  true,
                  {},
                  "m",
                  "coordinates over time, one function each, in the axes of the reference body",
                  {}}}},
    .planar = {.frames = &point_frames, .expand = path_rows},
    .spatial = {.frames = &point_frames, .expand = path_rows},
};

}  // namespace driftless
