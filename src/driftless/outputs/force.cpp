// State of a force element: it says itself what can be read of it.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/forces/force_readings.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/outputs/output_record.hpp"

namespace driftless {
namespace {

// What acts at one point: its force, world axes.
template <int D, class Kind>
constexpr bool has_one_force =
    requires(const Kind& element, const ViewOf<double, D>& view) { element.force(view); };
template <int D>
VecOf<double, D> force_on(const Tyre<D>& tyre, const ViewOf<double, D>& view) {
  return tyre.contact(view).force * tyre.up;
}
template <int D, class Kind>
  requires has_one_force<D, Kind>
VecOf<double, D> force_on(const Kind& element, const ViewOf<double, D>& view) {
  return element.force(view);
}

template <int D, class Kind>
OutputChannel<D> element_channel(const std::string& value, const Kind& element, std::string& trouble) {
  OutputChannel<D> channel;
  std::vector<std::string> known;
  if constexpr (has_one_force<D, Kind> || std::is_same_v<Kind, Tyre<D>>) {
    const std::vector<std::string> names = force_readings<D>();
    const auto at = std::find(names.begin(), names.end(), value);
    if (at != names.end()) {
      channel.unit = "N";
      channel.measure = [element, k = at - names.begin()](const MotionOf<D>& motion) {
        return force_on<D>(element, motion)[k];
      };
      return channel;
    }
    known = names;
  }
  if constexpr (requires { Kind::outputs; }) {
    for (size_t k = 0; k < Kind::outputs.size(); ++k) {
      known.emplace_back(Kind::outputs[k].name);
      if (value != Kind::outputs[k].name) continue;
      channel.unit = Kind::outputs[k].unit;
      channel.measure = [element, k](const MotionOf<D>& motion) { return element.measure(k, motion); };
      return channel;
    }
  }
  if (!known.empty()) {
    trouble = fmt::format("'{}'", fmt::join(known, "', '"));
  } else {
    trouble = "a force with values to read: " + readable_forces();
  }
  return channel;
}

template <int D>
OutputChannel<D> compile_force_output(const Element& output,
                                      const OutputContext<D>& context,
                                      std::string& trouble) {
  const std::string& name = output.get<std::string>("force");
  const auto& forces = context.model.forces;
  const auto index = static_cast<size_t>(
      std::find_if(forces.begin(), forces.end(), [&](const Element& e) { return e.name == name; }) -
      forces.begin());
  const ForcePlace& at = context.force_places[index];
  OutputChannel<D> channel;
  size_t kind = 0;
  const auto try_kind = [&](const auto& batch) {
    if (kind++ == at.kind)
      channel = element_channel<D>(output.get<std::string>("value"), batch[at.index], trouble);
  };
  std::apply([&](const auto&... batch) { (..., try_kind(batch)); }, context.forces);
  return channel;
}

// What all kinds of forces offer, each name once, and in words: "tsda, rsda: length …; tyre: deflection …".
FieldSpec reading_field(Spaces spaces) {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> words;  // types, what they offer
  for (const ForceRecord* record : force_records()) {
    if (record->readings.empty()) continue;
    for (const auto& name : spaces == Spaces::planar ? record->planar_readings : record->spatial_readings)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    const auto same = std::find_if(words.begin(), words.end(),
                                   [&](const auto& other) { return other.second == record->readings; });
    if (same == words.end())
      words.emplace_back(record->element.type, record->readings);
    else
      same->first += ", " + record->element.type;
  }
  std::string help;
  for (const auto& [types, offer] : words) help += (help.empty() ? "" : "; ") + types + ": " + offer;
  return choice_field("value", help.c_str(), names, spaces);
}

}  // namespace

const OutputRecord& force_output() {
  static const OutputRecord record = {{"force",
                                       "state of a force element: " + readable_forces(),
                                       {{"force", FieldKind::force, true, {}, "", "the force element", {}},
                                        reading_field(Spaces::planar),
                                        reading_field(Spaces::spatial)}},
                                      compile_force_output<2>,
                                      compile_force_output<3>};
  return record;
}

}  // namespace driftless
