// Relaxed starts of flexible bodies, contacts and accelerations beside them.
#include "driftless/model/flexible_start.hpp"

#include <cmath>

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

FlexibleSpec relaxed(FlexibleSpec spec) {
  spec.deflection[kRelaxedStart] = 1;
  return spec;
}

// The largest acceleration of elastic coordinates at the start, in scales of q a second squared.
double elastic_acceleration(const AssembledModel& model) {
  const Layout& layout = model.system().layout();
  const Reaction reaction = initial_reaction(model.system(), model.start());
  double most = 0;
  for (int k = 0; k < layout.nv; ++k)
    if (const std::string& name = layout.v_names[size_t(k)];
        name.find(".n") != std::string::npos || name.find(".mode") != std::string::npos) {
      EXPECT_LT(std::abs(model.start().v[k]), 1e-8) << name;
      most = std::max(most, std::abs(reaction.vdot[k]) / layout.v_scale[k]);
    }
  return most;
}

// A clamped beam hangs as it rests: at its nodes cubic elements are exact.
TEST(RelaxedStart, OfACantileverIsItsStaticDeflection) {
  Model model;
  model.name = "cantilever";
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  FlexibleSpec spec = straight_mesh(2, 4, given_section(1e5, 30, 0.4));
  spec.stiffening = FlexibleSpec::Stiffening::none;
  model.bodies = {flexible_body("beam", relaxed(spec))};
  model.joints = {element("clamp", "fixed", {{"a", point("ground", "O")}, {"b", point("beam", "A")}})};
  add_point_outputs(model, "tip", point("beam", "B"));
  const AssembledModel beam = assembled(model);
  EXPECT_LT(elastic_acceleration(beam), 1e-6);
  const Results results = simulate(beam.system(), beam.start(), finest(0.5));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final_quantities[1], -0.4 * 9.81 * 16 / (8 * 30), 1e-10);
  EXPECT_LT(results.final.v.cwiseAbs().maxCoeff(), 1e-7);  // and stays there
}

// F24: stress at its root under loads at its tip, section forces, and what the clamp bears.
TEST(RelaxedStart, StressAndSectionForcesOfACantilever) {
  Model model;
  model.name = "cantilever";
  model.ground_points = {{"O", Vec3::Zero()}};
  BeamSection section;
  section.type = "rectangle";
  section.width = 0.02;
  section.height = 0.01;
  FlexibleSpec spec = straight_mesh(1, 3, section);
  spec.material.youngs_modulus = 2e11;
  spec.material.density = 7800;
  spec.stiffening = FlexibleSpec::Stiffening::none;
  model.bodies = {flexible_body("beam", relaxed(spec))};
  model.joints = {element("clamp", "fixed", {{"a", point("ground", "O")}, {"b", point("beam", "A")}})};
  const double P = 5, N = 7, I = 0.01 * std::pow(0.02, 3) / 12, A = 0.02 * 0.01;
  model.forces = {element(
      "load", "point-force",
      {{"at", point("beam", "B")}, {"force", std::vector<TimeFunction>{TimeFunction(N), TimeFunction(P)}}})};
  const auto output = [&](const char* name, const char* value, double y) {
    model.outputs.push_back(element(
        name, "beam", {{"at", point("beam", "A")}, {"value", std::string(value)}, {"y", FieldValue(y)}}));
  };
  output("stress", "stress", -0.01);
  output("moment", "moment", 0.0);
  output("axial", "axial-force", 0.0);
  for (const char* component : {"tz", "fx", "fy"})
    model.outputs.push_back(element(
        component, "reaction", {{"joint", std::string("clamp")}, {"component", std::string(component)}}));
  add_point_outputs(model, "tip", point("beam", "B"));
  const AssembledModel cantilever = assembled(model);
  Vec out(8);
  cantilever.system().quantities(0, cantilever.start().q, cantilever.start().v,
                                 initial_reaction(cantilever.system(), cantilever.start()), out);
  EXPECT_NEAR(out[0] / (P * 0.01 / I + N / A), 1, 1e-9);
  EXPECT_NEAR(out[1], P, 1e-9 * P);
  EXPECT_NEAR(out[2], N, 1e-9 * N);
  EXPECT_NEAR(out[3], out[7] * N - out[6] * P, 1e-9 * P);  // of loads where they are: the section's is linear
  EXPECT_NEAR(out[4], -N, 1e-9 * N);
  EXPECT_NEAR(out[5], -P, 1e-9 * P);
}

// Clamped at both ends, which no frame can do alone; a load in the middle: P L³/192 EI and moments P L/8.
TEST(RelaxedStart, OfABeamHeldAtBothEnds) {
  for (const bool spatial : {false, true})
    for (const auto frame : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported,
                             FlexibleSpec::Frame::mean_axis}) {
      Model model;
      model.name = std::string(frame_word(frame)) + (spatial ? " in space" : " in the plane");
      model.space = spatial ? Space::spatial : Space::planar;
      model.ground_points = {{"O", Vec3::Zero()}, {"E", Vec3(2, 0, 0)}};
      BeamSection section = given_section(1e6, 30, 0.4);
      section.GJ = 20;
      section.rhoIy = section.rhoIz = 1e-4;
      FlexibleSpec spec = straight_mesh(2, 4, section);
      spec.frame = frame;
      spec.stiffening = FlexibleSpec::Stiffening::none;
      model.bodies = {flexible_body("beam", relaxed(spec))};
      model.joints = {element("left", "fixed", {{"a", point("ground", "O")}, {"b", point("beam", "A")}}),
                      element("right", "fixed", {{"a", point("ground", "E")}, {"b", point("beam", "B")}})};
      const double P = 3;
      std::vector<TimeFunction> push = {TimeFunction(0.0), TimeFunction(-P)};
      if (spatial) push.emplace_back(0.0);
      model.forces = {
          element("load", "point-force", {{"at", PointRef{"beam", "", Vec3(1, 0, 0)}}, {"force", push}})};
      add_point_outputs(model, "middle", PointRef{"beam", "", Vec3(1, 0, 0)});
      model.outputs.push_back(
          element("moment", "beam", {{"at", point("beam", "A")}, {"value", std::string("moment")}}));
      for (const char* coordinates : {"reference-point", "relative"}) {
        const AssembledModel beam = assembled(model, coordinates);
        Vec out(beam.system().quantity_names().size());
        beam.system().quantities(0, beam.start().q, beam.start().v,
                                 initial_reaction(beam.system(), beam.start()), out);
        EXPECT_NEAR(out[1] / (-P * 8 / (192 * 30)), 1, 1e-5) << model.name << " " << coordinates;
        EXPECT_NEAR(out[spatial ? 3 : 2] / (-P * 2 / 8), 1, 1e-5) << model.name << " " << coordinates;
        EXPECT_LT(elastic_acceleration(beam), 1e-3) << model.name << " " << coordinates;  // of K η / M = 1e5
      }
    }
}

// Joints that do not fit the undeformed body bend it: frames alone cannot close them.
TEST(FlexibleAssembly, BendsBodiesWhereFramesCannotCloseTheJoints) {
  for (const auto frame : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported,
                           FlexibleSpec::Frame::mean_axis}) {
    Model model;
    model.name = frame_word(frame);
    model.ground_points = {{"O", Vec3::Zero()}, {"E", Vec3(2.0001, 0.01, 0)}};
    FlexibleSpec spec = straight_mesh(2, 4, given_section(1e6, 30, 0.4));
    spec.frame = frame;
    model.bodies = {flexible_body("beam", spec)};
    model.joints = {element("left", "fixed", {{"a", point("ground", "O")}, {"b", point("beam", "A")}}),
                    element("right", "fixed", {{"a", point("ground", "E")}, {"b", point("beam", "B")}})};
    add_point_outputs(model, "end", point("beam", "B"));
    const AssembledModel beam = assembled(model);
    Vec out(beam.system().quantity_names().size());
    beam.system().quantities(0, beam.start().q, beam.start().v, initial_reaction(beam.system(), beam.start()),
                             out);
    EXPECT_LT((out.head(2) - Vec2(2.0001, 0.01)).norm(), 1e-12) << model.name;
  }
}

// Turning about its end it is stretched by what centrifugal forces do: constant strain elements under nodal loads are exact at nodes
// but for the consistent load of mass, so the mesh's own equilibrium is asked: no acceleration.
TEST(RelaxedStart, LeavesNoElasticAcceleration) {
  for (const char* kind : {"none", "geometric", "modes"})
    for (const bool spatial : {false, true}) {
      Model model;
      model.name = kind;
      model.space = spatial ? Space::spatial : Space::planar;
      model.gravity = {0, -9.81, 0};
      model.ground_points = {{"O", Vec3::Zero()}};
      FlexibleSpec spec = straight_mesh(1, 4, sample_section());
      spec.sections[0].EA = 4000;
      spec.stiffening = kind == std::string("geometric") ? FlexibleSpec::Stiffening::geometric
                                                         : FlexibleSpec::Stiffening::none;
      if (kind == std::string("modes")) spec.modes = ModesSpec{.count = 5};
      Body body = flexible_body("rod", relaxed(spec));
      if (spatial)
        body.spin = {0.3, 1, 2};
      else
        body.angular_velocity = 3;
      model.bodies = {body};
      model.joints = {element("pin", spatial ? "spherical" : "revolute",
                              {{"a", point("ground", "O")}, {"b", point("rod", "A")}})};
      for (const char* coordinates : {"reference-point", "euler-parameters"}) {
        if (!spatial && coordinates == std::string("euler-parameters")) continue;
        const AssembledModel rod = assembled(model, coordinates);
        EXPECT_LT(elastic_acceleration(rod), 1e-6) << kind << spatial << coordinates;
        EXPECT_GT(rod.start().q.tail(rod.system().layout().nq - (spatial ? 7 : 3)).cwiseAbs().maxCoeff(),
                  1e-4);
      }
    }
}

// A rod that is let go from the horizontal swings down without the vibration that gravity starts in an undeformed one.
TEST(RelaxedStart, DoesNotVibrate) {
  const auto vibration = [](bool start) {
    Model model;
    model.name = "pendulum";
    model.gravity = {0, -9.81, 0};
    model.ground_points = {{"O", Vec3::Zero()}};
    FlexibleSpec spec = straight_mesh(1, 2, sample_section());
    spec.frame = FlexibleSpec::Frame::simply_supported;
    model.bodies = {flexible_body("rod", start ? relaxed(spec) : spec)};
    model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("rod", "A")}})};
    model.outputs = {
        element("v", "beam", {{"at", PointRef{"rod", "", Vec3(0.5, 0, 0)}}, {"value", std::string("v")}})};
    const AssembledModel rod = assembled(model);
    RunSetup setup = finest(0.1);
    setup.record = true;
    setup.output_step = 0.002;
    const Results results = simulate(rod.system(), rod.start(), setup);
    EXPECT_TRUE(results.good()) << results.message;
    const Table& table = results.trajectory.quantities;
    double most = 0;
    for (size_t k = 0; k < table.rows(); ++k)
      most = std::max(most, std::abs(table.at(k, 0) - table.at(0, 0)));
    return most;
  };
  EXPECT_LT(vibration(true), 0.03 * vibration(false));
}

TEST(RelaxedStart, IsReadWrittenAndRefused) {
  const auto text = [](const std::string& type, const std::string& initial) {
    return R"({"driftless": 1, "name": "m", "bodies": [{"name": "rod", "points": {"A": [0, 0]}, "flexible": {"type": ")" +
           type +
           R"(", "from": [0, 0], "to": [1, 0], "elements": 2, "section": {"type": "circle", "diameter": 0.02},
           "material": {"youngs_modulus": 2e11, "density": 7800}, "initial": )" +
           initial + "}}]}";
  };
  const Model model = parse_model(text("beam", R"({"relaxed": true, "deflection": {"n1.v": 0.01}})"), "m");
  EXPECT_TRUE(starts_relaxed(*model.bodies[0].flexible));
  const std::string written = model_to_json(model);
  EXPECT_NE(written.find("\"relaxed\": true"), std::string::npos) << written;
  EXPECT_EQ(model_to_json(parse_model(written, "m")), written);
  EXPECT_FALSE(starts_relaxed(*parse_model(text("beam", R"({"relaxed": false})"), "m").bodies[0].flexible));
  const auto refusal = [&](const std::string& type, const std::string& initial) -> std::string {
    try {
      compile(parse_model(text(type, initial), "m"), "reference-point", "m");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("beam", R"({"relaxed": true, "rates": {"n1.v": 0.01}})").find("flexible.initial.rates"),
            std::string::npos);
  EXPECT_NE(refusal("beam", R"({"relaxed": 3})").find("flexible.initial.relaxed"), std::string::npos);
  EXPECT_NE(refusal("cable", R"({"relaxed": true})").find("flexible.initial"), std::string::npos);
}

// A flexible pendulum swings against a wall, in the plane and in space.
TEST(FlexibleContacts, APendulumStrikesAWall) {
  for (const bool spatial : {false, true})
    for (const double restitution : {0.0, 0.6}) {
      Model model;
      model.name = "pendulum";
      model.space = spatial ? Space::spatial : Space::planar;
      model.gravity = {0, -9.81, 0};
      model.ground_points = {{"O", Vec3::Zero()}, {"W", Vec3(0.3, 0, 0)}};
      FlexibleSpec spec = straight_mesh(1, 2, sample_section());
      spec.sections[0].EA = 4000;
      spec.sections[0].EIy = spec.sections[0].EIz = 30;
      spec.alpha = 2;
      spec.beta = 1e-3;
      model.bodies = {flexible_body("rod", spec)};
      model.joints = {element("pin", spatial ? "spherical" : "revolute",
                              {{"a", point("ground", "O")}, {"b", point("rod", "A")}})};
      Element contact = element(
          "wall", "point-plane",
          {{"a", point("ground", "W")}, {"b", point("rod", "B")}, {"restitution", FieldValue(restitution)}});
      if (spatial)
        contact.fields["normal"] = along("ground", Vec3(1, 0, 0));
      else
        contact.fields["normal"] = Vec3(1, 0, 0);
      model.contacts = {contact};
      add_point_outputs(model, "tip", point("rod", "B"));
      const AssembledModel pendulum = assembled(model);
      RunSetup setup;
      setup.t_end = 0.8;
      setup.rtol = 1e-8;
      setup.integrator = "dop853";
      setup.output_step = 0.002;
      const Results results = simulate(pendulum.system(), pendulum.start(), setup);
      ASSERT_TRUE(results.good()) << results.message;
      const Table& table = results.trajectory.quantities;
      double least = 1e300;
      for (size_t k = 0; k < table.rows(); ++k) least = std::min(least, table.at(k, 0));
      EXPECT_GT(least, 0.3 - 1e-7) << spatial << restitution;
      EXPECT_LT(least, 0.3 + 1e-6) << spatial << restitution;
      EXPECT_LT(results.energy->max_relative_error, 1e-5) << spatial << restitution;
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
