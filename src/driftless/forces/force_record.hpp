// A force type: what it is called, its fields, and how it compiles into planar and spatial elements. One file per force,
// one line in forces.def.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/constraints/expansion.hpp"
#include "driftless/forces/force_kinds.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

template <int D>
using CompileForce = void (*)(const Element& force, Expansion<D>& model, Forces<D>& forces);

struct ForceRecord {
  ElementRecord element;
  // The expansion gives points, directions and scalars.
  CompileForce<2> compile_planar = nullptr;
  CompileForce<3> compile_spatial = nullptr;
  // What output channels of type `force` can read off it, in words, and the names in models of each kind; empty: nothing.
  std::string readings = {};
  std::vector<std::string> planar_readings = {}, spatial_readings = {};
  // What the kinds of the fields cannot say of a valid element; paths are names of fields. Null: nothing.
  std::vector<Complaint> (*check)(const Element& force, const Model& model) = nullptr;
  std::string joint_coordinate = "angle";  // of a joint it names

  template <int D>
  CompileForce<D> compile() const {
    if constexpr (D == 2)
      return compile_planar;
    else
      return compile_spatial;
  }
};

std::span<const ForceRecord* const> force_records();

// Types with values output channels can read: "tsda, rsda, bushing, tyre".
std::string readable_forces();

// The angles of two bodies count turns, whatever the coordinates.
void count_turns(int a, int b, Expansion<2>& model);

// Names of what elements of a kind measure.
template <class Kind>
std::vector<std::string> reading_names() {
  std::vector<std::string> names;
  for (const ForceOutput& output : Kind::outputs) names.emplace_back(output.name);
  return names;
}

// Fields and value of a SpringLaw; `unit` is that of the relative coordinate ("m", "rad"), `effort` that of the force.
std::vector<FieldSpec> spring_law_fields(const char* free_name, const char* unit, const char* effort);
SpringLaw spring_law(const Element& force, const char* free_name);  // but for what reads signals
template <int D>
SpringEffort<D> spring_effort(const Element& force, const char* free_name, Expansion<D>& model);

// The field `frame`: world or body axes of given components.
FieldSpec frame_field();
bool in_body_axes(const Element& force);

}  // namespace driftless
