// Spatial models in natural coordinates: a point and three vectors a body; see natural_basis.hpp, natural_system.hpp. Forces
// and outputs see frames and twists of the bodies. With the directions e_k of a body and their velocities
//   R = (e_1, e_2, e_3),   ω = ½ Σ e_k × ė_k                                                                          (1)
#include "driftless/coordinates/natural_system.hpp"
#include "driftless/coordinates/reaction_recovery.hpp"
#include "driftless/coordinates/spatial_parts.hpp"
#include "driftless/math/dense.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {
namespace {

// With the rotation nearest to the axes, which are orthonormal to within the drift of a run.
Pose pose_of(const SpatialFrame<double>& frame) {
  return {frame.r, quaternion_of_matrix(nearest_orthogonal(frame.R))};
}

class NaturalSpatial final : public ObservableSystem, public Probed, public TurningVectors {
 public:
  NaturalSpatial(SpatialParts parts, NaturalMap<3> map, std::unique_ptr<ReactionRecovery> reactions)
      : ObservableSystem(map.layout()),
        parts_(std::move(parts)),
        map_(std::move(map)),
        reactions_(std::move(reactions)),
        exchanges_energy_(parts_.exchanges_energy()) {
    check_layout(layout_);
  }

  void position(double t, ConstVec q, Terms& terms) const override {
    Work& work = work_of(terms);
    place(q, work);
    map_.position(t, q, work.nodes, terms);
  }
  void mass(double, ConstVec, Terms& terms) const override { map_.mass(terms); }
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    map_.bias(t, q, v, work_of(terms).nodes, terms);
  }
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override {
    map_.magnitudes(q, v, q_size, v_size);
  }
  std::optional<double> potential_energy(double t, ConstVec, Terms& terms) const override {
    return parts_.potential(t, work_of(terms).bodies);
  }
  double applied_power(double t, ConstVec, ConstVec, Terms& terms) const override {
    return parts_.power(t, work_of(terms).bodies);
  }
  bool exchanges_energy() const override { return exchanges_energy_; }
  std::vector<std::string> body_names() const override { return parts_.body_names; }
  void observe_poses(ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  std::vector<std::string> quantity_names() const override { return parts_.channel_names(); }
  std::vector<std::string> quantity_units() const override { return parts_.channel_units(); }
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  std::vector<int> wrapped_quantities() const override { return wrapped_channels(parts_.channels); }
  void wrapped_values(
      double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const override;
  std::vector<std::string> joint_names() const override { return reactions_->joint_names(); }
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<double> break_times(double t0, double t1) const override { return parts_.break_times(t0, t1); }
  std::vector<Probe> probes() const override { return parts_.probes(); }
  void probe_places(ConstVec q, Terms& terms, VecRef x) const override {
    place(q, work_of(terms));
    parts_.probe_places(work_of(terms).bodies, x);
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(make_work()); }

 private:
  struct Work final : Scratch {
    Work(SpatialWork&& b, NaturalWork<3>&& n) : bodies(std::move(b)), nodes(std::move(n)) {}
    SpatialWork bodies;
    NaturalWork<3> nodes;
    std::unique_ptr<ReactionRecovery::Work> recovery;  // made when reactions are first asked for
  };
  static Work& work_of(Terms& terms) { return static_cast<Work&>(*terms.scratch); }
  Work make_work() const { return {parts_.make_work(), map_.make_work()}; }

  void place(ConstVec q, Work& work) const;
  void move(ConstVec v, Work& work) const;

  SpatialParts parts_;
  NaturalMap<3> map_;
  std::unique_ptr<ReactionRecovery> reactions_;
  bool exchanges_energy_ = false;
};

void NaturalSpatial::place(ConstVec q, Work& work) const {
  map_.place(q, work.nodes);
  for (int i = 0; i < map_.bodies(); ++i) {
    const Vec3* x = work.nodes.x.data() + map_.center(i);
    SpatialFrame<double>& frame = work.bodies.frames[size_t(i)];
    frame.r = x[0];
    for (int k = 0; k < 3; ++k) frame.R.col(k) = x[1 + k];  // (1)
  }
  std::copy_n(map_.scalars(q), work.bodies.s.size(), work.bodies.s.data());
}

void NaturalSpatial::move(ConstVec v, Work& work) const {
  map_.move_bodies(v, work.nodes);
  for (int i = 0; i < map_.bodies(); ++i) {
    const Vec3 *x = work.nodes.x.data() + map_.center(i), *xdot = work.nodes.xdot.data() + map_.center(i);
    Twist& twist = work.bodies.twists[size_t(i)];
    twist.r = xdot[0];
    twist.omega = 0.5 * (x[1].cross(xdot[1]) + x[2].cross(xdot[2]) + x[3].cross(xdot[3]));  // (1)
  }
  std::copy_n(map_.scalars(v), work.bodies.sdot.size(), work.bodies.sdot.data());
}

void NaturalSpatial::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = work_of(terms);
  move(v, work);
  parts_.apply_forces(t, work.bodies);
  terms.f.setZero();
  for (int i = 0; i < map_.bodies(); ++i) {
    const Wrench& wrench = work.bodies.wrenches[size_t(i)];
    const size_t c = map_.center(i);
    map_.push(c, wrench.force, terms.f);
    if (wrench.moment.isZero(0)) continue;
    for (size_t k = 1; k <= 3; ++k) map_.push(c + k, 0.5 * wrench.moment.cross(work.nodes.x[c + k]), terms.f);
  }
  const Eigen::Index scalars = map_.nodes() * 3;
  for (size_t k = 0; k < work.bodies.loads.size(); ++k)
    terms.f[scalars + static_cast<Eigen::Index>(k)] = work.bodies.loads[k];
}

void NaturalSpatial::observe_poses(ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const Work& work = work_of(terms);
  out.resize(parts_.bodies());
  for (size_t i = 0; i < out.size(); ++i) out[i] = pose_of(work.bodies.frames[i]);
}

void NaturalSpatial::observe_quantities(
    double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const {
  Work& work = work_of(terms);
  move(v, work);
  parts_.measure(*this, t, q, v, reaction, terms, work.bodies, out);
}

void NaturalSpatial::wrapped_values(
    double t, ConstVec, ConstVec v, Terms& terms, VecRef value, VecRef rate) const {
  Work& work = static_cast<Work&>(*terms.scratch);
  move(v, work);
  measure_wrapped(parts_.channels, work.bodies.view(t), value, rate);
}

void NaturalSpatial::observe_reactions(
    double t, ConstVec, ConstVec v, const Reaction&, Terms& terms, std::vector<JointReaction>& out) const {
  Work& work = work_of(terms);
  move(v, work);
  if (!work.recovery) work.recovery = reactions_->make_work();
  const auto bodies = static_cast<Eigen::Index>(parts_.bodies());
  const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
  State& state = work.recovery->at;
  state.t = t;
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const Pose pose = pose_of(work.bodies.frames[size_t(i)]);
    const Twist& twist = work.bodies.twists[size_t(i)];
    state.q.segment<7>(7 * i) << pose.position, pose.quaternion;
    state.v.segment<3>(6 * i) = twist.r;
    state.v.segment<3>(6 * i + 3) = rotation_matrix<double>(pose.quaternion).transpose() * twist.omega;
  }
  for (Eigen::Index k = 0; k < scalars; ++k) {
    state.q[7 * bodies + k] = work.bodies.s[size_t(k)];
    state.v[6 * bodies + k] = work.bodies.sdot[size_t(k)];
  }
  reactions_->reactions(*work.recovery, out);
}

NaturalParts<3> natural_parts(const Model& model, const SpatialParts& parts) {
  NaturalParts<3> out;
  out.bodies.names = parts.body_names;
  out.bodies.length = parts.length;
  for (const auto& frame : parts.start) out.bodies.attitudes.push_back(frame.R);
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    for (const auto& point : body.points)
      out.bodies.named.push_back(
          {point.name, {MarkerKind::point, static_cast<int>(i), point.at - body.center_of_mass}});
    for (const auto& axis : body.axes)
      out.bodies.named.push_back(
          {axis.name, {MarkerKind::direction, static_cast<int>(i), axis.at.normalized()}});
    const Mat3& inertia = body.inertia_tensor;
    // Of a flat body the third moment is zero: what round-off leaves of it must not pass for mass.
    Mat3 second = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
    second = (second.array().abs() <= 1e-14 * inertia.trace()).select(0.0, second.array());
    out.second_moments.push_back(second);
  }
  out.masses = parts.masses;
  out.markers = parts.markers;
  out.rows = parts.rows;
  for (const Element& joint : model.joints) out.joints.insert(joint.name);
  for (const Scalar& scalar : parts.scalars) {
    const bool is_length = scalar.kind != Scalar::Kind::angle;
    out.scalars.push_back({scalar.name, is_length ? "m" : "rad", is_length ? parts.length : 1.0});
  }
  return out;
}

// Nodes and scalars of a state in reference-point coordinates (absolute_system.hpp).
State read_off(const NaturalMap<3>& map,
               const std::vector<std::string>& names,
               const State& reference,
               const std::string& source) {
  const auto bodies = static_cast<Eigen::Index>(names.size());
  const Eigen::Index n = 3 * map.nodes(), scalars = reference.q.size() - 7 * bodies;
  std::vector<NaturalFrame<3>> frames;
  for (Eigen::Index i = 0; i < bodies; ++i)
    frames.push_back(
        {reference.q.segment<3>(7 * i), rotation_matrix<double>(Quat(reference.q.segment<4>(7 * i + 3)))});
  State state{reference.t, Vec(n + scalars), Vec(n + scalars)};
  for (int k = 0; k < map.nodes(); ++k) {
    const auto& [kind, body, at] = map.basis().nodes()[size_t(k)].marker;
    const NaturalFrame<3>& frame = frames[size_t(body)];
    const Vec3 arm = frame.axes * at, omega = frame.axes * reference.v.segment<3>(6 * body + 3);
    const bool is_point = kind == MarkerKind::point;
    state.q.segment<3>(3 * k) = is_point ? Vec3(frame.center + arm) : arm;
    state.v.segment<3>(3 * k) = omega.cross(arm);
    if (is_point) state.v.segment<3>(3 * k) += reference.v.segment<3>(6 * body);
  }
  state.q.tail(scalars) = reference.q.tail(scalars);
  state.v.tail(scalars) = reference.v.tail(scalars);
  check_natural_start(map, state.q, frames, names, source);
  return state;
}

}  // namespace

CompiledModel compile_natural_spatial(const Model& model, const std::string& source) {
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile(model, "reference-point", source));
  SpatialParts parts = expand_spatial_model(model, source);
  const NaturalMap<3> map(natural_parts(model, parts));
  check_natural_size(map.layout(), source);
  compiled.from_reference = [map, names = parts.body_names, source](const State& state) {
    return read_off(map, names, state, source);
  };
  compiled.system = std::make_unique<NaturalSpatial>(
      std::move(parts), map,
      std::make_unique<ReactionRecovery>(compile(model, "reference-point", source).system));
  return compiled;
}

}  // namespace driftless
