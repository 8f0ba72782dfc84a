// Spatial models in absolute coordinates: the centre of mass r and a quaternion p for every body, scalars after the bodies
// as massless coordinates. Two sets differ in how the attitude moves, which is the policy `Attitude`:
//   reference-point     v = (ṙ, ω_body)   M = diag(m, I) constant, f_rot = τ_body − ω × I ω                           (1)
//   euler-parameters    v = (ṙ, ṗ)        M = diag(m, Bᵀ I B), B = 2 L/|p|², and a row |p|² = 1 per body               (2)
// With n = ∂g/∂x of a marker at the arm a (a direction u: a = u, no translation) the rows are
//   J_r = nᵀ,   J_rot = (Rᵀ (a × n))ᵀ · ∂ω_body/∂v                                                                    (3)
//   γ = −Σ n·b − c,   b = ω × (ω × a) + (R β) × a,   β = ω̇_body for v̇ = 0 (zero in the first set)                       (4)
#pragma once

#include <vector>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/spatial_parts.hpp"
#include "driftless/system/turning_vectors.hpp"

namespace driftless {

// ω_body is the velocity coordinate itself.
struct BodyRates {
  static constexpr int width = 3;
  static constexpr bool vector_space = false, normalisation_row = false;
  static constexpr const char* v_names[] = {".wx", ".wy", ".wz"};
  static constexpr const char* v_unit = "rad/s";

  static Vec3 omega_body(const Quat&, const double* v) { return Eigen::Map<const Vec3>(v); }
  static Vec3 bias_body(const Quat&, const double*, const Vec3&) { return Vec3::Zero(); }
  static void map_gradient(const Quat&, const Vec3& tau_body, double* out) {
    for (int i = 0; i < 3; ++i) out[i] += tau_body[i];
  }
  static void mass(const Quat&, const Mat3& inertia, double* rows[3]) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rows[i][j] = inertia(i, j);
  }
  static void force(
      const Quat&, const double*, const Vec3& omega, const Mat3& inertia, const Vec3& tau, double* f) {
    Eigen::Map<Vec3>{f} = tau - omega.cross(inertia * omega);
  }
  static void rate(const Quat& p, const double* v, double* p_dot) {
    Eigen::Map<Quat>{p_dot} = 0.5 * body_rate_matrix(p).transpose() * Eigen::Map<const Vec3>(v);
  }
  static void start(const Quat&, const Vec3& omega_body, double* v) { Eigen::Map<Vec3>{v} = omega_body; }
};

// The quaternion's derivative is the velocity coordinate. B p = 0, so Bᵀ I B alone is singular along p; the rows |p|² = 1
// keep p·ṗ = 0, so an inertia κ for that direction, with its velocity term, changes no motion and makes M regular:
//   M_p = Bᵀ I B + κ p pᵀ,   f_p = Bᵀ (τ − ω × I ω − I β) − κ |ṗ|² p,   β = −2 (p·ṗ)/|p|² ω,   κ = 4/3 tr I            (5)
// Haug, Computer Aided Kinematics and Dynamics, (11.3.1)–(11.3.4); Negrut, Haug & German 2003, section 2
struct QuaternionRates {
  static constexpr int width = 4;
  static constexpr bool vector_space = true, normalisation_row = true;
  static constexpr const char* v_names[] = {".e0_rate", ".e1_rate", ".e2_rate", ".e3_rate"};
  static constexpr const char* v_unit = "1/s";
  using B = Eigen::Matrix<double, 3, 4>;

  static B rates(const Quat& p) { return body_rate_matrix(p) * (2 / p.squaredNorm()); }
  static Quat own(const double* v) { return Eigen::Map<const Quat>(v); }
  static double kappa(const Mat3& inertia) { return 4.0 / 3.0 * inertia.trace(); }

  static Vec3 omega_body(const Quat& p, const double* v) { return rates(p) * own(v); }
  static Vec3 bias_body(const Quat& p, const double* v, const Vec3& omega) {
    return -2 * p.dot(own(v)) / p.squaredNorm() * omega;
  }
  static void map_gradient(const Quat& p, const Vec3& tau_body, double* out) {
    const Quat mapped = rates(p).transpose() * tau_body;
    for (int i = 0; i < 4; ++i) out[i] += mapped[i];
  }
  static void mass(const Quat& p, const Mat3& inertia, double* rows[4]) {
    const B b = rates(p);
    const Eigen::Matrix4d M = b.transpose() * inertia * b + kappa(inertia) * p * p.transpose();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) rows[i][j] = M(i, j);
  }
  static void force(
      const Quat& p, const double* v, const Vec3& omega, const Mat3& inertia, const Vec3& tau, double* f) {
    const Vec3 beta = bias_body(p, v, omega);
    Eigen::Map<Quat>{f} = rates(p).transpose() * (tau - omega.cross(inertia * omega) - inertia * beta) -
                          kappa(inertia) * own(v).squaredNorm() * p;
  }
  static void rate(const Quat&, const double* v, double* p_dot) { Eigen::Map<Quat>{p_dot} = own(v); }
  static void start(const Quat& p, const Vec3& omega_body, double* v) {
    Eigen::Map<Quat>{v} = 0.5 * body_rate_matrix(p).transpose() * omega_body;
  }
};

template <class Attitude>
class AbsoluteSystem final : public ObservableSystem, public Probed, public TurningVectors {
 public:
  explicit AbsoluteSystem(SpatialParts parts);

  State start() const;  // the state the file asks for, not yet assembled
  const SpatialParts& parts() const { return parts_; }

  void position(double t, ConstVec q, Terms& terms) const override;
  void mass(double t, ConstVec q, Terms& terms) const override;
  void bias(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void force(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  void kinematics(double t, ConstVec q, ConstVec v, VecRef qdot) const override;
  void retract(VecRef q, ConstVec delta) const override;
  void difference(ConstVec from, ConstVec to, VecRef delta) const override;
  void normalize(VecRef q) const override;
  bool has_turning_vectors() const override { return Attitude::normalisation_row; }

  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const override;
  std::optional<double> potential_energy(double t, ConstVec q, Terms& terms) const override;
  double applied_power(double t, ConstVec q, ConstVec v, Terms& terms) const override;
  bool exchanges_energy() const override { return exchanges_energy_; }
  std::vector<std::string> body_names() const override { return parts_.body_names; }
  void observe_poses(ConstVec q, Terms& terms, std::vector<Pose>& out) const override;
  std::vector<std::string> quantity_names() const override;
  std::vector<std::string> quantity_units() const override;
  void observe_quantities(
      double t, ConstVec q, ConstVec v, const Reaction& reaction, Terms& terms, VecRef out) const override;
  std::vector<int> wrapped_quantities() const override { return wrapped_channels(parts_.channels); }
  void wrapped_values(
      double t, ConstVec q, ConstVec v, Terms& terms, VecRef value, VecRef rate) const override;
  std::vector<std::string> joint_names() const override;
  void observe_reactions(double t,
                         ConstVec q,
                         ConstVec v,
                         const Reaction& reaction,
                         Terms& terms,
                         std::vector<JointReaction>& out) const override;
  std::vector<double> break_times(double t0, double t1) const override { return parts_.break_times(t0, t1); }
  std::vector<Probe> probes() const override;
  void probe_places(ConstVec q, Terms& terms, VecRef x) const override;

 protected:
  std::unique_ptr<Scratch> make_scratch() const override;

 private:
  static constexpr int kQ = 7, kV = 3 + Attitude::width;
  struct Work;  // SpatialWork as scratch

  int bodies() const { return static_cast<int>(parts_.bodies()); }
  int row_at(int row) const {  // rows of the quaternions stand between holonomic and nonholonomic ones
    return Attitude::normalisation_row && row >= parts_.rows.holonomic_rows() ? row + bodies() : row;
  }
  static Quat attitude(ConstVec q, int body) { return q.segment<4>(kQ * body + 3); }
  void place(ConstVec q, SpatialWork& work) const;
  void move(ConstVec q, ConstVec v, SpatialWork& work) const;
  Layout make_layout() const;

  SpatialParts parts_;
  // Where the pairs of the rows go in the values of J: the first of three (points) and of `width` entries; −1: ground.
  struct Slot {
    int translation = -1, rotation = -1;
  };
  std::vector<Slot> slots_;
  std::vector<int> scalar_slots_, norm_slots_;
  bool exchanges_energy_ = false;
};

extern template class AbsoluteSystem<BodyRates>;
extern template class AbsoluteSystem<QuaternionRates>;

// A spatial model in reference-point coordinates, with its auxiliary systems for the start.
CompiledModel compile_spatial_reference(const Model& model, const std::string& source);

}  // namespace driftless
