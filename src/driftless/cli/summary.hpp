// What a person wants to know after a run or a check, aligned, on stdout.
#pragma once

#include <string>

#include "driftless/cli/report.hpp"

namespace driftless::cli {

void print_summary(const RunReport& report);
void print_check(const CheckReport& report);

// "moved at most 0.012 m and 0.1 rad (rod.theta)", or that nothing had to move.
std::string assembly_text(const AssemblyReport& report);

}  // namespace driftless::cli
