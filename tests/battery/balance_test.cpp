// Newton's and Euler's equations of every single body, from what a run records: applied forces and the reactions of all
// joints make the accelerations, in every coordinate set,
//   m r̈ = Σ F,   I ω̇ + ω × I ω = Σ (T + (p − r) × F)                                                               (1)
// A joint exerts the opposite on its other body: the first one, of a gear the first wheel, of a rack the pinion. Couplers
// act on the four bodies of their joints, along the joints' coordinates.
#include <filesystem>
#include <map>

#include "driftless/coordinates/mechanism/parts.hpp"
#include "driftless/math/rotation.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kBalance = 1e-9;  // of the largest force (moment) of the record

// Of tests/data/balance, then shipped ones: every joint, driver and force among them.
const char* const kModels[] = {"planar-contacts",
                               "planar-couplers",
                               "spatial-tree",
                               "spatial-contacts",
                               "spatial-gears",
                               "planetary",
                               "turning-rack",
                               "gearbox",
                               "gear-and-rack",
                               "slider-crank",
                               "four-bar",
                               "quick-return",
                               "andrews-bodies",
                               "car-on-bump",
                               "double-pendulum-bars",
                               "bricard",
                               "heavy-top",
                               "rolling-disc",
                               "spatial-four-bar",
                               "universal-shaft",
                               "spatial-slider-crank",
                               "stewart-platform",
                               "five-link-suspension",
                               "hanging-chain",
                               "spatial-double-pendulum",
                               "flyball-governor",
                               "bicycle"};

struct Case {
  std::string model, coordinates;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.model << " in " << c.coordinates; }

Model model_called(const std::string& name) {
  const std::string own = std::string(DRIFTLESS_SOURCE_DIR) + "/tests/data/balance/" + name + ".json";
  return std::filesystem::exists(own) ? read_model(own) : model_file(name);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* model : kModels)
    for (const char* set : {"reference-point", "natural", "relative", "euler-parameters"})
      if (set != std::string("euler-parameters") || model_called(model).space == Space::spatial)
        all.push_back({model, set});
  return all;
}

// Everything of (1) about one record.
struct Record {
  std::vector<Vec3> r, v, a, omega, alpha;  // of the bodies
  std::vector<Mat3> R;
  std::vector<JointReaction> reactions;
};

void ask_for_motion(Model& model) {
  const bool planar = model.space == Space::planar;
  model.outputs.clear();
  for (const Body& body : model.bodies)
    for (const std::string what : {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "wx", "wy", "wz",
                                   "alphax", "alphay", "alphaz"}) {
      const char last = what.back(), first = what.front();
      if (planar && (last == 'z') != (first == 'w' || what.size() > 2)) continue;
      model.outputs.push_back({body.name + "_" + what, "body", {{"body", body.name}, {"component", what}}});
    }
}

Record last_record(const Model& model, const Trajectory& trajectory) {
  Record out;
  const size_t row = trajectory.t.size() - 1, bodies = model.bodies.size();
  std::map<std::string, double> value;
  for (size_t c = 0; c < trajectory.quantities.columns(); ++c)
    value[trajectory.quantities.names[c]] = trajectory.quantities.at(row, c);
  for (size_t b = 0; b < bodies; ++b) {
    const auto vector = [&](const std::string& what) {
      const std::string head = model.bodies[b].name + "_" + what;
      return Vec3(value[head + "x"], value[head + "y"], value[head + "z"]);
    };
    out.r.push_back(vector(""));
    out.v.push_back(vector("v"));
    out.a.push_back(vector("a"));
    out.omega.push_back(vector("w"));
    out.alpha.push_back(vector("alpha"));
    out.R.push_back(rotation_matrix<double>(
        Eigen::Map<const Quat>(trajectory.poses.data() + 7 * (row * bodies + b) + 3)));
  }
  for (size_t j = 0; j < trajectory.joint_names.size(); ++j) {
    const double* values = trajectory.reactions.data() + 12 * (row * trajectory.joint_names.size() + j);
    out.reactions.push_back({Eigen::Map<const Vec3>(values), Eigen::Map<const Vec3>(values + 3)});
  }
  return out;
}

template <int D>
Vec3 wide(const VecOf<double, D>& x) {
  Vec3 out = Vec3::Zero();
  out.head<D>() = x;
  return out;
}
Vec3 wide(double moment) { return {0, 0, moment}; }
Vec3 wide_moment(const Vec3& moment) { return moment; }
Vec3 wide_moment(double moment) { return wide(moment); }

// What acts on the bodies, moments about the centres of mass.
template <int D>
class Balance {
 public:
  Balance(const Model& model, double t, const Record& record)
      : model_(model), parts_(expand_model<D>(model, "test")), work_(parts_.make_work()), record_(record) {
    for (size_t b = 0; b < model.bodies.size(); ++b) {
      work_.frames[b].r = record.r[b].template head<D>();
      work_.twists[b].r = record.v[b].template head<D>();
      if constexpr (D == 2) {
        work_.frames[b].c = record.R[b](0, 0);
        work_.frames[b].s = record.R[b](1, 0);
        work_.frames[b].theta = std::atan2(work_.frames[b].s, work_.frames[b].c);
        work_.twists[b].omega = record.omega[b].z();
      } else {
        work_.frames[b].R = record.R[b];
        work_.twists[b].omega = record.omega[b];
      }
    }
    force_.assign(model.bodies.size() + 1, Vec3::Zero());
    moment_ = force_;
    apply_forces(t);
    for (size_t j = 0; j < parts_.joints.size(); ++j) apply_joint(j);
  }

  void check() const {
    for (size_t b = 0; b < model_.bodies.size(); ++b) {
      Vec3 inertia;
      if constexpr (D == 2) {
        inertia = wide(parts_.inertias[b] * record_.alpha[b].z());
      } else {
        const Mat3 I = record_.R[b] * parts_.inertias[b] * record_.R[b].transpose();
        inertia = I * record_.alpha[b] + record_.omega[b].cross(I * record_.omega[b]);
      }
      EXPECT_LT((force_[b] - parts_.masses[b] * record_.a[b]).norm(), kBalance * largest_)
          << "force on " << model_.bodies[b].name << ", of " << force_[b].norm();
      EXPECT_LT((moment_[b] - inertia).norm(), kBalance * largest_ * std::max(1.0, parts_.length))
          << "moment on " << model_.bodies[b].name << ", of " << moment_[b].norm();
    }
  }

 private:
  Vec3 place(const PointOf<D>& p) const { return wide<D>(work_.frames[size_t(p.body)].point(p.at)); }
  Vec3 axis(const JointFrameOf<D>& f, int k) const {
    return wide<D>(work_.frames[size_t(f.origin.body)].turn(f.axes.col(k)));
  }

  void push(int slot, const Vec3& at, const Vec3& force, const Vec3& torque) {
    if (slot >= static_cast<int>(model_.bodies.size())) return;
    force_[size_t(slot)] += force;
    moment_[size_t(slot)] += torque + (at - record_.r[size_t(slot)]).cross(force);
    largest_ = std::max({largest_, force.norm(), torque.norm()});
  }

  void apply_forces(double t) {
    parts_.place_markers(work_);
    for (size_t k = 0; k < parts_.scalars.size(); ++k) scalar(k);
    parts_.apply_forces(t, work_);
    for (size_t b = 0; b < model_.bodies.size(); ++b)
      push(static_cast<int>(b), record_.r[b], wide<D>(work_.wrenches[b].force),
           wide_moment(work_.wrenches[b].moment));
    for (size_t k = 0; k < parts_.scalars.size(); ++k) {
      if (work_.loads.empty() || work_.loads[k] == 0) continue;
      const ScalarOf<D>& s = parts_.scalars[k];
      along(s.kind == ScalarOf<D>::Kind::angle ? "angle" : "displacement", s.a, s.b, work_.loads[k]);
    }
  }

  void scalar(size_t k) {  // and its rate; angles of the samples stay below half a turn
    const ScalarOf<D>& s = parts_.scalars[k];
    const size_t a = size_t(s.a.origin.body), b = size_t(s.b.origin.body);
    if constexpr (D == 2) {
      work_.s[k] = work_.frames[b].theta;
      work_.sdot[k] = work_.twists[b].omega;
    } else if (s.kind == ScalarOf<D>::Kind::angle) {
      const Vec3 x = axis(s.b, 0);
      work_.s[k] = std::atan2(x.dot(axis(s.a, 1)), x.dot(axis(s.a, 0)));
      work_.sdot[k] = axis(s.a, 2).dot(work_.twists[b].omega - work_.twists[a].omega);
    }
  }

  // A load on a coordinate of a joint: on b, the opposite on a.
  void along(const std::string& coordinate, const JointFrameOf<D>& a, const JointFrameOf<D>& b, double load) {
    const bool turns = coordinate == "angle";
    const Vec3 z = D == 2 ? (turns ? Vec3(0, 0, 1) : axis(a, 0)) : axis(a, D - 1);
    const Vec3 force = turns ? Vec3(Vec3::Zero()) : Vec3(load * z), torque = load * z - force;
    push(b.origin.body, place(b.origin), force, torque);
    push(a.origin.body, place(b.origin), -force, -torque);
  }

  void apply_joint(size_t j) {
    const JointPlaceOf<D>& joint = parts_.joints[j];
    const JointReaction& on = record_.reactions[j];
    const Vec3 at = place(joint.frames.second.origin);
    int other = joint.frames.first.origin.body;
    for (const Teeth<D>& teeth : parts_.teeth)
      if (teeth.joint == static_cast<int>(j)) other = teeth.a;
    if (j < model_.joints.size() && model_.joints[j].type == "coupler") {
      const Element& coupler = model_.joints[j];
      const Expansion<D> expansion(model_);
      const auto frames = frames_of(coupler.get<std::string>("joint_a"), expansion);
      const bool slides = chosen_coordinate(coupler, "joint_b", "coordinate_b", model_) == "displacement";
      const Vec3 z = D == 2 && !slides ? Vec3(0, 0, 1) : axis(joint.frames.first, D == 2 ? 0 : 2);
      const double load = slides ? on.force.dot(z) : on.torque.dot(z);
      along(chosen_coordinate(coupler, "joint_a", "coordinate_a", model_), frames.first, frames.second,
            -coupler.get<double>("ratio") * load);
    }
    push(joint.frames.second.origin.body, at, on.force, on.torque);
    push(other, at, -on.force, -on.torque);
  }

  const Model& model_;
  Parts<D> parts_;
  WorkOf<D> work_;
  const Record& record_;
  std::vector<Vec3> force_, moment_;
  double largest_ = 0;
};

class EveryBody : public ::testing::TestWithParam<Case> {};

TEST_P(EveryBody, IsInBalance) {
  Model model = model_called(GetParam().model);
  ask_for_motion(model);
  const AssembledModel made = assembled(model, GetParam().coordinates);
  RunSetup setup;
  setup.t_end = 0.05;
  setup.output_step = 0.025;
  const Results results = simulate(made.system(), made.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Record record = last_record(model, results.trajectory);
  const double t = results.trajectory.t.back();
  if (model.space == Space::planar)
    Balance<2>(model, t, record).check();
  else
    Balance<3>(model, t, record).check();
}

INSTANTIATE_TEST_SUITE_P(Battery, EveryBody, ::testing::ValuesIn(cases()), [](const auto& of) {
  return plain(of.param.model) + "_" + plain(of.param.coordinates);
});

// Mesh forces that can be calculated on paper: the motor's 0.6 N m at radius 0.05 m, held at rest by the spring.
TEST(Reactions, BearingsOfWheelsFeelTheTeeth) {
  Model model = parse_model(R"({ "driftless": 1, "name": "held", "space": "planar", "gravity": [0, 0],
    "ground": { "points": { "A": [0, 0], "B": [0.2, 0] } },
    "bodies": [ { "name": "a", "mass": 1, "inertia": 1, "points": { "C": [0, 0] } },
                { "name": "b", "mass": 1, "inertia": 1, "points": { "C": [0, 0] }, "position": [0.2, 0] } ],
    "joints": [ { "name": "pa", "type": "revolute", "a": "ground.A", "b": "a.C" },
                { "name": "pb", "type": "revolute", "a": "ground.B", "b": "b.C" },
                { "name": "mesh", "type": "gear", "a": "a", "b": "b", "radius_a": 0.06, "radius_b": 0.14 } ],
    "forces": [ { "name": "motor", "type": "torque", "body": "a", "torque": 1 },
                { "name": "brake", "type": "torque", "body": "b", "torque": 2.3333333333333335 } ] })",
                            "held");
  for (const char* set : {"reference-point", "natural", "relative"}) {
    const AssembledModel made = assembled(model, set);
    RunSetup setup;
    setup.t_end = 0.01;
    const Results results = simulate(made.system(), made.start(), setup);
    ASSERT_TRUE(results.good()) << results.message;
    const double* values = results.trajectory.reactions.data();
    const double push = 1 / 0.06;                     // wheel a turns to the left and pushes b upwards at P
    EXPECT_NEAR(values[1], push, 1e-9) << set;        // pa bears the push down on a
    EXPECT_NEAR(values[12 + 1], -push, 1e-9) << set;  // pb holds b down
    EXPECT_NEAR(values[24 + 1], push, 1e-9) << set;   // the mesh on b
    EXPECT_NEAR(values[24 + 5], -0.14 * push, 1e-9) << set;  // about its centre
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
