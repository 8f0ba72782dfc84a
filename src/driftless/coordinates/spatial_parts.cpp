#include "driftless/coordinates/spatial_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driftless/coordinates/batches.hpp"
#include "driftless/coordinates/probes.hpp"
#include "driftless/core/text.hpp"
#include "driftless/forces/force_record.hpp"

namespace driftless {
namespace {

std::vector<size_t> batch_sizes(const SpatialForces& forces) {
  return std::apply([](const auto&... batch) { return std::vector<size_t>{batch.size()...}; }, forces);
}

void prescribe(const Model& model, const Prescribed& wanted, SpatialExpansion& expansion) {
  expansion.begin("initial." + wanted.element);
  if (!wanted.of_body) {
    const Element& joint = joint_called(wanted.element, model);
    const auto [F, M] = record_of_joint(joint).spatial.frames(joint, expansion);
    if (wanted.coordinate == "displacement")
      return expansion.add_along(F, 2, M.origin, wanted.f, "displacement");
    // A scalar that counts turns takes the number of them the file says.
    const int counted = expansion.find_scalar(Scalar::Kind::angle, F, M);
    if (counted >= 0) return expansion.add_value(counted, wanted.f, "angle");
    return expansion.add_angle(F, M, wanted.f, "angle");
  }
  const int body = expansion.body(wanted.element);
  const JointFrame world{{expansion.ground(), Vec3::Zero()}, Mat3::Identity()};
  if (wanted.coordinate == "orientation") {
    const JointFrame own = expansion.aligned({body, Vec3::Zero()}, world);
    expansion.add_parallel(world, own);
    expansion.add_no_turn(world, own);
    return;
  }
  const int k = wanted.coordinate[0] - 'x';
  expansion.add_along(world, k, {body, Vec3::Zero()}, TimeFunction(expansion.start(body).r[k]),
                      wanted.coordinate.c_str());
}

}  // namespace

SpatialWork SpatialParts::make_work() const {
  SpatialWork work;
  work.frames.resize(bodies() + 1);
  work.twists.resize(bodies() + 1);
  work.wrenches.resize(bodies() + 1);
  work.x.resize(markers.size(), Vec3::Zero());
  work.xdot.resize(markers.size(), Vec3::Zero());
  work.bias.resize(markers.size(), Vec3::Zero());
  work.s.resize(scalars.size());
  work.sdot.resize(scalars.size());
  work.loads.resize(scalars.size());
  work.dx.resize(rows.vector_pairs().size(), Vec3::Zero());
  work.ds.resize(rows.scalar_pairs().size());
  work.curvature.setZero(rows.rows());
  return work;
}

void SpatialParts::assign_rows() {
  std::map<std::string, int> index;
  for (size_t j = 0; j < joints.size(); ++j) index[joints[j].name] = static_cast<int>(j);
  // The rows that define scalars belong to nobody: what acts on a scalar is charged to whose row it is.
  std::set<std::string> definitions;
  for (const Scalar& scalar : scalars) definitions.insert(scalar.name);
  joint_of_row.clear();
  for (size_t row = 0; row < rows.owners().size(); ++row) {
    const auto found = index.find(rows.owners()[row]);
    const bool is_own = found != index.end() && definitions.count(rows.names()[row]) == 0;
    joint_of_row.push_back(is_own ? found->second : -1);
  }
}

void SpatialParts::place_markers(SpatialWork& work) const {
  for (size_t i = 0; i < markers.size(); ++i) {
    const Marker<3>& m = markers[i];
    const SpatialFrame<double>& frame = work.frames[size_t(m.body)];
    work.x[i] = frame.R * m.at;
    if (m.kind == MarkerKind::point) work.x[i] += frame.r;
  }
}

void SpatialParts::move_markers(SpatialWork& work) const {
  for (size_t i = 0; i < markers.size(); ++i) {
    const Marker<3>& m = markers[i];
    const Twist& twist = work.twists[size_t(m.body)];
    const bool is_point = m.kind == MarkerKind::point;
    const Vec3 arm = is_point ? Vec3(work.x[i] - work.frames[size_t(m.body)].r) : work.x[i];
    const Vec3 swing = twist.omega.cross(arm);
    work.xdot[i] = is_point ? Vec3(twist.r + swing) : swing;
    work.bias[i] = twist.omega.cross(swing);
  }
}

void SpatialParts::apply_forces(double t, SpatialWork& work) const {
  for (size_t i = 0; i < bodies(); ++i) work.wrenches[i] = {masses[i] * gravity, Vec3::Zero()};
  std::fill(work.loads.begin(), work.loads.end(), 0.0);
  SpatialLoads loads{work.wrenches.data(), work.loads.data()};
  const SpatialView view = work.view(t);
  for_each_element(forces, [&](const auto& element) { element.apply(view, loads); });
}

double SpatialParts::potential(double t, const SpatialWork& work) const {
  double energy = 0;
  for (size_t i = 0; i < bodies(); ++i) energy -= masses[i] * gravity.dot(work.frames[i].r);
  const SpatialView view = work.view(t);
  for_each_element(forces, [&](const auto& element) { energy += element.potential(view); });
  return energy;
}

double SpatialParts::power(double t, const SpatialWork& work) const {
  double power = 0;
  const SpatialView view = work.view(t);
  for_each_element(forces, [&](const auto& element) { power += element.power(view); });
  return power;
}

bool SpatialParts::exchanges_energy() const {
  bool any = false;
  for_each_element(forces, [&](const auto& element) { any |= !element.conservative(); });
  rows.functions([&](const TimeFunction& f) { any |= !f.is_constant(); });
  return any;
}

std::vector<double> SpatialParts::break_times(double t0, double t1) const {
  std::vector<double> times;
  const auto collect = [&](const auto& f) {
    const auto own = f.break_times(t0, t1);
    times.insert(times.end(), own.begin(), own.end());
  };
  for_each_element(forces, [&](const auto& element) { element.functions(collect); });
  rows.functions(collect);
  return merged_times(std::move(times));
}

std::vector<Probe> SpatialParts::probes() const {
  std::vector<Probe> out;
  add_force_probes(forces, out);
  rows.functions([&](const TimeFunction& f) { add_probe(f, Shown::acceleration, out); });
  return out;
}

void SpatialParts::probe_places(const SpatialWork& work, VecRef x) const {
  measure_places(forces, work.view(0), x);
}

SpatialParts expand_spatial(const Model& model,
                            const std::vector<Prescribed>& prescribed,
                            const NotRows& left_out) {
  SpatialExpansion expansion(model);
  SpatialParts parts;
  const auto expand_all = [&](const std::vector<Element>& elements,
                              std::span<const JointRecord* const> records, const std::vector<bool>& skipped) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const SpatialJoint& rules = record_for(records, elements[i]).spatial;
      expansion.begin(elements[i].name);
      const JointFrames frames = rules.frames(elements[i], expansion);
      expansion.place_joint(elements[i].name, frames);
      if (skipped.empty() || !skipped[i]) rules.expand(elements[i], frames, expansion);
      parts.joints.push_back({elements[i].name, frames});
    }
  };
  expand_all(model.joints, joint_records(), left_out.joints);
  expand_all(model.drivers, driver_records(), {});
  for (const Element& force : model.forces) {
    expansion.begin(force.name);
    const auto before = batch_sizes(parts.forces);
    record_for(force_records(), force).compile_spatial(force, expansion, parts.forces);
    const auto after = batch_sizes(parts.forces);
    const auto grown = std::mismatch(before.begin(), before.end(), after.begin()).first;
    parts.force_places.push_back({static_cast<size_t>(grown - before.begin()), *grown});
  }
  for (const Prescribed& wanted : prescribed) prescribe(model, wanted, expansion);
  for (size_t i = 0; i < expansion.scalars.size(); ++i)
    if (!left_out.is_coordinate || !left_out.is_coordinate(expansion.scalars[i]))
      expansion.define(static_cast<int>(i));
  expansion.rows.finish();
  for (const Body& body : model.bodies) {
    parts.body_names.push_back(body.name);
    parts.masses.push_back(body.mass);
    parts.inertias.push_back(body.inertia_tensor);
    const SpatialFrame<double>& frame = expansion.start(static_cast<int>(parts.start.size()));
    parts.start.push_back(frame);
    parts.start_twists.push_back({body.velocity + body.spin.cross(frame.R * body.center_of_mass), body.spin});
  }
  parts.start.emplace_back();
  parts.start_twists.emplace_back();
  parts.gravity = model.gravity;
  parts.length = expansion.length();
  parts.markers = std::move(expansion.markers);
  parts.scalars = std::move(expansion.scalars);
  parts.rows = std::move(expansion.rows);
  parts.assign_rows();
  return parts;
}

SpatialParts expand_spatial_model(const Model& model, const std::string& source, const NotRows& left_out) {
  SpatialParts parts = expand_spatial(model, {}, left_out);
  std::vector<Complaint> complaints;
  parts.channels = compile_spatial_outputs(model, parts, complaints);
  if (!complaints.empty()) throw InputError(source, complaints);
  return parts;
}

SpatialStart spatial_start(const Model& model, const std::string& source) {
  SpatialStart wanted;
  std::vector<Complaint> complaints;
  for (const JointStart& start : model.initial.joints) {
    const Element& joint = joint_called(start.joint, model);
    const auto& known = record_of_joint(joint).spatial.coordinates;
    const std::string coordinate =
        start.coordinate.empty() && !known.empty() ? known.front() : start.coordinate;
    if (std::find(known.begin(), known.end(), coordinate) == known.end()) {
      complaints.push_back({fmt::format("initial.joints.{}", start.joint),
                            known.empty() ? "a joint with a coordinate of its own (revolute, translational, "
                                            "cylindrical, screw …)"
                                          : quoted_list(known),
                            coordinate.empty() ? fmt::format("a joint of type '{}'", joint.type)
                                               : fmt::format("'{}'", coordinate),
                            ""});
      continue;
    }
    if (start.value) wanted.values.push_back({start.joint, coordinate, false, TimeFunction(*start.value)});
    // A wanted rate is a driver that moves at that rate; only its velocity row is used.
    if (start.rate)
      wanted.rates.push_back(
          {start.joint, coordinate, false, TimeFunction(time_function::Polynomial{{0.0, *start.rate}})});
  }
  for (size_t i = 0; i < model.initial.hold.size(); ++i) {
    const std::string& held = model.initial.hold[i];
    const std::string name = held.substr(0, held.rfind('.')), coordinate = held.substr(held.rfind('.') + 1);
    if (model.find_body(name) != nullptr) {
      wanted.values.push_back({name, coordinate, true, {}});
      continue;
    }
    const auto known = record_of_joint(joint_called(name, model)).coordinates(model.space);
    if (std::find(known.begin(), known.end(), coordinate) == known.end()) {
      complaints.push_back({fmt::format("initial.hold[{}]", i), "a coordinate the joint has",
                            fmt::format("'{}'", held), known.empty() ? "it has none" : quoted_list(known)});
      continue;
    }
    SpatialExpansion drawn(model);  // stays what the poses in the file make it
    const auto [F, M] = frames_of(name, drawn);
    const int scalar =
        coordinate == "angle" ? drawn.angle(F, M, coordinate) : drawn.displacement(F, M, coordinate);
    wanted.values.push_back({name, coordinate, false, TimeFunction(drawn.scalars[size_t(scalar)].start)});
  }
  if (!complaints.empty()) throw InputError(source, complaints);
  return wanted;
}

std::vector<std::string> SpatialParts::channel_names() const {
  std::vector<std::string> names;
  for (const auto& channel : channels) names.push_back(channel.name);
  return names;
}

std::vector<std::string> SpatialParts::channel_units() const {
  std::vector<std::string> units;
  for (const auto& channel : channels) units.push_back(channel.unit);
  return units;
}

std::vector<std::string> SpatialParts::joint_names() const {
  std::vector<std::string> names;
  for (const auto& joint : joints) names.push_back(joint.name);
  return names;
}

namespace {

// What a unit load on a scalar does to body b of its frames, moment about `point`; body a takes the opposite.     (2)
Wrench unit_load(const Scalar& scalar, const SpatialWork& work, const Vec3& point) {
  const SpatialFrame<double>&a = work.frames[size_t(scalar.a.origin.body)],
        &b = work.frames[size_t(scalar.b.origin.body)];
  const Mat3 axes = a.R * scalar.a.axes;
  if (scalar.kind == Scalar::Kind::displacement)
    return {axes.col(2), (b.point(scalar.b.origin.at) - point).cross(axes.col(2))};
  const Vec3 u = b.turn(scalar.b.axes.col(0));
  const double along = axes.col(0).dot(u), beside = axes.col(1).dot(u);
  return {Vec3::Zero(),
          u.cross(along * axes.col(1) - beside * axes.col(0)) / (along * along + beside * beside)};
}

}  // namespace

void joint_reactions(const SpatialParts& parts,
                     const SpatialWork& work,
                     ConstVec lambda,
                     std::vector<JointReaction>& out) {
  out.assign(parts.joints.size(), {});
  const auto& pairs = parts.rows.vector_pairs();
  for (size_t k = 0; k < pairs.size(); ++k) {
    const Marker<3>& marker = parts.markers[size_t(pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(pairs[k].row)];
    if (joint < 0 || parts.joints[size_t(joint)].frames.second.origin.body != marker.body) continue;
    const JointFrame& M = parts.joints[size_t(joint)].frames.second;
    const Vec3 push = -lambda[pairs[k].row] * work.dx[k];
    const Vec3& x = work.x[size_t(pairs[k].of)];
    JointReaction& reaction = out[size_t(joint)];
    if (marker.kind == MarkerKind::direction) {
      reaction.torque += x.cross(push);
      continue;
    }
    reaction.force += push;
    reaction.torque += (x - work.frames[size_t(marker.body)].point(M.origin.at)).cross(push);
  }
  const auto& scalar_pairs = parts.rows.scalar_pairs();
  for (size_t k = 0; k < scalar_pairs.size(); ++k) {
    const Scalar& scalar = parts.scalars[size_t(scalar_pairs[k].of)];
    const int joint = parts.joint_of_row[size_t(scalar_pairs[k].row)];
    if (joint < 0 || scalar.kind == Scalar::Kind::parameter) continue;
    const SpatialPoint& on = parts.joints[size_t(joint)].frames.second.origin;
    if (on.body != scalar.a.origin.body && on.body != scalar.b.origin.body) continue;
    const double load =
        -lambda[scalar_pairs[k].row] * work.ds[k] * (on.body == scalar.b.origin.body ? 1 : -1);
    const Wrench unit = unit_load(scalar, work, work.frames[size_t(on.body)].point(on.at));
    out[size_t(joint)].force += load * unit.force;
    out[size_t(joint)].torque += load * unit.moment;
  }
  for (size_t j = 0; j < out.size(); ++j) {
    const JointFrame& M = parts.joints[j].frames.second;
    const Mat3 axes = work.frames[size_t(M.origin.body)].R * M.axes;
    out[j].force_joint = axes.transpose() * out[j].force;
    out[j].torque_joint = axes.transpose() * out[j].torque;
  }
}

}  // namespace driftless
