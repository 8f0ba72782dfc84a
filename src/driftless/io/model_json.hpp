// Model files: JSON with `"driftless": 1` first, read strictly (unknown keys are errors) and written back so
// that reading what was written gives the same model.
#pragma once

#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// Reads and validates. InputError lists every complaint with its JSON path.
Model read_model(const std::string& path);
Model parse_model(const std::string& text, const std::string& source);
// The same with other element types than the built-in ones.
Model parse_model(const std::string& text, const std::string& source, const Catalogue& catalogue);

// Pretty-printed; what has its default value is left out. The model must be valid.
std::string model_to_json(const Model& model);

// The JSON Schema of model files, generated from the element records: schema/model.schema.json is this text.
std::string model_schema();
std::string model_schema(const Catalogue& catalogue);

}  // namespace driftless
