#include "driftless/coordinates/natural/natural_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "driftless/math/rotation.hpp"

namespace driftless {
namespace {

// Sharing that the blocks of joints offer.
template <int D>
class TieFinder {
 public:
  explicit TieFinder(const NaturalParts<D>& parts) : parts_(parts) {}

  Ties<D> find() {
    parts_.rows.for_each([&](const auto& placed) {
      if (!placed.velocity_only && parts_.joints.count(placed.owner) > 0)
        look_at(placed.block, placed.order, placed.owner);
    });
    for (const auto& dot : dots_) look_for_attitude(dot);
    std::sort(ties_.pairs.begin(), ties_.pairs.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
    return std::move(ties_);
  }

 private:
  struct Dot {
    int order;
    std::string owner;
    Marker<D> u, w;
  };

  const Marker<D>& marker(int index) const { return parts_.markers[size_t(index)]; }

  template <class Block>
  void look_at(const Block& block, int order, const std::string& owner) {
    if constexpr (std::is_same_v<Block, markers::Coincident<D>>) {
      ties_.pairs.push_back({order, owner, marker(block.x[0]), marker(block.x[1])});
    } else if constexpr (std::is_same_v<Block, markers::Parallel<D>>) {
      ties_.pairs.push_back({order, owner, marker(block.x[0]), marker(block.w)});
    } else if constexpr (D == 3 && std::is_same_v<Block, markers::Dot<D>>) {
      if (block.cosine == 0) dots_.push_back({order, owner, marker(block.x[0]), marker(block.x[1])});
    } else if constexpr (D == 2 && std::is_same_v<Block, markers::Angle<D, 0>>) {
      if (!block.f.is_constant()) return;
      // u_b = x_a cos f + y_a sin f. With complex numbers for directions Q̂ = û_a/û_b.
      const Marker<D>&x = marker(block.x[0]), &y = marker(block.x[1]), &u = marker(block.x[2]);
      const VecOf<double, D> on_a = std::cos(block.f(0)) * x.at + std::sin(block.f(0)) * y.at;
      const double c = on_a.dot(u.at), s = u.at[0] * on_a[1] - u.at[1] * on_a[0];
      Eigen::Matrix<double, D, D> Q;
      Q << c, -s, s, c;
      ties_.attitudes.push_back({order, x.body, u.body, Q});
    }
  }

  // Parallel axes z and one more direction u ⟂ w across them: the bodies turn together.
  void look_for_attitude(const Dot& dot) {
    if constexpr (D == 3) {
      for (const auto& axes : ties_.pairs) {
        if (axes.joint != dot.owner || axes.a.kind != MarkerKind::direction) continue;
        const bool forward = axes.a.body == dot.u.body && axes.b.body == dot.w.body;
        if (!forward && !(axes.a.body == dot.w.body && axes.b.body == dot.u.body)) continue;
        const Vec3 &za = axes.a.at, &zb = axes.b.at;
        const Vec3 &on_a = forward ? dot.u.at : dot.w.at, &on_b = forward ? dot.w.at : dot.u.at;
        if (std::abs(za.dot(on_a)) > 1e-12 || std::abs(zb.dot(on_b)) > 1e-12) continue;
        // In axes of a: z_b = ± z_a, and the direction of b is ± z_a × that of a. Signs from the initial position.
        const auto& start = parts_.bodies.attitudes;
        const Mat3 to_a = start[size_t(axes.a.body)].transpose() * start[size_t(axes.b.body)];
        const Vec3 across = za.cross(on_a);
        const double along_z = za.dot(to_a * zb), along_w = across.dot(to_a * on_b);
        if (std::abs(along_z) < 0.5 || std::abs(along_w) < 0.5) return;  // drawn too far apart to tell
        Mat3 A, B;
        A.col(0) = std::copysign(1.0, along_z) * za;
        A.col(1) = std::copysign(1.0, along_w) * across;
        A.col(2) = A.col(0).cross(A.col(1));
        B << zb, on_b, zb.cross(on_b);
        ties_.attitudes.push_back({dot.order, axes.a.body, axes.b.body, A * B.transpose()});
        return;
      }
    }
  }

  const NaturalParts<D>& parts_;
  Ties<D> ties_;
  std::vector<Dot> dots_;
};

}  // namespace

template <int D>
NaturalMap<D>::NaturalMap(NaturalParts<D> parts)
    : basis_(parts.bodies, TieFinder<D>(parts).find()), bodies_(static_cast<int>(parts.bodies.names.size())) {
  x_begin_.push_back(0);
  add_rows(parts);
  row_markers_ = constants_.size();
  for (int body = 0; body < bodies_; ++body) {
    add_marker({MarkerKind::point, body, V::Zero()});
    for (int k = 0; k < kAxes; ++k) add_marker({MarkerKind::direction, body, V::Unit(k)});
  }
  name_coordinates(parts);
  lay_out_rows();
  make_mass(parts);
}

template <int D>
void NaturalMap<D>::add_marker(const Marker<D>& marker) {
  const Combination<D> e = basis_.express(marker);
  constants_.push_back(e.constant);
  terms_.insert(terms_.end(), e.terms.begin(), e.terms.end());
  x_begin_.push_back(terms_.size());
}

// Rows of rigid bodies, then those of joints and drivers that sharing has left, in their order.
template <int D>
void NaturalMap<D>::add_rows(const NaturalParts<D>& parts) {
  std::map<std::array<double, D + 2>, int> used;
  const auto index_of = [&](const Marker<D>& marker) {
    std::array<double, D + 2> key{double(marker.body), marker.kind == MarkerKind::point ? 0.0 : 1.0};
    std::copy(marker.at.data(), marker.at.data() + D, key.begin() + 2);
    const auto [place, is_new] = used.emplace(key, static_cast<int>(constants_.size()));
    if (is_new) add_marker(marker);
    return place->second;
  };
  for (const RigidRow& row : basis_.rigid_rows()) {
    const auto& vectors = basis_.body(row.body).vectors;
    const auto &a = vectors[size_t(row.i)], &b = vectors[size_t(row.j)];
    markers::Dot<D> dot;
    dot.x = {index_of({MarkerKind::direction, row.body, a.unit}),
             index_of({MarkerKind::direction, row.body, b.unit})};
    dot.length = row.i == row.j ? a.length / 2 : std::sqrt(a.length * b.length);
    dot.cosine = row.i == row.j ? 1 : a.unit.dot(b.unit);
    rows_.add(dot, parts.bodies.names[size_t(row.body)],
              {"rigid_" + a.label + (row.i == row.j ? "" : "_" + b.label)});
  }
  const auto& idle = basis_.idle_blocks();
  std::map<int, std::function<void()>> left;
  parts.rows.for_each([&](const auto& placed) {
    if (std::find(idle.begin(), idle.end(), placed.order) != idle.end()) return;
    left[placed.order] = [&] {
      auto block = placed.block;
      for (int& x : block.x) x = index_of(parts.markers[size_t(x)]);
      rows_.add(block, placed.owner, placed.labels, placed.velocity_only);
    };
  });
  for (const auto& [order, add] : left) add();
  rows_.finish();
}

template <int D>
void NaturalMap<D>::name_coordinates(const NaturalParts<D>& parts) {
  layout_.nq = layout_.nv = D * nodes() + static_cast<int>(parts.scalars.size());
  layout_.mh = rows_.holonomic_rows();
  layout_.mass_is_constant = true;
  layout_.m = rows_.rows();
  layout_.length = parts.bodies.length;
  layout_.mass = std::accumulate(parts.masses.begin(), parts.masses.end(), 0.0);
  layout_.q_scale = Vec::Ones(layout_.nq);
  for (int n = 0; n < nodes(); ++n) {
    const auto& node = basis_.nodes()[size_t(n)];
    const bool is_point = node.marker.kind == MarkerKind::point;
    for (int k = 0; k < D; ++k) {
      layout_.q_names.push_back(node.name + "." + "xyz"[k]);
      layout_.v_names.push_back(node.name + ".v" + "xyz"[k]);
      layout_.q_units.emplace_back(is_point ? "m" : "");
      layout_.v_units.emplace_back(is_point ? "m/s" : "1/s");
    }
    if (is_point) layout_.q_scale.template segment<D>(D * n).setConstant(layout_.length);
  }
  for (size_t k = 0; k < parts.scalars.size(); ++k) {
    const auto& scalar = parts.scalars[k];
    layout_.q_names.push_back(scalar.name);
    layout_.v_names.push_back(scalar.name + "_rate");
    layout_.q_units.push_back(scalar.unit);
    layout_.v_units.push_back(scalar.unit + "/s");
    layout_.q_scale[D * nodes() + static_cast<int>(k)] = scalar.scale;
  }
  layout_.v_scale = layout_.q_scale;
  layout_.row_names = rows_.names();
  layout_.row_units.assign(size_t(layout_.mh), "m");
  layout_.row_units.resize(size_t(layout_.m), "m/s");
}

template <int D>
void NaturalMap<D>::lay_out_rows() {
  std::vector<Eigen::Triplet<double>> pattern;
  const auto& pairs = rows_.vector_pairs();
  for (const auto& pair : pairs)
    for (size_t k = x_begin_[size_t(pair.of)]; k < x_begin_[size_t(pair.of) + 1]; ++k)
      for (int i = 0; i < D; ++i) pattern.emplace_back(pair.row, D * terms_[k].node + i, 0.0);
  for (const auto& pair : rows_.scalar_pairs()) pattern.emplace_back(pair.row, D * nodes() + pair.of, 0.0);
  layout_.J.resize(layout_.m, layout_.nv);
  layout_.J.setFromTriplets(pattern.begin(), pattern.end());
  const auto slot = [&](int row, int column) {
    return static_cast<int>(&layout_.J.coeffRef(row, column) - layout_.J.valuePtr());
  };
  for (size_t p = 0; p < pairs.size(); ++p) {
    const auto marker = size_t(pairs[p].of);
    for (size_t k = x_begin_[marker]; k < x_begin_[marker + 1]; ++k)
      entries_.push_back({static_cast<int>(p), slot(pairs[p].row, D * terms_[k].node), terms_[k].factor});
  }
  for (const auto& pair : rows_.scalar_pairs())
    scalar_slots_.push_back(slot(pair.row, D * nodes() + pair.of));
}

template <int D>
void NaturalMap<D>::make_mass(const NaturalParts<D>& parts) {  // (3)
  std::map<std::pair<int, int>, Factor<D>> blocks;
  const auto add = [&](size_t a, size_t b, double weight) {
    for (size_t i = x_begin_[a]; i < x_begin_[a + 1]; ++i)
      for (size_t j = x_begin_[b]; j < x_begin_[b + 1]; ++j)
        blocks[{terms_[i].node, terms_[j].node}] += weight * transposed(terms_[i].factor) * terms_[j].factor;
  };
  for (int body = 0; body < bodies_; ++body) {
    const size_t c = center(body);
    add(c, c, parts.masses[size_t(body)]);
    for (size_t k = 0; k < kAxes; ++k)
      for (size_t l = 0; l < kAxes; ++l)
        add(c + 1 + k, c + 1 + l, parts.second_moments[size_t(body)](int(k), int(l)));
  }
  std::vector<Eigen::Triplet<double>> values;
  for (int i = 0; i < layout_.nv; ++i) values.emplace_back(i, i, 0.0);  // massless coordinates, too
  for (const auto& [where, factor] : blocks) {
    const auto [row, column] = where;
    for (int i = 0; i < D; ++i) values.emplace_back(D * row + i, D * column + i, std::real(factor));
    if (std::imag(factor) == 0) continue;
    values.emplace_back(D * row, D * column + 1, -std::imag(factor));
    values.emplace_back(D * row + 1, D * column, std::imag(factor));
  }
  M_.resize(layout_.nv, layout_.nv);
  M_.setFromTriplets(values.begin(), values.end());
  layout_.M = M_;
  layout_.M.coeffs().setZero();
}

template <int D>
NaturalWork<D> NaturalMap<D>::make_work() const {
  NaturalWork<D> work;
  work.x.resize(constants_.size(), V::Zero());
  work.xdot.resize(constants_.size(), V::Zero());
  work.dx.resize(rows_.vector_pairs().size(), V::Zero());
  work.ds.resize(rows_.scalar_pairs().size());
  work.curvature.setZero(rows_.rows());
  rows_.constant_gradients(work.dx.data(), work.ds.data());
  return work;
}

template <int D>
void NaturalMap<D>::position(double t, ConstVec q, NaturalWork<D>& work, Terms& terms) const {
  rows_.position({work.x.data(), scalars(q), t}, terms.g.data(), terms.nu.data(), work.dx.data(),
                 work.ds.data());
  double* values = terms.J.valuePtr();
  std::fill(values, values + terms.J.nonZeros(), 0.0);
  for (const Entry& entry : entries_) {  // (2)
    const V n = product(transposed(entry.factor), work.dx[size_t(entry.pair)]);
    for (int i = 0; i < D; ++i) values[entry.slot + i] += n[i];
  }
  for (size_t k = 0; k < scalar_slots_.size(); ++k) values[scalar_slots_[k]] += work.ds[k];
}

template <int D>
void NaturalMap<D>::bias(double t, ConstVec q, ConstVec v, NaturalWork<D>& work, Terms& terms) const {
  move_rows(v, work);
  rows_.curvature({{work.x.data(), scalars(q), t}, work.xdot.data(), scalars(v)}, work.curvature.data());
  terms.gamma = -work.curvature;
}

template <int D>
void NaturalMap<D>::magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const {
  q_size = layout_.q_scale;
  for (int n = 0; n < nodes(); ++n)
    v_size.template segment<D>(D * n).setConstant(v.template segment<D>(D * n).norm());
  for (int k = D * nodes(); k < layout_.nv; ++k) {
    q_size[k] = std::max(std::abs(q[k]), layout_.q_scale[k]);
    v_size[k] = std::abs(v[k]);
  }
}

template class NaturalMap<2>;
template class NaturalMap<3>;

}  // namespace driftless
