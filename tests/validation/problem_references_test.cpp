// Problems given by their equations reach their reference values, which were found elsewhere.
#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

class EquationProblem : public ::testing::TestWithParam<const ProblemRecord*> {};

TEST_P(EquationProblem, ReachesItsReferenceValues) {
  const ProblemRecord& record = *GetParam();
  const auto instance = instantiate(record, Options(record.name, record.options, {}));
  const Layout& layout = instance.system->layout();
  std::map<double, std::vector<ReferenceValue>> known;
  for (const ReferenceValue& value : record.values) known[value.t].push_back(value);
  for (const auto& [t, values] : known) {
    if (t > 5) continue;  // quick
    RunSetup setup = figures_only(t);
    setup.rtol = 1e-12;
    setup.formulation = record.formulation;
    setup.integrator = record.integrator;
    setup.stabilization = record.stabilization;
    const Results results = simulate(*instance.system, instance.start, setup);
    ASSERT_TRUE(results.good()) << results.message;
    std::map<std::string, double> found;
    for (int i = 0; i < layout.nq; ++i) found[layout.q_names[size_t(i)]] = results.final.q[i];
    for (int i = 0; i < layout.nv; ++i) found[layout.v_names[size_t(i)]] = results.final.v[i];
    const auto names = instance.system->quantity_names();
    for (size_t i = 0; i < names.size(); ++i)
      found[names[i]] = results.final_quantities[static_cast<Eigen::Index>(i)];
    for (const ReferenceValue& known_value : values) {
      const auto& [at, name, value, reliable] = known_value;
      ASSERT_TRUE(found.contains(name)) << name;
      ASSERT_GT(reliable, 0) << name << ": a reference says how far it can be trusted";
      EXPECT_NEAR(found[name], value, reliable + 1e-8 * (1 + std::abs(value))) << name << " at " << at;
    }
  }
}

std::vector<const ProblemRecord*> equation_problems() {
  std::vector<const ProblemRecord*> records;
  for (const ProblemRecord* record : problem_records())
    if (record->make != nullptr) records.push_back(record);
  return records;
}
INSTANTIATE_TEST_SUITE_P(Library,
                         EquationProblem,
                         ::testing::ValuesIn(equation_problems()),
                         [](const auto& test) { return plain(test.param->name); });

TEST(NaturalDoublePendulum, WithMassesAtTheTipsToo) {
  const ProblemRecord& record = *find_problem("natural-double-pendulum");
  const auto pendulum = instantiate(record, Options(record.name, record.options, {{"masses", "tips"}}));
  RunSetup setup = figures_only(2);
  setup.rtol = 1e-12;
  const Results results = simulate(*pendulum.system, pendulum.start, setup);
  ASSERT_TRUE(results.good()) << results.message;
  const double q[] = {-0.464412868699514, -0.8856188160751148, -1.4341248174642767, -1.129870195647158};
  const double v[] = {2.7146768995930746, -1.423559282671555, 3.4350405438200173, -4.283503142503697};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(results.final.q[i], q[i], 1e-9);
    EXPECT_NEAR(results.final.v[i], v[i], 1e-8);
  }
  EXPECT_NEAR(results.final_reaction.lambda[0], 13.48918170864358, 1e-7);
  EXPECT_NEAR(results.final_reaction.lambda[1], 6.670901799900733, 1e-7);
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
