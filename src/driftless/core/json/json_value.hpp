// A JSON document as a plain tree: what all readers walk and all writers fill. The parser behind
// parse_json is nlohmann::json's, driven value by value, so that hostile text is stopped while it is read.
// Against nlohmann's own tree this one keeps the order of keys and costs a reader no compile time.
//
// Limits    64 levels, 2 million values: a file costs bounded stack and memory, whatever it contains.
// Accepted  JSON (RFC 8259) in UTF-8, with or without byte order mark, with // and /* */ comments.
// Refused   duplicate keys, numbers beyond double (1e999), NaN and Infinity, anything behind the value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace driftless {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // in the order of the text

  std::variant<std::monostate, bool, double, std::string, Array, Object> data;  // monostate: null

  JsonValue() = default;
  JsonValue(std::nullptr_t) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  JsonValue(T value);
  JsonValue(const char* value);
  JsonValue(std::string value);
  JsonValue(Array value);
  JsonValue(Object value);
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_same_v<T, std::string>
  JsonValue(const std::vector<T>& values);

  // The member of an object, put behind the others if it is not there; null becomes an object.
  JsonValue& operator[](std::string_view key);
  void push_back(JsonValue value);  // to a list

  const bool* boolean() const { return std::get_if<bool>(&data); }
  const double* number() const { return std::get_if<double>(&data); }
  const std::string* string() const { return std::get_if<std::string>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  const Object* object() const { return std::get_if<Object>(&data); }
  // The member of an object, or null: no such key, or no object.
  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

// Here, where JsonMember is complete.
template <class T>
  requires std::is_arithmetic_v<T>
JsonValue::JsonValue(T value) {
  if constexpr (std::is_same_v<T, bool>)
    data = value;
  else
    data = static_cast<double>(value);
}
template <class T>
  requires std::is_arithmetic_v<T> || std::is_same_v<T, std::string>
JsonValue::JsonValue(const std::vector<T>& values) : data(Array(values.begin(), values.end())) {}
inline JsonValue::JsonValue(const char* value) : data(std::string(value)) {}
inline JsonValue::JsonValue(std::string value) : data(std::move(value)) {}
inline JsonValue::JsonValue(Array value) : data(std::move(value)) {}
inline JsonValue::JsonValue(Object value) : data(std::move(value)) {}

// Reads a whole document. InputError, with line, column and JSON path, if it is not JSON within the limits
// above.
JsonValue parse_json(std::string_view text, const std::string& source);

// Pretty-printed, ending in a newline: what fits on a line of 100 columns stays on one (lists of objects
// never). Numbers read back to the same double. std::invalid_argument if a number is not finite.
std::string to_text(const JsonValue& value);

// For other programs: every entry on a line of its own, whole numbers without exponent, null for numbers that are not finite, bytes that
// are no UTF-8 replaced.
std::string to_open_text(const JsonValue& value);

// What stands there, in words for a message: "12.5", "'crank'", "true", "a list of 3 values", "an object".
std::string describe(const JsonValue& value);

// The shortest text that reads back to the same double.
std::string number_text(double value);

}  // namespace driftless
