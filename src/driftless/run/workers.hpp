// Tasks in processes of their own, several at a time: what crashes, or takes longer than it may, takes nothing else along.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace driftless {

inline constexpr const char* kInterrupted = "interrupted";

struct WorkerResult {
  bool done = false;
  std::string bytes;    // what the task gave back
  std::string trouble;  // why it did not: "passed its limit of 60 s", "ended by signal 11", "interrupted"
};

struct WorkerPlan {
  std::size_t tasks = 0;
  unsigned jobs = 1;
  bool reuse = false;  // a process goes on with other tasks: quicker, but they leave traces in its memory
  // s of the processor that each may take, so that what else the machine does decides nothing; ten times as long on the clock. 0: none
  double time_limit = 0;
  std::function<std::string(std::size_t)> task;        // runs in the process of its own; must not throw
  std::function<void(std::size_t)> on_done = nullptr;  // how many are
  // Each as it ends, in the order they do; it may take the bytes. What it throws ends all that is under way.
  std::function<void(std::size_t task, WorkerResult&)> on_result = nullptr;
  const std::atomic<bool>* interrupt = nullptr;
};

// std::runtime_error if no process can be started.
std::vector<WorkerResult> work_in_processes(const WorkerPlan& plan);

}  // namespace driftless
