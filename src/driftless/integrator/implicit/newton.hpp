// Newton's method for the stages of implicit schemes (stage_system.hpp): corrections d of what is sought, until
//   θₖ = |dₖ|/|dₖ₋₁|,  ηₖ = θₖ/(1 − θₖ);   converged when ηₖ|dₖ| ≤ κ;   before the first ratio η ← max(η, ε)^0.8        (1)
//   given up when θₖ ≥ 0.99 (h ← h/2), or when ηₖ|dₖ| θₖ^(N−1−k) > κ: N iterations will not do. Then
//   h ← 0.8 h q^(−1/(N−k)),  q = clip(ηₖ|dₖ| θₖ^(N−1−k)/κ, 1e-4, 16)                                                    (2)
//                                                                 Hairer & Wanner IV.8; Negrut, Haug & German, step 11
// Corrections that stop falling are taken as good if the stages know them to be round-off.                              (3)
// A single stage solves, with c of its formula,
//   z = G + c U̇,   R(t, y + z, U̇) = 0                                                                                    (4)
#pragma once

#include <string>

#include "driftless/integrator/implicit/stage_system.hpp"

namespace driftless {

// (1), (2)
class NewtonMonitor {
 public:
  enum class Verdict { go_on, converged, failed };

  double kappa = 0.03;
  double floor = 0;         // what round-off leaves of |d|: no more can be asked for
  int most = 7;             // N
  bool is_plain = false;    // |d| itself is held against κ, not what it says of the rest
  bool recalls = true;      // η before the first ratio; else 1: fixed steps, whose errors nothing watches
  double theta = 0;         // last ratio; 0 after a single iteration
  double eta = 1;           // last one
  double shrink = 0.5;      // of h, after a failure
  int exactly = 0;          // > 0: so many iterations, whatever they gain (real_time.hpp)
  double largest_left = 0;  // |d| of the last ones then, at worst
  int count = 0;

  void begin(double eta_before);
  Verdict judge(double size);
  std::string remark() const;  // of real time; empty otherwise

 private:
  double before_ = 0;
};

class StageNewton {
 public:
  StageNewton(StageSystem& stages, Statistics& statistics) : stages_(stages), statistics_(statistics) {
    size();
  }

  NewtonMonitor monitor;
  static constexpr double kFixedTolerance = 1e-14;  // κ with fixed steps
  double fixed_tolerance = kFixedTolerance;

  void open(bool is_fixed);  // a step begins: κ and floor

  // correct(size) makes one correction and says how large it was. η is remembered from solve to solve by the caller.
  template <class Correct>
  Status iterate(double& eta, Correct&& correct) {
    double size = 0;
    return run(eta, correct, size);
  }
  // The same where correct() ends with residual() of the stages: (3).
  template <class Correct>
  Status iterate_to_round_off(double& eta, Correct&& correct) {
    double size = -1;
    const Status status = run(eta, correct, size);
    const bool stalls = status == Status::not_converged && size >= 0 && monitor.count > 1;
    return stalls && stages_.is_round_off(size) ? Status::ok : status;
  }

  // (4) from z on, with factors for c.
  Status solve(double t, const Vec& y, const Vec& G, double c, VecRef z, double& eta);
  // The same with new derivatives at every iterate: for steps that cannot be made shorter. Dear.
  Status solve_fully(double t, const Vec& y, const Vec& G, double c, VecRef z);

 private:
  // `size`: of the correction that ended it.
  template <class Correct>
  Status run(double& eta, Correct&& correct, double& size) {
    monitor.begin(eta);
    eta = 1;
    while (true) {
      ++statistics_.newton_iterations;
      if (const Status status = correct(size); status != Status::ok) {
        monitor.shrink = 0.5;
        size = -1;
        return status;
      }
      const auto verdict = monitor.judge(size);
      if (verdict == NewtonMonitor::Verdict::go_on) continue;
      if (verdict == NewtonMonitor::Verdict::failed) return Status::not_converged;
      eta = monitor.eta;
      return Status::ok;
    }
  }
  Status residual(double t, const Vec& y, const Vec& G, double c, VecRef z);  // of (4), in r_
  void size();

  StageSystem& stages_;
  Statistics& statistics_;
  Vec at_, rate_, r_, d_;
};

}  // namespace driftless
