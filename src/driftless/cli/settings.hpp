// What the command line says of a run, as settings, and a run as a command line.
#pragma once

#include <string>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/model/setting_table.hpp"

namespace driftless::cli {

// As numbers, each finite and in range. InputError with every complaint.
RunSettings command_line_settings(const RunArguments& arguments);

std::string option_of(const Setting& setting);  // "--t-end"

std::string shell_quoted(const std::string& word);

double checkpoint_interval(const RunArguments& arguments);  // seconds; 0: none asked for

// A command line that gives these results again: without --json, --quiet and --out.
std::string reproducing_command(const RunArguments& arguments);

}  // namespace driftless::cli
