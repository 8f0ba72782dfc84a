// One decision about rows that come and go: the state, the rows there, and the answer as it grows. Of switched_rows.hpp, for its
// own files.
#pragma once

#include <memory>
#include <vector>

#include "driftless/system/switching/switched_rows.hpp"

namespace driftless {

struct SwitchedRows::Decision {
  Terms terms;  // all optional rows out of force, and kept; but those of joints that are on
  Mode base;    // that, without values
  std::unique_ptr<MotionSolver> solver;
  Vec vdot, lambda;       // with no optional row in force
  std::vector<Vec> x, y;  // per optional row: v̇ and λ for a unit force along it
  Mat W;                  // optional × optional
  Vec g, u, a;            // of optional rows; a for `vdot`
  std::vector<char> touches, struck, opens,
      frees;                  // unilaterals: near, impact; fired while closed; frictions: fired in stick
  std::vector<char> arrests;  // frictions: fired while slipping
  std::vector<int> unilateral_modes, friction_modes, joint_modes;
  std::vector<char> holds;  // joints that come on where they are
  Vec approach;             // u before joints came on; empty: none did
  bool redundant = false;   // what touches and sticks
  // Break-away of redundant ones: `a` and limits a little later, where the answer is one.
  Vec later_a;  // empty: not asked for
  double later_t = 0;
  std::vector<double> slip_x, slip_y;  // directions of what slips in space
  double speed = 1;                    // what counts as one
};

struct SwitchedRows::Candidates {
  ContactProblem problem;
  std::vector<int> rows;                 // optional rows with unknown forces
  std::vector<size_t> closing;           // unilaterals of the first contacts
  std::vector<int> contact_of_friction;  // −1: none
};

inline constexpr double kTouch =
    1e-12;  // characteristic lengths: touching; at a start, which is assembled, kTouchStart
inline constexpr double kTouchStart = 1e-9;
inline constexpr double kResting = 1e-10;  // of the speeds there are: at rest
inline constexpr double kTurning =
    1e-6;  // of them: in space, what has turned away as slowly as this was coming to rest

}  // namespace driftless
