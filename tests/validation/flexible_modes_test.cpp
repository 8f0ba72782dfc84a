// Modes of flexible bodies: stiffening by loads whatever end the mesh begins at and whatever frame it has, the spin-up by few modes,
// ratios of damping, sizes in error tests.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "driftless/analysis/model_doubts.hpp"
#include "driftless/flexible/floating_body.hpp"
#include "driftless/flexible/modes.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// ηᵀ K_geo η of any deflection against Σ N ∫v'², N the mean of the axial force over each element: exact, as ends of elements are under
// consistent loads. Held at an end ½ρA(L² − x²), of a free body ½ρA(x(L − x)).
TEST(LoadStiffening, HasTheAxialForcesOfTheFrame) {
  const int n = 6;
  const double L = 1.5, l = L / n, rhoA = 0.7;
  struct Case {
    const char* name;
    FlexibleSpec::Frame frame;
    bool reversed;
  };
  for (const Case& one : {Case{"held", FlexibleSpec::Frame::clamped_free, false},
                          Case{"held at its last node", FlexibleSpec::Frame::clamped_free, true},
                          Case{"pinned", FlexibleSpec::Frame::simply_supported, false},
                          Case{"free", FlexibleSpec::Frame::mean_axis, false}}) {
    FlexibleSpec spec = straight_mesh(L, n, given_section(500, 2, rhoA));
    if (one.reversed) {
      std::reverse(spec.nodes.begin(), spec.nodes.end());
      spec.frame_node = n;
    }
    spec.frame = one.frame;
    spec.stiffening = FlexibleSpec::Stiffening::loads;
    const FloatingBody<2> body(spec);
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    Vec eta(body.size());
    for (auto& x : eta) x = normal(random);
    const Vec nodal = body.Z() * eta;
    double known = 0;
    for (const auto& element : body.elements()) {
      const double a = std::min(spec.nodes[size_t(element.nodes[0])].x(),
                                spec.nodes[size_t(element.nodes[1])].x()),
                   b = a + l, thirds = (b * b * b - a * a * a) / (3 * l);
      const double N = one.frame == FlexibleSpec::Frame::mean_axis ? rhoA / 2 * (L * (a + b) / 2 - thirds)
                                                                   : rhoA / 2 * (L * L - thirds);
      Eigen::Matrix<double, 6, 1> e;
      const auto columns = nodal_columns(element);
      for (int i = 0; i < 6; ++i) e[i] = nodal[columns[size_t(i)]];
      e = (element.turn() * e).eval();
      known += N * l * e.dot(element.bending_slope() * e);
    }
    EXPECT_NEAR(eta.dot(Mat(body.load_stiffness()[0]) * eta), known, 1e-11 * std::abs(known)) << one.name;
  }
}

// The largest deflection of the spin-up by 1, 2, 3, 5 lateral modes.
TEST(SpinUp, ByFewModes_full) {
  const std::pair<const char*, double> known[] = {
      {"1", 0.57805}, {"2", 0.57333}, {"3", 0.57421}, {"5", 0.57414}};
  for (const auto& [modes, deflection] : known) {
    const AssembledModel model =
        assembled(flexible_problem("spinup-beam", {{"elements", "16"}, {"modes", modes}}));
    RunSetup setup = fixed(8, "generalized-alpha", 0.002);
    setup.formulation = "index3";
    setup.record = true;
    setup.output_step = 0.002;
    const Results results = simulate(model.system(), model.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    const Table& table = results.trajectory.quantities;
    double most = 0;
    for (size_t k = 0; k < table.rows(); ++k) {
      const double psi = table.at(k, 0);
      most = std::max(most, std::abs(std::cos(psi) * table.at(k, 2) - std::sin(psi) * table.at(k, 1)));
    }
    std::printf("%s modes: %.5f\n", modes, most);
    EXPECT_NEAR(most, deflection, 1e-5) << modes;
  }
}

// D = M Φ diag(2ζω) Φᵀ M, whatever the modes are scaled with: a mode that is let go decays by its ratio.
TEST(ModalDamping, IsThatOfTheModesHoweverTheyAreScaled) {
  Mat shapes(3, 3), unit = Mat::Identity(3, 3);
  shapes << 2, 1, 0.5, -1, 3, 0.2, 0.3, -0.4, 1;
  const Vec squares = Vec3(4, 25, 144);
  const Mat D = modal_damping(Mat(squares.asDiagonal()), unit, {0.01, 0.02, 0.03});
  EXPECT_LT((D - Mat(Vec3(0.04, 0.2, 0.72).asDiagonal())).norm(), 1e-15);
  const Mat M = shapes.transpose() * shapes, K = shapes.transpose() * Mat(squares.asDiagonal()) * shapes;
  EXPECT_LT((modal_damping(K, M, {0.01, 0.02, 0.03}) - shapes.transpose() * D * shapes).norm(), 1e-12);
  const Mat scaled = modal_damping(Mat(9 * squares.asDiagonal()), 9 * unit, {0.01});
  EXPECT_LT((scaled - Mat((9 * 0.02 * squares.cwiseSqrt()).asDiagonal())).norm(), 1e-14);
}

// Modes are of the size of √m: other units of mass leave the steps as they are.
TEST(ModalBodies, StepsDoNotDependOnTheUnitOfMass) {
  const auto run = [](double mass) {
    Model model = flexible_problem("flexible-slider-crank", {{"phi_rate", "60"}, {"modes", "3"}});
    model.forces.clear();
    model.bodies[0].mass *= mass;
    model.bodies[0].inertia *= mass;
    model.bodies[1].flexible->material.youngs_modulus *= mass;
    model.bodies[1].flexible->material.density *= mass;
    const AssembledModel made = assembled(model);
    RunSetup setup = figures_only(0.02);
    setup.rtol = 1e-5;
    const Results results = simulate(made.system(), made.start(), setup);
    EXPECT_TRUE(results.good()) << results.message;
    return std::pair<Vec2, long>(Vec2(results.final_quantities.head<2>()), long(results.statistics.accepted));
  };
  const auto plain = run(1), grams = run(1000), tons = run(1e-6);
  EXPECT_EQ(plain.second, grams.second);
  EXPECT_EQ(plain.second, tons.second);
  EXPECT_LT((plain.first - grams.first).norm(), 1e-9);
  EXPECT_LT((plain.first - tons.first).norm(), 1e-9);
}

// Round sections bend in pairs of modes: the same ones in whatever units, and a pair that is cut is said so.
TEST(ModalBodies, PairsOfOneFrequencyAreTheSameInAllUnits) {
  const auto modes = [](double mass, int count, const char* type) {
    BeamSection section = given_section(1e4 * mass, 2 * mass, 0.7 * mass);
    section.GJ = 150 * mass;
    section.rhoIy = section.rhoIz = 0.004 * mass;
    FlexibleSpec spec = straight_mesh(1, 3, section);
    spec.up = Vec3::UnitY();
    spec.rotary_inertia = true;
    spec.stiffening = FlexibleSpec::Stiffening::none;
    spec.modes = ModesSpec{type, count, {}, {}};
    if (type == std::string("craig-bampton")) {
      spec.frame = FlexibleSpec::Frame::mean_axis;
      spec.modes->boundary = {0};
    }
    return spec;
  };
  for (const char* type : {"eigen", "craig-bampton"})
    for (const int count : {2, 3, 4}) {
      const FloatingBody<3> one(modes(1, count, type)), other(modes(1000, count, type));
      ASSERT_EQ(one.size(), other.size());
      Mat a(3, one.size()), b(3, one.size());
      for (int k = 0; k < one.size(); ++k) {
        a.col(k) = one.node_displacement(3, Vec::Unit(one.size(), k));
        b.col(k) = std::sqrt(1000.0) * other.node_displacement(3, Vec::Unit(one.size(), k));
      }
      EXPECT_LT((a.cwiseAbs() - b.cwiseAbs()).cwiseAbs().maxCoeff(), 1e-6 * a.cwiseAbs().maxCoeff())
          << type << count;
    }
  Model model = one_flexible(modes(1, 3, "eigen"), true);
  const auto cut = [&] {
    const auto doubts = doubts_about(model, 1);
    return std::any_of(doubts.begin(), doubts.end(), [](const std::string& text) {
      return text.find("mode 3 of 'beam'") != std::string::npos;
    });
  };
  EXPECT_TRUE(cut());
  model.bodies[0].flexible->modes->count = 4;
  EXPECT_FALSE(cut());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
