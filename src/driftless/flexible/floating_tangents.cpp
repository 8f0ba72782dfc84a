#include "driftless/flexible/floating_tangents.hpp"

#include <algorithm>

#include <Eigen/Geometry>

namespace driftless {

template <int D>
typename FloatingTangents<D>::Axes FloatingTangents<D>::spin_matrix(const Spin& spin) {
  Axes out;
  if constexpr (D == 2)
    out << 0, -spin[0], spin[0], 0;
  else
    out << 0, -spin[2], spin[1], spin[2], 0, -spin[0], -spin[1], spin[0], 0;
  return out;
}

// ε_iab N_ab
template <int D>
typename FloatingTangents<D>::Spin FloatingTangents<D>::twist_of(const Axes& N) {
  if constexpr (D == 2)
    return Spin(N(0, 1) - N(1, 0));
  else
    return Spin(N(1, 2) - N(2, 1), N(2, 0) - N(0, 2), N(0, 1) - N(1, 0));
}

template <int D>
FloatingTangents<D>::FloatingTangents(const FloatingBody<D>& body) : body_(body) {
  const int n = body.size();
  std::vector<Eigen::Triplet<double>> entries;
  const auto see = [&](const SparseRows& part) {
    for (int r = 0; r < part.rows(); ++r)
      for (SparseRows::InnerIterator entry(part, r); entry; ++entry)
        entries.emplace_back(r, static_cast<int>(entry.col()), 0.0);
  };
  for (const auto& row : body.invariants().P2)
    for (const SparseRows& part : row) see(part);
  see(body.linear_stiffness());
  see(body.damping());
  for (const SparseRows& part : body.load_stiffness()) see(part);
  if (body.stiffening() == FlexibleSpec::Stiffening::geometric)
    for (const auto& element : body.elements()) {
      Geometric& own = geometric_.emplace_back();
      const auto nodal = nodal_columns(element);
      for (const int row : nodal)
        for (SparseRows::InnerIterator entry(body.Z(), row); entry; ++entry)
          own.columns.push_back(static_cast<int>(entry.col()));
      std::sort(own.columns.begin(), own.columns.end());
      own.columns.erase(std::unique(own.columns.begin(), own.columns.end()), own.columns.end());
      const auto B = element.turn();
      Mat Z = Mat::Zero(B.cols(), Eigen::Index(own.columns.size()));
      for (size_t k = 0; k < own.columns.size(); ++k)
        for (size_t i = 0; i < nodal.size(); ++i)
          Z(Eigen::Index(i), Eigen::Index(k)) = body.Z().coeff(nodal[i], own.columns[k]);
      own.Z = own.half = B * Z;
      for (const int i : own.columns)
        for (const int j : own.columns) entries.emplace_back(i, j, 0.0);
    }
  K_eta.resize(n, n);
  K_eta.setFromTriplets(entries.begin(), entries.end());
  C_rate = K_eta;
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      P2_places_[a][b] = places_of(body.invariants().P2[a][b]);
      H_[a][b] = X_[a][b] = Vec::Zero(n);
    }
  K_places_ = places_of(body.linear_stiffness());
  D_places_ = places_of(body.damping());
  for (const SparseRows& part : body.load_stiffness()) load_places_.push_back(places_of(part));
  for (Geometric& own : geometric_)
    for (const int i : own.columns)
      for (const int j : own.columns)
        own.entries.push_back(static_cast<int>(&K_eta.coeffRef(i, j) - K_eta.valuePtr()));
  eta_by_frame = Mat::Zero(n, D + 2 * kSpin);
  by_eta = by_rates = Mat::Zero(D + kSpin, n);
  product_ = Vec::Zero(n);
}

template <int D>
std::vector<int> FloatingTangents<D>::places_of(const SparseRows& part) const {
  std::vector<int> out;
  for (int r = 0; r < part.rows(); ++r) {
    int at = K_eta.outerIndexPtr()[r];
    for (SparseRows::InnerIterator entry(part, r); entry; ++entry) {
      while (K_eta.innerIndexPtr()[at] != entry.col()) ++at;
      out.push_back(at);
    }
  }
  return out;
}

template <int D>
void FloatingTangents<D>::add(double factor,
                              const SparseRows& part,
                              const std::vector<int>& places,
                              SparseRows& out) const {
  if (factor == 0) return;
  size_t next = 0;
  for (int r = 0; r < part.rows(); ++r)
    for (SparseRows::InnerIterator entry(part, r); entry; ++entry)
      out.valuePtr()[places[next++]] += factor * entry.value();
}

template <int D>
void FloatingTangents<D>::fill(const At& at, typename FloatingBody<D>::Work& work) {
  const auto& in = body_.invariants();
  const Axes W = spin_matrix(at.omega), Gamma = spin_matrix(at.alpha) + W * W;
  Axes P = in.P0, Y, X;
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      H_[a][b].noalias() = in.P2[a][b] * at.rates;
      X_[a][b].noalias() = in.P2[a][b] * at.accelerations;
      const auto i = Eigen::Index(a), j = Eigen::Index(b);
      const Vec& C = work.C[a][b];
      P(i, j) += in.P1[b][a].dot(at.eta) + C.dot(at.eta);
      Y(i, j) = C.dot(at.rates);
      X(i, j) = C.dot(at.accelerations);
    }
  const V s = work.s, s_dot = in.S * at.rates, s_ddot = in.S * at.accelerations;
  rho_R = in.m * at.a + Gamma * s + 2 * W * s_dot + s_ddot;  // (1)
  rho_w = twist_of(s * at.a.transpose() + P * Gamma.transpose() + 2 * Y * W.transpose() + X);

  eta_by_frame.setZero();
  for (int k = 0; k < D; ++k) {
    frame.col(k).template head<D>() = in.m * V::Unit(k);
    frame.col(k).template tail<kSpin>() = twist_of(s * V::Unit(k).transpose());
    eta_by_frame.col(k) = in.S.row(k).transpose();
  }
  for (int k = 0; k < kSpin; ++k) {
    const Axes O = spin_matrix(Spin::Unit(k)), turned = O * W + W * O;
    const auto column = [&](int c, const Axes& G, const Axes& w) {
      frame.col(c).template head<D>() = G * s + 2 * w * s_dot;
      frame.col(c).template tail<kSpin>() = twist_of(P * G.transpose() + 2 * Y * w.transpose());
      for (size_t a = 0; a < D; ++a)
        for (size_t b = 0; b < D; ++b) {
          const auto i = Eigen::Index(a), j = Eigen::Index(b);
          eta_by_frame.col(c) += G(i, j) * work.C[b][a] + 2 * w(i, j) * H_[a][b];
        }
    };
    column(D + k, O, Axes::Zero());
    column(D + kSpin + k, turned, O);
  }
  for (int j = 0; j < body_.size(); ++j) {  // (3), (4)
    Axes by_place, by_rate;
    for (size_t a = 0; a < D; ++a)
      for (size_t b = 0; b < D; ++b) {
        const auto i = Eigen::Index(a), k = Eigen::Index(b);
        double place = in.S(i, j) * at.a[k] + X_[a][b][j], rate = 0;
        for (size_t c = 0; c < D; ++c) {
          const auto l = Eigen::Index(c);
          place += (work.C[a][c][j] + work.C[c][a][j]) * Gamma(k, l) + 2 * H_[a][c][j] * W(k, l);
          rate += 2 * work.C[a][c][j] * W(k, l);
        }
        by_place(i, k) = place;
        by_rate(i, k) = rate;
      }
    by_eta.col(j).template head<D>() = Gamma * in.S.col(j);
    by_eta.col(j).template tail<kSpin>() = twist_of(by_place);
    by_rates.col(j).template head<D>() = 2 * W * in.S.col(j);
    by_rates.col(j).template tail<kSpin>() = twist_of(by_rate);
  }
  for (SparseRows* matrix : {&K_eta, &C_rate})
    std::fill(matrix->valuePtr(), matrix->valuePtr() + matrix->nonZeros(), 0.0);
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      const auto i = Eigen::Index(a), j = Eigen::Index(b);
      add(Gamma(i, j), in.P2[a][b], P2_places_[a][b], K_eta);
      add(2 * W(i, j), in.P2[a][b], P2_places_[a][b], C_rate);
    }
  add(1, body_.linear_stiffness(), K_places_, K_eta);
  add(1, body_.damping(), D_places_, C_rate);
  add_stiffening(at, work);
}

template <int D>
void FloatingTangents<D>::add_stiffening(const At& at, typename FloatingBody<D>::Work& work) {  // (5)
  const auto& loads = body_.load_stiffness();
  for (size_t k = 0; k < loads.size(); ++k) {
    const auto [a, b] = FloatingBody<D>::load_axes(static_cast<int>(k));
    add(at.omega[a] * at.omega[b], loads[k], load_places_[k], K_eta);
    product_.noalias() = loads[k] * at.eta;
    eta_by_frame.col(D + kSpin + a) += at.omega[b] * product_;
    eta_by_frame.col(D + kSpin + b) += at.omega[a] * product_;
  }
  constexpr int E = BeamElement<D>::E;
  if (geometric_.empty()) return;
  work.nodal.noalias() = body_.Z() * at.eta;
  for (size_t k = 0; k < geometric_.size(); ++k) {
    const BeamElement<D>& element = body_.elements()[k];
    Geometric& own = geometric_[k];
    const auto columns = nodal_columns(element);
    Eigen::Matrix<double, E, 1> e;
    for (int i = 0; i < E; ++i) e[i] = work.nodal[columns[size_t(i)]];
    const Eigen::Matrix<double, E, 1> turned = element.turn() * e;
    const auto Kg = element.bending_slope();
    const Eigen::Matrix<double, E, 1> bent = Kg * turned;
    const Eigen::Matrix<double, E, 1> b = element.stretch().transpose() + bent;
    const double strain = element.stretch().dot(turned) + 0.5 * turned.dot(bent);
    const Eigen::Matrix<double, E, E> tangent = element.p.EA * element.l * (b * b.transpose() + strain * Kg);
    own.half.noalias() = tangent.lazyProduct(own.Z);
    size_t next = 0;
    for (Eigen::Index i = 0; i < own.Z.cols(); ++i)
      for (Eigen::Index j = 0; j < own.Z.cols(); ++j)
        K_eta.valuePtr()[own.entries[next++]] += own.Z.col(i).dot(own.half.col(j));
  }
}

template class FloatingTangents<2>;
template class FloatingTangents<3>;

}  // namespace driftless
