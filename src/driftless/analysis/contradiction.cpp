#include "driftless/analysis/contradiction.hpp"

#include <fmt/format.h>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

bool assembles(const Model& model, double t) {
  try {
    assemble(compile(model, "reference-point", "", {}), t, "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// The entries of a list of the model each of which alone stands in the way; all of them if no single one does.
template <class List, class Name>
std::string culprits(const Model& model, double t, List list_of, Name name_of) {
  std::vector<std::string> found, all;
  Model trial = model;
  for (size_t i = 0; i < list_of(trial).size(); ++i) {
    const auto entry = list_of(trial)[i];
    list_of(trial).erase(list_of(trial).begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back(name_of(entry));
    if (assembles(trial, t)) found.push_back(all.back());
    list_of(trial).insert(list_of(trial).begin() + static_cast<std::ptrdiff_t>(i), entry);
  }
  return quoted_list(found.empty() ? all : found);
}

}  // namespace

std::optional<Complaint> find_contradiction(const Model& model, double t) {
  Model rest = model;
  rest.initial.joints.clear();
  if (!model.initial.joints.empty() && assembles(rest, t)) {
    return Complaint{
        "initial.joints", "values and rates that joints and drivers allow together",
        "contradicting ones: " + culprits(
                                     model, t, [](Model& m) -> auto& { return m.initial.joints; },
                                     [](const JointStart& start) { return start.joint; }),
        "leave one of them out, or check their signs"};
  }
  Model undriven = rest;
  undriven.drivers.clear();
  if (model.drivers.empty() || !assembles(undriven, t)) return std::nullopt;
  return Complaint{
      "drivers", "motions that the joints allow together",
      "contradicting ones at the start: " + culprits(
                                                rest, t, [](Model& m) -> auto& { return m.drivers; },
                                                [](const Element& driver) { return driver.name; }),
      "two drivers on one freedom, or a value out of reach: leave one out, or check their functions"};
}

}  // namespace driftless
