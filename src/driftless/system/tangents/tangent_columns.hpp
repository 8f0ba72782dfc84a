// Tangents (tangents.hpp) along directions, where a system does not fill them by batches.
// Along one direction: DescriptorSystem::tangent_along, by jets where a system has them, else by central differences,
//   δρ ≈ [ρ(q ⊕ s δq, v + s δv) − ρ(q ⊕ −s δq, v − s δv)] / 2s,   s = ∛ε in units of the coordinates                   (1)
// of relative accuracy about 1e-10: this file is the only one in which the equations of motion are differenced.
// All columns: those that share no row are taken together.                                       Curtis, Powell & Reid 1974
// The pattern is the system's, or, where it knows none and has more than a few coordinates, what columns taken one by one
// have shown so far. Whether that still holds is asked along one more direction across all columns: where it disagrees (a
// contact has closed, a slope was zero by chance) columns are taken one by one again, and what they touch is added.       (2)
// A chain of bodies needs some ten directions whatever its length.
#pragma once

#include <vector>

#include "driftless/system/descriptor_system.hpp"

namespace driftless {

// (1) along (dq, dv); `terms` is overwritten.
void difference_along(const DescriptorSystem& system,
                      const MotionPoint& at,
                      ConstVec dq,
                      ConstVec dv,
                      const TangentParts& parts,
                      Terms& terms,
                      DifferenceScratch& scratch,
                      MotionChange& out);

// rho ← the change of M a (if with_mass) less that of f (if with_force), for systems whose mass() and force() stand without
// position().
void difference_forces_along(const DescriptorSystem& system,
                             const MotionPoint& at,
                             ConstVec dq,
                             ConstVec dv,
                             bool with_mass,
                             bool with_force,
                             Terms& terms,
                             DifferenceScratch& scratch,
                             VecRef rho);

// Full matrices: T and N column by column, P by least squares.
void difference_kinematics(
    const DescriptorSystem& system, double t, ConstVec q, ConstVec v, KinematicTangents& out);

// What counts as one in coordinate j. Of positions far out a hundredth: steps must stand out from their round-off.
double unit_of_position(const Layout& layout, const MotionPoint& at, Eigen::Index j);
double unit_of_velocity(const Layout& layout, const MotionPoint& at, Eigen::Index j);

class TangentColumns final : public TangentWork {
 public:
  TangentColumns(const DescriptorSystem& system, Tangents& out);  // and the patterns of `out`

  void fill(const MotionPoint& at, Terms& terms, Tangents& out);
  void keep(Memory& memory, Tangents& out) override;

  MotionPoint& point() { return point_; }
  long directions() const { return directions_; }  // so far

 private:
  // Columns by q, or by v. Rows are stacked: ρ, r, σ; those not wanted stay empty.
  struct Side {
    bool by_q = true;
    bool is_known = false;                  // the pattern
    std::vector<std::vector<int>> rows;     // of each column, ascending: the pattern
    std::vector<std::vector<int>> places;   // of its entries among the values of their matrix
    std::vector<std::vector<int>> columns;  // of each colour
  };

  void take_pattern(Side& side, const TangentPattern& pattern) const;
  void take_all(Side& side) const;
  void colour(Side& side) const;
  void lay_out(Side& side, Tangents& out) const;  // the matrices of `out`, from the pattern of the side
  void fill(Side& side, const MotionPoint& at, Terms& terms, Tangents& out);
  void together(Side& side, const MotionPoint& at, Terms& terms, Tangents& out);
  void one_by_one(Side& side, const MotionPoint& at, Terms& terms, Tangents& out);
  bool agrees(Side& side, const MotionPoint& at, Terms& terms, Tangents& out);
  void along(const MotionPoint& at, Terms& terms);  // change_ along dq_, dv_
  double changed(int row) const;                    // entry of change_, rows stacked
  SparseRows& matrix(const Side& side, int row, Tangents& out) const;
  double unit(const Side& side, const MotionPoint& at, int j) const;
  void keep(Memory& memory, Side& side, Tangents& out) const;

  const DescriptorSystem& system_;
  const TangentParts parts_;
  const int nv_, m_;
  bool learns_ = false;  // (2)
  Side by_q_, by_v_;
  MotionPoint point_;
  DifferenceScratch scratch_;
  MotionChange change_;
  Vec dq_, dv_, check_;
  long directions_ = 0;
};

}  // namespace driftless
