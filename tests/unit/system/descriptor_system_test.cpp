// What every system inherits: completed and checked layouts, terms, default capabilities, and the small
// services.
#include "driftless/system/descriptor_system.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace driftless {
namespace DRIFTLESS_FILE {

constexpr double kRoundoff = 64 * std::numeric_limits<double>::epsilon();

Layout sizes(int nq, int nv, int mh, int m) {
  Layout layout;
  layout.nq = nq;
  layout.nv = nv;
  layout.mh = mh;
  layout.m = m;
  return layout;
}

// Two points (x1, y1, x2, y2): a rod of length 1 between them and, in the second row, a blade on the first
// point whose direction is the rod's. Overrides nothing that has a default.
class Rod final : public DescriptorSystem {
 public:
  Rod() : DescriptorSystem(completed(sizes(4, 4, 1, 2))) {}
  void position(double t, ConstVec q, Terms& terms) const override {
    const Vec2 r = q.tail<2>() - q.head<2>();
    terms.g[0] = (r.squaredNorm() - 1) / 2 - 0.1 * std::sin(t);
    set_row(terms, 0, -r[0], -r[1], r[0], r[1]);
    set_row(terms, 1, -r[1], r[0], 0, 0);
    terms.nu << 0.1 * std::cos(t), 0;
  }
  void mass(double, ConstVec, Terms& terms) const override {
    for (int i = 0; i < 4; ++i) terms.M.coeffRef(i, i) = i + 1;
    terms.M.coeffRef(0, 1) = terms.M.coeffRef(1, 0) = 0.5;
  }
  void bias(double, ConstVec, ConstVec, Terms&) const override {}
  void force(double, ConstVec, ConstVec, Terms&) const override {}

 private:
  static void set_row(Terms& terms, int row, double a, double b, double c, double d) {
    const double values[] = {a, b, c, d};
    for (int j = 0; j < 4; ++j) terms.J.coeffRef(row, j) = values[j];
  }
};

TEST(Layout, GapsAreFilled) {
  const Layout layout = completed(sizes(3, 2, 1, 2));
  EXPECT_EQ(layout.q_names, (std::vector<std::string>{"q1", "q2", "q3"}));
  EXPECT_EQ(layout.v_names, (std::vector<std::string>{"v1", "v2"}));
  EXPECT_EQ(layout.row_names.size(), 2u);
  EXPECT_EQ(layout.q_units.size(), 3u);
  EXPECT_EQ(layout.q_scale, Vec::Ones(3));
  EXPECT_EQ(layout.v_scale, Vec::Ones(2));
  EXPECT_EQ(layout.M.nonZeros(), 4);
  EXPECT_EQ(layout.J.nonZeros(), 4);
  EXPECT_TRUE(layout.J.isCompressed());
}

TEST(Layout, WhatIsGivenStays) {
  Layout given = sizes(2, 2, 0, 0);
  given.q_names = {"a", "b"};
  given.q_scale = Vec2(0.1, 10);
  given.M.resize(2, 2);
  given.M.insert(0, 0) = 0;
  given.M.insert(1, 1) = 0;
  given.M.makeCompressed();
  const Layout layout = completed(given);
  EXPECT_EQ(layout.q_names[1], "b");
  EXPECT_EQ(layout.q_scale[0], 0.1);
  EXPECT_EQ(layout.M.nonZeros(), 2);
  EXPECT_EQ(layout.J.rows(), 0);
  EXPECT_EQ(layout.J.cols(), 2);
}

TEST(Layout, MistakesAreRefused) {
  EXPECT_THROW(completed(sizes(0, 0, 0, 0)), std::invalid_argument);
  EXPECT_THROW(completed(sizes(2, 2, -1, 0)), std::invalid_argument);
  EXPECT_THROW(completed(sizes(2, 2, 2, 1)), std::invalid_argument);
  const std::pair<std::function<void(Layout&)>, const char*> cases[] = {
      {[](Layout& l) { l.q_names.pop_back(); }, "one name"},
      {[](Layout& l) { l.v_names.emplace_back("extra"); }, "one name"},
      {[](Layout& l) { l.row_names.clear(); }, "per row"},
      {[](Layout& l) { l.q_scale[1] = 0; }, "scales"},
      {[](Layout& l) { l.v_scale[0] = std::nan(""); }, "scales"},
      {[](Layout& l) { l.v_scale = Vec::Ones(7); }, "scale"},
      {[](Layout& l) { l.length = -1; }, "length"},
      {[](Layout& l) { l.length = INFINITY; }, "length"},
      {[](Layout& l) { l.M = SparseRows(3, 2); }, "M is"},
      {[](Layout& l) { l.J = SparseRows(1, 3); }, "J is"},
  };
  for (const auto& [spoil, expected] : cases) {
    Layout layout = completed(sizes(2, 2, 1, 1));
    EXPECT_NO_THROW(check_layout(layout));
    spoil(layout);
    try {
      check_layout(layout);
      ADD_FAILURE() << "accepted: " << expected;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
}

TEST(DescriptorSystem, TermsHaveTheSizesAndPatternsOfTheLayout) {
  const Rod rod;
  const Terms terms = rod.make_terms();
  EXPECT_EQ(terms.g.size(), 1);
  EXPECT_EQ(terms.nu.size(), 2);
  EXPECT_EQ(terms.gamma.size(), 2);
  EXPECT_EQ(terms.f.size(), 4);
  EXPECT_EQ(terms.J.nonZeros(), 8);
  EXPECT_EQ(terms.M.nonZeros(), 16);
  EXPECT_EQ(terms.scratch, nullptr);
}

TEST(DescriptorSystem, ServicesComputeResidualAndKineticEnergy) {
  const Rod rod;
  Terms terms = rod.make_terms();
  Vec q(4), v(4), r(2);
  q << 0.1, 0.2, 0.9, 0.7;
  v << 1, -2, 3, 0.5;
  rod.position(0.4, q, terms);
  velocity_residual(terms, v, r);
  EXPECT_NEAR(r[0], 0.8 * (3 - 1) + 0.5 * (0.5 + 2) - 0.1 * std::cos(0.4), kRoundoff);
  EXPECT_NEAR(r[1], -0.5 * 1 + 0.8 * -2, kRoundoff);
  rod.mass(0.4, q, terms);
  EXPECT_NEAR(rod.kinetic_energy(v, terms), 0.5 * (1 + 2 * 4 + 3 * 9 + 4 * 0.25 + 2 * 0.5 * 1 * -2),
              kRoundoff);
}

TEST(DescriptorSystem, DefaultsAreThoseOfAPlainVectorSpace) {
  const Rod rod;
  Terms terms = rod.make_terms();
  const Vec q = Vec::LinSpaced(4, 1, 4), v = Vec::LinSpaced(4, -1, 1);
  Vec qdot(4), moved = q;
  rod.kinematics(0, q, v, qdot);
  EXPECT_EQ(qdot, v);
  rod.retract(moved, v);
  EXPECT_EQ(moved, q + v);
  Vec q_size(4), v_size(4);
  rod.magnitudes(-q, v, q_size, v_size);
  EXPECT_EQ(q_size, q);
  EXPECT_EQ(v_size, v.cwiseAbs());
  EXPECT_FALSE(rod.potential_energy(0, q, terms).has_value());
  EXPECT_EQ(rod.applied_power(0, q, v, terms), 0);
  EXPECT_FALSE(rod.exchanges_energy());
  EXPECT_TRUE(rod.body_names().empty() && rod.quantity_names().empty() && rod.break_times(0, 1).empty());
  std::vector<Pose> poses(3);
  rod.poses(0, q, poses);
  EXPECT_TRUE(poses.empty());
  EXPECT_EQ(rod.caution(1e-14), "");
}

TEST(DescriptorSystem, DefaultTangentHasTheStatedAccuracy) {
  const Rod rod;
  Terms terms = rod.make_terms();
  Vec q(4), v(4);
  q << 0.1, 0.2, 0.9, 0.7;
  v << 1, -2, 3, 0.5;
  Mat exact(2, 4);
  Tangents tangents = rod.make_tangents({.velocity = true});
  rod.tangents(0.4, q, v, Vec::Zero(4), Vec::Zero(2), terms, tangents);
  const Mat L(tangents.L);
  exact << v[0] - v[2], v[1] - v[3], v[2] - v[0], v[3] - v[1],  //
      -v[1], v[0], v[1], -v[0];
  EXPECT_LT((L - exact).cwiseAbs().maxCoeff(), 1e-9);  // "about 1e-10", with terms of size three
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
