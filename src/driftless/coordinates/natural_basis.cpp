#include "driftless/coordinates/natural_basis.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace driftless {
namespace {

constexpr double kRoundOff = 1e-12;  // two combinations are one, relative to the size of things

double rounded(double c, double negligible) {
  if (std::abs(c) <= negligible) return 0;
  if (std::abs(std::abs(c) - 1) <= 1e-14) return std::copysign(1.0, c);
  return c;
}
std::complex<double> rounded(const std::complex<double>& c, double negligible) {
  return {rounded(c.real(), negligible), rounded(c.imag(), negligible)};
}

}  // namespace

template <int D>
void Combination<D>::add(const Combination& other, Factor<D> times) {
  constant += product(times, other.constant);
  for (const Term& term : other.terms) {
    const auto place = std::lower_bound(terms.begin(), terms.end(), term.node,
                                        [](const Term& t, int node) { return t.node < node; });
    if (place != terms.end() && place->node == term.node)
      place->factor += times * term.factor;
    else
      terms.insert(place, {term.node, times * term.factor});
  }
}

template <int D>
Combination<D> NaturalBasis<D>::express(const Marker<D>& marker) const {
  if (marker.body == ground_) return {marker.at, {}};
  const BodyBasis<D>& basis = body(marker.body);
  Combination<D> out;
  VecOf<double, D> a = marker.at;
  if (marker.kind == MarkerKind::point) {
    out = basis.point;
    a -= basis.at;
  }
  if constexpr (D == 2) {  // (1)
    const VecOf<double, 2>& u = basis.vectors[0].unit;
    const std::complex<double> z = std::complex<double>(a[0], a[1]) * std::complex<double>(u[0], -u[1]);
    out.add(basis.vectors[0].w, rounded(z, 1e-13 * scale(marker.kind)));
  } else {  // (2)
    Eigen::Matrix3d W;
    for (int k = 0; k < 3; ++k) W.col(k) = basis.vectors[size_t(k)].unit;
    const Vec3 alpha = W.inverse() * a;
    for (int k = 0; k < 3; ++k)
      out.add(basis.vectors[size_t(k)].w, rounded(alpha[k], 1e-13 * scale(marker.kind)));
  }
  round(out, marker.kind);
  return out;
}

template <int D>
void NaturalBasis<D>::round(Combination<D>& e, MarkerKind kind) const {
  for (auto& term : e.terms)
    term.factor = rounded(term.factor, 1e-13 * scale(kind) / scale(nodes_[size_t(term.node)].marker.kind));
  std::erase_if(e.terms, [](const auto& term) { return std::abs(term.factor) == 0; });
}

template <int D>
bool NaturalBasis<D>::same(const Combination<D>& a, const Combination<D>& b, MarkerKind kind) const {
  Combination<D> difference = a;
  difference.add(b, -1.0);
  const double size = scale(kind);
  if (difference.constant.norm() > kRoundOff * (size + a.constant.norm())) return false;
  return std::all_of(difference.terms.begin(), difference.terms.end(), [&](const auto& term) {
    return std::abs(term.factor) * scale(nodes_[size_t(term.node)].marker.kind) <= kRoundOff * size;
  });
}

template struct Combination<2>;
template struct Combination<3>;
template class NaturalBasis<2>;
template class NaturalBasis<3>;

}  // namespace driftless
