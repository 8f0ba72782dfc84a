// Runge–Kutta with a tableau of the user's, or one of the library's further ones.       Hairer, Nørsett & Wanner II.1, II.2
// The tableau comes from a JSON file (tableau_file.cpp),
//   {"c": [0, "1/2", "3/4"], "A": [[], ["1/2"], [0, "3/4"]], "b": ["2/9", "1/3", "4/9"], "b_hat": [...], "order": 3}
// and is checked before the first step: Σⱼ aᵢⱼ = cᵢ, and the order conditions of all 200 rooted trees with up to 8 vertices,
// tableau.hpp (2): they give the order; a file that claims more is refused. A strictly lower triangular: explicit (explicit_rk.cpp); a
// last stage that is the derivative at the end of the step (FSAL) is recognised and shared with the next step. Anything else is
// implicit (implicit_rk.cpp), stage by stage where A is lower triangular; on ODE forms.
// With b_hat (one weight per stage, or one more for the derivative at the end) steps are adaptive.
// Options: tableau (bogacki-shampine), three-eighths, or a file. Cost: an evaluation per stage, or as many Newton iterations.
// Dense output: cubic Hermite, whatever the order.
#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/explicit/explicit_rk.hpp"
#include "driftless/integrator/implicit/implicit_rk.hpp"
#include "driftless/integrator/real_time.hpp"

namespace driftless {
namespace {

struct Builtin {
  const char* name;
  const Tableau* tableau;
};
constexpr Builtin kBuiltins[] = {{"bogacki-shampine", &kBogackiShampine}, {"three-eighths", &kThreeEighths}};

void require_estimate(bool has_one, const StepControl& control) {
  if (has_one || control.step > 0) return;
  throw InputError("integrator runge-kutta",
                   Complaint{"`step`", "a step size: the tableau has no b_hat to estimate errors with",
                             "no `step`", "add `step=0.001`"});
}

std::unique_ptr<Integrator> make_runge_kutta(OdeForm& form,
                                             Statistics& statistics,
                                             const StepControl& control,
                                             const Options& options) {
  const std::string& name = options.choice("tableau");
  for (const Builtin& builtin : kBuiltins)
    if (name == builtin.name) {
      require_estimate(builtin.tableau->estimates(), control);
      return make_explicit_rk(*builtin.tableau, form, statistics, control);
    }
  const TableauNumbers numbers = read_tableau_numbers(name);
  if (!numbers.is_explicit()) {
    const ImplicitTableau tableau = make_implicit_tableau(name, numbers);
    require_estimate(tableau.e.size() > 0, control);
    return make_implicit_rk(tableau, form, statistics, control);
  }
  const Tableau tableau = make_tableau(name, numbers.c, numbers.A, numbers.b, numbers.b_hat, numbers.order);
  require_estimate(tableau.estimates(), control);
  return make_explicit_rk(tableau, form, statistics, control);
}

}  // namespace

extern const IntegratorRecord runge_kutta_integrator;
const IntegratorRecord runge_kutta_integrator = {
    .method =
        {"runge-kutta",
         "Runge-Kutta with a tableau from a file, explicit or implicit; adaptive if it embeds an estimate",
         "Hairer, Norsett & Wanner, II.1, II.2, II.4; Hairer & Wanner, IV.5, IV.8; Bogacki & Shampine 1989",
         {{.name = "tableau",
           .kind = OptionKind::names,
           .default_value = "bogacki-shampine",
           .help = "bogacki-shampine (order 3), three-eighths (4, fixed step) or a JSON file with c, A, b, "
                   "b_hat and order"},
          realtime_iterations()}},
    .order = 3,
    .adaptive = true,
    .dense_output = true,
    .make = &make_runge_kutta};

}  // namespace driftless
