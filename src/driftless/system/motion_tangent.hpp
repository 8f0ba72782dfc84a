// Derivatives of the equations of motion, accelerations and multipliers held:
//   ρ = M a + Jᵀλ − f,      σ = c − J a,      r = J v − ν                                                             (1)
// with c = γ, or what a formulation puts in its place. With the factors of the motion itself they give those of (a, λ):
//   [ M  Jᵀ ] [δa]   [−δρ]
//   [ J  0  ] [δλ] = [ δσ]                                                          Negrut, Haug & German (22)–(40)   (2)
// By central differences of the terms, M among them: nothing is factored. Relative accuracy about 1e-10.
//
// Along every coordinate (columns()): unlike v̇, which every coordinate moves, ρ and σ are local, so coordinates that act on
// different entries share one pair of evaluations. Which do is read off the first columns, taken one by one. A direction
// across all coordinates checks the others: where it disagrees (a contact has closed, a slope was zero by chance) columns
// are taken one by one again, and what they touch is added. A chain of bodies needs some ten pairs whatever its length.  (3)
#pragma once

#include <functional>
#include <vector>

#include "driftless/math/memory.hpp"
#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// c of (1) from terms at a point with velocities v: γ itself, or the vector handed in, filled.
using RowsRight = std::function<const Vec&(const Terms& terms, ConstVec v, Vec& c)>;

class MotionTangent {
 public:
  MotionTangent(const DescriptorSystem& system, RowsRight right);

  // Where derivatives are taken, with the a and λ (all m) that belong there.
  void stand(double t, ConstVec q, ConstVec v, ConstVec a, ConstVec lambda);
  // (δρ; δσ) along (dq, dv), nv + m entries.
  void along(ConstVec dq, ConstVec dv, VecRef out);
  // δr along dq, m entries.
  void rows_along(ConstVec dq, VecRef out);
  // (∂ρ; ∂σ) by every entry of q, and of v: (nv + m) × nq, (nv + m) × nv.
  void columns(Mat& by_q, Mat& by_v);
  void keep(Memory& memory);  // which columns touch what, as far as columns() knows

  long pairs() const { return pairs_; }  // of evaluations of (1), so far

 private:
  // Which columns may be taken together (3).
  struct Colours {
    explicit Colours(int rows, int columns);
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> touched, taken;  // rows × columns, rows × colours
    std::vector<int> colour;
    int count = 0;  // of colours; 0: not known yet
  };
  double unit_q(Eigen::Index i) const;
  double unit_v(Eigen::Index i) const;
  double length(ConstVec dq, ConstVec dv) const;
  void sample(double s, ConstVec dq, ConstVec dv, bool moves_q, Vec& out);
  void take(Mat& out, Colours& colours, bool by_q);
  void one_by_one(Mat& out, bool by_q);
  void find_colours(Colours& colours);  // from what is touched
  void keep(Memory& memory, Colours& colours);

  const DescriptorSystem& system_;
  const RowsRight right_;
  const int nq_, nv_, m_;
  double t_ = 0;
  Vec q_, v_, a_, lambda_;  // the point
  Terms terms_;
  bool stands_ = false;  // terms_ hold position and mass of the point
  Vec moved_q_, moved_v_, dq_, dv_, c_, plus_, minus_, rows_, check_;
  Colours by_q_, by_v_;
  long pairs_ = 0;
};

}  // namespace driftless
