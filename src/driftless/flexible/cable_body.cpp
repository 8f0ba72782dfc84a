#include "driftless/flexible/cable_body.hpp"

#include <cmath>

#include <Eigen/Geometry>

namespace driftless {
namespace {

using beam::Vec4;

// The three invariants at one point of an element.
template <int D>
struct CablePoint {
  Eigen::Matrix<double, D, 1> d, dd;  // r', r''
  double a, b, c;

  CablePoint(const double* q, const Vec4& dh, const Vec4& ddh) {
    d.setZero();
    dd.setZero();
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < D; ++k) {
        d[k] += dh[i] * q[D * i + k];
        dd[k] += ddh[i] * q[D * i + k];
      }
    a = d.dot(d);
    b = d.dot(dd);
    c = dd.dot(dd);
  }
};

}  // namespace

template <int D>
CableBody<D>::CableBody(const FlexibleSpec& spec)
    : green_(spec.strain == "green"), material_(spec.curvature == "material") {
  for (size_t e = 0; e < spec.elements.size(); ++e) {
    lengths_.push_back(spec.length_of(e));
    p_.push_back(spec.properties(e));
    mass_ += p_.back().rhoA * lengths_.back();
  }
  const double g3 = std::sqrt(0.6) / 2;
  bending_ = {{0.5 - g3, 0.5, 0.5 + g3}, {5.0 / 18, 8.0 / 18, 5.0 / 18}};
  if (spec.integration == "lobatto") {
    axial_ = {{0, 0.5, 1}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};
  } else {
    const double s = std::sqrt(10.0 / 7), near = std::sqrt(5 - 2 * s) / 6, far = std::sqrt(5 + 2 * s) / 6;
    const double wn = (322 + 13 * std::sqrt(70.0)) / 1800, wf = (322 - 13 * std::sqrt(70.0)) / 1800;
    axial_ = {{0.5 - far, 0.5 - near, 0.5, 0.5 + near, 0.5 + far}, {wf, wn, 64.0 / 225, wn, wf}};
  }
}

template <int D>
template <class Visit>
void CableBody<D>::integrate(Visit&& visit) const {
  for (size_t e = 0; e < lengths_.size(); ++e) {
    const double l = lengths_[e];
    for (const bool axial : {true, false}) {
      const Rule& rule = axial ? axial_ : bending_;
      for (size_t k = 0; k < rule.xi.size(); ++k)
        visit(axial, e, l * rule.w[k], beam::dH(rule.xi[k], l), beam::ddH(rule.xi[k], l));
    }
  }
}

template <int D>
double CableBody<D>::energy(ConstVec q) const {
  double total = 0;
  integrate([&](bool axial, size_t e, double w, const Vec4& dh, const Vec4& ddh) {
    const CablePoint<D> at(q.data() + 2 * D * e, dh, ddh);
    if (axial)
      total += w * p_[e].EA * (green_ ? (at.a - 1) * (at.a - 1) / 8 : std::pow(std::sqrt(at.a) - 1, 2) / 2);
    else
      total += w * p_[e].EIz / 2 * (at.c / at.a - at.b * at.b / (at.a * at.a)) / (material_ ? 1 : at.a);
  });
  return total;
}

template <int D>
void CableBody<D>::add_forces(ConstVec q, VecRef f) const {
  integrate([&](bool axial, size_t e, double w, const Vec4& dh, const Vec4& ddh) {
    const auto first = Eigen::Index(2 * D * e);
    const CablePoint<D> at(q.data() + first, dh, ddh);
    double Wa = 0, Wb = 0, Wc = 0;
    const double a = at.a, b = at.b, c = at.c, EI = p_[e].EIz;
    if (axial) {
      Wa = p_[e].EA * (green_ ? (a - 1) / 4 : (1 - 1 / std::sqrt(a)) / 2);
    } else if (material_) {
      Wa = EI / 2 * (-c / (a * a) + 2 * b * b / (a * a * a));
      Wb = -EI * b / (a * a);
      Wc = EI / 2 / a;
    } else {
      Wa = EI / 2 * (-2 * c / (a * a * a) + 3 * b * b / (a * a * a * a));
      Wb = -EI * b / (a * a * a);
      Wc = EI / 2 / (a * a);
    }
    for (int i = 0; i < 4; ++i)
      f.template segment<D>(first + D * i) -=
          w * (2 * Wa * dh[i] * at.d + Wb * (dh[i] * at.dd + ddh[i] * at.d) + 2 * Wc * ddh[i] * at.dd);
  });
}

template <int D>
void CableBody<D>::add_discrete_gradient(ConstVec q0, ConstVec q1, VecRef out) const {  // (3)
  integrate([&](bool axial, size_t e, double w, const Vec4& dh, const Vec4& ddh) {
    const auto first = Eigen::Index(2 * D * e);
    const CablePoint<D> s(q0.data() + first, dh, ddh), t(q1.data() + first, dh, ddh);
    const V d = (s.d + t.d) / 2, dd = (s.dd + t.dd) / 2;
    double Da = 0, Db = 0, Dc = 0;
    const double EI = p_[e].EIz;
    if (axial) {
      Da = p_[e].EA * (green_ ? ((s.a + t.a) / 2 - 1) / 4 : (1 - 2 / (std::sqrt(s.a) + std::sqrt(t.a))) / 2);
    } else {
      const double i = (1 / s.a + 1 / t.a) / 2, p0 = s.b / s.a, p1 = t.b / t.a, beta = (p0 + p1) / 2;
      const double b = (s.b + t.b) / 2, c = (s.c + t.c) / 2, aa = s.a * t.a;
      if (material_) {
        Dc = EI / 2 * i;
        Db = -EI * beta * i;
        Da = EI / 2 * (-c + 2 * beta * b) / aa;
      } else {
        Dc = EI / 4 * (1 / (s.a * s.a) + 1 / (t.a * t.a));
        Db = -EI * beta * i * i;
        Da = EI / 2 * (-c * (s.a + t.a) / (aa * aa) + 2 * beta * i * b / aa + (p0 * p0 + p1 * p1) / 2 / aa);
      }
    }
    for (int k = 0; k < 4; ++k)
      out.template segment<D>(first + D * k) +=
          w * (2 * Da * dh[k] * d + Db * (dh[k] * dd + ddh[k] * d) + 2 * Dc * ddh[k] * dd);
  });
}

template <int D>
Mat CableBody<D>::hessian(ConstVec q) const {
  std::vector<Block> blocks(lengths_.size());
  element_hessians(q, blocks);
  Mat K = Mat::Zero(size(), size());
  for (size_t e = 0; e < blocks.size(); ++e)
    K.block<4 * D, 4 * D>(Eigen::Index(2 * D * e), Eigen::Index(2 * D * e)) += blocks[e];
  return K;
}

template <int D>
void CableBody<D>::element_hessians(ConstVec q, std::vector<Block>& out) const {
  for (Block& block : out) block.setZero();
  integrate([&](bool axial, size_t e, double w, const Vec4& dh, const Vec4& ddh) {
    const auto first = Eigen::Index(2 * D * e);
    const CablePoint<D> at(q.data() + first, dh, ddh);
    const double a = at.a, b = at.b, c = at.c, EI = p_[e].EIz;
    Vec3 W = Vec3::Zero();
    Eigen::Matrix3d WW = Eigen::Matrix3d::Zero();
    if (axial) {
      W[0] = p_[e].EA * (green_ ? (a - 1) / 4 : (1 - 1 / std::sqrt(a)) / 2);
      WW(0, 0) = p_[e].EA / 4 * (green_ ? 1 : std::pow(a, -1.5));
    } else if (material_) {
      W = {EI / 2 * (-c / (a * a) + 2 * b * b / (a * a * a)), -EI * b / (a * a), EI / 2 / a};
      WW(0, 0) = EI / 2 * (2 * c / (a * a * a) - 6 * b * b / (a * a * a * a));
      WW(0, 1) = WW(1, 0) = 2 * EI * b / (a * a * a);
      WW(0, 2) = WW(2, 0) = -EI / 2 / (a * a);
      WW(1, 1) = -EI / (a * a);
    } else {
      const double a4 = a * a * a * a;
      W = {EI / 2 * (-2 * c / (a * a * a) + 3 * b * b / a4), -EI * b / (a * a * a), EI / 2 / (a * a)};
      WW(0, 0) = EI / 2 * (6 * c / a4 - 12 * b * b / (a4 * a));
      WW(0, 1) = WW(1, 0) = 3 * EI * b / a4;
      WW(0, 2) = WW(2, 0) = -EI / (a * a * a);
      WW(1, 1) = -EI / (a * a * a);
    }
    Eigen::Matrix<double, 4 * D, 3> z;
    for (int i = 0; i < 4; ++i) {
      z.template block<D, 1>(D * i, 0) = 2 * dh[i] * at.d;
      z.template block<D, 1>(D * i, 1) = dh[i] * at.dd + ddh[i] * at.d;
      z.template block<D, 1>(D * i, 2) = 2 * ddh[i] * at.dd;
    }
    Block& block = out[e];
    block += w * z * WW * z.transpose();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const double k =
            2 * W[0] * dh[i] * dh[j] + W[1] * (dh[i] * ddh[j] + ddh[i] * dh[j]) + 2 * W[2] * ddh[i] * ddh[j];
        for (int n = 0; n < D; ++n) block(D * i + n, D * j + n) += w * k;
      }
  });
}

template <int D>
SparseRows CableBody<D>::mass_matrix() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t e = 0; e < lengths_.size(); ++e) {
    const beam::Mat4 M = p_[e].rhoA * beam::int_HH(lengths_[e]);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < D; ++k)
          entries.emplace_back(int(2 * D * e) + D * i + k, int(2 * D * e) + D * j + k, M(i, j));
  }
  SparseRows out(size(), size());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

template <int D>
Vec CableBody<D>::center() const {
  Vec weights = Vec::Zero(2 * nodes());
  for (size_t e = 0; e < lengths_.size(); ++e)
    weights.segment<4>(Eigen::Index(2 * e)) += p_[e].rhoA * beam::int_H(lengths_[e]) / mass_;
  return weights;
}

template <int D>
typename CableBody<D>::Section CableBody<D>::section(int element, double xi) const {
  const double l = lengths_[size_t(element)];
  return {2 * element, beam::H(xi, l), beam::dH(xi, l), beam::ddH(xi, l)};
}

template <int D>
typename CableBody<D>::Strains CableBody<D>::strains(int element, double xi, ConstVec q) const {
  const Section at = section(element, xi);
  const CablePoint<D> p(q.data() + D * at.first, at.dh, at.ddh);
  Strains out;
  out.stretch = std::sqrt(p.a);
  out.axial = green_ ? (p.a - 1) / 2 : out.stretch - 1;
  if constexpr (D == 2)
    out.curvature = p.d[0] * p.dd[1] - p.d[1] * p.dd[0];
  else
    out.curvature = p.d.cross(p.dd).norm();
  out.curvature /= material_ ? p.a : p.a * out.stretch;
  const BeamProperties& own = p_[size_t(element)];
  out.force = own.EA * out.axial * (green_ ? out.stretch : 1);
  out.moment = own.EIz * out.curvature;
  return out;
}

template class CableBody<2>;
template class CableBody<3>;

}  // namespace driftless
