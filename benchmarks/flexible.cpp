// What flexible bodies cost per element: all terms and one solution of the KKT system, beams in floating frames and cables, plane and
// space, n elements, pinned at one end. Linear means that the cost per element stays. Run by hand:
//   bench_flexible [largest n]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/system/kernels/motion_solver.hpp"

namespace {

using namespace driftless;

Model pendulum(bool spatial, bool cable, int elements) {
  Model model;
  model.name = "pendulum";
  model.space = spatial ? Space::spatial : Space::planar;
  model.gravity = {0, -9.81, 0};
  FlexibleSpec spec;
  for (int i = 0; i <= elements; ++i) spec.nodes.push_back(Vec3(double(i) / elements, 0, 0));
  for (int i = 0; i < elements; ++i) spec.elements.emplace_back(i, i + 1);
  BeamSection section;
  section.EA = 1e4;
  section.EIy = section.EIz = 1;
  section.GJ = 1;
  section.rhoA = 0.1;
  section.rhoIy = section.rhoIz = 1e-4;
  spec.sections = {section};
  spec.rotary_inertia = spatial;
  if (cable) {
    spec.type = FlexibleSpec::Type::cable;
    spec.stiffening = FlexibleSpec::Stiffening::none;
  }
  Body body;
  body.name = "beam";
  body.flexible = spec;
  model.bodies = {body};
  Element pin{"pin", spatial ? "spherical" : "revolute", {}};
  pin.fields.emplace("a", PointRef{"ground", "", Vec3::Zero(), false});
  pin.fields.emplace("b", PointRef{"beam", "", Vec3::Zero(), false});
  model.joints = {pin};
  return model;
}

double seconds(auto&& prepare, auto&& work) {  // the best of some
  double best = 1e300;
  for (int k = 0; k < 7; ++k) {
    prepare(k);
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

}  // namespace

int main(int count, char** words) {
  const int largest = count > 1 ? std::atoi(words[1]) : 2000;
  std::printf("%-28s %8s %16s %16s\n", "", "elements", "terms us/element", "solve us/element");
  for (const bool spatial : {false, true})
    for (const bool cable : {false, true})
      for (const int n : {10, 50, 200, 1000, 2000}) {
        if (n > largest) continue;
        const CompiledModel compiled = compile(pendulum(spatial, cable, n), "reference-point", "bench");
        const DescriptorSystem& system = *compiled.system;
        Terms terms = system.make_terms();
        const auto solver = system.make_solver();
        Vec a(system.layout().nv), lambda(system.layout().m);
        // Solvers may know a matrix again: every time at another state.
        Vec q = compiled.guess.q;
        const auto elsewhere = [&](int k) {
          q = compiled.guess.q;
          system.retract(q, Vec::Constant(system.layout().nv, 1e-4 * (k + 1)));
        };
        const auto evaluated = [&](int k) {
          elsewhere(k);
          system.evaluate(0, q, compiled.guess.v, terms);
        };
        const double terms_time = seconds(elsewhere, [&] { system.evaluate(0, q, compiled.guess.v, terms); });
        const double solve_time = seconds(evaluated, [&] {
          if (solver->factor(terms) != Status::ok ||
              solver->solve(terms.f, terms.gamma, a, lambda) != Status::ok)
            std::printf("no solution\n");
        });
        std::printf(
            "%-28s %8d %16.3f %16.3f\n",
            (std::string(spatial ? "space, " : "plane, ") + (cable ? "cable" : "floating frame")).c_str(), n,
            1e6 * terms_time / n, 1e6 * solve_time / n);
      }
}
