#include "driftless/flexible/floating_body.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include "driftless/flexible/frame_coordinates.hpp"
#include "driftless/flexible/modal_invariants.hpp"
#include "driftless/flexible/modes.hpp"
#include "driftless/math/linear/dense.hpp"

namespace driftless {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseRows from_triplets(int rows, int columns, const Triplets& entries) {
  SparseRows out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

template <int D>
SparseRows mesh_stiffness(const std::vector<BeamElement<D>>& elements, int n, bool with_axial) {
  Triplets entries;
  for (const auto& element : elements) {
    const auto B = element.turn();
    const typename BeamElement<D>::Square K = B.transpose() * element.stiffness(with_axial) * B;
    const auto columns = nodal_columns(element);
    for (int i = 0; i < BeamElement<D>::E; ++i)
      for (int j = 0; j < BeamElement<D>::E; ++j)
        entries.emplace_back(columns[size_t(i)], columns[size_t(j)], K(i, j));
  }
  return from_triplets(n, n, entries);
}

}  // namespace

template <int D>
FloatingBody<D>::FloatingBody(const FlexibleSpec& spec) : stiffening_(spec.stiffening) {
  for (const Vec3& node : spec.nodes) nodes_.push_back(node.template head<D>());
  if (spec.modal) {
    take_modes(spec);
    return;
  }
  elements_ = beam_elements<D>(spec);
  free_ = mesh_invariants<D>(elements_, nodes_, spec.masses, spec.rotary_inertia);
  K_free_ = mesh_stiffness<D>(elements_, free_.size(), true);
  choose_coordinates(spec);
  Zt_ = Z_.transpose();
  invariants_ = free_.reduced(Z_);
  M_ = invariants_.elastic_mass();
  K_full_ = Zt_ * SparseRows(K_free_ * Z_);
  K_ = K_full_;
  if (stiffening_ == FlexibleSpec::Stiffening::geometric)
    K_ = Zt_ * SparseRows(mesh_stiffness<D>(elements_, free_.size(), false) * Z_);
  if (stiffening_ == FlexibleSpec::Stiffening::loads) set_load_stiffening(spec);
  set_damping(spec);
  set_start(spec);
}

template <int D>
void FloatingBody<D>::take_modes(const FlexibleSpec& spec) {
  const ModalData& data = *spec.modal;
  Z_ = data.shapes.sparseView();
  Zt_ = Z_.transpose();
  free_ = lumped_invariants<D>(nodes_, data);
  invariants_ = data.invariants ? given_invariants<D>(*data.invariants) : free_.reduced(Z_);
  M_ = invariants_.elastic_mass();
  K_full_ = data.stiffness.sparseView();
  K_ = K_full_;
  for (int i = 0; i < Z_.cols(); ++i) names_.push_back(fmt::format("mode{}", i + 1));
  is_length_.assign(names_.size(), true);
  set_damping(spec);
  if (data.damping.size() > 0) {
    const SparseRows own = data.damping.sparseView();
    D_ = damped_ ? SparseRows(D_ + own) : own;
    damped_ = true;
  }
  set_start(spec);
}

template <int D>
void FloatingBody<D>::choose_coordinates(const FlexibleSpec& spec) {
  constexpr int k = BeamElement<D>::kNode;
  const bool mean = spec.frame == FlexibleSpec::Frame::mean_axis;
  if (mean && spec.modes) {  // free modes without the rigid ones
    const Mat K(K_free_), M(free_.elastic_mass());
    std::vector<int> boundary;
    for (const int node : spec.modes->boundary)
      for (int i = 0; i < k; ++i) boundary.push_back(k * node + i);
    const int rigid = D == 2 ? 3 : 6;
    const Modes modes = spec.modes->type == "eigen"
                            ? eigenmodes(K, M, rigid, spec.modes->count, spec.modes->below)
                            : craig_bampton(K, M, boundary, spec.modes->count, rigid);
    Z_ = modes.shapes.sparseView();
  } else {
    const auto coordinates =
        frame_coordinates<D>(free_, spec.frame, spec.frame_node, far_node(spec), spec.length_of(0));
    Z_ = coordinates.Z;
    static const char* const planar[] = {"u", "v", "rz"};
    static const char* const spatial[] = {"u", "v", "w", "rx", "ry", "rz"};
    for (const int i : coordinates.kept) {
      names_.push_back(fmt::format("n{}.{}", i / k, D == 2 ? planar[i % k] : spatial[i % k]));
      is_length_.push_back(i % k < D);
    }
    if (!spec.modes) return;
    const SparseRows Zt = Z_.transpose();
    const Mat K(Zt * SparseRows(K_free_ * Z_)), M(Zt * SparseRows(free_.elastic_mass() * Z_));
    Z_ = Mat(Z_ * eigenmodes(K, M, 0, spec.modes->count, spec.modes->below).shapes).sparseView();
  }
  names_.clear();
  for (int i = 0; i < Z_.cols(); ++i) names_.push_back(fmt::format("mode{}", i + 1));
  is_length_.assign(names_.size(), true);
}

// About what a coordinate is where the body moves by 1: modes are of any size, mass-normalised ones of that of √m.
template <int D>
double FloatingBody<D>::unit(int k) const {
  return names_[size_t(k)].starts_with("mode") ? std::sqrt(invariants_.m / M_.coeff(k, k)) : 1;
}

template <int D>
void FloatingBody<D>::set_damping(const FlexibleSpec& spec) {
  damped_ = spec.alpha != 0 || spec.beta != 0 || !spec.modal_damping.empty();
  if (!damped_) return;
  D_ = spec.alpha * M_ + spec.beta * K_full_;
  if (spec.modal_damping.empty()) return;
  D_ += SparseRows(modal_damping(Mat(K_full_), Mat(M_), spec.modal_damping).sparseView());
}

template <int D>
void FloatingBody<D>::set_start(const FlexibleSpec& spec) {
  const auto fill = [&](const std::map<std::string, double>& given, Vec& out) {
    out = Vec::Zero(size());
    for (size_t i = 0; i < names_.size(); ++i)
      if (const auto found = given.find(names_[i]); found != given.end())
        out[Eigen::Index(i)] = found->second;
  };
  fill(spec.deflection, start_);
  fill(spec.rates, start_rates_);
}

// Axial forces under unit centrifugal loads about the origin of the frame, K q = −∫Sᵀ(ω×(ω×u0))dm under the conditions of the frame:
// held at its node a; with a mean axis balanced by the body's own inertia, as a free body is; where modes have one node for a
// boundary, held there.
template <int D>
void FloatingBody<D>::set_load_stiffening(const FlexibleSpec& spec) {
  const bool one = spec.modes && spec.modes->boundary.size() == 1;
  const auto frame = one ? FlexibleSpec::Frame::clamped_free : spec.frame;
  const int node = one ? spec.modes->boundary[0] : spec.frame_node, n = free_.size();
  const SparseRows held = frame_coordinates<D>(free_, frame, node, far_node(spec), spec.length_of(0)).Z,
                   held_t = held.transpose();
  const Eigen::LLT<Mat> factored(Mat(held_t * SparseRows(K_free_ * held)));
  const auto stiffness_of = [&](const Vec& load) {
    const Vec nodal = held * factored.solve(Vec(held_t * load));
    Triplets entries;
    for (const auto& element : elements_) {
      const auto columns = nodal_columns(element);
      const auto B = element.turn();
      Eigen::Matrix<double, BeamElement<D>::E, 1> e;
      for (int i = 0; i < BeamElement<D>::E; ++i) e[i] = nodal[columns[size_t(i)]];
      const double axial = element.p.EA * (element.stretch() * (B * e)).value();
      const typename BeamElement<D>::Square own =
          axial * element.l * (B.transpose() * element.bending_slope() * B);
      for (int i = 0; i < BeamElement<D>::E; ++i)
        for (int j = 0; j < BeamElement<D>::E; ++j)
          entries.emplace_back(columns[size_t(i)], columns[size_t(j)], own(i, j));
    }
    return SparseRows(Zt_ * SparseRows(from_triplets(n, n, entries) * Z_));
  };
  const auto& P1 = free_.P1;
  if constexpr (D == 2) {
    load_stiffness_.push_back(stiffness_of(P1[0][0] + P1[1][1]));
  } else {
    const Vec trace = P1[0][0] + P1[1][1] + P1[2][2];
    for (const auto& [a, b] : {std::pair<size_t, size_t>{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}})
      load_stiffness_.push_back(stiffness_of(a == b ? Vec(trace - P1[a][a]) : Vec(-P1[a][b] - P1[b][a])));
  }
}

template <int D>
typename FloatingBody<D>::Work FloatingBody<D>::make_work() const {
  Work work;
  for (auto* rows : {&work.C, &work.G})
    for (auto& row : *rows)
      for (Vec& entry : row) entry = Vec::Zero(size());
  work.nodal = work.nodal_force = Vec::Zero(free_.size());
  work.spin_elastic = Mat::Zero(kSpin, size());
  work.product = Vec::Zero(size());
  work.s = work.s_dot = V::Zero();
  work.theta.setZero();
  return work;
}

template <int D>
void FloatingBody<D>::place(ConstVec eta, Work& work) const {
  const auto& in = invariants_;
  work.s = in.s0 + in.S * eta;
  Axes P = in.P0;
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      Vec& C = work.C[a][b];
      C.noalias() = in.P2[b][a] * eta;  // (ηᵀ P2[a,b])ᵀ
      C += in.P1[a][b];
      P(Eigen::Index(a), Eigen::Index(b)) += in.P1[b][a].dot(eta) + C.dot(eta);
    }
  if constexpr (D == 2) {
    work.theta(0, 0) = P.trace();
    work.spin_elastic.row(0) = (work.C[0][1] - work.C[1][0]).transpose();
  } else {
    work.theta = P.trace() * Eigen::Matrix3d::Identity() - P;
    for (size_t i = 0; i < 3; ++i) {
      const size_t a = (i + 1) % 3, b = (i + 2) % 3;
      work.spin_elastic.row(Eigen::Index(i)) = (work.C[a][b] - work.C[b][a]).transpose();
    }
  }
}

template <int D>
void FloatingBody<D>::velocity_terms(
    ConstVec, ConstVec rates, const Spin& omega, Work& work, V& r, Spin& spin, VecRef f) const {  // (3)
  const auto& in = invariants_;
  const V s_dot = in.S * rates;
  work.s_dot = s_dot;
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b)
      if (a != b) work.G[a][b].noalias() = in.P2[b][a] * rates;
  if constexpr (D == 2) {
    const double w = omega[0];
    r = w * w * work.s - 2 * w * V(-s_dot[1], s_dot[0]);
    const double trace = (work.C[0][0] + work.C[1][1]).dot(rates);
    spin[0] = -2 * w * trace;
    f = w * w * (work.C[0][0] + work.C[1][1]) - 2 * w * (work.G[0][1] - work.G[1][0]);
  } else {
    const Vec3 w = omega;
    r = -(w.cross(w.cross(work.s)) + 2 * w.cross(s_dot));
    Eigen::Matrix3d Y;
    for (size_t a = 0; a < 3; ++a)
      for (size_t b = 0; b < 3; ++b) Y(Eigen::Index(a), Eigen::Index(b)) = work.C[a][b].dot(rates);
    spin = -w.cross(work.theta * w) - 2 * (Y.trace() * w - Y.transpose() * w);
    f = w.squaredNorm() * (work.C[0][0] + work.C[1][1] + work.C[2][2]);
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) f -= w[Eigen::Index(a)] * w[Eigen::Index(b)] * work.C[a][b];
      const size_t b = (a + 1) % 3, c = (a + 2) % 3;
      f -= 2 * w[Eigen::Index(a)] * (work.G[b][c] - work.G[c][b]);
    }
  }
}

template <int D>
void FloatingBody<D>::add_elastic_forces(
    ConstVec eta, ConstVec rates, const Spin& omega, Work& work, VecRef f) const {
  work.product.noalias() = K_ * eta;
  f -= work.product;
  if (damped_) {
    work.product.noalias() = D_ * rates;
    f -= work.product;
  }
  if (stiffening_ == FlexibleSpec::Stiffening::loads) {
    if constexpr (D == 2) {
      work.product.noalias() = load_stiffness_[0] * eta;
      f -= omega[0] * omega[0] * work.product;
    } else {
      const double w[] = {omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2],
                          omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]};
      for (size_t k = 0; k < 6; ++k) {
        work.product.noalias() = load_stiffness_[k] * eta;
        f -= w[k] * work.product;
      }
    }
  }
  if (stiffening_ != FlexibleSpec::Stiffening::geometric) return;
  constexpr int E = BeamElement<D>::E;
  work.nodal.noalias() = Z_ * eta;
  work.nodal_force.setZero();
  for (const auto& element : elements_) {  // (4)
    const auto columns = nodal_columns(element);
    const auto B = element.turn();
    Eigen::Matrix<double, E, 1> e;
    for (int i = 0; i < E; ++i) e[i] = work.nodal[columns[size_t(i)]];
    const Eigen::Matrix<double, E, 1> own = B * e;
    const auto b0 = element.stretch();
    const Eigen::Matrix<double, E, 1> bent = element.bending_slope() * own;
    const double strain = b0.dot(own) + 0.5 * own.dot(bent);
    const Eigen::Matrix<double, E, 1> force =
        B.transpose() * (-element.p.EA * element.l * strain * (b0.transpose() + bent));
    for (int i = 0; i < E; ++i) work.nodal_force[columns[size_t(i)]] += force[i];
  }
  work.product.noalias() = Zt_ * work.nodal_force;
  f += work.product;
}

template <int D>
double FloatingBody<D>::elastic_energy(ConstVec eta, Work& work) const {
  work.product.noalias() = K_ * eta;
  double energy = 0.5 * eta.dot(work.product);
  if (stiffening_ != FlexibleSpec::Stiffening::geometric) return energy;
  constexpr int E = BeamElement<D>::E;
  work.nodal.noalias() = Z_ * eta;
  for (const auto& element : elements_) {
    const auto columns = nodal_columns(element);
    Eigen::Matrix<double, E, 1> e;
    for (int i = 0; i < E; ++i) e[i] = work.nodal[columns[size_t(i)]];
    const Eigen::Matrix<double, E, 1> own = element.turn() * e;
    const double strain = element.stretch().dot(own) + 0.5 * own.dot(element.bending_slope() * own);
    energy += 0.5 * element.p.EA * element.l * strain * strain;
  }
  return energy;
}

template <int D>
double FloatingBody<D>::damping_power(ConstVec rates, Work& work) const {
  if (!damped_) return 0;
  work.product.noalias() = D_ * rates;
  return -rates.dot(work.product);
}

template <int D>
double FloatingBody<D>::load_power(ConstVec eta, ConstVec rates, const Spin& omega, Work& work) const {
  if (stiffening_ != FlexibleSpec::Stiffening::loads) return 0;
  double power = 0;
  const auto add = [&](double factor, const SparseRows& K) {
    work.product.noalias() = K * eta;
    power -= factor * rates.dot(work.product);
  };
  if constexpr (D == 2) {
    add(omega[0] * omega[0], load_stiffness_[0]);
  } else {
    const double w[] = {omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2],
                        omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]};
    for (size_t k = 0; k < 6; ++k) add(w[k], load_stiffness_[k]);
  }
  return power;
}

template <int D>
typename FloatingBody<D>::Section FloatingBody<D>::section(int index, double xi) const {
  if (elements_.empty()) return node_section(index);
  constexpr int E = BeamElement<D>::E;
  const BeamElement<D>& element = elements_[size_t(index)];
  const auto columns = nodal_columns(element);
  const auto B = element.turn();
  const Eigen::Matrix<double, D, E> move = element.T * element.translation(xi) * B;
  Eigen::Matrix<double, kSpin, E> turn = element.rotation(xi) * B;
  if constexpr (D == 3) turn = (element.T * turn).eval();
  Mat U = Mat::Zero(D, size()), R = Mat::Zero(kSpin, size());
  for (int i = 0; i < E; ++i)
    for (SparseRows::InnerIterator entry(Z_, columns[size_t(i)]); entry; ++entry) {
      U.col(entry.col()) += move.col(i) * entry.value();
      R.col(entry.col()) += turn.col(i) * entry.value();
    }
  Section out;
  out.u0 = (1 - xi) * nodes_[size_t(element.nodes[0])] + xi * nodes_[size_t(element.nodes[1])];
  for (int j = 0; j < size(); ++j)
    if (!U.col(j).isZero(0) || !R.col(j).isZero(0)) out.columns.push_back(j);
  out.U = U(Eigen::all, out.columns);
  out.turn = R(Eigen::all, out.columns);
  return out;
}

// Of an imported body: its modes say how nodes move and turn.
template <int D>
typename FloatingBody<D>::Section FloatingBody<D>::node_section(int node) const {
  constexpr int k = BeamElement<D>::kNode;
  const Mat rows = Mat(Z_.middleRows(k * node, k));
  Section out;
  out.u0 = nodes_[size_t(node)];
  for (int j = 0; j < size(); ++j) out.columns.push_back(j);
  out.U = rows.topRows(D);
  out.turn = rows.bottomRows(kSpin);
  return out;
}

template <int D>
typename FloatingBody<D>::Section FloatingBody<D>::center() const {
  Section out;
  out.u0 = invariants_.s0 / invariants_.m;
  for (int j = 0; j < size(); ++j) out.columns.push_back(j);
  out.U = invariants_.S / invariants_.m;
  out.turn = Mat::Zero(kSpin, size());
  return out;
}

template <int D>
typename FloatingBody<D>::Strains FloatingBody<D>::strains(int index,
                                                           double xi,
                                                           ConstVec eta,
                                                           Work& work) const {
  constexpr int E = BeamElement<D>::E;
  const BeamElement<D>& element = elements_[size_t(index)];
  work.nodal.noalias() = Z_ * eta;
  const auto columns = nodal_columns(element);
  Eigen::Matrix<double, E, 1> e;
  for (int i = 0; i < E; ++i) e[i] = work.nodal[columns[size_t(i)]];
  const Eigen::Matrix<double, E, 1> own = element.turn() * e;
  const auto linear = element.strains(xi);
  Strains out{linear.axial.dot(own), linear.kz.dot(own), linear.ky.dot(own), linear.twist.dot(own)};
  if (stiffening_ == FlexibleSpec::Stiffening::geometric)
    out.axial += 0.5 * own.dot(element.bending_slope() * own);
  return out;
}

template <int D>
typename FloatingBody<D>::V FloatingBody<D>::node_displacement(int node, ConstVec eta) const {
  V out = V::Zero();
  for (int k = 0; k < D; ++k)
    for (SparseRows::InnerIterator entry(Z_, BeamElement<D>::kNode * node + k); entry; ++entry)
      out[k] += entry.value() * eta[entry.col()];
  return out;
}

template class FloatingBody<2>;
template class FloatingBody<3>;

}  // namespace driftless
