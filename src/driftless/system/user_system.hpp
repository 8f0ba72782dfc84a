// A researcher's own equations as a system: give M, f, g and what you have of their derivatives; what is
// missing is differentiated for you. (The way of RKSTAB: H. S. Chin, "Stabilization Methods for Simulations
// of Constrained Multibody Dynamics", thesis, University of British Columbia 1995, Ch. 4.) Two doors:
//   plain callbacks in double    UserEquations below; missing derivatives by central differences
//   templates on the scalar      jet_system.hpp; exact derivatives by jets, and faster: prefer it if you can
// docs/user-systems.md shows both.
//
// Missing derivatives and how they are found:
//   J eⱼ ← ∂g/∂q T eⱼ,  g_t                    central difference of 6th order                          (1)
//   γ ← −d/ds [J v + g_t](t + s, q + s T v)    the same along the motion, if J (and g_t) is given       (2)
//   γ ← −d²/ds² g(t + s, q(s)),  q' = T v       second difference of 8th order along it, if not         (3)
//   γ ← −d/ds [A v + b]                        nonholonomic rows: as (2)                                (4)
//   L eⱼ ← ∂(J v − ν)/∂q T eⱼ                  as (2), or the difference of a difference if J is missing(5)
// Steps start from the scales of the coordinates and time_scale and are halved until two orders agree
// (differences.hpp), so fast drivers and foreign units cost evaluations and digits, but need no tuning.
//
// Accuracy, relative to the terms that are summed:
//   well-scaled equations                        (1), (2), (4) 1e-12    (3) 1e-11    (5) 1e-12 or 1e-9
//   a driver at 200 rad/s, scales left alone     (1), (2) 1e-11         (3) 1e-9     (5) 1e-12 or 1e-8
// Cost: J 8 nq calls of `constraint`, g_t 8 (0 if not time_dependent), γ by (3) 11, by (2) 8 of `jacobian`.
// Differencing the differenced J for γ would give 1e-9 at 6 nq times the work: rejected.
// Differences straddle a jump in time: if g itself has break times, give J, g_t and γ.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driftless/system/descriptor_system.hpp"
#include "driftless/system/user/jet_system.hpp"

namespace driftless {

// Every array a callback fills arrives with its final size and full of zeros; a matrix that comes back with
// another size is an error. Callbacks may be called from several threads at once if the system is shared
// between them.
struct UserEquations {
  // ---- sizes
  int nq = 0;                 // positions
  int nv = 0;                 // velocities; 0: as many as positions, q̇ = v
  int rows = 0;               // holonomic rows, g
  int nonholonomic_rows = 0;  // rows A v + b = 0

  // ---- required
  std::function<void(double t, ConstVec q, Mat& M)> mass;                 // nv × nv, both triangles
  std::function<void(double t, ConstVec q, ConstVec v, VecRef f)> force;  // nv, applied and gyroscopic

  // ---- holonomic rows: `constraint` is required if there are any
  std::function<void(double t, ConstVec q, VecRef g)> constraint;             // rows
  std::function<void(double t, ConstVec q, Mat& J)> jacobian;                 // rows × nv   ∂g/∂q T
  std::function<void(double t, ConstVec q, VecRef g_t)> time_derivative;      // rows        ∂g/∂t = −ν
  std::function<void(double t, ConstVec q, ConstVec v, VecRef gamma)> gamma;  // rows        J v̇ = γ

  // ---- nonholonomic rows: `nonholonomic` is required if there are any; for A v = 0 leave b alone
  std::function<void(double t, ConstVec q, Mat& A, VecRef b)> nonholonomic;                // rows × nv, rows
  std::function<void(double t, ConstVec q, ConstVec v, VecRef gamma)> nonholonomic_gamma;  // rows   A v̇ = γ

  // ---- velocities that are not the derivatives of the positions: both or neither
  std::function<void(double t, ConstVec q, ConstVec v, VecRef qdot)> kinematics;  // q̇ = T(t,q) v
  std::function<void(VecRef q, ConstVec delta)> retract;  // q ← q ⊕ δ, δ of size nv; δ = 0 normalises q

  // ---- time: false promises that g, A, b and T do not contain t, and spares the differences in it
  bool time_dependent = true;
  double time_scale = 1;  // seconds in which they change noticeably: where the search for a step begins

  // ---- energy; all of f must be in one of the two for the energy balance to close
  std::function<double(double t, ConstVec q)> potential;
  std::function<double(double t, ConstVec q, ConstVec v)> applied_power;  // of forces outside the potential

  // ---- names, units, scales, characteristic length, sparsity: what is left out is filled in
  Layout description;

  // ---- bodies to draw, figures to record, jumps in time
  std::vector<std::string> body_names;
  std::function<void(double t, ConstVec q, std::vector<Pose>& out)> poses;  // one per name
  std::vector<std::string> quantity_names, quantity_units;
  std::function<void(double t, ConstVec q, ConstVec v, const Reaction& reaction, VecRef out)> quantities;
  std::vector<double> break_times;
};

// The equations as a system. std::invalid_argument listing everything that is missing or does not fit.
std::unique_ptr<DescriptorSystem> make_system(UserEquations equations);

// How far a system's derivatives are from differences of its own g and J v − ν at a state; for finding
// mistakes in derivatives written by hand. Errors are relative to max(1, size of the term).
struct DerivativeCheck {
  double J = 0, nu = 0, gamma = 0;         // largest errors
  std::string J_entry, nu_row, gamma_row;  // where: "rod by x", "rod", "rod"
};
DerivativeCheck check_derivatives(const DescriptorSystem& system, const State& state);

}  // namespace driftless
