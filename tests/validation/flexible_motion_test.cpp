// Flexible bodies in motion, against values computed elsewhere by other programs and against one another.
#include <cmath>

#include "support/flexible_models.hpp"
#include "support/runs.hpp"
#include "support/tangent_checks.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

double named(const Results& results, const DescriptorSystem& system, const std::string& name) {
  const auto names = system.quantity_names();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return results.final_quantities[Eigen::Index(i)];
  const Layout& layout = system.layout();
  for (int i = 0; i < layout.nq; ++i)
    if (layout.q_names[size_t(i)] == name) return results.final.q[i];
  for (int i = 0; i < layout.nv; ++i)
    if (layout.v_names[size_t(i)] == name) return results.final.v[i];
  ADD_FAILURE() << name;
  return NAN;
}

struct ChinValue {
  int elements, rate;
  double t, phi, theta, deflection, phi_rate, deflection_rate;
};
const ChinValue kChin[] = {{2, 60, 0.005, 0.2991602115936739, -0.14789646740940998, 0.01489253684240115,
                            59.65084467240475, 2.710712064520979},
                           {2, 60, 0.01, 0.5964076045062635, -0.28466498424626935, 0.017811100447037317,
                            59.240733105674565, 2.8055862343255584},
                           {2, 60, 0.02, 1.1847903698195748, -0.48161186220817287, 0.01996717187009632,
                            58.47661026540055, -1.5026625639004543},
                           {2, 120, 0.005, 0.5978332778130208, -0.28527348478583786, 0.1068939257608126,
                            119.05701904536086, 15.329390674357041},
                           {2, 120, 0.01, 1.1905853715429533, -0.48283082168387587, 0.05525880017396496,
                            118.1298171194526, 5.690113887842031},
                           {2, 120, 0.02, 2.368266191634102, -0.35677785691428093, 0.03650961296349182,
                            117.4971587451924, -4.921603036506864},
                           {2, 180, 0.005, 0.895845433259561, -0.4010185543307078, 0.3098430936665199,
                            178.2045696454445, 15.465626702705004},
                           {2, 180, 0.01, 1.7841728773608896, -0.5105490120188858, -0.021328271250058015,
                            177.55816431452166, 42.078364407755636},
                           {2, 180, 0.02, 3.5558621682205827, 0.20264275459723985, 0.08139060561374525,
                            176.40709458550498, -7.387917389035002},
                           {4, 60, 0.005, 0.29916005558738124, -0.14789693989417785, 0.014901213733643275,
                            59.65241912498836, 2.392792776358037},
                           {4, 60, 0.01, 0.5964075324337589, -0.28466389123920954, 0.017709320580831883,
                            59.2390191187833, 2.9636484271434114},
                           {4, 60, 0.02, 1.1847901893054327, -0.4816133796480045, 0.020026569911631684,
                            58.479930836719205, -2.336031254759221},
                           {4, 120, 0.005, 0.5978324612345942, -0.28527565142384714, 0.10696359461203551,
                            119.06875825989093, 12.961241754995802},
                           {4, 120, 0.01, 1.1905838473134907, -0.4828320797672854, 0.054541926664058084,
                            118.11503347471914, 8.983183940540542},
                           {4, 120, 0.02, 2.368265046947664, -0.3567789471894258, 0.03682136459572802,
                            117.50032761085247, -4.79133852211667},
                           {4, 180, 0.005, 0.8958442825832447, -0.40101432760350836, 0.310175793729254,
                            178.23734028276013, 9.206872022837361},
                           {4, 180, 0.01, 1.7841640273727057, -0.510575223443355, -0.024188391763337373,
                            177.53561838928482, 49.04901754054134},
                           {4, 180, 0.02, 3.5558561267774844, 0.20264150648517573, 0.0823645572925349,
                            176.40571197785718, 0.825672894706951},
                           {8, 60, 0.005, 0.29916002626538807, -0.14789730215956143, 0.014905815488021978,
                            59.65211264804113, 2.5817808499980766},
                           {8, 60, 0.01, 0.5964074593750992, -0.28466515809361326, 0.017724329276379236,
                            59.24087682250153, 2.6153370911138847},
                           {8, 60, 0.02, 1.1847902514997473, -0.4816114131862129, 0.020009236099577422,
                            58.47787466051055, -1.531828064075813},
                           {8, 120, 0.005, 0.5978322229322318, -0.28527931685360114, 0.10700838957060413,
                            119.0672986833016, 14.209013738673036},
                           {8, 120, 0.01, 1.1905837121255871, -0.4828332562850029, 0.054538277679413064,
                            118.13104536129089, 4.1389576643894435},
                           {8, 120, 0.02, 2.3682649599219823, -0.3567795903759869, 0.036851493679201215,
                            117.50119544482362, -4.933307805020962},
                           {8, 180, 0.005, 0.8958435285452608, -0.40102908621845207, 0.3103747780968182,
                            178.23980803633884, 11.093012847711867},
                           {8, 180, 0.01, 1.7841638823492314, -0.510558208197743, -0.024531778338675928,
                            177.56149574947815, 37.30837209567449},
                           {8, 180, 0.02, 3.555855666575444, 0.20263813684762821, 0.08232416925314245,
                            176.40863241758188, -0.3530200602731929}};

void expect_chin(const ChinValue& known) {
  const AssembledModel model =
      assembled(flexible_problem("flexible-slider-crank", {{"elements", std::to_string(known.elements)},
                                                           {"phi_rate", std::to_string(known.rate)}}));
  const Results results = simulate(model.system(), model.start(), finest(known.t));
  ASSERT_TRUE(results.good()) << results.message;
  const double more = known.elements == 8 ? 10 : 1;
  const auto value = [&](const std::string& name) { return named(results, model.system(), name); };
  const std::string at = std::to_string(known.elements) + " elements, " + std::to_string(known.rate) +
                         ", t = " + std::to_string(known.t);
  EXPECT_NEAR(value("phi"), known.phi, 1e-9 * more) << at;
  EXPECT_NEAR(value("theta"), known.theta, 1e-9 * more) << at;
  EXPECT_NEAR(value("deflection"), known.deflection, 1e-8 * more) << at;
  EXPECT_NEAR(value("rod.n" + std::to_string(known.elements / 2) + ".v_rate"), known.deflection_rate,
              1e-4 * more)
      << at;
}

// F9
TEST(FlexibleSliderCrank, IsThatOfAnotherProgram) {
  for (const ChinValue& known : kChin)
    if (known.elements == 2 && known.t <= 0.01) expect_chin(known);
}
TEST(FlexibleSliderCrank, IsThatOfAnotherProgramOnFinerMeshes_full) {
  for (const ChinValue& known : kChin)
    if (known.elements > 2 || known.t > 0.01) expect_chin(known);
}

// F10
TEST(FlexibleSliderCrank, RigidTwin) {
  const AssembledModel model = assembled(flexible_problem("flexible-slider-crank-rigid", {}));
  const Results results = simulate(model.system(), model.start(), finest(0.1));
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(named(results, model.system(), "phi"), 5.696670411151741672, 1e-10);
  EXPECT_NEAR(results.final.v[2], 54.20458543860858441, 1e-8);  // of the crank
  const Results later = simulate(model.system(), model.start(), finest(4));
  ASSERT_TRUE(later.good()) << later.message;
  EXPECT_NEAR(named(later, model.system(), "phi"), 61.00918027968575252, 1e-8);  // after 18 turns
}

TEST(FlexibleSliderCrank, StiffRodsAreRigidInTheLimit) {
  const AssembledModel rigid = assembled(flexible_problem("flexible-slider-crank-rigid", {}));
  const Results twin = simulate(rigid.system(), rigid.start(), finest(0.01));
  const double known[] = {-1.215e-5, -1.248e-6};
  double factor = 1;
  for (const double expected : known) {
    Model model = flexible_problem("flexible-slider-crank", {});
    model.bodies[1].flexible->material.youngs_modulus *= factor;
    const AssembledModel elastic = assembled(model);
    const Results results = simulate(elastic.system(), elastic.start(), finest(0.01));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(named(results, elastic.system(), "phi") - named(twin, rigid.system(), "phi"), expected,
                0.02 * std::abs(expected));
    factor *= 10;
  }
}

// F8
TEST(FlexibleSliderCrank, ModesComeNearTheNodalForm) {
  const double known[] = {0.3110779, 0.3110753, 0.3103291};
  int k = 0;
  for (const char* modes : {"1", "2", "4"}) {
    Model mechanism =
        flexible_problem("flexible-slider-crank", {{"elements", "8"}, {"phi_rate", "180"}, {"modes", modes}});
    const AssembledModel model = assembled(mechanism);
    const Results results = simulate(model.system(), model.start(), finest(0.005));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_NEAR(named(results, model.system(), "deflection"), known[k++], 1e-6) << modes;
  }
}

struct SpatialBeamValue {
  const char* variant;
  double t;
  Vec3 R;
  Eigen::Vector4d p;
  Vec3 tip;
  double eta[12];
};
const SpatialBeamValue kSpatialBeam[] = {
    {"free_rotary",
     0.25,
     {0.5840485248687199, 0.008543847631090153, 0.14899360156337838},
     {0.7819753079392994, 0.23091860182694748, -0.22637853294253446, 0.5328639384742708},
     {0.9159398263403562, 0.7414895870313756, 0.7509662072379724},
     {0.0024302893280302926, -0.00030802226120862485, -0.0005946958326978991, 0.00041010081476673053,
      0.0023264434197195105, -0.0011216002625878258, 0.004853394464855559, -0.0005711756301634374,
      -0.001280730683761257, 0.00012132502412341254, 0.00011999350665805354, -0.00013068899893227818}},
    {"free_rotary_stiffening",
     0.25,
     {0.5840360773176393, 0.00853465066086389, 0.1490100547516681},
     {0.7820465958492668, 0.23095682047784105, -0.2263476476927415, 0.5327558647066238},
     {0.9159666342240507, 0.7414646886930522, 0.7509887902980062},
     {0.0024296236180678314, -0.00016673137752510367, -0.0006421854281702315, 0.0004664352360676929,
      0.0023937053414476613, -0.0007103141605138514, 0.004858687111110758, -0.000334476386054554,
      -0.001280769657396295, -6.859297477344388e-06, 6.260878133675348e-05, -5.735926082808025e-05}},
    {"free_no_rotary",
     0.25,
     {0.5830033020125351, 0.008720761181045334, 0.1490140196952221},
     {0.7842960881792231, 0.22606234867122543, -0.23349594245569547, 0.528445934260776},
     {0.9166073996311642, 0.7412053374458664, 0.751332201312641},
     {0.002603225861470176, 0.0005798469717153906, -0.004486043680372368, 0.00010433902722298797,
      0.01175571862981999, 0.0019465521845261078, 0.005259749698641114, 0.00171198044227353,
      -0.007902219909524855, 0.000289003042559361, 0.004028086534450675, 0.0023977552363803893}},
    {"pendulum_rotary",
     0.25,
     {0.0, 0.0, 0.0},
     {0.6505601238631541, -0.2088551868439436, 0.4428385561006725, 0.5805558107522569},
     {0.20464097676917686, 1.0829861038569522, -0.5097450040419473},
     {0.011828798938548012, -0.01904551928668146, 0.24647866103077257, -0.006036641808872355,
      -0.7894678600293388, -0.0670301914256397, 0.021484710790262613, -0.05754146921625286, 0.654090792327944,
      0.002094289759695709, -0.8022109786466924, -0.08027376454548714}},
    {"pendulum_rotary_stiffening",
     0.25,
     {0.0, 0.0, 0.0},
     {0.7164720887010848, -0.07892049235844681, 0.2811412880202692, 0.6335604771199899},
     {0.027833627611581768, 0.9168334587211016, -0.5086328705624112},
     {0.033967467185736004, 0.0036857494507382986, 0.004036831807655296, -0.01173007428980358,
      -0.020841591186108024, 0.020872305150373055, 0.04852925581190058, 0.019201868013756604,
      0.016834097671118077, -0.020849493449757693, -0.024889545481007528, 0.03459239544212865}},
    {"pendulum_no_rotary",
     0.25,
     {0.0, 0.0, 0.0},
     {0.6530309872891508, -0.11578268605692314, 0.4611445036550299, 0.5894833721135458},
     {0.14324409725176504, 1.0362175672760165, -0.4956193167803275},
     {0.028845906242344826, -0.013359222482688712, 0.18772588352829592, -0.00930364624963518,
      -0.5921802691059157, -0.0396089924033957, 0.03605961500170019, -0.031804897301708525,
      0.5152408640285179, -0.012613556643498237, -0.6797171527648707, -0.03477047580743447}}};

// F5
TEST(SpatialBeam, IsThatOfAnotherProgramInBothSets) {
  for (const SpatialBeamValue& known : kSpatialBeam)
    for (const char* coordinates : {"reference-point", "euler-parameters"}) {
      const AssembledModel model = assembled(spatial_beam(known.variant), coordinates);
      const Results results = simulate(model.system(), model.start(), finest(known.t));
      ASSERT_TRUE(results.good()) << results.message;
      EXPECT_LT((results.final_quantities.head<3>() - known.tip).cwiseAbs().maxCoeff(), 1e-8)
          << known.variant << " " << coordinates;
      EXPECT_LT((results.final.q.head<3>() - known.R).cwiseAbs().maxCoeff(), 1e-8) << known.variant;
      EXPECT_LT((results.final.q.segment<4>(3) - known.p).cwiseAbs().maxCoeff(), 1e-8) << known.variant;
      for (int k = 0; k < 12; ++k)
        EXPECT_NEAR(results.final.q[7 + k], known.eta[k], 1e-8) << known.variant << k;
    }
}

// F7: a pendulum in three frames.
TEST(FloatingFrame, IsAChoiceOfCoordinatesUpToSecondOrder) {
  const double known[2][2] = {{2.8e-5, 2.9e-5}, {3.7e-7, 3.9e-7}};  // chord, mean axis
  const Vec2 places[] = {{0.43447, -0.90376}, {0.43128, -0.90299}};
  int k = 0;
  for (const double EI : {4.0, 16.0}) {
    Vec2 tip[3];
    int i = 0;
    for (const auto frame : {FlexibleSpec::Frame::clamped_free, FlexibleSpec::Frame::simply_supported,
                             FlexibleSpec::Frame::mean_axis}) {
      Model model;
      model.name = "pendulum";
      model.gravity = {0, -9.81, 0};
      model.ground_points = {{"O", Vec3::Zero()}};
      FlexibleSpec spec = straight_mesh(1, 2, given_section(120 * EI, EI, 0.1));
      spec.frame = frame;
      model.bodies = {flexible_body("rod", spec)};
      model.joints = {element("pin", "revolute", {{"a", point("ground", "O")}, {"b", point("rod", "A")}})};
      add_point_outputs(model, "tip", point("rod", "B"));
      const AssembledModel pendulum = assembled(model);
      const Results results = simulate(pendulum.system(), pendulum.start(), finest(0.4));
      ASSERT_TRUE(results.good()) << results.message;
      tip[i++] = results.final_quantities.head<2>();
    }
    EXPECT_LT((tip[0] - places[k]).cwiseAbs().maxCoeff(), 6e-6) << EI;
    for (int other = 0; other < 2; ++other) {
      const double apart = (tip[0] - tip[other + 1]).norm();
      EXPECT_LT(apart, 2 * known[k][other]) << EI << " " << other;
      EXPECT_GT(apart, known[k][other] / 2) << EI << " " << other;
    }
    ++k;
  }
}

// F17
TEST(FlexiblePendulum, IsThatOfAnotherProgram) {
  struct Known {
    const char* elements;
    double t;
    Vec2 tip;
  };
  const Known all[] = {{"4", 0.2, {0.9618275081674695, -0.23075920956033083}},
                       {"4", 0.3, {0.802370836509462, -0.595580835496263}},
                       {"8", 0.2, {0.9618203868121667, -0.23081946470630887}},
                       {"8", 0.3, {0.802588862694, -0.595244754897}}};
  for (const Known& known : all) {
    const AssembledModel model =
        assembled(flexible_problem("flexible-pendulum", {{"elements", known.elements}}));
    const Results results = simulate(model.system(), model.start(), finest(known.t));
    ASSERT_TRUE(results.good()) << results.message;
    EXPECT_LT((results.final_quantities.head<2>() - known.tip).cwiseAbs().maxCoeff(), 1e-8) << known.elements;
  }
}

// F14
TEST(SpinUp, TakesStiffening_full) {
  const auto largest = [](const char* kind, double t_end, const char* modes) {
    const AssembledModel model =
        assembled(flexible_problem("spinup-beam", {{"beam", kind}, {"modes", modes}}));
    RunSetup setup;
    setup.t_end = t_end;
    setup.formulation = "index3";
    setup.integrator = "generalized-alpha";
    setup.step = 0.002;
    setup.output_step = 0.002;
    const Results results = simulate(model.system(), model.start(), setup);
    EXPECT_TRUE(results.good()) << results.message;
    double most = 0;
    const Table& table = results.trajectory.quantities;
    for (size_t k = 0; k < table.rows(); ++k) {
      const double psi = table.at(k, 0);
      most = std::max(most, std::abs(std::cos(psi) * table.at(k, 2) - std::sin(psi) * table.at(k, 1)));
    }
    return most;
  };
  EXPECT_NEAR(largest("cable", 8, "0"), 0.573781, 2e-5);
  EXPECT_NEAR(largest("geometric", 8, "0"), 0.574910, 2e-5);
  EXPECT_GT(largest("none", 8.1, "0"), 2);
}

// A static cantilever, by damping: stress at its root, section forces and the reaction.                           F24
TEST(FlexibleBeam, StressAtTheRootOfACantilever) {
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
  spec.alpha = 60;
  spec.beta = 0.002;
  model.bodies = {flexible_body("beam", spec)};
  model.joints = {element("clamp", "fixed", {{"a", point("ground", "O")}, {"b", point("beam", "A")}})};
  const double P = 5, I = 0.01 * std::pow(0.02, 3) / 12;
  model.forces = {element("load", "point-force",
                          {{"at", point("beam", "B")},
                           {"force", std::vector<TimeFunction>{TimeFunction(0.0), TimeFunction(P)}}})};
  const auto output = [&](const char* name, const char* value, double y) {
    model.outputs.push_back(element(
        name, "beam", {{"at", point("beam", "A")}, {"value", std::string(value)}, {"y", FieldValue(y)}}));
  };
  output("stress", "stress", -0.01);
  output("moment", "moment", 0.0);
  model.outputs.push_back(
      element("reaction", "reaction", {{"joint", std::string("clamp")}, {"component", std::string("tz")}}));
  const AssembledModel cantilever = assembled(model);
  RunSetup setup = figures_only(3);
  setup.integrator = "radau-iia5";
  setup.rtol = 1e-9;
  const Results results = simulate(cantilever.system(), cantilever.start(), setup);
  ASSERT_TRUE(results.good()) << results.message;
  EXPECT_NEAR(results.final_quantities[0] / (P * 0.01 / I), 1, 1e-6);
  EXPECT_NEAR(results.final_quantities[1], P, 1e-6 * P);
  EXPECT_NEAR(results.final_quantities[2], -P, 1e-5 * P);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
