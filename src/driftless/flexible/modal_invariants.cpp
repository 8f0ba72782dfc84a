#include "driftless/flexible/modal_invariants.hpp"

namespace driftless {
namespace {

// a~ of a unit rotation about axis j.
Eigen::Matrix3d unit_turn(int j) {
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  out((j + 2) % 3, (j + 1) % 3) = 1;
  out((j + 1) % 3, (j + 2) % 3) = -1;
  return out;
}

}  // namespace

template <int D>
Invariants<D> lumped_invariants(const std::vector<Eigen::Matrix<double, D, 1>>& nodes,
                                const ModalData& data) {
  constexpr int k = BeamElement<D>::kNode, turns = k - D;
  std::vector<std::pair<int, double>> masses;
  for (size_t i = 0; i < data.masses.size(); ++i) masses.emplace_back(static_cast<int>(i), data.masses[i]);
  Invariants<D> out = mesh_invariants<D>({}, nodes, masses, false);
  std::array<std::array<std::vector<Eigen::Triplet<double>>, D>, D> more;
  for (size_t n = 0; n < data.inertias.size(); ++n) {
    const Eigen::Matrix3d& J = data.inertias[n];
    const Eigen::Matrix3d Pi = 0.5 * J.trace() * Eigen::Matrix3d::Identity() - J;
    out.P0 += Pi.topLeftCorner<D, D>();
    const int first = k * static_cast<int>(n) + D;
    for (int j = 0; j < turns; ++j) {
      const Eigen::Matrix3d turn = unit_turn(D == 2 ? 2 : j), one = Pi * turn.transpose();
      for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) out.P1[size_t(a)][size_t(b)][first + j] += one(a, b);
      for (int i = 0; i < turns; ++i) {
        const Eigen::Matrix3d two = unit_turn(D == 2 ? 2 : i) * one;
        for (int a = 0; a < D; ++a)
          for (int b = 0; b < D; ++b)
            more[size_t(a)][size_t(b)].emplace_back(first + i, first + j, two(a, b));
      }
    }
  }
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      SparseRows own(out.size(), out.size());
      own.setFromTriplets(more[a][b].begin(), more[a][b].end());
      out.P2[a][b] = SparseRows(out.P2[a][b] + own);
    }
  return out;
}

template <int D>
Invariants<D> given_invariants(const ModalInvariants& given) {
  Invariants<D> out;
  out.m = given.m;
  out.s0 = given.s0.template head<D>();
  out.P0 = given.P0.template topLeftCorner<D, D>();
  out.S = given.S.template topRows<D>();
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      out.P1[a][b] = given.P1[a][b];
      out.P2[a][b] = given.P2[a][b].sparseView();
    }
  return out;
}

template Invariants<2> lumped_invariants<2>(const std::vector<Vec2>&, const ModalData&);
template Invariants<3> lumped_invariants<3>(const std::vector<Vec3>&, const ModalData&);
template Invariants<2> given_invariants<2>(const ModalInvariants&);
template Invariants<3> given_invariants<3>(const ModalInvariants&);

}  // namespace driftless
