// Hand-made results and a folder of one's own: what the tests of result files share.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "driftless/results/trajectory.hpp"

namespace driftless::io_testing {

// A folder that lives as long as the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "driftless-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  size_t count() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Numbers whose decimal text is easily spoilt: no short form, subnormal, huge, negative zero.
inline const std::vector<double>& hard_numbers() {
  static const std::vector<double> values{
      0.1,  1.0 / 3.0,           -0.0, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, M_PI, -1e-17,
      1e22, 123456789012345680.0};
  return values;
}

inline Results sample_results() {
  Results r;
  r.provenance = {"pendulum",
                  "models/pendulum.json",
                  "reference-point",
                  "lagrange",
                  "dopri5",
                  "pstab",
                  {{"rtol", "1e-06"}, {"stabilization.weight", "mass"}},
                  {},
                  "driftless run pendulum"};
  r.warnings = {"drift: |g| reached 3e-3 m, 3000 times the tolerance"};
  r.notices = {"assembled: moved 0.1 m"};
  r.statistics = {100, 7, 5, 2, 643, 0, 3, 4, 700, 1, 100, 0.25};
  r.drift = {1e-12, 2e-11, "pin.x", "pin.y"};
  r.energy = EnergySummary{1.5, 1.5000001, 0.0, 0.0, 1e-7};
  Trajectory& tr = r.trajectory;
  tr.q = {{"bob.x", "bob.theta"}, {"m", "rad"}, {}};
  tr.v = {{"bob.vx", "bob.omega"}, {"m/s", "rad/s"}, {}};
  tr.vdot = {{"bob.vx", "bob.omega"}, {"m/s^2", "rad/s^2"}, {}};
  tr.lambda = {{"pin.x"}, {"N"}, {}};
  tr.quantities = {{"tip"}, {"m"}, {}};
  tr.energy = {{"kinetic", "potential", "total", "work"}, {"J", "J", "J", "J"}, {}};
  tr.drift = {{"position", "velocity"}, {"m", "m/s"}, {}};
  tr.steps = {{"t", "h", "drift.position", "drift.velocity"}, {"s", "s", "m", "m/s"}, {}};
  tr.body_names = {"bob"};
  tr.joint_names = {"pin", "drive"};
  tr.planar = true;
  size_t next = 0;
  const auto& hard = hard_numbers();
  const auto row = [&](size_t columns) {
    Vec x(static_cast<Eigen::Index>(columns));
    for (auto& value : x) value = hard[next++ % hard.size()];
    return x;
  };
  for (int k = 0; k < 3; ++k) {
    tr.t.push_back(0.1 * k);
    for (Table* table :
         {&tr.q, &tr.v, &tr.vdot, &tr.lambda, &tr.quantities, &tr.energy, &tr.drift, &tr.steps})
      table->append(row(table->columns()));
    const Vec pose = row(7);
    tr.poses.insert(tr.poses.end(), pose.begin(), pose.end());
    const Vec reactions = row(24);
    tr.reactions.insert(tr.reactions.end(), reactions.begin(), reactions.end());
  }
  tr.events = {{0.15, "tip crosses 0"}, {0.2, "end"}};
  r.final = {0.2, row(2), row(2)};
  r.final_reaction = {row(2), row(1)};
  r.final_quantities = row(1);
  r.checkpoint = Checkpoint{0.19, 0.0, 19, 0.01, row(5)};
  return r;
}

// No rows, no quantities, no records, no potential: the least a run can leave, and it failed.
inline Results bare_results() {
  Results r;
  r.status = Status::step_too_small;
  r.message = "step size 1e-18 at t = 0\nsecond line";
  r.provenance.problem = "bare";
  r.trajectory.q = {{"x"}, {"m"}, {}};
  r.trajectory.v = {{"vx"}, {"m/s"}, {}};
  r.final = {0.0, Vec::Constant(1, 2.0), Vec::Constant(1, std::numeric_limits<double>::quiet_NaN())};
  return r;
}

}  // namespace driftless::io_testing
