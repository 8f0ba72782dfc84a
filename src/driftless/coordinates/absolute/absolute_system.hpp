// Models in absolute coordinates: the centre of mass r and the attitude of every body. What the attitude is, and how it moves,
// is the policy `Attitude`:
//   reference-point     plane   q = (r, θ)   v = (ṙ, θ̇)        M = diag(m, m, I) constant, no velocity terms in f       (0)
//                       space   q = (r, p)   v = (ṙ, ω_body)   M = diag(m, I) constant, f_rot = τ_body − ω × I ω        (1)
//   euler-parameters    space   q = (r, p)   v = (ṙ, ṗ)        M = diag(m, Bᵀ I B), B = 2 L/|p|², a row |p|² = 1 a body  (2)
// p: quaternions. Scalars are massless coordinates after the bodies; in the plane they are the angles of bodies themselves.
// With n = ∂g/∂x of a marker at the arm a (a direction u: a = u, no translation) the rows are
//   J_r = nᵀ,   J_rot = (Rᵀ (a × n))ᵀ · ∂ω_body/∂v          plane: a × n                                                (3)
//   γ = −Σ n·b − c,   b = ω × (ω × a) + (R β) × a,   β = ω̇_body for v̇ = 0 (zero but in (2))                             (4)
// The error of a body's place is measured against the characteristic length and its velocity by its speed, never by
// single coordinates: moving or turning the whole mechanism changes nothing but round-off.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "driftless/constraints/plane_attitude.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/mechanism/parts_system.hpp"
#include "driftless/coordinates/mechanism/switching_parts.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {

// θ counts turns.
struct PlaneAngle {
  static constexpr int dimension = 2, positions = 1, width = 1;
  static constexpr bool vector_space = true, normalisation_row = false, counts_turns = true;
  static constexpr const char* q_names[] = {".theta"};
  static constexpr const char* q_unit = "rad";
  static constexpr const char* v_names[] = {".omega"};
  static constexpr const char* v_unit = "rad/s";
  using Frame = FrameOf<double, 2>;

  static void place(const double* q, Frame& frame) {
    frame.r[0] = q[0];
    frame.r[1] = q[1];
    set_attitude(q[2], frame);
  }
  static double omega(const Frame&, const double*, const double* v) { return *v; }
  [[gnu::always_inline]] static void add_gradient(
      const Frame&, const double*, const Vec2&, const Vec2& arm, const Vec2& n, double* out) {
    *out += moment_of<double>(arm, n);
  }
  // The same for n = s e_k.
  [[gnu::always_inline]] static void add_gradient(
      const Frame&, const double*, const Vec2&, const Vec2& arm, int k, double s, double* out) {
    *out += k == 0 ? -s * arm[1] : s * arm[0];
  }
  static void mass(const double*, double inertia, double* rows[1]) { rows[0][0] = inertia; }
  static void force(const Frame&, const double*, const double*, double, double, double moment, double* f) {
    *f = moment;
  }
  static void start(const Frame& frame, double omega, double* p, double* v) {
    *p = frame.theta;
    *v = omega;
  }
  static Pose pose(const double* q) {
    return {Vec3(q[0], q[1], 0), Eigen::Vector4d(std::cos(q[2] / 2), 0, 0, std::sin(q[2] / 2))};
  }
};

// What the two policies with quaternions share.
struct QuaternionAttitude {
  static constexpr int dimension = 3, positions = 4;
  static constexpr bool counts_turns = false;
  static constexpr const char* q_names[] = {".e0", ".e1", ".e2", ".e3"};
  static constexpr const char* q_unit = "";
  using Frame = FrameOf<double, 3>;

  static Quat own(const double* p) { return Eigen::Map<const Quat>(p); }
  static void place(const double* q, Frame& frame) {
    frame.r = Eigen::Map<const Vec3>(q);
    frame.R = rotation_matrix<double>(own(q + 3));
  }
  static Pose pose(const double* q) { return {Eigen::Map<const Vec3>(q), own(q + 3).normalized()}; }
};

// ω_body is the velocity coordinate itself.
struct BodyRates : QuaternionAttitude {
  static constexpr int width = 3;
  static constexpr bool vector_space = false, normalisation_row = false;
  static constexpr const char* v_names[] = {".wx", ".wy", ".wz"};
  static constexpr const char* v_unit = "rad/s (body axes)";

  static Vec3 omega(const Frame& frame, const double*, const double* v) { return times(frame.R, v); }
  [[gnu::always_inline]] static void add_gradient(
      const Frame& frame, const double*, const Vec3& at, const Vec3&, const Vec3& n, double* out) {
    const Vec3 moment = at.cross(transposed_times(frame.R, n));
    for (int i = 0; i < 3; ++i) out[i] += moment[i];
  }
  [[gnu::always_inline]] static void add_gradient(
      const Frame& frame, const double*, const Vec3& at, const Vec3&, int k, double s, double* out) {
    const Vec3 moment = at.cross(Vec3(s * frame.R(k, 0), s * frame.R(k, 1), s * frame.R(k, 2)));
    for (int i = 0; i < 3; ++i) out[i] += moment[i];
  }
  static void mass(const double*, const Mat3& inertia, double* rows[3]) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rows[i][j] = inertia(i, j);
  }
  static void force(const Frame& frame,
                    const double*,
                    const double*,
                    const Vec3& omega,
                    const Mat3& inertia,
                    const Vec3& moment,
                    double* f) {
    const Vec3 w = transposed_times(frame.R, omega);
    const Vec3 sum = transposed_times(frame.R, moment) - w.cross(times(inertia, w));
    for (int i = 0; i < 3; ++i) f[i] = sum[i];
  }
  static void rate(const double* p, const double* v, double* p_dot) {
    Eigen::Map<Quat>{p_dot} = 0.5 * body_rate_matrix(own(p)).transpose() * Eigen::Map<const Vec3>(v);
  }
  static void start(const Frame& frame, const Vec3& omega, double* p, double* v) {
    Eigen::Map<Quat>{p} = quaternion_of_matrix(frame.R);
    Eigen::Map<Vec3>{v} = frame.R.transpose() * omega;
  }
};

// The quaternion's derivative is the velocity coordinate. B p = 0, so Bᵀ I B alone is singular along p; the rows |p|² = 1
// keep p·ṗ = 0, so an inertia κ for that direction, with its velocity term, changes no motion and makes M regular:
//   M_p = Bᵀ I B + κ p pᵀ,   f_p = Bᵀ (τ − ω × I ω − I β) − κ |ṗ|² p,   β = −2 (p·ṗ)/|p|² ω,   κ = 4/3 tr I            (5)
// Haug, Computer Aided Kinematics and Dynamics, (11.3.1)–(11.3.4); Negrut, Haug & German 2003, section 2
struct QuaternionRates : QuaternionAttitude {
  static constexpr int width = 4;
  static constexpr bool vector_space = true, normalisation_row = true;
  static constexpr const char* v_names[] = {".e0_rate", ".e1_rate", ".e2_rate", ".e3_rate"};
  static constexpr const char* v_unit = "1/s";
  using B = Eigen::Matrix<double, 3, 4>;

  static B rates(const Quat& p) { return body_rate_matrix(p) * (2 / p.squaredNorm()); }
  static double kappa(const Mat3& inertia) { return 4.0 / 3.0 * inertia.trace(); }

  static Vec3 omega(const Frame& frame, const double* p, const double* v) {
    return frame.R * (rates(own(p)) * own(v));
  }
  static Vec3 bias_body(const double* p, const double* v, const Vec3& omega) {
    return -2 * own(p).dot(own(v)) / own(p).squaredNorm() * omega;
  }
  [[gnu::always_inline]] static void add_gradient(
      const Frame& frame, const double* p, const Vec3& at, const Vec3&, const Vec3& n, double* out) {
    add_moment(p, at.cross(transposed_times(frame.R, n)), out);
  }
  [[gnu::always_inline]] static void add_gradient(
      const Frame& frame, const double* p, const Vec3& at, const Vec3&, int k, double s, double* out) {
    add_moment(p, at.cross(Vec3(s * frame.R(k, 0), s * frame.R(k, 1), s * frame.R(k, 2))), out);
  }
  // out += Bᵀ τ, by components (rotation.hpp)
  [[gnu::always_inline]] static void add_moment(const double* p, const Vec3& tau, double* out) {
    const double k = 2 / own(p).squaredNorm(), x = k * tau[0], y = k * tau[1], z = k * tau[2];
    out[0] -= p[1] * x + p[2] * y + p[3] * z;
    out[1] += p[0] * x - p[3] * y + p[2] * z;
    out[2] += p[3] * x + p[0] * y - p[1] * z;
    out[3] += p[1] * y - p[2] * x + p[0] * z;
  }
  static void mass(const double* p, const Mat3& inertia, double* rows[4]) {
    const B b = rates(own(p));
    const Eigen::Matrix4d M = b.transpose() * inertia * b + kappa(inertia) * own(p) * own(p).transpose();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) rows[i][j] = M(i, j);
  }
  static void force(const Frame& frame,
                    const double* p,
                    const double* v,
                    const Vec3& omega,
                    const Mat3& inertia,
                    const Vec3& moment,
                    double* f) {
    const Vec3 w = frame.R.transpose() * omega, tau = frame.R.transpose() * moment;
    const Vec3 beta = bias_body(p, v, w);
    Eigen::Map<Quat>{f} = rates(own(p)).transpose() * (tau - w.cross(inertia * w) - inertia * beta) -
                          kappa(inertia) * own(v).squaredNorm() * own(p);
  }
  static void rate(const double*, const double* v, double* p_dot) { Eigen::Map<Quat>{p_dot} = own(v); }
  // ṗ = p u₀ + Lᵀ(u₁, u₂, u₃), linear in p as in u: u₀ = 0 and half of ω_body on the row |p|² = 1.                        (6)
  static Quat to_space(const Quat& p, const Quat& u) {
    return p * u[0] + body_rate_matrix(p).transpose() * u.tail<3>();
  }
  static Quat to_body(const Quat& p, const Quat& v) {
    Quat u;
    u << p.dot(v), body_rate_matrix(p) * v;
    return u / p.squaredNorm();
  }
  static Quat rate_of(const Quat& p, const Vec3& omega_body) {
    return 0.5 * body_rate_matrix(p).transpose() * omega_body;
  }
  static void start(const Frame& frame, const Vec3& omega, double* p, double* v) {
    Eigen::Map<Quat>{p} = quaternion_of_matrix(frame.R);
    Eigen::Map<Quat>{v} = rate_of(own(p), frame.R.transpose() * omega);
  }
};

template <class Attitude>
class AbsoluteSystem final : public PartsSystem<Attitude::dimension>,
                             public TurningVectors,
                             public SwitchesOf<AbsoluteSystem<Attitude>, Attitude::dimension> {
 public:
  static constexpr int D = Attitude::dimension;
  explicit AbsoluteSystem(Parts<D> parts);

  State start() const;  // the state the file asks for, not yet assembled

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void evaluate(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override;
  void retract(VecRef q, ConstVec delta) const override;
  void difference(ConstVec from, ConstVec to, VecRef delta) const override;
  void normalize(VecRef q) const override;
  Tangents make_tangents(const TangentParts& parts) const override;  // absolute_tangents.cpp
  void tangents(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out)
      const override;
  bool fills_tangents() const override { return true; }
  void kinematic_tangents(double t, ConstVec q, ConstVec v, KinematicTangents& out) const override;
  bool has_turning_vectors() const override { return Attitude::normalisation_row; }
  bool has_body_rates() const override { return Attitude::normalisation_row; }
  void to_space(ConstVec q, ConstVec u, VecRef v) const override;
  void to_body(ConstVec q, ConstVec v, VecRef u) const override;
  void to_body_acceleration(ConstVec q, ConstVec qdot, ConstVec v, VecRef a) const override;
  bool has_turning_tangents() const override { return Attitude::normalisation_row; }
  void turning_tangents(
      ConstVec q, ConstVec v, ConstVec u, ConstVec u_dot, TurningTangents& out) const override;

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void observe_poses(double t, ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::unique_ptr<DescriptorSystem> copy_in(const Mode& mode) const;
  const SwitchedRows& switched() const { return switched_; }

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;
  WorkOf<D>& bodies_in(Terms& terms) const override { return static_cast<Work&>(*terms.scratch); }
  void place_bodies(ConstVec q, Terms& terms) const override { place(q, bodies_in(terms)); }
  void move_bodies(ConstVec q, ConstVec v, Terms& terms) const override { move(q, v, bodies_in(terms)); }
  void accelerate_bodies(ConstVec q, ConstVec v, ConstVec vdot, Terms& terms) const override;

 private:
  using Base = PartsSystem<D>;
  using Base::exchanges_energy_;
  using Base::layout_;
  using Base::mode_;
  using Base::parts_;
  using V = VecOf<double, D>;
  static constexpr int kQ = D + Attitude::positions, kV = D + Attitude::width;
  struct Work final : Scratch, WorkOf<D> {
    explicit Work(WorkOf<D>&& work) : WorkOf<D>(std::move(work)) {}
  };

  int bodies() const { return static_cast<int>(parts_.bodies()); }
  // Scalars that are coordinates of their own, and where any of them stands in q and v.
  int massless() const { return Attitude::counts_turns ? 0 : static_cast<int>(parts_.scalars.size()); }
  int scalar_at(size_t k, int stride) const {
    if constexpr (Attitude::counts_turns)
      return stride * parts_.scalars[k].b.origin.body + D;
    else
      return stride * bodies() + static_cast<int>(k);
  }
  int row_at(int row) const {  // rows of the quaternions stand between holonomic and nonholonomic ones
    return Attitude::normalisation_row && row >= parts_.rows.holonomic_rows() ? row + bodies() : row;
  }
  void place(ConstVec q, WorkOf<D>& work) const;
  void move(ConstVec q, ConstVec v, WorkOf<D>& work) const;
  void rows(double t, ConstVec q, ConstVec v, Terms& terms) const;    // γ, after move()
  void forces(double t, ConstVec q, ConstVec v, Terms& terms) const;  // f, after move()
  Layout make_layout() const;
  void keep_constants();
  void fill_mass(ConstVec q, double* values) const;

  // Where the pairs of the rows go in the values of J: the first of D (points) and of `width` entries; −1: ground.
  struct Slot {
    int translation = -1, rotation = -1;
  };
  std::vector<Slot> slots_;
  std::vector<double> constant_J_;  // values of J that never change, 0 where others are added
  std::vector<double> constant_M_;  // values of M, where it is constant
  std::vector<int> scalar_slots_, norm_slots_;
  SwitchedRows switched_;
};

extern template class AbsoluteSystem<PlaneAngle>;
extern template class AbsoluteSystem<BodyRates>;
extern template class AbsoluteSystem<QuaternionRates>;

// The set reference-point in the plane and in space.
template <int D>
using ReferencePoint = AbsoluteSystem<std::conditional_t<D == 2, PlaneAngle, BodyRates>>;

// A model in reference-point coordinates, with its auxiliary systems for the start.
template <int D>
CompiledModel compile_reference(const Model& model, const std::string& source);
inline CompiledModel compile_spatial_reference(const Model& model, const std::string& source) {
  return compile_reference<3>(model, source);
}

// Frames and twists of the bodies in a state of reference-point coordinates, ground last; and the other way round.
template <int D>
void read_bodies(const State& state,
                 std::vector<FrameOf<double, D>>& frames,
                 std::vector<TwistOf<double, D>>& twists);
template <int D>
void write_body(size_t body, const FrameOf<double, D>& frame, const TwistOf<double, D>& twist, State& state);

}  // namespace driftless
