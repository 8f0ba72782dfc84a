// Tangents (system/tangents/tangents.hpp) of a mechanism on a tree, exact. Elements by jets (element_jets.hpp), one body at a time moved along
// the six motions about a common point (motion_vectors.hpp); the tree in closed form. With S_j the motion of a coordinate j, v_i
// and a_i motion and its rate of link i, * the link inboard of j (of a ball passed in reverse: its own), everything outboard of j is
// carried along by S_j but for what the inboard side does:
//   β = v* × S_j,   κ = a* × S_j + v* × β:      δv_i = S_j × v_i + β,   δa_i = S_j × a_i + κ + β × v_i                   (1)
// and along the rate of j: S_j in the place of β, (v* + v_j) × S_j in the place of κ, nothing carried.                    (2)
// ρ_k = S_k·F_k, where F_k sums inertia and the wrenches w of rows and forces over all links outboard of k. With I_k and B_k, the sums
// of inertias and of gyrations (motion_vectors.hpp), and δ'w = δw less what is carried along,
//   δρ_k = S_k·(I_k κ + B_k β + Σ δ'w)                              k outboard of j                                      (3)
//   δρ_k = S_k·(I_j κ + B_j β + S_j ×* F_j + Σ δ'w)                 k inboard of j, or j                                 (4)
// k = j of a ball that carries its axes along: without S_j ×* F_j. Gravity is an acceleration of the ground in κ.
//   Carpentier & Mansard 2018; Singh, Russell & Wensing 2022, for joints of one coordinate
// Patterns: coordinates meet on a path to the root, and where an element sees links outboard of both.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "driftless/coordinates/mechanism/element_jets.hpp"
#include "driftless/coordinates/relative/motion_vectors.hpp"
#include "driftless/coordinates/relative/tree/tree.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

template <int D>
class RelativeTangents final : public TangentWork {
 public:
  // A scalar is a rate of the layout times a factor; plane: none, scalars are angles of bodies.
  using Sources = std::vector<std::pair<int, double>>;
  RelativeTangents(
      const Parts<D>& parts, const Tree<D>& tree, const Layout& layout, Sources sources, Tangents& out);

  // At (t, q, v), where `work` and `at` have places and velocities, with accelerations a and multipliers lambda.
  void fill(double t,
            ConstVec v,
            ConstVec a,
            ConstVec lambda,
            const WorkOf<D>& work,
            const TreeWork<D>& at,
            Tangents& out);

 private:
  using Space = MotionSpace<D>;
  using Column = typename Space::Column;
  using Matrix = typename Space::Matrix;
  using Vector = typename Space::Vector;
  static constexpr int kSpin = Space::kSpin, kSize = Space::kSize;
  using Jets = ElementJets<D, kSize>;
  using S = typename Jets::S;
  using Element = typename Jets::Element;

  // A node is a link, or, behind them, a scalar, whose motion has one component. What elements do to node `of` where another
  // node is displaced, and where it moves.
  struct Meeting {
    int of;
    Matrix by_place, by_rate;
  };
  // A row and a node: r and α = J a − γ where it is displaced, J, and α where it moves.
  struct RowMeeting {
    int row;
    Column r_by_place, r_by_rate, by_place, by_rate;
  };
  // Entries of a column: row, place among the values.
  using Entries = std::vector<std::pair<int, int>>;
  using Pattern = std::vector<std::vector<int>>;

  static std::vector<int> scalar_slots(const Parts<D>& parts);
  int node_of(int slot) const;
  std::span<const int> outboard(int link) const {  // itself and what is outboard of it
    return {order_.data() + first_[size_t(link)], size_t(count_[size_t(link)])};
  }
  int count_of(int link) const { return Tree<D>::width(tree_.link(link).kind); }
  void list_meetings(const std::vector<Element>& elements, std::vector<std::vector<int>>& places);
  void find_patterns(const Layout& layout, Tangents& out);
  Pattern pairs_on_paths(bool with_rows) const;
  void make_matrix(const Pattern& nodes, SparseRows& matrix, std::vector<Entries>& entries) const;
  void make_rows(const Layout& layout, Tangents& out);
  std::vector<int> columns_of(int node) const;

  void seed_place(int slot);
  void seed_rate(int slot);
  void find_motion(ConstVec v, ConstVec a, const WorkOf<D>& work, const TreeWork<D>& at);
  void run_elements(double t, ConstVec lambda, const WorkOf<D>& work, const TangentParts& parts);
  void take_wrenches(
      const Element& element, const std::vector<int>& places, int seeded, double sign, bool by_place);
  void take_rows(const Element& element, const std::vector<int>& places, int seeded, bool by_place);
  void add_inertia(const WorkOf<D>& work, const TreeWork<D>& at);
  void sum_up(bool with_inertia);
  void column_by_place(int link, int component, Tangents& out);
  void column_by_rate(int link, int component, Tangents& out);
  void scalars_by_place(int column, const TangentParts& parts);
  void scalars_by_rate(int column, const TangentParts& parts);
  void gather();  // rho_ ← Σ over what is outboard, of pushes_, which are used up
  void put(const Entries& entries, const Vec& values, double sign, SparseRows& matrix) const;
  void put_rows(int column, bool by_place, Tangents& out);

  const Parts<D>& parts_;
  const Tree<D>& tree_;
  const int nv_, m_, links_, bodies_;
  const Sources sources_;
  Jets jets_;
  std::vector<char> own_axes_;  // per link: a ball passed in reverse
  std::vector<int> order_, first_,
      count_;  // links branch by branch; per link where it and its branch stand there
  std::vector<std::vector<int>> scalars_at_;    // per rate: scalars
  std::vector<std::vector<Meeting>> meetings_;  // per node that moves
  std::vector<std::vector<RowMeeting>> rows_;   // likewise
  std::vector<std::vector<int>> block_places_, block_rows_,
      force_places_;                          // per element, seeded slot by slot
  std::vector<Entries> K_, C_, row_entries_;  // per column

  const WorkOf<D>* work_ = nullptr;
  Vector origin_ = Vector::Zero();
  std::vector<Column> motions_;                    // S, per rate of the tree
  std::vector<Column> v_, a_;                      // per link
  std::vector<Matrix> inertia_, gyration_;         // I_k, B_k
  std::vector<Column> wrench_;                     // F_k
  std::vector<Column> inertia_by_, gyration_by_;   // I_k S_k, B_kᵀ S_k per rate
  std::vector<TwistOf<double, D>> accelerations_;  // bodies, then ground
  std::vector<double> sddot_;
  std::vector<Column> pushes_;  // per node
  Vec rho_, r_, alpha_;         // a column
};

}  // namespace driftless
