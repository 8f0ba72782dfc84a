// Systems in natural coordinates (natural_basis.hpp), the part that is the same in the plane and in space:
//   q = (nodes, scalars),  v = q̇,  markers x = c + Σ C_k n_k                                                          (1)
//   J = Σ ∂g/∂x C_k,   γ = −curvature of the blocks; the rows of rigid bodies and of most joints are quadratic        (2)
//   M = Σ_bodies m C_cᵀ C_c + Σ_kl P_kl C_kᵀ C_l    constant, no velocity terms in f                                   (3)
// c: centre of mass, k: directions of the body, P = ∫ρρᵀdm about the centre of mass: ½ tr(I) 1 − I in space; in the plane
// one direction stands for both and P = I. A force F and a moment τ about the centre of mass act on the nodes as
//   f = C_cᵀ F + Σ_k C_kᵀ (½ τ × e_k)     planar: C_1ᵀ (τ e⊥/e·e)                                                      (4)
//   García de Jalón & Bayo 1994, sections 4.2.1 (planar (4.34)), 4.2.3–4.2.4 (spatial), 4.3
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "driftless/constraints/row_set.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/natural/natural_basis.hpp"

namespace driftless {

// A model as natural coordinates are chosen for it.
template <int D>
struct NaturalParts {
  NaturalBodies<D> bodies;
  std::vector<double> masses;
  std::vector<Eigen::Matrix<double, BodyBasis<D>::count, BodyBasis<D>::count>> second_moments;  // P of (3)
  std::vector<Marker<D>> markers;                                                               // of the rows
  RowSet<D> rows;
  std::set<std::string> joints;  // whose blocks may be replaced by sharing; drivers keep their rows
  // Scalars, which follow the nodes as massless coordinates.
  struct Scalar {
    std::string name, unit;
    double scale;
  };
  std::vector<Scalar> scalars;
};

template <int D>
struct NaturalWork {
  using V = VecOf<double, D>;
  std::vector<V> x, xdot;  // markers: those of the rows, then those of the bodies
  std::vector<V> dx;       // gradients of the vector pairs of the rows
  std::vector<double> ds;  // gradients of their scalar pairs
  Vec curvature;
};

// The linear maps (1)–(4), laid out flat.
template <int D>
class NaturalMap {
 public:
  using V = VecOf<double, D>;
  static constexpr int kAxes = BodyBasis<D>::count;  // directions of a body

  explicit NaturalMap(NaturalParts<D> parts);

  const Layout& layout() const { return layout_; }
  const NaturalBasis<D>& basis() const { return basis_; }
  int nodes() const { return static_cast<int>(basis_.nodes().size()); }
  int bodies() const { return bodies_; }
  const double* scalars(ConstVec q) const { return q.data() + D * nodes(); }
  NaturalWork<D> make_work() const;

  // Markers of rows and bodies, and their velocities; those of rows only, or of bodies only.
  void place(ConstVec q, NaturalWork<D>& work) const {
    evaluate(q, 0, x_begin_.size() - 1, work.x.data(), true);
  }
  void move_rows(ConstVec v, NaturalWork<D>& work) const {
    evaluate(v, 0, row_markers_, work.xdot.data(), false);
  }
  void move_bodies(ConstVec v, NaturalWork<D>& work) const {
    evaluate(v, row_markers_, x_begin_.size() - 1, work.xdot.data(), false);
  }
  const RowSet<D>& rows() const { return rows_; }  // their markers are the first ones here
  size_t row_markers() const { return row_markers_; }
  std::span<const typename Combination<D>::Term> terms_of(size_t marker) const {  // (1)
    return {terms_.data() + x_begin_[marker], x_begin_[marker + 1] - x_begin_[marker]};
  }
  // Where the centre of mass of a body is among the markers; its directions follow.
  size_t center(int body) const { return row_markers_ + size_t(body) * (1 + kAxes); }

  void position(double t, ConstVec q, NaturalWork<D>& work, Terms& terms) const;  // after place()
  void bias(double t, ConstVec q, ConstVec v, NaturalWork<D>& work, Terms& terms) const;
  void mass(Terms& terms) const { copy_values(M_.valuePtr(), M_.nonZeros(), terms.M.valuePtr()); }
  // f += Cᵀ push for a marker of a body.
  void push(size_t marker, const V& force, VecRef f) const {
    for (size_t k = x_begin_[marker]; k < x_begin_[marker + 1]; ++k)
      f.template segment<D>(D * terms_[k].node) += product(transposed(terms_[k].factor), force);
  }
  void magnitudes(ConstVec q, ConstVec v, VecRef q_size, VecRef v_size) const;

 private:
  using Term = typename Combination<D>::Term;
  struct Entry {  // of J: factorᵀ · gradient of `pair` goes to `slot`
    int pair, slot;
    Factor<D> factor;
  };

  void evaluate(ConstVec q, size_t from, size_t to, V* x, bool with_constants) const {
    const double* data = q.data();
    for (size_t i = from; i < to; ++i) {
      V sum = with_constants ? constants_[i] : V(V::Zero());
      for (size_t k = x_begin_[i]; k < x_begin_[i + 1]; ++k)
        sum += product(terms_[k].factor, V(Eigen::Map<const V>(data + D * terms_[k].node)));
      x[i] = sum;
    }
  }
  void add_marker(const Marker<D>& marker);
  void add_rows(const NaturalParts<D>& parts);
  void name_coordinates(const NaturalParts<D>& parts);
  void lay_out_rows();
  void make_mass(const NaturalParts<D>& parts);

  NaturalBasis<D> basis_;
  int bodies_ = 0;
  RowSet<D> rows_;
  size_t row_markers_ = 0;
  std::vector<V> constants_;     // per marker: (1)
  std::vector<size_t> x_begin_;  // per marker, its first of `terms_`; one more at the end
  std::vector<Term> terms_;
  std::vector<Entry> entries_;
  std::vector<int> scalar_slots_;
  Layout layout_;
  SparseRows M_;  // (3)
};

extern template class NaturalMap<2>;
extern template class NaturalMap<3>;

// A model in natural coordinates.
template <int D>
CompiledModel compile_natural(const Model& model, const std::string& source);
// InputError where nothing moves or there are more rows than coordinates.
void check_natural_size(const Layout& layout, const std::string& source);
// InputError unless the bodies stand where nodes read off at `frames` put them: they do not where an assembled joint has
// its axes the other way round than the initial position, which decides on sharing.
template <int D>
struct NaturalFrame {
  VecOf<double, D> center;
  Eigen::Matrix<double, D, D> axes;
};
template <int D>
void check_natural_start(const NaturalMap<D>& map,
                         ConstVec q,
                         const std::vector<NaturalFrame<D>>& frames,
                         const std::vector<std::string>& body_names,
                         const std::string& source);

}  // namespace driftless
