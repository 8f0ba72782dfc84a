#include "driftless/model/validate/model_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

// Above this many names no suggestion is made: a hostile model costs bounded time.
constexpr std::size_t kMostCandidates = 2000;

std::string_view name_of(std::string_view name) { return name; }
template <class Entry>
std::string_view name_of(const Entry& entry) {
  return entry.first;
}

// The names of a set or the keys of a map, sorted.
template <class Names>
std::vector<std::string> ordered(const Names& names) {
  std::vector<std::string> out;
  if (names.size() > kMostCandidates) return out;
  for (const auto& entry : names) out.emplace_back(name_of(entry));
  std::sort(out.begin(), out.end());
  return out;
}

// The near name, or all there are.
std::string near_or_all(std::string_view wanted, const std::vector<std::string>& candidates) {
  std::string near = did_you_mean(wanted, candidates);
  if (!near.empty() || candidates.empty()) return near;
  return "the model has " + quoted_list(candidates);
}

}  // namespace

ModelNames::ModelNames(const Model& model) {
  const auto add = [&](std::string_view name, const auto& points, const auto& axes) {
    Owner& owner = owners[name];
    for (const auto& point : points) owner.points.insert(point.name);
    for (const auto& axis : axes) owner.axes.insert(axis.name);
  };
  add(kGround, model.ground_points, model.ground_axes);
  for (const auto& body : model.bodies) add(body.name, body.points, body.axes);
  for (const auto& joint : model.joints) joints.insert(joint.name);
  constraints = joints;
  for (const auto& driver : model.drivers) constraints.insert(driver.name);
  for (const auto& contact : model.contacts) constraints.insert(contact.name);
  for (const auto& force : model.forces) forces.insert(force.name);
  for (const auto& output : model.outputs) outputs.insert(output.name);
  for (const auto& input : model.inputs) inputs.insert(input.name);
}

std::string ModelNames::hint_for_body(std::string_view wanted) const {
  return near_or_all(wanted, ordered(owners));
}

std::vector<std::string> sorted_names(const ModelNames::Set& names) { return ordered(names); }

std::string hint_among(std::string_view wanted, const ModelNames::Set& known) {
  return known.empty() ? "the model has none" : near_or_all(wanted, sorted_names(known));
}

void validate_signals(const std::string& where,
                      const std::string& text,
                      const std::vector<std::string>& signals,
                      const ModelNames& names,
                      Complaints& complaints) {
  for (const std::string& signal : signals) {
    const auto dot = signal.find('.');
    const std::string_view element = std::string_view(signal).substr(0, dot);
    if (names.outputs.count(signal) > 0 || names.inputs.count(signal) > 0 || complaints.full()) continue;
    if (dot != std::string::npos && (names.constraints.count(element) > 0 || names.forces.count(element) > 0))
      continue;
    std::vector<std::string> known = {"t", "pi", "e"};
    for (const auto* more : {&names.outputs, &names.inputs})
      for (const std::string& name : sorted_names(*more)) known.push_back(name);
    const std::string near = closest_name(signal, known);
    std::size_t column = 0;
    for (const NamePlace& place : names_in(text))
      if (place.name == signal && column == 0) column = place.begin + 1;
    complaints.add(where, "an expression in t, inputs and outputs", quoted(text),
                   fmt::format("column {}: unknown name {}; {}", column, quoted(signal),
                               near.empty() ? "known are " + quoted_list(known)
                                            : fmt::format("did you mean '{}'?", near)));
  }
}

void validate_name(const std::string& where, const std::string& name, Complaints& complaints) {
  const auto forbidden = [](unsigned char c) { return c == '.' || c <= ' ' || c == 0x7F; };
  if (name.empty() || std::any_of(name.begin(), name.end(), forbidden))
    complaints.add(where, "a name without '.', blanks or control characters",
                   name.empty() ? "nothing" : quoted(name));
}

}  // namespace driftless
