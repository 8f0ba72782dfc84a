// The settings of a run, one line each: what the command line, model files with their schema, writer and validation, sweeps and Python
// take, check, explain and merge from. A new one is a member of RunSettings and a line of the table; what it does is said where it acts
// (mostly make_setup() of run/settings.cpp). Options of methods are not here: they are in the records of the methods.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

enum class SettingBound { any, positive, below_one };  // below_one: > 0 and < 1

using NumberMember = std::optional<double> RunSettings::*;
using CountMember = std::optional<long> RunSettings::*;  // whole, > 0
using TextMember = std::optional<std::string> RunSettings::*;

struct Setting {
  const char*
      name;  // in model files and programs; "t_end" is --t-end on the command line, `t_end` in messages
  const char* value;  // what stands for its value there
  const char* unit;
  const char* help;
  std::variant<NumberMember, CountMember, TextMember> member;
  SettingBound bound = SettingBound::any;  // of numbers; in model files all of them are > 0
  std::vector<std::string> choices = {};   // of texts; none: the name of a method
};

// In the order in which they are written.
std::span<const Setting> run_settings();

std::string help_with_unit(const Setting& setting);  // "first step (default: chosen) [s]"

// Sets one, or says what was expected instead of this value; nothing: it is set. The number of a count, and of one number no text.
std::optional<std::string> set_number(RunSettings& settings, const Setting& setting, double value);
// The same from a word of the command line. Whether a text is one of the choices is left to who merges.
std::optional<std::string> set_text(RunSettings& settings, const Setting& setting, std::string_view text);

// What of `first` is given goes before what `settings` has, methods, numbers and all but options.
void prefer_settings(RunSettings& settings, const RunSettings& first);

// All that is given, in a form that differs where they differ; "" of none.
std::string settings_text(const RunSettings& settings);

}  // namespace driftless
