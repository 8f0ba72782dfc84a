// All constraint rows of a system: blocks in batches, one batch a kind, so that nothing is dispatched per element. The
// gradients come out as two flat lists, one entry per (row, marker) and per (row, scalar) pair; a coordinate set maps
// entries to the columns of J. Holonomic rows are numbered first.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "driftless/constraints/coupled_slides.hpp"
#include "driftless/constraints/driven_distance.hpp"
#include "driftless/constraints/nonholonomic_blocks.hpp"
#include "driftless/constraints/slip_blocks.hpp"

namespace driftless {

template <int D>
class RowSet {
 public:
  struct Pair {
    int row;
    int of;  // marker or scalar
  };

  // A block whose rows belong to `owner` and are called OWNER.LABEL. With `velocity_only` a holonomic block holds at
  // velocity level alone: its position is whatever the motion makes it.
  template <class Block>
  void add(const Block& block,
           const std::string& owner,
           std::vector<std::string> labels,
           bool velocity_only = false);
  // Numbers rows and pairs; to be called once, after the last add().
  void finish();

  int rows() const { return static_cast<int>(names_.size()); }
  int holonomic_rows() const { return holonomic_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& owners() const { return owners_; }  // per row
  int blocks() const { return added_; }
  const std::vector<int>& block_of() const { return block_of_; }  // per row: in the order of add()
  const std::vector<Pair>& vector_pairs() const { return vector_pairs_; }
  const std::vector<Pair>& scalar_pairs() const { return scalar_pairs_; }

  // Gradients that never change, to be filled in once; position() leaves them alone.
  void constant_gradients(VecOf<double, D>* dx, double* ds) const;
  // g, ν and the gradients of the pairs.
  void position(const Places<double, D>& at, double* g, double* nu, VecOf<double, D>* dx, double* ds) const {
    position(at, g, nu, dx, ds, [](const auto&, const auto&) {});
  }
  // The same; besides visit(placed, gradient), block by block, for sets that spread gradients while they are at hand.
  template <class Visit>
  void position(const Places<double, D>& at,
                double* g,
                double* nu,
                VecOf<double, D>* dx,
                double* ds,
                Visit&& visit) const;
  // c of marker_blocks.hpp (1), for every row.
  void curvature(const Moving<D>& moving, double* c) const;
  // γ of (2), for every row, from the gradients position() gave and the biases of markers: bias(marker) where a block asks for
  // nothing else, `biases` where it asks for velocities, too.
  template <class Bias>
  void gamma(const Moving<D>& moving,
             const Bias& bias,
             const VecOf<double, D>* biases,
             const VecOf<double, D>* dx,
             double* out) const;
  // g on any scalar: what tests differentiate.
  template <class S>
  void residual(const Places<S, D>& at, S* g) const;
  // Left sides A ẋ + a ṡ of all nonholonomic rows on any scalar, from row holonomic_rows() on; rows held at velocity level
  // only are left out (their gradients are those of `value`).
  template <class S>
  void rates(const Places<S, D>& at, const VecOf<S, D>* xdot, const S* sdot, S* out) const;

  template <class Visit>
  void functions(Visit&& visit) const {
    for_each([&](const auto& placed) { placed.block.functions(visit); });
  }
  // Every block with its place: visit(placed), placed.block, placed.row, placed.velocity_only.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::apply([&](const auto&... batch) { (..., visit_batch(batch, visit)); }, batches_);
  }

 private:
  template <class Block>
  struct Placed {
    Block block;
    int row = 0, vector_pair = 0, scalar_pair = 0;
    bool velocity_only = false;
    int order = 0;  // position in the order of add()
    std::string owner;
    std::vector<std::string> labels;
  };
  template <class... Blocks>
  using Batches = std::tuple<std::vector<Placed<Blocks>>...>;
  using Planar = Batches<markers::Coincident<D>,
                         markers::Dot<D>,
                         markers::Along<D, 0>,
                         markers::Along<D, 1>,
                         markers::Along<D, 2>,
                         markers::Distance<D>,
                         markers::DrivenDistance<D>,
                         markers::Angle<D, 0>,
                         markers::Angle<D, 1>,
                         markers::Sum<D, 0>,
                         markers::Sum<D, 1>,
                         markers::Sum<D, 2>,
                         markers::Sum<D, 3>,
                         markers::Follow<D, 0>,
                         markers::Follow<D, 1>,
                         markers::NoSlip<D>>;
  using SpatialOnly = Batches<markers::Parallel<D>,
                              markers::EqualDots<D>,
                              markers::RimTouches<D>,
                              markers::Rolls<D>,
                              markers::SphereSlip<D>>;
  template <int Plane>
  using PlanarOnly = Batches<markers::OnCurve<Plane>,
                             markers::Sum<Plane, 4>,
                             markers::CoupledSlides<Plane>,
                             markers::RoundSlip<Plane, 1>,
                             markers::RoundSlip<Plane, 2>,
                             markers::CurveSlip<Plane, 0>,
                             markers::CurveSlip<Plane, 1>,
                             markers::CurveSlip<Plane, 2>>;
  static auto all_batches() {
    if constexpr (D == 3) {
      return std::tuple_cat(Planar{}, SpatialOnly{});
    } else {
      return std::tuple_cat(Planar{}, PlanarOnly<D>{});
    }
  }

  template <class Item, class Gradient>
  static void keep(const Item& placed, const Gradient& gradient, VecOf<double, D>* dx, double* ds);
  template <class Batch, class Visit>
  static void visit_batch(Batch& batch, Visit&& visit) {
    for (auto& placed : batch) visit(placed);
  }
  template <class Visit>
  void for_each_mutable(Visit&& visit) {
    std::apply([&](auto&... batch) { (..., visit_batch(batch, visit)); }, batches_);
  }

  decltype(all_batches()) batches_;
  int added_ = 0, holonomic_ = 0;
  std::vector<std::string> names_, owners_;
  std::vector<int> block_of_;
  std::vector<Pair> vector_pairs_, scalar_pairs_;
};

template <int D>
template <class Block>
void RowSet<D>::add(const Block& block,
                    const std::string& owner,
                    std::vector<std::string> labels,
                    bool velocity_only) {
  Placed<Block> placed;
  placed.block = block;
  placed.order = added_++;
  placed.owner = owner;
  placed.labels = std::move(labels);
  placed.velocity_only = velocity_only || !Block::holonomic;
  std::get<std::vector<Placed<Block>>>(batches_).push_back(std::move(placed));
}

template <int D>
void RowSet<D>::finish() {
  struct Entry {
    bool velocity_only;
    int order;
    int* row;
    const std::string* owner;
    const std::vector<std::string>* labels;
  };
  std::vector<Entry> entries;
  for_each_mutable([&](auto& placed) {
    entries.push_back({placed.velocity_only, placed.order, &placed.row, &placed.owner, &placed.labels});
  });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.velocity_only, a.order) < std::tie(b.velocity_only, b.order);
  });
  names_.clear();
  owners_.clear();
  block_of_.clear();
  holonomic_ = 0;
  for (const Entry& entry : entries) {
    *entry.row = static_cast<int>(names_.size());
    for (const auto& label : *entry.labels) {
      names_.push_back(*entry.owner + "." + label);
      owners_.push_back(*entry.owner);
      block_of_.push_back(entry.order);
    }
    if (!entry.velocity_only) holonomic_ = static_cast<int>(names_.size());
  }
  vector_pairs_.clear();
  scalar_pairs_.clear();
  for_each_mutable([&](auto& placed) {
    placed.vector_pair = static_cast<int>(vector_pairs_.size());
    placed.scalar_pair = static_cast<int>(scalar_pairs_.size());
    for (int r = 0; r < placed.block.rows; ++r) {
      for (const int marker : placed.block.x) vector_pairs_.push_back({placed.row + r, marker});
      for (const int scalar : placed.block.s) scalar_pairs_.push_back({placed.row + r, scalar});
    }
  });
}

template <int D>
template <class Item, class Gradient>
void RowSet<D>::keep(const Item& placed, const Gradient& gradient, VecOf<double, D>* dx, double* ds) {
  using Block = std::decay_t<decltype(placed.block)>;
  VecOf<double, D>* x = dx + placed.vector_pair;
  double* s = ds + placed.scalar_pair;
  for (int r = 0; r < Block::rows; ++r) {
    for (int k = 0; k < Block::vectors; ++k, ++x)
      for (int i = 0; i < D; ++i) (*x)[i] = gradient.x[r][k][i];
    for (int k = 0; k < Block::scalars; ++k) *s++ = gradient.s[r][k];
  }
}

template <int D>
void RowSet<D>::constant_gradients(VecOf<double, D>* dx, double* ds) const {
  for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    if constexpr (Block::constant_gradient) {
      typename Block::Gradient gradient;
      placed.block.gradient(Places<double, D>{}, gradient);
      keep(placed, gradient, dx, ds);
    }
  });
}

template <int D>
template <class Visit>
void RowSet<D>::position(const Places<double, D>& at,
                         double* g,
                         double* nu,
                         VecOf<double, D>* dx,
                         double* ds,
                         Visit&& visit) const {
  for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    if constexpr (Block::holonomic)
      if (!placed.velocity_only) placed.block.value(at, g + placed.row);
    placed.block.nu(at, nu + placed.row);
    typename Block::Gradient gradient;
    placed.block.gradient(at, gradient);
    if constexpr (!Block::constant_gradient) keep(placed, gradient, dx, ds);
    visit(placed, gradient);
  });
}

template <int D>
void RowSet<D>::curvature(const Moving<D>& moving, double* c) const {
  for_each([&](const auto& placed) { placed.block.curvature(moving, c + placed.row); });
}

template <int D>
template <class Bias>
void RowSet<D>::gamma(const Moving<D>& moving,
                      const Bias& bias,
                      const VecOf<double, D>* biases,
                      const VecOf<double, D>* dx,
                      double* out) const {
  for_each([&](const auto& placed) {
    using Block = std::decay_t<decltype(placed.block)>;
    double* own = out + placed.row;
    if constexpr (Block::gamma_by_biases) {
      placed.block.gamma(bias, own);
    } else {
      placed.block.curvature(moving, own);
      const VecOf<double, D>* n = dx + placed.vector_pair;
      for (int r = 0; r < Block::rows; ++r) {
        double sum = own[r];
        for (size_t k = 0; k < Block::vectors; ++k) sum += (n++)->dot(biases[placed.block.x[k]]);
        own[r] = -sum;
      }
    }
  });
}

template <int D>
template <class S>
void RowSet<D>::residual(const Places<S, D>& at, S* g) const {
  for_each([&](const auto& placed) {
    if constexpr (std::decay_t<decltype(placed.block)>::holonomic)
      if (!placed.velocity_only) placed.block.value(at, g + placed.row);
  });
}

template <int D>
template <class S>
void RowSet<D>::rates(const Places<S, D>& at, const VecOf<S, D>* xdot, const S* sdot, S* out) const {
  for_each([&](const auto& placed) {
    if constexpr (!std::decay_t<decltype(placed.block)>::holonomic)
      placed.block.rate(at, xdot, sdot, out + (placed.row - holonomic_));
  });
}

}  // namespace driftless
