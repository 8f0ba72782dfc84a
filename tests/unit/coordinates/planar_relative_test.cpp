// Relative coordinates against reference-point ones at random states, through the velocity transformation R of the tree,
// which differences of its kinematics give: every term of the relative system is (1) of planar_relative.hpp to round-off.
#include <filesystem>
#include <random>

#include <Eigen/SVD>

#include "driftless/coordinates/relative/relative_system.hpp"
#include "driftless/coordinates/relative/solvers/link_solver.hpp"
#include "driftless/system/user_system.hpp"

#include "support/runs.hpp"
#include "support/tree_models.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kRoundOff = 1e-12;  // relative to the largest entry of a term

std::vector<Model> planar_models() {
  std::vector<Model> models = tree_models();
  for (const auto& entry : std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".json") continue;
    Model model = read_model(entry.path().string());
    // Rows that come and go are refused there.
    if (model.space == Space::planar && model.all_rigid() && !model.has_switched_rows())
      models.push_back(std::move(model));
  }
  return models;
}

// Both systems of a model, and where the bodies are and how they move when the tree does.
struct Pair {
  explicit Pair(const Model& model, const std::map<std::string, std::string>& options = {})
      : compiled(compile(model, "relative", model.name, options)),
        relative(dynamic_cast<const RelativeSystem<2>&>(*compiled.system)),
        reference(*compiled.reference->system) {}

  State random_state(std::mt19937& engine) const {
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    const auto n = relative.layout().nq;
    State state{0.3 + std::abs(uniform(engine)), Vec(n), Vec(n)};
    for (int i = 0; i < n; ++i) {
      state.q[i] = uniform(engine) * relative.layout().q_scale[i];
      state.v[i] = uniform(engine) * relative.layout().v_scale[i];
    }
    return state;
  }

  // (x, y, θ) of the bodies where the tree is at q.
  Vec bodies_at(const Vec& q) const {
    const Tree<2>& tree = relative.tree();
    std::vector<FrameOf<double, 2>> frames(size_t(tree.slots()));
    TreeWork<2> work = tree.make_work();
    tree.place(q.data(), frames.data(), work);
    Vec x(reference.layout().nq);
    for (int i = 0; i < tree.ground(); ++i) {
      const auto& frame = frames[size_t(i)];
      x.segment<3>(3 * i) = Vec3(frame.r.x(), frame.r.y(), frame.theta);
    }
    return x;
  }

  // d/ds of f(s) at 0 by central differences of order 8.
  template <class F>
  static auto derivative(const F& f, double h) {
    const auto odd = [&](int k) { return Vec(f(k * h) - f(-k * h)); };
    return Vec((odd(1) * 4.0 / 5 - odd(2) / 5 + odd(3) * 4.0 / 105 - odd(4) / 280) / h);
  }

  Mat R(const Vec& q) const {
    Mat out(reference.layout().nv, q.size());
    for (int j = 0; j < q.size(); ++j) {
      const double scale = relative.layout().q_scale[j];
      out.col(j) =
          derivative([&](double s) { return bodies_at(q + s * scale * Vec::Unit(q.size(), j)); }, 0.02) /
          scale;
    }
    return out;
  }

  // R v as the tree has it.
  Vec rates(const Vec& q, const Vec& v) const {
    const Tree<2>& tree = relative.tree();
    std::vector<FrameOf<double, 2>> frames(size_t(tree.slots()));
    std::vector<TwistOf<double, 2>> twists(size_t(tree.slots()));
    TreeWork<2> work = tree.make_work();
    tree.place(q.data(), frames.data(), work);
    tree.transform(v.data(), frames.data(), work, twists.data());
    Vec x(reference.layout().nv);
    for (int i = 0; i < tree.ground(); ++i) {
      const auto& twist = twists[size_t(i)];
      x.segment<3>(3 * i) = Vec3(twist.r.x(), twist.r.y(), twist.omega);
    }
    return x;
  }

  // Positions, velocities and accelerations at ż = 0 of the bodies.
  void along(const State& state, State& bodies, Vec& bias) const {
    bodies = {state.t, bodies_at(state.q), rates(state.q, state.v)};
    bias = derivative([&](double s) { return rates(state.q + s * state.v, state.v); }, 0.005);
  }

  CompiledModel compiled;
  const RelativeSystem<2>& relative;
  const DescriptorSystem& reference;
};

void expect_close(const Mat& a, const Mat& b, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  if (a.size() == 0) return;
  const double size = std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), kRoundOff * size) << what;
}

void check_terms(const Pair& pair, const State& state, const std::string& name) {
  const Mat R = pair.R(state.q);
  State bodies;
  Vec bias;
  pair.along(state, bodies, bias);
  expect_close(R * state.v, bodies.v, name + ": velocities");

  Terms there = pair.reference.make_terms(), here = pair.relative.make_terms();
  pair.reference.evaluate(bodies.t, bodies.q, bodies.v, there);
  pair.relative.evaluate(state.t, state.q, state.v, here);
  expect_close(here.M, R.transpose() * there.M * R, name + ": M");
  expect_close(here.f, R.transpose() * (there.f - there.M * bias), name + ": f");
  const double kinetic = pair.reference.kinetic_energy(bodies.v, there);
  EXPECT_NEAR(pair.relative.kinetic_energy(state.v, here), kinetic, kRoundOff * (1 + kinetic));
  const double potential = *pair.reference.potential_energy(bodies.t, bodies.q, there);
  EXPECT_NEAR(*pair.relative.potential_energy(state.t, state.q, here), potential,
              kRoundOff * (1 + std::abs(potential)));
  const double power = pair.reference.applied_power(bodies.t, bodies.q, bodies.v, there);
  EXPECT_NEAR(pair.relative.applied_power(state.t, state.q, state.v, here), power,
              kRoundOff * (1 + std::abs(power)));

  // Rows of cut joints by their names; all others are joints of the tree, which cannot open.
  const Mat J = Mat(there.J) * R;
  const Vec gamma = there.gamma - there.J * bias;
  const auto &own = pair.relative.layout().row_names, &all = pair.reference.layout().row_names;
  size_t found = 0;
  for (int i = 0; i < int(all.size()); ++i) {
    const auto row = std::find(own.begin(), own.end(), all[size_t(i)]);
    const std::string what = name + ": " + all[size_t(i)];
    if (row == own.end()) {
      EXPECT_LT(std::abs(there.g[i]), kRoundOff) << what;
      EXPECT_LT(J.row(i).cwiseAbs().maxCoeff(), kRoundOff) << what;
      continue;
    }
    ++found;
    const auto k = row - own.begin();
    expect_close(Mat(here.J).row(k), J.row(i), what + " J");
    EXPECT_NEAR(here.g[k], there.g[i], kRoundOff) << what;
    EXPECT_NEAR(here.nu[k], there.nu[i], kRoundOff) << what;
    EXPECT_NEAR(here.gamma[k], gamma[i], kRoundOff * (1 + std::abs(gamma[i]))) << what;
  }
  EXPECT_EQ(found, own.size());

  const State back = pair.compiled.from_reference(bodies);
  expect_close(back.q, state.q, name + ": coordinates");
  expect_close(back.v, state.v, name + ": rates");
}

TEST(PlanarRelative, TermsAreThoseOfTheBodiesThroughTheTree) {
  std::mt19937 engine(1);
  for (const Model& model : planar_models()) {
    const Pair pair(model);
    for (int round = 0; round < 5; ++round) check_terms(pair, pair.random_state(engine), model.name);
  }
}

TEST(PlanarRelative, EveryChoiceOfCutsGivesTheSameTerms) {
  std::mt19937 engine(2);
  const Model model = model_file("four-bar");
  for (const char* cut : {"pin_O", "pin_A", "pin_B", "pin_C"}) {
    const Pair pair(model, {{"cut", cut}});
    EXPECT_EQ(pair.relative.layout().row_names[0], std::string(cut) + ".x");
    check_terms(pair, pair.random_state(engine), cut);
  }
  for (const char* cut : {"a", "b,d", "c,shut", "rail,d"}) {
    const Pair pair(loops_on_a_base(), {{"cut", cut}});
    check_terms(pair, pair.random_state(engine), cut);
  }
  for (const char* cut : {"weld", "rail", "b"}) {
    const Pair pair(welds_on_a_base(), {{"cut", cut}});
    check_terms(pair, pair.random_state(engine), cut);
  }
  for (const char* root : {"left", "trunk", "right", "far"}) {
    const Pair pair(floating(), {{"root", root}});
    EXPECT_EQ(pair.relative.layout().q_names[0], std::string(root) + ".x");
    check_terms(pair, pair.random_state(engine), root);
  }
}

// Differences of its own g and J v − ν, which share no code with the above.
TEST(PlanarRelative, DerivativesAgreeWithDifferences) {
  std::mt19937 engine(3);
  for (const Model& model : tree_models()) {
    const Pair pair(model);
    for (int round = 0; round < 3; ++round) {
      const DerivativeCheck check = check_derivatives(pair.relative, pair.random_state(engine));
      EXPECT_LT(check.J, 1e-9) << model.name << " " << check.J_entry;
      EXPECT_LT(check.nu, 1e-9) << model.name << " " << check.nu_row;
      EXPECT_LT(check.gamma, 1e-7) << model.name << " " << check.gamma_row;
    }
  }
}

TEST(PlanarRelative, StagesAndEvaluateAgree) {
  std::mt19937 engine(4);
  const Pair pair(loops_on_a_base());
  const State s = pair.random_state(engine);
  Terms together = pair.relative.make_terms(), apart = pair.relative.make_terms();
  pair.relative.evaluate(s.t, s.q, s.v, together);
  pair.relative.position(s.t, s.q, apart);
  pair.relative.force(s.t, s.q, s.v, apart);
  pair.relative.bias(s.t, s.q, s.v, apart);
  pair.relative.mass(s.t, s.q, apart);
  EXPECT_EQ(together.f, apart.f);
  EXPECT_EQ(together.gamma, apart.gamma);
  EXPECT_EQ(Mat(together.M), Mat(apart.M));
}

TEST(PlanarRelative, AndrewsHasSevenAnglesAndSixRows) {
  const CompiledModel compiled = compile(model_file("andrews-bodies"), "relative", "andrews");
  const Layout& layout = compiled.system->layout();
  EXPECT_EQ(layout.q_names,
            (std::vector<std::string>{"pin_O.angle", "pin_B.angle", "pin_A5.angle", "pin_A7.angle",
                                      "pin_F.angle", "pin_G.angle", "pin_H.angle"}));
  EXPECT_EQ(layout.v_names[0], "pin_O.angle_rate");
  EXPECT_EQ(layout.row_names, (std::vector<std::string>{"pin_E3.x", "pin_E3.y", "pin_E4.x", "pin_E4.y",
                                                        "pin_E6.x", "pin_E6.y"}));
  EXPECT_EQ(layout.M.nonZeros(), 7 + 2 * 3);
  EXPECT_EQ(layout.J.nonZeros(), 2 * (3 + 4 + 4));
}

// A row on two bodies does not depend on what moves both alike: none of the pivots before the loop stand in it, but for
// turns where the row is measured along the axes of the world.
TEST(PlanarRelative, RowsLeaveOutWhatMovesAllTheirBodies) {
  const CompiledModel compiled = compile(loops_on_a_base(), "relative", "loops");
  const Layout& layout = compiled.system->layout();
  const auto column = [&](const std::string& name) {
    return static_cast<int>(std::find(layout.q_names.begin(), layout.q_names.end(), name) -
                            layout.q_names.begin());
  };
  const auto has = [&](int row, const std::string& name) {
    for (SparseRows::InnerIterator e(layout.J, row); e; ++e)
      if (e.col() == column(name)) return true;
    return false;
  };
  for (int row = 0; row < layout.m; ++row) {
    const std::string& name = layout.row_names[size_t(row)];
    const bool along_the_world = name.ends_with(".x") || name.ends_with(".y");
    EXPECT_FALSE(has(row, "sledge.displacement")) << name;
    EXPECT_EQ(has(row, "boom.angle"), along_the_world) << name;
    EXPECT_EQ(has(row, "sledge.angle"), along_the_world) << name;
  }
}

TEST(PlanarRelative, CoordinatesAreTheJointsOwn) {
  for (const bool reversed : {false, true}) {
    Model model = branched(reversed);
    model.outputs = {{"pin", "joint", {{"joint", "pin"}, {"value", "angle"}}},
                     {"pin_rate", "joint", {{"joint", "pin"}, {"value", "rate"}}},
                     {"rail", "joint", {{"joint", "rail"}, {"value", "displacement"}}},
                     {"rail_rate", "joint", {{"joint", "rail"}, {"value", "rate"}}},
                     {"slot", "joint", {{"joint", "slot"}, {"value", "displacement"}}},
                     {"slot_rate", "joint", {{"joint", "slot"}, {"value", "rate"}}}};
    const Pair pair(model);
    std::mt19937 engine(5);
    const State state = pair.random_state(engine);
    Vec values(6);
    pair.relative.quantities(state.t, state.q, state.v, {}, values);
    const auto& names = pair.relative.layout().q_names;
    int k = 0;
    for (const char* name : {"pin.angle", "rail.displacement", "slot.displacement"}) {
      const auto i = std::find(names.begin(), names.end(), name) - names.begin();
      EXPECT_NEAR(values[k++], state.q[i], kRoundOff) << name;
      EXPECT_NEAR(values[k++], state.v[i], kRoundOff) << name;
    }
  }
}

TEST(PlanarRelative, StartsWhereReferencePointDoes) {
  Model model = model_file("slider-crank");  // rough poses
  model.initial.joints.clear();
  model.bodies[0].angular_velocity = 2;  // of the crank alone: the others follow as in reference-point
  const auto same_start = [](const Model& m) {
    const auto there = assembled(m), here = assembled(m, "relative");
    std::vector<Pose> a, b;
    there.system().poses(0, there.start().q, a);
    here.system().poses(0, here.start().q, b);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_LT((a[i].position - b[i].position).norm(), 1e-12);
      EXPECT_LT((a[i].quaternion - b[i].quaternion).norm(), 1e-12);
    }
    const State carried = here.compiled.from_reference(there.start());
    EXPECT_LT(max_difference(carried.v, here.start().v), 1e-11);
    return here.start();
  };
  same_start(model);
  model.initial.hold = {"crank.theta"};
  same_start(model);
  model.initial.hold = {"pin_O.angle"};
  EXPECT_NEAR(same_start(model).q[0], 0.5, 1e-12);
  model.initial.hold = {"guide.displacement"};
  EXPECT_NEAR(same_start(model).q[1], 3, 1e-11);  // the dead centre: pin_O = pin_A = 0
}

TEST(PlanarRelative, HeldCoordinatesMustExist) {
  Model model = model_file("car-on-bump");
  for (const char* good : {"mast.angle", "mast.displacement", "front_guide.displacement", "chassis.x"}) {
    model.initial.hold = {good};
    EXPECT_NO_THROW(compile(model, "relative", "held")) << good;
  }
  for (const char* bad : {"front_guide.angle", "chassis.angle", "mast.theta", "mast.z"}) {
    model.initial.hold = {bad};
    EXPECT_THROW(compile(model, "relative", "held"), InputError) << bad;
  }
  model = model_file("quick-return");
  model.initial.hold = {"rod.displacement"};
  EXPECT_THROW(compile(model, "relative", "held"), InputError);
}

double dense_least_singular_value(const SparseRows& J, const Vec& scale) {
  const Mat rows = Mat(J) * scale.asDiagonal();
  return rows.jacobiSvd().singularValues().tail(1)[0];
}

TEST(PlanarRelative, EveryPathSolvesWhatCompositeBodiesForm) {
  using Path = RelativeSystem<2>::Path;
  std::mt19937 engine(5);
  for (const Model& model : tree_models())
    for (const Path path : {Path::articulated, Path::links}) {
      const Pair pair(model);
      const auto along_path = [&](Path chosen) {
        return std::make_unique<RelativeSystem<2>>(pair.relative.parts(), pair.relative.shared_tree(),
                                                   chosen);
      };
      const auto composite = along_path(Path::composite), other = along_path(path);
      EXPECT_TRUE(other->layout().mass_is_implicit);
      const State state = pair.random_state(engine);
      Terms formed = composite->make_terms(), terms = other->make_terms();
      composite->evaluate(state.t, state.q, state.v, formed);
      other->evaluate(state.t, state.q, state.v, terms);
      EXPECT_EQ(formed.f, terms.f);
      EXPECT_NEAR(composite->kinetic_energy(state.v, formed), other->kinetic_energy(state.v, terms), 0);
      EXPECT_NEAR(composite->kinetic_energy(state.v, formed), 0.5 * state.v.dot(formed.M * state.v),
                  kRoundOff);
      const double sigma = other->least_singular_value(terms);
      if (formed.J.rows() > 0) {
        EXPECT_LE(sigma, dense_least_singular_value(formed.J, other->layout().v_scale)) << model.name;
      }
      const auto solver = other->make_solver();
      if (solver->factor(terms) != Status::ok) continue;  // rows may depend on one another here
      Vec x(formed.f.size()), y(formed.gamma.size());
      const Status status = solver->solve(formed.f, formed.gamma, x, y);
      if (path == Path::links && status == Status::singular) continue;  // which shows here, then
      ASSERT_EQ(status, Status::ok);
      const double size = 1 + max_abs(formed.f) + max_abs(formed.gamma) + max_abs(x) + max_abs(y);
      EXPECT_LT(max_abs(formed.M * x + formed.J.transpose() * y - formed.f), 100 * kRoundOff * size)
          << model.name;
      EXPECT_LT(max_abs(formed.J * x - formed.gamma), 100 * kRoundOff * size) << model.name;
    }
}

// A net of loops takes the path over the links by itself, and moves as with K in full.
TEST(PlanarRelative, NetsAccelerateAsWithAllOfK) {
  TreeModel net("net", 29);
  constexpr int kRows = 50, kColumns = 5;  // of vertical bars, with a rung between neighbours at every joint
  const auto bar = [](int i, int j) { return "b" + std::to_string(i) + "_" + std::to_string(j); };
  const auto rung = [](int i, int j) { return "r" + std::to_string(i) + "_" + std::to_string(j); };
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kRows; ++i)
      net.bodies({bar(i, j)}).pin("p" + bar(i, j), i == 0 ? "ground" : bar(i - 1, j), bar(i, j));
  for (int j = 0; j + 1 < kColumns; ++j)
    for (int i = 0; i < kRows; ++i)
      net.bodies({rung(i, j)})
          .pin("p" + rung(i, j), bar(i, j), rung(i, j))
          .pin("q" + rung(i, j), rung(i, j), bar(i, j + 1));
  std::mt19937 engine(7);
  const Pair pair(net.model);
  ASSERT_NE(dynamic_cast<LinkSolver<2>*>(pair.relative.make_solver().get()), nullptr);
  const State state = pair.random_state(engine);
  const RelativeSystem<2> articulated(pair.relative.parts(), pair.relative.shared_tree(),
                                      RelativeSystem<2>::Path::articulated);
  Terms here = pair.relative.make_terms(), there = articulated.make_terms();
  pair.relative.evaluate(state.t, state.q, state.v, here);
  articulated.evaluate(state.t, state.q, state.v, there);
  const double sigma = pair.relative.least_singular_value(here);
  EXPECT_GT(sigma, 0);
  EXPECT_LT(sigma, dense_least_singular_value(here.J, pair.relative.layout().v_scale));
  const auto solver = pair.relative.make_solver(), dense = articulated.make_solver();
  ASSERT_EQ(solver->factor(here), Status::ok);
  ASSERT_EQ(dense->factor(there), Status::ok);
  Vec x(here.f.size()), y(here.gamma.size()), a(here.f.size()), lambda(here.gamma.size());
  ASSERT_EQ(solver->solve(here.f, here.gamma, x, y), Status::ok);
  ASSERT_EQ(dense->solve(there.f, there.gamma, a, lambda), Status::ok);
  EXPECT_LT(max_abs(x - a), 1e-8 * (1 + max_abs(a)));
  EXPECT_LT(max_abs(y - lambda), 1e-8 * (1 + max_abs(lambda)));
}

// Long chains never form M; what they accelerate like is what reference-point coordinates say.
TEST(PlanarRelative, LongChainsAccelerateAsInReferencePointCoordinates) {
  TreeModel chain("chain", 23);
  for (int i = 0; i < 200; ++i) {
    const std::string own = "b" + std::to_string(i);
    chain.bodies({own}).pin("p" + std::to_string(i), i == 0 ? "ground" : "b" + std::to_string(i - 1), own);
  }
  std::mt19937 engine(6);
  const Pair pair(chain.model);
  ASSERT_TRUE(pair.relative.layout().mass_is_implicit);
  const State state = pair.random_state(engine);
  Terms here = pair.relative.make_terms(), there = pair.reference.make_terms();
  pair.relative.evaluate(state.t, state.q, state.v, here);
  State bodies;
  Vec bias;
  pair.along(state, bodies, bias);
  pair.reference.evaluate(bodies.t, bodies.q, bodies.v, there);
  const auto solver = pair.relative.make_solver(), full = pair.reference.make_solver();
  ASSERT_EQ(solver->factor(here), Status::ok);
  ASSERT_EQ(full->factor(there), Status::ok);
  Vec x(here.f.size()), y(0), a(there.f.size()), lambda(there.gamma.size());
  ASSERT_EQ(solver->solve(here.f, here.gamma, x, y), Status::ok);
  ASSERT_EQ(full->solve(there.f, there.gamma, a, lambda), Status::ok);
  EXPECT_LT(max_abs(pair.rates(state.q, x) + bias - a), 1e-8 * (1 + max_abs(a)));
}

TEST(PlanarRelative, RefusesWhatItCannotDescribe) {
  const auto complaint = [](const Model& model) {
    try {
      compile(model, "relative", "file");
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  TreeModel still("still", 21);
  still.bodies({"A"}).weld("weld", "ground", "A");
  EXPECT_NE(complaint(still.model).find("a joint that moves"), std::string::npos);
  TreeModel twice("twice", 22);
  twice.bodies({"A", "B"}).pin("a", "ground", "A").weld("b", "A", "B").weld("c", "B", "ground");
  EXPECT_NE(complaint(twice.model).find("a joint that moves"), std::string::npos);
  Model spatial = branched(false);
  spatial.space = Space::spatial;
  EXPECT_NE(complaint(spatial), "");
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
