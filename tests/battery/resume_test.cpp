// A run that stops and goes on is the run that never stopped: to the last bit, or it says that it is not. Every formulation
// with every integrator that goes with it.
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/choices.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

bool same_bits(const Vec& a, const Vec& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * size_t(a.size())) == 0;
}

bool says_so(const Results& results) {
  for (const std::string& notice : results.notices)
    if (notice.find("not to round-off") != std::string::npos) return true;
  return false;
}

struct Verdict {
  int exact = 0, noticed = 0;
  std::vector<std::string> silent, noticed_names;
};

void compare(const DescriptorSystem& system,
             const State& start,
             const std::string& name,
             RunSetup setup,
             Verdict& verdict,
             double cut = 0.47) {
  const double t_end = setup.t_end;
  Results whole, first, second;
  try {
    whole = simulate(system, start, setup);
  } catch (const InputError&) {
    return;  // refused
  }
  if (!whole.good()) return;
  setup.t_end = cut * t_end;
  first = simulate(system, start, setup);
  ASSERT_TRUE(first.good() && first.checkpoint) << name << ": " << first.message;
  setup.t_end = t_end;
  setup.checkpoint = first.checkpoint;
  second = simulate(system, first.final, setup);
  ASSERT_TRUE(second.good()) << name << ": " << second.message;
  if (says_so(second)) {
    ++verdict.noticed;
    verdict.noticed_names.push_back(name);
  } else if (same_bits(whole.final.q, second.final.q) && same_bits(whole.final.v, second.final.v)) {
    ++verdict.exact;
  } else {
    verdict.silent.push_back(name);
  }
}

void sweep(const AssembledModel& model, double t_end, double step, Verdict& verdict) {
  for (const FormulationRecord* formulation : formulation_records())
    for (const IntegratorRecord* integrator : integrator_records()) {
      if (!fits(*formulation, *integrator)) continue;
      RunSetup setup = figures_only(t_end);
      setup.formulation = formulation->method.name;
      setup.integrator = integrator->method.name;
      setup.rtol = 1e-5;
      const std::string name = setup.formulation + " " + setup.integrator;
      if (integrator->adaptive) compare(model.system(), model.start(), name, setup, verdict);
      setup.step = step;
      if (integrator->takes_step) compare(model.system(), model.start(), name + " fixed", setup, verdict);
    }
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

// All that is not said to be otherwise is exact, and few say so: the integrators of SUNDIALS, projection-dependent, and runs whose
// first step was bounded by their end.
void expect_exact(const Verdict& verdict) {
  EXPECT_TRUE(verdict.silent.empty()) << joined(verdict.silent);
  EXPECT_GT(verdict.exact, 100);
  std::vector<std::string> others;
  for (const std::string& name : verdict.noticed_names) {
    bool is_known = false;
    for (const char* word : {"cvode", "arkode", "ida", "projection-dependent"})
      is_known = is_known || name.find(word) != name.npos;
    if (!is_known) others.push_back(name);
  }
  EXPECT_LT(others.size(), 0.05 * verdict.exact) << joined(others);
}

TEST(Resume, IsExactOrSaysThatItIsNotFourBar) {
  Verdict verdict;
  sweep(assembled(model_file("four-bar")), 0.2, 2e-3, verdict);
  expect_exact(verdict);
}

TEST(Resume, IsExactOrSaysThatItIsNotInSpace_full) {
  for (const char* coordinates : {"reference-point", "euler-parameters", "relative", "natural"}) {
    Verdict verdict;
    sweep(assembled(model_file("spatial-double-pendulum"), coordinates), 0.4, 4e-3, verdict);
    expect_exact(verdict);
  }
}

// Cut anywhere: every integrator of our own, with the first formulation of each kind it takes.
TEST(Resume, IsExactAtRandomCuts_full) {
  const auto model = assembled(model_file("four-bar"));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0.02, 0.98);
  Verdict verdict;
  for (const IntegratorRecord* integrator : integrator_records()) {
    const std::string& name = integrator->method.name;
    if (name.find("cvode") == 0 || name == "arkode" || name == "ida")
      continue;  // they say that they start anew
    for (const FormKind kind : {FormKind::ode, FormKind::residual})
      for (const FormulationRecord* formulation : formulation_records()) {
        if (formulation->kind != kind || !fits(*formulation, *integrator)) continue;
        for (int k = 0; k < 20; ++k) {
          RunSetup setup = figures_only(0.2);
          setup.formulation = formulation->method.name;
          setup.integrator = name;
          setup.rtol = 1e-5;
          if (!integrator->adaptive || (k % 2 == 1 && integrator->takes_step)) setup.step = 2e-3;
          const double cut = share(random);
          compare(model.system(), model.start(),
                  fmt::format("{} {} {} {}", setup.formulation, name, setup.step > 0 ? "fixed" : "", cut),
                  setup, verdict, cut);
        }
        break;
      }
  }
  EXPECT_TRUE(verdict.silent.empty()) << joined(verdict.silent);
  EXPECT_GT(verdict.exact, 400);
  EXPECT_LT(verdict.noticed, 0.02 * verdict.exact) << joined(verdict.noticed_names);
}

// Redundant rows, discontinuities on the way, and more than 24 unknowns: sparse factors, whose pivots have a history.
TEST(Resume, IsExactOnRedundantAndLargerMechanisms_full) {
  for (const char* name : {"bricard", "stewart-platform"}) {
    Verdict verdict;
    const auto model = assembled(model_file(name), "euler-parameters");
    for (const char* methods :
         {"lagrange dopri5", "lagrange bdf", "index3 generalized-alpha", "index2-ggl radau-iia5",
          "index2 bdf", "index3 gssss", "partitioned sdirk4", "baumgarte adams", "penalty dopri5"}) {
      const std::string both = methods;
      RunSetup setup = figures_only(0.05);
      setup.formulation = both.substr(0, both.find(' '));
      setup.integrator = both.substr(both.find(' ') + 1);
      compare(model.system(), model.start(), std::string(name) + " " + both, setup, verdict);
    }
    EXPECT_TRUE(verdict.silent.empty()) << joined(verdict.silent);
  }
}

// The watch over sudden functions has a past, too: of time (a pulse in a rest, which cuts steps), and of a place (a bump in a road).
TEST(Resume, IsExactWhereFunctionsAreWatched) {
  const auto block = assembled(parse_model(R"json({ "driftless": 1, "name": "block", "space": "planar",
    "ground": { "points": { "O": [0, 0] } },
    "bodies": [ { "name": "block", "mass": 2, "inertia": 1, "points": { "c": [0, 0] }, "position": [0, 0] } ],
    "joints": [ { "name": "guide", "type": "translational", "a": "ground.O", "axis": [1, 0], "b": "block.c" } ],
    "forces": [ { "name": "push", "type": "point-force", "at": "block.c",
      "force": [ { "type": "expression", "text": "0.1*t + 10*exp(-(t-6.3)^2/(2*0.02^2))" }, 0 ] } ] })json",
                                           "block.json"));
  const auto car = assembled(model_file("five-link-suspension"));
  Verdict verdict;
  for (const char* methods :
       {"lagrange dopri5", "lagrange trapezoidal", "lagrange abm4", "lagrange adams", "lagrange bdf",
        "penalty adams", "index3 bdf", "index3 generalized-alpha", "lagrange auto"}) {
    const std::string both = methods;
    for (const double t_end : {10.0, 13.2, 13.42}) {  // the first part ends in front of the pulse, or on it
      RunSetup setup = figures_only(t_end);
      setup.formulation = both.substr(0, both.find(' '));
      setup.integrator = both.substr(both.find(' ') + 1);
      setup.rtol = 1e-4;
      compare(block.system(), block.start(), fmt::format("block {} {}", both, t_end), setup, verdict);
      setup.t_end = t_end / 13.2;
      if (t_end < 13.3)
        compare(car.system(), car.start(), fmt::format("car {} {}", both, t_end), setup, verdict);
    }
  }
  EXPECT_TRUE(verdict.silent.empty()) << joined(verdict.silent);
  EXPECT_LT(verdict.noticed, 5) << joined(verdict.noticed_names);
  EXPECT_GT(verdict.exact, 35);
}

// What a checkpoint remembers can be edited: then it is the state alone that counts, and the run says so.
// Where tyres leave the road before and behind the cut: what reads the states there has a past, too.
TEST(Resume, IsExactWhereEventsCutSteps) {
  const auto suspension = assembled(model_file("five-link-suspension"), "euler-parameters");
  Verdict verdict;
  for (const char* formulation : {"lagrange", "partitioned", "canonical-independent"})
    for (const char* integrator : {"dopri5", "rosenbrock4"}) {
      RunSetup setup = figures_only(0.35);
      setup.formulation = formulation;
      setup.integrator = integrator;
      setup.rtol = 1e-4;
      compare(suspension.system(), suspension.start(), setup.formulation + " " + setup.integrator, setup,
              verdict, 0.51);
    }
  EXPECT_EQ(verdict.exact, 6) << joined(verdict.silent) << joined(verdict.noticed_names);
}

TEST(Resume, AMemoryThatDoesNotFitIsRefused) {
  const auto model = assembled(model_file("four-bar"));
  for (const char* methods :
       {"lagrange dopri5", "lagrange bdf", "lagrange adams", "partitioned sdirk4", "index3 generalized-alpha",
        "index2-ggl radau-iia5", "lagrange auto", "canonical-lagrange dopri5"}) {
    const std::string both = methods;
    RunSetup setup = figures_only(0.05);
    setup.formulation = both.substr(0, both.find(' '));
    setup.integrator = both.substr(both.find(' ') + 1);
    const Results first = simulate(model.system(), model.start(), setup);
    ASSERT_TRUE(first.good() && first.checkpoint->memory.size() > 1) << methods;
    setup.t_end = 0.1;
    for (const int way : {0, 1, 2}) {
      setup.checkpoint = first.checkpoint;
      Vec& memory = setup.checkpoint->memory;
      if (way == 0) memory.resize(0);
      if (way == 1) memory.conservativeResize(memory.size() / 2);
      if (way == 2) memory = Vec::Constant(memory.size(), -1e300);
      const Results second = simulate(model.system(), first.final, setup);
      EXPECT_TRUE(way == 2 || second.good()) << methods << ": " << second.message;
      EXPECT_TRUE(way == 2 || says_so(second)) << methods << " " << way;
    }
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
