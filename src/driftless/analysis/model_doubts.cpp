#include "driftless/analysis/model_doubts.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/flexible/floating_body.hpp"
#include "driftless/joints/joint_record.hpp"

namespace driftless {
namespace {

// Names of bodies an element takes hold of; names of other things do no harm.
void note_bodies(const Element& element, std::set<std::string>& held) {
  for (const auto& [field, value] : element.fields) {
    if (const auto* name = std::get_if<std::string>(&value)) held.insert(*name);
    if (const auto* point = std::get_if<PointRef>(&value)) held.insert(point->body);
    if (const auto* direction = std::get_if<DirectionRef>(&value)) held.insert(direction->body);
  }
}

void doubt_bodies(const Model& model, std::vector<std::string>& out) {
  std::set<std::string> held;
  for (const auto* elements : {&model.joints, &model.drivers, &model.forces})
    for (const Element& element : *elements) note_bodies(element, held);
  if (model.joints.empty()) return;
  for (const Body& body : model.bodies)
    if (!held.contains(body.name))
      out.push_back(fmt::format("body '{}' is not connected: no joint, driver or force names it", body.name));
}

// What a type alone knows to look for.
void doubt_joints(const Model& model, std::vector<std::string>& out) {
  for (const Element& joint : model.joints)
    if (const JointRecord& record = record_for(joint_records(), joint); record.doubt != nullptr)
      record.doubt(joint, model, out);
}

// A point of a flexible body is a place of its axis and an arm that turns with the section there.
void doubt_arms(const Model& model, std::vector<std::string>& out) {
  for (const Body& body : model.bodies) {
    if (!body.flexible || body.flexible->modal) continue;
    const FlexibleSpec& spec = *body.flexible;
    for (const NamedPoint& point : body.points) {
      const AxisPlace place = nearest_on_axis(spec, point.at);
      const BeamProperties p = spec.properties(size_t(place.element));
      const double height = 2 * std::max(p.half_y, p.half_z), arm = (point.at - place.at).norm();
      if (height > 0 && arm > 2 * height)
        out.push_back(fmt::format(
            "point '{}' of '{}' is {:.3g} m off its axis, {:.1f} heights of the section: a rigid arm "
            "that turns with the section leads there",
            point.name, body.name, arm, arm / height));
    }
  }
}

// Of modes of one frequency, as round sections have them in pairs, a part is left out.
template <int D>
bool cuts_modes(FlexibleSpec spec) {
  const int kept = spec.modes->count++;
  const FloatingBody<D> body(spec);
  if (body.size() <= kept) return false;
  const auto square = [&](int k) { return body.stiffness().coeff(k, k) / body.elastic_mass().coeff(k, k); };
  return square(kept) - square(kept - 1) < 1e-6 * square(kept);
}
void doubt_modes(const Model& model, std::vector<std::string>& out) {
  for (const Body& body : model.bodies) {
    if (!body.flexible || !body.flexible->modes) continue;
    const ModesSpec& modes = *body.flexible->modes;
    if (modes.type != "eigen" || modes.count == 0) continue;
    if (model.space == Space::planar ? cuts_modes<2>(*body.flexible) : cuts_modes<3>(*body.flexible))
      out.push_back(fmt::format(
          "mode {} of '{}' has the frequency of the next, which is left out: it bends one way and not the "
          "other; take one mode less or more",
          modes.count, body.name));
  }
}

std::optional<double> jump_of(const TimeFunction& f, double t_end) {
  std::vector<double> times;
  try {
    times = f.break_times(0, t_end);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // too many; the run says so
  }
  for (const double t : times) {
    const double before = f.at(t, Side::left).value, after = f.at(t).value;
    if (std::abs(after - before) > 1e-9 * (1 + std::abs(before) + std::abs(after))) return t;
  }
  return std::nullopt;
}

void doubt_drivers(const Model& model, double t_end, std::vector<std::string>& out) {
  for (const Element& driver : model.drivers)
    for (const auto& [field, value] : driver.fields) {
      std::vector<TimeFunction> functions;
      if (const auto* f = std::get_if<TimeFunction>(&value)) functions = {*f};
      if (const auto* list = std::get_if<std::vector<TimeFunction>>(&value)) functions = *list;
      for (const TimeFunction& f : functions)
        if (const auto t = jump_of(f, t_end)) {
          out.push_back(fmt::format(
              "driver '{}' jumps at t = {:.6g} s ({}): no motion follows it; give the step a duration, the "
              "pulse a rise",
              driver.name, *t, field));
          break;
        }
    }
}

}  // namespace

std::vector<std::string> doubts_about(const Model& model, double t_end) {
  std::vector<std::string> out;
  doubt_bodies(model, out);
  doubt_joints(model, out);
  doubt_drivers(model, t_end, out);
  doubt_arms(model, out);
  doubt_modes(model, out);
  return out;
}

}  // namespace driftless
