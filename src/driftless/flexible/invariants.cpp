#include "driftless/flexible/invariants.hpp"

namespace driftless {

template <int D>
SparseRows Invariants<D>::elastic_mass() const {
  SparseRows out = P2[0][0] + P2[1][1];
  if constexpr (D == 3) out += P2[2][2];
  return out;
}

template <int D>
Invariants<D> Invariants<D>::reduced(const SparseRows& Z) const {
  Invariants out;
  out.m = m;
  out.s0 = s0;
  out.P0 = P0;
  out.S = S * Z;
  const SparseRows Zt = Z.transpose();
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      out.P1[a][b] = Zt * P1[a][b];
      out.P2[a][b] = Zt * SparseRows(P2[a][b] * Z);
    }
  return out;
}

template <int D>
Invariants<D> mesh_invariants(const std::vector<BeamElement<D>>& elements,
                              const std::vector<Eigen::Matrix<double, D, 1>>& nodes,
                              const std::vector<std::pair<int, double>>& masses,
                              bool rotary) {
  using Beam = BeamElement<D>;
  using V = Eigen::Matrix<double, D, 1>;
  constexpr int kNode = Beam::kNode;
  const int n = kNode * static_cast<int>(nodes.size());
  Invariants<D> out;
  out.S = Mat::Zero(D, n);
  std::array<std::array<std::vector<Eigen::Triplet<double>>, D>, D> P2;
  for (auto& rows : out.P1)
    for (Vec& row : rows) row = Vec::Zero(n);
  for (const Beam& element : elements) {
    const auto own = element.inertia(rotary);
    const auto B = element.turn();
    const auto columns = nodal_columns(element);
    const auto& T = element.T;
    const V& X = nodes[size_t(element.nodes[0])];
    const V turned = T * own.s0;
    out.m += own.m;
    out.s0 += own.m * X + turned;
    out.P0 += own.m * X * X.transpose() + X * turned.transpose() + turned * X.transpose() +
              T * own.P0 * T.transpose();
    const Eigen::Matrix<double, D, Beam::E> S = T * own.S * B;
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        typename Beam::Row P1 = X[a] * S.row(b);
        typename Beam::Square block = Beam::Square::Zero();
        for (int c = 0; c < D; ++c)
          for (int d = 0; d < D; ++d) {
            const double f = T(a, c) * T(b, d);
            if (f == 0) continue;
            P1 += f * own.P1[size_t(c)][size_t(d)] * B;
            block += f * own.P2[size_t(c)][size_t(d)];
          }
        const typename Beam::Square turned_block = B.transpose() * block * B;
        for (int i = 0; i < Beam::E; ++i) {
          out.P1[size_t(a)][size_t(b)][columns[size_t(i)]] += P1[i];
          for (int j = 0; j < Beam::E; ++j)
            if (turned_block(i, j) != 0 || a == b)
              P2[size_t(a)][size_t(b)].emplace_back(columns[size_t(i)], columns[size_t(j)],
                                                    turned_block(i, j));
        }
      }
    for (int i = 0; i < Beam::E; ++i) out.S.col(columns[size_t(i)]) += S.col(i);
  }
  for (const auto& [node, mass] : masses) {
    const V& X = nodes[size_t(node)];
    out.m += mass;
    out.s0 += mass * X;
    out.P0 += mass * X * X.transpose();
    for (int a = 0; a < D; ++a) {
      out.S(a, kNode * node + a) += mass;
      for (int b = 0; b < D; ++b) {
        out.P1[size_t(a)][size_t(b)][kNode * node + b] += mass * X[a];
        P2[size_t(a)][size_t(b)].emplace_back(kNode * node + a, kNode * node + b, mass);
      }
    }
  }
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      out.P2[a][b].resize(n, n);
      out.P2[a][b].setFromTriplets(P2[a][b].begin(), P2[a][b].end());
    }
  return out;
}

template <int D>
std::vector<BeamElement<D>> beam_elements(const FlexibleSpec& spec) {
  std::vector<BeamElement<D>> out;
  for (size_t e = 0; e < spec.elements.size(); ++e) {
    BeamElement<D>& element = out.emplace_back();
    element.l = spec.length_of(e);
    element.p = spec.properties(e);
    element.T = element_axes(spec, e, D == 2).template topLeftCorner<D, D>();
    element.nodes = {spec.elements[e].first, spec.elements[e].second};
  }
  return out;
}

template struct Invariants<2>;
template struct Invariants<3>;
template Invariants<2> mesh_invariants<2>(const std::vector<BeamElement<2>>&,
                                          const std::vector<Vec2>&,
                                          const std::vector<std::pair<int, double>>&,
                                          bool);
template Invariants<3> mesh_invariants<3>(const std::vector<BeamElement<3>>&,
                                          const std::vector<Vec3>&,
                                          const std::vector<std::pair<int, double>>&,
                                          bool);
template std::vector<BeamElement<2>> beam_elements<2>(const FlexibleSpec&);
template std::vector<BeamElement<3>> beam_elements<3>(const FlexibleSpec&);

}  // namespace driftless
