// The rolling disc twice: Chin's five coordinates with two nonholonomic rows, written down here, and the mechanism of the
// problem library with its own. The same disc, so the same centre.
#include "driftless/problems/problem.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// q = (x, y, φ, θ, ψ): contact point, heading, tilt from the vertical, spin. m = r = 1, A = 1/4, C = 1/2.
//   centre  c = (x − sin θ sin φ, y + sin θ cos φ, cos θ)
//   2 T = |ċ|² + A (θ̇² + φ̇² cos² θ) + C (ψ̇ + φ̇ sin θ)²,   V = g cos θ
//   rows    ẋ + ψ̇ cos φ = 0,   ẏ + ψ̇ sin φ = 0
struct Disc {
  static constexpr int nq = 5, nonholonomic_rows = 2;
  static constexpr bool time_dependent = false;
  static constexpr double A = 0.25, C = 0.5, gravity = 9.81;

  // p = M(q) v
  template <class S>
  static void momenta(const S* q, const S* v, S* p) {
    using std::cos, std::sin;
    const S sp = sin(q[2]), cp = cos(q[2]), st = sin(q[3]), ct = cos(q[3]);
    const S cx = v[0] - st * cp * v[2] - ct * sp * v[3], cy = v[1] - st * sp * v[2] + ct * cp * v[3],
            cz = -(st * v[3]);
    const S spin = v[4] + st * v[2];
    p[0] = cx;
    p[1] = cy;
    p[2] = -(st * cp * cx) - st * sp * cy + A * ct * ct * v[2] + C * st * spin;
    p[3] = ct * cp * cy - ct * sp * cx - st * cz + A * v[3];
    p[4] = C * spin;
  }

  void mass(double, ConstVec q, Mat& M) const {
    for (int j = 0; j < 5; ++j) {
      const Vec v = Vec::Unit(5, j);
      momenta(q.data(), v.data(), M.col(j).data());
    }
  }
  // f = ∂(T − V)/∂q − Ṁ v
  void force(double, ConstVec q, ConstVec v, VecRef f) const {
    using Jet = Dual<double, 1>;
    Jet x[5], u[5], p[5];
    for (int i = 0; i < 5; ++i) u[i] = Jet(v[i]);
    for (int k = 0; k < 5; ++k) {
      for (int i = 0; i < 5; ++i) x[i] = i == k ? Jet::variable(q[i], 0) : Jet(q[i]);
      momenta(x, u, p);
      for (int i = 0; i < 5; ++i) f[k] += 0.5 * p[i].d[0] * v[i];
    }
    for (int i = 0; i < 5; ++i) {
      x[i] = Jet(q[i]);
      x[i].d[0] = v[i];
    }
    momenta(x, u, p);
    for (int i = 0; i < 5; ++i) f[i] -= p[i].d[0];
    f[3] += gravity * std::sin(q[3]);
  }
  template <class S>
  void nonholonomic(const S&, const S* q, S* a, S*) const {
    using std::cos, std::sin;
    a[0] = S(1.0);
    a[4] = cos(q[2]);
    a[6] = S(1.0);
    a[9] = sin(q[2]);
  }
  double potential(double, ConstVec q) const { return gravity * std::cos(q[3]); }
};

TEST(RollingDisc, FiveCoordinatesAndQuaternionsHaveTheSameCentre) {
  const auto five = make_system(Disc{});
  State start{0, Vec::Zero(5), Vec::Zero(5)};
  start.q << 0, 0, 0.3, 0.4, 0;
  start.v << -2 * std::cos(0.3), -2 * std::sin(0.3), 1.5, -0.2, 2;
  RunSetup setup = figures_only(1.2);
  setup.rtol = 1e-13;
  const Results results = simulate(*five, start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Vec& q = results.final.q;
  // spec values of the same motion, from another program
  EXPECT_NEAR(q[0], -0.758016818, 1e-9);
  EXPECT_NEAR(q[1], 1.727141551, 1e-9);
  EXPECT_NEAR(q[2], -2.776717661, 1e-9);
  EXPECT_NEAR(q[3], 0.398245986, 1e-9);
  EXPECT_NEAR(q[4], 6.269531308, 1e-9);
  const Vec3 centre(q[0] - std::sin(q[3]) * std::sin(q[2]), q[1] + std::sin(q[3]) * std::cos(q[2]),
                    std::cos(q[3]));

  const ProblemRecord& record = *find_problem("rolling-disc");
  const std::map<std::string, std::string> options = {
      {"phi", "0.3"}, {"theta", "0.4"}, {"phi_rate", "1.5"}, {"theta_rate", "-0.2"}, {"psi_rate", "2"}};
  const ProblemInstance twin = instantiate(record, Options("rolling-disc", record.options, options));
  const Results other = simulate(*twin.system, twin.start, setup);
  ASSERT_TRUE(other.good()) << other.message;
  EXPECT_LT(max_difference(other.final_quantities.head(3), centre), 1e-11);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
