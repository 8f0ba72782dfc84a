#include "driftless/coordinates/natural/natural_tangents.hpp"

#include <algorithm>

namespace driftless {

// ---- what meets what ------------------------------------------------------------------------------------------------

// Components: those of the markers one after the other; of a planar body the scalar comes third, of a scalar it is all.
template <int D>
auto NaturalTangents<D>::group_of(const std::vector<size_t>& markers, int scalar, bool is_body) const
    -> Group {
  Group group;
  const int theta = D * map_.nodes() + scalar;  // its coordinate
  for (const size_t marker : markers)
    for (const auto& term : map_.terms_of(marker))
      for (int i = 0; i < D; ++i) group.columns.push_back(D * term.node + i);
  if (scalar >= 0) group.columns.push_back(theta);
  std::sort(group.columns.begin(), group.columns.end());
  group.columns.erase(std::unique(group.columns.begin(), group.columns.end()), group.columns.end());
  group.size = is_body ? kBody : markers.empty() ? 1 : D;
  group.map.assign(size_t(group.size) * group.columns.size(), 0.0);
  const auto entry = [&](int i, int column) -> double& {
    const auto at = std::lower_bound(group.columns.begin(), group.columns.end(), column);
    return group.map[size_t(i) * group.columns.size() + size_t(at - group.columns.begin())];
  };
  for (int m = 0; m < static_cast<int>(markers.size()); ++m)
    for (const auto& term : map_.terms_of(markers[size_t(m)]))
      for (int k = 0; k < D; ++k) {
        const VecOf<double, D> moved = product(term.factor, VecOf<double, D>(VecOf<double, D>::Unit(k)));
        for (int i = 0; i < D; ++i)
          entry((m == 0 ? 0 : kFirstAxis + D * (m - 1)) + i, D * term.node + k) += moved[i];
      }
  if (scalar >= 0) entry(is_body ? 2 : 0, theta) = 1;
  return group;
}

template <int D>
int NaturalTangents<D>::value_at(const SparseRows& matrix, int row, int column) {
  const int *begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row],
            *end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[row + 1];
  return static_cast<int>(std::lower_bound(begin, end, column) - matrix.innerIndexPtr());
}

template <int D>
void NaturalTangents<D>::find_places(Element& element, const Tangents& out) const {
  const bool forces = element.rows == 0;
  for (const int by : element.groups)
    for (const int of : element.groups) {
      auto &places = element.places.emplace_back(), &rates = element.rate_places.emplace_back();
      for (const int row : groups_[size_t(of)].columns)
        for (const int column : groups_[size_t(by)].columns) {
          if (out.parts.dynamics || out.parts.reactions) places.push_back(value_at(out.K, row, column));
          if (forces && out.parts.dynamics) rates.push_back(value_at(out.C, row, column));
        }
    }
  for (const int by : element.groups)
    for (int k = 0; k < element.rows; ++k) {
      auto& places = element.row_places.emplace_back();
      for (const int column : groups_[size_t(by)].columns)
        if (out.parts.velocity || out.parts.acceleration)
          places.push_back(value_at(out.parts.velocity ? out.L : out.S_q, element.row + k, column));
    }
}

template <int D>
NaturalTangents<D>::NaturalTangents(const Parts<D>& parts,
                                    const NaturalMap<D>& map,
                                    const std::vector<int>& theta_of,
                                    Tangents& out)
    : parts_(parts),
      map_(map),
      theta_of_(theta_of),
      bodies_(map.bodies()),
      jets_(parts,
            [&] {
              std::vector<int> slots;
              for (size_t k = 0; k < parts.scalars.size(); ++k)
                slots.push_back(static_cast<int>(parts.bodies() + k));
              return slots;
            }()),
      at_rest_(parts.bodies() + 1),
      no_sddot_(parts.scalars.size()) {
  const size_t markers = map.row_markers(), scalars = parts.scalars.size();
  for (size_t i = 0; i < markers; ++i) groups_.push_back(group_of({i}, -1, false));
  first_scalar_ = static_cast<int>(groups_.size());
  for (size_t k = 0; k < scalars; ++k) groups_.push_back(group_of({}, static_cast<int>(k), false));
  first_body_ = static_cast<int>(groups_.size());
  for (int body = 0; body < bodies_; ++body) {
    std::vector<size_t> own;
    for (size_t k = 0; k <= kAxes; ++k) own.push_back(map.center(body) + k);
    groups_.push_back(group_of(own, D == 2 ? theta_of_[size_t(body)] : -1, true));
  }
  for (size_t k = 0; k < scalars; ++k) groups_.push_back(group_of({}, static_cast<int>(k), false));
  size_t widest = 0;
  for (const Group& group : groups_) widest = std::max(widest, group.columns.size());
  along_.resize(kBody * widest);
  for (auto* list : {&x_, &xdot_, &xddot_}) list->resize(markers);
  for (auto* list : {&s_, &sdot_, &sddot_}) list->resize(scalars);

  map.rows().for_each([&](const auto& placed) {
    Element& element = blocks_.emplace_back();
    element.row = placed.row;
    element.rows = placed.block.rows;
    for (const int marker : placed.block.x) element.groups.push_back(marker);
    for (const int scalar : placed.block.s) element.groups.push_back(first_scalar_ + scalar);
  });
  for (const auto& seen : jets_.forces()) {
    Element& element = forces_.emplace_back();
    for (const int slot : seen.slots) element.groups.push_back(group_of_slot(slot));
  }
  std::vector<Eigen::Triplet<double>> K, C;
  const auto meet = [&](const std::vector<Element>& elements, auto& entries) {
    for (const Element& element : elements)
      for (const int of : element.groups)
        for (const int by : element.groups)
          for (const int row : groups_[size_t(of)].columns)
            for (const int column : groups_[size_t(by)].columns) entries.emplace_back(row, column, 0.0);
  };
  if (out.parts.dynamics || out.parts.reactions) {
    meet(blocks_, K);
    if (out.parts.dynamics) meet(forces_, K);
    out.K.setFromTriplets(K.begin(), K.end());
  }
  if (out.parts.dynamics) {
    meet(forces_, C);
    out.C.setFromTriplets(C.begin(), C.end());
  }
  if (out.parts.velocity) out.L = map.layout().J;
  if (out.parts.acceleration) out.S_q = out.S_v = map.layout().J;
  for (auto* list : {&blocks_, &forces_})
    for (Element& element : *list) find_places(element, out);
}

// out += sign Aᵀ ∂values B: values of group `of`, derivatives along the components of group `by` from `first` on.
template <int D>
template <class T>
void NaturalTangents<D>::spread(const T* values,
                                int of,
                                int by,
                                int first,
                                const std::vector<int>& places,
                                double sign,
                                SparseRows& out) {
  const Group &A = groups_[size_t(of)], &B = groups_[size_t(by)];
  const size_t rows = A.columns.size(), columns = B.columns.size();
  double* along = along_.data();  // size of A × columns
  const int last = std::min(B.size, first + static_cast<int>(std::size(values->d)));
  for (int i = 0; i < A.size; ++i)
    for (size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (int k = first; k < last; ++k)
        sum += values[i].d[size_t(k - first)] * B.map[size_t(k) * columns + c];
      along[size_t(i) * columns + c] = sign * sum;
    }
  const int* place = places.data();
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (int i = 0; i < A.size; ++i) sum += A.map[size_t(i) * rows + r] * along[size_t(i) * columns + c];
      out.valuePtr()[*place++] += sum;
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

template <int D>
template <class Block>
void NaturalTangents<D>::seed_and_take(
    const Block& block, Element& element, size_t seeded, bool by_q, ConstVec lambda, Tangents& out) {
  const bool reactions = by_q && (out.parts.dynamics || out.parts.reactions);
  const bool velocity = by_q && out.parts.velocity, acceleration = out.parts.acceleration;
  const bool is_marker = seeded < size_t(Block::vectors);
  const auto seed = [&](double one) {
    if (is_marker) {
      auto& x = (by_q ? x_ : xdot_)[size_t(block.x[seeded])];
      for (int i = 0; i < D; ++i) x[i].d[size_t(i)] = one;
    } else {
      (by_q ? s_ : sdot_)[size_t(block.s[seeded - size_t(Block::vectors)])].d[0] = one;
    }
  };
  seed(1);
  const Places<R, D> at{x_.data(), s_.data(), R(t_)};
  typename Block::template GradientOf<R> gradient;
  R r[Block::rows], alpha[Block::rows];
  block.gradient(at, gradient);
  if (velocity) block.nu(at, r);
  if (acceleration) block.curvature(MovingOf<R, D>{at, xdot_.data(), sdot_.data()}, alpha);
  for (int k = 0; k < Block::rows; ++k) {
    if (velocity) r[k] = -r[k];
    for (size_t i = 0; i < size_t(Block::vectors); ++i) {
      const auto marker = size_t(block.x[i]);
      if (velocity) r[k] += gradient.x[k][i].dot(xdot_[marker]);
      if (acceleration) alpha[k] += gradient.x[k][i].dot(xddot_[marker]);
    }
    for (size_t i = 0; i < size_t(Block::scalars); ++i) {
      const auto scalar = size_t(block.s[i]);
      if (velocity) r[k] += gradient.s[k][i] * sdot_[scalar];
      if (acceleration) alpha[k] += gradient.s[k][i] * sddot_[scalar];
    }
  }
  seed(0);
  const int by = element.groups[seeded];
  const Group& B = groups_[size_t(by)];
  const auto put = [&](const R& value, const std::vector<int>& places, double sign, SparseRows& matrix) {
    for (size_t c = 0; c < places.size(); ++c) {
      double sum = 0;
      for (int i = 0; i < B.size; ++i) sum += value.d[size_t(i)] * B.map[size_t(i) * places.size() + c];
      matrix.valuePtr()[places[c]] += sign * sum;
    }
  };
  for (int k = 0; k < Block::rows; ++k) {
    const auto& places = element.row_places[seeded * size_t(Block::rows) + size_t(k)];
    if (velocity) put(r[k], places, 1, out.L);
    if (acceleration) put(alpha[k], places, -1, by_q ? out.S_q : out.S_v);
  }
  if (!reactions) return;
  for (size_t b = 0; b < element.groups.size(); ++b) {
    R push[D];
    for (int k = 0; k < Block::rows; ++k) {
      const double l = lambda[element.row + k];
      if (b < size_t(Block::vectors))
        for (int i = 0; i < D; ++i) push[i] += gradient.x[k][b][i] * l;
      else
        push[0] += gradient.s[k][b - size_t(Block::vectors)] * l;
    }
    spread(push, element.groups[b], by, 0, element.places[seeded * element.groups.size() + b], 1, out.K);
  }
}

template <int D>
template <class Block>
void NaturalTangents<D>::run_block(const Block& block, Element& element, ConstVec lambda, Tangents& out) {
  const auto& groups = element.groups;
  for (size_t seeded = 0; seeded < groups.size(); ++seeded) {
    if (std::find(groups.begin(), groups.begin() + long(seeded), groups[seeded]) !=
        groups.begin() + long(seeded))
      continue;  // a vector with itself
    seed_and_take(block, element, seeded, true, lambda, out);
    if (out.parts.acceleration) seed_and_take(block, element, seeded, false, lambda, out);
  }
}

// ---- forces ---------------------------------------------------------------------------------------------------------

template <int D>
void NaturalTangents<D>::seed_place(int slot, int first) {
  if (slot >= bodies_) {
    if (first == 0) jets_.s(slot - bodies_).d[0] = 1;
    return;
  }
  auto& frame = jets_.frame(slot);
  auto& twist = jets_.twist(slot);
  const VecOf<double, D>*x = nodes_->x.data() + map_.center(slot),
                      *xdot = nodes_->xdot.data() + map_.center(slot);
  for (size_t k = 0; k < kWidth; ++k) {
    const int component = first + static_cast<int>(k), axis = (component - kFirstAxis) / D;
    if (component < D) {
      frame.r[component].d[k] = 1;
    } else if (component < kFirstAxis) {
      if constexpr (D == 2)
        if (theta_of_[size_t(slot)] >= 0) frame.theta.d[k] = 1;
    } else if (axis < kAxes) {
      const int i = (component - kFirstAxis) % D;
      if constexpr (D == 3) {
        frame.R(i, axis).d[k] = 1;
        const Vec3 omega = 0.5 * Vec3(Vec3::Unit(i)).cross(xdot[1 + axis]);
        for (int l = 0; l < 3; ++l) twist.omega[l].d[k] = omega[l];
      } else {
        const Vec2 &e = x[1], unit = Vec2::Unit(i);
        const double square = e.squaredNorm();
        (i == 0 ? frame.c : frame.s).d[k] = 1;
        if (theta_of_[size_t(slot)] < 0) frame.theta.d[k] = moment_of(e, unit) / square;
        twist.omega.d[k] = (moment_of(unit, xdot[1]) - 2 * e[i] * moment_of(e, xdot[1]) / square) / square;
      }
    }
  }
}

template <int D>
void NaturalTangents<D>::seed_rate(int slot, int first) {
  if (slot >= bodies_) {
    if (first == 0) jets_.sdot(slot - bodies_).d[0] = 1;
    return;
  }
  auto& twist = jets_.twist(slot);
  const VecOf<double, D>* x = nodes_->x.data() + map_.center(slot);
  for (size_t k = 0; k < kWidth; ++k) {
    const int component = first + static_cast<int>(k), axis = (component - kFirstAxis) / D;
    if (component < D) {
      twist.r[component].d[k] = 1;
    } else if (component >= kFirstAxis && axis < kAxes) {
      const VecOf<double, D> unit = VecOf<double, D>::Unit((component - kFirstAxis) % D);
      if constexpr (D == 3) {
        const Vec3 omega = 0.5 * x[1 + axis].cross(unit);
        for (int l = 0; l < 3; ++l) twist.omega[l].d[k] = omega[l];
      } else {
        twist.omega.d[k] = moment_of(x[1], unit) / x[1].squaredNorm();
      }
    }
  }
}

template <int D>
void NaturalTangents<D>::take_force(
    Element& element, const typename Jets::Element& seen, int seeded, int first, bool by_q, SparseRows& out) {
  const auto& slots = seen.slots;
  const auto at = size_t(std::find(slots.begin(), slots.end(), seeded) - slots.begin());
  for (size_t b = 0; b < slots.size(); ++b) {
    const auto& places = (by_q ? element.places : element.rate_places)[at * slots.size() + b];
    S push[kBody];
    if (slots[b] >= bodies_) {
      push[0] = jets_.load(slots[b] - bodies_);
    } else {
      const auto& frame = jets_.frame(slots[b]);
      const auto& wrench = jets_.wrench(slots[b]);
      for (int i = 0; i < D; ++i) push[i] = wrench.force[i];
      if constexpr (D == 2) {
        const S turn = wrench.moment / (frame.c * frame.c + frame.s * frame.s);
        push[kFirstAxis] = -(turn * frame.s);
        push[kFirstAxis + 1] = turn * frame.c;
      } else {
        for (int k = 0; k < 3; ++k) {
          const VecOf<S, 3> e = frame.R.col(k), half = wrench.moment.cross(e);
          for (int i = 0; i < 3; ++i) push[kFirstAxis + 3 * k + i] = half[i] * 0.5;
        }
      }
    }
    spread(push, element.groups[b], element.groups[at], first, places, -1, out);
  }
}

template <int D>
void NaturalTangents<D>::fill(double t,
                              ConstVec q,
                              ConstVec v,
                              ConstVec a,
                              ConstVec lambda,
                              const WorkOf<D>& bodies,
                              const NaturalWork<D>& nodes,
                              Tangents& out) {
  t_ = t;
  nodes_ = &nodes;
  for (SparseRows* matrix : {&out.K, &out.C, &out.L, &out.S_q, &out.S_v})
    std::fill(matrix->valuePtr(), matrix->valuePtr() + matrix->nonZeros(), 0.0);
  for (size_t i = 0; i < x_.size(); ++i) {
    x_[i] = nodes.x[i].template cast<R>();
    xdot_[i] = nodes.xdot[i].template cast<R>();
    VecOf<double, D> sum = VecOf<double, D>::Zero();
    for (const auto& term : map_.terms_of(i))
      sum += product(term.factor, VecOf<double, D>(a.template segment<D>(D * term.node)));
    xddot_[i] = sum.template cast<R>();
  }
  for (size_t k = 0; k < s_.size(); ++k) {
    s_[k] = R(map_.scalars(q)[k]);
    sdot_[k] = R(map_.scalars(v)[k]);
    sddot_[k] = R(map_.scalars(a)[k]);
  }
  size_t index = 0;
  map_.rows().for_each([&](const auto& placed) { run_block(placed.block, blocks_[index++], lambda, out); });
  if (!out.parts.dynamics) return;
  jets_.stand(t, bodies, at_rest_, no_sddot_);
  for (int first = 0; first < kBody; first += kWidth) {
    jets_.run_forces([&](int slot) { seed_place(slot, first); },
                     [&](int i, const auto& seen, int slot) {
                       take_force(forces_[size_t(i)], seen, slot, first, true, out.K);
                     });
    jets_.run_forces([&](int slot) { seed_rate(slot, first); },
                     [&](int i, const auto& seen, int slot) {
                       take_force(forces_[size_t(i)], seen, slot, first, false, out.C);
                     });
  }
}

template class NaturalTangents<2>;
template class NaturalTangents<3>;

}  // namespace driftless
