#include "driftless/run/run_records.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace driftless {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 1s;  // a file is not older than that, however slowly records come
constexpr int kShare = 20;      // at most a twentieth of the time goes into bringing it up to date

std::chrono::steady_clock::duration seconds(double s) {
  constexpr double kForever = 1e9;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(s, kForever)));
}

}  // namespace

RunRecords::RunRecords(Wishes wishes) : wishes_(std::move(wishes)) {
  if (wishes_.out) file_ = create_result_file(*wishes_.out);
  due_ = Clock::now() + kPatience;
  if (wishes_.checkpoint_every > 0) checkpoint_due_ = Clock::now() + seconds(wishes_.checkpoint_every);
}

void RunRecords::begin(Results& so_far) {
  wishes_.complete(so_far);
  so_far.message = "the run was under way when this was written";
  if (wishes_.keep) all_ = so_far.trajectory;
  if (file_) file_->begin(so_far);
}

// The disk may refuse: then the run ends, and what was written is kept.
template <class Work>
bool RunRecords::attempt(Work work) {
  if (!trouble_.empty()) return false;
  try {
    work();
    return true;
  } catch (const std::runtime_error& failure) {
    trouble_ = failure.what() + kept();
    return false;
  }
}

void RunRecords::take(const Trajectory& block) {
  records_ += static_cast<long>(block.size());
  if (wishes_.keep) append_rows(all_, block);
}

bool RunRecords::add(const Trajectory& block) {
  take(block);
  return !file_ || attempt([&] { file_->add(block); });
}

bool RunRecords::is_due() {
  if (!file_) return false;
  const auto now = Clock::now();
  return (now >= due_ && now >= rest_until_) || (wishes_.checkpoint_every > 0 && now >= checkpoint_due_);
}

bool RunRecords::update(Results& so_far) {
  const auto begun = Clock::now();
  const bool checkpoint = wishes_.checkpoint_every > 0 && begun >= checkpoint_due_;
  if (!file_ || (begun < rest_until_ && !checkpoint)) return add(so_far.trajectory);
  take(so_far.trajectory);
  wishes_.complete(so_far);
  so_far.message = fmt::format("the run was under way at t = {} s when this was written", so_far.final.t);
  if (!attempt([&] { file_->update(so_far, checkpoint); })) return false;
  t_written_ = so_far.final.t;
  const auto now = Clock::now();
  due_ = now + kPatience;
  rest_until_ = now + kShare * (now - begun);
  if (checkpoint) checkpoint_due_ = now + seconds(wishes_.checkpoint_every);
  return true;
}

void RunRecords::finish(Results& results) {
  take(results.trajectory);
  if (file_) attempt([&] { file_->finish(results); });
  give_back(results);
}

void RunRecords::leave(Results& results) {
  take(results.trajectory);
  if (file_) attempt([&] { file_->update(results, true); });
  give_back(results);
}

void RunRecords::give_back(Results& results) {
  if (!wishes_.keep) return;
  all_.events = results.trajectory.events;
  results.trajectory = std::move(all_);
}

std::string RunRecords::kept() const {
  if (!file_ || !file_->is_shown()) return {};
  return fmt::format("; {} holds the results up to t = {} s", file_->part(), t_written_);
}

}  // namespace driftless
