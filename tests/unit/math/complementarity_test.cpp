// The contact problem against answers by hand: unique, none, several; degenerate; redundant; impacts.
#include "driftless/math/contact/complementarity.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "driftless/math/contact/lemke.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

// W and b of rows A of a body diag(m, m, I) under a force f at accelerations J̇v = 0.
ContactProblem on_body(const Mat& A, const Vec& mass, const Vec& force, std::vector<ContactRows> contacts) {
  const Vec inverse = mass.cwiseInverse();
  ContactProblem out;
  out.W = A * inverse.asDiagonal() * A.transpose();
  out.b = A * inverse.cwiseProduct(force);
  out.contacts = std::move(contacts);
  return out;
}

void expect_consistent(const ContactProblem& problem, const ContactSolution& s, double tolerance = 1e-12) {
  for (const ContactRows& c : problem.contacts) {
    double limit = c.limit;
    if (c.normal >= 0) {
      EXPECT_GE(s.p[c.normal], -tolerance);
      EXPECT_GE(s.a[c.normal], -tolerance);
      EXPECT_NEAR(s.p[c.normal] * s.a[c.normal], 0, tolerance);
      limit += c.friction * s.p[c.normal];
    }
    if (c.tangent < 0) continue;
    const Vec2 p(s.p[c.tangent], c.tangent_2 >= 0 ? s.p[c.tangent_2] : 0);
    const Vec2 a(s.a[c.tangent], c.tangent_2 >= 0 ? s.a[c.tangent_2] : 0);
    EXPECT_LE(p.norm(), limit + tolerance);
    // a_t ≠ 0: p_t = −ℓ a_t/|a_t|
    EXPECT_NEAR((a.norm() * p + limit * a).norm(), 0, tolerance);
  }
}

TEST(Lemke, small_problem_with_known_answer) {
  Mat M(2, 2);
  M << 2, 1, 1, 2;
  const LemkeResult result = solve_lcp(M, Vec2(-5, -6));
  ASSERT_TRUE(result.solved);
  EXPECT_NEAR(result.z[0], 4.0 / 3, 1e-15);
  EXPECT_NEAR(result.z[1], 7.0 / 3, 1e-15);
}

TEST(Lemke, degenerate_problems_do_not_cycle) {
  // Cottle, Pang & Stone, example 4.4.9 cycles under a careless rule; equal right sides make every ratio tie.
  Mat M(3, 3);
  M << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const LemkeResult result = solve_lcp(M, Vec3(-1, -1, -1));
  ASSERT_TRUE(result.solved);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.z[i], 1.0 / 3, 1e-14);
}

TEST(Lemke, ray_where_there_is_no_solution) {
  EXPECT_FALSE(solve_lcp(Mat::Constant(1, 1, -1.0), Vec::Constant(1, -1.0)).solved);
}

TEST(Contacts, block_on_a_floor_sticks_slips_and_lifts_off) {
  Mat A(2, 2);
  A << 0, 1, 1, 0;  // normal, tangent
  const auto at = [&](double push, double weight) {
    return solve_contacts(on_body(A, Vec2(2, 2), Vec2(push, -weight), {{0, 1, -1, 0.5}}));
  };
  const ContactSolution stick = at(9, 20);
  EXPECT_EQ(stick.answer, ContactAnswer::solved);
  EXPECT_EQ(stick.modes[0], ContactMode::stick);
  EXPECT_NEAR(stick.p[1], -9, 1e-13);
  const ContactSolution slip = at(13, 20);
  EXPECT_EQ(slip.modes[0], ContactMode::slip_plus);
  EXPECT_NEAR(slip.a[1], 1.5, 1e-13);
  const ContactSolution back = at(-13, 20);
  EXPECT_EQ(back.modes[0], ContactMode::slip_minus);
  const ContactSolution open = at(13, -20);
  EXPECT_EQ(open.modes[0], ContactMode::open);
  EXPECT_EQ(open.answer, ContactAnswer::solved);
}

TEST(Contacts, given_limits_need_no_normal_force) {
  // Two masses, friction between them and of the second with the ground.
  Mat A(2, 2);
  A << -1, 1, 0, 1;
  const ContactProblem problem =
      on_body(A, Vec2(1, 1), Vec2(5, 0), {{-1, 0, -1, 0, 3.0}, {-1, 1, -1, 0, 1.0}});
  const ContactSolution s = solve_contacts(problem);
  EXPECT_EQ(s.answer, ContactAnswer::solved);
  EXPECT_TRUE(s.unique_proved);
  expect_consistent(problem, s);
  // together: 5 − 1 = 2 a, friction between 5 − 2 = 3: at its limit, just
  EXPECT_NEAR(s.p[0], 3, 1e-12);
  EXPECT_NEAR(s.a[1], 2, 1e-12);
}

// Rod that slides on its end, tan θ = 2, m = 1, length 2: 1 + 3 cos²θ − 3 μ sin θ cos θ changes its sign at μ = 4/3.
ContactProblem painleve(double mu, double b) {
  const double cos2 = 0.2, sincos = 0.4;
  ContactProblem problem;
  problem.W = Mat::Constant(1, 1, 1 + 3 * cos2 - 3 * mu * sincos);
  problem.b = Vec::Constant(1, b);
  problem.contacts = {{0}};
  return problem;
}

TEST(Contacts, painleve_none_and_several) {
  EXPECT_EQ(solve_contacts(painleve(1.3, -1)).answer, ContactAnswer::solved);
  EXPECT_EQ(solve_contacts(painleve(1.3, 1)).answer, ContactAnswer::solved);
  EXPECT_EQ(solve_contacts(painleve(1.4, -1)).answer, ContactAnswer::none);
  EXPECT_EQ(solve_contacts(painleve(1.4, 1)).answer, ContactAnswer::several);
}

TEST(Contacts, redundant_feet_hold_together_what_one_could_not) {
  // A table on two feet whose tangential rows are the same: forces are not unique, accelerations are.
  Mat A(4, 3);  // x, y, θ; feet at x = ±1, height 0.5 below the centre
  A << 0, 1, -1, 1, 0, 0.5, 0, 1, 1, 1, 0, 0.5;
  const std::vector<ContactRows> feet = {{0, 1, -1, 0.5}, {2, 3, -1, 0.5}};
  const Vec3 mass(1, 1, 1);
  const ContactProblem holds = on_body(A, mass, Vec3(4, -10, 0), feet);
  const ContactSolution s = solve_contacts(holds);
  EXPECT_EQ(s.answer, ContactAnswer::solved);
  expect_consistent(holds, s, 1e-11);
  EXPECT_NEAR(max_abs(s.a), 0, 1e-11);
  EXPECT_GT(hold_margin(holds, {0, 1}, 1), 0);
  const ContactProblem slides = on_body(A, mass, Vec3(6, -10, 0), feet);
  const ContactSolution moves = solve_contacts(slides);
  EXPECT_EQ(moves.answer, ContactAnswer::solved);
  EXPECT_EQ(moves.modes[0], ContactMode::slip_plus);
  EXPECT_NEAR(moves.a[1], 1, 1e-11);
  EXPECT_LT(hold_margin(slides, {0, 1}, 1), 0);
  // One foot alone carries nothing sideways beyond its own share, the pair carries 5.
  EXPECT_NEAR(hold_margin(on_body(A, mass, Vec3(5, -10, 0), feet), {0, 1}, 1), 0, 1e-8);
}

TEST(Contacts, three_legs_on_a_line_have_one_acceleration) {
  Mat A(3, 2);
  A << 1, -1, 1, 0, 1, 1;
  const ContactProblem problem = on_body(A, Vec2(1, 1), Vec2(-3, 0), {{0}, {1}, {2}});
  const ContactSolution s = solve_contacts(problem);
  EXPECT_EQ(s.answer, ContactAnswer::solved);
  EXPECT_NEAR(max_abs(s.a), 0, 1e-13);
  EXPECT_NEAR(s.p.sum(), 3, 1e-12);
}

TEST(Contacts, cone_slips_against_the_push) {
  const Vec3 mass(2, 2, 2);
  Mat A(3, 3);
  A << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const std::vector<ContactRows> foot = {{0, 1, 2, 0.5}};
  const ContactProblem slides = on_body(A, mass, Vec3(9, 12, -20), foot);
  const ContactSolution s = solve_contacts(slides);
  ASSERT_EQ(s.answer, ContactAnswer::solved);
  EXPECT_EQ(s.modes[0], ContactMode::slip);
  // |push| = 15, limit 10 along it
  EXPECT_NEAR(s.p[1], -6, 1e-12);
  EXPECT_NEAR(s.p[2], -8, 1e-12);
  const ContactSolution holds = solve_contacts(on_body(A, mass, Vec3(5, 6, -20), foot));
  EXPECT_EQ(holds.modes[0], ContactMode::stick);
  EXPECT_NEAR(holds.p[1], -5, 1e-12);
  const ContactSolution open = solve_contacts(on_body(A, mass, Vec3(5, 6, 20), foot));
  EXPECT_EQ(open.modes[0], ContactMode::open);
}

TEST(Contacts, cone_of_a_body_that_turns_is_solved_to_round_off) {
  // Contact off the centre: normal and tangents are coupled.
  Mat A(3, 6);
  const Vec3 r(0.3, -0.2, -0.5);
  for (int k = 0; k < 3; ++k) {
    const Vec3 u = Vec3::Unit((k + 2) % 3);
    A.row(k) << u.transpose(), r.cross(u).transpose();
  }
  Vec mass(6), force(6);
  mass << 1, 1, 1, 0.1, 0.2, 0.15;
  force << 4, -3, -10, 0.2, 0.1, -0.3;
  const ContactProblem problem = on_body(A, mass, force, {{0, 1, 2, 0.3}});
  const ContactSolution s = solve_contacts(problem);
  ASSERT_EQ(s.answer, ContactAnswer::solved);
  expect_consistent(problem, s, 1e-11);
}

TEST(Impacts, ball_and_floor) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    ImpactProblem impact{{Mat::Constant(1, 1, 0.5), Vec::Constant(1, -3.0), {{0}}}, {0.8}, law};
    const ImpactSolution s = solve_impact(impact);
    EXPECT_EQ(s.answer, ContactAnswer::solved);
    EXPECT_NEAR(s.u[0], 2.4, 1e-14);
    EXPECT_NEAR(s.p[0], 3 * 1.8 / 0.5, 1e-13);
    EXPECT_NEAR(s.energy_gain, -0.5 / 0.5 * 9 * (1 - 0.64), 1e-13);
  }
}

TEST(Impacts, two_stops_at_once_are_symmetric) {
  Mat W(2, 2);
  W << 2, -0.5, -0.5, 2;
  const ImpactSolution s = solve_impact({{W, Vec2(-1, -1), {{0}, {1}}}, {0.5, 0.5}, ImpactLaw::newton});
  EXPECT_EQ(s.u[0], s.u[1]);
  EXPECT_NEAR(s.u[0], 0.5, 1e-15);
}

TEST(Impacts, newton_gains_energy_where_poisson_does_not) {
  // Kane's double pendulum: two equal rods, the tip strikes a rough floor. W and speeds of S. Djerassi's example, scaled.
  ContactProblem contact;
  contact.W.resize(2, 2);
  contact.W << 1.0, 0.9, 0.9, 1.2;
  contact.b = Vec2(-0.1, -1.0);  // hardly approaching, sliding fast
  contact.contacts = {{0, 1, -1, 0.6}};
  const ImpactSolution newton = solve_impact({contact, {0.9}, ImpactLaw::newton});
  const ImpactSolution poisson = solve_impact({contact, {0.9}, ImpactLaw::poisson});
  EXPECT_EQ(newton.answer, ContactAnswer::solved);
  EXPECT_EQ(poisson.answer, ContactAnswer::solved);
  EXPECT_LE(poisson.energy_gain, 0);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
