// Places on flexible bodies: how points with an offset and directions of sections move, against jets of second order of what they are
// made of; every joint and driver on sections, with one and with both bodies flexible.                                          F3
#include <cmath>
#include <random>

#include "driftless/flexible/floating_body.hpp"
#include "driftless/math/jet.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;
using T = Taylor2<double>;
using V3 = Eigen::Matrix<T, 3, 1>;

// exp(a~) c by its power series: no closed form that the code might share.
V3 turned(const V3& a, const V3& c) {
  V3 sum = c, term = c;
  for (int k = 1; k < 40; ++k) {
    term = V3(a.cross(term) * T(1.0 / k));
    sum += term;
  }
  return sum;
}

V3 along(const Vec3& value, const Vec3& rate) {
  return V3(T(value[0], rate[0], 0), T(value[1], rate[1], 0), T(value[2], rate[2], 0));
}

// Place, velocity and acceleration for v̇ = 0 of a point with an offset, as outputs say and as jets do.
void expect_point(bool spatial, double rotation) {
  const double z = spatial ? 1 : 0;
  Model model = one_flexible(sample_mesh(spatial, true), spatial);
  const FlexibleSpec& spec = *model.bodies[0].flexible;
  const Vec3 on_axis = 0.35 * spec.nodes[1] + 0.65 * spec.nodes[2], offset = Vec3(-0.05, 0.04, 0.03 * z);
  Vec3 normal = offset;  // of the section: the nearest place of the axis is the one meant
  const Vec3 e1 = (spec.nodes[2] - spec.nodes[1]).normalized();
  normal -= normal.dot(e1) * e1;
  const Vec3 at = on_axis + normal;
  const int axes = spatial ? 3 : 2;
  for (const char* what : {"", "v", "a"})
    for (int k = 0; k < axes; ++k)
      model.outputs.push_back(
          element(std::string("out") + what + "xyz"[k], "point",
                  {{"point", PointRef{"beam", "", at}}, {"component", std::string(what) + "xyz"[k]}}));
  const CompiledModel compiled = compile(model, "reference-point", "point");
  const DescriptorSystem& system = *compiled.system;
  const Layout& layout = system.layout();
  const int kQ = spatial ? 7 : 3, kV = spatial ? 6 : 3, n = layout.nv - kV;
  State state = bent_state(system, compiled.guess, 3, 0.2);

  Mat U = Mat::Zero(3, n), turn = Mat::Zero(3, n);
  const auto place = nearest_on_axis(spec, at);
  EXPECT_EQ(place.element, 1);
  EXPECT_NEAR(place.xi, 0.65, 1e-12);
  const auto fill = [&](const auto& section, int d, int spin) {
    for (size_t k = 0; k < section.columns.size(); ++k) {
      U.col(section.columns[k]).head(d) = section.U.col(Eigen::Index(k));
      turn.col(section.columns[k]).tail(spin) = section.turn.col(Eigen::Index(k));
    }
  };
  if (spatial)
    fill(FloatingBody<3>(spec).section(place.element, place.xi), 3, 3);
  else
    fill(FloatingBody<2>(spec).section(place.element, place.xi), 2, 1);
  const double now = (turn * state.q.tail(n)).norm();
  state.q.tail(n) *= rotation / now;

  const Vec eta = state.q.tail(n), rate = state.v.tail(n);
  Vec3 R = Vec3::Zero(), R_rate = R, omega = R;
  R.head(axes) = state.q.head(axes);
  R_rate.head(axes) = state.v.head(axes);
  if (spatial)
    omega = state.v.segment<3>(3);
  else
    omega.z() = state.v[2];
  Mat3 A = Mat3::Identity();
  if (spatial)
    A = rotation_matrix<double>(Quat(state.q.segment<4>(3)));
  else
    A.topLeftCorner<2, 2>() << std::cos(state.q[2]), -std::sin(state.q[2]), std::sin(state.q[2]),
        std::cos(state.q[2]);
  const V3 section = turned(along(turn * eta, turn * rate), normal.cast<T>());
  const V3 body = along(on_axis + U * eta, U * rate) + section;
  const V3 spun =
      turned(along(Vec3::Zero(), omega), body);  // A(t) = A exp(ω~ t), ω constant in axes of the frame
  const V3 known = along(R, R_rate) + A.cast<T>() * spun;

  Vec out(3 * axes);
  const Reaction reaction{Vec::Zero(layout.nv), Vec::Zero(layout.m)};
  system.quantities(0, state.q, state.v, reaction, out);
  double size[3] = {1, 1, 1};
  for (int k = 0; k < axes; ++k) {
    size[1] = std::max(size[1], std::abs(known[k].d1));
    size[2] = std::max(size[2], std::abs(known[k].d2));
  }
  for (int k = 0; k < axes; ++k) {
    EXPECT_NEAR(out[k], known[k].v, 1e-12) << rotation;
    EXPECT_NEAR(out[axes + k], known[k].d1, 1e-12 * size[1]) << rotation;
    EXPECT_NEAR(out[2 * axes + k], known[k].d2, 1e-12 * size[2]) << rotation;
  }
  EXPECT_EQ(layout.nq - n, kQ);
}

// A direction fixed in a section by what a joint makes of it: u·A exp(ϑ~) c, u fixed in the world. Value, rate and acceleration for
// v̇ = 0 of its row are g, J v and −γ.
void expect_direction(bool spatial, double rotation) {
  Model model = one_flexible(sample_mesh(spatial, true), spatial);
  const FlexibleSpec& spec = *model.bodies[0].flexible;
  const Vec3 on_axis = 0.35 * spec.nodes[1] + 0.65 * spec.nodes[2];
  const PointRef beam{"beam", "", on_axis}, ground{"ground", "", Vec3(0.2, 0.5, spatial ? 0.1 : 0)};
  const Vec3 u = Vec3(0.3, -0.7, 0.5).normalized(), c = Vec3(0.4, 0.8, spatial ? -0.3 : 0).normalized();
  if (spatial)
    model.joints = {element("cross", "universal",
                            {{"a", ground}, {"b", beam}, {"axis", direction(u)}, {"axis_b", direction(c)}})};
  else
    model.joints = {element("slot", "point-on-line", {{"a", beam}, {"b", ground}, {"axis", c}})};
  const CompiledModel compiled = compile(model, "reference-point", "direction");
  const DescriptorSystem& system = *compiled.system;
  const Layout& layout = system.layout();
  const int axes = spatial ? 3 : 2, n = layout.nv - (spatial ? 6 : 3), row = layout.m - 1;
  State state = bent_state(system, compiled.guess, 3, 0.2);
  Mat U = Mat::Zero(3, n), turn = Mat::Zero(3, n);
  const auto place = nearest_on_axis(spec, on_axis);
  const auto fill = [&](const auto& section, int d, int spin) {
    for (size_t k = 0; k < section.columns.size(); ++k) {
      U.col(section.columns[k]).head(d) = section.U.col(Eigen::Index(k));
      turn.col(section.columns[k]).tail(spin) = section.turn.col(Eigen::Index(k));
    }
  };
  if (spatial)
    fill(FloatingBody<3>(spec).section(place.element, place.xi), 3, 3);
  else
    fill(FloatingBody<2>(spec).section(place.element, place.xi), 2, 1);
  state.q.tail(n) *= rotation / (turn * state.q.tail(n)).norm();
  const Vec eta = state.q.tail(n), rate = state.v.tail(n);
  Vec3 R = Vec3::Zero(), R_rate = R, omega = R;
  R.head(axes) = state.q.head(axes);
  R_rate.head(axes) = state.v.head(axes);
  omega.tail(spatial ? 3 : 1) = state.v.segment(axes, spatial ? 3 : 1);
  Mat3 A = Eigen::AngleAxisd(spatial ? 0 : state.q[2], Vec3::UnitZ()).toRotationMatrix();
  if (spatial) A = rotation_matrix<double>(Quat(state.q.segment<4>(3)));
  const V3 spin = along(Vec3::Zero(), omega);
  const V3 fixed = A.cast<T>() * turned(spin, turned(along(turn * eta, turn * rate), c.cast<T>()));
  T known;
  if (spatial) {
    known = T(u.x()) * fixed[0] + T(u.y()) * fixed[1] + T(u.z()) * fixed[2];
  } else {  // normal of the line times what leads from it to the point
    const V3 on_line = along(R, R_rate) + A.cast<T>() * turned(spin, along(on_axis + U * eta, U * rate));
    known = fixed[0] * (T(ground.at.y()) - on_line[1]) - fixed[1] * (T(ground.at.x()) - on_line[0]);
  }
  Terms terms = system.make_terms();
  system.evaluate(0, state.q, state.v, terms);
  Vec r(layout.m);
  velocity_residual(terms, state.v, r);
  const double length = spatial ? layout.length : 1;  // rows between directions are lengths, too
  const double sign = (terms.g[row] * known.v < 0 ? -1 : 1) / length;
  EXPECT_NEAR(sign * terms.g[row], known.v, 1e-12) << spatial << rotation;
  EXPECT_NEAR(sign * r[row], known.d1, 1e-12 * (1 + std::abs(known.d1))) << spatial << rotation;
  EXPECT_NEAR(-sign * terms.gamma[row], known.d2, 1e-12 * (1 + std::abs(known.d2))) << spatial << rotation;
}

TEST(FlexiblePlaces, MoveAsJetsSay) {
  for (const bool spatial : {false, true})
    for (const double rotation : {0.0, 1e-9, 1e-4, 0.09, 0.11, 1.0}) {
      expect_point(spatial, rotation);
      expect_direction(spatial, rotation);
    }
}

// ---- rows: J, ν and γ against differences of eighth order along the motion, and how many freedoms they take away.
void expect_rows(const FlexibleSample& sample) {
  const CompiledModel model = compile(sample.model, "reference-point", sample.model.name);
  const DescriptorSystem& system = *model.system;
  const Layout& layout = system.layout();
  const State state = bent_state(system, model.guess, 11, 0.1);
  Terms terms = system.make_terms();
  const auto along = [&](double h, Vec& g, Vec& r) {
    Vec at = state.q;
    system.retract(at, h * state.v);
    system.position(h, at, terms);
    g = terms.g;
    velocity_residual(terms, state.v, r);
  };
  const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double of_g = 1e300, of_r = 1e300;
  for (const double h : {1e-2, 4e-3, 1e-3}) {
    Vec dg = Vec::Zero(layout.mh), dr = Vec::Zero(layout.m), g, r(layout.m);
    for (int k = 1; k <= 4; ++k)
      for (const int sign : {1, -1}) {
        along(sign * k * h, g, r);
        dg += sign * w[k - 1] / h * g.head(layout.mh);
        dr += sign * w[k - 1] / h * r;
      }
    system.evaluate(0, state.q, state.v, terms);
    velocity_residual(terms, state.v, r);
    of_g = std::min(of_g, max_abs(dg - r.head(layout.mh)) / (1 + max_abs(r)));
    of_r = std::min(of_r, max_abs(dr + terms.gamma) / (1 + max_abs(terms.gamma)));
  }
  EXPECT_LT(of_g, 1e-10) << sample.model.name;
  EXPECT_LT(of_r, 1e-10) << sample.model.name;
  const RankReport flexible = analyze_rank(system, state);
  const CompiledModel rigid = compile(sample.rigid, "reference-point", "rigid");
  const RankReport twin = analyze_rank(*rigid.system, rigid.guess);
  EXPECT_EQ(flexible.rank, twin.rank) << sample.model.name;
  EXPECT_EQ(flexible.rows, twin.rows) << sample.model.name;
}

TEST(FlexibleJoints, EveryJointOnSections) {
  for (const bool spatial : {false, true})
    for (const bool both : {false, true}) {
      const std::vector<FlexibleSample> samples = flexible_joints(spatial, both);
      EXPECT_GE(samples.size(), spatial ? 17U : 7U);
      for (const FlexibleSample& sample : samples) expect_rows(sample);
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
