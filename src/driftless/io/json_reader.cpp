#include "driftless/io/json_reader.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/csv_table.hpp"
#include "driftless/io/model/parameters.hpp"

namespace driftless {

namespace {

// In quotes it is a slip more often than an expression.
bool is_plain_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

std::string other_space_hint(Space space) {
  return space == Space::planar ? "it is for spatial models: say \"space\": \"spatial\" at the top"
                                : "it is for planar models";
}

void JsonReader::complain(std::string expected, std::string hint) const {
  complaints().add(path_, std::move(expected), describe(*value_), std::move(hint));
}

std::optional<double> JsonReader::number(const std::string& expected) const {
  if (const double* number = value_->number()) return *number;
  const std::string* text = value_->string();
  if (text != nullptr && is_plain_number(*text)) {
    complain(expected, "write numbers without quotes");
    return {};
  }
  if (text != nullptr && context_->parameters != nullptr)
    return context_->parameters->evaluate(*text, path_, expected);
  complain(expected);
  return {};
}

std::optional<std::string> JsonReader::law(const std::vector<std::string>& names,
                                           const std::string& expected) const {
  const auto read = text(expected);
  if (!read || context_->parameters == nullptr) return read;
  return context_->parameters->substitute(*read, names, path_);
}

std::optional<bool> JsonReader::boolean() const {
  if (const bool* flag = value_->boolean()) return *flag;
  complain("true or false", value_->string() != nullptr ? "write it without quotes" : "");
  return {};
}

std::optional<std::string> JsonReader::text(const std::string& expected) const {
  if (const std::string* text = value_->string()) return *text;
  complain(expected);
  return {};
}

std::optional<Vec3> JsonReader::vector(Space space) const {
  const bool planar = space == Space::planar;
  const auto* list = value_->array();
  const bool has_z = planar && list != nullptr && list->size() == 3;
  const auto read =
      numbers(planar ? 2 : 3,
              planar ? "2 numbers [x, y] in a planar model" : "3 numbers [x, y, z] in a spatial model",
              has_z ? "leave z out, or say \"space\": \"spatial\" at the top" : "");
  if (!read) return {};
  return Vec3((*read)[0], (*read)[1], planar ? 0 : (*read)[2]);
}

std::optional<std::vector<double>> JsonReader::numbers(std::size_t count,
                                                       const std::string& expected,
                                                       const std::string& hint) const {
  const auto* list = value_->array();
  if (list == nullptr || list->size() != count) {
    complain(expected, hint);
    return {};
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto number = at((*list)[i], path_below(path_, i)).number()) out.push_back(*number);
  }
  if (out.size() != count) return {};
  return out;
}

std::optional<std::vector<std::pair<double, double>>> JsonReader::pairs(const std::string& expected) const {
  std::vector<std::pair<double, double>> out;
  if (is_csv_table(*value_)) {
    const auto rows = read_csv_table(*this, 2);
    if (!rows) return {};
    for (const auto& row : *rows) out.emplace_back(row[0], row[1]);
    return out;
  }
  const auto* list = value_->array();
  if (list == nullptr) {
    complain(expected);
    return {};
  }
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i)
    if (const auto pair = at((*list)[i], path_below(path_, i)).numbers(2, "a pair of numbers [x, y]"))
      out.emplace_back((*pair)[0], (*pair)[1]);
  if (out.size() != list->size()) return {};
  return out;
}

std::vector<JsonReader> JsonReader::elements(const std::string& expected) const {
  std::vector<JsonReader> out;
  const auto* list = value_->array();
  if (list == nullptr) {
    complain(expected,
             value_->object() != nullptr ? "write a list [ … ]; each entry has its \"name\" inside" : "");
    return out;
  }
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i)
    out.emplace_back((*list)[i], path_below(path_, i), *context_);
  return out;
}

bool JsonReader::is_object(const std::string& expected) const {
  if (value_->object() != nullptr) return true;
  complain(expected);
  return false;
}

std::optional<JsonReader> JsonReader::member(std::string_view key) const {
  const JsonValue* found = value_->find(key);
  if (found == nullptr) return {};
  return JsonReader(*found, path_below(path_, key), *context_);
}

std::optional<JsonReader> JsonReader::required(std::string_view key, const std::string& expected) const {
  auto found = member(key);
  if (!found) complaints().add(path_below(path_, key), expected, "nothing");
  return found;
}

void JsonReader::read(std::string_view key, double& out) const {
  if (const auto value = member(key)) out = value->number().value_or(out);
}

void JsonReader::read(std::string_view key, std::optional<double>& out) const {
  if (const auto value = member(key)) out = value->number();
}

void JsonReader::read(std::string_view key, std::string& out) const {
  if (const auto value = member(key)) out = value->text().value_or(out);
}

void JsonReader::read(std::string_view key, std::optional<std::string>& out) const {
  if (const auto value = member(key)) out = value->text();
}

void JsonReader::read(std::string_view key, Space space, Vec3& out) const {
  if (const auto value = member(key)) out = value->vector(space).value_or(out);
}

void JsonReader::only(std::span<const std::string> known,
                      const std::string& what,
                      std::span<const std::string> foreign,
                      const std::string& foreign_hint) const {
  const auto is_among = [](const std::string& key, std::span<const std::string> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const auto& [key, member_value] : *value_->object()) {
    if (key == "comment") {
      if (member_value.string() == nullptr)
        complaints().add(path_below(path_, key), "a string", describe(member_value));
    } else if (!is_among(key, known)) {
      std::string hint;
      if (is_among(key, foreign))
        hint = foreign_hint;
      else if (!complaints().full())
        hint = did_you_mean(key, known);
      complaints().add(path_below(path_, key), fmt::format("a key of {}: {}", what, quoted_list(known)),
                       driftless::quoted(key), hint);
    }
  }
}

}  // namespace driftless
