// driftless check: is the model sound, how many degrees of freedom, which constraints are redundant?

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/settings.hpp"
#include "driftless/cli/summary.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/settings.hpp"

namespace driftless::cli {

int check(const CheckArguments& arguments) {
  RunArguments settings;
  settings.settings["coordinates"] = arguments.coordinates;
  settings.options = arguments.options;
  const Case input = prepare(find_target(arguments.target, arguments.set), command_line_settings(settings));
  const Layout& layout = input.system->layout();
  CheckReport report;
  report.name = input.name;
  report.source = input.source;
  report.coordinates = input.coordinates;
  report.coordinate_names = layout.q_names;
  report.row_names = layout.row_names;
  report.quantity_names = input.system->quantity_names();
  report.bodies = input.system->body_names().size();
  report.rank = analyze_rank(*input.system, input.start);
  report.assembly = input.assembly;
  report.warnings = input.doubts;
  if (report.rank.dof == 0 && !input.source.empty() && !input.is_driven)
    report.warnings.push_back("nothing can move: no degree of freedom is left, and there is no driver");
  report.parameters = input.parameters;
  if (const Switching* switching = switching_of(*input.system)) report.switches = switching->switches();
  for (const Event& event : input.events) report.switches.push_back({event.name, "stop_when", "", {}, 0});
  report.without_events = input.without_events;
  if (const auto* strained = dynamic_cast<const Strained*>(input.system.get()))
    report.vibrations = strained->vibrations();
  if (arguments.json)
    print_bytes(check_json(report));
  else
    print_check(report);
  return kOk;
}

}  // namespace driftless::cli
