// Limits of worker processes count the processor: what waits is not late, what computes for ever is.
#include "driftless/run/workers.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

TEST(Workers, LimitsCountTheProcessor) {
  WorkerPlan plan;
  plan.tasks = 2;
  plan.jobs = 2;
  plan.time_limit = 0.1;
  plan.task = [](std::size_t task) -> std::string {
    if (task == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      return "rested";
    }
    const volatile bool endless = true;
    while (endless) {
    }
    return "";
  };
  const auto results = work_in_processes(plan);
  EXPECT_TRUE(results[0].done) << results[0].trouble;
  EXPECT_EQ(results[0].bytes, "rested");
  EXPECT_FALSE(results[1].done);
  EXPECT_EQ(results[1].trouble, "passed its limit of 0.1 s");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
