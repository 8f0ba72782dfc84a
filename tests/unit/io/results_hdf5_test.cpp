#include <csignal>
#include <cstring>
#include <random>
#include <sys/resource.h>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "driftless/core/errors.hpp"
#include "driftless/io/results_io.hpp"

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using io_testing::bare_results;
using io_testing::contents;
using io_testing::sample_results;
using io_testing::TemporaryFolder;
using io_testing::write_text;

bool same_bits(const double* a, const double* b, size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

bool same(const Vec& a, const Vec& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), static_cast<size_t>(a.size()));
}

void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.units, b.units);
  EXPECT_TRUE(same(a.data, b.data));
}

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_TRUE(same(a.t, b.t));
  expect_same(a.q, b.q);
  expect_same(a.v, b.v);
  expect_same(a.vdot, b.vdot);
  expect_same(a.lambda, b.lambda);
  expect_same(a.quantities, b.quantities);
  expect_same(a.energy, b.energy);
  expect_same(a.drift, b.drift);
  expect_same(a.steps, b.steps);
  EXPECT_EQ(a.body_names, b.body_names);
  EXPECT_TRUE(same(a.poses, b.poses));
  EXPECT_EQ(a.joint_names, b.joint_names);
  EXPECT_TRUE(same(a.reactions, b.reactions));
  EXPECT_EQ(a.planar, b.planar);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].t, b.events[i].t);
    EXPECT_EQ(a.events[i].name, b.events[i].name);
  }
}

void expect_same(const Provenance& a, const Provenance& b) {
  EXPECT_EQ(a.problem, b.problem);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.coordinates, b.coordinates);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.stabilization, b.stabilization);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.command, b.command);
}

void expect_same(const std::optional<Checkpoint>& a, const std::optional<Checkpoint>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->t, b->t);
  EXPECT_EQ(a->origin, b->origin);
  EXPECT_EQ(a->n, b->n);
  EXPECT_EQ(a->h, b->h);
  EXPECT_TRUE(same(a->y, b->y));
}

void expect_same(const Results& a, const Results& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.notices, b.notices);
  expect_same(a.provenance, b.provenance);
  EXPECT_EQ(a.statistics.accepted, b.statistics.accepted);
  EXPECT_EQ(a.statistics.rejected, b.statistics.rejected);
  EXPECT_EQ(a.statistics.error_test_failures, b.statistics.error_test_failures);
  EXPECT_EQ(a.statistics.convergence_failures, b.statistics.convergence_failures);
  EXPECT_EQ(a.statistics.evaluations, b.statistics.evaluations);
  EXPECT_EQ(a.statistics.factorizations, b.statistics.factorizations);
  EXPECT_EQ(a.statistics.stabilizations, b.statistics.stabilizations);
  EXPECT_EQ(a.statistics.cpu_seconds, b.statistics.cpu_seconds);
  EXPECT_EQ(a.drift.position_max, b.drift.position_max);
  EXPECT_EQ(a.drift.velocity_row, b.drift.velocity_row);
  ASSERT_EQ(a.energy.has_value(), b.energy.has_value());
  EXPECT_EQ(a.energy.value_or(EnergySummary{}).final, b.energy.value_or(EnergySummary{}).final);
  expect_same(a.trajectory, b.trajectory);
  EXPECT_EQ(a.final.t, b.final.t);
  EXPECT_TRUE(same(a.final.q, b.final.q) && same(a.final.v, b.final.v));
  EXPECT_TRUE(same(a.final_reaction.vdot, b.final_reaction.vdot));
  EXPECT_TRUE(same(a.final_reaction.lambda, b.final_reaction.lambda));
  EXPECT_TRUE(same(a.final_quantities, b.final_quantities));
  expect_same(a.checkpoint, b.checkpoint);
}

Results round_trip(const Results& results) {
  const TemporaryFolder folder;
  write_results(results, folder / "r.h5");
  EXPECT_EQ(folder.count(), 1u);
  return read_results(folder / "r.h5");
}

TEST(ResultsHdf5, EverythingComesBack) {
  const Results results = sample_results();
  expect_same(results, round_trip(results));
}

TEST(ResultsHdf5, FailedRunWithoutRowsQuantitiesOrRecordsComesBack) {
  const Results results = bare_results();
  expect_same(results, round_trip(results));
}

TEST(ResultsHdf5, RecordsOfASystemWithoutConstraints) {
  Results results = sample_results();
  results.trajectory.lambda = {};
  results.trajectory.quantities = {};
  results.trajectory.body_names.clear();
  results.trajectory.poses.clear();
  results.final_reaction.lambda.resize(0);
  results.checkpoint.reset();
  results.energy.reset();
  expect_same(results, round_trip(results));
}

TEST(ResultsHdf5, LargeTablesAreCompressedAndExact) {
  Results results = bare_results();
  results.trajectory.q = {{"a", "b", "c"}, {"m", "m", "m"}, {}};
  results.trajectory.v = {};
  for (int k = 0; k < 100'000; ++k) {
    results.trajectory.t.push_back(0.01 * k);
    for (int i = 0; i < 3; ++i)
      results.trajectory.q.data.push_back(std::round(1e3 * std::sin(0.01 * k + i)) / 1e3);
  }
  results.final.v.resize(0);
  const TemporaryFolder folder;
  write_results(results, folder / "r.h5");
  EXPECT_LT(contents(folder / "r.h5").size(), 400'000u * sizeof(double) / 2);
  expect_same(results, read_results(folder / "r.h5"));
}

TEST(ResultsHdf5, LongTextsAndManyOptionsFit) {
  Results results = bare_results();
  results.provenance.command = std::string(200'000, 'x');
  results.message = "Gr\u00f6\u00dfe \u03bd \u2026";
  for (int i = 0; i < 500; ++i)
    results.provenance.options["problem.option" + std::to_string(i)] = std::to_string(i);
  expect_same(results, round_trip(results));
}

TEST(ResultsHdf5, EqualResultsGiveEqualFiles) {
  const TemporaryFolder folder;
  write_results(sample_results(), folder / "a.h5");
  write_results(sample_results(), folder / "b.h5");
  EXPECT_EQ(contents(folder / "a.h5"), contents(folder / "b.h5"));
}

TEST(ResultsHdf5, FinalStateCarriesNamesAndCheckpoint) {
  const Results results = sample_results();
  const TemporaryFolder folder;
  write_results(results, folder / "r.h5");
  const SavedState saved = read_final_state(folder / "r.h5");
  EXPECT_EQ(saved.state.t, results.final.t);
  EXPECT_TRUE(same(saved.state.q, results.final.q) && same(saved.state.v, results.final.v));
  EXPECT_EQ(saved.q_names, results.trajectory.q.names);
  EXPECT_EQ(saved.v_names, results.trajectory.v.names);
  EXPECT_TRUE(same(saved.quantities, results.final_quantities));
  EXPECT_EQ(saved.quantity_names, results.trajectory.quantities.names);
  expect_same(saved.checkpoint, results.checkpoint);
  expect_same(saved.provenance, results.provenance);
}

TEST(ResultsHdf5, FinalStateThatIsNotFiniteIsRefused) {
  const TemporaryFolder folder;
  write_results(bare_results(), folder / "r.h5");
  EXPECT_THROW(read_final_state(folder / "r.h5"), InputError);
}

// The limit on file sizes stands for a full disk: writing fails half-way.
TEST(ResultsHdf5, DiskWithoutRoomIsAnErrorAndLeavesTheOldFile) {
  Results results = sample_results();
  for (int k = 0; k < 100'000; ++k) results.trajectory.steps.data.push_back(std::sin(1.0 * k * k));
  rlimit unlimited{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"r.h5", "r.csv"}) {
    const TemporaryFolder folder;
    write_text(folder / name, "old");
    const rlimit small{1000, unlimited.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(write_results(results, folder / name), std::runtime_error) << name;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    EXPECT_EQ(contents(folder / name), "old");
    EXPECT_EQ(folder.count(), 1u);
  }
  std::signal(SIGXFSZ, old_handler);
}

// ---- files that are not what they should be -------------------------------------------------------------------------

TEST(ResultsHdf5, WhatIsNoResultFileIsAnInputErrorWithThePath) {
  const TemporaryFolder folder;
  write_text(folder / "empty.h5", "");
  write_text(folder / "text.h5", "t,q\n0,1\n");
  std::filesystem::create_directory(folder / "folder.h5");
  const hid_t foreign = H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(foreign);
  for (const char* name : {"none.h5", "empty.h5", "text.h5", "folder.h5", "foreign.h5"}) {
    try {
      read_results(folder / name);
      ADD_FAILURE() << name << ": no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
    EXPECT_THROW(read_final_state(folder / name), InputError) << name;
  }
}

TEST(ResultsHdf5, TruncatedFileIsAnInputErrorWhereverItIsCut) {
  const TemporaryFolder folder;
  write_results(sample_results(), folder / "r.h5");
  const std::string whole = contents(folder / "r.h5");
  for (size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    write_text(folder / "cut.h5", whole.substr(0, size));
    EXPECT_THROW(read_results(folder / "cut.h5"), InputError) << size;
    EXPECT_THROW(read_final_state(folder / "cut.h5"), InputError) << size;
  }
}

// Written before there were reactions: readable all the same.
TEST(ResultsHdf5, FileWithoutReactionsIsRead) {
  const TemporaryFolder folder;
  write_results(sample_results(), folder / "r.h5");
  const hid_t file = H5Fopen((folder / "r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, "reactions", H5P_DEFAULT), 0);
  H5Fclose(file);
  const Results results = read_results(folder / "r.h5");
  EXPECT_EQ(results.trajectory.size(), 3u);
  EXPECT_TRUE(results.trajectory.joint_names.empty() && results.trajectory.reactions.empty());
}

TEST(ResultsHdf5, MissingPiecesAreInputErrorsThatNameThem) {
  const TemporaryFolder folder;
  for (const char* name :
       {"t", "q", "q_names", "v_units", "poses", "body_names", "steps", "events/t", "reactions/values",
        "reactions/names", "final", "final/q", "checkpoint/y", "notices"}) {
    write_results(sample_results(), folder / "r.h5");
    const hid_t file = H5Fopen((folder / "r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
    H5Fclose(file);
    try {
      read_results(folder / "r.h5");
      ADD_FAILURE() << name << ": no error";
    } catch (const InputError& error) {
      const std::string last = std::string(name).substr(std::string(name).rfind('/') + 1);
      EXPECT_NE(std::string(error.what()).find("'" + last + "'"), std::string::npos) << error.what();
    }
  }
}

TEST(ResultsHdf5, WrongKindsAndSizesAreInputErrors) {
  const TemporaryFolder folder;
  const auto replace = [&](const char* name, hid_t type, std::vector<hsize_t> dims) {
    write_results(sample_results(), folder / "r.h5");
    const hid_t file = H5Fopen((folder / "r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(dims.size(), 1);
    if (!dims.empty()) H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data());
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
    EXPECT_THROW(read_results(folder / "r.h5"), InputError) << name;
  };
  replace("q", H5T_NATIVE_INT, {3, 2});
  replace("q", H5T_NATIVE_DOUBLE, {3, 5});
  replace("q", H5T_NATIVE_DOUBLE, {4, 2});
  replace("q_names", H5T_NATIVE_DOUBLE, {2});
  replace("final/q", H5T_NATIVE_DOUBLE, {2, 1});
  replace("final/t", H5T_NATIVE_DOUBLE, {2});
  replace("poses", H5T_NATIVE_DOUBLE, {3, 1, 6});
  replace("reactions/values", H5T_NATIVE_DOUBLE, {3, 2, 11});
  replace("t", H5T_NATIVE_DOUBLE, {hsize_t{1} << 55});
}

// One damaged byte is noticed or harmless, and never a crash: structure and data have checksums.
TEST(ResultsHdf5, DamagedBytesAreNeverACrash) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "HDF5 1.10 itself loses memory on some damaged files";
#endif
  const TemporaryFolder folder;
  write_results(sample_results(), folder / "r.h5");
  const std::string whole = contents(folder / "r.h5");
  std::mt19937 random(2);
  int refused = 0;
  for (int k = 0; k < 200; ++k) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
    write_text(folder / "d.h5", damaged);
    try {
      read_results(folder / "d.h5");
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
