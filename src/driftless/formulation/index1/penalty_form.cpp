#include "driftless/formulation/index1/penalty_form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/stabilization/stabilization.hpp"

namespace driftless {

DampingRates::DampingRates(const Options& options)
    : omega(options.number("omega")), mu(options.number("mu")), mu_n(options.number("mu_n")) {}

std::vector<OptionSpec> penalty_options(const char* penalty, const char* iterations) {
  return {{.name = "penalty",
           .default_value = penalty,
           .min = 1,
           .max = 1e12,
           .help = "stiffness of the rows in units of the largest mass, rows scaled to equal length"},
          {.name = "iterations",
           .kind = OptionKind::integer,
           .default_value = iterations,
           .min = 0,
           .max = 100,
           .help = "augmented Lagrangian iterations behind the first solve"},
          {.name = "tolerance",
           .default_value = "1e-8",
           .min = 0,
           .max = 1,
           .help = "relative change of the multipliers that ends the iterations early"},
          {.name = "omega",
           .default_value = "10",
           .unit = "1/s",
           .min = 0,
           .help = "frequency at which errors of holonomic rows are taken back"},
          {.name = "mu", .default_value = "1", .min = 0, .help = "damping ratio of holonomic rows"},
          {.name = "mu_n",
           .default_value = "10",
           .unit = "1/s",
           .min = 0,
           .help = "rate at which errors of nonholonomic rows are taken back"}};
}

KernelFactory penalty_kernel(const DescriptorSystem& system, const Options& options) {
  const PenaltySettings settings{options.number("penalty"), options.integer("iterations"),
                                 options.number("tolerance")};
  return [&system, settings] { return make_penalty_motion_solver(system.layout(), settings); };
}

void keep_weights(MotionSolver& kernel, Stabilization* stabilization, Memory& memory) {
  if (auto* keeper = dynamic_cast<KeepsMemory*>(&kernel)) keeper->keep(memory);
  if (auto* keeper = dynamic_cast<KeepsMemory*>(stabilization)) keeper->keep(memory);
}

std::string damping_remark(const std::string& formulation, double largest) {
  if (largest <= 0.5) return {};
  return fmt::format(
      "{}: omega*mu*h reached {:.2g} (above 0.5): the terms that take errors back are as fast as the steps; "
      "a smaller omega or step would be more accurate",
      formulation, largest);
}

PenaltyForm::PenaltyForm(const char* name, const DescriptorSystem& system, const Options& options)
    : IndexOneForm(system, penalty_kernel(system, options)), name_(name), rates_(options) {}

void PenaltyForm::begin_step(double h) {
  IndexOneForm::begin_step(h);
  largest_ = std::max(largest_, rates_.omega * rates_.mu * h);
}

}  // namespace driftless
