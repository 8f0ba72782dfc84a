// Bricard mechanism, IFToMM multibody benchmark A04: five rods of 1 m, 1 kg and 0.1 m square section along edges of a cube,
// the ground as sixth, six hinges with axes y, z, x, y, z, x. 30 rows on 30 coordinates, one of them redundant in every
// position: one degree of freedom. Reference: symmetric two-angle form against five joint angles, 80-bit arithmetic, which
// agree to 16 digits.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace bricard {
namespace {

Model make_bricard(const Options&) {
  const std::array<Vec3, 6> P = {{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
  const std::array<Vec3, 6> axes = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(),
                                    Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  const double section = 0.1;
  Model model;
  model.name = "bricard";
  model.description = "Bricard six-bar linkage: overconstrained, one degree of freedom";
  model.space = Space::spatial;
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"P1", P[0]}, {"P6", P[5]}};
  for (size_t i = 0; i < 5; ++i) {
    const Vec3 along = P[i + 1] - P[i];
    Body rod;
    rod.name = fmt::format("rod_{}", i + 1);
    rod.mass = 1;
    const Vec3 across = Vec3::Ones() - along.cwiseAbs();
    const Vec3 moments = across * ((1 + section * section) / 12) + along.cwiseAbs() * (section * section / 6);
    rod.inertia_tensor = moments.asDiagonal();
    rod.center_of_mass = along / 2;
    rod.points = {{fmt::format("P{}", i + 1), Vec3::Zero()}, {fmt::format("P{}", i + 2), along}};
    rod.position = P[i];
    model.bodies.push_back(rod);
  }
  for (size_t i = 0; i < 6; ++i) {
    const std::string at = fmt::format("P{}", i + 1);
    const std::string first = i == 0 || i == 5 ? "ground" : fmt::format("rod_{}", i);
    const std::string second = fmt::format("rod_{}", i == 5 ? 5 : i + 1);
    model.joints.push_back(
        element(fmt::format("hinge_{}", i + 1), "revolute",
                {{"a", point(first, at)}, {"b", point(second, at)}, {"axis", direction(axes[i])}}));
  }
  add_point_outputs(model, "P3", point("rod_2", "P3"));
  add_point_outputs(model, "P4", point("rod_3", "P4"));
  model.simulate.t_end = 10;
  model.simulate.rtol = 1e-8;
  model.simulate.output_step = 0.05;
  return model;
}

struct Snapshot {
  double t;
  std::array<double, 6> places;  // P3, P4
};
constexpr std::array<Snapshot, 6> snapshots = {{
    {0.5,
     {0.7747178080392334, -0.979815047655669, -0.19990615895344271, 0.9682836791067772, -1.224625159436334,
      0.7501466094377669}},
    {1.0,
     {0.27448131926462305, -0.886707938734672, -0.46233000268737606, 0.5105014611872197, -1.6491675993948063,
      0.14012311455318582}},
    {2.0,
     {-0.7781353730332908, -0.9803526834432565, -0.1972526706171706, -0.9693403447776516, -1.2212468949563173,
      0.7542780107797767}},
    {3.0,
     {-0.77128135896861, -0.9792693298398003, -0.20256253265376703, -0.9671998000486897, -1.2280202146742363,
      0.7459831761757213}},
    {4.0,
     {0.28355107908174293, -0.8880228141230467, -0.4597993927757896, 0.5248995933913398, -1.6438760013360603,
      0.1488358461156825}},
    {5.0,
     {0.999932742302117, -0.9999999977383531, -6.725543608394923e-05, 0.9999999977380489, -1.0000672576978828,
      0.9999327400403182}},
}};

std::vector<ReferenceValue> reference_values() {
  std::vector<ReferenceValue> values;
  const std::array<const char*, 6> names = {"P3_x", "P3_y", "P3_z", "P4_x", "P4_y", "P4_z"};
  for (const Snapshot& at : snapshots)
    for (size_t i = 0; i < names.size(); ++i) values.push_back({at.t, names[i], at.places[i], 4e-16});
  return values;
}

}  // namespace
}  // namespace bricard

extern const ProblemRecord bricard_problem;
const ProblemRecord bricard_problem = {
    .name = "bricard",
    .summary = "Bricard six-bar linkage: overconstrained, one degree of freedom",
    .reference = "IFToMM multibody benchmark library, A04",
    .t_end = 10,
    .integrator = {},
    .stabilization = {},
    .rtol = 1e-8,
    .options = {},
    .values = bricard::reference_values(),
    .mechanism = bricard::make_bricard,
    .difficulty =
        "overconstrained: one more row than the count of degrees of freedom allows, at every position",
    .methods = {"relative/lagrange/dopri5", "lagrange/dop853/pstab"},
};

}  // namespace driftless
