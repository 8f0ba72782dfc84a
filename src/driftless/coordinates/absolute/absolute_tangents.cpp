// What AbsoluteSystem knows of its derivatives.
#include "driftless/coordinates/absolute/absolute_tangents.hpp"

#include "driftless/coordinates/absolute/absolute_system.hpp"

namespace driftless {

template <class Attitude>
Tangents AbsoluteSystem<Attitude>::make_tangents(const TangentParts& parts) const {
  Tangents out;
  out.parts = parts;
  for (SparseRows* matrix : {&out.K, &out.C}) matrix->resize(layout_.nv, layout_.nv);
  for (SparseRows* matrix : {&out.L, &out.S_q, &out.S_v}) matrix->resize(layout_.m, layout_.nv);
  out.work = std::make_unique<AbsoluteTangents<Attitude>>(
      parts_, layout_, [this](int row) { return row_at(row); }, out);
  return out;
}

template <class Attitude>
void AbsoluteSystem<Attitude>::tangents(
    double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda, Terms& terms, Tangents& out) const {
  WorkOf<D>& work = static_cast<Work&>(*terms.scratch);
  position(t, q, terms);
  mass(t, q, terms);
  if (out.parts.dynamics)
    force(t, q, v, terms);
  else
    move(q, v, work);
  auto& filler = static_cast<AbsoluteTangents<Attitude>&>(*out.work);
  Vec& acting = filler.acting(lambda, terms.mode);
  const bool switched = out.parts.dynamics && !switched_.empty();
  if (switched) switched_.fill_lambda(t, v, terms, acting);
  filler.fill(t, q, v, a, acting, work, terms.mode, out);
  if (switched) switched_.add_tangents(v, terms, out.K, out.C);
}

// ṗ = ½ Lᵀ(p) ω is linear in p; P = 2 L/|p|².
template <class Attitude>
void AbsoluteSystem<Attitude>::kinematic_tangents(double t,
                                                  ConstVec q,
                                                  ConstVec v,
                                                  KinematicTangents& out) const {
  if constexpr (Attitude::vector_space) {
    DescriptorSystem::kinematic_tangents(t, q, v, out);
  } else {
    const int n = bodies(), scalars = massless();
    const bool is_new = out.T.rows() != layout_.nq;
    std::vector<Eigen::Triplet<double>> T, N, P;
    double* values[] = {out.T.valuePtr(), out.N.valuePtr(), out.P.valuePtr()};
    const auto put = [&](int which, int i, int j, double value) {
      auto& entries = which == 0 ? T : which == 1 ? N : P;
      if (is_new)
        entries.emplace_back(i, j, value);
      else
        *values[which]++ = value;
    };
    for (int b = 0; b < n; ++b) {
      const Quat p = q.segment<4>(kQ * b + D);
      const Eigen::Matrix<double, 3, 4> L = body_rate_matrix(p);
      Eigen::Matrix4d by_p;
      for (int k = 0; k < 4; ++k)
        by_p.col(k) = 0.5 * body_rate_matrix(Quat::Unit(k)).transpose() * v.segment<3>(kV * b + D);
      for (int k = 0; k < D; ++k) {
        put(0, kQ * b + k, kV * b + k, 1);
        put(2, kV * b + k, kQ * b + k, 1);
      }
      for (int k = 0; k < 4; ++k) {
        for (int l = 0; l < 3; ++l) put(0, kQ * b + D + k, kV * b + D + l, 0.5 * L(l, k));
        for (int l = 0; l < 4; ++l) put(1, kQ * b + D + k, kQ * b + D + l, by_p(k, l));
      }
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) put(2, kV * b + D + k, kQ * b + D + l, 2 * L(k, l) / p.squaredNorm());
    }
    for (int k = 0; k < scalars; ++k) {
      put(0, kQ * n + k, kV * n + k, 1);
      put(2, kV * n + k, kQ * n + k, 1);
    }
    if (!is_new) return;
    const auto make = [](int rows, int columns, const auto& entries, SparseRows& matrix) {
      matrix.resize(rows, columns);
      matrix.setFromTriplets(entries.begin(), entries.end());
    };
    make(layout_.nq, layout_.nv, T, out.T);
    make(layout_.nq, layout_.nq, N, out.N);
    make(layout_.nv, layout_.nq, P, out.P);
  }
}

#define DRIFTLESS_INSTANTIATE(Attitude)                                                                      \
  template Tangents AbsoluteSystem<Attitude>::make_tangents(const TangentParts&) const;                      \
  template void AbsoluteSystem<Attitude>::tangents(double, ConstVec, ConstVec, ConstVec, ConstVec, Terms&,   \
                                                   Tangents&) const;                                         \
  template void AbsoluteSystem<Attitude>::kinematic_tangents(double, ConstVec, ConstVec, KinematicTangents&) \
      const;
DRIFTLESS_INSTANTIATE(PlaneAngle)
DRIFTLESS_INSTANTIATE(BodyRates)
DRIFTLESS_INSTANTIATE(QuaternionRates)
#undef DRIFTLESS_INSTANTIATE

}  // namespace driftless
