#include "driftless/cli/settings.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless::cli {
namespace {

template <class Number>
bool parse(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

class NumberReader {
 public:
  using Text = std::optional<std::string>;

  std::optional<double> positive(const char* option, const Text& text) {
    return number(option, text, "a number > 0", [](double x) { return x > 0; });
  }
  std::optional<double> tolerance(const char* option, const Text& text) {
    return number(option, text, "a number > 0 and < 1", [](double x) { return x > 0 && x < 1; });
  }
  std::optional<double> any(const char* option, const Text& text) {
    return number(option, text, "a finite number", [](double) { return true; });
  }
  std::optional<long> count(const char* option, const Text& text) {
    if (!text) return std::nullopt;
    long value = 0;
    if (parse(*text, value) && value > 0) return value;
    complain(option, "a whole number > 0", *text);
    return std::nullopt;
  }
  void finish() const {
    if (!complaints_.empty()) throw InputError("", complaints_);
  }
  void complain(const std::string& where, const std::string& expected, const std::string& found) {
    complaints_.push_back({where, expected, fmt::format("'{}'", printable(found)), ""});
  }

 private:
  template <class Accept>
  std::optional<double> number(const char* option, const Text& text, const char* expected, Accept accept) {
    if (!text) return std::nullopt;
    double value = 0;
    if (parse(*text, value) && std::isfinite(value) && accept(value)) return value;
    complain(option, expected, *text);
    return std::nullopt;
  }

  std::vector<Complaint> complaints_;
};

std::map<std::string, std::string> parse_options(const std::vector<std::string>& given,
                                                 NumberReader& reader) {
  std::map<std::string, std::string> options;
  for (const std::string& text : given) {
    const auto sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      reader.complain("--option", "name=value", text);
    else if (!options.emplace(text.substr(0, sign), text.substr(sign + 1)).second)
      reader.complain("--option", "each name once", text);
  }
  return options;
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace

RunSettings command_line_settings(const RunArguments& arguments) {
  NumberReader reader;
  RunSettings settings;
  settings.t_end = reader.any("--t-end", arguments.t_end);
  settings.rtol = reader.tolerance("--rtol", arguments.rtol);
  settings.atol = reader.positive("--atol", arguments.atol);
  settings.step = reader.positive("--step", arguments.step);
  settings.initial_step = reader.positive("--initial-step", arguments.initial_step);
  settings.max_step = reader.positive("--max-step", arguments.max_step);
  settings.max_steps = reader.count("--max-steps", arguments.max_steps);
  settings.output_step = reader.positive("--output-step", arguments.output_step);
  settings.drift_limit = reader.positive("--drift-limit", arguments.drift_limit);
  settings.options = parse_options(arguments.options, reader);
  reader.finish();
  settings.coordinates = arguments.coordinates;
  settings.formulation = arguments.formulation;
  settings.integrator = arguments.integrator;
  settings.stabilization = arguments.stabilization;
  settings.record = arguments.record;
  return settings;
}

double checkpoint_interval(const RunArguments& arguments) {
  NumberReader reader;
  const double seconds = reader.positive("--checkpoint-every", arguments.checkpoint_every).value_or(0);
  reader.finish();
  if (arguments.checkpoint_every && !(arguments.out && arguments.out->ends_with(".h5")))
    throw InputError("",
                     Complaint{"--checkpoint-every", "--out FILE.h5 with it",
                               arguments.out ? fmt::format("'{}'", printable(*arguments.out)) : "no --out",
                               "checkpoints are part of HDF5 result files"});
  return seconds;
}

std::string reproducing_command(const RunArguments& arguments) {
  std::string command = "driftless run " + shell_quoted(arguments.target);
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) command += fmt::format(" {} {}", option, shell_quoted(*value));
  };
  add("--t-end", arguments.t_end);
  add("--coordinates", arguments.coordinates);
  add("--formulation", arguments.formulation);
  add("--integrator", arguments.integrator);
  add("--stabilization", arguments.stabilization);
  add("--record", arguments.record);
  add("--rtol", arguments.rtol);
  add("--atol", arguments.atol);
  add("--step", arguments.step);
  add("--initial-step", arguments.initial_step);
  add("--max-step", arguments.max_step);
  add("--max-steps", arguments.max_steps);
  for (const auto& option : arguments.options) add("--option", option);
  for (const auto& value : arguments.set) add("--set", value);
  add("--output-step", arguments.output_step);
  add("--drift-limit", arguments.drift_limit);
  add("--from", arguments.from);
  if (arguments.record_scheme) command += " --record-scheme";
  return command;
}

}  // namespace driftless::cli
