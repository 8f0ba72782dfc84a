#include "driftless/coordinates/planar_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

struct PlanarScratch final : Scratch {
  std::vector<PlanarFrame<double>> frames;  // bodies, then ground          position()
  std::vector<PlanarVelocity> velocities;   // bodies, then ground at rest  bias(), force()
  std::vector<Resultant> resultants;        // bodies, then ground          force()

  explicit PlanarScratch(size_t bodies)
      : frames(bodies + 1), velocities(bodies + 1), resultants(bodies + 1) {}

  void place(ConstVec q) {
    for (size_t i = 0; i + 1 < frames.size(); ++i) {
      const double* body = q.data() + 3 * i;
      frames[i] = {{body[0], body[1]}, body[2], std::cos(body[2]), std::sin(body[2])};
    }
  }
  void move(ConstVec v) {
    for (size_t i = 0; i + 1 < velocities.size(); ++i) {
      const double* body = v.data() + 3 * i;
      velocities[i] = {{body[0], body[1]}, body[2]};
    }
  }
  PlanarView view(double t) const { return {frames.data(), velocities.data(), t}; }
};

PlanarScratch& scratch_of(Terms& terms) { return static_cast<PlanarScratch&>(*terms.scratch); }

Layout make_layout(const PlanarParts& parts) {
  Layout layout;
  const int bodies = static_cast<int>(parts.body_names.size());
  layout.nq = layout.nv = 3 * bodies;
  layout.mh = layout.m = static_cast<int>(parts.row_names.size());
  layout.length = parts.length;
  layout.mass = std::accumulate(parts.masses.begin(), parts.masses.end(), 0.0);
  layout.row_names = parts.row_names;
  layout.row_units.assign(parts.row_names.size(), "m");
  layout.q_scale.resize(layout.nq);
  for (const auto& name : parts.body_names) {
    for (const char* suffix : {".x", ".y", ".theta"}) layout.q_names.push_back(name + suffix);
    for (const char* suffix : {".vx", ".vy", ".omega"}) layout.v_names.push_back(name + suffix);
    for (const char* unit : {"m", "m", "rad"}) layout.q_units.emplace_back(unit);
    for (const char* unit : {"m/s", "m/s", "rad/s"}) layout.v_units.emplace_back(unit);
  }
  for (int i = 0; i < bodies; ++i) layout.q_scale.segment<3>(3 * i) = Vec3(parts.length, parts.length, 1);
  layout.v_scale = layout.q_scale;

  layout.M.resize(layout.nv, layout.nv);
  layout.M.setIdentity();
  layout.M.makeCompressed();
  std::vector<Eigen::Triplet<double>> entries;
  for_each_element(parts.blocks, [&](const auto& placed) {
    for (int r = 0; r < placed.block.rows; ++r)
      for (const int body : placed.block.body())
        if (body < bodies)
          for (int k = 0; k < 3; ++k) entries.emplace_back(placed.row + r, 3 * body + k, 0.0);
  });
  layout.J.resize(layout.m, layout.nv);
  layout.J.setFromTriplets(entries.begin(), entries.end());
  layout.J.makeCompressed();
  return layout;
}

}  // namespace

PlanarSystem::PlanarSystem(PlanarParts parts)
    : DescriptorSystem(make_layout(parts)), parts_(std::move(parts)) {
  check_layout(layout_);
  const int bodies = static_cast<int>(parts_.body_names.size());
  for_each_element(parts_.blocks, [&](auto& placed) {
    for (int r = 0; r < placed.block.rows; ++r)
      for (size_t k = 0; k < placed.block.body().size(); ++k) {
        const int body = placed.block.body()[k];
        int& slot = placed.slot[size_t(r)][k];
        slot = body < bodies
                   ? static_cast<int>(&layout_.J.coeffRef(placed.row + r, 3 * body) - layout_.J.valuePtr())
                   : -1;
      }
  });
  for_each_element(parts_.forces, [&](const auto& force) { exchanges_energy_ |= !force.conservative(); });
  for_each_element(parts_.blocks, [&](const auto& placed) {
    placed.block.functions([&](const TimeFunction& f) { exchanges_energy_ |= !f.is_constant(); });
  });
}

std::unique_ptr<Scratch> PlanarSystem::make_scratch() const {
  return std::make_unique<PlanarScratch>(parts_.body_names.size());
}

void PlanarSystem::position(double t, ConstVec q, Terms& terms) const {
  PlanarScratch& scratch = scratch_of(terms);
  scratch.place(q);
  const PlanarView view = scratch.view(t);
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  for_each_element(parts_.blocks, [&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    placed.block.value(view.frames, t, terms.g.data() + placed.row);
    placed.block.nu(view, terms.nu.data() + placed.row);
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    for (size_t r = 0; r < Block::rows; ++r)
      for (size_t k = 0; k < Block::bodies; ++k)
        if (const int slot = placed.slot[r][k]; slot >= 0)
          for (size_t c = 0; c < 3; ++c)
            values[size_t(slot) + c] += gradient[r][k][c];  // a body may stand twice
  });
}

void PlanarSystem::mass(double, ConstVec, Terms& terms) const {
  double* values = terms.M.valuePtr();
  for (size_t i = 0; i < parts_.masses.size(); ++i) {
    values[3 * i] = values[3 * i + 1] = parts_.masses[i];
    values[3 * i + 2] = parts_.inertias[i];
  }
}

void PlanarSystem::bias(double t, ConstVec, ConstVec v, Terms& terms) const {
  PlanarScratch& scratch = scratch_of(terms);
  scratch.move(v);
  const PlanarView view = scratch.view(t);
  for_each_element(parts_.blocks,
                   [&](const auto& placed) { placed.block.gamma(view, terms.gamma.data() + placed.row); });
}

void PlanarSystem::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  PlanarScratch& scratch = scratch_of(terms);
  scratch.move(v);
  const PlanarView view = scratch.view(t);
  const size_t bodies = parts_.masses.size();
  for (size_t i = 0; i < bodies; ++i)
    scratch.resultants[i] = {parts_.masses[i] * parts_.gravity.x(), parts_.masses[i] * parts_.gravity.y(), 0};
  for_each_element(parts_.forces,
                   [&](const auto& element) { element.apply(view, scratch.resultants.data()); });
  for (size_t i = 0; i < bodies; ++i)
    std::copy(scratch.resultants[i].begin(), scratch.resultants[i].end(), terms.f.data() + 3 * i);
}

void PlanarSystem::magnitudes(ConstVec, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  for (Eigen::Index i = 0; i < v.size(); i += 3) {
    v_size[i] = v_size[i + 1] = std::hypot(v[i], v[i + 1]);
    v_size[i + 2] = std::abs(v[i + 2]);
  }
}

std::optional<double> PlanarSystem::potential_energy(double t, ConstVec q, Terms& terms) const {
  const PlanarView view = scratch_of(terms).view(t);
  double energy = 0;
  for (size_t i = 0; i < parts_.masses.size(); ++i)
    energy -= parts_.masses[i] * parts_.gravity.dot(q.segment<2>(3 * static_cast<Eigen::Index>(i)));
  for_each_element(parts_.forces, [&](const auto& element) { energy += element.potential(view); });
  return energy;
}

double PlanarSystem::applied_power(double t, ConstVec, ConstVec, Terms& terms) const {
  const PlanarView view = scratch_of(terms).view(t);
  double power = 0;
  for_each_element(parts_.forces, [&](const auto& element) { power += element.power(view); });
  return power;
}

void PlanarSystem::poses(double, ConstVec q, std::vector<Pose>& out) const {
  out.resize(parts_.body_names.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const double* body = q.data() + 3 * i;
    out[i].position = Vec3(body[0], body[1], 0);
    out[i].quaternion = Eigen::Vector4d(std::cos(body[2] / 2), 0, 0, std::sin(body[2] / 2));
  }
}

std::vector<std::string> PlanarSystem::quantity_names() const {
  std::vector<std::string> names;
  for (const auto& channel : parts_.channels) names.push_back(channel.name);
  return names;
}

std::vector<std::string> PlanarSystem::quantity_units() const {
  std::vector<std::string> units;
  for (const auto& channel : parts_.channels) units.push_back(channel.unit);
  return units;
}

void PlanarSystem::quantities(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out) const {
  PlanarScratch scratch(parts_.masses.size());
  scratch.place(q);
  scratch.move(v);
  measure_channels(parts_.channels, scratch.view(t), *this, q, v, reaction, out);
}

std::vector<std::string> PlanarSystem::joint_names() const {
  std::vector<std::string> names;
  for (const auto& joint : parts_.joints) names.push_back(joint.name);
  return names;
}

void PlanarSystem::joint_reactions(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, std::vector<JointReaction>& out) const {
  PlanarScratch scratch(parts_.masses.size());
  scratch.place(q);
  scratch.move(v);
  driftless::joint_reactions(parts_, scratch.view(t), reaction.lambda, out);
}

void joint_reactions(const PlanarParts& parts,
                     const PlanarView& view,
                     ConstVec lambda,
                     std::vector<JointReaction>& out) {
  out.assign(parts.joints.size(), {});
  for_each_element(parts.blocks, [&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    Gradient gradient[Block::rows][Block::bodies];
    placed.block.gradient(view, gradient);
    for (int r = 0; r < Block::rows; ++r) {
      const int joint = parts.joint_of_row[size_t(placed.row + r)];
      if (joint < 0) continue;
      JointReaction& own = out[size_t(joint)];
      for (size_t k = 0; k < Block::bodies; ++k) {
        if (placed.block.body()[k] != parts.joints[size_t(joint)].at.body) continue;
        const Gradient& of_body = gradient[r][k];
        own.force -= lambda[placed.row + r] * Vec3(of_body[0], of_body[1], 0);
        own.torque.z() -= lambda[placed.row + r] * of_body[2];
      }
    }
  });
  for (size_t j = 0; j < out.size(); ++j) {
    const PlanarJoint& joint = parts.joints[j];
    const auto arm = view.arm(joint.at);
    out[j].torque.z() -= arm.x * out[j].force.y() - arm.y * out[j].force.x();
    const double angle = view.frames[joint.axes_body].theta + joint.axes_angle;
    const double c = std::cos(angle), s = std::sin(angle);
    out[j].force_joint =
        Vec3(c * out[j].force.x() + s * out[j].force.y(), -s * out[j].force.x() + c * out[j].force.y(), 0);
    out[j].torque_joint = out[j].torque;
  }
}

std::vector<double> PlanarSystem::break_times(double t0, double t1) const {
  std::vector<double> times;
  const auto collect = [&](const auto& f) {
    const auto own = f.break_times(t0, t1);
    times.insert(times.end(), own.begin(), own.end());
  };
  for_each_element(parts_.forces, [&](const auto& element) { element.functions(collect); });
  for_each_element(parts_.blocks, [&](const auto& placed) { placed.block.functions(collect); });
  return merged_times(std::move(times));
}

}  // namespace driftless
