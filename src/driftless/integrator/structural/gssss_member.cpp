// The integrator gssss as a record: its options, and the member of the families they name (gssss.cpp).
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/integrator/structural/gssss.hpp"

namespace driftless {
extern const IntegratorRecord gssss_integrator;
namespace {

// r1, r2, r3; empty if the text is something else.
std::vector<double> roots_of(const Options& options) {
  std::vector<double> rho;
  for (const std::string& part : options.names("rho")) {
    double value = -1;
    const char* end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, value);
    if (error != std::errc() || stop != end || !(value >= 0 && value <= 1)) return {};
    rho.push_back(value);
  }
  const bool ordered = rho.size() == 3 && rho[2] <= rho[0] && rho[0] <= rho[1];
  return ordered ? rho : std::vector<double>();
}

GssssUnknown unknown_of(const std::string& form) {
  if (form == "a") return GssssUnknown::acceleration;
  return form == "d" ? GssssUnknown::displacement : GssssUnknown::velocity;  // (7)
}

GssssMember member_of(const Options& options) {
  const auto rho = roots_of(options);
  if (rho.empty())
    throw InputError(kGssssOwner,
                     Complaint{"`option rho`", "three roots r1,r2,r3 with 0 <= r3 <= r1 <= r2 <= 1",
                               fmt::format("'{}'", options.choice("rho")), "such as 1,1,0 or 0.8,0.8,0.8"});
  const auto family = options.choice("family") == "U0" ? GssssFamily::U0 : GssssFamily::V0;
  if (options.choice("form") == "two-field" &&
      (family != GssssFamily::V0 || rho != std::vector<double>{1, 1, 0}))
    throw InputError(kGssssOwner, Complaint{"`option form`", "a, v or d with other members than V0(1,1,0)",
                                            fmt::format("'two-field' with family={} rho={}",
                                                        options.choice("family"), options.choice("rho")),
                                            ""});
  const GssssCoefficients c = gssss_coefficients(family, rho[0], rho[1], rho[2]);
  const std::string& forces = options.choice("forces");
  if (forces == "conserving" && !c.is_midpoint())
    throw InputError(
        kGssssOwner,
        Complaint{"`option forces`",
                  "'midpoint' with members that do not evaluate forces in the middle of the step",
                  "'conserving'", "V0 with rho=1,1,R and U0 with rho=1,1,1 can conserve energy"});
  const bool averages_load = options.choice("load") == "averaged";
  if (averages_load && forces != "midpoint")
    throw InputError(kGssssOwner, Complaint{"`option load`", fmt::format("'point' with forces={}", forces),
                                            "'averaged'", ""});
  return {c,
          unknown_of(options.choice("form")),
          forces == "conserving" ? GssssForces::conserving
          : forces == "strain"   ? GssssForces::strain
                                 : GssssForces::midpoint,
          options.integer("constraint"),
          rho[0] == 1 && rho[1] == 1,
          family == GssssFamily::U0 && rho[2] == 0,
          averages_load,
          options.number("newton_tol")};
}

}  // namespace

std::unique_ptr<Integrator> make_midpoint_on_index3(OdeForm& form,
                                                    Statistics& statistics,
                                                    const StepControl& control) {
  return make_steps_of<Gssss>(
      form, statistics, control,
      member_of(Options("integrator implicit-midpoint", gssss_integrator.method.options, {})));
}

const IntegratorRecord gssss_integrator = {
    .method =
        {"gssss",
         "GSSSS families U0 and V0 with constraints at position level, with error control; the default "
         "conserves energy",
         "Hoitink 2011, ch. 2-3, (2.10)-(2.27), (3.13)-(3.60), 4.1-4.2; Zhou & Tamma 2004",
         {{.name = "family",
           .kind = OptionKind::choice,
           .default_value = "V0",
           .choices = {"U0", "V0"},
           .help = "U0: no overshoot in displacements, V0: none in velocities"},
          {.name = "rho",
           .kind = OptionKind::names,
           .default_value = "1,1,0",
           .help = "roots r1,r2,r3 at infinity, 0 <= r3 <= r1 <= r2 <= 1; 1,1,R: no dissipation"},
          {.name = "constraint",
           .kind = OptionKind::integer,
           .default_value = "2",
           .min = 1,
           .max = 4,
           .help =
               "constraint force: 1 averaged, 2 in the middle, 3 averaged Jacobian, 4 averaged multiplier"},
          {.name = "form",
           .kind = OptionKind::choice,
           .default_value = "a",
           .choices = {"a", "v", "d", "two-field"},
           .help = "unknown of Newton's method: acceleration, velocity, displacement"},
          {.name = "forces",
           .kind = OptionKind::choice,
           .default_value = "midpoint",
           .choices = {"midpoint", "conserving", "strain"},
           .help = "conserving: discrete gradients keep the energy (midpoint members); strain: trusses by "
                   "strains combined as displacements are"},
          {.name = "load",
           .kind = OptionKind::choice,
           .default_value = "point",
           .choices = {"point", "averaged"},
           .help = "forces at t + W1 h, or those of both ends of the step weighted by 1 - W1 and W1"},
          {.name = "newton_tol",
           .default_value = "1e-8",
           .min = 1e-14,
           .max = 1e-2,
           .help = "2-norm of the residuals, absolute, where the iteration ends"},
          realtime_iterations()}},
    .order = 2,
    .adaptive = true,
    .dense_output = true,
    .takes_ode = false,
    .rows = {ResidualRows::position},
    .needs_vector_space = true,
    .make = [](OdeForm& form, Statistics& statistics, const StepControl& control, const Options& options)
        -> std::unique_ptr<Integrator> {
      return make_steps_of<Gssss>(form, statistics, control, member_of(options));
    },
};

}  // namespace driftless
