#include "driftless/flexible/beam_element.hpp"

namespace driftless {
namespace {

// Where a shape function of N (two entries) or H (four) stands among the coordinates of an element, with its signs.
template <int K>
struct Function {
  std::array<int, K> at;
  std::array<double, K> sign;
};
template <int D>
Function<2> axial() {
  return {{0, BeamElement<D>::kNode}, {1, 1}};
}
template <int D>
Function<4> lateral_y() {
  if constexpr (D == 2)
    return {{1, 2, 4, 5}, {1, 1, 1, 1}};
  else
    return {{1, 5, 7, 11}, {1, 1, 1, 1}};
}
constexpr Function<4> kLateralZ = {{2, 4, 8, 10}, {1, -1, 1, -1}};
constexpr Function<2> kTorsion = {{3, 9}, {1, 1}};

template <int K, class Out, class Table>
void place_row(const Function<K>& f, double factor, const Table& table, Out&& out) {
  for (int i = 0; i < K; ++i) out[f.at[size_t(i)]] += factor * f.sign[size_t(i)] * table[i];
}

template <int K, int L, class Out, class Table>
void place_block(const Function<K>& f, const Function<L>& g, double factor, const Table& table, Out& out) {
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < L; ++j)
      out(f.at[size_t(i)], g.at[size_t(j)]) += factor * f.sign[size_t(i)] * g.sign[size_t(j)] * table(i, j);
}

}  // namespace

template <int D>
typename BeamElement<D>::Square BeamElement<D>::turn() const {
  Square B = Square::Zero();
  for (int node = 0; node < 2; ++node) {
    B.template block<D, D>(node * kNode, node * kNode) = T.transpose();
    if constexpr (D == 2)
      B(node * kNode + 2, node * kNode + 2) = 1;
    else
      B.template block<3, 3>(node * kNode + 3, node * kNode + 3) = T.transpose();
  }
  return B;
}

template <int D>
typename BeamElement<D>::Inertia BeamElement<D>::inertia(bool rotary) const {
  namespace b = beam;
  const double r = rotary ? 1 : 0;
  Inertia out;
  out.m = p.rhoA * l;
  out.s0.setZero();
  out.s0[0] = p.rhoA * l * l / 2;
  out.P0.setZero();
  out.P0(0, 0) = p.rhoA * l * l * l / 3;
  out.S.setZero();
  for (auto& rows : out.P1)
    for (Row& row : rows) row.setZero();
  for (auto& rows : out.P2)
    for (Square& block : rows) block.setZero();
  const auto U = axial<D>();
  const auto V = lateral_y<D>();
  const auto cross = [&](size_t a, size_t c) { out.P2[c][a] = out.P2[a][c].transpose(); };

  place_row(U, p.rhoA, b::int_N(l), out.S.row(0));
  place_row(V, p.rhoA, b::int_H(l), out.S.row(1));
  place_row(U, p.rhoA, b::int_xN(l), out.P1[0][0]);
  place_row(V, p.rhoA, b::int_xH(l), out.P1[0][1]);
  place_row(V, -r * p.rhoIz, b::int_dH(l), out.P1[1][0]);
  place_block(U, U, p.rhoA, b::int_NN(l), out.P2[0][0]);
  place_block(V, V, r * p.rhoIz, b::int_dHdH(l), out.P2[0][0]);
  place_block(V, V, p.rhoA, b::int_HH(l), out.P2[1][1]);
  place_block(U, V, p.rhoA, b::int_NH(l), out.P2[0][1]);
  if constexpr (D == 2) {
    out.P0(1, 1) = r * p.rhoIz * l;
  } else {
    const auto& W = kLateralZ;
    const auto& F = kTorsion;
    out.P0(1, 1) = p.rhoIz * l;
    out.P0(2, 2) = p.rhoIy * l;
    place_row(W, p.rhoA, b::int_H(l), out.S.row(2));
    place_row(W, p.rhoA, b::int_xH(l), out.P1[0][2]);
    place_row(F, p.rhoIz, b::int_N(l), out.P1[1][2]);
    place_row(W, -r * p.rhoIy, b::int_dH(l), out.P1[2][0]);
    place_row(F, -p.rhoIy, b::int_N(l), out.P1[2][1]);
    place_block(W, W, r * p.rhoIy, b::int_dHdH(l), out.P2[0][0]);
    place_block(F, F, p.rhoIy, b::int_NN(l), out.P2[1][1]);
    place_block(W, W, p.rhoA, b::int_HH(l), out.P2[2][2]);
    place_block(F, F, p.rhoIz, b::int_NN(l), out.P2[2][2]);
    const Eigen::Matrix<double, 4, 2> dHN = b::int_NdH(l).transpose();
    place_block(W, F, r * p.rhoIy, dHN, out.P2[0][1]);
    place_block(U, W, p.rhoA, b::int_NH(l), out.P2[0][2]);
    place_block(V, F, -r * p.rhoIz, dHN, out.P2[0][2]);
    place_block(V, W, p.rhoA, b::int_HH(l), out.P2[1][2]);
    cross(0, 2);
    cross(1, 2);
  }
  cross(0, 1);
  return out;
}

template <int D>
typename BeamElement<D>::Square BeamElement<D>::stiffness(bool with_axial) const {
  Square K = Square::Zero();
  if (with_axial) place_block(axial<D>(), axial<D>(), p.EA, beam::int_dNdN(l), K);
  place_block(lateral_y<D>(), lateral_y<D>(), p.EIz, beam::int_ddHddH(l), K);
  if constexpr (D == 3) {
    place_block(kLateralZ, kLateralZ, p.EIy, beam::int_ddHddH(l), K);
    place_block(kTorsion, kTorsion, p.GJ, beam::int_dNdN(l), K);
  }
  return K;
}

template <int D>
typename BeamElement<D>::Shift BeamElement<D>::translation(double xi) const {
  Shift out = Shift::Zero();
  place_row(axial<D>(), 1, beam::N(xi), out.row(0));
  place_row(lateral_y<D>(), 1, beam::H(xi, l), out.row(1));
  if constexpr (D == 3) place_row(kLateralZ, 1, beam::H(xi, l), out.row(2));
  return out;
}

template <int D>
typename BeamElement<D>::Turn BeamElement<D>::rotation(double xi) const {
  Turn out = Turn::Zero();
  place_row(lateral_y<D>(), 1, beam::dH(xi, l), out.row(kSpin - 1));
  if constexpr (D == 3) {
    place_row(kTorsion, 1, beam::N(xi), out.row(0));
    place_row(kLateralZ, -1, beam::dH(xi, l), out.row(1));
  }
  return out;
}

template <int D>
typename BeamElement<D>::Strains BeamElement<D>::strains(double xi) const {
  Strains out;
  const Vec2 slope(-1 / l, 1 / l);
  place_row(axial<D>(), 1, slope, out.axial);
  place_row(lateral_y<D>(), 1, beam::ddH(xi, l), out.kz);
  if constexpr (D == 3) {
    place_row(kLateralZ, -1, beam::ddH(xi, l), out.ky);
    place_row(kTorsion, 1, slope, out.twist);
  }
  return out;
}

template <int D>
typename BeamElement<D>::Square BeamElement<D>::bending_slope() const {
  Square K = Square::Zero();
  place_block(lateral_y<D>(), lateral_y<D>(), 1 / l, beam::int_dHdH(l), K);
  if constexpr (D == 3) place_block(kLateralZ, kLateralZ, 1 / l, beam::int_dHdH(l), K);
  return K;
}

template <int D>
typename BeamElement<D>::Row BeamElement<D>::stretch() const {
  Row b = Row::Zero();
  place_row(axial<D>(), 1, Vec2(-1 / l, 1 / l), b);
  return b;
}

template struct BeamElement<2>;
template struct BeamElement<3>;

}  // namespace driftless
