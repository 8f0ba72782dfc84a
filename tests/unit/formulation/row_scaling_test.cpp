// One row a thousand times longer and another a thousand times shorter change nothing: accelerations of the index-1 forms,
// and the steps of post-stabilisation.
#include "driftless/integrator/choices.hpp"
#include "driftless/system/user/jet_system.hpp"

#include "support/runs.hpp"
#include "support/slider_crank.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

struct ScaledSliderCrank : SliderCrank {
  template <class S>
  void constraint(const S& t, const S* q, S* g) const {
    SliderCrank::constraint(t, q, g);
    g[0] = 1e3 * g[0];
    g[5] = 1e-3 * g[5];
  }
};

TEST(RowScaling, ChangesNoAcceleration) {
  const auto plain_rows = make_system(SliderCrank{}), scaled_rows = make_system(ScaledSliderCrank{});
  State state = SliderCrank::at(0.7, 2);
  state.q[0] += 1e-4;  // off the constraints, where Baumgarte's terms act
  state.v[4] -= 1e-4;
  struct Case {
    const char* formulation;
    std::map<std::string, std::string> options;
  };
  for (const Case& c : {Case{"lagrange", {}}, Case{"lagrange", {{"solver", "schur"}}}, Case{"baumgarte", {}},
                        Case{"projection-dependent", {}}}) {
    const Choices choices = choose_methods(c.formulation, "rk4", "none", c.options, true);
    Vec slope[2];
    for (const int side : {0, 1}) {
      const DescriptorSystem& system = side == 0 ? *plain_rows : *scaled_rows;
      const auto form = choices.make_form(system);
      Vec y(form->size());
      form->pack(state, 0, y);
      slope[side].resize(form->size());
      ASSERT_EQ(form->derivative(0, y, slope[side]), Status::ok);
    }
    EXPECT_LT(max_difference(slope[0], slope[1]), 1e-12 * max_abs(slope[0])) << c.formulation;
  }
}

TEST(RowScaling, ChangesNoStabilisedStep) {
  const auto plain_rows = make_system(SliderCrank{}), scaled_rows = make_system(ScaledSliderCrank{});
  const State start = SliderCrank::at(0.4, 3);
  for (const char* stabilization : {"pstab", "s-both", "s-seq", "s-full", "projection"}) {
    RunSetup setup = fixed(0.5, "heun", 0.01);
    setup.stabilization = stabilization;
    const Results one = simulate(*plain_rows, start, setup), other = simulate(*scaled_rows, start, setup);
    ASSERT_TRUE(one.good() && other.good());
    EXPECT_LT(max_difference(one.final.q, other.final.q), 1e-12) << stabilization;
    EXPECT_LT(max_difference(one.final.v, other.final.v), 1e-11) << stabilization;
  }
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
