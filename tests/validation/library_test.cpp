// The whole library against its reference values: every problem with its default methods and with each of those that its record
// recommends, at a tight tolerance. What a record recommends must hold.
#include <fmt/format.h>

#include "driftless/compare/method_text.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/names.hpp"
#include "driftless/run/settings.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

constexpr double kTolerance = 1e-10;

// How far a method that is exact up to its tolerance may be off, beside what the reference itself may: motions that magnify
// errors are left the factor that they do so by.
double allowed(double value) { return 1e3 * kTolerance * (1 + std::abs(value)); }

// What the motion does to errors until the last instant.
double magnification(const std::string& problem) {
  if (problem == "andrews") return 100;      // a hundred turns of the crank: phase
  if (problem == "circle-track") return 10;  // 16 turns, ever faster: phase
  return 1;
}

RunSettings settings_of(const std::string& method) {
  RunSettings settings;
  settings.rtol = kTolerance;
  settings.atol = kTolerance / 10;
  if (method.empty()) return settings;
  const MethodText text = parse_method(method);
  settings.coordinates = text.coordinates;
  settings.formulation = text.formulation;
  settings.integrator = text.integrator;
  settings.stabilization = text.stabilization;
  settings.options = text.options;
  const MethodNames names = method_names(settings);
  settings.integrator = names.integrator;
  settings.stabilization = names.stabilization;
  return settings;
}

bool is_fixed(const std::string& method) {
  const MethodNames names = method_names(settings_of(method));
  for (const IntegratorRecord* integrator : integrator_records())
    if (integrator->method.name == names.integrator) return !integrator->adaptive;
  return false;
}

std::map<std::string, double> values_of(const Results& results, const DescriptorSystem& system) {
  std::map<std::string, double> found;
  const Layout& layout = system.layout();
  const auto names = system.quantity_names();
  for (size_t i = 0; i < names.size(); ++i)
    found[names[i]] = results.final_quantities[static_cast<Eigen::Index>(i)];
  for (int i = 0; i < layout.nq; ++i) found[layout.q_names[size_t(i)]] = results.final.q[i];
  for (int i = 0; i < layout.nv; ++i) found[layout.v_names[size_t(i)]] = results.final.v[i];
  return found;
}

using Instants = std::map<double, std::vector<ReferenceValue>>;

Instants instants_of(const ProblemRecord& record) {
  Instants out;
  for (const ReferenceValue& value : record.values) out[value.t].push_back(value);
  return out;
}

void expect_references(const ProblemRecord& record,
                       const std::string& method,
                       double t,
                       const std::vector<ReferenceValue>& values) {
  const double factor = t == instants_of(record).begin()->first ? 1 : magnification(record.name);
  SCOPED_TRACE(fmt::format("{} to {} s by {}", record.name, t, method.empty() ? "its defaults" : method));
  RunSettings settings = settings_of(method);
  settings.t_end = t;
  const Case input = prepare(find_target(record.name), settings);
  Setup setup = make_setup(input.settings);
  setup.record = false;
  const Results results = simulate(*input.system, input.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  std::map<std::string, double> found = values_of(results, *input.system);
  int compared = 0;
  for (const ReferenceValue& value : values)
    if (found.contains(value.name)) {  // coordinates of the problem are not those of every set
      ++compared;
      EXPECT_NEAR(found[value.name], value.value, value.reliable + factor * allowed(value.value))
          << value.name;
    }
  EXPECT_GT(compared, 0) << "no value has the name of a coordinate or a quantity";
}

void expect_references(const ProblemRecord& record,
                       Instants::const_iterator begin,
                       Instants::const_iterator end) {
  std::vector<std::string> methods;
  if (record.step == 0) methods.emplace_back();
  for (const std::string& method : record.methods)
    if (!is_fixed(method)) methods.push_back(method);  // fixed steps: orders are tested elsewhere
  for (const std::string& method : methods)
    for (auto one = begin; one != end; ++one) expect_references(record, method, one->first, one->second);
}

class Library : public ::testing::TestWithParam<const ProblemRecord*> {};

TEST_P(Library, ReferencesAreMetByEveryMethodTheRecordRecommends) {
  const ProblemRecord& record = *GetParam();
  ASSERT_FALSE(record.values.empty()) << "no reference values";
  ASSERT_FALSE(record.difficulty.empty()) << "its page says what is hard about it";
  const Instants known = instants_of(record);
  expect_references(record, known.begin(), std::next(known.begin()));
}

TEST_P(Library, ReferencesAreMetAtTheOtherInstantsToo_full) {
  const Instants known = instants_of(*GetParam());
  expect_references(*GetParam(), std::next(known.begin()), known.end());
}

// What rounding leaves of a motion that magnifies it, relative to 1 + |value|: at rtol 1e-13 two pairs were measured within a third of it.
double rounding(const std::string& problem) {
  static const std::map<std::string, double> known = {
      {"andrews", 5e-9},                // the crank has turned a hundred times
      {"n-four-bar", 2e-9},             // singular positions, passed by what is left of the rows there
      {"stabilization-index3", 3e-10},  // nu = 1000: what is off counts a thousandfold
      {"seven-bar", 1e-10},
      {"circle-track", 1e-10},  // 100 rad at the end, ever faster
      {"manipulator-prescribed", 1e-10},
      {"singular-slider-crank", 1e-10}};
  const auto found = known.find(problem);
  return found == known.end() ? 3e-11 : found->second;
}

// Every reference, at every instant, by two different pairs of formulation and integrator at a tight tolerance: to its own digits, or to
// those that rounding leaves. The pairs are tried in turn: singular positions, stiff and fast problems leave some out.
TEST_P(Library, ReferencesAreMetByTwoPairsOfMethods_full) {
  const ProblemRecord& record = *GetParam();
  struct Pair {
    const char *formulation, *integrator;
    bool fixed = false;  // with the problem's own step
    std::map<std::string, std::string> options = {};
    double rtol = 0;  // 0: the tightest
  };
  std::vector<Pair> pairs;
  if (record.step > 0)  // equilibria are met by any step
    pairs = {{record.formulation.c_str(), record.integrator.c_str(), true},
             {"lagrange", "backward-euler", true}};
  pairs.insert(pairs.end(),
               {{"lagrange", "dop853"},
                {"lagrange", "radau-iia5"},
                {"projection-independent", "dop853"},
                {"index2-ggl", "radau-iia5"},
                // Stiff penalties: rows are not held for a shorter time where they lose rank.
                {"augmented-lagrangian", "adams", false, {{"penalty", "1e8"}, {"tolerance", "1e-14"}}, 1e-12},
                {"augmented-lagrangian",
                 "dop853",
                 false,
                 {{"penalty", "1e9"}, {"iterations", "6"}, {"tolerance", "1e-14"}},
                 1e-11},
                {"index3", "radau-iia5"}});
  double coarsest = 0;  // digits of the reference
  for (const ReferenceValue& value : record.values)
    coarsest = std::max(coarsest, value.reliable / (1 + std::abs(value.value)));
  const double slack = rounding(record.name), tightest = coarsest > 1e-12 ? 1e-12 : 1e-13;
  const Instants known = instants_of(record);
  std::string met, missed;
  int count = 0;
  for (const Pair& pair : pairs) {
    if (count == 2) break;
    const std::string name = std::string(pair.formulation) + "/" + pair.integrator;
    std::string trouble;
    double worst = 0;
    for (const auto& [t, values] : known) {
      RunSettings settings;
      settings.formulation = pair.formulation;
      settings.integrator = pair.integrator;
      settings.rtol = pair.rtol > 0 ? pair.rtol : tightest;
      settings.atol = *settings.rtol / 10;
      settings.options = pair.options;
      settings.t_end = t;
      settings.max_steps = 5000000;
      const Case input = prepare(find_target(record.name), settings);
      RunSetup setup = make_setup(input.settings);
      setup.record = false;
      setup.step = pair.fixed ? record.step : 0;
      const Results results = simulate(*input.system, input.start, setup);
      if (!results.good()) {
        trouble = results.message;
        break;
      }
      const auto found = values_of(results, *input.system);
      for (const ReferenceValue& value : values) {
        const auto own = found.find(value.name);
        ASSERT_NE(own, found.end()) << value.name;
        const double off = std::abs(own->second - value.value), size = 1 + std::abs(value.value);
        worst = std::max(worst, off / (value.reliable + slack * size));
      }
    }
    if (trouble.empty() && worst <= 1) {
      met += " " + name;
      ++count;
    } else {
      missed += "\n  " + name + ": " +
                (trouble.empty() ? "off by " + std::to_string(worst) + " of what is allowed" : trouble);
    }
  }
  EXPECT_EQ(count, 2) << "met by" << met << "; not by" << missed;
  RecordProperty("met", met);
}

std::vector<const ProblemRecord*> all_problems() {
  return {problem_records().begin(), problem_records().end()};
}
INSTANTIATE_TEST_SUITE_P(All, Library, ::testing::ValuesIn(all_problems()), [](const auto& test) {
  return plain(test.param->name);
});

// Explicit Euler's drift on Chin's Example 3.1, (2) of drift_example.cpp.
TEST(DriftExample, EulerDriftsAsTheClosedFormSays) {
  const double h = 0.01;
  const auto drift = [&](const std::string& formulation, const std::map<std::string, std::string>& options) {
    const auto example = problem("drift-example");
    RunSetup setup = fixed(1, "euler", h);
    setup.formulation = formulation;
    setup.stabilization = "none";
    setup.options = options;
    const Results results = simulate(*example.system, example.start, setup);
    EXPECT_TRUE(results.good()) << results.message;
    return results.final.v[0] - 1;
  };
  const double n = 99;
  EXPECT_NEAR(drift("lagrange", {}), -h * h * h * (n + 1) * (1.5 * n + 1), 1e-12);
  EXPECT_NEAR(drift("baumgarte", {{"alpha_n", "100"}}), -h * h * h * (3 * n + 1), 1e-12);
}

// García de Jalón & Bayo, Example 7.1: one step of the trapezoidal rule by hand, below and above its critical step 4/(A − A₁) = 2.22.
TEST(NonlinearDecay, TrapezoidalRuleHasACriticalStep) {
  const auto step = [](double h) {
    const auto decay = problem("nonlinear-decay");
    const RunSetup setup = fixed(h, "trapezoidal", h);
    return simulate(*decay.system, decay.start, setup);
  };
  const Results below = step(2);
  ASSERT_TRUE(below.good()) << below.message;
  EXPECT_NEAR(below.final.v[0], (-4 + std::sqrt(16 - 12.96)) / 3.6, 1e-9);
  EXPECT_LT(2, 4 / (0.9 * (1 - below.final.v[0])));
  EXPECT_FALSE(step(2.4).good());  // y₁ (2 + h A₁) = y (2 − h A) has no real solution
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
