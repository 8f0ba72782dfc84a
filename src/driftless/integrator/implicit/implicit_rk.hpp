// Any implicit Runge–Kutta scheme as an integrator on ODE forms: diagonally implicit, or with stages that depend on each other
// both ways. Adaptive if the tableau has an estimate and no step is given.
#pragma once

#include <string>
#include <vector>

#include "driftless/integrator/integrator.hpp"

namespace driftless {

struct ImplicitTableau {
  int order = 0;
  Vec c, b;
  Mat A;
  Vec e;             // b − b̂, F at the end of the step last; empty: no estimate
  int exponent = 1;  // the estimate goes like h to this power
};

// The tableau as a file gives it; rows of A may be shorter than the number of stages.
struct TableauNumbers {
  std::vector<double> c;
  std::vector<std::vector<double>> A;
  std::vector<double> b, b_hat;
  int order = 0;
  bool is_explicit() const;  // A is strictly lower triangular
};

// Checked: InputError in the name of `source` if a row does not sum to its c, or fewer order conditions hold than claimed.
ImplicitTableau make_implicit_tableau(const std::string& source, const TableauNumbers& numbers);
TableauNumbers read_tableau_numbers(const std::string& path);

std::unique_ptr<Integrator> make_implicit_rk(const ImplicitTableau& tableau,
                                             OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control);

}  // namespace driftless
