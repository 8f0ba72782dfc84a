#include "driftless/flexible/check_flexible.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/core/complaints.hpp"
#include "driftless/core/text.hpp"
#include "driftless/flexible/floating_body.hpp"
#include "driftless/model/flexible_start.hpp"

namespace driftless {
namespace {

template <int D>
void check_body(const std::string& path, const FlexibleSpec& spec, std::vector<Complaint>& complaints) {
  const FloatingBody<D> body(spec);
  if (body.size() == 0) {
    FlexibleSpec one = spec;
    one.modes->below.reset();
    one.modes->count = 1;
    const double lowest = std::sqrt(FloatingBody<D>(one).stiffness().coeff(0, 0));
    complaints.push_back({path + ".modes.below",
                          fmt::format("a frequency above the lowest, {:.6g} rad/s", lowest),
                          fmt::format("{}, below which there is no mode", *spec.modes->below), ""});
    return;
  }
  if (static_cast<int>(spec.modal_damping.size()) > body.size())
    complaints.push_back({path + ".damping.modal",
                          fmt::format("one ratio for all, or one for each of the {} modes", body.size()),
                          fmt::format("{} ratios", spec.modal_damping.size()), ""});
  for (const auto* list : {&spec.deflection, &spec.rates})
    for (const auto& [name, value] : *list)
      if (name != kRelaxedStart &&
          std::find(body.names().begin(), body.names().end(), name) == body.names().end())
        complaints.push_back(
            {path + (list == &spec.deflection ? ".initial.deflection." : ".initial.rates.") + name,
             "an elastic coordinate: " + quoted_list(body.names()), fmt::format("'{}'", name),
             spec.modes || spec.modal ? "" : "the frame leaves it out"});
}

bool must_look(const FlexibleSpec& spec) {
  return spec.type != FlexibleSpec::Type::cable &&
         (!spec.deflection.empty() || !spec.rates.empty() || spec.modal_damping.size() > 1 ||
          (spec.modes && spec.modes->below));
}

}  // namespace

std::vector<Complaint> check_flexible(const Model& model) {
  std::vector<Complaint> out;
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const auto& spec = model.bodies[i].flexible;
    if (!spec || !must_look(*spec)) continue;
    const std::string path = path_below("bodies", i) + ".flexible";
    if (model.space == Space::planar)
      check_body<2>(path, *spec, out);
    else
      check_body<3>(path, *spec, out);
  }
  return out;
}

}  // namespace driftless
