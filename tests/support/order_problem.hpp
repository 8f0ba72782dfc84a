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

// Largest error of an angle at t = 1, against a value known to 1e-12.
inline double order_problem_error(Setup setup) {
  const auto pendulum = order_problem();
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_TRUE(results.good()) << results.message;
  return std::max(std::abs(results.final.q[0] - 1.133765925575),
                  std::abs(results.final.q[1] - 0.273614190065));
}

inline double order_problem_error(const std::string& integrator,
                                  double h,
                                  const std::map<std::string, std::string>& options = {}) {
  Setup setup = fixed(1, integrator, h);
  setup.options = options;
  return order_problem_error(setup);
}

}  // namespace driftless::testing
