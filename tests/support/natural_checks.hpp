// Checks that planar and spatial natural coordinates share.
#pragma once

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "driftless/system/kernels/motion_solver.hpp"

#include "support/runs.hpp"

namespace driftless::testing {

inline Reaction solved(const DescriptorSystem& system, const State& state) {
  Terms terms = system.make_terms();
  system.evaluate(state.t, state.q, state.v, terms);
  const auto solver = system.make_solver();
  Reaction out{Vec(system.layout().nv), Vec(system.layout().m)};
  EXPECT_EQ(solver->factor(terms), Status::ok);
  EXPECT_EQ(solver->solve(terms.f, terms.gamma, out.vdot, out.lambda), Status::ok);
  return out;
}

// J, ν and γ against differences at random states, on and off the constraints; M is constant.
inline void check_rows(const DescriptorSystem& system, const std::string& name) {
  const Layout& layout = system.layout();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  Terms terms = system.make_terms(), aside = system.make_terms();
  Mat first_mass;
  for (int round = 0; round < 5; ++round) {
    State state{0.3 + std::abs(uniform(engine)), Vec(layout.nq), Vec(layout.nv)};
    for (int i = 0; i < layout.nq; ++i) {
      state.q[i] = uniform(engine) * layout.q_scale[i];
      state.v[i] = uniform(engine) * layout.v_scale[i];
    }
    system.evaluate(state.t, state.q, state.v, terms);
    if (round == 0) first_mass = Mat(terms.M);
    EXPECT_EQ(Mat(terms.M), first_mass) << name;

    const double h = 1e-6;
    const auto residual_at = [&](double t, const Vec& q, Vec& g, Vec& r) {
      system.position(t, q, aside);
      g = aside.g;
      r.resize(layout.m);
      velocity_residual(aside, state.v, r);
    };
    Vec g_plus, g_minus, r_plus, r_minus, r(layout.m);
    velocity_residual(terms, state.v, r);
    // column by column, then along the motion
    const Mat J = Mat(terms.J).topRows(layout.mh);
    const double size = 1 + max_abs(terms.gamma) + J.cwiseAbs().maxCoeff() * (1 + max_abs(state.v));
    for (int j = 0; j < layout.nv; ++j) {
      const double step = h * layout.q_scale[j];
      residual_at(state.t, state.q + step * Vec::Unit(layout.nq, j), g_plus, r_plus);
      residual_at(state.t, state.q - step * Vec::Unit(layout.nq, j), g_minus, r_minus);
      EXPECT_LT(max_difference((g_plus - g_minus) / (2 * step), J.col(j)), 1e-8 * size)
          << name << " " << layout.q_names[size_t(j)];
    }
    residual_at(state.t + h, state.q + h * state.v, g_plus, r_plus);
    residual_at(state.t - h, state.q - h * state.v, g_minus, r_minus);
    EXPECT_LT(max_difference((g_plus - g_minus) / (2 * h), r.head(layout.mh)), 1e-7 * size) << name;
    EXPECT_LT(max_difference(-(r_plus - r_minus) / (2 * h), terms.gamma), 1e-6 * size) << name;
  }
}

// Kinetic and potential energy, applied power, and the power of all forces.
inline void check_energy(const DescriptorSystem& here,
                         const State& at_here,
                         const DescriptorSystem& there,
                         const State& at_there,
                         const std::string& name) {
  Terms a = here.make_terms(), b = there.make_terms();
  here.evaluate(at_here.t, at_here.q, at_here.v, a);
  there.evaluate(at_there.t, at_there.q, at_there.v, b);
  const auto close = [&](double x, double y, const char* what) {
    EXPECT_NEAR(x, y, 1e-9 * (1 + std::abs(y))) << name << ": " << what;
  };
  close(here.kinetic_energy(at_here.v, a), there.kinetic_energy(at_there.v, b), "kinetic energy");
  close(*here.potential_energy(at_here.t, at_here.q, a), *there.potential_energy(at_there.t, at_there.q, b),
        "potential energy");
  close(here.applied_power(at_here.t, at_here.q, at_here.v, a),
        there.applied_power(at_there.t, at_there.q, at_there.v, b), "applied power");
  EXPECT_EQ(here.exchanges_energy(), there.exchanges_energy()) << name;
}

}  // namespace driftless::testing
