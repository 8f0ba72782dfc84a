#include "driftless/report/decimate.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using Quaternion = Eigen::Map<const Eigen::Vector4d>;
using Place = Eigen::Map<const Vec3>;

constexpr int kMostDoublings = 30;  // numbers beyond all measure must not cost all time

struct Gap {
  double position = 0, angle = 0;
  void add(const Gap& other) {
    position = std::max(position, other.position);
    angle = std::max(angle, other.angle);
  }
};

class Interpolation {
 public:
  Interpolation(const Motion& motion, double length) : motion_(motion), length_(length) {}

  // Largest errors at the records between two frames; stops early, with what it has, beyond the tolerance.
  Gap between(size_t first, size_t last, double tolerance) const {
    Gap worst;
    for (size_t k = first + 1; k < last; ++k) {
      const double span = motion_.t[last] - motion_.t[first];
      const double s = span > 0 ? (motion_.t[k] - motion_.t[first]) / span : 0;
      for (size_t body = 0; body < motion_.bodies; ++body) worst.add(error(first, last, k, s, body));
      if (!within(worst, tolerance)) return worst;
    }
    return worst;
  }
  bool within(const Gap& gap, double tolerance) const {
    return gap.position <= tolerance * length_ && gap.angle <= tolerance;  // (1)
  }

 private:
  Gap error(size_t first, size_t last, size_t k, double s, size_t body) const {
    const double *a = motion_.pose(first, body), *b = motion_.pose(last, body), *x = motion_.pose(k, body);
    const Vec3 p = (1 - s) * Place(a) + s * Place(b);
    const Eigen::Vector4d q = (1 - s) * Quaternion(a + 3) + s * Quaternion(b + 3);
    const double norm = q.norm();
    if (!(norm > 1e-3)) return {(p - Place(x)).norm(), 4};
    const Eigen::Vector4d unit = q / norm;
    const double chord = std::min((unit - Quaternion(x + 3)).norm(), (unit + Quaternion(x + 3)).norm());
    return {(p - Place(x)).norm(), 4 * std::asin(std::min(1.0, chord / 2))};
  }

  const Motion& motion_;
  double length_;
};

FrameChoice greedy(const Motion& motion, const Interpolation& shown, double tolerance) {
  FrameChoice out;
  const size_t count = motion.t.size();
  out.frames.push_back(0);
  size_t reach = 1;
  while (out.frames.back() + 1 < count) {
    const size_t from = out.frames.back();
    const auto good = [&](size_t to) { return shown.within(shown.between(from, to, tolerance), tolerance); };
    size_t low = from + 1, high = std::min(from + 2 * reach, count - 1);  // low is good: nothing lies between
    while (high > low && good(high)) {
      low = high;
      high = std::min(from + 2 * (high - from), count - 1);
    }
    while (high > low + 1) {
      const size_t middle = low + (high - low) / 2;
      (good(middle) ? low : high) = middle;
    }
    reach = low - from;
    out.frames.push_back(low);
  }
  return out;
}

// So many records at equal distances, the last included.
std::vector<size_t> evenly(size_t count, size_t most) {
  std::vector<size_t> out;
  for (size_t i = 0; i < most; ++i) out.push_back(i * (count - 1) / std::max<size_t>(most - 1, 1));
  return out;
}

}  // namespace

Motion finite_motion(std::span<const double> t, std::span<const double> poses, size_t bodies) {
  Motion out;
  out.bodies = bodies;
  const size_t width = 7 * bodies, count = width == 0 ? t.size() : std::min(t.size(), poses.size() / width);
  for (size_t k = 0; k < count; ++k) {
    const auto row = poses.subspan(k * width, width);
    const bool finite =
        std::isfinite(t[k]) && std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); });
    if (!finite || (!out.t.empty() && t[k] <= out.t.back())) continue;
    out.records.push_back(k);
    out.t.push_back(t[k]);
    out.poses.insert(out.poses.end(), row.begin(), row.end());
    if (out.t.size() < 2) continue;
    for (size_t body = 0; body < bodies; ++body) {
      double* q = out.poses.data() + out.poses.size() - width + 7 * body + 3;
      if (Quaternion(q).dot(Quaternion(q - width)) < 0)
        for (int i = 0; i < 4; ++i) q[i] = -q[i];
    }
  }
  return out;
}

FrameChoice choose_frames(const Motion& motion, double length, double tolerance, size_t most) {
  FrameChoice out;
  if (motion.t.empty()) return out;
  const Interpolation shown(motion, length);
  out = greedy(motion, shown, tolerance);
  for (int doubled = 0; out.frames.size() > most && doubled < kMostDoublings; ++doubled) {
    tolerance *= 2;
    out = greedy(motion, shown, tolerance);
  }
  if (out.frames.size() > most) out.frames = evenly(motion.t.size(), most);
  Gap worst;
  for (size_t i = 1; i < out.frames.size(); ++i)
    worst.add(shown.between(out.frames[i - 1], out.frames[i], HUGE_VAL));
  out.position_error = worst.position;
  out.angle_error = worst.angle;
  return out;
}

std::vector<size_t> choose_points(std::span<const double> values, size_t most) {
  std::vector<size_t> out;
  const size_t count = values.size();
  if (count <= most) {
    for (size_t i = 0; i < count; ++i) out.push_back(i);
    return out;
  }
  const size_t spans = std::max<size_t>(1, (most - 2) / 2);
  out.push_back(0);
  for (size_t s = 0; s < spans; ++s) {
    const size_t begin = 1 + s * (count - 2) / spans, end = 1 + (s + 1) * (count - 2) / spans;
    size_t low = end, high = end;
    for (size_t i = begin; i < end; ++i) {
      if (!std::isfinite(values[i])) continue;
      if (low == end || values[i] < values[low]) low = i;
      if (high == end || values[i] > values[high]) high = i;
    }
    if (low == end) {
      if (begin < end) out.push_back(begin);  // a gap stays a gap
      continue;
    }
    out.push_back(std::min(low, high));
    if (low != high) out.push_back(std::max(low, high));
  }
  out.push_back(count - 1);
  return out;
}

}  // namespace driftless
