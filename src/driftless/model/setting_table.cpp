#include "driftless/model/setting_table.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kMostCount = 1e15;  // counts are read as numbers

std::string expected_of(const Setting& setting) {
  if (std::holds_alternative<CountMember>(setting.member)) return "a whole number > 0, at most 1e15";
  if (std::holds_alternative<TextMember>(setting.member)) return "a name";
  return setting.bound == SettingBound::positive    ? "a number > 0"
         : setting.bound == SettingBound::below_one ? "a number > 0 and < 1"
                                                    : "a finite number";
}

}  // namespace

std::span<const Setting> run_settings() {
  using enum SettingBound;
  using S = RunSettings;
  static const Setting table[] = {
      {"t_end", "T", "s", "end time (default: 1)", &S::t_end, any},
      {"output_step", "DT", "s", "time between records (default: at every step)", &S::output_step, positive},
      {"coordinates", "NAME", "", "coordinate set (default: reference-point for models)", &S::coordinates},
      {"formulation", "NAME", "", "equations to integrate (default: lagrange)", &S::formulation},
      {"integrator", "NAME", "", "scheme (default: the formulation's, dopri5)", &S::integrator},
      {"stabilization", "NAME", "", "correction after each step (default: the formulation's)",
       &S::stabilization},
      {"rtol", "R", "", "relative tolerance (default 1e-6)", &S::rtol, below_one},
      {"atol", "A", "", "absolute tolerance, times the scale of each coordinate (default rtol/10)", &S::atol,
       positive},
      {"step", "H", "s", "fixed step; without it the step follows the tolerances", &S::step, positive},
      {"initial_step", "H", "s", "first step (default: chosen)", &S::initial_step, positive},
      {"max_step", "H", "s", "largest step (default: no limit)", &S::max_step, positive},
      {"max_steps", "N", "", "give up after so many steps (default 10 million, none with a fixed step)",
       &S::max_steps},
      {"drift_limit", "X", "",
       "fail when |g| passes X characteristic lengths (default 0.1; less for tight tolerances)",
       &S::drift_limit, positive},
      {"record",
       "WORD",
       "",
       "outputs: all (default of models with at most 200 elements), joints, forces and drivers included, or "
       "declared, those of the model alone",
       &S::record,
       any,
       {"all", "declared"}}};
  return table;
}

std::string help_with_unit(const Setting& setting) {
  return *setting.unit == '\0' ? setting.help : fmt::format("{} [{}]", setting.help, setting.unit);
}

std::optional<std::string> set_number(RunSettings& settings, const Setting& setting, double value) {
  if (const auto* count = std::get_if<CountMember>(&setting.member)) {
    if (!(value >= 1 && value <= kMostCount && value == std::floor(value))) return expected_of(setting);
    settings.*(*count) = static_cast<long>(value);
    return {};
  }
  const auto* number = std::get_if<NumberMember>(&setting.member);
  const bool is_in = setting.bound == SettingBound::any ||
                     (value > 0 && (setting.bound == SettingBound::positive || value < 1));
  if (number == nullptr || !std::isfinite(value) || !is_in) return expected_of(setting);
  settings.*(*number) = value;
  return {};
}

std::optional<std::string> set_text(RunSettings& settings, const Setting& setting, std::string_view text) {
  if (const auto* word = std::get_if<TextMember>(&setting.member)) {
    settings.*(*word) = std::string(text);
    return {};
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return expected_of(setting);
  return set_number(settings, setting, value);
}

void prefer_settings(RunSettings& settings, const RunSettings& first) {
  for (const Setting& setting : run_settings())
    std::visit(
        [&](auto member) {
          if (first.*member) settings.*member = first.*member;
        },
        setting.member);
}

std::string settings_text(const RunSettings& settings) {
  std::string out;
  for (const Setting& setting : run_settings())
    std::visit(
        [&](auto member) {
          if (settings.*member) out += fmt::format("\n{}={}", setting.name, *(settings.*member));
        },
        setting.member);
  for (const auto& [name, value] : settings.options) out += fmt::format("\n{}={}", name, value);
  return out;
}

}  // namespace driftless
