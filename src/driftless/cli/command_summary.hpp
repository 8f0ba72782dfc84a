// What the command line offers, as plain data: read off the parser once (main.cpp), written out as a manual page and as
// completions of shells, so that nothing is said twice.
#pragma once

#include <string>
#include <vector>

namespace driftless::cli {

struct OptionSummary {
  std::vector<std::string> names;  // "--rtol", "-j"; a positional argument has one, without dashes
  std::string value;               // what stands behind it: "R", "FILE.html"; empty for flags
  std::string help;
  bool is_positional = false;
};

struct CommandSummary {
  std::string name, help, footer;
  std::vector<OptionSummary> options;
};

struct ProgramSummary {
  std::string about, footer;
  std::vector<OptionSummary> options;
  std::vector<CommandSummary> commands;
};

// The page driftless(1), for man.
std::string man_page(const ProgramSummary& program);

// The script of a shell: "bash", "zsh" or "fish"; "targets": the names that `run` takes, one a line, which the scripts ask for.
std::string completion(const ProgramSummary& program, const std::string& shell);

}  // namespace driftless::cli
