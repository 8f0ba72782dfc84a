// No allocation inside a step: malloc itself is hooked, because Eigen does not go through operator new.
#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/integrator/choices.hpp"
#include "driftless/results/monitor.hpp"
#include "driftless/results/recorder.hpp"

#include "support/flexible_models.hpp"
#include "support/flexible_samples.hpp"
#include "support/runs.hpp"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
void count() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

extern "C" void* malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
extern "C" void* calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
extern "C" void* realloc(void* old, size_t size) {
  count();
  return __libc_realloc(old, size);
}
extern "C" void* memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
extern "C" void* aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
extern "C" int posix_memalign(void** out, size_t alignment, size_t size) {
  count();
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? 12 : 0;
}

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

// Allocations in `steps` steps after the first few, straight through the integrator and the monitor.
long allocations_in_steps(const DescriptorSystem& system,
                          const State& start,
                          const Choices& choices,
                          double step) {
  Statistics statistics;
  StepControl control;
  control.step = step;
  const auto form = choices.make_form(system);
  const auto stabilization =
      choices.stabilization->make(system, choices.stabilization_options, form->make_kernel());
  form->statistics = &statistics;
  form->stabilization = stabilization.get();
  const auto integrator = choices.integrator->make(*form, statistics, control, choices.integrator_options);
  Monitor monitor(system, {1e9, 1e9});
  Vec y(form->size());
  form->pack(start, 0, y);
  State state = start;
  EXPECT_EQ(integrator->start(0, y, 1), Status::ok);
  const auto go = [&](int count) {
    for (int i = 0; i < count; ++i) {
      // The first step that is cut at a limit is written down for checkpoints, which may allocate.
      if (integrator->t() + 100 * (integrator->t() - integrator->t_before()) > 1e3) return true;
      if (integrator->advance(1e3) != Status::ok) return false;
      const double work = form->unpack(integrator->t(), integrator->y(), state);
      monitor.observe(state, work, form->terms());
    }
    return true;
  };
  EXPECT_TRUE(go(3));
  allocations = 0;
  counting = true;
  const bool good = go(50);
  counting = false;
  EXPECT_TRUE(good);
  return allocations;
}

TEST(Allocation, HookSeesEigen) {
  allocations = 0;
  counting = true;
  Vec x = Vec::Zero(1000);
  counting = false;
  EXPECT_EQ(x.sum(), 0);
  EXPECT_EQ(allocations, 1);
}

TEST(Allocation, NoneInAStepOfAnyMethod) {
  const auto andrews = problem("andrews");
  const auto pendulum = problem("double-pendulum");
  const auto track = problem("circle-track");                   // integrates the work too
  const auto bodies = assembled(model_file("andrews-bodies"));  // sparse kernel
  const auto crank = assembled(model_file("slider-crank"));
  const auto angles = assembled(model_file("andrews-bodies"), "relative");
  const auto car = assembled(model_file("car-on-bump"), "relative");  // slides, drivers, work
  struct Case {
    const char* name;
    const DescriptorSystem* system;
    const State* start;
    double step;
  };
  const Case cases[] = {{"andrews", andrews.system.get(), &andrews.start, 1e-5},
                        {"double-pendulum", pendulum.system.get(), &pendulum.start, 1e-3},
                        {"circle-track", track.system.get(), &track.start, 1e-3},
                        {"andrews-bodies", &bodies.system(), &bodies.start(), 1e-5},
                        {"slider-crank", &crank.system(), &crank.start(), 1e-3},
                        {"andrews-bodies, relative", &angles.system(), &angles.start(), 1e-5},
                        {"car-on-bump, relative", &car.system(), &car.start(), 1e-3}};
  for (const auto* formulation : formulation_records())
    for (const auto* integrator : integrator_records())
      for (const auto* stabilization : stabilization_records())
        for (const Case& c : cases)
          for (const double step : {c.step, 0.0}) {
            if (!fits(*formulation, *integrator) || (step == 0 && !integrator->adaptive) ||
                (step > 0 && !integrator->takes_step))
              continue;
            // Every stabilization with lagrange; the other formulations with their own.
            const std::string& name = stabilization->method.name;
            if (formulation->method.name != "lagrange" && name != formulation->default_stabilization)
              continue;
            if (formulation->needs_mass && c.system->layout().mass_is_implicit) continue;
            // On this model the form redefines its coordinates again and again, so ARKODE starts anew each time, and a
            // start of ARKODE allocates.
            if (integrator->method.name == "arkode" && formulation->method.name == "canonical-independent" &&
                c.system == &car.system())
              continue;
            const Choices choices = choose_methods(formulation->method.name, integrator->method.name,
                                                   stabilization->method.name, {}, step > 0);
            SCOPED_TRACE(std::string(c.name) + " " + formulation->method.name + " " +
                         integrator->method.name + " " + name + (step > 0 ? "" : " adaptive"));
            EXPECT_EQ(allocations_in_steps(*c.system, *c.start, choices, step), 0);
          }
}

// Options that choose other code.
TEST(Allocation, NoneInAStepWithOptions) {
  const auto andrews = problem("andrews");
  const auto bodies = assembled(model_file("andrews-bodies"));
  const auto angles = assembled(model_file("andrews-bodies"), "relative");
  using OptionMap = std::map<std::string, std::string>;
  struct Case {
    const char* formulation;
    OptionMap options;
  };
  std::vector<Case> cases = {{"lagrange", {{"solver", "schur"}}}};
  for (const char* field : {"full", "both", "transpose", "p1p2", "p1i", "two-step"})
    cases.push_back({"stabilized-field", {{"field", field}}});
  for (const char* field : {"full", "both", "p1p2"})
    cases.push_back({"stabilized-field", {{"field", field}, {"formulation.weight", "mass"}}});
  for (const Case& c : cases)
    for (const char* integrator : {"rk4", "backward-euler"}) {
      const Choices choices = choose_methods(c.formulation, integrator, "pstab", c.options, true);
      const std::string name =
          std::string(c.formulation) + " " + c.options.begin()->second + " " + integrator;
      EXPECT_EQ(allocations_in_steps(*andrews.system, andrews.start, choices, 1e-5), 0) << name;
      EXPECT_EQ(allocations_in_steps(bodies.system(), bodies.start(), choices, 1e-5), 0) << name;
      EXPECT_EQ(allocations_in_steps(angles.system(), angles.start(), choices, 1e-5), 0) << name;
    }
}

// Large enough for sparse factors in Newton's method, and past the start, where entries are zero that are not later.
TEST(Allocation, NoneInAStepWithSparseNewtonMatrices) {
  const ProblemRecord* record = find_problem("n-four-bar");
  const auto ladder = instantiate(*record, Options("problem", record->options, {{"N", "10"}}));
  const Results moved = simulate(*ladder.system, ladder.start, figures_only(0.3));
  ASSERT_TRUE(moved.good()) << moved.message;
  for (const char* formulation : {"index3", "index2-ggl"})
    for (const char* integrator : {"generalized-alpha", "gssss", "bdf", "radau-iia5"})
      for (const double step : {1e-3, 0.0}) {
        if (formulation == std::string("index2-ggl") && integrator[0] == 'g') continue;
        const Choices choices = choose_methods(formulation, integrator, "none", {}, step > 0);
        SCOPED_TRACE(std::string(formulation) + " " + integrator + (step > 0 ? "" : " adaptive"));
        EXPECT_EQ(allocations_in_steps(*ladder.system, moved.final, choices, step), 0);
      }
}

// Floating frames, nodal and modal, stiffened or not, in the plane and in space; cables.
TEST(Allocation, NoneInAStepOfFlexibleBodies) {
  const auto problem_with = [](const char* name, const std::map<std::string, std::string>& options) {
    const ProblemRecord* record = find_problem(name);
    return instantiate(*record, Options("problem", record->options, options));
  };
  const auto linear = problem_with("flexible-slider-crank", {});
  const auto stiffened = problem_with("flexible-slider-crank", {{"stiffening", "geometric"}});
  const auto modes = problem_with("flexible-slider-crank", {{"modes", "2"}});
  const auto cable = problem_with("flexible-pendulum", {});
  const auto damped = problem_with("elastica", {});
  const auto chain = problem_with("princeton-beam", {{"bodies", "2"}});
  const std::pair<const char*, const ProblemInstance*> cases[] = {
      {"linear", &linear}, {"stiffened", &stiffened}, {"modes", &modes},
      {"cable", &cable},   {"damped", &damped},       {"chain", &chain}};
  for (const auto& [name, at] : cases) {
    // Past the start, where entries of the tangents are zero that are not later.
    RunSetup ahead = fixed(0.2, "generalized-alpha", 1e-3);
    ahead.formulation = "index3";
    const Results moved = simulate(*at->system, at->start, ahead);
    ASSERT_TRUE(moved.good()) << name << ": " << moved.message;
    for (const char* method :
         {"lagrange dopri5", "lagrange radau-iia5", "index3 generalized-alpha", "baumgarte rk4"}) {
      const std::string text = method;
      const size_t space = text.find(' ');
      const std::string integrator = text.substr(space + 1);
      const bool fixed_step = integrator != "dopri5" && integrator != "radau-iia5";
      const Choices choices = choose_methods(text.substr(0, space), integrator, "", {}, fixed_step);
      SCOPED_TRACE(std::string(name) + " " + method);
      EXPECT_EQ(allocations_in_steps(*at->system, moved.final, choices, fixed_step ? 1e-7 : 0), 0);
    }
  }
}

// The other coordinate sets, a mean axis, imported-like modes in space, and what conserves energy.
TEST(Allocation, NoneInAStepOfFlexibleBodiesInEverySet) {
  const auto of = [](Model model, const char* coordinates) {
    return assembled(std::move(model), coordinates);
  };
  FlexibleSpec mean = sample_mesh(true, true), modal = sample_mesh(true, false);
  mean.frame = FlexibleSpec::Frame::mean_axis;
  modal.stiffening = FlexibleSpec::Stiffening::none;
  modal.modes = ModesSpec{"craig-bampton", 2, {}, {0, 3}};
  modal.frame = FlexibleSpec::Frame::mean_axis;
  const Model pendulum = flexible_problem("flexible-pendulum", {{"elements", "5"}});
  Model masses;
  masses.name = "masses";
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = "m" + std::to_string(i);
    body.mass = 1;
    body.point = true;
    body.points = {{"P", Vec3::Zero()}};
    body.position = Vec3(0.5 * i, 0.1 * (i % 2), 0);
    body.velocity = Vec3(0, i % 2 == 0 ? 1 : -1, 0);
    masses.bodies.push_back(body);
  }
  const auto at = [](int i) { return point("m" + std::to_string(i), "P"); };
  for (int i = 0; i < 2; ++i)
    masses.forces.push_back(element("bar" + std::to_string(i), "truss",
                                    {{"a", at(i)},
                                     {"b", at(i + 1)},
                                     {"stiffness", FieldValue(200.0)},
                                     {"free_length", FieldValue(0.5)}}));
  masses.forces.push_back(element(
      "bend", "bending", {{"a", at(0)}, {"b", at(2)}, {"center", at(1)}, {"stiffness", FieldValue(2.0)}}));
  struct Case {
    const char* name;
    AssembledModel model;
    bool learns, conserves;
  };
  std::vector<Case> cases;
  cases.push_back(
      {"mean axis, euler-parameters", of(one_flexible(mean, true), "euler-parameters"), false, false});
  cases.push_back({"modes in space", of(one_flexible(modal, true), "reference-point"), false, false});
  cases.push_back({"arm, relative", of(model_file("flexible-robot-arm"), "relative"), true, false});
  cases.push_back(
      {"slider-crank, relative", of(flexible_problem("flexible-slider-crank", {}), "relative"), true, false});
  cases.push_back({"slider-crank in space",
                   of(model_file("flexible-spatial-slider-crank"), "reference-point"), true, false});
  cases.push_back({"cable, natural", of(pendulum, "natural"), false, false});
  cases.push_back({"cable, conserving", of(pendulum, "reference-point"), false, true});
  cases.push_back({"masses, conserving", of(masses, "reference-point"), false, true});
  for (const Case& c : cases) {
    // Past the start, where entries of the tangents are zero that are not later.
    RunSetup ahead = fixed(0.02, "generalized-alpha", 1e-4);
    ahead.formulation = "index3";
    const Results moved = simulate(c.model.system(), c.model.start(), ahead);
    ASSERT_TRUE(moved.good()) << c.name << ": " << moved.message;
    const auto expect_none = [&](const char* formulation, const char* integrator,
                                 const std::map<std::string, std::string>& options) {
      const bool adaptive = integrator == std::string("dopri5") || integrator == std::string("radau-iia5");
      SCOPED_TRACE(std::string(c.name) + " " + formulation + " " + integrator);
      const Choices choices = choose_methods(formulation, integrator, "", options, !adaptive);
      EXPECT_EQ(allocations_in_steps(c.model.system(), moved.final, choices, adaptive ? 0 : 1e-6), 0);
    };
    expect_none("lagrange", "dopri5", {});
    // Sparse factors take in what was zero until then (newton_lu.hpp): relative sets by differences and sections in space do so late.
    if (!c.learns) expect_none("lagrange", "radau-iia5", {});
    expect_none("index3", "generalized-alpha", {});
    if (c.conserves) expect_none("index3", "gssss", {{"forces", "conserving"}, {"constraint", "2"}});
  }
}

TEST(Allocation, NoneInAStepOfTheGssssOptions) {
  const auto four = problem("four-mass");  // elements
  const auto pendulum = problem("double-pendulum");
  for (const auto* at : {&four, &pendulum})
    for (const char* forces : {"midpoint", "conserving"})
      for (const char* constraint : {"1", "2", "3", "4"}) {
        const Choices choices =
            choose_methods("index3", "gssss", "none", {{"forces", forces}, {"constraint", constraint}}, true);
        EXPECT_EQ(allocations_in_steps(*at->system, at->start, choices, 1e-2), 0) << forces << constraint;
      }
}

// Records make tables longer, a few times in hundreds of records, and allocate nothing else.
TEST(Allocation, NoneInARecord) {
  constexpr int kRecords = 400, kGrowths = 100;  // a dozen tables, three doublings each at most
  const Choices choices = choose_methods("lagrange", "", "", {}, false);
  for (const char* name : {"andrews-bodies", "spatial-slider-crank", "bricard"})
    for (const std::string set : {"reference-point", "relative", "natural"}) {
      const AssembledModel model = assembled(model_file(name), set);
      const DescriptorSystem& system = model.system();
      AngleTracker angles(system);
      angles.start(model.start(), 0, nullptr);
      Recorder recorder(system, choices.make_form(system), angles, StepControl{});
      if (const auto rows = find_redundancy(system, model.start()).rows; !rows.empty())
        recorder.drop_rows(rows);
      const auto form = choices.make_form(system);
      Vec y(form->size());
      form->pack(model.start(), 0, y);
      const auto record = [&](int count) {
        for (int i = 0; i < count; ++i) {
          recorder.record(model.start(), 0, {});
          recorder.record_between(0, y, {});
        }
      };
      record(kRecords / 4);
      allocations = 0;
      counting = true;
      record(kRecords);
      counting = false;
      EXPECT_LT(allocations, kGrowths) << name << " " << set;
    }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
