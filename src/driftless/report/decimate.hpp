// What of a trajectory is shown: frames of the scene and points of curves. Nothing is averaged; what is kept is exact.
//
// Frames  Between frames a viewer interpolates positions linearly, quaternions linearly with length made 1 again. From
//         each frame the next one is as far away as all records between stay within the tolerance
//           |p − p(interpolated)| ≤ ε L,   angle(q, q(interpolated)) ≤ ε                                              (1)
//         found by doubling and bisection. If that leaves too many, ε is doubled, up to a point; then
//         records at equal distances are shown. The errors are those found.
// Curves  the first and last point and, of equal spans of records, the smallest and the largest value              (2)
#pragma once

#include <span>
#include <vector>

#include "driftless/math/types.hpp"

namespace driftless {

// Poses of `bodies` bodies at times, 7 numbers each; signs of quaternions are made continuous, records that are not
// finite, or not later than the one before, are left out.
struct Motion {
  size_t bodies = 0;
  std::vector<size_t> records;  // of the trajectory
  std::vector<double> t;
  std::vector<double> poses;

  const double* pose(size_t record, size_t body) const { return poses.data() + (record * bodies + body) * 7; }
};
Motion finite_motion(std::span<const double> t, std::span<const double> poses, size_t bodies);

struct FrameChoice {
  std::vector<size_t> frames;  // of the motion's records
  double position_error = 0;   // m
  double angle_error = 0;      // rad
};
FrameChoice choose_frames(const Motion& motion, double length, double tolerance, size_t most);

std::vector<size_t> choose_points(std::span<const double> values, size_t most);  // (2)

}  // namespace driftless
