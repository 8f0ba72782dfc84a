// Elements of flexible bodies by themselves: tables, invariants, frequencies, modes, cables in static equilibrium.
// Figures: closed forms, and meshes solved elsewhere in extended precision.
#include <cmath>
#include <random>

#include <Eigen/Dense>

#include "driftless/flexible/cable_body.hpp"
#include "driftless/flexible/floating_body.hpp"

#include "support/flexible_models.hpp"
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Gauss points of (0, 1), exact to degree 7.
constexpr double kGauss[] = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                             0.9305681557970263};
constexpr double kWeight[] = {0.17392742256872692, 0.3260725774312731, 0.3260725774312731,
                              0.17392742256872692};

// F1
TEST(BeamTables, AreTheIntegralsOfTheShapeFunctions) {
  const double l = 0.7;
  beam::Mat4 HH = beam::Mat4::Zero(), dd = HH, bending = HH;
  beam::Mat24 NH = beam::Mat24::Zero(), NdH = NH;
  beam::Vec4 H = beam::Vec4::Zero(), xH = H, dH = H;
  for (int k = 0; k < 4; ++k) {
    const double x = kGauss[k], w = l * kWeight[k];
    const beam::Vec4 h = beam::H(x, l), d = beam::dH(x, l), c = beam::ddH(x, l);
    HH += w * h * h.transpose();
    dd += w * d * d.transpose();
    bending += w * c * c.transpose();
    NH += w * beam::N(x) * h.transpose();
    NdH += w * beam::N(x) * d.transpose();
    H += w * h;
    xH += w * x * l * h;
    dH += w * d;
  }
  EXPECT_LT((HH - beam::int_HH(l)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((dd - beam::int_dHdH(l)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((bending - beam::int_ddHddH(l)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((NH - beam::int_NH(l)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((NdH - beam::int_NdH(l)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((H - beam::int_H(l)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((xH - beam::int_xH(l)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((dH - beam::int_dH(l)).cwiseAbs().maxCoeff(), 1e-15);
}

Vec frequencies(const FlexibleSpec& spec, int count) {
  const FloatingBody<2> body(spec);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solved{Mat(body.stiffness()), Mat(body.elastic_mass())};
  Vec out(count);
  for (int k = 0; k < count; ++k) out[k] = std::sqrt(solved.eigenvalues()[k]);
  return out;
}

// F6
TEST(BeamFrequencies, AreThoseOfTheElementAndConverge) {
  const double known[] = {3.532731543, 3.517715027, 3.516130274, 3.516022599};  // 1, 2, 4, 8 elements
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(frequencies(straight_mesh(1, 1 << k, given_section(1e4, 1, 1)), 1)[0], known[k], 2e-8);
  FlexibleSpec pinned = straight_mesh(1, 4, given_section(1e6, 1, 1));
  pinned.frame = FlexibleSpec::Frame::simply_supported;
  const Vec found = frequencies(pinned, 3);
  EXPECT_NEAR(found[0], 9.872167164754, 2e-8);
  EXPECT_NEAR(found[1], 39.63423488, 2e-7);
  EXPECT_NEAR(found[2], 90.44952286, 2e-7);
  FlexibleSpec thick = straight_mesh(1, 64, given_section(1e8, 1, 1));
  thick.sections[0].rhoIz = 5e-4;
  thick.rotary_inertia = true;
  EXPECT_NEAR(frequencies(thick, 1)[0], 3.51193629250255, 1e-6);
}

// F8: planar, 16 elements, both ends the boundary.
TEST(CraigBampton, ModesKeepTheMeanAxisAndComeNearTheFrequencies) {
  const FlexibleSpec mesh = straight_mesh(1, 16, given_section(1e4, 1, 1));
  const double errors[3][2] = {{3.6e-3, 4.4e-3}, {4e-4, 9e-4}, {2.4e-5, 2.5e-4}};
  FlexibleSpec all = mesh;
  all.frame = FlexibleSpec::Frame::mean_axis;
  all.stiffening = FlexibleSpec::Stiffening::none;
  all.modes = ModesSpec{};
  const Vec exact = frequencies(all, 2);
  int row = 0;
  for (const int interior : {2, 4, 8}) {
    FlexibleSpec spec = all;
    spec.modes = ModesSpec{"craig-bampton", interior, {}, {0, 16}};
    const FloatingBody<2> body(spec);
    const auto& in = body.invariants();
    EXPECT_LT(in.S.cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LT((in.P1[0][1] - in.P1[1][0]).cwiseAbs().maxCoeff(), 1e-10);
    const Vec found = frequencies(spec, 2);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR((found[k] - exact[k]) / exact[k], errors[row][k], 0.1 * errors[row][k]) << interior;
    ++row;
  }
}

// F13: a cantilever that turns at a speed Ω in the plane; flap frequencies from those in the plane, flap² = lag² + Ω².
TEST(RotatingBeam, StiffensWithTheSquareOfTheSpeed) {
  const double speed = 6, exact = 7.36037301931;
  double before = 0;
  for (const int n : {4, 8, 16}) {
    const FlexibleSpec spec = straight_mesh(1, n, given_section(1e8, 1, 1));
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
    std::vector<int> axial, lateral;  // which the straight beam does not couple
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
    const Eigen::EigenSolver<Mat> solved(M.inverse() * slope(eta, lateral));
    double lag2 = 1e300;
    for (int k = 0; k < int(lateral.size()); ++k) lag2 = std::min(lag2, solved.eigenvalues()[k].real());
    const double error = std::sqrt(lag2 + speed * speed) / exact - 1;
    const double expected = n == 4 ? 3.2e-3 : n == 8 ? 8.3e-4 : 2.1e-4;
    EXPECT_NEAR(error, expected, 0.2 * expected) << n;
    if (before != 0) {
      EXPECT_NEAR(order(before, error), 2, 0.1) << n;
    }
    before = error;
  }
}

// A clamped cable under a dead tip force and moment, by Newton's method; r(0) = 0, r'_y(0) = 0.
Vec bent_cable(const FlexibleSpec& spec, double force, double moment) {
  const CableBody<2> cable(spec);
  const int size = cable.size();
  Vec q(size);
  for (int n = 0; n < cable.nodes(); ++n) q.segment<4>(4 * n) << spec.nodes[size_t(n)].x(), 0, 1, 0;
  std::vector<int> free;
  for (int k = 0; k < size; ++k)
    if (k != 0 && k != 1 && k != 3) free.push_back(k);
  const int steps = moment != 0 ? 24 : 10;
  for (int step = 1; step <= steps; ++step)
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double f = force * step / steps, m = moment * step / steps;
      Vec r = Vec::Zero(size);
      cable.add_forces(q, r);
      r[size - 3] += f;
      Mat K = cable.hessian(q);
      const double dx = q[size - 2], dy = q[size - 1], a = dx * dx + dy * dy;
      r[size - 2] -= m * dy / a;
      r[size - 1] += m * dx / a;
      K(size - 2, size - 2) -= m * 2 * dx * dy / (a * a);
      K(size - 2, size - 1) += m * (dx * dx - dy * dy) / (a * a);
      K(size - 1, size - 2) += m * (dx * dx - dy * dy) / (a * a);
      K(size - 1, size - 1) += m * 2 * dx * dy / (a * a);
      const Vec d = Mat(K(free, free)).fullPivLu().solve(Vec(r(free)));
      const double damp = std::min(1.0, 0.3 / d.cwiseAbs().maxCoeff());
      for (size_t k = 0; k < free.size(); ++k) q[free[k]] += damp * d[Eigen::Index(k)];
      if (d.cwiseAbs().maxCoeff() < 1e-13) break;
    }
  return q;
}

FlexibleSpec cable_mesh(int n, double EA, const char* curvature, const char* integration) {
  FlexibleSpec spec = straight_mesh(1, n, given_section(EA, 1, 1));
  spec.type = FlexibleSpec::Type::cable;
  spec.curvature = curvature;
  spec.integration = integration;
  return spec;
}

// F15: one mesh each, solved elsewhere; α = 3.
TEST(Cable, BendsAsTheSameMeshSolvedElsewhere) {
  struct Known {
    double EA;
    const char *integration, *curvature;
    int n;
    double tip[4];
  };
  const Known known[] = {{1e+04,
                          "full",
                          "material",
                          1,
                          {0.820029150158999, 0.4919905020548654, 0.4962698985356434, 0.8654028564136745}},
                         {1e+04,
                          "full",
                          "material",
                          2,
                          {0.7571290208289546, 0.583664059661142, 0.5559194883758701, 0.8285222334466381}},
                         {1e+04,
                          "full",
                          "material",
                          4,
                          {0.7466342372571789, 0.601879833182177, 0.5526255379198967, 0.8333985527372298}},
                         {1e+04,
                          "full",
                          "material",
                          8,
                          {0.745679113866187, 0.6033876756795521, 0.5520766079081418, 0.8340736947167983}},
                         {1e+04,
                          "full",
                          "geometric",
                          1,
                          {0.8200887998223284, 0.49207300860887787, 0.496211688247686, 0.865572080871309}},
                         {1e+04,
                          "full",
                          "geometric",
                          2,
                          {0.7569562982124535, 0.5840142336017725, 0.5555215525228933, 0.8288177028798032}},
                         {1e+04,
                          "full",
                          "geometric",
                          4,
                          {0.7465295968732479, 0.6021700992133264, 0.5522962752675884, 0.8336184247801605}},
                         {1e+04,
                          "full",
                          "geometric",
                          8,
                          {0.74558651674905, 0.6036660124697946, 0.5517585781076237, 0.8342841923318179}},
                         {1e+04,
                          "lobatto",
                          "material",
                          1,
                          {0.7360131302245699, 0.6040864189278855, 0.5437160123703108, 0.8396203832480513}},
                         {1e+04,
                          "lobatto",
                          "material",
                          2,
                          {0.7446203456056695, 0.604490340133612, 0.5514748481831421, 0.8344964045337314}},
                         {1e+04,
                          "lobatto",
                          "material",
                          4,
                          {0.7455943364223889, 0.6035121900381122, 0.5520315554066434, 0.8341241940026838}},
                         {1e+04,
                          "lobatto",
                          "material",
                          8,
                          {0.7456491168215565, 0.603434540348535, 0.5520633710426567, 0.8341023186406601}},
                         {1e+04,
                          "lobatto",
                          "geometric",
                          1,
                          {0.7654743583534345, 0.5735655781940482, 0.5649267954961795, 0.825459317155016}},
                         {1e+04,
                          "lobatto",
                          "geometric",
                          2,
                          {0.7479634899710664, 0.5998736891785429, 0.5538754813309724, 0.8328950768418435}},
                         {1e+04,
                          "lobatto",
                          "geometric",
                          4,
                          {0.7457487486413947, 0.6033920767612337, 0.5519215613557766, 0.834194873537747}},
                         {1e+04,
                          "lobatto",
                          "geometric",
                          8,
                          {0.7455725564925603, 0.6036862429033564, 0.551758925169773, 0.8343032950899544}},
                         {1e+06,
                          "full",
                          "material",
                          1,
                          {0.8853713664104623, 0.3989371564923039, 0.663435050758903, 0.7493337149504722}},
                         {1e+06,
                          "full",
                          "material",
                          2,
                          {0.7761328902319268, 0.5611302972075976, 0.5590975196765952, 0.8288477681973953}},
                         {1e+06,
                          "full",
                          "material",
                          4,
                          {0.7490540190832042, 0.5970299567464935, 0.5523066857232379, 0.8334968782323133}},
                         {1e+06,
                          "full",
                          "material",
                          8,
                          {0.7462078521019471, 0.6021310739447057, 0.5523061827149469, 0.8336260428983645}},
                         {1e+06,
                          "full",
                          "geometric",
                          1,
                          {0.8853773057586483, 0.39892895582700477, 0.6634508471053048, 0.7493206824322328}},
                         {1e+06,
                          "full",
                          "geometric",
                          2,
                          {0.776156096993877, 0.5611065078129583, 0.5591358373970526, 0.8288218217944976}},
                         {1e+06,
                          "full",
                          "geometric",
                          4,
                          {0.7490521383590807, 0.597034517506153, 0.5523049004837209, 0.8334981084820365}},
                         {1e+06,
                          "full",
                          "geometric",
                          8,
                          {0.7462053690064402, 0.6021363204390234, 0.5523019218565559, 0.8336288700820413}},
                         {1e+06,
                          "lobatto",
                          "material",
                          1,
                          {0.735935907694939, 0.6039219395751215, 0.5436423015482836, 0.8393205252380734}},
                         {1e+06,
                          "lobatto",
                          "material",
                          2,
                          {0.7445473525030211, 0.6043174461744696, 0.5514226667513035, 0.834229063928026}},
                         {1e+06,
                          "lobatto",
                          "material",
                          4,
                          {0.7455222773885541, 0.6033382082056802, 0.5519816896524516, 0.833859241887881}},
                         {1e+06,
                          "lobatto",
                          "material",
                          8,
                          {0.7455771243958207, 0.6032604666706592, 0.5520139121464173, 0.8338379027886446}},
                         {1e+06,
                          "lobatto",
                          "geometric",
                          1,
                          {0.7654671587292919, 0.5731790896777926, 0.5651496835580387, 0.824991568804876}},
                         {1e+06,
                          "lobatto",
                          "geometric",
                          2,
                          {0.7479781036342802, 0.5994353319601963, 0.5541362864583381, 0.8324289148090297}},
                         {1e+06,
                          "lobatto",
                          "geometric",
                          4,
                          {0.7457678285337804, 0.6029436540078461, 0.5521868354058648, 0.8337233854211836}},
                         {1e+06,
                          "lobatto",
                          "geometric",
                          8,
                          {0.7455920557322917, 0.6032368170903147, 0.5520243923451918, 0.8338309594222415}}};
  for (const Known& value : known) {
    const Vec q = bent_cable(cable_mesh(value.n, value.EA, value.curvature, value.integration), 3, 0);
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(q[q.size() - 4 + k], value.tip[k], 1e-10)
          << value.EA << " " << value.integration << " " << value.curvature << " " << value.n;
  }
}

// F16
TEST(Cable, IsTheElasticaWithFourthOrder) {
  const Vec2 exact(0.7455798154358129, 0.6032534411299774);
  double before = 0;
  for (const int n : {4, 8, 16}) {
    const Vec q = bent_cable(cable_mesh(n, 1e8, "material", "lobatto"), 3, 0);
    const double error = (q.segment<2>(q.size() - 4) - exact).norm();
    if (before != 0) {
      EXPECT_NEAR(order(before, error), 4, 0.3) << n;
    }
    before = error;
  }
  EXPECT_LT((bent_cable(cable_mesh(8, 1e8, "material", "lobatto"), 3, 0).segment<2>(32) - exact).norm(),
            1e-5);
  EXPECT_GT((bent_cable(cable_mesh(8, 1e8, "material", "full"), 3, 0).segment<2>(32) - exact).norm(), 1e-3);
}

TEST(Cable, RollsUpToACircle) {
  const double known[] = {2.5e-2, 1.6e-3, 9.8e-5, 6.1e-6};
  int k = 0;
  for (const int n : {4, 8, 16, 32}) {
    const Vec q = bent_cable(cable_mesh(n, 1e4, "material", "lobatto"), 0, 2 * M_PI);
    EXPECT_NEAR(q.segment<2>(q.size() - 4).norm(), known[k], 0.2 * known[k]) << n;
    ++k;
  }
  const Vec q = bent_cable(cable_mesh(16, 1e4, "geometric", "lobatto"), 0, 2 * M_PI);
  EXPECT_NEAR(q.segment<2>(q.size() - 4).norm(), 7.9e-3, 0.05 * 7.9e-3);
}

// F4, F15, F18: forces, tangents, zero modes and discrete gradients of every kind of cable.
template <int D>
void check_cable(const FlexibleSpec& spec) {
  const CableBody<D> cable(spec);
  const int size = cable.size();
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Vec straight = Vec::Zero(size);
  for (int n = 0; n < cable.nodes(); ++n) {
    straight[2 * D * n] = spec.nodes[size_t(n)].x();
    straight[2 * D * n + D] = 1;
  }
  const Eigen::SelfAdjointEigenSolver<Mat> flat(cable.hessian(straight));
  int zero = 0;
  for (int k = 0; k < size; ++k)
    zero += std::abs(flat.eigenvalues()[k]) < 1e-9 * flat.eigenvalues()[size - 1];
  EXPECT_EQ(zero, D == 2 ? 3 : 5);
  Vec q0 = straight, q1 = straight;
  for (int k = 0; k < size; ++k) {
    q0[k] += 0.1 * normal(random);
    q1[k] += 0.1 * normal(random);
  }
  Vec f = Vec::Zero(size);
  cable.add_forces(q0, f);
  const Mat K = cable.hessian(q0);
  for (int k = 0; k < size; ++k) {
    const double h = 1e-5;
    const Vec ahead = q0 + h * Vec::Unit(size, k), back = q0 - h * Vec::Unit(size, k);
    EXPECT_NEAR(f[k], -(cable.energy(ahead) - cable.energy(back)) / (2 * h), 1e-6 * f.cwiseAbs().maxCoeff());
    Vec fa = Vec::Zero(size), fb = Vec::Zero(size);
    cable.add_forces(ahead, fa);
    cable.add_forces(back, fb);
    EXPECT_LT(((fb - fa) / (2 * h) - K.col(k)).cwiseAbs().maxCoeff(), 1e-6 * K.cwiseAbs().maxCoeff());
  }
  Vec P = Vec::Zero(size), same = Vec::Zero(size);
  cable.add_discrete_gradient(q0, q1, P);
  const double V0 = cable.energy(q0), V1 = cable.energy(q1);
  EXPECT_NEAR(P.dot(q1 - q0), V1 - V0, 1e-13 * (V0 + V1));
  cable.add_discrete_gradient(q0, q0, same);
  EXPECT_LT((same + f).cwiseAbs().maxCoeff(), 1e-12 * f.cwiseAbs().maxCoeff());
  const Vec qm = (q0 + q1) / 2;
  Eigen::Matrix<double, D, 1> sum = Eigen::Matrix<double, D, 1>::Zero();
  double moment = 0;
  for (int k = 0; k < size; k += D) {
    if (k % (2 * D) == 0) sum += P.template segment<D>(k);
    moment += qm[k] * P[k + 1] - qm[k + 1] * P[k];
  }
  EXPECT_LT(sum.norm(), 1e-13 * P.cwiseAbs().sum());
  EXPECT_LT(std::abs(moment), 1e-13 * P.cwiseAbs().sum());
}

TEST(Cable, ForcesTangentsAndDiscreteGradientsAreThoseOfItsEnergy) {
  for (const char* strain : {"green", "stretch"})
    for (const char* curvature : {"material", "geometric"})
      for (const char* integration : {"lobatto", "full"}) {
        FlexibleSpec spec = cable_mesh(3, 50, curvature, integration);
        spec.strain = strain;
        check_cable<2>(spec);
        check_cable<3>(spec);
      }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
