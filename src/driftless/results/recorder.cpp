#include "driftless/results/recorder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/formulation/residual/residual_form.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {
namespace {

// "m/s" → "m/s^2", "rad/s (body axes)" → "rad/s^2 (body axes)"; a unit that is no rate gets its "/s".
std::vector<std::string> per_second(const std::vector<std::string>& units) {
  std::vector<std::string> out = units;
  for (std::string& unit : out) {
    const size_t end =
        std::min(unit.find(" ("), unit.size());  // of the unit; behind it stands what the axes are
    if (end > 0) unit.insert(end, unit.substr(0, end).ends_with("/s") ? "^2" : "/s");
  }
  return out;
}

constexpr double kFar = 100;         // tolerances: moves that are looked at again
constexpr double kMuchNearer = 0.1;  // of a move

// A force can be no number at one instant that no step looks at: the end of a run, a record.
bool is_finite(const Reaction& reaction) { return reaction.vdot.allFinite() && reaction.lambda.allFinite(); }

}  // namespace

Table strain_columns(const std::vector<FlexibleColumns>& bodies) {
  Table out;
  for (const FlexibleColumns& body : bodies)
    for (const bool is_stress : {false, true}) {
      const char* what = is_stress ? "stress_max" : "strain";
      for (int e = 0; e < body.elements && (!is_stress || body.has_stress); ++e) {
        out.names.push_back(fmt::format("{}.e{}.{}", body.body, e, what));
        out.units.emplace_back(is_stress ? "N/m²" : "");
      }
    }
  return out;
}

Recorder::Recorder(const DescriptorSystem& system,
                   std::unique_ptr<OdeForm> reader,
                   const AngleTracker& angles,
                   const StepControl& control)
    : system_(system),
      angles_(angles),
      reader_(std::move(reader)),
      observer_(system),
      rtol_(control.step > 0 ? 1 : control.rtol),
      atol_(control.step > 0 ? 1 : control.atol),
      q_size_(system.layout().nq),
      v_size_(system.layout().nv) {
  if (reader_) {
    auto kernel = reader_->make_kernel();
    kernel_yields_ = kernel && kernel->yields();
    motion_ = make_settled_motion(system, std::move(kernel));
  }
  const Layout& layout = system.layout();
  trajectory.q = {layout.q_names, layout.q_units, {}};
  trajectory.v = {layout.v_names, layout.v_units, {}};
  trajectory.vdot = {layout.v_names, per_second(layout.v_units), {}};
  trajectory.lambda = {layout.row_names, std::vector<std::string>(layout.row_names.size()), {}};
  trajectory.quantities = {system.quantity_names(), system.quantity_units(), {}};
  trajectory.energy = {{"kinetic", "potential", "total", "work"}, {"J", "J", "J", "J"}, {}};
  if (const Switching* switching = switching_of(system))
    for (const Switch& one : switching->switches()) {
      trajectory.modes.names.push_back(one.column());
      trajectory.modes.units.emplace_back();
      trajectory.mode_names.push_back({one.element, one.kind, one.first, one.modes});
    }
  trajectory.drift = {{"position", "velocity"}, {"m", "m/s"}, {}};
  trajectory.steps = {
      {"t", "h", "position", "velocity", "newton_iterations"}, {"s", "s", "m", "m/s", ""}, {}};
  trajectory.body_names = system.body_names();
  trajectory.joint_names = system.joint_names();
  trajectory.planar = system.is_planar();
  strained_ = dynamic_cast<const Strained*>(&system);
  if (strained_ != nullptr) {
    trajectory.flexible = strained_->flexible_columns();
    trajectory.strains = strain_columns(trajectory.flexible);
    strains_.resize(static_cast<Eigen::Index>(trajectory.strains.columns()));
  }
  quantities_.resize(static_cast<Eigen::Index>(trajectory.quantities.columns()));
}

void Recorder::record(const State& state, double work, const Monitor::Reading& step) {
  write(state, work, step, motion_->take(state.t, state.q, state.v));
}

void Recorder::record_between(double t, ConstVec y, const Monitor::Reading& step) {
  const double work = reader_->unpack(t, y, between_);
  unmoved_ = between_;
  if (motion_->settle(t, between_.q, between_.v) == Status::ok) {
    const double moved = move_of(unmoved_, between_);
    const bool is_nearer = moved > kFar && put_nearer(t, moved);
    const double size = is_nearer ? move_of(unmoved_, between_) : moved;
    if (size > farthest_.size) farthest_ = {size, t};
    write(between_, work, step, is_nearer ? motion_->take(t, between_.q, between_.v) : Status::ok);
  } else {
    ++unprojected_;
    between_ = unmoved_;
    record(between_, work, step);
  }
}

bool Recorder::put_nearer(double t, double moved) {
  if (const ResidualForm* form = reader_->as_residual();
      form != nullptr && form->position_rows() > 0 && form->slips() == 0)
    return false;  // index 3: velocities tremble along M⁻¹Jᵀ
  if (!nearest_) {
    nearest_ = make_nearest_projection(system_);
    if (!dropped_.empty()) nearest_->drop_rows(dropped_);
  }
  nearer_ = unmoved_;
  if (nearest_->settle(t, nearer_.q, nearer_.v) != Status::ok) return false;
  if (!(move_of(unmoved_, nearer_) < kMuchNearer * moved)) return false;
  between_ = nearer_;
  return true;
}

double Recorder::move_of(const State& from, const State& to) {
  const Layout& layout = system_.layout();
  system_.magnitudes(to.q, to.v, q_size_, v_size_);
  double size = 0;
  for (int i = 0; i < layout.nq; ++i)
    size = std::max(size, std::abs(to.q[i] - from.q[i]) / (atol_ * layout.q_scale[i] + rtol_ * q_size_[i]));
  for (int i = 0; i < layout.nv; ++i)
    size = std::max(size, std::abs(to.v[i] - from.v[i]) / (atol_ * layout.v_scale[i] + rtol_ * v_size_[i]));
  return size;
}

void Recorder::write(const State& state, double work, const Monitor::Reading& step, Status factored) {
  if (factored == Status::ok) factored = motion_->react(state.t, state.q, state.v, reaction_);
  if (factored != Status::ok || !is_finite(reaction_)) {
    reaction_.vdot.setConstant(system_.layout().nv, std::nan(""));
    reaction_.lambda.setConstant(system_.layout().m, std::nan(""));
    ++unsolved_;
  }
  ++records_;
  trajectory.t.push_back(state.t);
  trajectory.q.append(state.q);
  trajectory.v.append(state.v);
  trajectory.vdot.append(reaction_.vdot);
  trajectory.lambda.append(reaction_.lambda);
  Terms& terms = motion_->terms();
  const double kinetic = system_.kinetic_energy(state.v, terms);
  const double potential = system_.potential_energy(state.t, state.q, terms).value_or(std::nan(""));
  trajectory.energy.append(Eigen::Vector4d(kinetic, potential, kinetic + potential, work - lost));
  if (const Mode* mode = observer_.terms.mode)
    trajectory.modes.data.insert(trajectory.modes.data.end(), mode->values.begin(), mode->values.end());
  trajectory.drift.append(Vec2(step.position, step.velocity));
  system_.position(state.t, state.q, observer_.terms);
  observer_.quantities(state.t, state.q, state.v, reaction_, quantities_);
  angles_.unwrap(state.t, quantities_);
  trajectory.quantities.append(quantities_);
  observer_.poses(state.t, state.q, poses_);
  for (const Pose& pose : poses_) {
    trajectory.poses.insert(trajectory.poses.end(), pose.position.data(), pose.position.data() + 3);
    trajectory.poses.insert(trajectory.poses.end(), pose.quaternion.data(), pose.quaternion.data() + 4);
  }
  if (strained_ != nullptr) {
    strained_->observe_strains(state.q, observer_.terms, strains_);
    trajectory.strains.append(strains_);
  }
  observer_.reactions(state.t, state.q, state.v, reaction_, reactions_);
  for (const JointReaction& joint : reactions_)
    for (const Vec3* part : {&joint.force, &joint.torque, &joint.force_joint, &joint.torque_joint})
      trajectory.reactions.insert(trajectory.reactions.end(), part->data(), part->data() + 3);
}

void Recorder::record_step(double t, double h, const Monitor::Reading& reading, long newton) {
  Eigen::Matrix<double, 5, 1> row;
  row << t, h, reading.position, reading.velocity, static_cast<double>(newton);
  trajectory.steps.append(row);
}

void Recorder::add_scheme_columns() {
  const Layout& layout = system_.layout();
  Table& steps = trajectory.steps;
  const auto add = [&](const std::string& name, const std::string& unit) {
    steps.names.push_back("scheme." + name);
    steps.units.push_back(unit);
  };
  add("vdot_time", "s");
  for (size_t i = 0; i < layout.v_names.size(); ++i)
    add("vdot." + layout.v_names[i], trajectory.vdot.units[i]);
  add("lambda_time", "s");
  for (const std::string& row : layout.row_names) add("lambda." + row, "");
}

void Recorder::record_step(double t,
                           double h,
                           const Monitor::Reading& reading,
                           long newton,
                           const Carried& carried,
                           std::span<const int> dropped) {
  const auto columns = static_cast<Eigen::Index>(trajectory.steps.columns());
  const int nv = system_.layout().nv, m = system_.layout().m;
  Vec row = Vec::Zero(columns);
  row.head(5) << t, h, reading.position, reading.velocity, static_cast<double>(newton);
  row[5] = carried.acceleration_time;
  row.segment(6, nv) = carried.acceleration;
  row[6 + nv] = carried.multiplier_time;
  for (int i = 0, k = 0; i < m && k < carried.multipliers.size(); ++i)
    if (!std::binary_search(dropped.begin(), dropped.end(), i)) row[7 + nv + i] = carried.multipliers[k++];
  trajectory.steps.append(row);
}

void Recorder::drop_rows(std::span<const int> rows) {
  if (!reader_) return;
  dropped_.assign(rows.begin(), rows.end());
  nearest_.reset();
  reader_->drop_rows(rows);
  // Penalties share loads among redundant rows by the weights of the rows: the smallest λ needs a kernel that drops some.
  if (kernel_yields_) motion_ = make_settled_motion(system_, nullptr);
  kernel_yields_ = false;
  motion_->drop_rows(rows);
}

Status Recorder::finish(OdeForm& form, const State& state, Results& results) {
  if (unsolved_ > 0)
    results.notices.push_back(
        fmt::format("{} of {} records have no accelerations and multipliers: the equations are singular or "
                    "not finite there",
                    unsolved_, records_));
  if (unprojected_ > 0)
    results.warnings.push_back(fmt::format(
        "{} of {} records between steps could not be put on the constraints and are as dense output has them",
        unprojected_, records_));
  results.final = state;
  results.final_quantities = Vec::Constant(quantities_.size(), std::nan(""));
  Status status = form.react(state, results.final_reaction);
  if (status == Status::ok && !is_finite(results.final_reaction)) status = Status::not_finite;
  if (status == Status::ok) {
    system_.quantities(state.t, state.q, state.v, results.final_reaction, results.final_quantities);
    angles_.unwrap(state.t, results.final_quantities);
  }
  return status;
}

}  // namespace driftless
