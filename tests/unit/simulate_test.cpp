// The run itself: output, events, discontinuities, continuation, interruption, loud failure.
#include "driftless/simulate.hpp"

#include "driftless/core/errors.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

TEST(Simulate, OutputLiesOnTheConstraintsWithItsReactions) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup;
  setup.t_end = 1;
  setup.rtol = 1e-4;  // loose: interpolation alone would miss the constraints by far
  setup.output_step = 0.0137;
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  Terms terms = pendulum.system->make_terms();
  for (size_t i = 0; i < results.trajectory.size(); ++i) {
    const auto row = [&](const Table& table) -> Vec {
      return Eigen::Map<const Vec>(table.data.data() + i * table.columns(), Eigen::Index(table.columns()));
    };
    const Vec q = row(results.trajectory.q), v = row(results.trajectory.v);
    const Vec vdot = row(results.trajectory.vdot), lambda = row(results.trajectory.lambda);
    const double t = results.trajectory.t[i];
    pendulum.system->position(t, q, terms);
    pendulum.system->mass(t, q, terms);
    pendulum.system->bias(t, q, v, terms);
    pendulum.system->force(t, q, v, terms);
    Vec r(4);
    velocity_residual(terms, v, r);
    EXPECT_LT(max_abs(terms.g), 1e-8);
    EXPECT_LT(max_abs(r), 1e-4);
    if (t > 0 && t < 1) {
      EXPECT_LT(max_abs(terms.g), 1e-13);
      EXPECT_LT(max_abs(r), 1e-12);
    }
    EXPECT_LT(max_abs(terms.M * vdot + terms.J.transpose() * lambda - terms.f), 1e-9);
    EXPECT_LT(max_abs(terms.J * vdot - terms.gamma), 1e-9);
  }
}

TEST(Simulate, ContinuedRunEqualsTheUninterruptedOne) {
  const auto andrews = problem("andrews");
  for (const double step : {0.0, 1e-5}) {
    RunSetup setup = figures_only(0.02);
    setup.step = step;
    const Results whole = simulate(*andrews.system, andrews.start, setup);
    setup.t_end = 0.0113;
    const Results first = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(first.checkpoint);
    setup.t_end = 0.02;
    setup.checkpoint = first.checkpoint;
    const Results second = simulate(*andrews.system, first.final, setup);
    ASSERT_TRUE(whole.good() && second.good()) << second.message;
    EXPECT_LT(max_difference(whole.final.q, second.final.q), 1e-13);
    EXPECT_LT(max_difference(whole.final.v, second.final.v), 1e-10);
  }
}

TEST(Simulate, StopsWhereARootIsCrossed) {
  const auto track = problem("circle-track");  // x = sin t², so x = 1/2 at t² = π/6
  RunSetup setup = figures_only(2);
  setup.rtol = 1e-9;
  setup.events.push_back(
      {"half", [](double, ConstVec q, ConstVec) { return q[0] - 0.5; }, Direction::up, true, nullptr});
  const Results results = simulate(*track.system, track.start, setup);
  EXPECT_EQ(results.status, Status::stopped);
  EXPECT_NEAR(results.final.t, std::sqrt(std::acos(-1.0) / 6), 1e-8);
  ASSERT_EQ(results.trajectory.events.size(), 1u);
  EXPECT_EQ(results.trajectory.events[0].name, "half");
}

TEST(Simulate, DirectionOfCrossingCounts) {
  const auto track = problem("circle-track");
  RunSetup setup = figures_only(2.5);
  setup.rtol = 1e-9;
  setup.events.push_back(
      {"down", [](double, ConstVec q, ConstVec) { return q[0] - 0.5; }, Direction::down, false, nullptr});
  const Results results = simulate(*track.system, track.start, setup);
  ASSERT_EQ(results.trajectory.events.size(),
            1u);  // t² = 5π/6; the next down-crossing is at t² = 17π/6 > 6.25
  EXPECT_NEAR(results.trajectory.events[0].t, std::sqrt(5 * std::acos(-1.0) / 6), 1e-7);
}

TEST(Simulate, ActionsAtEventsRestart) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = figures_only(1);
  setup.events.push_back({"stop and go", [](double t, ConstVec, ConstVec) { return t - 0.3; }, Direction::any,
                          false, [](State& state) { state.v.setZero(); }});
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  ASSERT_EQ(results.trajectory.events.size(), 1u);
  EXPECT_NEAR(results.trajectory.events[0].t, 0.3, 1e-12);
  EXPECT_LT(results.final.t, 1 + 1e-15);
}

// A free mass pushed by a rectangular pulse: the exact end state needs the restart at both edges.
TEST(Simulate, KnownDiscontinuitiesAreHitExactly) {
  Model model;
  model.name = "puck";
  Body puck;
  puck.name = "puck";
  puck.mass = 2;
  puck.inertia = 1;
  puck.points = {{"P", Vec3(0.1, 0, 0)}};
  model.bodies.push_back(puck);
  model.forces.push_back(
      {"push",
       "point-force",
       {{"at", PointRef{"puck", "", Vec3::Zero()}},
        {"force", std::vector<TimeFunction>{TimeFunction(time_function::Pulse{0.3, 0.4, 5.0, 0.0}),
                                            TimeFunction(0.0)}}}});
  const auto mechanism = assembled(model);
  const Results results = simulate(mechanism.system(), mechanism.start(), figures_only(1));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_EQ(results.trajectory.events.size(), 2u);
  EXPECT_NEAR(results.final.v[0], 5.0 / 2 * 0.4, 1e-14);
  EXPECT_NEAR(results.final.q[0], 0.5 * 2.5 * 0.16 + 1.0 * 0.3, 1e-14);
  EXPECT_LT(results.energy->max_relative_error, 1e-12);  // the work of the pulse is accounted for
  EXPECT_LT(results.statistics.rejected, 3);
}

TEST(Simulate, InterruptKeepsWhatWasComputed) {
  const auto andrews = problem("andrews");
  std::atomic<bool> interrupt{false};
  RunSetup setup;
  setup.t_end = 0.3;
  setup.interrupt = &interrupt;
  setup.on_progress = [&](const Progress& progress) { interrupt = progress.t > 0.1; };
  const Results results = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(results.status, Status::interrupted);
  EXPECT_GT(results.trajectory.size(), 10u);
  EXPECT_EQ(results.trajectory.t.back(), results.final.t);
  EXPECT_LT(results.final.t, 0.2);
  EXPECT_NE(results.message.find("interrupted"), std::string::npos);
}

// Long steps of very many records: the user need not wait for their end, and nothing is missing in the run that goes on.
TEST(Simulate, InterruptAmongTheRecordsOfAStep) {
  struct Sink : RecordSink {
    std::atomic<bool> interrupt{false};
    std::vector<double> t;
    void begin(Results&) override {}
    bool add(const Trajectory& block) override {
      t.insert(t.end(), block.t.begin(), block.t.end());
      if (block.t.back() > 0.5) interrupt = true;
      return true;
    }
    bool update(Results& so_far) override {
      t.insert(t.end(), so_far.trajectory.t.begin(), so_far.trajectory.t.end());
      return true;
    }
    bool is_due() override { return false; }
  } sink;
  const auto pendulum = problem("double-pendulum");
  RunSetup setup;
  setup.t_end = 1;
  setup.rtol = 1e-3;
  setup.output_step = 5e-6;
  setup.sink = &sink;
  setup.interrupt = &sink.interrupt;
  const Results first = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_EQ(first.status, Status::interrupted) << first.message;
  ASSERT_TRUE(first.checkpoint);
  sink.t.insert(sink.t.end(), first.trajectory.t.begin(), first.trajectory.t.end());
  EXPECT_EQ(sink.t.back(), first.final.t);
  EXPECT_LT(first.checkpoint->t, first.final.t);
  EXPECT_LT(first.final.t, 0.6);

  setup.sink = nullptr;
  setup.checkpoint = first.checkpoint;
  sink.interrupt = false;
  const Results second = simulate(*pendulum.system, first.final, setup);
  ASSERT_TRUE(second.good()) << second.message;
  ASSERT_EQ(second.trajectory.t.front(), first.final.t);
  sink.t.insert(sink.t.end(), second.trajectory.t.begin() + 1, second.trajectory.t.end());
  ASSERT_EQ(sink.t.size(), 200001u);
  for (size_t i = 0; i < sink.t.size(); ++i) ASSERT_NEAR(sink.t[i], 5e-6 * double(i), 1e-12);
  const Results whole = simulate(*pendulum.system, pendulum.start, [&] {
    RunSetup figures = figures_only(1);
    figures.rtol = setup.rtol;
    return figures;
  }());
  EXPECT_LT(max_difference(whole.final.q, second.final.q), 1e-13);
}

TEST(Simulate, TooSmallStepNamesTheState) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  setup.rtol = 1e-16;
  setup.atol = 1e-300;
  const Results results = simulate(*andrews.system, andrews.start, setup);
  EXPECT_FALSE(results.good());
  EXPECT_TRUE(results.status == Status::step_too_small || results.status == Status::too_many_steps)
      << results.message;
  EXPECT_NE(results.message.find("_dot"), std::string::npos) << results.message;
  EXPECT_NE(results.message.find("`rtol`"), std::string::npos) << results.message;
}

TEST(Simulate, StepBudgetEndsTheRun) {
  const auto andrews = problem("andrews");
  RunSetup setup = figures_only(0.03);
  setup.max_steps = 50;
  const Results results = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(results.status, Status::too_many_steps);
  EXPECT_EQ(results.statistics.steps(), 50);
  setup.step = 1e-5;
  const Results fixed_steps = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(fixed_steps.status, Status::too_many_steps);
  EXPECT_EQ(fixed_steps.statistics.steps(), 50);
}

TEST(Simulate, DriftPastTheLimitFailsLoudly) {
  const auto pendulum = problem("double-pendulum");
  RunSetup setup = fixed(5, "euler", 0.05);
  setup.stabilization = "none";
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  EXPECT_EQ(results.status, Status::drift_exceeded);
  EXPECT_NE(results.message.find("pstab"), std::string::npos) << results.message;
}

TEST(Simulate, WrongNamesAndNumbersAreInputErrors) {
  const auto track = problem("circle-track");
  const auto refused = [&](auto&& change, const char* word) {
    RunSetup setup = figures_only(1);
    change(setup);
    try {
      simulate(*track.system, track.start, setup);
      ADD_FAILURE() << "accepted: " << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused([](auto& s) { s.formulation = "lagrenge"; }, "did you mean 'lagrange'?");
  refused([](auto& s) { s.integrator = "dopri"; }, "dopri5");
  refused([](auto& s) { s.stabilization = "p-stab"; }, "pstab");
  refused([](auto& s) { s.integrator = "rk4"; }, "step");
  refused([](auto& s) { s.options["alfa"] = "1"; }, "alfa");
  refused([](auto& s) { s.options["datol"] = "-1"; }, "datol");
  refused([](auto& s) { s.t_end = -1; }, "t_end");
  refused([](auto& s) { s.rtol = 0; }, "rtol");
  refused([](auto& s) { s.step = std::nan(""); }, "step");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
