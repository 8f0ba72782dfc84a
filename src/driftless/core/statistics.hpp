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
  long jacobians = 0;           // of right-hand sides and residuals
  long iteration_matrices = 0;  // factored for Newton's method; among the factorizations
  long factorizations = 0;      // of these and of KKT matrices, wherever they were needed
  long partitions = 0;          // choices of independent coordinates or directions, the first among them
  long stabilizations = 0;      // steps that were corrected (a gated step is not)
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
  void factor_matrix(long times = 1) {
    iteration_matrices += times;
    factorizations += times;
  }
};

// Every figure by its name, in the order of listings: what files, pages and bindings go through.
template <class Statistics_, class Visit>
void for_each_statistic(Statistics_& s, Visit&& visit) {
  visit("accepted", s.accepted);
  visit("rejected", s.rejected);
  visit("error_test_failures", s.error_test_failures);
  visit("convergence_failures", s.convergence_failures);
  visit("evaluations", s.evaluations);
  visit("newton_iterations", s.newton_iterations);
  visit("jacobians", s.jacobians);
  visit("iteration_matrices", s.iteration_matrices);
  visit("factorizations", s.factorizations);
  visit("partitions", s.partitions);
  visit("stabilizations", s.stabilizations);
  visit("cpu_seconds", s.cpu_seconds);
}

}  // namespace driftless
