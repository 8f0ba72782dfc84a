// What `initial` of a model asks for: coordinates of joints with a value or a rate, coordinates to hold.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/core/text.hpp"
#include "driftless/model/model_index.hpp"

namespace driftless {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Coordinates of a joint that can be held: in the plane all that it lets move.
template <int D>
std::vector<std::string> holdable(const Element& joint) {
  const JointRules<D>& rules = record_of_joint(joint).template rules<D>();
  if constexpr (D == 2) {
    std::vector<std::string> out;
    if (rules.mobility == nullptr) return out;
    if (rules.mobility(joint).slides) out.emplace_back("displacement");
    if (rules.mobility(joint).turns) out.emplace_back("angle");
    return out;
  } else {
    return rules.coordinates;
  }
}

}  // namespace

template <int D>
PrescribedStart prescribed_start(const Model& model, const std::string& source) {
  PrescribedStart wanted;
  std::vector<Complaint> complaints;
  const ModelIndex index(model);
  for (const JointStart& start : model.initial.joints) {
    const Element& joint = *index.find_joint(start.joint);
    const auto& known = record_of_joint(joint).coordinates(model.space);
    const std::string where = fmt::format("initial.joints.{}", start.joint);
    if (known.empty()) {
      complaints.push_back(
          {where, joint_with_coordinate(model.space), fmt::format("a joint of type '{}'", joint.type), ""});
      continue;
    }
    const std::string coordinate = start.coordinate.empty() ? known.front() : start.coordinate;
    if (!contains(known, coordinate)) {
      complaints.push_back({fmt::format("{}.{}", where, coordinate),
                            fmt::format("{} of a {} joint", quoted_list(known), joint.type),
                            fmt::format("'{}'", coordinate), ""});
      continue;
    }
    if (start.value) wanted.values.push_back({start.joint, coordinate, false, TimeFunction(*start.value)});
    // A wanted rate is a driver that moves at that rate; only its velocity row is used.
    if (start.rate)
      wanted.rates.push_back(
          {start.joint, coordinate, false, TimeFunction(time_function::Polynomial{{0.0, *start.rate}})});
  }
  const Expansion<D> drawn(model);
  for (size_t i = 0; i < model.initial.hold.size(); ++i) {
    const std::string& held = model.initial.hold[i];
    const std::string name = held.substr(0, held.rfind('.')), coordinate = held.substr(held.rfind('.') + 1);
    if (index.find_body(name) != nullptr) {
      if (D == 3) wanted.values.push_back({name, coordinate, true, {}});  // in the plane it is a coordinate
      continue;
    }
    const Element& joint = *index.find_joint(name);
    const auto known = holdable<D>(joint);
    if (!contains(known, coordinate)) {
      complaints.push_back(
          {fmt::format("initial.hold[{}]", i),
           fmt::format("a joint that has {} {}", coordinate == "angle" ? "an" : "a", coordinate),
           fmt::format("'{}', a joint of type '{}'", name, joint.type),
           known.empty() ? "" : "it has " + quoted_list(known)});
      continue;
    }
    const auto [F, M] = record_of_joint(joint).template rules<D>().frames(
        joint, drawn);  // stays what the poses in the file make it
    const double value =
        coordinate == "angle" ? drawn.angle_drawn(F, M) : drawn.displacement_drawn(F, F.kSlide, M.origin);
    wanted.values.push_back({name, coordinate, false, TimeFunction(value)});
  }
  if (!complaints.empty()) throw InputError(source, complaints);
  return wanted;
}
template PrescribedStart prescribed_start<2>(const Model&, const std::string&);
template PrescribedStart prescribed_start<3>(const Model&, const std::string&);

}  // namespace driftless
