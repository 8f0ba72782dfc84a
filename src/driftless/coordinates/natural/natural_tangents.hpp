// Tangents (system/tangents/tangents.hpp) of a mechanism in natural coordinates, exact. M is constant and markers are linear in q, so that
//   δρ = Cᵀ δ(λ ∂g/∂x) − δf,   δr and δσ from the blocks                                                                 (1)
// Blocks on jets of one marker at a time; forces on jets of one body at a time, along its centre and its directions e_k, from which its
// frame, its twist and what a wrench does to the nodes follow ((1), (2) of natural_model.cpp, (4) of natural_system.hpp), half of them
// at a time: signals know jets of that width. What comes out is spread from markers to nodes on both sides.
#pragma once

#include <vector>

#include "driftless/coordinates/mechanism/element_jets.hpp"
#include "driftless/coordinates/natural/natural_system.hpp"

namespace driftless {

template <int D>
class NaturalTangents final : public TangentWork {
 public:
  // `theta_of`: plane: per body, the scalar that counts its turns; −1: none.
  NaturalTangents(const Parts<D>& parts,
                  const NaturalMap<D>& map,
                  const std::vector<int>& theta_of,
                  Tangents& out);

  // At (t, q, v), where `bodies` has frames and twists and `nodes` all markers and their velocities.
  void fill(double t,
            ConstVec q,
            ConstVec v,
            ConstVec a,
            ConstVec lambda,
            const WorkOf<D>& bodies,
            const NaturalWork<D>& nodes,
            Tangents& out);

 private:
  static constexpr int kAxes = NaturalMap<D>::kAxes;
  // Of a body: space r, e_1, e_2, e_3; plane r, θ where it is counted, e.
  static constexpr int kFirstAxis = 3, kBody = kFirstAxis + D * kAxes, kWidth = D == 3 ? 6 : 3;
  using Jets = ElementJets<D, kWidth>;
  using S = typename Jets::S;
  using R = Dual<double, D>;  // of rows

  // Something with a few components, linear in a few coordinates: a marker of rows, a scalar, a body.
  struct Group {
    int size = 0;
    std::vector<int> columns;
    std::vector<double> map;  // size × columns
  };
  // Groups an element sees, and where entries stand: seeded group by group, those of the others, then those of rows.
  struct Element {
    std::vector<int> groups;
    std::vector<std::vector<int>> places, rate_places, row_places;
    int row = 0, rows = 0;
  };

  Group group_of(const std::vector<size_t>& markers, int scalar, bool is_body) const;
  static int value_at(const SparseRows& matrix, int row, int column);
  void find_places(Element& element, const Tangents& out) const;
  template <class T>
  void spread(const T* values,
              int of,
              int by,
              int first,
              const std::vector<int>& places,
              double sign,
              SparseRows& out);
  template <class Block>
  void run_block(const Block& block, Element& element, ConstVec lambda, Tangents& out);
  template <class Block>
  void seed_and_take(
      const Block& block, Element& element, size_t seeded, bool by_q, ConstVec lambda, Tangents& out);
  // `first`: of the components of a body that jets are taken along.
  void seed_place(int slot, int first);
  void seed_rate(int slot, int first);
  void take_force(Element& element,
                  const typename Jets::Element& seen,
                  int seeded,
                  int first,
                  bool by_q,
                  SparseRows& out);
  int group_of_slot(int slot) const { return first_body_ + slot; }

  const Parts<D>& parts_;
  const NaturalMap<D>& map_;
  const std::vector<int> theta_of_;
  const int bodies_;
  int first_scalar_ = 0, first_body_ = 0;  // groups: markers of rows, scalars, bodies, scalars again as slots
  std::vector<Group> groups_;
  Jets jets_;
  std::vector<Element> blocks_, forces_;
  double t_ = 0;
  const NaturalWork<D>* nodes_ = nullptr;
  std::vector<VecOf<R, D>> x_, xdot_, xddot_;  // markers of the rows
  std::vector<R> s_, sdot_, sddot_;
  std::vector<TwistOf<double, D>> at_rest_;  // forces see no accelerations
  std::vector<double> no_sddot_;
  std::vector<double> along_;  // spread()
};

extern template class NaturalTangents<2>;
extern template class NaturalTangents<3>;

}  // namespace driftless
