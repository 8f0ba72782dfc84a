// What a run counted. `evaluations` are right-hand sides asked for by the integrator (NFCN of the papers, the selection
// of the initial step included); assembly, stabilisation and output solves are not among them.
#pragma once

namespace driftless {

struct Statistics {
  long accepted = 0;
  long rejected = 0;
  long evaluations = 0;
  long newton_iterations = 0;
  long factorizations = 0;  // of KKT matrices, wherever they were needed
  long stabilizations = 0;  // steps that were corrected (a gated step is not)
  double cpu_seconds = 0;

  long steps() const { return accepted + rejected; }
};

}  // namespace driftless
