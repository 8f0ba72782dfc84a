// How the cost of a right-hand side (all terms, factorisation, solution) grows with the number of bodies N:
//   relative coordinates, open spatial chain of revolutes about alternating axes, against a chain written by hand
//   (handwritten_chain.hpp), and M formed and factorised against articulated bodies;
//   reference-point coordinates and their KKT system, on the same chain and on a ladder of N four-bars in one plane.
// Behind the list of Google Benchmark follow the ratios: per body, to the chain written by hand, and the exponent of the
// growth between neighbouring N.
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/coordinates/spatial_relative.hpp"
#include "driftless/system/motion_solver.hpp"

#include "handwritten_chain.hpp"

namespace {

using namespace driftless;

constexpr double kLength = 0.2, kMass = 0.7;
const Vec3 kCenter(0.09, 0.01, -0.02);  // of a link, from its joint
const Vec3 kGravity(0, 0, -9.81);

Eigen::Matrix3d inertia() {
  Eigen::Matrix3d I;
  I << 4e-4, 3e-5, -2e-5, 3e-5, 2.6e-3, 1e-5, -2e-5, 1e-5, 2.5e-3;
  return I;
}

Vec3 axis_of(int i) { return i % 2 == 0 ? Vec3::UnitY() : Vec3::UnitZ(); }

PointRef point_of(const std::string& body, const Vec3& at) {
  PointRef ref;
  ref.body = body;
  ref.at = at;
  return ref;
}

// Drawn straight along x, which is where all angles are zero.
Model chain_model(int N) {
  Model model;
  model.name = fmt::format("chain of {}", N);
  model.space = Space::spatial;
  model.gravity = kGravity;
  for (int i = 0; i < N; ++i) {
    Body link;
    link.name = fmt::format("link{}", i + 1);
    link.mass = kMass;
    link.inertia_tensor = inertia();
    link.center_of_mass = kCenter;
    link.position = Vec3(i * kLength, 0, 0);
    model.bodies.push_back(link);
    const std::string inboard = i == 0 ? "ground" : fmt::format("link{}", i);
    DirectionRef axis;
    axis.u = axis_of(i);
    model.joints.push_back({fmt::format("pin{}", i + 1),
                            "revolute",
                            {{"a", point_of(inboard, i == 0 ? Vec3(0, 0, 0) : Vec3(kLength, 0, 0))},
                             {"b", point_of(link.name, Vec3::Zero())},
                             {"axis", axis}}});
  }
  return model;
}

}  // namespace
BENCHMARK_MAIN();
