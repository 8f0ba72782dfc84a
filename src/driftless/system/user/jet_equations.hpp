// Which equations JetSystem takes, and what it finds in them: the list is in jet_system.hpp.
#pragma once

#include <concepts>
#include <type_traits>

#include "driftless/math/jet.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

namespace user_detail {

// Layout of a system written by hand: `given` with its sizes set and its gaps filled.
Layout user_layout(Layout given, int nq, int nv, int rows, int nonholonomic_rows);

// A callback may assign to its matrix and so change its size: std::invalid_argument naming `what` if it did.
void demand_size(const Mat& matrix, Eigen::Index rows, Eigen::Index cols, const char* what);

// Copies dense values into the rows of a fixed pattern from `first_row` on. A value outside the pattern would
// be lost: std::invalid_argument naming `what`.
void store(const Mat& dense, int first_row, SparseRows& sparse, const char* what);

using Probe = Dual<double, 1>;
template <class E>
concept HasConstraint =
    requires(const E& e, const Probe& t, const Probe* q, Probe* g) { e.constraint(t, q, g); };
template <class E>
concept HasNonholonomic =
    requires(const E& e, const Probe& t, const Probe* q, Probe* A, Probe* b) { e.nonholonomic(t, q, A, b); };
template <class E>
concept HasKinematics = requires(const E& e, const Probe& t, const Probe* q, const Probe* v, Probe* qdot) {
  e.kinematics(t, q, v, qdot);
};
template <class E>
concept HasPlainMass = requires(const E& e, double t, const Vec& q, Mat& M) { e.mass(t, q, M); };
template <class E>
concept HasMass =
    HasPlainMass<E> || requires(const E& e, const double& t, const double* q, double* M) { e.mass(t, q, M); };
template <class E>
concept HasPlainForce = requires(const E& e, double t, const Vec& q, Vec& f) { e.force(t, q, q, f); };
template <class E>
concept HasForce = HasPlainForce<E> ||
                   requires(const E& e, const double& t, const double* q, double* f) { e.force(t, q, q, f); };

template <class E>
constexpr int rows_of(const E& e) {
  if constexpr (requires { e.rows; })
    return e.rows;
  else
    return 0;
}
template <class E>
constexpr int nonholonomic_rows_of(const E& e) {
  if constexpr (requires { e.nonholonomic_rows; })
    return e.nonholonomic_rows;
  else
    return 0;
}
template <class E>
constexpr int velocities_of(const E& e) {
  if constexpr (requires { e.nv; })
    return e.nv;
  else
    return e.nq;
}
template <class E>
constexpr bool depends_on_time() {
  if constexpr (requires { E::time_dependent; })
    return E::time_dependent;
  else
    return true;
}

// Columns differentiated at once: nv + 1 (t is one) in equal chunks of at most 8 where the size is known to
// the compiler, so that small systems need one sweep; else 4, one vector register.
template <class E>
constexpr int chunk_width() {
  int columns = 4;
  // The address of a static member is a plain pointer, not a pointer to member.
  if constexpr (requires { requires std::is_pointer_v<decltype(&E::nv)>; })
    columns = E::nv + 1;
  else if constexpr (std::is_pointer_v<decltype(&E::nq)>)
    columns = E::nq + 1;
  const int chunks = (columns + 7) / 8;
  return columns > 0 ? (columns + chunks - 1) / chunks : 1;
}

}  // namespace user_detail

// Equations good for JetSystem. Copied into the system; const, so shareable between threads.
template <class E>
concept JetEquations = std::copy_constructible<E> && user_detail::HasMass<E> && user_detail::HasForce<E> &&
                       requires(const E& e) {
                         { e.nq } -> std::convertible_to<int>;
                       };

}  // namespace driftless
