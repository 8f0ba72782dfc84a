// What laws can read: every kind of force, attitudes in space with their turns, angles, deflections. An input that names an output must be
// that output, and feedback on it must be differentiated exactly enough for implicit schemes to agree with explicit ones.
#include <cmath>

#include "driftless/core/errors.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

Results run_all(const std::string& text,
                const std::string& coordinates,
                const std::string& integrator,
                double t_end,
                std::vector<std::string>& names) {
  Model model = parse_model(text, "test");
  model.simulate.record = "all";
  const auto mechanism = assembled(model, coordinates);
  names = mechanism.system().quantity_names();
  RunSetup setup;
  setup.t_end = t_end;
  setup.rtol = 1e-9;
  setup.output_step = t_end / 20;
  setup.integrator = integrator;
  return simulate(mechanism.system(), mechanism.start(), setup);
}

// Inputs p0, p1, … that are these outputs.
std::string probes(const std::vector<std::string>& read) {
  std::string out = "\"inputs\": { ";
  for (size_t k = 0; k < read.size(); ++k)
    out += (k > 0 ? ", " : "") + std::string("\"p") + std::to_string(k) + "\": \"" + read[k] + "\"";
  return out + " }";
}

// Outputs d0, d1, … that are values of forces, "mount.x".
std::string declared(const std::vector<std::string>& read) {
  std::string out;
  for (size_t k = 0; k < read.size(); ++k)
    if (const auto dot = read[k].find('.'); dot != std::string::npos)
      out += (out.empty() ? "" : ", ") + std::string("{ \"name\": \"d") + std::to_string(k) +
             R"(", "type": "force", "force": ")" + read[k].substr(0, dot) + R"(", "value": ")" +
             read[k].substr(dot + 1) + "\" }";
  return out;
}

// The probes are what they read, in every record, and their sum as a small feedback is the same for two schemes.
void expect_probes(const std::string& text,
                   const std::vector<std::string>& read,
                   const std::string& coordinates,
                   double t_end) {
  std::vector<std::string> names;
  const Results run = run_all(text, coordinates, "dopri5", t_end, names);
  ASSERT_TRUE(run.good()) << coordinates << ": " << run.message;
  const auto column = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  const auto& channels = run.trajectory.quantities;
  for (size_t k = 0; k < read.size(); ++k) {
    const auto a = column(read[k].find('.') == std::string::npos ? read[k] : "d" + std::to_string(k)),
               b = column("p" + std::to_string(k));
    ASSERT_LT(std::max(a, b), static_cast<std::ptrdiff_t>(names.size()))
        << read[k] << " in " << ::testing::PrintToString(names);
    double moved = 0;
    for (size_t i = 0; i < run.trajectory.size(); ++i) {
      const double value = channels.at(i, size_t(a));
      moved = std::max(moved, std::abs(value - channels.at(0, size_t(a))));
      EXPECT_NEAR(channels.at(i, size_t(b)), value, 1e-9 * (1 + std::abs(value)))
          << coordinates << " " << read[k] << " at " << run.trajectory.t[i];
    }
    EXPECT_GT(moved, 1e-6) << read[k] << " stands still: nothing is tested";
  }
  const Results stiff = run_all(text, coordinates, "radau-iia5", t_end, names);
  ASSERT_TRUE(stiff.good()) << coordinates << ": " << stiff.message;
  EXPECT_LT((run.final.v - stiff.final.v).cwiseAbs().maxCoeff(), 2e-6) << coordinates;
}

// A body on a soft bushing, a wheel on a wavy road, a chain of points with a truss and a bending spring.
std::string planar(const std::vector<std::string>& read) {
  return R"J({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0], "P": [0, 1], "Q": [0.8, 1.1] } },
  "bodies": [ { "name": "bar", "mass": 2, "inertia": 0.3, "points": { "A": [-0.4, 0], "C": [0, 0], "tip": [0.4, 0] },
                "position": [0.4, 0.3], "angle": 0.1, "angular_velocity": 2 },
              { "name": "bob", "mass": 0.3, "inertia": 0.01, "points": { "C": [0, 0] }, "position": [0.3, 0.8] } ],
  "forces": [ { "name": "mount", "type": "bushing", "a": "ground.O", "b": "bar.A", "stiffness": [300, 200],
                "damping": [3, 2], "angular_stiffness": 5, "angular_damping": 0.1 },
              { "name": "tyre", "type": "tyre", "at": "bar.C", "radius": 0.4, "stiffness": 800, "damping": 4,
                "road": "0.05*sin(3*x)", "contact": "bilateral" },
              { "name": "rope", "type": "truss", "a": "ground.P", "b": "bar.tip", "stiffness": 40, "free_length": 0.9 },
              { "name": "bend", "type": "bending", "a": "bar.A", "b": "ground.P", "center": "bob.C", "stiffness": 0.5 },
              { "name": "feedback", "type": "torque", "body": "bar", "torque": "-0.001*(p0 + p1 + p2 + p3 + p4 + p5 + p6)" } ],
  "outputs": [ )J" +
         declared(read) + " ], " + probes(read) + " }";
}

TEST(ReadableOutputs, OfForcesInThePlane) {
  const std::vector<std::string> read = {"mount.x",         "mount.rz",   "mount.fy",   "mount.tz",
                                         "tyre.deflection", "tyre.rate",  "tyre.force", "rope.length",
                                         "rope.strain",     "rope.force", "bend.angle"};
  for (const char* coordinates : {"reference-point", "natural", "relative"})
    expect_probes(planar(read), read, coordinates, 0.4);
}

std::string spatial(const std::vector<std::string>& read, const std::string& feedback) {
  return R"J({ "driftless": 1, "space": "spatial", "gravity": [0, 0, -9.81], "ground": { "points": { "O": [0, 0, 0] } },
  "bodies": [ { "name": "top", "mass": 2, "inertia": [0.1, 0.12, 0.05], "points": { "A": [0, 0, 0], "C": [0, 0, 0.4] },
                "center_of_mass": [0, 0, 0.4], "position": [0, 0, 0], "orientation": { "axis": [1, 0.3, 0], "angle": 0.4 },
                "angular_velocity_body": [0.3, 0.2, 25] } ],
  "joints": [ { "name": "ball", "type": "spherical", "a": "ground.O", "b": "top.A" } ],
  "forces": [ { "name": "mount", "type": "bushing", "a": "ground.O", "b": "top.C", "stiffness": [30, 20, 40],
                "damping": [0.3, 0.2, 0.1] },
              { "name": "tyre", "type": "tyre", "at": "top.C", "up": [0, 0, 1], "along": [1, 0, 0], "radius": 0.6,
                "stiffness": 30, "damping": 0.4, "contact": "bilateral" },
              { "name": "feedback", "type": "torque", "body": "top", "torque": [0, ")J" +
         feedback + R"J(", "0.01*cos(yaw)"] } ],
  "outputs": [ { "name": "yaw", "type": "body", "body": "top", "component": "yaw" },
               { "name": "pitch", "type": "body", "body": "top", "component": "pitch" },
               { "name": "roll", "type": "body", "body": "top", "component": "roll", "unit": "deg" },
               { "name": "lean", "type": "angle", "a": "ground", "direction_a": [0, 0, 1], "b": "top", "direction_b": [0, 0, 1] })J" +
         (declared(read).empty() ? "" : ", ") + declared(read) + " ], " + probes(read) + " }";
}

TEST(ReadableOutputs, InSpace) {
  const std::vector<std::string> read = {"yaw",      "pitch",      "roll",     "lean",     "mount.y",
                                         "mount.fz", "tyre.force", "mount.rx", "mount.tz", "mount.tx"};
  for (const char* coordinates : {"reference-point", "euler-parameters", "natural", "relative"})
    expect_probes(spatial({read.begin(), read.end() - 2}, "-0.02*roll/57.3 - 0.05*lean - 0.03*pitch"),
                  {read.begin(), read.end() - 2}, coordinates, 0.6);
}

// Whole turns count: the top spins 25 rad/s for 0.6 s, about two of them.
TEST(ReadableOutputs, YawCountsTurns) {
  std::vector<std::string> names;
  const Results run = run_all(spatial({"yaw", "roll"}, "0"), "euler-parameters", "dopri5", 0.6, names);
  const auto yaw = std::find(names.begin(), names.end(), "p0") - names.begin();
  EXPECT_GT(std::abs(run.final_quantities[yaw]), 3 * M_PI);
}

// Points of flexible bodies are read; what is found from elastic coordinates is refused by name.
TEST(ReadableOutputs, OfFlexibleBodies) {
  const auto text = [](const std::string& law) {
    return R"({ "driftless": 1, "gravity": [0, -9.81], "ground": { "points": { "O": [0, 0] } },
  "bodies": [ { "name": "beam", "position": [0, 0], "points": { "A": [0, 0], "M": [0.5, 0], "tip": [1, 0] },
    "flexible": { "type": "beam", "from": [0, 0], "to": [1, 0], "elements": 2,
      "section": { "type": "circle", "diameter": 0.02 }, "material": { "density": 2700, "youngs_modulus": 7e9 } } } ],
  "joints": [ { "name": "pin", "type": "revolute", "a": "ground.O", "b": "beam.A" } ],
  "forces": [ { "name": "push", "type": "point-force", "at": "beam.tip", "force": ["0", ")" +
           law + R"("] } ],
  "outputs": [ { "name": "climb", "type": "point", "point": "beam.M", "component": "vy" },
               { "name": "sag", "type": "beam", "at": "beam.M", "value": "v" } ],
  "inputs": { "p0": "climb" } })";
  };
  std::vector<std::string> names;
  const Results run = run_all(text("-0.1*climb"), "reference-point", "radau-iia5", 0.1, names);
  ASSERT_TRUE(run.good()) << run.message;
  const auto climb = std::find(names.begin(), names.end(), "climb") - names.begin(),
             probe = std::find(names.begin(), names.end(), "p0") - names.begin();
  for (size_t i = 0; i < run.trajectory.size(); ++i)
    EXPECT_EQ(run.trajectory.quantities.at(i, size_t(probe)), run.trajectory.quantities.at(i, size_t(climb)));
  EXPECT_LT(run.final_quantities[climb], -0.1);
  try {
    compile(parse_model(text("sag"), "test"), "reference-point", "test");
    FAIL() << "read";
  } catch (const InputError& error) {
    EXPECT_NE(error.complaints().front().hint.find("elastic coordinates"), std::string::npos);
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
