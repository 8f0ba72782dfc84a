// Derivatives of a system's equations at a motion (t, q, v, a, λ): what Newton's method of every implicit scheme is made of.
//   ρ = M a + Jᵀλ − f,      r = J v − ν,      σ = γ − J a                                                            (1)
//   K = ∂ρ/∂q·T,  C = ∂ρ/∂v,      L = ∂r/∂q·T,      S_q = ∂σ/∂q·T,  S_v = ∂γ/∂v                                      (2)
// by local increments of q, always: column j is the derivative along q ⊕ s e_j. Sparse, with patterns that are made once; a
// system that fills them by batches knows them from its structure. Elsewhere they are taken column by column, several
// columns at a time (tangent_columns.hpp).
#pragma once

#include <memory>

#include "driftless/math/memory.hpp"
#include "driftless/math/types.hpp"

namespace driftless {

// Which of (2) are wanted.
struct TangentParts {
  bool dynamics = false;      // K, C
  bool reactions = false;     // K alone, of Jᵀλ alone; not together with `dynamics`
  bool velocity = false;      // L
  bool acceleration = false;  // S_q, S_v
};

struct Tangents;

// What a filler of tangents keeps between calls.
struct TangentWork {
  virtual ~TangentWork() = default;
  virtual void keep(Memory&, Tangents&) {}
};

struct Tangents {
  TangentParts parts;
  SparseRows K, C;         // nv × nv
  SparseRows L, S_q, S_v;  // m × nv
  std::unique_ptr<TangentWork> work;

  // What was learned of the patterns, both ways.
  void keep(Memory& memory) {
    if (work) work->keep(memory, *this);
  }
};

// Patterns of (2), where a system knows them.
struct TangentPattern {
  SparseRows K, C;  // nv × nv
  SparseRows rows;  // m × nv, of L, S_q and S_v
};

// Of q̇ = T v, by components of q: what schemes that are linear in q need besides.
struct KinematicTangents {
  SparseRows T;  // nq × nv
  SparseRows N;  // nq × nq   ∂(T v)/∂q
  SparseRows P;  // nv × nq   P T = I: local increments from changes of q
};

// A motion, and how (1) changes along a direction at it.
struct MotionPoint {
  double t = 0;
  Vec q, v, a, lambda;  // nq, nv, nv, m
};
struct MotionChange {
  Vec rho, r, sigma;  // nv, m, m
};

}  // namespace driftless
