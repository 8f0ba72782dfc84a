// parse_json: nlohmann::json's event parser (iterative, so nesting costs no stack) fills our tree and is
// stopped at the first thing that is not JSON or passes a limit. The only file that includes
// nlohmann: it takes seconds.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/json/json_value.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostValues = 6'000'000;

// "line 3, column 12" of a byte; columns count characters from 1.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto is_character = [](unsigned char c) { return (c & 0xC0U) != 0x80U; };
  const auto column =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(), is_character) + 1;
  return fmt::format("line {}, column {}", line, column);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-' || c == '.';
}

// The word around a byte ("-Infinity", "1e999"), or the byte itself.
std::string_view word_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {};
  if (!is_word(text[offset])) return text.substr(offset, 1);
  std::size_t first = offset, last = offset + 1;
  while (first > 0 && is_word(text[first - 1])) --first;
  while (last < text.size() && is_word(text[last])) ++last;
  return text.substr(first, last - first);
}

std::string lower_case(std::string_view text) {
  std::string out(text.substr(0, 20));
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool looks_like_number(std::string_view word) {
  return !word.empty() &&
         (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || std::strchr("+-.", word[0]) != nullptr);
}

// What the parser says it stopped at, in words: `message` is nlohmann's, `word` what stands there (empty at
// the end of the file), `before` the last character in front of it that is not blank.
std::string syntax_hint(std::string_view message, std::string_view word, char before) {
  const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (says("UTF-8")) return "save the file as UTF-8";
  if (says("comment")) return "comments are // to the end of the line or /* … */";
  if (says("closing quote") || says("U+000A") || says("U+000D")) return "a closing quote is missing";
  if (says("U+0009")) return "write a tab inside a string as \\t";
  if (says("backslash")) return "write a backslash inside a string as \\\\";
  const std::string lower = lower_case(word);
  if (says("overflow") || lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos)
    return "every number must be finite and fit a double";
  if (lower == "true" || lower == "false" || lower == "null" || lower == "none")
    return "write true or false, in small letters";
  if (looks_like_number(word) && !says("object key"))
    return "numbers look like 0.5, -3 or 1e-3, with commas between them";
  if (word.empty()) return "a closing brace or bracket is missing";
  if (word == "'") return "strings and keys stand in double quotes";
  if (word == "}" || word == "]")
    return before == ',' ? "remove the comma in front of it" : "brackets and braces do not match";
  if (says("; expected '}'") || says("; expected ']'")) return "a comma in front of it is missing";
  if (says("parsing object key")) return "keys stand in double quotes";
  if (says("; expected end of input")) return "braces may be closed too early";
  return says("invalid literal") ? "strings stand in double quotes" : "";
}

std::string syntax_expected(std::string_view message) {
  const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (says("overflow") || says("invalid number")) return "a finite number";
  if (says("invalid string")) return "a string of valid UTF-8 text";
  if (says("comment")) return "a comment";
  if (says("object key")) return "a key in double quotes";
  if (says("object separator")) return "':' behind the key";
  if (says("; expected '}'")) return "',' or '}'";
  if (says("; expected ']'")) return "',' or ']'";
  if (says("; expected end of input")) return "nothing behind the end of the model";
  return "a value";
}

// Hands characters to the parser and remembers how far it has read.
struct Tracker {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** furthest = nullptr;

  const char& operator*() const { return *at; }
  Tracker& operator++() {
    *furthest = ++at;
    return *this;
  }
  bool operator==(const Tracker& other) const { return at == other.at; }
  bool operator!=(const Tracker& other) const { return at != other.at; }
};

// The event handler nlohmann calls; every function returns whether to go on.
class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text), furthest_(text.data()) {}

  const char** furthest() { return &furthest_; }
  Complaints& complaints() { return complaints_; }
  JsonValue& root() { return root_; }

  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(nlohmann::json::number_integer_t value) { return add(static_cast<double>(value)); }
  bool number_unsigned(nlohmann::json::number_unsigned_t value) { return add(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_array(std::size_t) { return open(JsonValue::Array()); }
  bool end_array() { return close(); }
  bool start_object(std::size_t) { return open(JsonValue::Object()); }
  bool end_object() {
    complain_of_duplicates();
    return close();
  }
  bool key(std::string& value) {
    open_.back().key = std::move(value);
    open_.back().has_key = true;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error);

 private:
  struct Open {
    JsonValue value;
    std::string key;  // of an object's member being read
    bool has_key = false;
  };

  bool add(JsonValue value);
  bool open(JsonValue value);
  bool close();
  bool stop(std::string expected, std::string found, std::string hint);
  void complain_of_duplicates();
  std::string path(std::size_t levels) const;
  std::string here() const {
    return line_and_column(text_, static_cast<std::size_t>(furthest_ - text_.data()) - 1);
  }

  std::string_view text_;
  const char* furthest_;  // one behind the last character read
  std::vector<Open> open_;
  JsonValue root_;
  std::size_t count_ = 0;
  Complaints complaints_;
};

bool TreeBuilder::add(JsonValue value) {
  if (++count_ > kMostValues)
    return stop(fmt::format("at most {} values in a file", kMostValues), "more", "thin out long tables");
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (auto* array = std::get_if<JsonValue::Array>(&open_.back().value.data)) {
    array->push_back(std::move(value));
  } else {
    auto& parent = open_.back();
    std::get<JsonValue::Object>(parent.value.data).push_back({std::move(parent.key), std::move(value)});
    parent.has_key = false;
  }
  return true;
}

bool TreeBuilder::open(JsonValue value) {
  if (open_.size() >= kDeepest)
    return stop(fmt::format("at most {} levels of brackets and braces", kDeepest), "more", "");
  open_.push_back({std::move(value), {}, false});
  return true;
}

bool TreeBuilder::close() {
  JsonValue value = std::move(open_.back().value);
  open_.pop_back();
  return add(std::move(value));
}

bool TreeBuilder::stop(std::string expected, std::string found, std::string hint) {
  complaints_.add(here(), std::move(expected), std::move(found), std::move(hint));
  return false;
}

void TreeBuilder::complain_of_duplicates() {
  const auto& members = *open_.back().value.object();
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const auto& member : members) keys.emplace_back(member.key);
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size() && !complaints_.full(); ++i)
    if (keys[i] == keys[i - 1] && (i < 2 || keys[i] != keys[i - 2]))
      complaints_.add(path_below(path(open_.size() - 1), keys[i]), "each key once in an object",
                      "the same key twice", fmt::format("remove one; the object ends at {}", here()));
}

// Where we are, from the open brackets: the first `levels` of them.
std::string TreeBuilder::path(std::size_t levels) const {
  std::string out;
  for (std::size_t i = 0; i < levels; ++i) {
    if (const auto* array = open_[i].value.array())
      out = path_below(out, array->size());
    else if (open_[i].has_key)
      out = path_below(out, open_[i].key);
  }
  return out;
}

bool TreeBuilder::parse_error(std::size_t position,
                              const std::string&,
                              const nlohmann::detail::exception& error) {
  const std::string_view message = error.what();
  const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  std::size_t offset = position > 0 ? position - 1 : 0;
  // Words and numbers are read to the character behind them.
  const bool behind = says("overflow") || says("invalid literal") || says("invalid number");
  if (behind && offset > 0 && is_word(text_[offset - 1])) --offset;
  const std::string_view word = word_at(text_, offset);
  offset = word.empty() ? text_.size() : static_cast<std::size_t>(word.data() - text_.data());
  const auto last = text_.substr(0, offset).find_last_not_of(" \t\r\n");
  const char before = last == std::string_view::npos ? ' ' : text_[last];

  const std::string inside = path(open_.size()), place = line_and_column(text_, offset);
  std::string found = word.empty() ? "the end of the file" : fmt::format("'{}'", printable(word, 40));
  if (says("UTF-8")) found = "bytes that are not UTF-8";
  complaints_.add(inside.empty() ? place : fmt::format("{} ({})", inside, place), syntax_expected(message),
                  found, syntax_hint(message, word, before));
  return false;
}

}  // namespace

JsonValue parse_json(std::string_view text, const std::string& source) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(source, Complaint{"", "a model in JSON", "an empty file",
                                       R"(the smallest is { "driftless": 1, "bodies": [ … ] })"});
  // nlohmann takes a NUL for the end of the text.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    throw InputError(
        source, Complaint{line_and_column(text, nul), "a text file", "a NUL byte", "is this a model file?"});

  TreeBuilder builder(text);
  const Tracker first{text.data(), builder.furthest()}, last{text.data() + text.size(), builder.furthest()};
  nlohmann::json::sax_parse(first, last, &builder, nlohmann::json::input_format_t::json, true, true);
  if (!builder.complaints().empty()) throw InputError(source, builder.complaints().take());
  return std::move(builder.root());
}

}  // namespace driftless
