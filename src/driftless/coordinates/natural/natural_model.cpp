// Models in natural coordinates; see natural_basis.hpp, natural_system.hpp. Forces and outputs see frames and twists of the
// bodies. With the directions e_k of a body and their velocities
//   space   R = (e_1, e_2, e_3),   ω = ½ Σ e_k × ė_k                                                                  (1)
//   plane   θ = atan2(e_y, e_x),   ω = e⊥·ė / e·e            e = e_1                                                  (2)
// What counts whole turns in the plane (gears, racks, torsion springs, bushings) has θ of its bodies as a scalar.
#include <algorithm>
#include <cmath>

#include "driftless/coordinates/absolute/absolute_system.hpp"
#include "driftless/coordinates/mechanism/parts_system.hpp"
#include "driftless/coordinates/mechanism/reaction_recovery.hpp"
#include "driftless/coordinates/mechanism/switching_parts.hpp"
#include "driftless/coordinates/natural/natural_system.hpp"
#include "driftless/coordinates/natural/natural_tangents.hpp"
#include "driftless/coordinates/natural/node_turning.hpp"
#include "driftless/math/linear/dense.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {
namespace {

// With the rotation nearest to the axes, which are orthonormal to within the drift of a run.
Pose pose_of(const FrameOf<double, 2>& frame) {
  return {Vec3(frame.r.x(), frame.r.y(), 0),
          Eigen::Vector4d(std::cos(frame.theta / 2), 0, 0, std::sin(frame.theta / 2))};
}
Pose pose_of(const FrameOf<double, 3>& frame) {
  return {frame.r, quaternion_of_matrix(nearest_orthogonal(frame.R))};
}

template <int D>
class NaturalSystem final : public PartsSystem<D>,
                            public TurningVectors,
                            public SwitchesOf<NaturalSystem<D>, D> {
 public:
  NaturalSystem(Parts<D> parts, NaturalMap<D> map, std::shared_ptr<const ReactionRecovery> reactions)
      : PartsSystem<D>(map.layout(), std::move(parts), false),
        map_(std::move(map)),
        reactions_(std::move(reactions)),
        switched_(static_cast<int>(parts_.switches.size())) {
    check_layout(layout_);
    if constexpr (D == 2) {
      theta_of_.assign(parts_.bodies(), -1);
      for (size_t k = 0; k < parts_.scalars.size(); ++k)
        theta_of_[size_t(parts_.scalars[k].b.origin.body)] = static_cast<int>(k);
    } else {
      turning_.emplace(map_.basis(), map_.bodies());
    }
  }

  void position(double t, ConstVec q, Terms& terms) const override {
    Work& work = work_of(terms);
    place(q, work);
    map_.position(t, q, work.nodes, terms);
    silence_positions(terms);
  }
  void mass(double, ConstVec, Terms& terms) const override { map_.mass(terms); }
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override {
    map_.bias(t, q, v, work_of(terms).nodes, terms);
    silence_biases(terms);
  }
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;

  Tangents make_tangents(const TangentParts& parts) const override;
  void tangents(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out)
      const override;
  bool fills_tangents() const override { return true; }

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override {
    map_.magnitudes(q, v, q_size, v_size);
  }
  bool has_body_rates() const override { return turning_.has_value(); }
  void put_in_shape(VecRef q) const override { turning_->put_in_shape(q); }
  void to_space(ConstVec q, ConstVec u, VecRef v) const override { turning_->to_space(q, u, v); }
  void to_body(ConstVec q, ConstVec v, VecRef u) const override { turning_->to_body(q, v, u); }
  void to_body_acceleration(ConstVec q, ConstVec qdot, ConstVec v, VecRef a) const override {
    turning_->to_body_acceleration(q, qdot, v, a);
  }
  bool has_turning_tangents() const override { return turning_ && turning_->is_sparse(); }
  void turning_tangents(
      ConstVec q, ConstVec v, ConstVec u, ConstVec u_dot, TurningTangents& out) const override {
    turning_->tangents(q, v, u, u_dot, out);
  }
  void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  const SwitchedRows& switched() const { return switched_; }
  std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const {
    auto copy = std::make_unique<NaturalSystem>(*this);
    copy->mode_ = copy->parts_.run_mode = &mode;
    copy->reactions_ = reactions_->in_mode(mode);
    return copy;
  }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(make_work()); }
  WorkOf<D>& bodies_in(Terms& terms) const override { return work_of(terms).bodies; }
  void place_bodies(ConstVec q, Terms& terms) const override { place(q, work_of(terms)); }
  void move_bodies(ConstVec, ConstVec v, Terms& terms) const override { move(v, work_of(terms)); }
  void accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const override;

 private:
  using PartsSystem<D>::layout_;
  using PartsSystem<D>::parts_;
  struct Work final : Scratch {
    Work(WorkOf<D>&& b, NaturalWork<D>&& n) : bodies(std::move(b)), nodes(std::move(n)) {}
    WorkOf<D> bodies;
    NaturalWork<D> nodes;
    std::unique_ptr<ReactionRecovery::Work> recovery;  // made when reactions are first asked for
  };
  static Work& work_of(Terms& terms) { return static_cast<Work&>(*terms.scratch); }
  Work make_work() const { return {parts_.make_work(), map_.make_work()}; }

  void place(ConstVec q, Work& work) const;
  void move(ConstVec v, Work& work) const;

  using V = VecOf<double, D>;
  NaturalMap<D> map_;
  std::vector<int> theta_of_;           // plane: per body, the scalar that counts its turns; −1: none
  std::optional<NodeTurning> turning_;  // space
  std::shared_ptr<const ReactionRecovery> reactions_;
  SwitchedRows switched_;  // none: CoordinatesRecord::has_switched_rows
};

template <int D>
void NaturalSystem<D>::place(ConstVec q, Work& work) const {
  map_.place(q, work.nodes);
  std::copy_n(map_.scalars(q), work.bodies.s.size(), work.bodies.s.data());
  for (int i = 0; i < map_.bodies(); ++i) {
    const V* x = work.nodes.x.data() + map_.center(i);
    FrameOf<double, D>& frame = work.bodies.frames[size_t(i)];
    if constexpr (D == 2) {  // (2)
      const int counted = theta_of_[size_t(i)];
      const double theta = counted < 0 ? std::atan2(x[1].y(), x[1].x()) : work.bodies.s[size_t(counted)];
      frame = {x[0], theta, x[1].x(), x[1].y()};
    } else {  // (1)
      frame.r = x[0];
      for (int k = 0; k < 3; ++k) frame.R.col(k) = x[1 + k];
    }
  }
}

template <int D>
void NaturalSystem<D>::move(ConstVec v, Work& work) const {
  map_.move_bodies(v, work.nodes);
  for (int i = 0; i < map_.bodies(); ++i) {
    const V *x = work.nodes.x.data() + map_.center(i), *xdot = work.nodes.xdot.data() + map_.center(i);
    TwistOf<double, D>& twist = work.bodies.twists[size_t(i)];
    twist.r = xdot[0];
    if constexpr (D == 2)
      twist.omega = moment_of(x[1], xdot[1]) / x[1].squaredNorm();  // (2)
    else
      twist.omega = 0.5 * (x[1].cross(xdot[1]) + x[2].cross(xdot[2]) + x[3].cross(xdot[3]));  // (1)
  }
  std::copy_n(map_.scalars(v), work.bodies.sdot.size(), work.bodies.sdot.data());
}

template <int D>
void NaturalSystem<D>::force(double t, ConstVec, ConstVec v, Terms& terms) const {
  Work& work = work_of(terms);
  move(v, work);
  parts_.apply_forces(t, work.bodies);
  terms.f.setZero();
  for (int i = 0; i < map_.bodies(); ++i) {  // (4) of natural_system.hpp
    const WrenchOf<double, D>& wrench = work.bodies.wrenches[size_t(i)];
    const size_t c = map_.center(i);
    map_.push(c, wrench.force, terms.f);
    if (spin_dot(wrench.moment, wrench.moment) == 0) continue;
    if constexpr (D == 2) {
      const Vec2& e = work.nodes.x[c + 1];
      map_.push(c + 1, swing(wrench.moment / e.squaredNorm(), e), terms.f);
    } else {
      for (size_t k = 1; k <= 3; ++k)
        map_.push(c + k, 0.5 * wrench.moment.cross(work.nodes.x[c + k]), terms.f);
    }
  }
  const Eigen::Index scalars = map_.nodes() * D;
  for (size_t k = 0; k < work.bodies.loads.size(); ++k)
    terms.f[scalars + static_cast<Eigen::Index>(k)] = work.bodies.loads[k];
}

template <int D>
Tangents NaturalSystem<D>::make_tangents(const TangentParts& parts) const {
  Tangents out;
  out.parts = parts;
  for (SparseRows* matrix : {&out.K, &out.C}) matrix->resize(layout_.nv, layout_.nv);
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v}) matrix->resize(layout_.m, layout_.nv);
  out.work = std::make_unique<NaturalTangents<D>>(parts_, map_, theta_of_, out);
  return out;
}

template <int D>
void NaturalSystem<D>::tangents(
    double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const {
  Work& work = work_of(terms);
  position(t, q, terms);
  mass(t, q, terms);
  map_.move_rows(v, work.nodes);
  move(v, work);
  static_cast<NaturalTangents<D>&>(*out.work).fill(t, q, v, a, lambda, work.bodies, work.nodes, out);
}

template <int D>
void NaturalSystem<D>::observe_poses(double, ConstVec, Terms& terms, std::vector<Pose>& out) const {
  const Work& work = work_of(terms);
  out.resize(parts_.bodies());
  for (size_t i = 0; i < out.size(); ++i) out[i] = pose_of(work.bodies.frames[i]);
}

// Linear in q̈: ω̇ = ½ Σ x × ẍ as ω = ½ Σ x × ẋ, for ẋ × ẋ = 0.
template <int D>
void NaturalSystem<D>::accelerate_bodies(ConstVec, ConstVec v, ConstVec vdot, Terms& terms) const {
  Work& work = work_of(terms);
  move(vdot, work);
  work.bodies.accelerations = work.bodies.twists;
  move(v, work);
}

template <int D>
void NaturalSystem<D>::observe_reactions(
    double t, ConstVec, ConstVec v, const Reaction&, Terms& terms, std::vector<JointReaction>& out) const {
  Work& work = work_of(terms);
  move(v, work);
  if (!work.recovery) work.recovery = reactions_->make_work();
  State& state = work.recovery->at;
  state.t = t;
  for (size_t i = 0; i < parts_.bodies(); ++i) {
    FrameOf<double, D> frame = work.bodies.frames[i];
    if constexpr (D == 3) frame.R = rotation_matrix<double>(pose_of(frame).quaternion);
    write_body<D>(i, frame, work.bodies.twists[i], state);
  }
  if constexpr (D == 3) {
    const auto scalars = static_cast<Eigen::Index>(parts_.scalars.size());
    state.q.tail(scalars) = Eigen::Map<const Vec>(work.bodies.s.data(), scalars);
    state.v.tail(scalars) = Eigen::Map<const Vec>(work.bodies.sdot.data(), scalars);
  }
  reactions_->reactions(*work.recovery, out);
}

// P of (3) of natural_system.hpp.
double second_moments(const Body& body, std::integral_constant<int, 2>) { return body.inertia; }
Mat3 second_moments(const Body& body, std::integral_constant<int, 3>) {
  const Mat3& inertia = body.inertia_tensor;
  // Of a flat body the third moment is zero: what round-off leaves of it must not pass for mass.
  const Mat3 second = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  return (second.array().abs() <= 1e-14 * inertia.trace()).select(0.0, second.array());
}

template <int D>
NaturalParts<D> natural_parts(const Model& model, const Parts<D>& parts) {
  NaturalParts<D> out;
  out.bodies.names = parts.body_names;
  out.bodies.length = parts.length;
  for (const auto& frame : parts.start) {
    auto& attitude = out.bodies.attitudes.emplace_back();
    for (int k = 0; k < D; ++k) attitude.col(k) = frame.turn(VecOf<double, D>::Unit(k));
  }
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    for (const auto& point : body.points)
      out.bodies.named.push_back(
          {point.name,
           {MarkerKind::point, static_cast<int>(i), (point.at - body.center_of_mass).template head<D>()}});
    if constexpr (D == 3)
      for (const auto& axis : body.axes)
        out.bodies.named.push_back(
            {axis.name, {MarkerKind::direction, static_cast<int>(i), axis.at.normalized()}});
    out.second_moments.emplace_back(second_moments(body, std::integral_constant<int, D>()));
  }
  out.masses = parts.masses;
  out.markers = parts.markers;
  out.rows = parts.rows;
  for (const Element& joint : model.joints) out.joints.insert(joint.name);
  for (const ScalarOf<D>& scalar : parts.scalars) {
    const bool is_length = scalar.kind != ScalarOf<D>::Kind::angle;
    out.scalars.push_back({scalar.name, is_length ? "m" : "rad", is_length ? parts.length : 1.0});
  }
  return out;
}

// Nodes and scalars of a state in reference-point coordinates (absolute_system.hpp).
template <int D>
State read_off(const NaturalMap<D>& map,
               const std::vector<ScalarOf<D>>& scalars,
               const std::vector<std::string>& names,
               const State& reference,
               const std::string& source) {
  using V = VecOf<double, D>;
  std::vector<FrameOf<double, D>> frames(names.size() + 1);
  std::vector<TwistOf<double, D>> twists(names.size() + 1);
  read_bodies<D>(reference, frames, twists);
  const Eigen::Index n = D * map.nodes(), count = static_cast<Eigen::Index>(scalars.size());
  State state{reference.t, Vec(n + count), Vec(n + count)};
  for (int k = 0; k < map.nodes(); ++k) {
    const auto& [kind, body, at] = map.basis().nodes()[size_t(k)].marker;
    const V arm = frames[size_t(body)].turn(at), swung = swing(twists[size_t(body)].omega, arm);
    const bool is_point = kind == MarkerKind::point;
    state.q.template segment<D>(D * k) = is_point ? V(frames[size_t(body)].r + arm) : arm;
    state.v.template segment<D>(D * k) = is_point ? V(twists[size_t(body)].r + swung) : swung;
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    if constexpr (D == 2) {
      const auto body = size_t(scalars[size_t(k)].b.origin.body);
      state.q[n + k] = frames[body].theta;
      state.v[n + k] = twists[body].omega;
    } else {
      state.q[n + k] = reference.q[reference.q.size() - count + k];
      state.v[n + k] = reference.v[reference.v.size() - count + k];
    }
  }
  std::vector<NaturalFrame<D>> bodies(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    bodies[i].center = frames[i].r;
    for (int k = 0; k < D; ++k) bodies[i].axes.col(k) = frames[i].turn(V::Unit(k));
  }
  check_natural_start(map, state.q, bodies, names, source);
  return state;
}

}  // namespace

template <int D>
CompiledModel compile_natural(const Model& model, const std::string& source) {
  CompiledModel compiled;
  compiled.reference = std::make_unique<CompiledModel>(compile_reference<D>(model, source));
  Parts<D> parts = expand_model<D>(model, source);
  const NaturalMap<D> map(natural_parts<D>(model, parts));
  check_natural_size(map.layout(), source);
  compiled.from_reference = [map, scalars = parts.scalars, names = parts.body_names,
                             source](const State& state) {
    return read_off<D>(map, scalars, names, state, source);
  };
  compiled.system = std::make_unique<NaturalSystem<D>>(
      std::move(parts), map, std::make_unique<ReactionRecovery>(compile_reference<D>(model, source).system));
  return compiled;
}
template CompiledModel compile_natural<2>(const Model&, const std::string&);
template CompiledModel compile_natural<3>(const Model&, const std::string&);

}  // namespace driftless
