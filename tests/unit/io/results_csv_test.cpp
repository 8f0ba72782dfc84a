#include <cstring>
#include <sstream>

#include <gtest/gtest.h>

#include "driftless/core/errors.hpp"
#include "driftless/io/results_io.hpp"

#include "unit/io/sample_results.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using io_testing::bare_results;
using io_testing::contents;
using io_testing::sample_results;
using io_testing::TemporaryFolder;

struct Csv {
  std::string remarks;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

Csv written(const Results& results) {
  const TemporaryFolder folder;
  write_results(results, folder / "r.csv");
  std::istringstream text(contents(folder / "r.csv"));
  Csv csv;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#"))
      csv.remarks += line + "\n";
    else if (csv.names.empty())
      csv.names = split(line);
    else
      csv.rows.push_back(split(line));
  }
  return csv;
}

TEST(ResultsCsv, ColumnsHaveUniqueNamesWithUnits) {
  const Csv csv = written(sample_results());
  const std::vector<std::string> expected{"t [s]",
                                          "bob.x [m]",
                                          "bob.theta [rad]",
                                          "bob.vx [m/s]",
                                          "bob.omega [rad/s]",
                                          "vdot.bob.vx [m/s^2]",
                                          "vdot.bob.omega [rad/s^2]",
                                          "lambda.pin.x [N]",
                                          "tip [m]",
                                          "pin.fx [N]",
                                          "pin.fy [N]",
                                          "pin.tz [N m]",
                                          "drive.fx [N]",
                                          "drive.fy [N]",
                                          "drive.tz [N m]",
                                          "energy.kinetic [J]",
                                          "energy.potential [J]",
                                          "energy.total [J]",
                                          "energy.work [J]",
                                          "drift.position [m]",
                                          "drift.velocity [m/s]"};
  EXPECT_EQ(csv.names, expected);
}

TEST(ResultsCsv, SpatialReactionsHaveSixColumnsAJoint) {
  Results results = sample_results();
  results.trajectory.planar = false;
  const Csv csv = written(results);
  const std::vector<std::string> expected{"pin.fx [N]",   "pin.fy [N]",   "pin.fz [N]",
                                          "pin.tx [N m]", "pin.ty [N m]", "pin.tz [N m]"};
  ASSERT_EQ(csv.names.size(), 27u);
  EXPECT_EQ(std::vector<std::string>(csv.names.begin() + 9, csv.names.begin() + 15), expected);
  for (size_t row = 0; row < csv.rows.size(); ++row)
    for (size_t k = 0; k < 6; ++k)
      EXPECT_EQ(std::strtod(csv.rows[row][9 + k].c_str(), nullptr),
                results.trajectory.reactions[24 * row + k]);
}

TEST(ResultsCsv, NumbersReadBackToTheSameBits) {
  const Results results = sample_results();
  const Trajectory& tr = results.trajectory;
  const Csv csv = written(results);
  ASSERT_EQ(csv.rows.size(), tr.size());
  for (size_t row = 0; row < tr.size(); ++row) {
    std::vector<double> wanted{tr.t[row]};
    const auto add = [&](const Table& table) {
      for (size_t column = 0; column < table.columns(); ++column) wanted.push_back(table.at(row, column));
    };
    for (const Table* table : {&tr.q, &tr.v, &tr.vdot, &tr.lambda, &tr.quantities}) add(*table);
    for (size_t joint = 0; joint < 2; ++joint)
      for (const size_t k : {0, 1, 5}) wanted.push_back(tr.reactions[24 * row + 12 * joint + k]);
    for (const Table* table : {&tr.energy, &tr.drift}) add(*table);
    ASSERT_EQ(csv.rows[row].size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const double value = std::strtod(csv.rows[row][i].c_str(), nullptr);
      EXPECT_EQ(std::memcmp(&value, &wanted[i], sizeof value), 0) << csv.rows[row][i];
    }
  }
}

TEST(ResultsCsv, NanIsAnEmptyField) {
  Results results = sample_results();
  results.trajectory.q.data[0] = std::nan("");
  const Csv csv = written(results);
  EXPECT_EQ(csv.rows[0][1], "");
  EXPECT_EQ(csv.rows[0].size(), csv.names.size());
}

TEST(ResultsCsv, RemarksSayWhatWasRunAndHowItWent) {
  const std::string remarks = written(sample_results()).remarks;
  for (const char* wanted :
       {"# driftless ", "# problem: pendulum", "# source: models/pendulum.json",
        "# coordinates: reference-point", "# formulation: lagrange", "# integrator: dopri5",
        "# stabilization: pstab", "# option rtol: 1e-06", "# command: driftless run pendulum", "# status: ok",
        "accepted=100", "evaluations=643", "position_max=1e-12", "max_relative_error=1e-07",
        "# event t=0.15: tip crosses 0"})
    EXPECT_NE(remarks.find(wanted), std::string::npos) << wanted;
}

TEST(ResultsCsv, FailedRunWithoutRecordsIsAFileToo) {
  const Csv csv = written(bare_results());
  EXPECT_NE(csv.remarks.find("# status: step too small"), std::string::npos);
  EXPECT_NE(csv.remarks.find("\n#   second line"), std::string::npos);
  EXPECT_EQ(csv.names, (std::vector<std::string>{"t [s]", "x [m]", "vx [m/s]"}));
  EXPECT_TRUE(csv.rows.empty());
}

TEST(ResultsCsv, AwkwardNamesAreQuoted) {
  Results results = bare_results();
  results.trajectory.q.names[0] = "a,\"b\"";
  const TemporaryFolder folder;
  write_results(results, folder / "r.csv");
  EXPECT_NE(contents(folder / "r.csv").find("t [s],\"a,\"\"b\"\" [m]\",vx [m/s]\n"), std::string::npos);
}

TEST(ResultsPath, UnusablePathsAreRefusedBeforeARun) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "d.csv");
  io_testing::write_text(folder / "plain", "");
  for (const std::string& path :
       {folder / "r.txt", folder / "r", folder / "d.csv", folder / "none/r.csv", folder / "plain/r.csv",
        folder / (std::string(300, 'x') + ".csv"), std::string()})
    EXPECT_THROW(check_results_path(path), InputError) << path;
}

TEST(ResultsPath, UsablePathIsLeftAlone) {
  const TemporaryFolder folder;
  io_testing::write_text(folder / "r.h5", "old");
  check_results_path(folder / "r.csv");
  check_results_path(folder / "r.h5");
  EXPECT_EQ(contents(folder / "r.h5"), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(ResultsPath, DeviceIsRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder / "r.csv");
  EXPECT_THROW(check_results_path(folder / "r.csv"), InputError);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
