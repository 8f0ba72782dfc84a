#include "driftless/report/page_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

// Length of the UTF-8 sequence at the beginning, 0 if there is none (RFC 3629: shortest forms, no surrogates).
size_t sequence(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

// Calls `one` for each byte of ASCII; longer sequences are copied.
template <class One>
void for_each_letter(std::string_view text, std::string& out, One one) {
  while (!text.empty()) {
    const size_t length = sequence(text);
    if (length == 1)
      one(text[0]);
    else
      out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

void append_text(std::string_view text, std::string& out) {
  out += '"';
  for_each_letter(text, out, [&](char c) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  });
  out += '"';
}

void append(const JsonValue& value, std::string& out) {
  if (const auto* array = value.array()) {
    out += '[';
    for (size_t i = 0; i < array->size(); ++i) {
      if (i > 0) out += ',';
      append((*array)[i], out);
    }
    out += ']';
  } else if (const auto* object = value.object()) {
    out += '{';
    for (size_t i = 0; i < object->size(); ++i) {
      if (i > 0) out += ',';
      append_text((*object)[i].key, out);
      out += ':';
      append((*object)[i].value, out);
    }
    out += '}';
  } else if (const auto* text = value.string()) {
    append_text(*text, out);
  } else if (const auto* flag = value.boolean()) {
    out += *flag ? "true" : "false";
  } else if (const auto* number = value.number(); number != nullptr && std::isfinite(*number)) {
    out += number_text(*number);
  } else {
    out += "null";
  }
}

}  // namespace

std::string script_json(const JsonValue& value) {
  std::string out;
  append(value, out);
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for_each_letter(text, out, [&](char c) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += ' ';
    else
      out += c;
  });
  return out;
}

}  // namespace driftless
