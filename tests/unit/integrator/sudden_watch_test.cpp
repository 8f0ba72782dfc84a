// What counts as sudden, for functions and nodes of schemes given one by one: sudden_watch.hpp (1) to (4).
#include "driftless/integrator/sudden_watch.hpp"

#include <cmath>

#include "driftless/integrator/explicit/tableau_dop853.hpp"

#include "support/runs.hpp"

namespace driftless {
namespace DRIFTLESS_FILE {

using namespace testing;

using Function = std::function<double(double)>;

// A point on a line, with one function of time and, if asked for, one of its place.
class WithProbe final : public DescriptorSystem, public Probed {
 public:
  WithProbe(Function f, bool of_place)
      : DescriptorSystem(layout_of()), f_(std::move(f)), of_place_(of_place) {}

  void position(double, ConstVec, Terms&) const override {}
  void mass(double, ConstVec, Terms& terms) const override { terms.M.coeffRef(0, 0) = 1; }
  void bias(double, ConstVec, ConstVec, Terms&) const override {}
  void force(double, ConstVec, ConstVec, Terms& terms) const override { terms.f[0] = 0; }
  std::vector<Probe> probes() const override {
    Probe probe;
    probe.what = "the function";
    probe.value = [this](double t, double x, double) { return f_(of_place_ ? x : t); };
    probe.place = of_place_ ? 0 : -1;
    return {probe};
  }
  void probe_places(ConstVec q, Terms&, VecRef x) const override { x[0] = q[0]; }

 private:
  static Layout layout_of() {
    Layout layout;
    layout.nq = layout.nv = 1;
    return completed(layout);
  }
  Function f_;
  bool of_place_;
};

StepControl tolerance(double rtol) {
  StepControl control;
  control.rtol = rtol;
  return control;
}

// Where a first step from 0 to `end` in a run of 10 s has to end. The place, if it is one, goes from 0 to `end` as well.
double end_of_step(const Function& f,
                   double end,
                   const StepControl& control,
                   std::span<const double> c = {},
                   bool of_place = false) {
  const WithProbe system(f, of_place);
  SuddenWatch watch(system, control);
  return watch.end_of_step(0, Vec::Zero(1), end, Vec::Constant(1, end), c);
}

std::span<const double> stages(const Tableau& tableau) { return {tableau.c.data(), size_t(tableau.stages)}; }

double bell(double t, double at, double width) { return std::exp(-0.5 * std::pow((t - at) / width, 2)); }

TEST(SuddenWatch, CutsAStepWhereAPulseBeginsThatNoStageHasSeen) {
  for (const bool of_place : {false, true})
    for (const auto c : {std::span<const double>(), stages(kDopri5)})
      for (const double rtol : {1e-2, 1e-5, 1e-8}) {
        const double end =
            end_of_step([](double t) { return 3 * bell(t, 5.5, 0.02); }, 10, tolerance(rtol), c, of_place);
        EXPECT_GT(end, 5.2) << rtol;  // the tail passes 1e-8 at 6 widths
        EXPECT_LT(end, 5.5) << rtol;
      }
}

TEST(SuddenWatch, SeesPulsesOnTopOfWhatIsNotSudden) {
  const auto ramp = [](double t) { return 40 * t + bell(t, 5.5, 0.02); };
  EXPECT_LT(end_of_step(ramp, 10, tolerance(1e-6), stages(kDopri5)), 5.5);
  EXPECT_LT(end_of_step(ramp, 10, tolerance(1e-6)), 5.5);
  const auto wave = [](double t) { return std::sin(0.2 * t) + 0.05 * bell(t, 5.5, 0.02); };
  EXPECT_LT(end_of_step(wave, 10, tolerance(1e-6), stages(kDopri5)), 5.5);
}

TEST(SuddenWatch, SeesPulsesOfAThousandthOfTheRun) {
  EXPECT_LT(end_of_step([](double t) { return bell(t, 7.77, 0.004); }, 10, tolerance(1e-6), stages(kDopri5)),
            7.77);
}

TEST(SuddenWatch, CutsAStepThatBeginsWithTheRise) {
  // f'' of a quintic rise vanishes at both of its ends.
  const auto rise = [](double t) { return t * (1 - t) * (1 - 2 * t); };
  EXPECT_EQ(end_of_step(rise, 1, tolerance(1e-6)), 1.0 / 8);
  EXPECT_EQ(end_of_step(rise, 1, tolerance(1e-6), stages(kDopri5)), 1);  // its stages see it
}

TEST(SuddenWatch, LeavesWhatASchemeResolvesToItsEstimate) {
  const Function smooth[] = {[](double) { return 5.0; }, [](double t) { return 1 + t * (2 - t * t); },
                             [](double t) { return std::sin(2 * t); }, [](double t) { return std::exp(-t); },
                             [](double t) { return bell(t, 0.5, 0.5); }};
  for (const auto& f : smooth) {
    EXPECT_EQ(end_of_step(f, 1, tolerance(1e-10), stages(kDopri5)), 1);
    EXPECT_EQ(end_of_step(f, 1, tolerance(1e-10), stages(kDop853)), 1);
    // Schemes that see ends of steps only.
    const WithProbe system(f, false);
    SuddenWatch watch(system, tolerance(1e-10));
    int cut = 0;
    for (double t = 0.001, h = 1e-6; t < 9; t += h, h = std::min(2 * h, 0.05))
      cut += watch.end_of_step(t, Vec::Zero(1), t + h, Vec::Zero(1), {}) < t + h;
    EXPECT_EQ(cut, 0);
  }
}

TEST(SuddenWatch, GivenStepsAreNotCutButWarnedOf) {
  StepControl control;
  control.step = 1;
  const WithProbe system([](double t) { return bell(t, 4.5, 0.02); }, false);
  SuddenWatch watch(system, control);
  for (int k = 0; k < 10; ++k)
    EXPECT_EQ(watch.end_of_step(k, Vec::Zero(1), k + 1, Vec::Zero(1), stages(kRk4)), k + 1);
  EXPECT_TRUE(watch.warning().starts_with("1 of 10 steps, from t = 4 on, passed over what the function does"))
      << watch.warning();
}

TEST(SuddenWatch, SystemsWithoutProbesAreNotWatched) {
  const auto track = problem("circle-track");
  EXPECT_TRUE(SuddenWatch(*track.system, tolerance(1e-6)).idle());
}

}  // namespace DRIFTLESS_FILE
}  // namespace driftless
