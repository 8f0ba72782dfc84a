// Spatial bodies in absolute coordinates: the mass matrix against the kinetic energy of twists got by differences,
// gyroscopic terms against the balance of momentum, retract against difference.
#include "driftless/coordinates/absolute/absolute_system.hpp"

#include <Eigen/LU>

#include "support/runs.hpp"
#include "support/spatial_samples.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

template <class Attitude>
class Absolute : public ::testing::Test {
 protected:
  Absolute() : random(11), model(three_bodies(random)), system(expand<3>(model, {})) {}

  // Anywhere; quaternions on or off their length.
  State state(bool normalised) {
    State s = system.start();
    for (int i = 0; i < 3; ++i)
      s.q.template segment<4>(7 * i + 3) = random.quaternion() * (normalised ? 1.0 : random.number(0.8, 1.2));
    for (int k = 0; k < s.v.size(); ++k) s.v[k] = random.number(-2, 2);
    for (int i = 0; Attitude::vector_space && normalised && i < 3; ++i) {
      auto rate = s.v.template segment<4>(7 * i + 3);
      const Quat p = s.q.template segment<4>(7 * i + 3);
      rate -= rate.dot(p) * p;
    }
    return s;
  }

  // World twists by central differences of the poses along v.
  std::vector<Twist> twists(const State& s) const {
    const double h = 1e-4;
    Vec plus = s.q, minus = s.q;
    system.retract(plus, h * s.v);
    system.retract(minus, -h * s.v);
    std::vector<Twist> out(3);
    for (int i = 0; i < 3; ++i) {
      const auto R = [&](const Vec& q) { return rotation_matrix<double>(Quat(q.segment<4>(7 * i + 3))); };
      const Mat3 spin = (R(plus) - R(minus)) / (2 * h) * R(s.q).transpose();
      out[size_t(i)].r = (plus.segment<3>(7 * i) - minus.segment<3>(7 * i)) / (2 * h);
      out[size_t(i)].omega = Vec3(spin(2, 1), spin(0, 2), spin(1, 0));
    }
    return out;
  }

  Random random;
  Model model;
  AbsoluteSystem<Attitude> system;
};

using Sets = ::testing::Types<BodyRates, QuaternionRates>;
TYPED_TEST_SUITE(Absolute, Sets);

TYPED_TEST(Absolute, MassMatrixGivesTheKineticEnergy) {
  Terms terms = this->system.make_terms();
  for (int round = 0; round < 20; ++round) {
    const State s = this->state(false);
    this->system.position(0, s.q, terms);
    this->system.mass(0, s.q, terms);
    double energy = 0;
    const auto twists = this->twists(s);
    for (int i = 0; i < 3; ++i) {
      const Mat3 R = rotation_matrix<double>(Quat(s.q.template segment<4>(7 * i + 3)));
      const Mat3& inertia = this->model.bodies[size_t(i)].inertia_tensor;
      const Vec3 omega = R.transpose() * twists[size_t(i)].omega;
      energy += this->model.bodies[size_t(i)].mass * twists[size_t(i)].r.squaredNorm() / 2;
      energy += omega.dot(inertia * omega) / 2;
      if (TypeParam::vector_space) {  // the inertia of absolute_system.hpp (5) along p
        const double along = s.q.template segment<4>(7 * i + 3).dot(s.v.template segment<4>(7 * i + 3));
        energy += 4.0 / 3.0 * inertia.trace() * along * along / 2;
      }
    }
    EXPECT_NEAR(s.v.dot(terms.M * s.v) / 2, energy, 1e-7 * energy);
  }
}

// Force-free bodies keep their momentum and moment of momentum: d/dt along (q ⊕ τ v, v + τ v̇) vanishes.
TYPED_TEST(Absolute, FreeBodiesKeepTheirMomentum) {
  this->model.gravity.setZero();
  const AbsoluteSystem<TypeParam> free(expand<3>(this->model, {}));
  const Layout& layout = free.layout();
  Terms terms = free.make_terms();
  for (int round = 0; round < 20; ++round) {
    const State s = this->state(true);
    free.evaluate(0, s.q, s.v, terms);
    Mat kkt = Mat::Zero(layout.nv + layout.m, layout.nv + layout.m);
    kkt.topLeftCorner(layout.nv, layout.nv) = Mat(terms.M);
    kkt.bottomLeftCorner(layout.m, layout.nv) = Mat(terms.J);
    kkt.topRightCorner(layout.nv, layout.m) = Mat(terms.J).transpose();
    Vec right(layout.nv + layout.m);
    right << terms.f, terms.gamma;
    const Vec vdot = kkt.partialPivLu().solve(right).head(layout.nv);
    const double h = 1e-4;
    const auto momenta = [&](double tau) {
      State there{0, s.q, s.v + tau * vdot};
      free.retract(there.q, tau * s.v);
      Vec out(9);
      const auto twists = this->twists(there);
      for (int i = 0; i < 3; ++i) {
        const Mat3 R = rotation_matrix<double>(Quat(there.q.template segment<4>(7 * i + 3)));
        out.segment<3>(3 * i) =
            R * this->model.bodies[size_t(i)].inertia_tensor * R.transpose() * twists[size_t(i)].omega;
      }
      return out;
    };
    EXPECT_LT(max_abs(Vec((momenta(h) - momenta(-h)) / (2 * h))), 1e-6);
    for (int i = 0; i < 3; ++i) EXPECT_LT(vdot.segment<3>((3 + TypeParam::width) * i).norm(), 1e-13);
  }
}

TYPED_TEST(Absolute, DifferenceUndoesRetract) {
  for (int round = 0; round < 20; ++round) {
    const State s = this->state(true);
    Vec there = s.q, delta(s.v.size());
    this->system.retract(there, 0.7 * s.v);
    this->system.difference(s.q, there, delta);
    EXPECT_LT(max_difference(delta, 0.7 * s.v), 1e-13);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
