#include "driftless/io/model/input_json.hpp"

#include <array>

#include "driftless/io/model/function_json.hpp"
#include "driftless/io/model/parameters.hpp"

namespace driftless {
namespace {

// An object with "type" is a function; any other says what the value is, and of which unit.
bool is_wrapped(const JsonValue& value) { return value.object() != nullptr && value.find("type") == nullptr; }

void read_input(const JsonReader& reader, Input& input) {
  if (!is_wrapped(reader.value())) {
    if (const auto value = read_function(reader, "t", Signals::allowed)) input.value = *value;
    return;
  }
  reader.only(std::array<std::string, 3>{"value", "unit", "every"}, "an input");
  reader.read("unit", input.unit);
  if (const auto every = reader.member("every")) {
    const auto time = every->number("a time > 0");
    if (time && !(*time > 0)) every->complain("a time > 0");
    if (time && *time > 0) input.every = *time;
  }
  const auto value = reader.required("value", "its value: a function of time, or an expression in outputs");
  if (!value) return;
  if (const auto function = read_function(*value, "t", Signals::allowed)) input.value = *function;
}

}  // namespace

std::vector<Input> read_inputs(const JsonReader& block,
                               const std::string& prefix,
                               const ParameterValues& set) {
  std::vector<Input> out;
  if (!block.is_object("an object { \"NAME\": value, … }")) return out;
  for (const auto& [name, value] : *block.value().object()) {
    if (is_comment(name, value)) continue;
    const JsonReader reader = block.at(value, path_below(block.path(), name));
    Input& input = out.emplace_back();
    input.name = name;
    read_input(reader, input);
    if (const auto given = set.find(prefix + name); given != set.end()) {
      input.value = TimeFunction(given->second);
      input.every = 0;
      input.set = true;
    }
  }
  return out;
}

JsonValue write_inputs(const std::vector<Input>& inputs) {
  JsonValue::Object out;
  for (const Input& input : inputs) {
    JsonValue::Object entry = {{"value", write_function(input.value)}};
    if (!input.unit.empty()) entry.push_back({"unit", input.unit});
    if (input.every > 0) entry.push_back({"every", input.every});
    out.push_back({input.name, std::move(entry)});
  }
  return out;
}

}  // namespace driftless
