// The settings of a run by name: what bindings take, check and explain from.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

enum class SettingBound { any, positive, below_one };  // below_one: > 0 and < 1

struct NumberSetting {
  const char* name;
  const char* unit;
  const char* help;
  SettingBound bound;
  std::optional<double> RunSettings::*member;
};

struct TextSetting {
  const char* name;
  const char* help;
  std::optional<std::string> RunSettings::*member;
};

std::span<const NumberSetting> number_settings();
std::span<const TextSetting> text_settings();

// Sets one, or says what was expected instead of this value; nothing: it is set.
std::optional<std::string> set_number(RunSettings& settings, const NumberSetting& setting, double value);

}  // namespace driftless
