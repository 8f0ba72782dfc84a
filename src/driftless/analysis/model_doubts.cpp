#include "driftless/analysis/model_doubts.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "driftless/model/geometry.hpp"

namespace driftless {
namespace {

constexpr double kMisfit = 1e-3;  // (1)

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

// Where the pin of a wheel on its carrier is, in the frame of the carrier; its axis too, in space.
struct Pin {
  Vec3 at = Vec3::Zero(), axis = Vec3::UnitZ();
};
std::optional<Pin> pin_of(const Model& model, const std::string& wheel, const std::string& carrier) {
  const ModelIndex index(model);
  for (const Element& joint : model.joints) {
    if (joint.type != "revolute") continue;
    const auto &a = joint.get<PointRef>("a"), &b = joint.get<PointRef>("b");
    const bool a_is_carrier = a.body == carrier && b.body == wheel;
    if (!a_is_carrier && !(b.body == carrier && a.body == wheel)) continue;
    Pin pin;
    pin.at = resolve_point(index, a_is_carrier ? a : b);
    if (model.space == Space::spatial) {
      if (!joint.has("axis")) return std::nullopt;
      std::string body;
      const Vec3 axis = resolve_direction(index, joint.get<DirectionRef>("axis"), a.body, body);
      pin.axis = start_pose(index, carrier).rotation.transpose() * start_pose(index, body).rotation * axis;
    }
    return pin;
  }
  return std::nullopt;
}

void doubt_gears(const Model& model, std::vector<std::string>& out) {
  for (const Element& gear : model.joints) {
    if (gear.type != "gear") continue;
    const std::string carrier = gear.has("carrier") ? gear.get<std::string>("carrier") : "ground";
    const auto a = pin_of(model, gear.get<std::string>("a"), carrier);
    const auto b = pin_of(model, gear.get<std::string>("b"), carrier);
    if (!a || !b || a->axis.cross(b->axis).norm() > kMisfit) continue;
    const Vec3 between = b->at - a->at;
    const double distance = (between - a->axis.dot(between) * a->axis).norm();
    const double radius_a = gear.get<double>("radius_a"), radius_b = gear.get<double>("radius_b");
    const bool internal = gear.has("internal") && gear.get<bool>("internal");
    const double fitting = internal ? std::abs(radius_a - radius_b) : radius_a + radius_b;
    if (std::abs(distance - fitting) > kMisfit * std::max(distance, fitting))
      out.push_back(fmt::format(
          "gear '{}' does not mesh: the pins of its wheels are {:.6g} m apart, {} of its radii is {:.6g} m",
          gear.name, distance, internal ? "the difference" : "the sum", fitting));
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
  doubt_gears(model, out);
  doubt_drivers(model, t_end, out);
  return out;
}

}  // namespace driftless
