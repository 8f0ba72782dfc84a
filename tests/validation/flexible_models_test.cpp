// Flexible bodies and point masses in models: rows on sections, conserving schemes, refusals, files.
#include "support/flexible_models.hpp"

#include <cmath>
#include <random>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// ---- points and directions: J and γ of joints on sections against differences.                                   F3
void expect_rows(const Model& mechanism, const std::string& coordinates, unsigned seed) {
  const CompiledModel model = compile(mechanism, coordinates, mechanism.name);
  const DescriptorSystem& system = *model.system;
  const Layout& layout = system.layout();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Vec q = model.guess.q, v(layout.nv);
  Vec delta(layout.nv);
  for (int k = 0; k < layout.nv; ++k) {
    delta[k] = 0.2 * normal(random);
    v[k] = normal(random);
  }
  system.retract(q, delta);
  Terms terms = system.make_terms();
  const auto along = [&](double h, Vec& g, Vec& r) {
    Vec at = q;
    system.retract(at, h * v);
    system.position(0, at, terms);
    g = terms.g;
    velocity_residual(terms, v, r);
  };
  const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  Vec dg = Vec::Zero(layout.mh), dr = Vec::Zero(layout.m), g, r(layout.m);
  const double h = 5e-3;
  for (int k = 1; k <= 4; ++k)
    for (const int sign : {1, -1}) {
      along(sign * k * h, g, r);
      dg += sign * w[k - 1] / h * g;
      dr += sign * w[k - 1] / h * r;
    }
  system.evaluate(0, q, v, terms);
  velocity_residual(terms, v, r);
  EXPECT_LT((dg - r.head(layout.mh)).cwiseAbs().maxCoeff(), 1e-9 * (1 + r.cwiseAbs().maxCoeff()))
      << mechanism.name << " " << coordinates;
  if (coordinates != "euler-parameters") {
    EXPECT_LT((dr + terms.gamma).cwiseAbs().maxCoeff(), 1e-8 * (1 + terms.gamma.cwiseAbs().maxCoeff()))
        << mechanism.name << " " << coordinates;
  }
}

TEST(FlexibleJoints, RowsAndTheirBiasOnSectionsInThePlane) {
  BeamSection section = given_section(400, 2, 1);
  for (const char* type : {"revolute", "fixed", "distance", "point-on-line", "translational"}) {
    Model model;
    model.name = type;
    FlexibleSpec spec = straight_mesh(1, 2, section);
    Body a = flexible_body("a", spec), b = flexible_body("b", spec);
    a.points.push_back({"P", Vec3(0.7, 0.1, 0)});
    b.points.push_back({"Q", Vec3(0.2, -0.05, 0)});
    b.position = {0.5, 0.3, 0};
    b.angle = 0.4;
    model.bodies = {a, b};
    Element joint = element("joint", type, {{"a", point("a", "P")}, {"b", point("b", "Q")}});
    if (std::string(type) == "distance") joint.fields.emplace("length", FieldValue(0.5));
    if (std::string(type) == "point-on-line" || std::string(type) == "translational")
      joint.fields.emplace("axis", FieldValue(Vec3(1, 0.3, 0)));
    model.joints = {joint};
    expect_rows(model, "reference-point", 7);
  }
}

TEST(FlexibleJoints, RowsAndTheirBiasOnSectionsInSpace) {
  for (const char* type : {"spherical", "revolute", "fixed", "cylindrical", "universal"})
    for (const char* coordinates : {"reference-point"}) {
      Model model = spatial_beam("free_rotary");
      model.name = type;
      model.outputs.clear();
      Body b = model.bodies[0];
      b.name = "other";
      b.position = {0.4, 0.2, 0.1};
      b.orientation = Eigen::Vector4d(1, 0.3, -0.2, 0.1).normalized();
      model.bodies.push_back(b);
      model.bodies[0].points.push_back({"P", Vec3(0.7, 0.1, -0.05)});
      model.bodies[1].points.push_back({"Q", Vec3(0.2, -0.05, 0.1)});
      Element joint = element("joint", type, {{"a", point("beam", "P")}, {"b", point("other", "Q")}});
      const std::string name = type;
      if (name != "spherical" && name != "fixed") joint.fields.emplace("axis", direction({0.2, 0.3, 1}));
      if (name == "universal") joint.fields.emplace("axis_b", direction({1, 0.2, 0}));
      model.joints = {joint};
      expect_rows(model, coordinates, 11);
    }
}

// ---- point masses
TEST(PointMass, FallsAndSwingsAsItShould) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Model model;
    model.name = "pendulum";
    model.space = space;
    model.gravity = {0, -9.81, 0};
    model.ground_points = {{"O", Vec3::Zero()}};
    Body mass;
    mass.name = "m";
    mass.mass = 2;
    mass.point = true;
    mass.points = {{"P", Vec3::Zero()}};
    mass.position = {1, 0, 0};
    model.bodies = {mass};
    model.joints = {
        element("rod", "distance",
                {{"a", point("ground", "O")}, {"b", point("m", "P")}, {"length", FieldValue(1.0)}})};
    add_point_outputs(model, "P", point("m", "P"));
    const AssembledModel pendulum = assembled(model);
    EXPECT_EQ(pendulum.system().layout().nv, space == Space::planar ? 2 : 3);
    const Results results = simulate(pendulum.system(), pendulum.start(), finest(0.5));
    ASSERT_TRUE(results.good()) << results.message;
    // θ̈ = −9.81 sin θ from θ = π/2 at rest, θ(0.5) by elliptic functions
    const double k = std::sqrt(0.5), w = std::sqrt(9.81);
    // sn(K − ωt) with modulus k by the arithmetic–geometric mean
    double a = 1, b = std::sqrt(1 - k * k), c = k, c_list[12], a_list[12];
    int n = 0;
    for (; n < 10 && std::abs(c) > 1e-17; ++n) {
      const double next = (a + b) / 2;
      c = (a - b) / 2;
      b = std::sqrt(a * b);
      a = next;
      a_list[n] = a;
      c_list[n] = c;
    }
    double phi = std::ldexp(a * (M_PI / (2 * a) - w * 0.5), n);
    for (int i = n - 1; i >= 0; --i) phi = (phi + std::asin(c_list[i] / a_list[i] * std::sin(phi))) / 2;
    const double theta = 2 * std::asin(k * std::sin(phi));
    EXPECT_NEAR(results.final_quantities[0], std::sin(theta), 1e-9);
    EXPECT_NEAR(results.final_quantities[1], -std::cos(theta), 1e-9);
  }
}

TEST(PointMass, WhatNeedsAnAttitudeRefusesIt) {
  Model model;
  model.name = "model";
  model.ground_points = {{"O", Vec3::Zero()}};
  Body mass;
  mass.name = "m";
  mass.mass = 2;
  mass.point = true;
  mass.points = {{"P", Vec3::Zero()}};
  model.bodies = {mass};
  const auto refusal = [&](const Model& wrong, const std::string& coordinates) -> std::string {
    try {
      compile(wrong, coordinates, "model");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* coordinates : {"reference-point", "natural", "relative"})
    EXPECT_EQ(refusal(model, coordinates), "");
  Model welded = model;
  welded.joints = {element("weld", "fixed", {{"a", point("ground", "O")}, {"b", point("m", "P")}})};
  EXPECT_NE(refusal(welded, "reference-point").find("'m', a point mass"), std::string::npos)
      << refusal(welded, "reference-point");
  Model turned = model;
  turned.forces = {element("twist", "torque", {{"body", std::string("m")}, {"torque", TimeFunction(1.0)}})};
  EXPECT_NE(refusal(turned, "reference-point").find("'m', a point mass"), std::string::npos);
  Model observed = model;
  observed.outputs = {
      element("angle", "body", {{"body", std::string("m")}, {"component", std::string("angle")}})};
  EXPECT_NE(refusal(observed, "reference-point").find("'m', a point mass"), std::string::npos);
}

// ---- conserving schemes                                                                                           F18
TEST(ConservingSchemes, KeepTheEnergyOfACableFreeAndPinned) {
  for (const bool pinned : {false, true}) {
    Model model = flexible_problem("flexible-pendulum", {{"elements", "4"}});
    model.gravity = pinned ? Vec3(0, -9.81, 0) : Vec3(Vec3::Zero());
    if (!pinned) {
      model.joints.clear();
      model.bodies[0].angular_velocity = 6;
    }
    const AssembledModel cable = assembled(model);
    RunSetup setup = fixed(0.2, "gssss", 2e-3);
    setup.formulation = "index3";
    setup.options = {{"family", "V0"},
                     {"rho", "1,1,0"},
                     {"constraint", "2"},
                     {"forces", "conserving"},
                     {"newton_tol", "1e-12"}};
    const Results results = simulate(cable.system(), cable.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    ASSERT_TRUE(results.energy.has_value());
    const double scale = pinned ? 0.5 : std::abs(results.energy->initial);
    EXPECT_LT(std::abs(results.energy->final - results.energy->initial), 1e-10 * scale) << pinned;
  }
}

// A chain of point masses with bars and bending springs: momenta and energy; the clamped chain is an elastica.       F18, F19
Model chain_of_masses(int count, double mass, bool truss, double EA = 1e4) {
  Model model;
  model.name = "chain";
  for (int i = 0; i <= count; ++i) {
    Body body;
    body.name = "m" + std::to_string(i);
    body.mass = mass;
    body.point = true;
    body.points = {{"P", Vec3::Zero()}};
    body.position = {double(i) / count, 0, 0};
    model.bodies.push_back(body);
  }
  const auto at = [](int i) { return point("m" + std::to_string(i), "P"); };
  for (int i = 0; i < count; ++i)
    if (truss)
      model.forces.push_back(element("bar" + std::to_string(i), "truss",
                                     {{"a", at(i)}, {"b", at(i + 1)}, {"stiffness", FieldValue(EA)}}));
    else
      model.forces.push_back(element("bar" + std::to_string(i), "axial-spring",
                                     {{"a", at(i)},
                                      {"b", at(i + 1)},
                                      {"stiffness", FieldValue(EA * count)},
                                      {"free_length", FieldValue(1.0 / count)}}));
  for (int i = 1; i < count; ++i)
    model.forces.push_back(
        element("bend" + std::to_string(i), "bending",
                {{"a", at(i - 1)}, {"b", at(i + 1)}, {"center", at(i)}, {"EI", FieldValue(1.0)}}));
  return model;
}

TEST(ConservingSchemes, KeepEnergyAndMomentaOfChainsOfMasses) {
  for (const bool truss : {true, false}) {
    Model model = chain_of_masses(5, 0.2, truss);
    for (int i = 0; i <= 5; ++i) model.bodies[size_t(i)].velocity = {0.3 * i, 2.0 * (i - 2) * (i % 2), 0};
    const AssembledModel chain = assembled(model);
    RunSetup setup = fixed(0.5, "gssss", 2e-3);
    setup.formulation = "index3";
    setup.options = {{"family", "V0"}, {"rho", "1,1,0"}, {"forces", "conserving"}, {"newton_tol", "1e-13"}};
    const Results results = simulate(chain.system(), chain.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(results.energy->final, results.energy->initial, 1e-10 * results.energy->initial) << truss;
    const auto momenta = [&](const State& state) {
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i <= 5; ++i) {
        const Vec2 r = state.q.segment<2>(2 * i), v = state.v.segment<2>(2 * i);
        sum += 0.2 * Vec3(v.x(), v.y(), r.x() * v.y() - r.y() * v.x());
      }
      return sum;
    };
    EXPECT_LT((momenta(results.final) - momenta(chain.start())).norm(), 1e-10) << truss;
  }
}

void expect_elastica(std::initializer_list<int> segments, const double* known, double EA) {
  const Vec2 exact(0.9435667637166231, 0.3017207737998135);  // α = 1
  double before = 0;
  int k = 0;
  for (const int n : segments) {
    Model model = chain_of_masses(n, 1.0 / n, false, EA);
    model.ground_points = {{"O", Vec3::Zero()}, {"ghost", Vec3(-1.0 / n, 0, 0)}};
    model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("m0", "P")}})};
    model.forces.push_back(element("clamp", "bending",
                                   {{"a", point("ground", "ghost")},
                                    {"b", point("m1", "P")},
                                    {"center", point("m0", "P")},
                                    {"stiffness", FieldValue(8.0 * n)}}));
    const std::string tip = "m" + std::to_string(n);
    model.forces.push_back(
        element("load", "point-force",
                {{"at", point(tip, "P")},
                 {"force", std::vector<TimeFunction>{TimeFunction(0.0), TimeFunction(1.0)}}}));
    for (int i = 1; i <= n; ++i)  // air
      for (const Vec3& anchor : {Vec3(double(i) / n, -1e4, 0), Vec3(-1e4, 0, 0)})
        model.forces.push_back(element("air" + std::to_string(model.forces.size()), "tsda",
                                       {{"a", PointRef{"ground", "", anchor, false}},
                                        {"b", point("m" + std::to_string(i), "P")},
                                        {"damping", FieldValue(6.0 / n)}}));
    add_point_outputs(model, "tip", point(tip, "P"));
    const AssembledModel chain = assembled(model);
    RunSetup setup = figures_only(40);
    setup.integrator = "radau-iia5";
    setup.rtol = 1e-7;
    const Results results = simulate(chain.system(), chain.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    const double error = (results.final_quantities.head<2>() - exact).norm();
    EXPECT_NEAR(error, known[k], 0.1 * known[k]) << n;
    if (before > 0) {
      EXPECT_NEAR(order(before, error), 2, 0.2) << n;
    }
    before = error;
    ++k;
  }
}

TEST(NodalElements, ClampedChainIsTheElasticaWithSecondOrder) {
  const double known[] = {4.6e-3, 1.07e-3};
  expect_elastica({5, 10}, known, 1e4);
}
TEST(NodalElements, FineChainsAreTheElasticaWithSecondOrder_full) {
  const double known[] = {2.6e-4, 6.3e-5};
  expect_elastica({20, 40}, known, 1e6);  // stretched by less than they are off
}

// ---- model files                                                                                                  F24
std::string complaint_about(const std::string& flexible, const std::string& more = "") {
  const std::string text = R"({"driftless": 1, "name": "m", "bodies": [{"name": "rod", )" + more +
                           R"("points": {"A": [0, 0], "B": [1, 0]}, "flexible": {)" + flexible + R"(}}]})";
  try {
    compile(parse_model(text, "model"), "reference-point", "model");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FlexibleModels, WhatIsWrongIsSaidWithItsPath) {
  const std::string mesh = R"("type": "beam", "from": [0, 0], "to": [1, 0], "elements": 2, )";
  const std::string section = R"("section": {"type": "circle", "diameter": 0.02}, )";
  const std::string steel = R"("material": {"youngs_modulus": 2e11, "density": 7800})";
  EXPECT_EQ(complaint_about(mesh + section + steel), "");
  const auto expect = [&](const std::string& text, const char* path, const std::string& more = "") {
    EXPECT_NE(complaint_about(text, more).find(path), std::string::npos)
        << path << ": " << complaint_about(text, more);
  };
  expect(mesh + R"("section": {"type": "circle", "diameter": -1}, )" + steel,
         "bodies[0].flexible.section.diameter");
  expect(mesh + R"("section": {"type": "cricle", "diameter": 1}, )" + steel,
         "bodies[0].flexible.section.type");
  expect(mesh + section + steel, "bodies[0].mass", R"("mass": 1, )");
  expect(mesh + section + steel + R"(, "frame": "free")", "bodies[0].flexible.frame");
  expect(mesh + section + steel + R"(, "modes": {"type": "eigen", "count": 7})",
         "bodies[0].flexible.modes.count");
  expect(mesh + section + steel + R"(, "modes": {"type": "eigen", "count": 2}, "stiffening": "geometric")",
         "bodies[0].flexible.stiffening");
  expect(mesh + section + steel + R"(, "modes": {"type": "craig-bampton"})",
         "bodies[0].flexible.modes.boundary");
  expect(mesh + section + steel + R"(, "initial": {"deflection": {"n9.v": 1}})",
         "bodies[0].flexible.initial.deflection");
  expect(mesh + section + steel + R"(, "strain": "green")", "bodies[0].flexible.strain");
  expect(R"("type": "beam", "from": [0, 0], "to": [1, 0], "elements": 0, )" + section + steel,
         "bodies[0].flexible.elements");
  expect(R"("type": "beam", "nodes": [[0, 0], [1, 0]], "connect": [[0, 5]], )" + section + steel,
         "bodies[0].flexible.connect");
  // Nothing is accepted and ignored.
  expect(mesh + section + steel + R"(, "initial": {"deflection": {"n0.v": 1}})",
         "bodies[0].flexible.initial.deflection.n0.v");
  expect(mesh + section + steel + R"(, "modes": {"count": 2}, "initial": {"rates": {"mode3": 1}})",
         "bodies[0].flexible.initial.rates.mode3");
  expect(mesh + section + steel + R"(, "modes": {"count": 2}, "damping": {"modal": [0.1, 0.1, 0.1]})",
         "bodies[0].flexible.damping.modal");
  expect(mesh + section + steel + R"(, "modes": {"below": 1})", "bodies[0].flexible.modes.below");
  expect(mesh + section + steel + R"(, "modes": {"type": "craig-bampton", "boundary": [0, 2], "count": 4})",
         "bodies[0].flexible.modes.count");
  expect(mesh + section + steel + R"(, "frame": "mean-axis", "frame_node": 1)",
         "bodies[0].flexible.frame_node");
  expect(mesh + section + steel + R"(, "up": [0, 1])", "bodies[0].flexible.up");
  expect(mesh + section + steel + R"(, "connect": [[0, 1]])", "bodies[0].flexible.connect");
  expect(mesh + section + steel + R"(, "masses": [[0.5, 1]])", "bodies[0].flexible.masses[0]");
  expect(R"("type": "beam", "nodes": [[0, 0], [1, 0], [2, 0]], "connect": [[0, 1.5], [1, 2]], )" + section +
             steel,
         "bodies[0].flexible.connect[0]");
  expect(
      mesh + section +
          R"("material": {"youngs_modulus": 2e11, "density": 7800, "poisson": 0.3, "shear_modulus": 8e10})",
      "bodies[0].flexible.material.shear_modulus");
}

TEST(FlexibleModels, AreReadAndWrittenAlike) {
  for (const char* name : {"flexible-slider-crank", "flexible-four-bar", "flexible-robot-arm",
                           "flexible-spatial-slider-crank", "point-masses"}) {
    const Model model = model_file(name);
    const std::string text = model_to_json(model);
    EXPECT_EQ(model_to_json(parse_model(text, name)), text) << name;
    RunSetup setup = figures_only(0.005);
    const AssembledModel made = assembled(model);
    const Results results = simulate(made.system(), made.start(), setup);
    EXPECT_TRUE(results.good()) << name << results.message;
  }
}

// ---- tangents by differences, as implicit methods use them
TEST(FlexibleTangents, AreThoseOfTheEquations) {
  const AssembledModel model =
      assembled(flexible_problem("flexible-slider-crank", {{"stiffening", "geometric"}}));
  const Results coarse = [&] {
    RunSetup setup = figures_only(0.005);
    setup.integrator = "radau-iia5";
    setup.rtol = 1e-9;
    return simulate(model.system(), model.start(), setup);
  }();
  ASSERT_TRUE(coarse.good()) << coarse.message;
  const Results fine = simulate(model.system(), model.start(), finest(0.005));
  EXPECT_NEAR(coarse.final_quantities[0], fine.final_quantities[0], 1e-8);
  EXPECT_NEAR(coarse.final_quantities[3], fine.final_quantities[3], 1e-7);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
