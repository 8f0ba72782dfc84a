#include "driftless/io/model/parameters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostParameters = 1000;
constexpr std::size_t kMostUses = 1000;  // listed of one parameter
const std::string kExpected = "a number, an expression in other parameters, or an object with \"value\"";

bool is_name(std::string_view name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

// Of the message of an expression, what is behind the text it repeats.
std::string reason(const std::invalid_argument& error) {
  const std::string message = error.what();
  const auto column = message.find("': ");
  return column == std::string::npos ? message : message.substr(column + 3);
}

}  // namespace

std::size_t Parameters::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return static_cast<std::size_t>(found - entries_.begin());
}

void Parameters::note_use(std::size_t index, const std::string& path) {
  auto& uses = list_[index].used_in;
  if (uses.size() < kMostUses && std::find(uses.begin(), uses.end(), path) == uses.end())
    uses.push_back(path);
}

// What the caller sets goes before what an including file gives.
std::optional<double> Parameters::outside_value(const std::string& name) const {
  if (const auto found = set_.find(prefix_ + name); found != set_.end()) return found->second;
  if (const auto found = given_.find(name); found != given_.end()) return found->second;
  return {};
}

void Parameters::define(const JsonReader& reader, const std::string& name) {
  static constexpr std::array<std::string_view, 3> kTaken = {"t", "pi", "e"};
  if (!is_name(name))
    return complaints_.add(reader.path(), "a name of letters, digits and '_', no digit first",
                           driftless::quoted(name));
  if (std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end())
    return complaints_.add(reader.path(), "another name", driftless::quoted(name),
                           "in expressions it means something else");
  if (entries_.size() == kMostParameters)
    return complaints_.add(reader.path(), fmt::format("at most {} parameters", kMostParameters), "more");
  Parameter parameter;
  parameter.name = prefix_ + name;
  parameter.set = set_.contains(parameter.name);
  const JsonValue* definition = &reader.value();
  if (definition->object() != nullptr) {
    static const std::vector<std::string> known = {"value", "unit", "min", "max"};
    reader.only(known, "a parameter");
    reader.read("unit", parameter.unit);
    const auto value = reader.required("value", "a number, or an expression in other parameters");
    if (!value) return;
    definition = &value->value();
  }
  if (definition->number() == nullptr && definition->string() == nullptr) return reader.complain(kExpected);
  if (const std::string* text = definition->string(); text != nullptr && !outside_value(name))
    parameter.text = *text;
  entries_.push_back({name, definition, reader.path()});
  list_.push_back(std::move(parameter));
}

void Parameters::read(const JsonReader* block) {
  if (block == nullptr || !block->is_object("an object { \"NAME\": value, … }")) return;
  for (const auto& [name, value] : *block->value().object())
    if (!is_comment(name, value)) define(block->at(value, path_below(block->path(), name)), name);
  std::vector<std::size_t> way;
  for (std::size_t i = 0; i < entries_.size(); ++i) resolve(i, way);
  for (std::size_t i = 0; i < entries_.size(); ++i) limit(i, *block);
}

// Depth first; `way` are the parameters on the way here, each of which needs the next.
void Parameters::resolve(std::size_t index, std::vector<std::size_t>& way) {
  Entry& entry = entries_[index];
  if (entry.stage == Stage::known || entry.stage == Stage::hopeless) return;
  const auto fail = [&](const std::string& expected, const std::string& found, const std::string& hint) {
    complaints_.add(entry.path, expected, found, hint);
    entry.stage = Stage::hopeless;
  };
  if (entry.stage == Stage::under_way) {
    std::string loop;
    for (auto i = std::find(way.begin(), way.end(), index); i != way.end(); ++i)
      loop += entries_[*i].name + " → ";
    return fail("an expression that does not lead back to its own parameter", loop + entry.name, "");
  }
  Parameter& parameter = list_[index];
  if (const auto outside = outside_value(entry.name)) {
    parameter.value = *outside;
    entry.stage = Stage::known;
    return;
  }
  if (const double* number = entry.definition->number()) {
    parameter.value = *number;
    entry.stage = Stage::known;
    return;
  }
  constexpr std::size_t kDeepest = 1000;
  if (way.size() == kDeepest)
    return fail("parameters that need fewer others", "a very long chain of them", "");
  entry.stage = Stage::under_way;
  way.push_back(index);
  const std::string& text = *entry.definition->string();
  bool hopeless = false;
  for (const NamePlace& place : names_in(text))
    if (const std::size_t other = find(place.name); other < entries_.size()) {
      resolve(other, way);
      hopeless |= entries_[other].stage != Stage::known;
    }
  way.pop_back();
  if (entry.stage == Stage::hopeless) return;
  const auto value = hopeless ? std::nullopt : compute(text, entry.path, kExpected);
  entry.stage = value ? Stage::known : Stage::hopeless;
  parameter.value = value.value_or(0);
}

void Parameters::limit(std::size_t index, const JsonReader& block) {
  Entry& entry = entries_[index];
  Parameter& parameter = list_[index];
  const JsonReader own = block.at(*block.value().find(entry.name), entry.path);
  if (own.value().object() != nullptr) {
    own.read("min", parameter.min);
    own.read("max", parameter.max);
  }
  if (entry.stage != Stage::known) return;
  const bool low = parameter.min && !(parameter.value >= *parameter.min);
  const bool high = parameter.max && !(parameter.value <= *parameter.max);
  if (!low && !high) return;
  const std::string unit = parameter.unit.empty() ? "" : " " + parameter.unit;
  const std::string range = parameter.min && parameter.max
                                ? fmt::format("a value from {} to {}{}", *parameter.min, *parameter.max, unit)
                            : parameter.min ? fmt::format("a value of at least {}{}", *parameter.min, unit)
                                            : fmt::format("a value of at most {}{}", *parameter.max, unit);
  complaints_.add(entry.path, range, fmt::format("{}", parameter.value),
                  outside_value(entry.name) ? "the value was set from outside the file" : "");
}

bool Parameters::sound() const {
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const Entry& e) { return e.stage == Stage::known; });
}

std::vector<std::string> Parameters::unknown_given() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : given_)
    if (find(name) == entries_.size()) out.push_back(name);
  return out;
}

std::optional<double> Parameters::compute(const std::string& text,
                                          const std::string& path,
                                          const std::string& expected) {
  std::vector<std::string> names = {""};  // no argument
  std::vector<double> values;
  for (const NamePlace& place : names_in(text)) {
    const std::size_t index = find(place.name);
    if (index == entries_.size() || std::find(names.begin(), names.end(), place.name) != names.end())
      continue;
    if (entries_[index].stage != Stage::known) return {};  // that has been said
    note_use(index, path);
    names.emplace_back(place.name);
    values.push_back(list_[index].value);
  }
  try {
    const double value = Expression(text, names)(0, values);
    if (std::isfinite(value)) return value;
    complaints_.add(path, expected, fmt::format("'{}', which is {}", printable(text), value));
  } catch (const std::invalid_argument& error) {
    std::vector<std::string> known;
    for (const Entry& entry : entries_) known.push_back(entry.name);
    std::string hint = reason(error);
    for (const NamePlace& place : names_in(text))  // of parameters rather than functions
      if (const std::string near = closest_name(place.name, known);
          find(place.name) == entries_.size() && !near.empty() &&
          hint.find("unknown name") != std::string::npos)
        hint = fmt::format("no parameter is called '{}'; did you mean '{}'?", printable(place.name), near);
    complaints_.add(path, expected == "a number" ? "a number or an expression in parameters" : expected,
                    driftless::quoted(text), hint);
  }
  return {};
}

std::optional<double> Parameters::evaluate(const std::string& text,
                                           const std::string& path,
                                           const std::string& expected) {
  return compute(text, path, expected);
}

std::optional<std::string> Parameters::substitute(const std::string& text,
                                                  const std::vector<std::string>& names,
                                                  const std::string& path) {
  std::string out;
  std::size_t done = 0;
  for (const NamePlace& place : names_in(text)) {
    const std::size_t index = find(place.name);
    if (index == entries_.size()) continue;
    if (std::find(names.begin(), names.end(), place.name) != names.end()) {
      complaints_.add(path, "names that mean one thing", driftless::quoted(place.name),
                      "it is a variable of this law and a parameter, too: call the parameter something else");
      return {};
    }
    if (entries_[index].stage != Stage::known) return {};  // that has been said
    note_use(index, path);
    out += text.substr(done, place.begin - done) + "(" + number_text(list_[index].value) + ")";
    done = place.begin + place.name.size();
  }
  return out + text.substr(done);
}

}  // namespace driftless
