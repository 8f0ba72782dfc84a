// Five-link wheel suspension: five rods between the car body (universal joints) and the wheel carrier (ball joints), a wheel that spins at
// 30 m/s, a spring and damper on rod 5. Relative coordinates: 14 with 12 rows; Euler parameters: 49 with 47. The car body stands, the
// road runs beneath the wheel; the tyre never pulls, F = max(4404.134 N − 2e5 N/m (R − U), 0), R the displacement of the wheel's
// centre and U the height of the road:
//   five-link-1   U = 0.3 sin(2π (t + 0.2)) exp(−500 (t − 0.3)²)                                                              (1)
//   five-link-2   U = 0 before, −0.1 m behind t = 0.2 s: the wheel loses the road and comes down on it                         (2)
// as functions of the place 30 t + x under the wheel. Topology, tyre and roads are the thesis's (whose 4404134 N and missing sign
// are read as above); its hard points and masses were not found: those of a passenger car's rear axle, masses assumed.
// The start is the static equilibrium. Reference: Runge–Kutta with projection, h = 1e-3 and 5e-4, an independent program; there
// U is a function of time alone, and the wheel goes some mm to and fro along the road: 3e-4 m in (1), nothing in (2).
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace five_link {
namespace {

struct Rod {
  double mass;
  Vec3 at, half;           // centre of mass; from there to the carrier's end
  Vec3 moments, products;  // Ixx Iyy Izz, Ixy Ixz Iyz
  Vec3 axis, axis_b;       // of the universal joint, on the car body and on the rod
};

// clang-format off
const std::array<Rod, 5> rods = {{
    {1.169, {0.082549, 0.571693, 0.087629}, {-0.026004, 0.143693, 0.005413}, {0.008124968017, 0.000404253094, 0.008375054161}, {0.001444518968, 5.4415881e-05, -0.000300691477}, {0.984038729078, 0.177828300489, 0.006698896888}, {0, 0.037643889132, -0.999291217619}},
    {1.482, {-0.0945085, 0.527346, 0.128722}, {0.0719385, 0.170346, 0.010506}, {0.014485238004, 0.002764929093, 0.016974927036}, {-0.006023910995, -0.000371521544, -0.000879740458}, {0.921485484503, -0.387676188199, -0.023909725108}, {0, 0.061557511017, -0.998103538135}},
    {1.427, {0.104749, 0.571926, -0.139613}, {-0.074804, 0.158926, -0.030829}, {0.012560616321, 0.003257761157, 0.014758464417}, {0.005624863467, -0.001091129934, 0.002318177047}, {0.907775362746, 0.411780646569, -0.079878594774}, {0, -0.190433487235, -0.981700100305}},
    {1.109, {0.1173765, 0.584089, -0.032396}, {0.0118235, 0.138089, 0.003388}, {0.007116093634, 0.000180192359, 0.007163111534}, {-0.000598253838, -1.4678099e-05, -0.000171428427}, {0.996356623175, -0.085259039031, -0.002091822116}, {0, 0.024527520205, -0.999699155122}},
    {3.66, {-0.201301, 0.503575, -0.094861}, {0.087053, 0.211199, 0.012037}, {0.055249581149, 0.010481546209, 0.064237014183}, {-0.022229389515, -0.001266933847, -0.003073704084}, {0.924758758993, -0.379937286333, -0.021654009326}, {0, 0.056901300455, -0.998379808493}},
}};
// Centre of the carrier, and from there to the ends of the rods and to the wheel.
const Vec3 carrier_at{0.013102333, 0.721004167, -0.008666833};
const std::array<Vec3, 5> carrier_ends = {{
    {0.043442667, -0.005618167, 0.101708833}, {-0.035672333, -0.023312167, 0.147894833},
    {0.016842667, 0.009847833, -0.161775167}, {0.116097667, 0.001173833, -0.020341167},
    {-0.127350333, -0.006230167, -0.074157167}}};
const Vec3 carrier_wheel{-0.013102333, 0.104095833, 0.008666833};
const Vec3 carrier_moments{0.158202765069, 0.232925089474, 0.085805083126}, carrier_products{-0.003174698953, -0.007959678192, 0.011697384291};
const Vec3 wheel_moments{0.650004682347, 1.099714787005, 0.650280530648}, wheel_products{0.00145111016, 3.6242818e-05, 0.011232042593};
const Vec3 wheel_at{0, 0.8251, 0}, wheel_spin{0.27491860609, 85.200259639935, 2.127955257213};
const Vec3 wheel_axis{0.003225711645, 0.999683046442, 0.024968008351};
const Vec3 spring_top{-0.18389, 0.505815, 0.237546}, spring_seat{0.017411, 0.04224, 0.002407};
// clang-format on
constexpr double rolling_radius = 0.352, speed = 30;

Eigen::Matrix3d tensor(const Vec3& m, const Vec3& p) {
  Eigen::Matrix3d I;
  I << m[0], p[0], p[1], p[0], m[1], p[2], p[1], p[2], m[2];
  return I;
}

Shape rod_shape(
    ShapeKind kind, const ShapePoint& from, const ShapePoint& to, double radius, const char* color) {
  Shape shape;
  shape.kind = kind;
  shape.points = {from, to};
  shape.radius = radius;
  shape.color = color;
  return shape;
}

Body make_rod(size_t i) {
  const Rod& rod = rods[i];
  Body body;
  body.name = fmt::format("rod_{}", i + 1);
  body.mass = rod.mass;
  body.inertia_tensor = tensor(rod.moments, rod.products);
  body.points = {{"car_body_end", -rod.half}, {"carrier_end", rod.half}};
  if (i == 4) body.points.push_back({"spring_seat", spring_seat});
  body.position = rod.at;
  body.shapes = {
      rod_shape(ShapeKind::capsule, {"car_body_end"}, {"carrier_end"}, i == 4 ? 0.022 : 0.016, "#3b74b8")};
  return body;
}

Body make_carrier() {
  Body carrier;
  carrier.name = "wheel_carrier";
  carrier.mass = 14;
  carrier.inertia_tensor = tensor(carrier_moments, carrier_products);
  carrier.position = carrier_at;
  for (size_t i = 0; i < 5; ++i) {
    const std::string name = fmt::format("rod_{}_end", i + 1);
    carrier.points.push_back({name, carrier_ends[i]});
    carrier.shapes.push_back(rod_shape(ShapeKind::capsule, {}, {name}, 0.02, "#4f9b6a"));
  }
  carrier.points.push_back({"wheel_centre_B", carrier_wheel});
  carrier.shapes.push_back(rod_shape(ShapeKind::cylinder, {}, {"wheel_centre_B"}, 0.045, "#4f9b6a"));
  return carrier;
}

Body make_wheel() {
  Body wheel;
  wheel.name = "wheel";
  wheel.mass = 24.7;
  wheel.inertia_tensor = tensor(wheel_moments, wheel_products);
  wheel.points = {{"wheel_centre_B", Vec3::Zero()}};
  wheel.position = wheel_at;
  wheel.spin = wheel_spin;
  const auto disc = [](double half, double radius, const char* color) {
    return rod_shape(ShapeKind::cylinder, {{}, -half * wheel_axis}, {{}, half * wheel_axis}, radius, color);
  };
  Shape spoke;
  spoke.size = {0.4, 0.24, 0.04};
  spoke.color = "#8a9099";
  wheel.shapes = {disc(0.1, rolling_radius, "#2f3237"), disc(0.11, 0.22, "#b9bec6"), spoke};
  return wheel;
}

Model make_suspension(const TimeFunction& road) {
  Model model;
  model.name = "five-link";
  model.description = "five-link wheel suspension: five rods, wheel carrier, spinning wheel";
  model.space = Space::spatial;
  model.gravity = {0, 0, -9.81};
  model.ground_points.push_back({"spring", spring_top});
  for (size_t i = 0; i < 5; ++i) {
    const std::string number = fmt::format("{}", i + 1), rod = "rod_" + number;
    model.ground_points.push_back({"U" + number, rods[i].at - rods[i].half});
    model.bodies.push_back(make_rod(i));
    model.joints.push_back(element("U" + number, "universal",
                                   {{"a", point("ground", "U" + number)},
                                    {"b", point(rod, "car_body_end")},
                                    {"axis", direction(rods[i].axis)},
                                    {"axis_b", direction(rods[i].axis_b)}}));
  }
  model.bodies.push_back(make_carrier());
  model.bodies.push_back(make_wheel());
  for (size_t i = 1; i <= 5; ++i)
    model.joints.push_back(element(fmt::format("S{}", i), "spherical",
                                   {{"a", point(fmt::format("rod_{}", i), "carrier_end")},
                                    {"b", point("wheel_carrier", fmt::format("rod_{}_end", i))}}));
  model.joints.push_back(element("B", "revolute",
                                 {{"a", point("wheel_carrier", "wheel_centre_B")},
                                  {"b", point("wheel", "wheel_centre_B")},
                                  {"axis", direction(wheel_axis)}}));
  model.forces = {element("spring", "tsda",
                          {{"a", point("ground", "spring")},
                           {"b", point("rod_5", "spring_seat")},
                           {"stiffness", 75000.0},
                           {"damping", 5500.0},
                           {"free_length", 0.416508617596}}),
                  element("tyre", "tyre",
                          {{"at", point("wheel", "wheel_centre_B")},
                           {"radius", rolling_radius + 4404.134 / 200000},
                           {"stiffness", 200000.0},
                           {"road", road},
                           {"speed", speed},
                           {"origin", Vec3(0, 0, -rolling_radius)}})};
  model.outputs = {
      element("R", "point", {{"point", point("wheel", "wheel_centre_B")}, {"component", std::string("z")}})};
  model.simulate.t_end = 1;
  return model;
}

Model make_smooth(const Options&) {
  return make_suspension(
      time_function::ExpressionText{"0.3*sin(2*pi*(x/30+0.2))*exp(-500*(x/30-0.3)^2)", "x"});  // (1)
}

Model make_edge(const Options&) {
  return make_suspension(time_function::ExpressionText{"-0.1*step(x-6)", "x"});  // (2)
}

std::vector<ReferenceValue> values_of(std::initializer_list<std::pair<double, double>> pairs,
                                      double reliable) {
  std::vector<ReferenceValue> out;
  for (const auto& [t, R] : pairs) out.push_back({t, "R", R, reliable});
  return out;
}

}  // namespace
}  // namespace five_link

extern const ProblemRecord five_link_1_problem, five_link_2_problem;

const ProblemRecord five_link_1_problem = {
    .name = "five-link-1",
    .summary =
        "five-link wheel suspension on a smooth road: 14 joint coordinates, four loops, 2 degrees of freedom",
    .reference =
        "Chin 1995, sec. 4.4.2, case I (after Hiller & Frik 1991); hard points and masses are others",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .coordinates = "relative",
    .options = {},
    .values = five_link::values_of(
        {{0.24, 0.007645}, {0.28, 0.0337}, {0.32, -0.005732}, {0.36, -0.036447}, {0.5, 0.000524}}, 3e-4),
    .mechanism = five_link::make_smooth,
    .difficulty = "four closed loops, a tyre that lifts off",
    .methods = {},
    .inferred = "hard points and masses: those of the source were not found",
};

const ProblemRecord five_link_2_problem = {
    .name = "five-link-2",
    .summary = "the same, driving over an edge of 0.1 m: the wheel loses the road and comes down on it",
    .reference =
        "Chin 1995, sec. 4.4.2, case II (after Hiller & Frik 1991); hard points and masses are others",
    .t_end = 1,
    .integrator = {},
    .stabilization = {},
    .coordinates = "relative",
    .options = {},
    .values = five_link::values_of(
        {{0.24, -0.043185}, {0.28, -0.091994}, {0.32, -0.087058}, {0.4, -0.087493}, {1.0, -0.086969}}, 1e-5),
    .mechanism = five_link::make_edge,
    .difficulty = "an edge of the road, a tyre that lifts off and comes down",
    .methods = {},
    .inferred = "hard points and masses: those of the source were not found",
};

}  // namespace driftless
