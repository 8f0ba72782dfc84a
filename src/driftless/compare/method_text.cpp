#include "driftless/compare/method_text.hpp"

#include <sstream>

#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(const std::string& expected,
                         const std::string& found,
                         const std::string& hint = {}) {
  throw InputError("", Complaint{"`methods`", expected, fmt::format("'{}'", printable(found)), hint});
}

template <class Record>
bool take(std::span<const Record* const> records,
          const std::string& name,
          std::optional<std::string>& into,
          std::vector<std::string>& known) {
  for (const Record* record : records) {
    known.push_back(record->method.name);
    if (record->method.name != name) continue;
    if (into) refuse(fmt::format("one of a kind beside '{}'", *into), name);
    into = name;
    return true;
  }
  return false;
}

void take_name(const std::string& name, MethodText& out) {
  std::vector<std::string> known;
  if (take(formulation_records(), name, out.formulation, known) ||
      take(integrator_records(), name, out.integrator, known) ||
      take(stabilization_records(), name, out.stabilization, known) ||
      take(coordinates_records(), name, out.coordinates, known))
    return;
  const std::string near = closest_name(name, known);
  refuse("names of methods with '/' between, such as lagrange/dopri5/pstab", name,
         near.empty() ? "`driftless methods` lists them" : fmt::format("did you mean '{}'?", near));
}

void take_options(const std::string& list, MethodText& out) {
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t sign = part.find('=');
    if (sign == std::string::npos || sign == 0) refuse("options as [name=value,…]", part);
    out.options[part.substr(0, sign)] = part.substr(sign + 1);
  }
}

}  // namespace

std::vector<std::string> split_methods(const std::string& list) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

MethodText parse_method(const std::string& text) {
  MethodText out;
  out.text = text;
  const size_t bracket = text.find('[');
  if (bracket != std::string::npos) {
    if (!text.ends_with(']')) refuse("options in brackets at the end: name[option=value]", text);
    take_options(text.substr(bracket + 1, text.size() - bracket - 2), out);
  }
  std::istringstream names(text.substr(0, bracket));
  std::string name;
  bool any = false;
  while (std::getline(names, name, '/')) {
    take_name(name, out);
    any = true;
  }
  if (!any) refuse("names of methods", text);
  return out;
}

}  // namespace driftless
