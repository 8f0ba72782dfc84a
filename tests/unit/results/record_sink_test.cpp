// Records that go to a sink block by block are those a run without one keeps, and looking on changes nothing.
#include "driftless/results/record_sink.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

class Collector : public RecordSink {
 public:
  void begin(Results& so_far) override { all = so_far.trajectory; }
  bool add(const Trajectory& block) override {
    append_rows(all, block);
    ++adds;
    return true;
  }
  bool update(Results& so_far) override {
    append_rows(all, so_far.trajectory);
    last = so_far;
    ++updates;
    return updates != most;
  }
  bool is_due() override { return always; }

  Trajectory all;
  Results last;
  bool always = false;
  int adds = 0, updates = 0, most = -1;
};

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q.data, b.q.data);
  EXPECT_EQ(a.v.data, b.v.data);
  EXPECT_EQ(a.vdot.data, b.vdot.data);
  EXPECT_EQ(a.lambda.data, b.lambda.data);
  EXPECT_EQ(a.quantities.data, b.quantities.data);
  EXPECT_EQ(a.poses, b.poses);
  EXPECT_EQ(a.reactions, b.reactions);
  EXPECT_EQ(a.steps.data, b.steps.data);
}

TEST(RecordSink, LookingOnAtEveryStepChangesNothing) {
  const auto andrews = problem("andrews");
  for (const char* formulation :
       {"lagrange", "partitioned", "augmented-lagrangian", "canonical-lagrange", "index3"}) {
    RunSetup setup;
    setup.t_end = 0.005;
    setup.output_step = 1e-4;
    setup.formulation = formulation;
    const Results plain = simulate(*andrews.system, andrews.start, setup);
    Collector sink;
    sink.always = true;
    setup.sink = &sink;
    const Results watched = simulate(*andrews.system, andrews.start, setup);
    ASSERT_TRUE(plain.good() && watched.good()) << formulation << plain.message;
    EXPECT_GT(sink.updates, 10);
    append_rows(sink.all, watched.trajectory);
    expect_same(sink.all, plain.trajectory);
    EXPECT_LT(watched.trajectory.size(), plain.trajectory.size() / 2) << "only the last block";
    EXPECT_EQ(watched.final.q, plain.final.q) << formulation;
    EXPECT_EQ(watched.final.v, plain.final.v) << formulation;
    EXPECT_EQ(watched.statistics.evaluations, plain.statistics.evaluations);
    EXPECT_EQ(watched.statistics.factorizations, plain.statistics.factorizations) << formulation;
    EXPECT_EQ(watched.notices, plain.notices);
  }
}

TEST(RecordSink, WhatItSeesIsARunThatEndedThere) {
  const auto andrews = problem("andrews");
  RunSetup setup;
  setup.t_end = 0.01;
  Collector sink;
  sink.always = true;
  sink.most = 10;
  setup.sink = &sink;
  const Results ended = simulate(*andrews.system, andrews.start, setup);
  EXPECT_EQ(ended.status, Status::interrupted);
  EXPECT_EQ(sink.last.status, Status::interrupted);
  EXPECT_EQ(sink.last.final.q, ended.final.q);
  EXPECT_EQ(sink.last.final.t, sink.all.t.back());
  ASSERT_TRUE(sink.last.checkpoint);
  setup.sink = nullptr;
  const Results whole = simulate(*andrews.system, andrews.start, setup);
  setup.checkpoint = sink.last.checkpoint;
  const Results second = simulate(*andrews.system, sink.last.final, setup);
  EXPECT_EQ(second.final.q, whole.final.q);
  EXPECT_EQ(second.final.v, whole.final.v);
}

TEST(RecordSink, ManyRecordsInOneStepGoInBlocks) {
  const auto track = problem("circle-track");
  RunSetup setup;
  setup.t_end = 0.5;
  setup.output_step = 2e-6;
  Collector sink;
  setup.sink = &sink;
  const Results results = simulate(*track.system, track.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  append_rows(sink.all, results.trajectory);
  EXPECT_GT(sink.adds, 2);
  EXPECT_EQ(sink.all.size(), 250'001u);
  EXPECT_TRUE(std::is_sorted(sink.all.t.begin(), sink.all.t.end()));
  EXPECT_EQ(sink.all.q.rows(), sink.all.size());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
