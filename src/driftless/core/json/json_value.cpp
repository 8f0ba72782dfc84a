#include "driftless/core/json/json_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kLineWidth = 100;

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

bool is_list_of_objects(const JsonValue::Array& array) {
  return std::any_of(array.begin(), array.end(), [](const JsonValue& v) { return v.object() != nullptr; });
}

// Length of the UTF-8 character at the front, 0 if there is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  // Longer than need be, surrogates, beyond the last one.
  const bool wrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
                     (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : length;
}

std::string valid(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    out += length > 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

void print_open(const JsonValue& value, std::string& out, std::size_t indent) {
  const auto* array = value.array();
  const auto* object = value.object();
  if (const auto* number = value.number()) {
    const bool whole = std::abs(*number) < 1e15 && *number == std::trunc(*number) &&
                       !(*number == 0 && std::signbit(*number));
    out += !std::isfinite(*number) ? "null" : whole ? fmt::format("{:.0f}", *number) : number_text(*number);
  } else if (const auto* text = value.string()) {
    out += string_literal(valid(*text));
  } else if (array == nullptr && object == nullptr) {
    const auto* flag = value.boolean();
    out += flag == nullptr ? "null" : *flag ? "true" : "false";
  } else {
    const std::size_t count = array != nullptr ? array->size() : object->size();
    out += array != nullptr ? '[' : '{';
    for (std::size_t i = 0; i < count; ++i) {
      out += (i > 0 ? ",\n" : "\n") + std::string(indent + 2, ' ');
      if (object != nullptr) out += string_literal(valid((*object)[i].key)) + ": ";
      print_open(array != nullptr ? (*array)[i] : (*object)[i].value, out, indent + 2);
    }
    if (count > 0) out += '\n' + std::string(indent, ' ');
    out += array != nullptr ? ']' : '}';
  }
}

class Printer {
 public:
  // Appends `value`; false, with `out` in any state, when it does not fit on `room` columns.
  bool flat(const JsonValue& value, std::string& out, std::size_t room) const {
    const std::size_t end = out.size() + room;
    if (const auto* array = value.array()) {
      if (is_list_of_objects(*array)) return false;
      out += '[';
      for (std::size_t i = 0; i < array->size(); ++i) {
        if (i > 0) out += ", ";
        if (out.size() > end || !flat((*array)[i], out, end - out.size())) return false;
      }
      out += ']';
    } else if (const auto* object = value.object()) {
      out += object->empty() ? "{" : "{ ";
      for (std::size_t i = 0; i < object->size(); ++i) {
        if (i > 0) out += ", ";
        out += string_literal((*object)[i].key) + ": ";
        if (out.size() > end || !flat((*object)[i].value, out, end - out.size())) return false;
      }
      out += object->empty() ? "}" : " }";
    } else {
      out += scalar(value);
    }
    return out.size() <= end;
  }

  // Appends `value`, which starts at column `column` of a line indented by `indent`.
  void print(const JsonValue& value, std::string& out, std::size_t indent, std::size_t column) const {
    const auto* array = value.array();
    const auto* object = value.object();
    if (array == nullptr && object == nullptr) {
      out += scalar(value);
      return;
    }
    std::string line;
    const bool empty = array != nullptr ? array->empty() : object->empty();
    if (empty || (indent > 0 && column < kLineWidth && flat(value, line, kLineWidth - column))) {
      out += empty ? (array != nullptr ? "[]" : "{}") : line;
      return;
    }
    const std::string margin(indent + 2, ' ');
    out += array != nullptr ? '[' : '{';
    const std::size_t count = array != nullptr ? array->size() : object->size();
    for (std::size_t i = 0; i < count; ++i) {
      out += (i > 0 ? ",\n" : "\n") + margin;
      if (array != nullptr) {
        print((*array)[i], out, indent + 2, indent + 2);
      } else {
        const std::string key = string_literal((*object)[i].key) + ": ";
        out += key;
        print((*object)[i].value, out, indent + 2, indent + 2 + key.size());
      }
    }
    out += '\n' + std::string(indent, ' ') + (array != nullptr ? ']' : '}');
  }

 private:
  static std::string scalar(const JsonValue& value) {
    if (const auto* text = value.string()) return string_literal(*text);
    if (const auto* flag = value.boolean()) return *flag ? "true" : "false";
    if (const auto* number = value.number()) {
      if (!std::isfinite(*number)) throw std::invalid_argument("JSON has no number that is not finite");
      return number_text(*number);
    }
    return "null";
  }
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto* members = object();
  if (members == nullptr) return nullptr;
  const auto found =
      std::find_if(members->begin(), members->end(), [&](const JsonMember& m) { return m.key == key; });
  return found == members->end() ? nullptr : &found->value;
}

JsonValue& JsonValue::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(data)) data = Object();
  auto& members = std::get<Object>(data);
  for (JsonMember& member : members)
    if (member.key == key) return member.value;
  members.push_back({std::string(key), {}});
  return members.back().value;
}

void JsonValue::push_back(JsonValue value) { std::get<Array>(data).push_back(std::move(value)); }

std::string to_open_text(const JsonValue& value) {
  std::string out;
  print_open(value, out, 0);
  return out + '\n';
}

std::string to_text(const JsonValue& value) {
  std::string out;
  Printer().print(value, out, 0, 0);
  return out + '\n';
}

std::string number_text(double value) {
  if (value == 0)
    return std::signbit(value) ? "-0.0" : "0";  // "-0" would be read as an integer and lose its sign
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value).ptr;
  return {std::begin(text), end};
}

std::string describe(const JsonValue& value) {
  if (const auto* text = value.string()) return fmt::format("'{}'", printable(*text));
  if (const auto* flag = value.boolean()) return *flag ? "true" : "false";
  if (const auto* number = value.number()) return number_text(*number);
  if (const auto* array = value.array())
    return array->empty() ? "an empty list"
                          : fmt::format("a list of {} value{}", array->size(), array->size() == 1 ? "" : "s");
  return value.object() != nullptr ? "an object" : "null";
}

}  // namespace driftless
