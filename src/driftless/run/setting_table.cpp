#include "driftless/run/setting_table.hpp"

#include <cmath>

namespace driftless {

std::span<const NumberSetting> number_settings() {
  using enum SettingBound;
  static const NumberSetting table[] = {
      {"t_end", "s", "end time (default: of the model, else 1)", any, &RunSettings::t_end},
      {"rtol", "", "relative tolerance (default 1e-6)", below_one, &RunSettings::rtol},
      {"atol", "", "absolute tolerance, times the scale of each coordinate (default rtol/10)", positive,
       &RunSettings::atol},
      {"step", "s", "fixed step; without it the step follows the tolerances", positive, &RunSettings::step},
      {"initial_step", "s", "first step (default: chosen)", positive, &RunSettings::initial_step},
      {"max_step", "s", "largest step (default: no limit)", positive, &RunSettings::max_step},
      {"output_step", "s", "time between records (default: at every step)", positive,
       &RunSettings::output_step},
      {"drift_limit", "", "fail when |g| passes so many characteristic lengths", positive,
       &RunSettings::drift_limit}};
  return table;
}

std::span<const TextSetting> text_settings() {
  static const TextSetting table[] = {
      {"coordinates", "coordinate set (default: reference-point)", &RunSettings::coordinates},
      {"formulation", "equations to integrate (default: lagrange)", &RunSettings::formulation},
      {"integrator", "scheme (default: the formulation's)", &RunSettings::integrator},
      {"stabilization", "correction after each step (default: the formulation's)",
       &RunSettings::stabilization},
      {"record",
       "outputs to record: all (default of models with at most 200 elements), or declared, those of the "
       "model alone",
       &RunSettings::record}};
  return table;
}

std::optional<std::string> set_number(RunSettings& settings, const NumberSetting& setting, double value) {
  if (!std::isfinite(value)) return "a finite number";
  if (setting.bound == SettingBound::positive && !(value > 0)) return "a number > 0";
  if (setting.bound == SettingBound::below_one && !(value > 0 && value < 1)) return "a number > 0 and < 1";
  settings.*setting.member = value;
  return {};
}

}  // namespace driftless
