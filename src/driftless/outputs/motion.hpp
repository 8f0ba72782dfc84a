// What output channels read off bodies: components by their names, and how points accelerate.
//   a_P = a + α × d + ω × (ω × d),   d from the centre of mass to P                                                   (1)
#pragma once

#include <string>

#include "driftless/outputs/output_record.hpp"

namespace driftless {

// Component "x", "vy", "az": the vector it is of, 'x' for places, and which of its entries.
inline char vector_of(const std::string& component) { return component.size() == 2 ? component[0] : 'x'; }
inline int entry_of(const std::string& component) { return component.back() - 'x'; }

template <int D>
VecOf<double, D> acceleration_of(const PointOf<D>& p, const MotionOf<D>& motion) {  // (1)
  const VecOf<double, D> d = motion.arm(p);
  const auto& omega = motion.twists[p.body].omega;
  const TwistOf<double, D>& rates = motion.accelerations[p.body];
  const VecOf<double, D> turning = swing(omega, d);
  return rates.r + swing(rates.omega, d) + swing(omega, turning);
}

// Place, velocity or acceleration of a point.
template <int D>
OutputChannel<D> point_channel(const std::string& component, const PointOf<D>& p) {
  const int k = entry_of(component);
  OutputChannel<D> channel;
  switch (vector_of(component)) {
    case 'v':
      channel.unit = "m/s";
      channel.measure = [p, k](const MotionOf<D>& motion) { return motion.velocity(p)[k]; };
      break;
    case 'a':
      channel.unit = "m/s^2";
      channel.measure = [p, k](const MotionOf<D>& motion) { return acceleration_of<D>(p, motion)[k]; };
      channel.needs_accelerations = true;
      break;
    default:
      channel.unit = "m";
      channel.measure = [p, k](const MotionOf<D>& motion) { return motion.place(p)[k]; };
  }
  return channel;
}

}  // namespace driftless
