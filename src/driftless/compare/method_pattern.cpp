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

bool is_coordinate_set(const std::string& name) {
  for (const auto* record : coordinates_records())
    if (record->method.name == name) return true;
  return false;
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
  std::string prefix;
  if (parts.size() > 1 && is_coordinate_set(parts[0])) {
    prefix = parts[0] + "/";
    parts.erase(parts.begin());
  }
  if (parts.size() < 2) parts.emplace_back("*");
  if (parts.size() > 3)
    throw InputError("", Complaint{"`methods`", "a pattern of formulation/integrator/stabilization",
                                   fmt::format("'{}'", printable(text)), ""});
  std::vector<std::string> out;
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
  if (out.empty())
    throw InputError("", Complaint{"`methods`", "a pattern that some method matches",
                                   fmt::format("'{}'", printable(text)), "`driftless methods` lists them"});
  return out;
}

}  // namespace driftless
