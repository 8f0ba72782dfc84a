// Spatial models for batteries: three bodies at random poses, and an example of every joint and driver between them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/joints/joint_record.hpp"
#include "driftless/math/rotation.hpp"

namespace driftless::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 vector(double size) { return Vec3(number(-size, size), number(-size, size), number(-size, size)); }
  Quat quaternion() {
    Quat p;
    do p = Quat(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1));
    while (p.norm() < 0.2 || p.norm() > 1);
    return p.normalized();
  }

 private:
  std::mt19937 engine_;
};

inline PointRef point(const std::string& body, const Vec3& at) { return {body, "", at, false}; }
inline DirectionRef along(const std::string& body, const Vec3& u) { return {body, "", u, false}; }

// A body of scattered point masses: its inertia is one a body can have.
inline Body random_body(const std::string& name, Random& random) {
  Body body;
  body.name = name;
  body.mass = random.number(0.5, 2);
  for (int k = 0; k < 6; ++k) {
    const Vec3 at = random.vector(0.6);
    body.inertia_tensor += body.mass / 6 * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
  }
  body.center_of_mass = random.vector(0.2);
  body.points = {{"A", random.vector(0.7)}, {"B", random.vector(0.7)}};
  body.position = random.vector(0.5);
  body.orientation = random.quaternion();
  body.velocity = random.vector(0.5);
  body.spin = random.vector(1);
  return body;
}

inline Model three_bodies(Random& random) {
  Model model;
  model.name = "sample";
  model.space = Space::spatial;
  model.gravity = random.vector(5);
  for (const char* name : {"one", "two", "three"}) model.bodies.push_back(random_body(name, random));
  return model;
}

inline bool is_driver(const JointRecord* record) {
  const auto drivers = driver_records();
  return std::find(drivers.begin(), drivers.end(), record) != drivers.end();
}

// All joints and drivers spatial models may have.
inline std::vector<const JointRecord*> spatial_records() {
  std::vector<const JointRecord*> out;
  for (const auto& records : {joint_records(), driver_records()})
    for (const auto* record : records)
      if (record->spatial.expand != nullptr) out.push_back(record);
  return out;
}

struct SpatialSample {
  Model model;  // the element, called "sample", is the last of the joints or drivers
  bool is_driver = false;
  int removed = 0;  // degrees of freedom it takes away
};

inline const Element& element_of(const SpatialSample& sample) {
  return sample.is_driver ? sample.model.drivers.back() : sample.model.joints.back();
}
inline Element& element_of(SpatialSample& sample) {
  return sample.is_driver ? sample.model.drivers.back() : sample.model.joints.back();
}

inline Element revolute_between(const std::string& name,
                                const std::string& a,
                                const std::string& b,
                                Random& random) {
  return {name,
          "revolute",
          {{"a", point(a, random.vector(0.5))},
           {"b", point(b, random.vector(0.5))},
           {"axis", along(a, random.vector(1))}}};
}

// An example of a type. Unknown types give `removed` < 0: add them here.
inline SpatialSample spatial_sample(const std::string& type, bool is_driver, Random& random) {
  SpatialSample sample{three_bodies(random), is_driver, -1};
  Element e{"sample", type, {}};
  auto& f = e.fields;
  const TimeFunction wave =
      time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4, .offset = 0.2};
  const auto points = [&] {
    f["a"] = point("one", random.vector(0.5));
    f["b"] = point("two", random.vector(0.5));
  };
  const auto axis = [&](const char* name, const char* body) { f[name] = along(body, random.vector(1)); };
  const auto bodies = [&] {
    f["a"] = std::string("one");
    f["b"] = std::string("two");
  };
  const auto removes = [&](int count) { sample.removed = count; };
  if (is_driver) {
    if (type == "angle") {
      bodies();
      axis("axis", "one");
      removes(1);
    } else if (type == "displacement") {
      points();
      axis("axis", "one");
      removes(1);
    } else if (type == "path") {
      points();
      f["function"] =
          std::vector<TimeFunction>{wave, TimeFunction(time_function::Polynomial{{0.1, 0.5, -0.3}}), wave};
      removes(3);
    } else if (type == "joint-coordinate") {
      sample.model.joints.push_back(revolute_between("pin", "one", "two", random));
      f["joint"] = std::string("pin");
      removes(1);
    } else if (type == "distance") {
      points();
      f["function"] = TimeFunction(
          time_function::Harmonic{.amplitude = 0.3, .frequency = 1.7, .phase = 0.4, .offset = 1.3});
      removes(1);
    }
    if (!e.has("function")) f["function"] = wave;
    sample.model.drivers.push_back(e);
    return sample;
  }
  if (type == "revolute" || type == "translational" || type == "cylindrical" || type == "planar") {
    points();
    axis("axis", "one");
    axis("axis_b", "two");
    removes(type == "planar" ? 3 : type == "cylindrical" ? 4 : 5);
  } else if (type == "fixed" || type == "spherical") {
    points();
    removes(type == "fixed" ? 6 : 3);
  } else if (type == "universal" || type == "constant-velocity") {
    points();
    axis("axis", "one");
    axis("axis_b", "two");
    removes(4);
  } else if (type == "screw") {
    points();
    axis("axis", "one");
    f["pitch"] = 0.7;
    removes(5);
  } else if (type == "distance") {
    points();
    f["length"] = 1.3;
    removes(1);
  } else if (type == "point-on-line" || type == "point-on-plane") {
    points();
    axis("axis", "one");
    removes(type == "point-on-line" ? 2 : 1);
  } else if (type == "point-on-curve") {
    points();
    f["curve"] =
        CurvePoints{{Vec3(0.6, 0, 0.1), Vec3(0.1, 0.7, 0), Vec3(-0.5, 0.1, 0.2), Vec3(0, -0.6, -0.2)}, true};
    removes(2);
  } else if (type == "parallel-axes" || type == "perpendicular-axes") {
    bodies();
    axis("axis", "one");
    axis("axis_b", "two");
    removes(type == "parallel-axes" ? 2 : 1);
  } else if (type == "gear") {
    bodies();
    f["carrier"] = std::string("three");
    f["radius_a"] = 0.4;
    f["radius_b"] = 0.7;
    axis("axis_a", "three");
    axis("axis_b", "three");
    removes(1);
  } else if (type == "rack-and-pinion") {
    f["carrier"] = point("three", random.vector(0.5));
    axis("axis", "three");
    f["rack"] = point("two", random.vector(0.5));
    f["pinion"] = std::string("one");
    axis("pinion_axis", "three");
    f["radius"] = 0.4;
    removes(1);
  } else if (type == "coupler") {
    sample.model.joints.push_back(revolute_between("pin", "one", "two", random));
    sample.model.joints.push_back(revolute_between("sleeve", "two", "three", random));
    sample.model.joints.back().type = "cylindrical";
    f["joint_a"] = std::string("pin");
    f["joint_b"] = std::string("sleeve");
    f["coordinate_b"] = std::string("displacement");
    f["ratio"] = 0.4;
    removes(1);
  } else if (type == "rolling-disc") {
    f["a"] = point("ground", random.vector(0.5));
    axis("axis", "ground");
    f["b"] = point("two", random.vector(0.5));
    axis("axis_b", "two");
    f["radius"] = 0.8;
    removes(3);
  } else if (type == "knife-edge") {
    f["b"] = point("two", random.vector(0.5));
    axis("axis", "two");
    removes(1);
  }
  sample.model.joints.push_back(e);
  return sample;
}

// The same joint seen from the other body; `removed` < 0 where that is another joint. The bodies stand so that it is
// closed as drawn.
inline SpatialSample reversed(SpatialSample sample) {
  Element& e = element_of(sample);
  const auto exchange = [&](const char* one, const char* other) {
    if (e.has(one) && e.has(other)) std::swap(e.fields[one], e.fields[other]);
  };
  const std::vector<std::string> alike = {"revolute",    "translational", "fixed",
                                          "cylindrical", "spherical",     "planar",
                                          "screw",       "distance",      "parallel-axes"};
  if (std::find(alike.begin(), alike.end(), e.type) != alike.end()) {
    exchange("a", "b");
    e.fields.erase("axis_b");
  } else if (e.type == "universal" || e.type == "constant-velocity" || e.type == "perpendicular-axes") {
    exchange("a", "b");
    exchange("axis", "axis_b");
  } else if (e.type == "gear") {
    exchange("a", "b");
    exchange("radius_a", "radius_b");
    exchange("axis_a", "axis_b");
  } else if (e.type == "coupler") {
    exchange("joint_a", "joint_b");
    e.fields["coordinate_a"] = e.fields["coordinate_b"];
    e.fields.erase("coordinate_b");
    e.fields["ratio"] = 1 / e.get<double>("ratio");
  } else {
    sample.removed = -1;
  }
  return sample;
}

// The whole mechanism turned by `turn` about the origin and then shifted, gravity with it.
inline Model moved(Model model, const Eigen::Quaterniond& turn, const Vec3& shift) {
  const auto place = [&](Vec3& p) { p = turn * p + shift; };
  const auto rotate = [&](Vec3& u) { u = turn * u; };
  rotate(model.gravity);
  for (auto& p : model.ground_points) place(p.at);
  for (auto& u : model.ground_axes) rotate(u.at);
  for (Body& body : model.bodies) {
    place(body.position);
    rotate(body.velocity);
    rotate(body.spin);
    body.orientation =
        quaternion_product(Quat(turn.w(), turn.x(), turn.y(), turn.z()), body.orientation).normalized();
  }
  for (auto* elements : {&model.joints, &model.drivers})
    for (Element& element : *elements)
      for (auto& [name, value] : element.fields) {
        auto* p = std::get_if<PointRef>(&value);
        if (p != nullptr && p->point.empty() && (p->world || p->body == "ground")) place(p->at);
        auto* u = std::get_if<DirectionRef>(&value);
        if (u != nullptr && u->axis.empty() && (u->world || u->body == "ground")) rotate(u->along);
      }
  return model;
}

// The model with its bodies where a state of its system has them. Elements drawn there mean the same as before.
inline Model drawn_at(Model model, const DescriptorSystem& system, const State& state) {
  std::vector<Pose> poses;
  system.poses(state.t, state.q, poses);
  for (size_t i = 0; i < model.bodies.size(); ++i) {
    Body& body = model.bodies[i];
    body.orientation = poses[i].quaternion;
    body.position = poses[i].position - rotation_matrix<double>(poses[i].quaternion) * body.center_of_mass;
  }
  return model;
}

}  // namespace driftless::testing
