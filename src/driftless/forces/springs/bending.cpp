// Bending spring of three points: bending.hpp.
#include <cmath>

#include "driftless/forces/force_record.hpp"

namespace driftless {

namespace {

template <int D>
void compile_bending(const Element& force, Expansion<D>& model, Forces<D>& forces) {
  const auto at = [&](const char* field) { return model.point(force.get<PointRef>(field)); };
  BendingSpring<D> spring{at("a"), at("b"), at("center"), force.number("stiffness", 0)};
  if (force.has("EI")) {
    const auto length = [&](const PointOf<D>& p) {
      return (model.place(p) - model.place(spring.center)).norm();
    };
    spring.stiffness =
        8 * force.get<double>("EI") / (length(spring.a) + length(spring.b));  // 4EI/l, l the mean
  }
  add_force(spring, forces);
}

}  // namespace

extern const ForceRecord bending_force;
const ForceRecord bending_force = {
    .element = {"bending",
                "bending spring of three points: V = C/2 cot²(angle/2)",
                {{"a", FieldKind::point, true, {}, "", "one side", {}},
                 {"b", FieldKind::point, true, {}, "", "other side", {}},
                 {"center", FieldKind::point, true, {}, "", "the point between, where it bends", {}},
                 {"stiffness", FieldKind::positive, false, {}, "N m", "C", {}},
                 {"EI",
                  FieldKind::positive,
                  false,
                  {},
                  "N m²",
                  "instead: of a beam cut into segments as drawn, C = 4 EI/l",
                  {}}}},
    .compile_planar = &compile_bending,
    .compile_spatial = &compile_bending,
    .readings = "the angle by which it is bent",
    .planar_readings = reading_names<BendingSpring<2>>(),
    .spatial_readings = reading_names<BendingSpring<3>>(),
    .check = [](const Element& force, const Model&) -> std::vector<Complaint> {
      if (force.has("stiffness") != force.has("EI")) return {};
      return {{"stiffness", "\"stiffness\" or \"EI\"", force.has("EI") ? "both" : "neither", ""}};
    },
};

}  // namespace driftless
