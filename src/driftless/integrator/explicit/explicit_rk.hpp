// Any explicit Runge–Kutta scheme as an integrator: adaptive if the tableau has an estimate and no step is given.
#pragma once

#include "driftless/integrator/explicit/tableau.hpp"
#include "driftless/integrator/integrator.hpp"

namespace driftless {

// For whoever acts on stiffness: looked for in every adaptive step. (For the remark at the end of a run now and then is
// enough.) Forgotten where the integrator starts anew.
struct StiffnessWatch {
  bool is_stiff = false;
  double since = 0;
};

std::unique_ptr<Integrator> make_explicit_rk(const Tableau& tableau,
                                             OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             StiffnessWatch* watch = nullptr);

// A tableau of the user's, checked: InputError in the name of `source` if it is not explicit, a row does not sum to its c,
// or fewer order conditions hold than `order` claims. A is strictly lower triangular; b_hat: weights of an embedded
// solution, one more than stages if it uses the derivative at the end of the step, empty if there is none; order 0: what
// the conditions give.
Tableau make_tableau(const std::string& source,
                     const std::vector<double>& c,
                     const std::vector<std::vector<double>>& A,
                     const std::vector<double>& b,
                     const std::vector<double>& b_hat = {},
                     int order = 0);
// The same from a JSON file {"c": […], "A": [[…], …], "b": […], "b_hat": […], "order": p}; numbers or "p/q".
Tableau read_tableau(const std::string& path);

}  // namespace driftless
