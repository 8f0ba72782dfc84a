// HMMWV over a bump: 14 bodies, 18 degrees of freedom, in Euler parameters 98 coordinates and 80 rows.
//   corner   lower arm on a hinge, spindle (with wheel and tyre) between two ball joints, upper arm on a ball joint at one end of its
//            hinge line; the other end is held by a stiff spring and damper, the bushing (2e7 N/m, 2e6 N s/m: eigenvalues −2.6e5 1/s),
//            and a soft one across it (1 % of that), so that the arm keeps three degrees of freedom;     5 + 3 + 3 + 3 + 1 rows
//   rack     slides in the chassis, locked; the front tie rods end on it, the rear ones on the chassis;    5 + 1 rows
//   tyres    vertical, bilateral: N = k (R + z(x) − z_w) + c (z′ ẋ − ż_w)
//   road     z(x) = √((R + r)² − (x − x_b)²) − R where that is positive, else 0: the way of the centre of a rigid disc of radius R over
//            a half-cylinder of radius r = 0.05 m at x_b                                                                          (1)
// 16 km/h: the front wheels meet the bump at 0.5 s, the rear ones at 1.243 s. The start is the static equilibrium, chassis level at
// 0.71 m. Topology, bushings, tyres, speed and bump are the paper's; hard points and masses those of Project Chrono's HMMWV
// (Aardema, TACOM 13337); what the paper leaves open (which bushing, its direction, the soft springs, free lengths) is our choice.
// Numbers of the left side; the right one is its mirror image. Points in the frame of the vehicle as designed, which all
// frames of bodies but that of the chassis (centre of mass) are. The same as examples/vehicles/hmmwv.json. Chassis and
// rack have their joints by coordinates, not by named points: the characteristic length, in which tolerances count, is that of the arms, 0.56 m.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "driftless/problems/mechanism.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {
namespace hmmwv {
namespace {

struct Start {
  Vec3 origin;
  Eigen::Vector4d turn;
};

struct Axle {
  Vec3 lower_hinge, lower_ball, spring_seat, shock_seat, upper_pivot, bushing, upper_ball, wheel, tie_rod;
  Vec3 spring_top, shock_top, bushing_anchor, soft_anchor, upper_com, lower_com, spindle_com;
  Start upper_start, lower_start, spindle_start;
  Vec3 upper_moments, upper_products;  // Ixx Iyy Izz, Ixy Ixz Iyz
  double stiffness, free_length, damping, bushing_length, soft_length;
};

// clang-format off
const Axle front = {
    .lower_hinge = {1.688965, 0.307086, 0},
    .lower_ball = {1.653405, 0.786511, -0.11811},
    .spring_seat = {1.7861708, 0.543179, -0.046609},
    .shock_seat = {1.7861708, 0.543179, -0.046609},
    .upper_pivot = {1.64105044, 0.4459605, 0.24462232},
    .bushing = {1.42075116, 0.4777359, 0.19555968},
    .upper_ball = {1.6359298, 0.715518, 0.2154936},
    .wheel = {1.648579, 0.909701, -0.026289},
    .tie_rod = {1.5131462, 0.8211058, -0.0163322},
    .spring_top = {1.792978, 0.509778, 0.197485},
    .shock_top = {1.792978, 0.4977892, 0.3231388},
    .bushing_anchor = {1.41069668123964, 0.37992198371388, 0.177356789085932},
    .soft_anchor = {1.39715797828204, 0.462306150792002, 0.291503854475585},
    .upper_com = {1.583428, 0.5886704, 0.217805},
    .lower_com = {1.688965, 0.5468112, -0.059055},
    .spindle_com = {1.648579, 0.875617267185688, -0.026289},
    .upper_start = {{-0.0101771966296658, 0.0116833194724859, 0.550263975185597}, {0.999174153931372, -0.039273631110618, 0.005664727265529, -0.008746592474896}},
    .lower_start = {{0, 0.0003219518269539, 0.511058098892981}, {0.999737863310133, -0.022895516244237, 0, 0}},
    .spindle_start = {{-0.0001413423943046, -0.0008134200431104, 0.503602845594292}, {0.999968640562537, -0.004204085130847, 0.006602469037065, -0.001204558981518}},
    .upper_moments = {0.0326642815885293, 0.0317027422892693, 0.0611529761222014},
    .upper_products = {-0.00064381051556213, -0.00618359806823387, 0.00309983845902328},
    .stiffness = 167062, .free_length = 0.32885693285208, .damping = 19015.5692,
    .bushing_length = 0.0999979549478866, .soft_length = 0.0998546119428547,
};
const Axle rear = {
    .lower_hinge = {-1.688965, 0.307086, 0},
    .lower_ball = {-1.653405, 0.786511, -0.11811},
    .spring_seat = {-1.7861708, 0.543179, -0.046609},
    .shock_seat = {-1.7861708, 0.543941, -0.0383794},
    .upper_pivot = {-1.6118633, 0.46204886, 0.22376384},
    .bushing = {-1.3398547, 0.46225714, 0.22759416},
    .upper_ball = {-1.653405, 0.715518, 0.2159},
    .wheel = {-1.653405, 0.909701, -0.026289},
    .tie_rod = {-1.5186834, 0.8211058, -0.009271},
    .spring_top = {-1.792978, 0.5015738, 0.2564892},
    .shock_top = {-1.792978, 0.4977892, 0.3231388},
    .bushing_anchor = {-1.33951025541348, 0.364103279642707, 0.208470848182014},
    .soft_anchor = {-1.34122208583786, 0.443130879649574, 0.32573852520238},
    .upper_com = {-1.564632, 0.5888482, 0.2207768},
    .lower_com = {-1.688965, 0.5467858, -0.059055},
    .spindle_com = {-1.653405, 0.875617267185688, -0.026289},
    .upper_start = {{-0.0004890530589561, -0.0172801215389604, 0.532669537168305}, {0.999286516174166, -0.037764731661353, -2.8916873622e-05, -0.000531788358813}},
    .lower_start = {{0, 0.0002688946396142, 0.509848161513377}, {0.999781067780942, -0.020924065255095, 0, 0}},
    .spindle_start = {{0.0004865654145703, -0.0030222189038446, 0.485484641160935}, {0.999981222113554, -0.006112854934384, 0.000351237636045, 0.000255062651582}},
    .upper_moments = {0.0313862354624949, 0.0314058450259702, 0.0627279195115349},
    .upper_products = {-1.26947111080285e-05, -0.000442118509458901, 0.000900104323892049},
    .stiffness = 369149, .free_length = 0.34673798880879, .damping = 36725.2201,
    .bushing_length = 0.0999849393838115, .soft_length = 0.099465421915344,
};
// clang-format on

constexpr double speed = 16 / 3.6, radius = 0.4699, bump = 0.05, bump_x = 4.094768;
const Vec3 chassis_com(0.056, 0, 0.213), rack_guide(1.382648, 0, -0.158771);  // the latter from the former
Vec3 rack_end(double side) { return {0, side * 0.448437, 0}; }

Shape rod(ShapeKind kind, const ShapePoint& from, const ShapePoint& to, double thick, const char* color) {
  Shape shape;
  shape.kind = kind;
  shape.points = {from, to};
  shape.radius = thick;
  shape.color = color;
  return shape;
}

Shape box(const Vec3& size, const Vec3& at, const char* color) {
  Shape shape;
  shape.size = size;
  shape.points = {{{}, at}};
  shape.color = color;
  return shape;
}

class Corner {
 public:
  Corner(Model& model, const Axle& axle, double side, const std::string& prefix)
      : model_(model), axle_(axle), side_(side), prefix_(prefix) {}

  void add() {
    add_bodies();
    add_joints();
    add_forces();
    for (const auto& [force, value] : {std::pair{"tyre", "force"}, std::pair{"spring", "length"}})
      model_.outputs.push_back(
          element(prefix_ + force, "force", {{"force", prefix_ + force}, {"value", std::string(value)}}));
  }

 private:
  Vec3 here(const Vec3& p) const { return {p.x(), side_ * p.y(), p.z()}; }
  PointRef chassis(const Vec3& p) const { return {"chassis", "", here(p) - chassis_com}; }
  PointRef of(const char* body, const char* name) const { return {prefix_ + body, name}; }

  Body body(
      const char* name, double mass, const Vec3& com, const Start& start, std::vector<NamedPoint> points) {
    Body out;
    out.name = prefix_ + name;
    out.mass = mass;
    out.center_of_mass = here(com);
    for (NamedPoint& p : points) p.at = here(p.at);
    out.points = std::move(points);
    out.position = here(start.origin);
    out.orientation = {start.turn[0], side_ * start.turn[1], start.turn[2], side_ * start.turn[3]};
    out.orientation.normalize();
    out.velocity = {speed, 0, 0};
    return out;
  }
  void set_inertia(Body& body, const Vec3& moments, const Vec3& products) const {
    const double xy = side_ * products[0], xz = products[1], yz = side_ * products[2];
    body.inertia_tensor << moments[0], xy, xz, xy, moments[1], yz, xz, yz, moments[2];
  }

  void add_bodies() {
    const char *const orange = "#c2703d", *const blue = "#3b74b8", *const green = "#4f9b6a";
    Body upper = body("upper_arm", 5.813, axle_.upper_com, axle_.upper_start,
                      {{"pivot", axle_.upper_pivot}, {"bushing", axle_.bushing}, {"ball", axle_.upper_ball}});
    set_inertia(upper, axle_.upper_moments, axle_.upper_products);
    upper.shapes = {rod(ShapeKind::capsule, {"pivot"}, {"ball"}, 0.022, orange),
                    rod(ShapeKind::capsule, {"bushing"}, {"ball"}, 0.022, orange)};
    const Vec3 half(0.223266, 0, 0);
    Body lower = body("lower_arm", 23.965, axle_.lower_com, axle_.lower_start,
                      {{"hinge", axle_.lower_hinge},
                       {"hinge_front", axle_.lower_hinge + half},
                       {"hinge_rear", axle_.lower_hinge - half},
                       {"ball", axle_.lower_ball},
                       {"spring", axle_.spring_seat},
                       {"shock", axle_.shock_seat}});
    set_inertia(lower, {0.4469, 0.472471312276616, 0.868228687723384}, {0, 0, 0.103797531015297});
    lower.shapes = {rod(ShapeKind::capsule, {"hinge_front"}, {"ball"}, 0.032, blue),
                    rod(ShapeKind::capsule, {"hinge_rear"}, {"ball"}, 0.032, blue),
                    rod(ShapeKind::capsule, {"hinge_front"}, {"hinge_rear"}, 0.025, blue)};
    Body spindle = body("spindle", 90.555, axle_.spindle_com, axle_.spindle_start,
                        {{"upper", axle_.upper_ball},
                         {"lower", axle_.lower_ball},
                         {"tie_rod", axle_.tie_rod},
                         {"wheel", axle_.wheel}});
    set_inertia(spindle, {4.894750512941977, 7.58122, 4.772820512941977}, Vec3::Zero());
    const auto across = [&](double y) { return ShapePoint{{}, here(axle_.wheel + Vec3(0, y, 0))}; };
    spindle.shapes = {rod(ShapeKind::capsule, {"upper"}, {"lower"}, 0.03, green),
                      rod(ShapeKind::capsule, {"lower"}, {"tie_rod"}, 0.02, green),
                      rod(ShapeKind::cylinder, across(-0.14), across(0.15), radius, "#2f3237"),
                      rod(ShapeKind::cylinder, across(-0.15), across(0.16), 0.21, "#b9bec6")};
    for (Body* b : {&upper, &lower, &spindle}) model_.bodies.push_back(std::move(*b));
  }

  void add_joints() {
    const auto add = [&](const char* name, const char* type, const PointRef& a,
                         const PointRef& b) -> Element& {
      model_.joints.push_back(element(prefix_ + name, type, {{"a", a}, {"b", b}}));
      return model_.joints.back();
    };
    add("hinge", "revolute", chassis(axle_.lower_hinge), of("lower_arm", "hinge"))
        .fields.emplace("axis", direction(Vec3::UnitX()));
    add("lower_ball", "spherical", of("lower_arm", "ball"), of("spindle", "lower"));
    add("pivot", "spherical", chassis(axle_.upper_pivot), of("upper_arm", "pivot"));
    add("upper_ball", "spherical", of("upper_arm", "ball"), of("spindle", "upper"));
  }

  void add_forces() {
    const auto add = [&](const char* name, const Vec3& a, const PointRef& b, double k, double c,
                         double length) {
      model_.forces.push_back(
          element(prefix_ + name, "tsda",
                  {{"a", chassis(a)}, {"b", b}, {"stiffness", k}, {"damping", c}, {"free_length", length}}));
    };
    add("spring", axle_.spring_top, of("lower_arm", "spring"), axle_.stiffness, 0, axle_.free_length);
    add("shock", axle_.shock_top, of("lower_arm", "shock"), 0, axle_.damping, 0);
    add("bushing", axle_.bushing_anchor, of("upper_arm", "bushing"), 2e7, 2e6, axle_.bushing_length);
    add("soft", axle_.soft_anchor, of("upper_arm", "bushing"), 2e5, 2e4, axle_.soft_length);
    const std::string road =
        fmt::format("sqrt(max(({0} + {1})^2 - (x - {2})^2, {0}^2)) - {0}", radius, bump, bump_x);  // (1)
    model_.forces.push_back(element(prefix_ + "tyre", "tyre",
                                    {{"at", of("spindle", "wheel")},
                                     {"radius", radius},
                                     {"stiffness", 296325.0},
                                     {"damping", 3502.0},
                                     {"contact", std::string("bilateral")},
                                     {"road", TimeFunction(time_function::ExpressionText{road, "x"})}}));
  }

  Model& model_;
  const Axle& axle_;
  const double side_;
  const std::string prefix_;
};

Body make_chassis() {
  Body chassis;
  chassis.name = "chassis";
  chassis.mass = 2086.52;
  chassis.inertia_tensor = Vec3(1078.52, 2955.66, 3570.2).asDiagonal();
  chassis.points = {{"C", Vec3::Zero()}};
  chassis.position = {0.056, 0, 0.71};
  chassis.velocity = {speed, 0, 0};
  chassis.shapes = {
      box({4.3, 0.5, 0.12}, {-0.05, 0, -0.06}, "#6d7a5c"), box({1.15, 1.3, 0.42}, {1.75, 0, 0.42}, "#7d8c69"),
      box({3.2, 2.0, 0.42}, {-0.35, 0, 0.42}, "#7d8c69"), box({1.9, 1.7, 0.5}, {-0.05, 0, 0.86}, "#93a37e")};
  return chassis;
}

Body make_rack() {
  Body rack;
  rack.name = "rack";
  rack.mass = 9.072;
  rack.inertia_tensor = Vec3(0.610154726738256, 0.0040824, 0.610154726738256).asDiagonal();
  rack.points = {{"C", Vec3::Zero()}};
  rack.position = {1.438648, 0, 0.551229};
  rack.velocity = {speed, 0, 0};
  rack.shapes = {rod(ShapeKind::capsule, {{}, rack_end(1)}, {{}, rack_end(-1)}, 0.03, "#8a9099")};
  return rack;
}

Model make_hmmwv(const Options&) {
  Model model;
  model.name = "hmmwv";
  model.description = "HMMWV of 14 bodies with stiff bushings over a bump";
  model.space = Space::spatial;
  model.gravity = {0, 0, -9.81};
  model.ground_shapes = {
      box({9, 3.4, 0.04}, {2.5, 0, -0.02}, "#c9cdd3"),
      rod(ShapeKind::cylinder, {{}, {bump_x, -1.7, 0}}, {{}, {bump_x, 1.7, 0}}, bump, "#e0b03c")};
  model.bodies = {make_chassis(), make_rack()};
  const auto tie_rod = [&](const char* corner, const PointRef& a, double length) {
    model.joints.push_back(
        element(fmt::format("{}_tie_rod", corner), "distance",
                {{"a", a}, {"b", point(fmt::format("{}_spindle", corner), "tie_rod")}, {"length", length}}));
  };
  model.joints = {element("rack", "translational",
                          {{"a", PointRef{"chassis", "", rack_guide}},
                           {"b", point("rack", "C")},
                           {"axis", direction(Vec3::UnitY())}})};
  tie_rod("front_right", PointRef{"rack", "", rack_end(-1)}, 0.386537060632121);
  tie_rod("front_left", PointRef{"rack", "", rack_end(1)}, 0.386537060632121);
  tie_rod("rear_right", PointRef{"chassis", "", {-1.521699, -0.416052, -0.154326}}, 0.414116469803846);
  tie_rod("rear_left", PointRef{"chassis", "", {-1.521699, 0.416052, -0.154326}}, 0.414116469803846);
  model.drivers = {element("steering_lock", "displacement",
                           {{"a", PointRef{"chassis", "", rack_guide}},
                            {"axis", direction(Vec3::UnitY())},
                            {"b", point("rack", "C")},
                            {"function", TimeFunction(0.0)}})};
  model.outputs = {
      element("height", "body", {{"body", std::string("chassis")}, {"component", std::string("z")}})};
  Corner(model, front, -1, "front_right_").add();
  Corner(model, front, 1, "front_left_").add();
  Corner(model, rear, -1, "rear_right_").add();
  Corner(model, rear, 1, "rear_left_").add();
  model.simulate.t_end = 4;
  model.simulate.output_step = 0.01;
  return model;
}

}  // namespace
}  // namespace hmmwv

extern const ProblemRecord hmmwv_problem;
const ProblemRecord hmmwv_problem = {
    .name = "hmmwv",
    .summary = "HMMWV of 14 bodies over a bump, bushings as stiff as -2.6e5 1/s",
    .reference = "Negrut, Haug & German 2003, section 5.2; data of Project Chrono",
    .t_end = 4,
    .formulation = "partitioned",
    .integrator = "sdirk4",
    .stabilization = {},
    .coordinates = "relative",
    .rtol = 1e-3,
    .options = {},
    .values = {{0.55, "height", 0.71363, 3e-4},
               {1.0, "height", 0.70686, 3e-4},
               {3.0, "height", 0.71001, 3e-4}},
    .mechanism = hmmwv::make_hmmwv,
    .difficulty =
        "stiff bushings beside a slow motion: explicit steps are held at 4e-6 s by stability; the bump is "
        "short",
    .methods = {},
    .inferred = "hard points and masses, of Project Chrono's vehicle",
};

}  // namespace driftless
