// Figures of flexible bodies that other tests leave: rotating beams at every speed, frames and modes of stiff pendulums, modes of Chin's
// rod, spin-up as a cable, statics of a cantilever, conserving schemes over large steps, fill.
#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "driftless/flexible/floating_body.hpp"
#include "driftless/system/discrete_gradient.hpp"
#include "driftless/system/element_potential.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// ---- F13: flap frequencies of a cantilever that turns in the plane, flap² = lag² + Ω²; by the tangent of its own equations.
Vec flap_frequencies(int elements, double speed, FlexibleSpec::Stiffening stiffening, int count) {
  FlexibleSpec spec = straight_mesh(1, elements, given_section(1e8, 1, 1));
  spec.stiffening = stiffening;
  const FloatingBody<2> body(spec);
  auto work = body.make_work();
  const Eigen::Matrix<double, 1, 1> omega(speed);
  const int size = body.size();
  const auto force = [&](const Vec& eta) {
    Vec f(size);
    Vec2 r;
    Eigen::Matrix<double, 1, 1> spin;
    body.place(eta, work);
    body.velocity_terms(eta, Vec::Zero(size), omega, work, r, spin, f);
    body.add_elastic_forces(eta, Vec::Zero(size), omega, work, f);
    return f;
  };
  std::vector<int> axial, lateral;
  for (int k = 0; k < size; ++k) (body.names()[size_t(k)].ends_with(".u") ? axial : lateral).push_back(k);
  const auto slope = [&](const Vec& eta, const std::vector<int>& of) {
    Mat K(size, Eigen::Index(of.size()));
    for (size_t k = 0; k < of.size(); ++k) {
      const Vec step = 1e-7 * Vec::Unit(size, of[k]);
      K.col(Eigen::Index(k)) = -(force(eta + step) - force(eta - step)) / 2e-7;
    }
    return Mat(K(of, Eigen::all));
  };
  Vec eta = Vec::Zero(size);
  for (int k = 0; k < 4; ++k) {
    const Vec d = slope(eta, axial).fullPivLu().solve(Vec(force(eta)(axial)));
    for (size_t i = 0; i < axial.size(); ++i) eta[axial[i]] += d[Eigen::Index(i)];
  }
  const Mat M = Mat(body.elastic_mass())(lateral, lateral);
  const Mat K = slope(eta, lateral);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solved(Mat((K + K.transpose()) / 2), M);
  Vec out(count);
  for (int k = 0; k < count; ++k) out[k] = std::sqrt(solved.eigenvalues()[k] + speed * speed);
  return out;
}

TEST(RotatingBeam, FrequenciesAtEverySpeed) {
  struct Known {
    double speed, flap[2];
  };
  const Known all[] = {{2, {4.13731957302536, 22.6149219565041}},
                       {6, {7.36037301931002, 26.8090816784979}},
                       {12, {13.170150487506, 37.603112331192}}};
  const double errors[3][2] = {{3.2e-3, 9.1e-3}, {8.3e-4, 2.1e-3}, {2.1e-4, 5.2e-4}};  // at Ω = 6
  for (const Known& known : all) {
    Vec before;
    int row = 0;
    for (const int n : {4, 8, 16}) {
      const Vec found = flap_frequencies(n, known.speed, FlexibleSpec::Stiffening::geometric, 2);
      Vec error(2);
      for (int k = 0; k < 2; ++k) {
        error[k] = found[k] / known.flap[k] - 1;
        if (known.speed == 6) {
          EXPECT_NEAR(error[k], errors[row][k], 0.2 * errors[row][k]) << n << " " << k;
        }
        if (before.size() > 0 && known.speed > 2 &&
            (k == 0 || n == 16)) {  // slow ones: of higher order still
          EXPECT_NEAR(order(before[k], error[k]), 2, 0.1) << known.speed << " " << n << " " << k;
        }
      }
      before = error;
      ++row;
    }
    // Without stiffening it stays where it is at rest.
    EXPECT_NEAR(flap_frequencies(8, known.speed, FlexibleSpec::Stiffening::none, 1)[0], std::sqrt(12.362),
                1e-3);
  }
}

// ---- F7: a stiff pendulum in three frames; the mean axis by nodal coordinates and by modes.
Vec2 pendulum_tip(const FlexibleSpec& spec) {
  Model model;
  model.name = "pendulum";
  model.gravity = {0, -9.81, 0};
  model.ground_points = {{"O", Vec3::Zero()}};
  model.bodies = {flexible_body("rod", spec)};
  model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("rod", "A")}})};
  add_point_outputs(model, "tip", point("rod", "B"));
  const AssembledModel pendulum = assembled(model);
  const Results results = simulate(pendulum.system(), pendulum.start(), finest(0.4));
  EXPECT_TRUE(results.good()) << results.message;
  return results.final_quantities.head<2>();
}

TEST(FloatingFrame, OfAStiffPendulumAndTheMeanAxisInTwoWays) {
  const auto spec_of = [](double EI, FlexibleSpec::Frame frame) {
    FlexibleSpec spec = straight_mesh(1, 2, given_section(120 * EI, EI, 0.1));
    spec.frame = frame;
    return spec;
  };
  const Vec2 clamped = pendulum_tip(spec_of(64, FlexibleSpec::Frame::clamped_free)),
             chord = pendulum_tip(spec_of(64, FlexibleSpec::Frame::simply_supported)),
             mean = pendulum_tip(spec_of(64, FlexibleSpec::Frame::mean_axis));
  EXPECT_LT((clamped - Vec2(0.43024, -0.90291)).cwiseAbs().maxCoeff(), 6e-6);
  EXPECT_LT((clamped - chord).norm(), 2 * 1.4e-8);
  EXPECT_LT((clamped - mean).norm(), 2 * 1.7e-8);
  EXPECT_GT((clamped - chord).norm(), 1.4e-8 / 2);
  EXPECT_GT((clamped - mean).norm(), 1.7e-8 / 2);
  FlexibleSpec nodal = spec_of(16, FlexibleSpec::Frame::mean_axis);
  nodal.stiffening = FlexibleSpec::Stiffening::none;
  FlexibleSpec modal = nodal;
  modal.modes = ModesSpec{"craig-bampton", 0, {}, {0, 2}};
  EXPECT_LT((pendulum_tip(nodal) - pendulum_tip(modal)).norm(), 1e-9);
}

// ---- F8: Chin's rod with more and more modes.
TEST(FlexibleSliderCrank, MoreModesComeNearTheNodalForm) {
  const std::pair<const char*, double> known[] = {{"6", 0.3103697}, {"9", 0.3103824}, {"12", 0.3103765}};
  for (const auto& [modes, deflection] : known) {
    const AssembledModel model = assembled(flexible_problem(
        "flexible-slider-crank", {{"elements", "8"}, {"phi_rate", "180"}, {"modes", modes}}));
    const Results results = simulate(model.system(), model.start(), finest(0.005));
    ASSERT_TRUE(results.good()) << results.message;
    const auto names = model.system().quantity_names();
    const auto at = std::find(names.begin(), names.end(), "deflection") - names.begin();
    EXPECT_NEAR(results.final_quantities[at], deflection, 1e-6) << modes;
  }
}

// ---- F14: spin-up as a cable, by steps that leave the figure to the mesh; how far it is stretched in the end.
TEST(SpinUp, AsACable_full) {
  const AssembledModel model = assembled(flexible_problem("spinup-beam", {{"beam", "cable"}}));
  RunSetup setup = fixed(20, "generalized-alpha", 2e-4);
  setup.formulation = "index3";
  setup.record = true;
  setup.output_step = 4e-4;
  const Results results = simulate(model.system(), model.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  const Table& table = results.trajectory.quantities;
  double most = 0, sum = 0;
  int count = 0;
  for (size_t k = 0; k < table.rows(); ++k) {
    const double psi = table.at(k, 0), x = table.at(k, 1), y = table.at(k, 2);
    if (results.trajectory.t[k] < 8) most = std::max(most, std::abs(std::cos(psi) * y - std::sin(psi) * x));
    if (results.trajectory.t[k] < 16) continue;
    sum += std::hypot(x, y) - 10;
    ++count;
  }
  RecordProperty("deflection", std::to_string(most));
  std::printf("largest deflection %.7f, extension %.5e\n", most, sum / count);
  EXPECT_NEAR(most, 0.573781, 2e-6);
  EXPECT_NEAR(sum / count, 5.14e-4, 0.01 * 5.14e-4);
}

// ---- F18: discrete gradients of nodal elements and cables as parts of models, and their tangents as schemes take them.
TEST(DiscreteGradients, CloseWithoutResultantOrMoment) {
  for (const bool spatial : {false, true})
    for (const char* kind : {"truss", "axial-spring", "bending", "cable"}) {
      Model model;
      model.name = kind;
      model.space = spatial ? Space::spatial : Space::planar;
      const std::string type = kind;
      const auto at = [](int i) { return point("m" + std::to_string(i), "P"); };
      for (int i = 0; i < 3 && type != "cable"; ++i) {
        Body body;
        body.name = "m" + std::to_string(i);
        body.mass = 1;
        body.point = true;
        body.points = {{"P", Vec3::Zero()}};
        body.position = Vec3(0.7 * i, i == 1 ? 0.2 : 0, 0);
        model.bodies.push_back(body);
      }
      if (type == "cable") {
        FlexibleSpec spec = straight_mesh(1, 2, given_section(50, 1, 0.3));
        spec.type = FlexibleSpec::Type::cable;
        model.bodies = {flexible_body("cable", spec)};
      } else if (type == "bending") {
        model.forces = {element(
            "e", "bending", {{"a", at(0)}, {"b", at(2)}, {"center", at(1)}, {"stiffness", FieldValue(2.0)}})};
      } else {
        model.forces = {element(
            "e", type,
            {{"a", at(0)}, {"b", at(1)}, {"stiffness", FieldValue(30.0)}, {"free_length", FieldValue(0.6)}})};
      }
      const CompiledModel compiled = compile(model, "reference-point", kind);
      const auto* elements = dynamic_cast<const ElementPotential*>(compiled.system.get());
      ASSERT_NE(elements, nullptr) << kind;
      const State a = bent_state(*compiled.system, compiled.guess, 1, 0.1),
                  b = bent_state(*compiled.system, compiled.guess, 2, 0.1);
      const int n = compiled.system->layout().nv, D = spatial ? 3 : 2;
      Terms terms = compiled.system->make_terms();
      const auto energy = [&](const Vec& q) {
        compiled.system->position(0, q, terms);
        return *compiled.system->potential_energy(0, q, terms);
      };
      Vec P(n), same(n);
      elements->discrete_gradient(a.q, b.q, P);
      const double Va = energy(a.q), Vb = energy(b.q);
      EXPECT_NEAR(P.dot(b.q - a.q), Vb - Va, 1e-13 * (Va + Vb)) << kind << spatial;
      elements->discrete_gradient(a.q, a.q, same);
      compiled.system->position(0, a.q, terms);
      compiled.system->force(0, a.q, Vec::Zero(n), terms);
      EXPECT_LT((same + terms.f).cwiseAbs().maxCoeff(), 1e-12 * same.cwiseAbs().maxCoeff()) << kind;
      const Vec qm = (a.q + b.q) / 2;
      Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
      const int stride = type == "cable" ? 2 : 1;  // slopes turn, and do not move
      for (int k = 0; k < n; k += D) {
        Vec3 p = Vec3::Zero(), r = Vec3::Zero();
        p.head(D) = P.segment(k, D);
        r.head(D) = qm.segment(k, D);
        if ((k / D) % stride == 0) sum += p;
        moment += r.cross(p);
      }
      EXPECT_LT(sum.norm(), 1e-13 * P.cwiseAbs().sum()) << kind << spatial;
      EXPECT_LT(moment.norm(), 1e-13 * P.cwiseAbs().sum()) << kind << spatial;

      // What schemes take for its tangent by q1, against differences of fourth order.
      DiscreteGradient scheme(*compiled.system, false);
      ASSERT_TRUE(scheme.begin(0, a.q));
      const Vec none = Vec::Zero(compiled.system->layout().m);
      Vec added = Vec::Zero(n), at_middle(n);
      compiled.system->position(0, qm, terms);
      scheme.add(b.q, qm, terms, none, added);
      elements->discrete_gradient(qm, qm, at_middle);
      EXPECT_LT(max_abs(added - (P - at_middle)), 1e-12 * max_abs(P)) << kind;
      const Mat tangent = scheme.tangent(1, b.q, none);
      const auto more = [&](const Vec& q1) {
        Vec one(n), middle(n);
        elements->discrete_gradient(a.q, q1, one);
        elements->discrete_gradient((a.q + q1) / 2, (a.q + q1) / 2, middle);
        return Vec(one - middle);
      };
      Mat known(n, n);
      for (int k = 0; k < n; ++k) {
        const Vec h = 1e-3 * Vec::Unit(n, k);
        known.col(k) =
            (8 * (more(b.q + h) - more(b.q - h)) - (more(b.q + 2 * h) - more(b.q - 2 * h))) / 12e-3;
      }
      // By the size of the whole tangent, that of the force at the middle included.
      Mat whole = known;
      for (int k = 0; k < n; ++k) {
        const Vec h = 1e-4 * Vec::Unit(n, k);
        Vec ahead(n), back(n);
        elements->discrete_gradient(qm + h, qm + h, ahead);
        elements->discrete_gradient(qm - h, qm - h, back);
        whole.col(k) += (ahead - back) / 4e-4;
      }
      EXPECT_LT((tangent - known).cwiseAbs().maxCoeff(), 1e-7 * whole.cwiseAbs().maxCoeff())
          << kind << spatial;
    }
}

// 500 steps far beyond what waves along the cable need; free, then pinned.
TEST(ConservingSchemes, KeepEverythingOfACableOverLargeSteps) {
  for (const bool spatial : {false, true})
    for (const bool pinned : {false, true}) {
      Model model;
      model.name = "cable";
      model.space = spatial ? Space::spatial : Space::planar;
      model.gravity = pinned ? Vec3(0, -9.81, 0) : Vec3(Vec3::Zero());
      FlexibleSpec spec = straight_mesh(1, 6, given_section(1000, 0.05, 1));
      spec.type = FlexibleSpec::Type::cable;
      Body body = flexible_body("cable", spec);
      body.velocity = {0.3, 0.2, spatial ? 0.1 : 0};
      if (spatial)
        body.spin = {0, 1, 3};
      else
        body.angular_velocity = 3;
      if (pinned) body.velocity = Vec3::Zero();
      model.bodies = {body};
      model.ground_points = {{"O", Vec3::Zero()}};
      if (pinned)
        model.joints = {element("pin", spatial ? "spherical" : "revolute",
                                {{"a", point("ground", "O")}, {"b", point("cable", "A")}})};
      const AssembledModel cable = assembled(model);
      RunSetup setup = fixed(1.0, "gssss", 2e-3);
      setup.formulation = "index3";
      setup.options = {{"family", "V0"},
                       {"rho", "1,1,0"},
                       {"constraint", "2"},
                       {"forces", "conserving"},
                       {"newton_tol", "1e-14"}};
      const Results results = simulate(cable.system(), cable.start(), setup);
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT(std::abs(results.energy->final - results.energy->initial), 1e-11) << spatial << pinned;
      if (pinned) continue;
      const int D = spatial ? 3 : 2;
      const auto momenta = [&](const State& state) {
        Terms terms = cable.system().make_terms();
        cable.system().position(0, state.q, terms);
        cable.system().mass(0, state.q, terms);
        const Vec p = terms.M * state.v;
        Eigen::Matrix<double, 6, 1> out = Eigen::Matrix<double, 6, 1>::Zero();
        for (int k = 0; k < p.size(); k += D) {
          Vec3 own = Vec3::Zero(), r = Vec3::Zero();
          own.head(D) = p.segment(k, D);
          r.head(D) = state.q.segment(k, D);
          if ((k / D) % 2 == 0) out.head<3>() += own;
          out.tail<3>() += r.cross(own);
        }
        return out;
      };
      EXPECT_LT((momenta(results.final) - momenta(cable.start())).norm(), 1e-11) << spatial;
    }
}

// ---- F22: nonzeros of the factors of the KKT matrix, frames and rows among the elastic coordinates, per node.
TEST(FlexibleCost, FillPerElementStays) {
  for (const bool spatial : {false, true})
    for (const bool cable : {false, true}) {
      double first = 0;
      for (const int n : {50, 200, 1000, 2000}) {
        FlexibleSpec spec = straight_mesh(1, n, sample_section());
        if (cable) spec.type = FlexibleSpec::Type::cable;
        Model model;
        model.name = "beam";
        model.space = spatial ? Space::spatial : Space::planar;
        model.bodies = {flexible_body("beam", spec)};
        model.joints = {element("pin", spatial ? "spherical" : "revolute",
                                {{"a", PointRef{"ground", "", Vec3::Zero()}}, {"b", point("beam", "A")}})};
        const CompiledModel compiled = compile(model, "reference-point", "fill");
        const Layout& layout = compiled.system->layout();
        std::vector<Eigen::Triplet<double>> entries;
        for (int r = 0; r < layout.M.rows(); ++r)
          for (SparseRows::InnerIterator e(layout.M, r); e; ++e) entries.emplace_back(r, int(e.col()), 1);
        for (int r = 0; r < layout.m; ++r) {
          entries.emplace_back(layout.nv + r, layout.nv + r, 1);
          for (SparseRows::InnerIterator e(layout.J, r); e; ++e) {
            entries.emplace_back(layout.nv + r, int(e.col()), 1);
            entries.emplace_back(int(e.col()), layout.nv + r, 1);
          }
        }
        Eigen::SparseMatrix<double> K(layout.nv + layout.m, layout.nv + layout.m);
        K.setFromTriplets(entries.begin(), entries.end());
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factors;
        factors.analyzePattern(K);
        factors.factorize(K);  // any values: nonzeros are those of the pattern
        const double fill = double(factors.matrixL().nestedExpression().nonZeros()) / (n + 1);  // a node
        if (first == 0) first = fill;
        EXPECT_NEAR(fill / first, 1, 0.05) << spatial << cable << n;
        std::printf("%s %s, %d elements: %.1f nonzeros of L a node\n", spatial ? "space" : "plane",
                    cable ? "cable" : "floating frame", n, fill);
      }
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
