// Elements and meshes of flexible bodies by themselves: integrals against Gauss quadrature, frequencies, modes, elastic forces.
// Figures: closed forms, beam_frequencies.json of the references.
#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Dense>

#include "driftless/flexible/floating_body.hpp"
#include "driftless/flexible/modes.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kGauss[] = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                             0.9305681557970263};
constexpr double kWeight[] = {0.17392742256872692, 0.3260725774312731, 0.3260725774312731,
                              0.17392742256872692};

// ---- F1
template <class A, class B>
void expect_near(const A& found, const B& known, const char* what) {
  EXPECT_LT((found - known).cwiseAbs().maxCoeff(), 1e-14 * known.cwiseAbs().maxCoeff()) << what;
}

TEST(FlexibleElement, TablesAreIntegralsToTheLastDigits) {
  namespace b = beam;
  for (const double l : {0.02, 0.7, 30.0}) {
    b::Mat4 HH = b::Mat4::Zero(), dd = HH, bending = HH;
    b::Mat24 NH = b::Mat24::Zero(), NdH = NH;
    b::Mat2 NN = b::Mat2::Zero(), dNdN = NN;
    b::Vec4 H = b::Vec4::Zero(), xH = H, dH = H;
    Vec2 N = Vec2::Zero(), xN = N;
    const Vec2 slope(-1 / l, 1 / l);
    for (int k = 0; k < 4; ++k) {
      const double x = kGauss[k], w = l * kWeight[k];
      const b::Vec4 h = b::H(x, l), d = b::dH(x, l), c = b::ddH(x, l);
      const Vec2 n = b::N(x);
      HH += w * h * h.transpose();
      dd += w * d * d.transpose();
      bending += w * c * c.transpose();
      NH += w * n * h.transpose();
      NdH += w * n * d.transpose();
      NN += w * n * n.transpose();
      dNdN += w * slope * slope.transpose();
      N += w * n;
      xN += w * x * l * n;
      H += w * h;
      xH += w * x * l * h;
      dH += w * d;
    }
    expect_near(b::int_N(l), N, "N");
    expect_near(b::int_xN(l), xN, "xN");
    expect_near(b::int_H(l), H, "H");
    expect_near(b::int_dH(l), dH, "dH");
    expect_near(b::int_xH(l), xH, "xH");
    expect_near(b::int_NN(l), NN, "NN");
    expect_near(b::int_dNdN(l), dNdN, "dNdN");
    expect_near(b::int_NH(l), NH, "NH");
    expect_near(b::int_NdH(l), NdH, "NdH");
    expect_near(b::int_HH(l), HH, "HH");
    expect_near(b::int_dHdH(l), dd, "dHdH");
    expect_near(b::int_ddHddH(l), bending, "ddHddH");
  }
}

// Sums over four points along the element and four over its section, whose second moments they have.
template <int D>
void expect_invariants(bool rotary) {
  constexpr int E = BeamElement<D>::E;
  BeamElement<D> element;
  element.l = 0.7;
  element.p = properties_of(sample_section(), {});
  const auto found = element.inertia(rotary);
  double m = 0;
  Eigen::Matrix<double, D, 1> s0 = Eigen::Matrix<double, D, 1>::Zero();
  Eigen::Matrix<double, D, D> P0 = Eigen::Matrix<double, D, D>::Zero();
  Eigen::Matrix<double, D, E> S = Eigen::Matrix<double, D, E>::Zero();
  using Row = Eigen::Matrix<double, 1, E>;
  using Square = Eigen::Matrix<double, E, E>;
  std::array<std::array<Row, D>, D> P1;
  std::array<std::array<Square, D>, D> P2;
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      P1[a][b].setZero();
      P2[a][b].setZero();
    }
  const bool thick = D == 3 || rotary;
  const double y = thick ? std::sqrt(element.p.rhoIz / element.p.rhoA) : 0,
               z = D == 3 ? std::sqrt(element.p.rhoIy / element.p.rhoA) : 0;
  for (int g = 0; g < 4; ++g)
    for (const int i : {-1, 1})
      for (const int k : {-1, 1}) {
        const double dm = element.p.rhoA * element.l * kWeight[g] / 4;
        Eigen::Matrix<double, D, 1> u0 = Eigen::Matrix<double, D, 1>::Zero();
        u0[0] = element.l * kGauss[g];
        u0[1] = i * y;
        if constexpr (D == 3) u0[2] = k * z;
        Eigen::Matrix<double, D, E> shape = element.translation(kGauss[g]);
        const auto turn = element.rotation(kGauss[g]);
        if constexpr (D == 2) {
          if (rotary) shape.row(0) -= i * y * turn.row(0);
        } else {
          if (rotary) shape.row(0) += k * z * turn.row(1) - i * y * turn.row(2);
          shape.row(1) -= k * z * turn.row(0);
          shape.row(2) += i * y * turn.row(0);
        }
        m += dm;
        s0 += dm * u0;
        P0 += dm * u0 * u0.transpose();
        S += dm * shape;
        for (size_t a = 0; a < D; ++a)
          for (size_t b = 0; b < D; ++b) {
            P1[a][b] += dm * u0[Eigen::Index(a)] * shape.row(Eigen::Index(b));
            P2[a][b] += dm * shape.row(Eigen::Index(a)).transpose() * shape.row(Eigen::Index(b));
          }
      }
  const double size = element.p.rhoA * element.l;  // the largest of what is summed, of a length of about one
  EXPECT_NEAR(found.m, m, 1e-14 * size);
  EXPECT_LT((found.s0 - s0).norm(), 1e-14 * size);
  EXPECT_LT((found.P0 - P0).norm(), 1e-14 * size);
  EXPECT_LT((found.S - S).cwiseAbs().maxCoeff(), 1e-14 * size);
  for (size_t a = 0; a < D; ++a)
    for (size_t b = 0; b < D; ++b) {
      EXPECT_LT((found.P1[a][b] - P1[a][b]).cwiseAbs().maxCoeff(), 1e-14 * size) << a << b;
      EXPECT_LT((found.P2[a][b] - P2[a][b]).cwiseAbs().maxCoeff(), 1e-14 * size) << a << b;
    }
}

TEST(FlexibleElement, InvariantsAreSumsOverPoints) {
  for (const bool rotary : {false, true}) {
    expect_invariants<2>(rotary);
    expect_invariants<3>(rotary);
  }
}

TEST(FlexibleElement, StraightBeamInSpaceIsTheRigidBar) {
  const FloatingBody<3> body(straight_mesh(1.3, 3, sample_section()));
  const auto& in = body.invariants();
  const double m = 0.7 * 1.3;
  EXPECT_NEAR(in.m, m, 1e-14);
  EXPECT_LT((in.s0 / in.m - Vec3(0.65, 0, 0)).norm(), 1e-14);
  const Eigen::Matrix3d P = in.P0 - in.s0 * in.s0.transpose() / in.m;
  const Eigen::Matrix3d inertia = P.trace() * Eigen::Matrix3d::Identity() - P;
  const Vec3 bar(1.3 * (0.004 + 0.006), m * 1.3 * 1.3 / 12 + 1.3 * 0.004, m * 1.3 * 1.3 / 12 + 1.3 * 0.006);
  EXPECT_LT((inertia - Eigen::Matrix3d(bar.asDiagonal())).cwiseAbs().maxCoeff(), 1e-14);
}

// ---- F6
// Of the coordinates whose names end in one of these; straight beams do not couple the others.
template <int D>
Vec frequencies(const FlexibleSpec& spec, const std::vector<std::string>& endings) {
  const FloatingBody<D> body(spec);
  std::vector<int> own;
  for (int k = 0; k < body.size(); ++k)
    for (const std::string& ending : endings)
      if (body.names()[size_t(k)].ends_with(ending)) own.push_back(k);
  const Mat K = Mat(body.stiffness())(own, own), M = Mat(body.elastic_mass())(own, own);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Mat>(K, M).eigenvalues().cwiseMax(0).cwiseSqrt();
}
const std::vector<std::string> kLateral = {".v", ".rz"}, kBothLateral = {".v", ".rz", ".w", ".ry"};

TEST(BeamFrequencies, AreThoseOfTheReferencesInThePlane) {
  struct Known {
    FlexibleSpec::Frame frame;
    int elements;
    std::vector<double> values;
  };
  using Frame = FlexibleSpec::Frame;
  // Solved again with 30 digits: those of beam_frequencies.json are good to 1.4e-7 (pinned-pinned, 8 elements).
  const Known all[] = {{Frame::clamped_free, 1, {3.532731543, 34.80689311}},
                       {Frame::clamped_free, 2, {3.517715041627, 22.22147447408, 75.15708305882}},
                       {Frame::clamped_free, 4, {3.516130270593, 22.06016630793, 62.17489252587}},
                       {Frame::clamped_free, 8, {3.516022592397, 22.03625341833, 61.73474119194}},
                       {Frame::simply_supported, 2, {9.908558712278, 43.81780460041, 110.1396547169}},
                       {Frame::simply_supported, 4, {9.872167164754, 39.63423484911, 90.4495228678}},
                       {Frame::simply_supported, 8, {9.869766682085, 39.48866865902, 88.94072161105}},
                       {Frame::mean_axis, 2, {22.42324573144, 70.1775342794}},
                       {Frame::mean_axis, 4, {22.39761136647, 62.05684199352}},
                       {Frame::mean_axis, 8, {22.37508986343, 61.70881299579}}};
  for (const Known& known : all) {
    FlexibleSpec spec = straight_mesh(1, known.elements, given_section(1e4, 1, 1));
    spec.frame = known.frame;
    const Vec found = frequencies<2>(spec, kLateral);
    for (size_t k = 0; k < known.values.size(); ++k)
      EXPECT_NEAR(found[Eigen::Index(k)], known.values[k], 1e-8 * known.values[k])
          << frame_word(known.frame) << " " << known.elements << " " << k;
  }
}

TEST(BeamFrequencies, BendingConvergesWithFourthOrderAxialAndTorsionWithSecond) {
  const double exact = 3.5160152685001513;
  double before[3] = {0, 0, 0};
  for (const int n : {4, 8, 16}) {
    const Vec bent = frequencies<2>(straight_mesh(1, n, given_section(1e4, 1, 1)), kLateral);
    BeamSection section = given_section(1, 1, 1);
    section.GJ = 0.02;
    section.rhoIy = section.rhoIz = 0.01;
    const FlexibleSpec mesh = straight_mesh(1, n, section);
    const double other[] = {frequencies<3>(mesh, {".rx"})[0], frequencies<3>(mesh, {".u"})[0]};
    const double x = M_PI / (2 * n), closed = std::sqrt(6.0 * n * n * (1 - std::cos(x)) / (2 + std::cos(x)));
    EXPECT_NEAR(other[0], closed, 1e-12);  // torsion: √(GJ/ρI_p) = 1; axial: √(EA/ρA) = 1
    EXPECT_NEAR(other[1], closed, 1e-12);
    const double errors[] = {bent[0] - exact, other[0] - M_PI / 2, other[1] - M_PI / 2};
    for (int k = 0; k < 3; ++k) {
      if (before[k] != 0) {
        EXPECT_NEAR(order(before[k], errors[k]), k == 0 ? 4 : 2, 0.1) << n << " " << k;
      }
      before[k] = errors[k];
    }
  }
}

TEST(BeamFrequencies, InSpaceAreThoseOfBothPlanes) {
  for (const auto frame : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported}) {
    BeamSection section = given_section(1e6, 1, 1);
    section.EIz = 9;
    section.GJ = 1e4;
    section.rhoIy = section.rhoIz = 1e-3;
    FlexibleSpec spec = straight_mesh(1, 4, section);
    spec.frame = frame;
    const Vec found = frequencies<3>(spec, kBothLateral);  // without rotary inertia: of bending alone
    const Vec plane = frequencies<2>(
        [&] {
          FlexibleSpec flat = straight_mesh(1, 4, given_section(1e4, 1, 1));
          flat.frame = frame;
          return flat;
        }(),
        kLateral);
    std::vector<double> both;
    for (int k = 0; k < 3; ++k)
      for (const double factor : {1.0, 3.0}) both.push_back(factor * plane[k]);
    std::sort(both.begin(), both.end());
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(found[k], both[size_t(k)], 1e-9 * both[size_t(k)]) << frame_word(frame) << k;
  }
}

// ---- F8: rigid modes, the mean axis, in the plane and in space, of straight and branched meshes.
template <int D>
void expect_mean_axis(const FlexibleSpec& mesh) {
  constexpr int k = BeamElement<D>::kNode, rigid = D == 2 ? 3 : 6;
  const auto elements = beam_elements<D>(mesh);
  std::vector<Eigen::Matrix<double, D, 1>> nodes;
  for (const Vec3& node : mesh.nodes) nodes.push_back(node.template head<D>());
  const auto in = mesh_invariants<D>(elements, nodes, mesh.masses, mesh.rotary_inertia);
  const int n = in.size();
  Mat K = Mat::Zero(n, n);
  for (const auto& element : elements) {
    const auto columns = nodal_columns(element);
    const auto B = element.turn();
    const Mat own = B.transpose() * element.stiffness(true) * B;
    for (int i = 0; i < BeamElement<D>::E; ++i)
      for (int j = 0; j < BeamElement<D>::E; ++j) K(columns[size_t(i)], columns[size_t(j)]) += own(i, j);
  }
  const Mat M(in.elastic_mass());
  std::vector<int> boundary;
  for (int i = 0; i < k; ++i) boundary.push_back(i);
  for (int i = 0; i < k; ++i) boundary.push_back(n - k + i);
  const Modes all = craig_bampton(K, M, boundary, 4, 0);
  for (int i = 0; i < rigid; ++i)
    EXPECT_LT(std::pow(all.frequencies[i] / all.frequencies[rigid], 2), 1e-9) << i;
  const Modes modes = craig_bampton(K, M, boundary, 4, rigid);
  const Mat S = in.S * modes.shapes;
  EXPECT_LT(S.cwiseAbs().maxCoeff(), 1e-10 * std::sqrt(in.m));
  const double moment = std::sqrt(in.P0.trace());
  for (size_t a = 0; a < D; ++a)
    for (size_t b = a + 1; b < D; ++b) {
      const Vec turned = modes.shapes.transpose() * (in.P1[a][b] - in.P1[b][a]);
      EXPECT_LT(turned.cwiseAbs().maxCoeff(), 1e-10 * moment) << a << b;
    }
}

TEST(CraigBampton, RigidModesAreRigidAndOthersKeepTheMeanAxis) {
  for (const bool rotary : {false, true})
    for (const bool branched : {false, true}) {
      FlexibleSpec plane = sample_mesh(false, branched), space = sample_mesh(true, branched);
      plane.rotary_inertia = space.rotary_inertia = rotary;
      expect_mean_axis<2>(plane);
      expect_mean_axis<3>(space);
    }
}

// ---- F4: elastic forces of floating frames are the gradient of their energy, by differences of eighth order (exact for these
// polynomials); damping takes power out.
template <int D>
void expect_gradient(const FlexibleSpec& spec) {
  const FloatingBody<D> body(spec);
  const int n = body.size();
  auto work = body.make_work();
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  Vec eta(n), rates(n), d(n), f = Vec::Zero(n);
  for (Vec* x : {&eta, &rates, &d})
    for (auto& entry : *x) entry = 0.2 * normal(random);
  const auto none = FloatingBody<D>::Spin::Zero().eval();
  body.add_elastic_forces(eta, Vec::Zero(n), none, work, f);
  const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 0.1;
  double rise = 0, size = 0;
  for (int k = 1; k <= 4; ++k)
    for (const int sign : {1, -1}) {
      const double V = body.elastic_energy(eta + sign * k * h * d, work);
      rise += sign * w[k - 1] / h * V;
      size = std::max(size, V);
    }
  EXPECT_NEAR(f.dot(d), -rise, 1e-12 * size / h);
  Vec damped = Vec::Zero(n);
  body.add_elastic_forces(eta, rates, none, work, damped);
  EXPECT_NEAR((damped - f).dot(rates), body.damping_power(rates, work), 1e-12 * size);
  EXPECT_LT(body.damping_power(rates, work), 0);
}

TEST(FlexibleForces, AreTheGradientOfTheElasticEnergy) {
  for (const bool spatial : {false, true})
    for (const bool branched : {false, true})
      for (const auto stiffening : {FlexibleSpec::Stiffening::none, FlexibleSpec::Stiffening::geometric}) {
        FlexibleSpec spec = sample_mesh(spatial, branched);
        spec.stiffening = stiffening;
        spec.alpha = 0.3;
        spec.beta = 0.02;
        spatial ? expect_gradient<3>(spec) : expect_gradient<2>(spec);
      }
  FlexibleSpec modal = sample_mesh(false, false);
  modal.stiffening = FlexibleSpec::Stiffening::none;
  modal.modes = ModesSpec{.count = 3};
  modal.modal_damping = {0.01, 0.02, 0.03};
  expect_gradient<2>(modal);
}

// Of nodal elements, cables and gravity as parts of models: f = −∂V/∂q along any direction, and damping takes power out.
TEST(FlexibleForces, OfModelsAreTheGradientOfTheirEnergy) {
  std::vector<Model> models;
  for (const bool spatial : {false, true}) {
    for (Model model : flexible_forces(spatial))
      if (const std::string& type = model.forces[0].type;
          type == "tsda" || type == "truss" || type == "bending") {
        model.forces[0].fields.erase("damping");
        models.push_back(model);
      }
    for (const char* strain : {"green", "stretch"}) {
      FlexibleSpec spec = straight_mesh(1, 2, sample_section());
      spec.type = FlexibleSpec::Type::cable;
      spec.strain = strain;
      models.push_back(one_flexible(spec, spatial));
      models.back().name = std::string("cable ") + strain;
    }
  }
  for (const Model& model : models) {
    const CompiledModel compiled = compile(model, "reference-point", model.name);
    const DescriptorSystem& system = *compiled.system;
    const Layout& layout = system.layout();
    State state = bent_state(system, compiled.guess, 2, 0.1);
    state.v.setZero();
    Terms terms = system.make_terms();
    std::mt19937 random(6);
    std::normal_distribution<double> normal;
    Vec d(layout.nv);
    for (auto& x : d) x = normal(random);
    system.position(0, state.q, terms);
    system.force(0, state.q, state.v, terms);
    const double work = terms.f.dot(d);
    double best = 1e300;
    for (const double h :
         {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4}) {  // cables and bending springs are no polynomials
      const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
      double rise = 0, size = 0;
      for (int k = 1; k <= 4; ++k)
        for (const int sign : {1, -1}) {
          Vec q = state.q;
          system.retract(q, sign * k * h * d);
          system.position(0, q, terms);
          const double V = *system.potential_energy(0, q, terms);
          rise += sign * w[k - 1] / h * V;
          size = std::max(size, std::abs(V));
        }
      best = std::min(best, std::abs(work + rise) / std::max(size / h, std::abs(work)));
    }
    EXPECT_LT(best, 1e-12) << model.name;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
