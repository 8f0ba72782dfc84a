// A force type: what it is called, its fields, and how it compiles into a planar element. One file per force, one line
// in forces.def.
#pragma once

#include <span>

#include "driftless/constraints/spatial_expansion.hpp"
#include "driftless/forces/planar_forces.hpp"
#include "driftless/forces/spatial_forces.hpp"
#include "driftless/model/fields.hpp"

namespace driftless {

// Where forces put their elements while a planar model is compiled.
class PlanarForceSink {
 public:
  virtual ~PlanarForceSink() = default;
  virtual int body(const std::string& name) const = 0;  // index, ground included
  virtual PointOn point(const PointRef& ref) const = 0;
  virtual void add(const Tsda& element) = 0;
  virtual void add(const Rsda& element) = 0;
  virtual void add(const PointForce& element) = 0;
  virtual void add(const Torque& element) = 0;
};

struct ForceRecord {
  ElementRecord element;
  void (*compile_planar)(const Element& force, PlanarForceSink& sink) = nullptr;
  // Null: not available in spatial models. The expansion gives points, directions and scalars.
  void (*compile_spatial)(const Element& force, SpatialExpansion& model, SpatialForces& forces) = nullptr;
};

std::span<const ForceRecord* const> force_records();

// Fields and value of a SpringLaw; `unit` is that of the relative coordinate ("m", "rad"), `effort` that of the force.
std::vector<FieldSpec> spring_law_fields(const char* free_name, const char* unit, const char* effort);
SpringLaw spring_law(const Element& force, const char* free_name);

}  // namespace driftless
