#include "driftless/cli/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless::cli {
namespace {

// Collects what is wrong with the command line.
class Mistakes {
 public:
  void add(const std::string& where, const std::string& expected, const std::string& found) {
    complaints_.push_back({where, expected, fmt::format("'{}'", printable(found)), ""});
  }
  void finish() const {
    if (!complaints_.empty()) throw InputError("", complaints_);
  }

 private:
  std::vector<Complaint> complaints_;
};

std::map<std::string, std::string> parse_options(const std::vector<std::string>& given, Mistakes& mistakes) {
  std::map<std::string, std::string> options;
  for (const std::string& text : given) {
    const auto sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      mistakes.add("--option", "name=value", text);
    else if (!options.emplace(text.substr(0, sign), text.substr(sign + 1)).second)
      mistakes.add("--option", "each name once", text);
  }
  return options;
}

}  // namespace

RunSettings command_line_settings(const RunArguments& arguments) {
  Mistakes mistakes;
  RunSettings settings;
  for (const Setting& setting : run_settings())
    if (const auto given = arguments.settings.find(setting.name);
        given != arguments.settings.end() && given->second)
      if (const auto expected = set_text(settings, setting, *given->second))
        mistakes.add(option_of(setting), *expected, *given->second);
  settings.options = parse_options(arguments.options, mistakes);
  mistakes.finish();
  return settings;
}

std::string option_of(const Setting& setting) {
  std::string out = std::string("--") + setting.name;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
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

double checkpoint_interval(const RunArguments& arguments) {
  constexpr const char* kOption = "--checkpoint-every";
  double seconds = 0;
  if (arguments.checkpoint_every) {
    const std::string& text = *arguments.checkpoint_every;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool whole = error == std::errc() && stop == text.data() + text.size();
    if (!whole || !std::isfinite(seconds) || !(seconds > 0))
      throw InputError("", Complaint{kOption, "a number > 0", fmt::format("'{}'", printable(text)), ""});
  }
  if (arguments.checkpoint_every && !(arguments.out && arguments.out->ends_with(".h5")))
    throw InputError("",
                     Complaint{kOption, "--out FILE.h5 with it",
                               arguments.out ? fmt::format("'{}'", printable(*arguments.out)) : "no --out",
                               "checkpoints are part of HDF5 result files"});
  return seconds;
}

std::string reproducing_command(const RunArguments& arguments) {
  std::string command = "driftless run " + shell_quoted(arguments.target);
  const auto add = [&](const std::string& option, const std::optional<std::string>& value) {
    if (value) command += fmt::format(" {} {}", option, shell_quoted(*value));
  };
  for (const Setting& setting : run_settings())
    if (const auto given = arguments.settings.find(setting.name); given != arguments.settings.end())
      add(option_of(setting), given->second);
  for (const auto& option : arguments.options) add("--option", option);
  for (const auto& value : arguments.set) add("--set", value);
  add("--from", arguments.from);
  if (arguments.record_scheme) command += " --record-scheme";
  return command;
}

}  // namespace driftless::cli
