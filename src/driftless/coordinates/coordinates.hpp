// Model → DescriptorSystem: in which unknowns a configuration is described. One file per coordinate set, one line in
// coordinates.def.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/method_record.hpp"
#include "driftless/model/model.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// A model's system together with the state its file asks for, not yet assembled. Joint values and rates the file wants
// at the start (`initial.joints`) are drivers of two auxiliary systems, used by assembly only.
struct CompiledModel {
  std::unique_ptr<DescriptorSystem> system;
  std::unique_ptr<DescriptorSystem> position_start;  // with the wanted joint values; null if there are none
  std::unique_ptr<DescriptorSystem> velocity_start;  // with the wanted joint rates; null if there are none
  State guess;                                       // as given: rough
  std::vector<int> held;                             // positions assembly must keep
  // The start does not depend on the coordinates: a set other than reference-point has the model compiled there too,
  // and assembly carries over the state it finds in `reference`. Null: assembled here.
  std::unique_ptr<CompiledModel> reference;
  std::function<State(const State& at_reference)> from_reference;
};

struct CoordinatesRecord {
  MethodRecord method;
  // The model is valid; `source` is its file, for messages. Null for equation-level problems.
  CompiledModel (*compile)(const Model& model, const std::string& source, const Options& options);
  bool has_switched_rows = false;  // contacts, stops and dry friction, whose rows come and go
};

std::span<const CoordinatesRecord* const> coordinates_records();

// The built-in joints, drivers, forces and outputs.
const Catalogue& standard_catalogue();

struct Drawing;
Drawing drawing_of(const Model& model);  // model/drawing/drawing.hpp, of these

// Validates and compiles; `options` are those of the coordinate set. InputError (with `source` as the file) if the model,
// the name or an option is wrong.
CompiledModel compile(const Model& model,
                      const std::string& coordinates,
                      const std::string& source,
                      const std::map<std::string, std::string>& options = {});

}  // namespace driftless
