// Every planar model of rigid bodies of models/ in relative coordinates: the same motion as in reference-point ones, to the tolerance of
// the integration.
#include <algorithm>
#include <filesystem>

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

std::vector<std::string> planar_model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".json") {
      const Model model = read_model(entry.path().string());
      // Relative coordinates refuse the others.
      if (model.space == Space::planar && model.all_rigid() && !model.has_switched_rows())
        names.push_back(entry.path().stem().string());
    }
  std::sort(names.begin(), names.end());
  return names;
}

class EveryPlanarModel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPlanarModel, MovesAlikeInRelativeCoordinates) {
  const Model model = model_file(GetParam());
  const auto bodies = assembled(model), relative = assembled(model, "relative");
  EXPECT_LT(relative.system().layout().nv, bodies.system().layout().nv);
  RunSetup setup = figures_only(model.simulate.t_end.value_or(1));
  setup.rtol =
      1e-10;  // work of drivers has no vote in step control: it is an order less accurate than the motion
  const Results a = simulate(bodies.system(), bodies.start(), setup);
  const Results b = simulate(relative.system(), relative.start(), setup);
  ASSERT_TRUE(a.good()) << a.message;
  ASSERT_TRUE(b.good()) << b.message;

  std::vector<Pose> there, here;
  bodies.system().poses(a.final.t, a.final.q, there);
  relative.system().poses(b.final.t, b.final.q, here);
  const double length = bodies.system().layout().length;
  for (size_t i = 0; i < there.size(); ++i) {
    EXPECT_LT((there[i].position - here[i].position).norm(), 1e-7 * length);
    EXPECT_LT((there[i].quaternion - here[i].quaternion).norm(), 1e-7);
  }
  const State carried = relative.compiled.from_reference(a.final);
  const double speed = std::max(1.0, max_abs(carried.v.cwiseQuotient(relative.system().layout().v_scale)));
  EXPECT_LT(max_abs((carried.v - b.final.v).cwiseQuotient(relative.system().layout().v_scale)), 1e-6 * speed);
  EXPECT_LT(b.energy->max_relative_error, 1e-7);
  EXPECT_LT(b.drift.position_max, 1e-12 * length);
}

INSTANTIATE_TEST_SUITE_P(Models,
                         EveryPlanarModel,
                         ::testing::ValuesIn(planar_model_names()),
                         [](const auto& test) { return plain(test.param); });

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
