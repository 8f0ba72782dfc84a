#include "driftless/io/model/simulate_json.hpp"

#include <charconv>

#include <fmt/format.h>

#include "driftless/core/text.hpp"
#include "driftless/io/model/schema/schema_pieces.hpp"
#include "driftless/model/setting_table.hpp"

namespace driftless {
namespace {

using Object = JsonValue::Object;
using Array = JsonValue::Array;

void read_option(const JsonReader& value, const std::string& name, RunSettings& out) {
  if (is_comment(name, value.value())) return;
  if (const double* number = value.value().number())
    out.options[name] = number_text(*number);
  else if (const auto word = value.text("a number or a string"))
    out.options[name] = *word;
}

void read_stop(const JsonReader& entry, StopWhen& stop) {
  if (!entry.is_object("an object with \"output\" and \"crosses\"")) return;
  entry.only(std::vector<std::string>{"output", "crosses", "direction"}, "a stop condition");
  entry.required("output", "the name of an output");
  entry.required("crosses", "the value to stop at");
  entry.read("output", stop.output);
  entry.read("crosses", stop.crosses);
  entry.read("direction", stop.direction);
}

// One of the table. That numbers are > 0 is left to validate(), as everywhere.
void read_setting(const JsonReader& value, const Setting& setting, RunSettings& out) {
  if (const auto* word = std::get_if<TextMember>(&setting.member)) {
    if (const auto read = value.text()) out.*(*word) = *read;
  } else if (const auto* number = std::get_if<NumberMember>(&setting.member)) {
    if (const auto read = value.number()) out.*(*number) = *read;
  } else {
    const std::string expected = "a whole number > 0, at most 1e15";
    if (const auto read = value.number(expected))
      if (set_number(out, setting, *read)) value.complain(expected);
  }
}

// A number only if reading it gives the same text.
JsonValue write_option(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number_text(number) == text &&
      text.find_first_of("ni") == std::string::npos)
    return number;
  return text;
}

Array write_stop_conditions(const std::vector<StopWhen>& conditions) {
  Array out;
  for (const auto& stop : conditions) {
    Object entry = {{"output", stop.output}, {"crosses", stop.crosses}};
    if (stop.direction != StopWhen().direction) entry.push_back({"direction", stop.direction});
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

void read_simulate(const JsonReader& simulate, Model& out) {
  if (!simulate.is_object("an object of run settings")) return;
  std::vector<std::string> known = {"options", "stop_when"};
  for (const Setting& setting : run_settings()) {
    known.emplace_back(setting.name);
    if (const auto value = simulate.member(setting.name)) read_setting(*value, setting, out.simulate);
  }
  simulate.only(known, "simulate");
  if (const auto options = simulate.member("options");
      options && options->is_object("an object { \"OPTION\": value, … }"))
    for (const auto& [name, value] : *options->value().object())
      read_option(options->at(value, path_below(options->path(), name)), name, out.simulate);
  if (const auto stops = simulate.member("stop_when"))
    for (const auto& entry : stops->elements("a list of stop conditions"))
      read_stop(entry, out.stop_when.emplace_back());
}

Object write_simulate(const Model& model) {
  const RunSettings& run = model.simulate;
  Object out;
  for (const Setting& setting : run_settings())
    std::visit(
        [&](auto member) {
          if (!(run.*member)) return;
          if constexpr (std::is_same_v<decltype(member), TextMember>)
            out.push_back({setting.name, *(run.*member)});
          else
            out.push_back({setting.name, static_cast<double>(*(run.*member))});
        },
        setting.member);
  Object options;
  for (const auto& [name, text] : run.options) options.push_back({name, write_option(text)});
  if (!options.empty()) out.push_back({"options", std::move(options)});
  if (!model.stop_when.empty()) out.push_back({"stop_when", write_stop_conditions(model.stop_when)});
  return out;
}

Object simulate_schema() {
  using namespace schema;
  Object properties;
  for (const Setting& setting : run_settings()) {
    const std::string help = help_with_unit(setting);
    if (std::holds_alternative<NumberMember>(setting.member))
      properties.push_back({setting.name, positive(help)});
    else if (std::holds_alternative<CountMember>(setting.member))
      properties.push_back(
          {setting.name,
           with_help({{"type", Array{"integer", "string"}}, {"minimum", 1}, {"maximum", 1e15}}, help)});
    else
      properties.push_back(
          {setting.name, setting.choices.empty() ? text(help) : choice(setting.choices, help)});
  }
  Object stop = record("A value of an output channel at which the run ends.", {"output", "crosses"},
                       {{"output", refer("name", "the output")},
                        {"crosses", numeric("the value")},
                        {"direction", choice({"any", "up", "down"}, "how it is passed; any by default")}});
  properties.push_back({"options", dictionary("Options of the chosen methods: \"formulation.alpha\": 5",
                                              Object{{"type", Array{"number", "string"}}})});
  properties.push_back({"stop_when", list(std::move(stop), "What ends the run early.")});
  return record("Run settings; the command line overrides them. `driftless methods` lists the methods.", {},
                std::move(properties));
}

}  // namespace driftless
