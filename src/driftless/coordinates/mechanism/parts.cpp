#include "driftless/coordinates/mechanism/parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "driftless/contacts/contact_record.hpp"
#include "driftless/coordinates/mechanism/batches.hpp"
#include "driftless/coordinates/mechanism/probes.hpp"
#include "driftless/forces/force_record.hpp"
#include "driftless/model/model_index.hpp"
#include "driftless/outputs/signals.hpp"
#include "driftless/outputs/undeclared.hpp"

namespace driftless {
namespace {

template <int D>
std::vector<size_t> batch_sizes(const Forces<D>& forces) {
  return std::apply([](const auto&... batch) { return std::vector<size_t>{batch.size()...}; }, forces);
}

void prescribe_body(const Prescribed& wanted, Expansion<3>& expansion) {
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

template <int D>
void prescribe(const Prescribed& wanted, const ModelIndex& index, Expansion<D>& expansion) {
  expansion.begin("initial." + wanted.element);
  if constexpr (D == 3)
    if (wanted.of_body) return prescribe_body(wanted, expansion);
  const Element& joint = *index.find_joint(wanted.element);
  const auto [F, M] = record_of_joint(joint).template rules<D>().frames(joint, expansion);
  if (wanted.coordinate == "displacement")
    return expansion.add_along(F, F.kSlide, M.origin, wanted.f, "displacement");
  expansion.add_counted_angle(F, M, wanted.f, "angle");
}

// The rules that say where an element sits: those of its joint, if it drives one.
template <int D>
const JointRules<D>& seat_of(const Element& element, const JointRecord& record, const ModelIndex& index) {
  if (!element.has("joint")) return record.rules<D>();
  return record_of_joint(*index.find_joint(element.get<std::string>("joint"))).template rules<D>();
}

// Complaints of elements by name, at their places in the file.
std::vector<Complaint> in_file(const Model& model, std::vector<Complaint> complaints) {
  for (Complaint& complaint : complaints) {
    const auto find = [&](const std::vector<Element>& list, const char* key, const char* noun) {
      for (size_t i = 0; i < list.size(); ++i)
        if (list[i].name == complaint.where) {
          complaint.found += fmt::format(" ({} '{}' of type '{}')", noun, list[i].name, list[i].type);
          complaint.where = fmt::format("{}[{}]", key, i);
          return true;
        }
      return false;
    };
    find(model.joints, "joints", "joint") || find(model.drivers, "drivers", "driver") ||
        find(model.forces, "forces", "force") || find(model.outputs, "outputs", "output");
  }
  return complaints;
}

}  // namespace

template <int D>
WorkOf<D> Parts<D>::make_work() const {
  WorkOf<D> work;
  work.mode = run_mode;
  work.frames.resize(slots());
  work.twists.resize(slots());
  work.wrenches.resize(slots());
  work.x.resize(markers.size(), V::Zero());
  work.arm.resize(markers.size(), V::Zero());
  work.xdot.resize(markers.size(), V::Zero());
  work.bias.resize(markers.size(), V::Zero());
  work.s.resize(scalars.size());
  work.sdot.resize(scalars.size());
  work.loads.resize(scalars.size());
  work.dx.resize(rows.vector_pairs().size(), V::Zero());
  work.ds.resize(rows.scalar_pairs().size());
  work.curvature.setZero(rows.rows());
  rows.constant_gradients(work.dx.data(), work.ds.data());
  for (size_t i = 0; i < markers.size(); ++i)
    work.arm[i] = work.x[i] = markers[i].at;  // those on ground stay
  return work;
}

template <int D>
void Parts<D>::assign_rows() {
  std::map<std::string, int> index;
  for (size_t j = 0; j < joints.size(); ++j) index[joints[j].name] = static_cast<int>(j);
  moving_points.clear();
  moving_directions.clear();
  for (size_t i = 0; i < markers.size(); ++i)
    if (const Marker<D>& m = markers[i]; size_t(m.body) != bodies())
      (m.kind == MarkerKind::point ? moving_points : moving_directions)
          .push_back({static_cast<int>(i), m.body, m.at});
  std::set<int> asked;
  rows.for_each([&](const auto& placed) {
    if constexpr (!std::decay_t<decltype(placed.block)>::gamma_by_biases)
      for (const int of : placed.block.x)
        if (size_t(markers[size_t(of)].body) != bodies()) asked.insert(of);
  });
  swift.assign(asked.begin(), asked.end());
  weights.assign(slots(), {});
  for (size_t i = 0; i < bodies(); ++i) weights[i].force = masses[i] * gravity;
  // The rows that define scalars belong to nobody: what acts on a scalar is charged to whose row it is.
  std::set<std::string> definitions;
  for (const auto& scalar : scalars) definitions.insert(scalar.name);
  joint_of_row.clear();
  for (size_t row = 0; row < rows.owners().size(); ++row) {
    const auto found = index.find(rows.owners()[row]);
    const bool is_own = found != index.end() && definitions.count(rows.names()[row]) == 0;
    joint_of_row.push_back(is_own ? found->second : -1);
  }
}

template <int D>
void Parts<D>::place_markers(WorkOf<D>& work) const {
  for (const Mover& m : moving_points) {
    const FrameOf<double, D>& frame = work.frames[size_t(m.body)];
    V& arm = work.arm[size_t(m.marker)];
    frame.turn_to(m.at, arm);
    put_sum(arm, frame.r, work.x[size_t(m.marker)]);
  }
  for (const Mover& m : moving_directions) {
    V& arm = work.arm[size_t(m.marker)];
    work.frames[size_t(m.body)].turn_to(m.at, arm);
    put(arm, work.x[size_t(m.marker)]);
  }
}

template <int D>
void Parts<D>::apply_forces(double t, WorkOf<D>& work) const {
  std::fill(std::copy(weights.begin(), weights.end(), work.wrenches.begin()), work.wrenches.end(),
            WrenchOf<double, D>{});
  std::fill(work.loads.begin(), work.loads.end(), 0.0);
  LoadsOf<double, D> loads{work.wrenches.data(), work.loads.data()};
  const ViewOf<double, D> view = work.view(t);
  for_each_element(forces, [&](const auto& element) { element.apply(view, loads); });
}

template <int D>
double Parts<D>::potential(double t, const WorkOf<D>& work) const {
  double energy = 0;
  for (size_t i = 0; i < bodies(); ++i) energy -= masses[i] * gravity.dot(work.frames[i].r);
  const ViewOf<double, D> view = work.view(t);
  for_each_element(forces, [&](const auto& element) { energy += element.potential(view); });
  return energy;
}

template <int D>
double Parts<D>::power(double t, const WorkOf<D>& work) const {
  double power = 0;
  const ViewOf<double, D> view = work.view(t);
  for_each_element(forces, [&](const auto& element) { power += element.power(view); });
  return power;
}

template <int D>
bool Parts<D>::exchanges_energy() const {
  bool any = false;
  for_each_element(forces, [&](const auto& element) { any |= !element.conservative(); });
  rows.functions([&](const TimeFunction& f) { any |= !f.is_constant(); });
  return any;
}

template <int D>
std::vector<double> Parts<D>::break_times(double t0, double t1) const {
  std::vector<double> times;
  const auto collect = [&](const auto& f) {
    const auto own = f.break_times(t0, t1);
    times.insert(times.end(), own.begin(), own.end());
  };
  for_each_element(forces, [&](const auto& element) { element.functions(collect); });
  rows.functions(collect);
  return merged_times(std::move(times));
}

template <int D>
std::vector<Probe> Parts<D>::probes() const {
  std::vector<Probe> out;
  add_force_probes(forces, run_mode, out);
  rows.functions([&](const TimeFunction& f) { add_probe(f, Shown::acceleration, out); });
  return out;
}

template <int D>
void Parts<D>::probe_places(const WorkOf<D>& work, VecRef x) const {
  measure_places(forces, work.view(0), x);
}

template <int D>
Parts<D> expand(const Model& model, const std::vector<Prescribed>& prescribed, const NotRowsOf<D>& left_out) {
  Expansion<D> expansion(model, left_out.is_coordinate ? Turns::counted : Turns::unknown);
  const ModelIndex index(model);
  Parts<D> parts;
  const bool may_switch = prescribed.empty();  // a start is not asked about what comes and goes
  expansion.may_switch = may_switch;
  const auto expand_all = [&](const std::vector<Element>& elements,
                              std::span<const JointRecord* const> records, const std::vector<bool>& skipped) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const JointRecord& record = record_for(records, elements[i]);
      const JointRules<D>& rules = record.rules<D>();
      expansion.begin(elements[i].name);
      const JointFramesOf<D> frames = rules.frames(elements[i], expansion);
      expansion.place_joint(elements[i].name, frames);
      const JointComings comings = comings_of(model, elements[i].name);
      const int first_block = expansion.rows.blocks();
      const bool is_there = may_switch || !comings.switches || comings.starts_on;
      if ((skipped.empty() || !skipped[i]) && is_there) rules.expand(elements[i], frames, expansion);
      if (may_switch && comings.switches)
        expansion.switched.joints.push_back(
            {elements[i].name, first_block, expansion.rows.blocks(), comings.starts_on});
      if (may_switch) expand_switched_joint<D>(elements[i], rules, frames, expansion);
      const bool first = seat_of<D>(elements[i], record, index).axes_on_first;
      parts.joints.push_back({elements[i].name, frames, first ? frames.first : frames.second});
    }
  };
  parts.joints.reserve(model.joints.size() + model.drivers.size() + model.contacts.size());
  expand_all(model.joints, joint_records(), left_out.joints);
  expand_all(model.drivers, driver_records(), {});
  for (const Element& one : model.switches) {
    if (!may_switch) break;
    TriggerSpec trigger = trigger_of(one);
    for (const Element& output : model.outputs)
      if (trigger.when == TriggerSpec::When::output && output.name == trigger.of)
        trigger.of_state = is_of_state(output, model);
    expansion.switched.triggers.push_back(std::move(trigger));
  }
  for (const Element& contact : model.contacts) {
    if (!may_switch) break;
    const ContactRules<D>& rules = record_for(contact_records(), contact).template rules<D>();
    expansion.begin(contact.name);
    const JointFramesOf<D> frames = rules.frames(contact, expansion);
    expand_contact<D>(contact, rules, frames, expansion);
    parts.joints.push_back({contact.name, frames, frames.first});
  }
  ModelSignals<D> signals(model, expansion, parts.forces, parts.force_places);
  expansion.signals = &signals;
  parts.force_places.resize(model.forces.size());
  for (const size_t i : order_of_forces(model)) {
    const Element& force = model.forces[i];
    expansion.begin(force.name);
    const auto before = batch_sizes<D>(parts.forces);
    record_for(force_records(), force).template compile<D>()(force, expansion, parts.forces);
    const auto after = batch_sizes<D>(parts.forces);
    const auto grown = std::mismatch(before.begin(), before.end(), after.begin()).first;
    // Clutches are rows: they have no place among forces, and no readings that would ask for it.
    const bool is_force = grown != before.end();
    parts.force_places[i] = {static_cast<size_t>(grown - before.begin()), is_force ? *grown : 0};
  }
  for (const Input& input : model.inputs) {
    parts.inputs.push_back({input.name, input.unit, signals.seen(input)});
    if (input.every > 0) parts.sampled.push_back({input.name, input.every, signals.input(input)});
  }
  for (const Prescribed& wanted : prescribed) prescribe<D>(wanted, index, expansion);
  std::vector<int> order(expansion.scalars.size());
  std::iota(order.begin(), order.end(), 0);
  if (D == 2)  // rows of bodies in the order of bodies
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
      return expansion.scalars[size_t(i)].b.origin.body < expansion.scalars[size_t(j)].b.origin.body;
    });
  for (const int i : order)
    if (!left_out.is_coordinate || !left_out.is_coordinate(expansion.scalars[size_t(i)])) expansion.define(i);
  expansion.rows.finish();
  const size_t count = model.bodies.size() + 1;
  parts.body_names.reserve(count);
  parts.masses.reserve(count);
  parts.start.reserve(count);
  parts.inertias.reserve(count);
  parts.start_twists.reserve(count);
  for (const Body& body : model.bodies) {
    parts.body_names.push_back(body.name);
    parts.masses.push_back(body.flexible ? flexible_mass(*body.flexible) : body.mass);
    const FrameOf<double, D>& frame = expansion.start(static_cast<int>(parts.start.size()));
    parts.start.push_back(frame);
    SpinOf<double, D> spin;
    if constexpr (D == 2) {
      parts.inertias.push_back(body.inertia);
      spin = body.angular_velocity;
    } else {
      parts.inertias.push_back(body.inertia_tensor);
      spin = body.spin;
    }
    const Vec3 center = body.flexible ? flexible_center(*body.flexible) : body.center_of_mass;
    const VecOf<double, D> arm = frame.turn(center.template head<D>());
    parts.start_twists.push_back({body.velocity.template head<D>() + swing(spin, arm), spin});
  }
  parts.start.emplace_back();
  parts.start_twists.emplace_back();
  parts.sections = expansion.sections();
  for (const Complaint& refused : expansion.complaints()) parts.refused.push_back(refused);
  parts.teeth = find_teeth(expansion);
  parts.gravity = model.gravity.template head<D>();
  parts.length = expansion.length();
  parts.markers = std::move(expansion.markers);
  parts.scalars = std::move(expansion.scalars);
  parts.rows = std::move(expansion.rows);
  parts.switched = std::move(expansion.switched);
  parts.assign_rows();
  return parts;
}

template <int D>
void check_refused(const Model& model, const Parts<D>& parts, const std::string& source) {
  if (!parts.refused.empty()) throw InputError(source, in_file(model, parts.refused));
}

template <int D>
Parts<D> expand_model(const Model& model, const std::string& source, const NotRowsOf<D>& left_out) {
  Parts<D> parts = expand<D>(model, {}, left_out);
  parts.number_switches(model);
  std::vector<Complaint> complaints;
  parts.channels = compile_outputs<D>(model, parts.joints, parts.forces, parts.force_places, parts.sections,
                                      parts.refused, complaints);
  if (records_undeclared(model))
    for (const InputSignal<D>& input : parts.inputs)
      parts.channels.push_back({.name = input.name,
                                .unit = input.unit,
                                .measure = [value = input.value](const MotionOf<D>& motion) {
                                  return value->value(static_cast<const ViewOf<double, D>&>(motion));
                                }});
  check_refused<D>(model, parts, source);
  if (!complaints.empty()) throw InputError(source, complaints);
  return parts;
}

template <int D>
bool Parts<D>::needs_accelerations() const {
  return std::any_of(channels.begin(), channels.end(), [](const auto& c) { return c.needs_accelerations; });
}

template <int D>
std::vector<std::string> Parts<D>::channel_names() const {
  std::vector<std::string> names;
  for (const auto& channel : channels) names.push_back(channel.name);
  return names;
}

template <int D>
std::vector<std::string> Parts<D>::channel_units() const {
  std::vector<std::string> units;
  for (const auto& channel : channels) units.push_back(channel.unit);
  return units;
}

template <int D>
std::vector<std::string> Parts<D>::joint_names() const {
  std::vector<std::string> names;
  for (const auto& joint : joints) names.push_back(joint.name);
  return names;
}

template struct Parts<2>;
template struct Parts<3>;
template Parts<2> expand<2>(const Model&, const std::vector<Prescribed>&, const NotRowsOf<2>&);
template Parts<3> expand<3>(const Model&, const std::vector<Prescribed>&, const NotRowsOf<3>&);
template void check_refused<2>(const Model&, const Parts<2>&, const std::string&);
template void check_refused<3>(const Model&, const Parts<3>&, const std::string&);
template Parts<2> expand_model<2>(const Model&, const std::string&, const NotRowsOf<2>&);
template Parts<3> expand_model<3>(const Model&, const std::string&, const NotRowsOf<3>&);

}  // namespace driftless
