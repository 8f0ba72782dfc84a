// The stages of an explicit Runge–Kutta step, tableau.hpp (1): what explicit_rk.cpp steps with and multistep methods start
// with.
#pragma once

#include <utility>

#include "driftless/core/statistics.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/explicit/tableau.hpp"

namespace driftless {

// out = y₀ + h Σ wⱼ kⱼ over the first `count` columns of k, count known to the compiler.
struct Unrolled {
  using Function = void (*)(const Vec& y0, const Mat& k, double h, const double* weights, Vec& out);

  template <int count>
  static void combine(const Vec& y0, const Mat& stages, double h, const double* weights, Vec& out) {
    const Eigen::Index n = y0.size();
    const double* const y = y0.data();
    const double* const k = stages.data();
    double* const to = out.data();
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = weights[0] * k[i];
      for (int j = 1; j < count; ++j) sum += weights[j] * k[j * n + i];
      to[i] = y[i] + h * sum;
    }
  }
  template <size_t... counts>
  static constexpr std::array<Function, sizeof...(counts)> table(std::index_sequence<counts...>) {
    return {&combine<static_cast<int>(counts) + 1>...};
  }
};

class ExplicitStages {
 public:
  ExplicitStages(const Tableau& of, int size)
      : tableau(of), k(size, of.stages + 1 + (of.dense_stages != nullptr ? 3 : 0)), stage(size) {}

  const Tableau tableau;
  Mat k;      // a column per stage: those of the step, the closing one, those of dense output
  Vec stage;  // argument of the last one made

  int last() const { return tableau.stages; }

  // k₂ … and y₁, from k.col(0) at (t0, y0). No stage is later than `latest`.
  Status run(
      OdeForm& form, Statistics& statistics, double t0, const Vec& y0, double h, double latest, Vec& y1) {
    for (int i = 1; i < tableau.stages; ++i) {
      combine(y0, h, tableau.a[size_t(i)].data(), i, stage);
      const double t = std::min(t0 + tableau.c[size_t(i)] * h, latest);
      ++statistics.evaluations;
      if (const Status status = form.derivative(t, stage, k.col(i)); status != Status::ok) return status;
    }
    combine(y0, h, tableau.b.data(), tableau.stages, y1);
    return Status::ok;
  }

  // out = y₀ + h Σ wⱼ kⱼ. One pass whose inner sum is unrolled: with a pass per stage the sums would cost as much as a
  // right-hand side.
  void combine(const Vec& y0, double h, const double* weights, int count, Vec& out) const {
    static constexpr auto unrolled = Unrolled::table(std::make_index_sequence<kMaxStages>());
    unrolled[size_t(count - 1)](y0, k, h, weights, out);
  }
};

}  // namespace driftless
