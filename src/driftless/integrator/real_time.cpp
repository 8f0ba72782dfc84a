#include "driftless/integrator/real_time.hpp"

#include "driftless/core/errors.hpp"

namespace driftless {

int realtime_of(const Options& options, double step) {
  const int iterations = options.values().contains("realtime") ? options.integer("realtime") : 0;
  if (iterations > 0 && !(step > 0))
    throw InputError("settings", Complaint{"`option realtime`", "`step=H` with realtime", "no `step`",
                                           "add `step=0.01`, or leave realtime out"});
  return iterations;
}

OptionSpec realtime_iterations() {
  return {.name = "realtime",
          .kind = OptionKind::integer,
          .default_value = "0",
          .min = 0,
          .max = 40,
          .help =
              "Newton iterations a step, always that many (2 is a good choice), with `step`; 0: as many as "
              "needed"};
}

OptionSpec realtime_clock() {
  return {.name = "realtime",
          .kind = OptionKind::integer,
          .default_value = "0",
          .min = 0,
          .max = 40,
          .help = "1: what steps cost on the clock is held against their length, with `step`"};
}

}  // namespace driftless
