#include "driftless/outputs/effort.hpp"

#include <algorithm>

#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

template <int D>
OutputChannel<D> compile_effort_output(const Element& output,
                                       const OutputContext<D>& context,
                                       std::string& trouble) {
  const std::string& wanted = output.get<std::string>("joint");
  OutputChannel<D> channel;
  for (const auto* list : {&context.model.drivers, &context.model.contacts})
    for (const Element& element : *list)
      if (element.name == wanted)
        if (const auto effort = effort_of(element, context.model)) {
          channel.unit = effort->unit;
          channel.multiplier = {effort->row, effort->of_angle ? -context.expansion.length() : -1};  // (1)
          return channel;
        }
  trouble = "a driver of one coordinate, or a contact";
  return channel;
}

}  // namespace

std::optional<Effort> effort_of(const Element& element, const Model& model) {
  const auto is_in = [&](const std::vector<Element>& list) {
    return std::any_of(list.begin(), list.end(), [&](const Element& e) { return e.name == element.name; });
  };
  if (is_in(model.contacts)) return Effort{"normal", "N", element.name + ".gap"};
  if (!is_in(model.drivers)) return {};
  std::string coordinate;
  if (element.type == "joint-coordinate")
    coordinate = chosen_coordinate(element, "joint", "coordinate", model);
  else
    for (const char* known : {"angle", "displacement", "distance"})
      if (element.type == known) coordinate = known;
  if (coordinate.empty()) return {};
  if (coordinate == "angle") return Effort{"torque", "N m", element.name + ".angle", true};
  return Effort{"force", "N", element.name + "." + coordinate};
}

const OutputRecord& effort_output() {
  static const OutputRecord record = {
      {"effort",
       "what a driver needs along the coordinate it drives (N m or N), or the normal force of a contact",
       {{"joint", FieldKind::constraint, true, {}, "", "the driver or contact", {}}}},
      compile_effort_output<2>,
      compile_effort_output<3>,
      false};
  return record;
}

}  // namespace driftless
