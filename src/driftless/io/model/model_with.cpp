// with(): a model read again, with other values of its parameters.
#include "driftless/core/complaints.hpp"
#include "driftless/io/model_json.hpp"

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
  for (const Input& input : model.inputs)
    if (input.set) all[input.name] = input.value(0);
  const std::string written = model_to_json(model);
  if (model_to_json(parse_model(model.origin->text, model.origin->source, all)) != written)
    throw InputError(model.origin->source,
                     Complaint{path_below("parameters", values.begin()->first), "a model as it was read",
                               "one that a program changed since",
                               "give new values to parameters first, then change its members"});
  for (const auto& [name, value] : values) all[name] = value;
  Model out = parse_model(model.origin->text, model.origin->source, all);
  for (const Input& before : model.inputs)  // what a program computes is not in the text
    for (Input& input : out.inputs)
      if (before.function && input.name == before.name && !input.set) {
        input.function = before.function;
        input.reads = before.reads;
      }
  return out;
}

}  // namespace driftless
