// Time functions in model files: a number, a string (an expression in t), or an object with "type":
//
//   { "type": "harmonic", "amplitude": 0.2, "frequency": 6.28 }       what is left out is 0
//   { "type": "table", "points": [[0, 0], [1, 0.5], [2, 0]], "interpolation": "cubic" }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/core/json/json_value.hpp"
#include "driftless/core/time_function.hpp"
#include "driftless/io/json_reader.hpp"

namespace driftless {

enum class FunctionKeyKind { number, numbers, pairs, interpolation, text };

struct FunctionKey {
  std::string name;
  FunctionKeyKind kind = FunctionKeyKind::number;
  bool required = true;
  std::string help;
};

// The object form of one kind of function: what the reader accepts and the schema publishes.
struct FunctionForm {
  std::string type;
  std::string help;
  std::vector<FunctionKey> keys;
};

const std::vector<FunctionForm>& function_forms();  // in the order of TimeFunction::kinds()

// Whether expressions may name outputs and inputs: every name that means nothing else is taken for one of them.
enum class Signals { refused, allowed };

// `variable`: what expressions call the argument.
std::optional<TimeFunction> read_function(const JsonReader& reader,
                                          const std::string& variable = "t",
                                          Signals signals = Signals::refused);
JsonValue write_function(const TimeFunction& function);

}  // namespace driftless
