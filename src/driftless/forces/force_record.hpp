// A force type: what it is called, its fields, and how it compiles into planar and spatial elements. One file per force,
// one line in forces.def.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/constraints/spatial_expansion.hpp"
#include "driftless/forces/planar_forces.hpp"
#include "driftless/forces/spatial_forces.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// What forces may ask while a planar model is compiled, and where they put their elements.
class PlanarForceSink {
 public:
  virtual ~PlanarForceSink() = default;
  virtual int body(const std::string& name) const = 0;  // index, ground included
  virtual PointOn point(const PointRef& ref) const = 0;
  virtual const PlanarFrame<double>& start(int body) const = 0;  // pose as the file gives it
  virtual std::pair<int, int> joint_bodies(
      const std::string& joint) const = 0;  // those of its angle θ_b − θ_a
  virtual PlanarForces& forces() = 0;

  template <class Kind>
  void add(const Kind& element) {
    std::get<std::vector<Kind>>(forces()).push_back(element);
  }
};

struct ForceRecord {
  ElementRecord element;
  void (*compile_planar)(const Element& force, PlanarForceSink& sink) = nullptr;
  // The expansion gives points, directions and scalars.
  void (*compile_spatial)(const Element& force, SpatialExpansion& model, SpatialForces& forces) = nullptr;
  // What the kinds of the fields cannot say of a valid element; paths are names of fields. Null: nothing.
  std::vector<Complaint> (*check)(const Element& force, const Model& model) = nullptr;
};

std::span<const ForceRecord* const> force_records();

// Fields and value of a SpringLaw; `unit` is that of the relative coordinate ("m", "rad"), `effort` that of the force.
std::vector<FieldSpec> spring_law_fields(const char* free_name, const char* unit, const char* effort);
SpringLaw spring_law(const Element& force, const char* free_name);

// The field `frame`: world or body axes of given components.
FieldSpec frame_field();
bool in_body_axes(const Element& force);

}  // namespace driftless
