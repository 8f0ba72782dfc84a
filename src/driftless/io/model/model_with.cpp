// with(): a model read again, with other values of its parameters.
#include "driftless/io/model_json.hpp"
#include "driftless/model/validate/complaints.hpp"

namespace driftless {

Model with(const Model& model, const ParameterValues& values) {
  if (values.empty()) return model;
  if (!model.origin)
    throw InputError("", Complaint{path_below("parameters", values.begin()->first),
                                   "a model that was read from a file or text", "one that a program built",
                                   "it has no parameters: change its members"});
  ParameterValues all;
  for (const Parameter& parameter : model.parameters)
    if (parameter.set) all[parameter.name] = parameter.value;
  const std::string written = model_to_json(model);
  if (model_to_json(parse_model(model.origin->text, model.origin->source, all)) != written)
    throw InputError(model.origin->source,
                     Complaint{path_below("parameters", values.begin()->first), "a model as it was read",
                               "one that a program changed since",
                               "give new values to parameters first, then change its members"});
  for (const auto& [name, value] : values) all[name] = value;
  return parse_model(model.origin->text, model.origin->source, all);
}

}  // namespace driftless
