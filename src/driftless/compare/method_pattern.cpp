#include "driftless/compare/method_pattern.hpp"

#include <sstream>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/integrator/choices.hpp"

namespace driftless {
namespace {

bool pattern_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return pattern_matches(pattern.substr(1), text) ||
           (!text.empty() && pattern_matches(pattern, text.substr(1)));
  return !text.empty() && pattern[0] == text[0] && pattern_matches(pattern.substr(1), text.substr(1));
}

template <class Records>
bool matches_any(std::string_view pattern, const Records& records) {
  for (const auto* record : records)
    if (pattern_matches(pattern, record->method.name)) return true;
  return false;
}

// Whether the first part is one of coordinates: it matches no formulation, or there are four, or three that do not read as
// formulation/integrator/stabilization.
bool names_coordinates(const std::vector<std::string>& parts) {
  if (!matches_any(parts[0], coordinates_records())) return false;
  if (!matches_any(parts[0], formulation_records()) || parts.size() > 3) return true;
  if (parts.size() < 3) return false;
  const bool without =
      matches_any(parts[1], integrator_records()) && matches_any(parts[2], stabilization_records());
  return !without && matches_any(parts[1], formulation_records()) &&
         matches_any(parts[2], integrator_records());
}

// Pairs of these names, with the stabilizations of the third pattern if there is one.
void add_matches(const std::string& prefix,
                 const std::vector<std::string>& parts,
                 const std::string& options,
                 std::vector<std::string>& out) {
  for (const FormulationRecord* formulation : formulation_records())
    for (const IntegratorRecord* integrator : integrator_records()) {
      if (!pattern_matches(parts[0], formulation->method.name) ||
          !pattern_matches(parts[1], integrator->method.name) || !fits(*formulation, *integrator))
        continue;
      const std::string pair = prefix + formulation->method.name + "/" + integrator->method.name;
      if (parts.size() < 3) {
        out.push_back(pair + options);
        continue;
      }
      for (const StabilizationRecord* stabilization : stabilization_records())
        if (pattern_matches(parts[2], stabilization->method.name))
          out.push_back(pair + "/" + stabilization->method.name + options);
    }
}

}  // namespace

bool is_method_pattern(const std::string& text) {
  return text == "all" || text.substr(0, text.find('[')).find('*') != std::string::npos;
}

std::vector<std::string> expand_methods(const std::string& text) {
  if (!is_method_pattern(text)) return {text};
  const std::string names = text == "all" ? "*/*" : text.substr(0, text.find('['));
  const std::string options =
      text == "all" || text.find('[') == std::string::npos ? "" : text.substr(text.find('['));
  std::vector<std::string> parts;
  std::istringstream stream(names);
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  std::string sets;
  if (parts.size() > 1 && names_coordinates(parts)) {
    sets = parts[0];
    parts.erase(parts.begin());
  }
  if (parts.size() < 2) parts.emplace_back("*");
  if (parts.size() > 3)
    throw InputError("", Complaint{"`methods`",
                                   "a pattern of coordinates/formulation/integrator/stabilization, "
                                   "coordinates and stabilization may be left out",
                                   fmt::format("'{}'", printable(text)), ""});
  std::vector<std::string> out;
  if (sets.empty()) add_matches("", parts, options, out);
  for (const auto* record : coordinates_records())
    if (!sets.empty() && record->compile != nullptr && pattern_matches(sets, record->method.name))
      add_matches(record->method.name + "/", parts, options, out);
  if (out.empty())
    throw InputError("", Complaint{"`methods`", "a pattern that some method matches",
                                   fmt::format("'{}'", printable(text)), "`driftless methods` lists them"});
  return out;
}

}  // namespace driftless
