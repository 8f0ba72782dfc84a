// The double pendulum with springs in its mild setting, k = (4, 6), rates 1, to t = 1: two coordinates without a
// constraint, smooth, so that errors are those of the integrator.
#pragma once

#include "support/runs.hpp"

namespace driftless::testing {

inline ProblemInstance order_problem() {
  const ProblemRecord* record = find_problem("spring-double-pendulum");
  return instantiate(*record, Options("problem", record->options,
                                      {{"k1", "4"}, {"k2", "6"}, {"omega1", "1"}, {"omega2", "1"}}));
}

// (phi1, phi2, their rates) at t = 1 to round-off, by small steps of order 8. The angles are known independently to 1e-12.
inline const Vec& order_problem_end() {
  static const Vec end = [] {
    const auto pendulum = order_problem();
    const Results results = simulate(*pendulum.system, pendulum.start, fixed(1, "dop853", 1.0 / 64));
    EXPECT_NEAR(results.final.q[0], 1.133765925575, 1e-12);
    EXPECT_NEAR(results.final.q[1], 0.273614190065, 1e-12);
    Vec y(4);
    y << results.final.q, results.final.v;
    return y;
  }();
  return end;
}

// |error| of angles and rates at t = 1.
inline double order_problem_error(const Setup& setup) {
  const auto pendulum = order_problem();
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  const Vec& end = order_problem_end();
  return std::hypot((results.final.q - end.head(2)).norm(), (results.final.v - end.tail(2)).norm());
}

inline double order_problem_error(const std::string& integrator,
                                  double h,
                                  const std::map<std::string, std::string>& options = {}) {
  Setup setup = fixed(1, integrator, h);
  setup.options = options;
  return order_problem_error(setup);
}

}  // namespace driftless::testing
