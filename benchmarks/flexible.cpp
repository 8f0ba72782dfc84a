// What flexible bodies cost per element: all terms, one solution of the KKT system, one step of generalized-alpha (index 3, steps of 1e-4 s),
// nonzeros of the factor of the KKT matrix; beams in floating frames and cables, plane and space, n elements, pinned at one end.
// Linear means that the cost per element stays. CPU times, the least of some. Run by hand:
//   bench_flexible [largest n]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <Eigen/SparseCholesky>

#include "driftless/analysis/assembly.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/simulate.hpp"
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

double cpu_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

double seconds(auto&& prepare, auto&& work) {  // the best of some
  double best = 1e300;
  for (int k = 0; k < 15; ++k) {
    prepare(k);
    const double begin = cpu_time();
    work();
    best = std::min(best, cpu_time() - begin);
  }
  return best;
}

// Nonzeros of L of (5) of math/linear/kkt_solver.hpp.
double fill(const Layout& layout) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int r = 0; r < layout.nv; ++r)
    for (SparseRows::InnerIterator e(layout.M, r); e; ++e) entries.emplace_back(r, int(e.col()), 1);
  for (int r = 0; r < layout.m; ++r) {
    entries.emplace_back(layout.nv + r, layout.nv + r, 1);
    for (SparseRows::InnerIterator e(layout.J, r); e; ++e) {
      entries.emplace_back(layout.nv + r, int(e.col()), 1);
      entries.emplace_back(int(e.col()), layout.nv + r, 1);
    }
  }
  Eigen::SparseMatrix<double> K(layout.nv + layout.m, layout.nv + layout.m);
  K.setFromTriplets(entries.begin(), entries.end());
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factors;
  factors.analyzePattern(K);
  factors.factorize(K);
  return double(factors.matrixL().nestedExpression().nonZeros());
}

double step_seconds(const CompiledModel& compiled) {
  const State start = assemble(compiled, 0, "bench").state;
  const auto run = [&](int steps) {
    Setup setup;
    setup.t_end = 1e-4 * steps;
    setup.record = false;
    setup.formulation = "index3";
    setup.integrator = "generalized-alpha";
    setup.step = 1e-4;
    const double begin = cpu_time();
    if (!simulate(*compiled.system, start, setup).good()) std::printf("no run\n");
    return cpu_time() - begin;
  };
  double best = 1e300;  // without what a run costs besides its steps
  for (int k = 0; k < 3; ++k) best = std::min(best, (run(30) - run(10)) / 20);
  return best;
}

}  // namespace

int main(int count, char** words) {
  const int largest = count > 1 ? std::atoi(words[1]) : 2000;
  std::printf("per element:%-17s %8s %10s %10s %10s %12s\n", "", "elements", "terms us", "solve us",
              "step us", "nonzeros L");
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
            "%-28s %8d %10.3f %10.3f %10.2f %12.1f\n",
            (std::string(spatial ? "space, " : "plane, ") + (cable ? "cable" : "floating frame")).c_str(), n,
            1e6 * terms_time / n, 1e6 * solve_time / n, 1e6 * step_seconds(compiled) / n,
            fill(system.layout()) / n);
      }
}
