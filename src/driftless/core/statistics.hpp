// What a run counted. `evaluations` are right-hand sides asked for by the integrator (NFCN of the papers, the selection
// of the initial step included), and residuals where the equations are residuals; assembly, stabilisation and output solves
// are not among them.
#pragma once

namespace driftless {

struct Statistics {
  long accepted = 0;
  long rejected = 0;             // the sum of the next two
  long error_test_failures = 0;  // the local error was too large, or something sudden had been passed over
  long convergence_failures =
      0;  // the step could not be made: iterations, F not finite, singular, not settled
  long evaluations = 0;
  long newton_iterations = 0;
  long factorizations = 0;  // of KKT matrices, wherever they were needed
  long stabilizations = 0;  // steps that were corrected (a gated step is not)
  double cpu_seconds = 0;

  long steps() const { return accepted + rejected; }
  void fail_error_test(long times = 1) {
    error_test_failures += times;
    rejected += times;
  }
  void fail_to_converge(long times = 1) {
    convergence_failures += times;
    rejected += times;
  }
};

}  // namespace driftless
