// Model files: JSON with `"driftless": 1` first, read strictly (unknown keys are errors) and written back so
// that reading what was written gives the same model.
#pragma once

#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// Reads and validates. InputError lists every complaint with its JSON path. `set`: new values of parameters.
Model read_model(const std::string& path, const ParameterValues& set = {});
Model parse_model(const std::string& text, const std::string& source, const ParameterValues& set = {});
// The same with other element types than the built-in ones.
Model parse_model(const std::string& text, const std::string& source, const Catalogue& catalogue);

// The model with other values of parameters, read again from where it came:  with(model, {{"k", 1500}}). Values it was read
// with before stay. InputError if it has no such parameter, or if a program has changed it since it was read.
Model with(const Model& model, const ParameterValues& values);

// As it is, in numbers: expressions are evaluated, included files and tables are in it, and parameters are gone.
// Pretty-printed; what has its default value is left out. The model must be valid.
std::string model_to_json(const Model& model);

// The JSON Schema of model files, generated from the element records: schema/model.schema.json is this text.
std::string model_schema();
std::string model_schema(const Catalogue& catalogue);

}  // namespace driftless
