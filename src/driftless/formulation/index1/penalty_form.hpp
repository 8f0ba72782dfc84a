// What penalty and augmented-lagrangian share: the index-1 form on the kernel of system/kernels/penalty_solver.hpp, with a right
// side that damps the drift. García de Jalón & Bayo (5.37), (5.47):
//   holonomic rows      c = γ − 2Ωμ (J v − ν) − Ω² g                                                              (1)
//   nonholonomic rows   c = γ − μ_n (A v + b)                                                                    (2)
// These are Baumgarte's rates with alpha = Ωμ, beta = Ω, alpha_n = μ_n; note that μ is a ratio and μ_n a rate.
#pragma once

#include <string>
#include <vector>

#include "driftless/core/options.hpp"
#include "driftless/formulation/index1/index_one.hpp"
#include "driftless/system/kernels/penalty_solver.hpp"

namespace driftless {

// Ω, μ, μ_n of (1) and (2).
struct DampingRates {
  explicit DampingRates(const Options& options);
  double omega, mu, mu_n;
  RowGains gains() const { return {2 * omega * mu, omega * omega, mu_n}; }
};

// Options of all formulations on the penalty kernel, with these defaults.
std::vector<OptionSpec> penalty_options(const char* penalty, const char* iterations);
KernelFactory penalty_kernel(const DescriptorSystem& system, const Options& options);
// α of the kernel, and of that of a stabilization; both ways.
void keep_weights(MotionSolver& kernel, Stabilization* stabilization, Memory& memory);
// Remark on Ωμ h above 0.5; empty below.
std::string damping_remark(const std::string& formulation, double largest);

class PenaltyForm final : public IndexOneForm {
 public:
  PenaltyForm(const char* name, const DescriptorSystem& system, const Options& options);
  void begin_step(double h) override;
  void keep(Memory& memory) override {
    IndexOneForm::keep(memory);
    keep_weights(*solver_, stabilization, memory);
  }
  std::string remark() const override { return damping_remark(name_, largest_); }

 private:
  RowGains gains() const override { return rates_.gains(); }

  const char* name_;
  DampingRates rates_;
  double largest_ = 0;  // Ωμ h seen
};

}  // namespace driftless
