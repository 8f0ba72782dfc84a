// Result files that grow: readable at every moment, complete at the end.
#include "driftless/io/result_file.hpp"

#include <csignal>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "driftless/io/results_io.hpp"
#include "driftless/results/record_sink.hpp"

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using io_testing::contents;
using io_testing::sample_results;
using io_testing::TemporaryFolder;
using io_testing::write_text;

// The sample with records of its own in place of those it has.
Results with_records(int first, int count) {
  Results results = sample_results();
  Trajectory& tr = results.trajectory;
  clear_rows(tr);
  for (int k = first; k < first + count; ++k) {
    tr.t.push_back(0.1 * k);
    const auto fill = [&](std::vector<double>& data, size_t columns) {
      for (size_t i = 0; i < columns; ++i) data.push_back(std::sin(1.0 * k * static_cast<double>(i + 1)));
    };
    for (Table* table :
         {&tr.q, &tr.v, &tr.vdot, &tr.lambda, &tr.quantities, &tr.energy, &tr.drift, &tr.steps})
      fill(table->data, table->columns());
    fill(tr.poses, 7);
    fill(tr.reactions, 24);
  }
  return results;
}

void expect_records(const Results& found, int count) {
  const Trajectory wanted = with_records(0, count).trajectory;
  const Trajectory& tr = found.trajectory;
  EXPECT_EQ(tr.t, wanted.t);
  EXPECT_EQ(tr.q.data, wanted.q.data);
  EXPECT_EQ(tr.energy.data, wanted.energy.data);
  EXPECT_EQ(tr.poses, wanted.poses);
  EXPECT_EQ(tr.reactions, wanted.reactions);
  EXPECT_EQ(tr.steps.data, wanted.steps.data);
  EXPECT_EQ(tr.events.size(), 2u);
}

TEST(ResultFile, Hdf5IsWholeAfterEveryUpdate) {
  const TemporaryFolder folder;
  const std::string path = folder / "r.h5", part = path + ".part";
  write_text(path, "old");
  const auto file = create_result_file(path);
  file->begin(with_records(0, 0));
  EXPECT_EQ(folder.count(), 1u);
  // Chunks of t hold 32768 records, those of the reactions 1365: some fill up within a block, others over several.
  int records = 0;
  for (const int count : {0, 1, 1000, 33'000, 5, 2'000}) {
    if (count == 1000) file->add(with_records(records, 500).trajectory);
    const int added = count == 1000 ? 500 : 0;
    Results so_far = with_records(records + added, count - added);
    so_far.final.t = records;
    records += count;
    file->update(so_far, count == 5);
    EXPECT_EQ(file->part(), part);
    const Results found = read_results(part);
    expect_records(found, records);
    EXPECT_EQ(found.final.t, so_far.final.t);
    EXPECT_TRUE(found.checkpoint);
    EXPECT_EQ(contents(path), "old");
  }
  file->finish(with_records(records, 10));
  EXPECT_EQ(folder.count(), 1u);
  expect_records(read_results(path), records + 10);
}

TEST(ResultFile, UpdatesLeaveNoGapsThatCount) {
  const TemporaryFolder folder;
  const auto file = create_result_file(folder / "r.h5");
  file->begin(with_records(0, 0));
  for (int k = 0; k < 20; ++k) file->update(with_records(1000 * k, 1000), false);
  file->finish(with_records(20'000, 0));
  write_results(with_records(0, 20'000), folder / "whole.h5");
  EXPECT_LT(static_cast<double>(contents(folder / "r.h5").size()),
            1.07 * static_cast<double>(contents(folder / "whole.h5").size()));
  expect_records(read_results(folder / "r.h5"), 20'000);
  EXPECT_EQ(folder.count(), 2u);
}

TEST(ResultFile, CsvIsWholeAfterEveryUpdate) {
  const TemporaryFolder folder;
  const std::string path = folder / "r.csv", part = path + ".part";
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const auto file = create_result_file(path);
  file->begin(with_records(0, 0));
  EXPECT_EQ(folder.count(), 0u);
  file->update(with_records(0, 10), false);
  const auto head = lines(contents(part)) - 10;
  file->add(with_records(10, 3000).trajectory);
  file->update(with_records(3010, 1), true);
  EXPECT_EQ(lines(contents(part)), head + 3011);
  EXPECT_TRUE(contents(part).ends_with("\n"));
  file->finish(with_records(3011, 1));
  EXPECT_EQ(folder.count(), 1u);
  write_results(with_records(0, 3012), folder / "whole.csv");
  EXPECT_EQ(contents(path), contents(folder / "whole.csv"));
}

TEST(ResultFile, OneThatIsNotFinishedLeavesItsPart) {
  for (const char* name : {"r.h5", "r.csv"}) {
    const TemporaryFolder folder;
    write_text(folder / name, "old");
    {
      const auto file = create_result_file(folder / name);
      file->begin(with_records(0, 0));
      file->add(with_records(0, 5000).trajectory);
    }
    EXPECT_EQ(folder.count(), 1u) << "nothing was shown yet";
    {
      const auto file = create_result_file(folder / name);
      file->begin(with_records(0, 0));
      file->update(with_records(0, 5000), false);
    }
    EXPECT_EQ(folder.count(), 2u);
    EXPECT_EQ(contents(folder / name), "old");
    write_results(with_records(0, 1), folder / name);  // replaces both
    EXPECT_EQ(folder.count(), 1u);
  }
}

// The limit on file sizes stands for a full disk.
TEST(ResultFile, RefusedUpdateLeavesTheOneBefore) {
  const TemporaryFolder folder;
  rlimit unlimited{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    const auto file = create_result_file(folder / "r.h5");
    file->begin(with_records(0, 0));
    file->update(with_records(0, 1000), false);
    const rlimit small{1'500'000, unlimited.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(file->update(with_records(1000, 5000), false), std::runtime_error);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  }
  std::signal(SIGXFSZ, old_handler);
  expect_records(read_results(folder / "r.h5.part"), 1000);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
