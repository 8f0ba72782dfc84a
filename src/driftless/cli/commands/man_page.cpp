// driftless man: the manual page, from what the parser knows.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "driftless/cli/command_summary.hpp"
#include "driftless/version.hpp"

namespace driftless::cli {
namespace {

// Text as roff takes it: no line may begin with a control character, backslashes and dashes are said so.
std::string roff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    at_start = c == '\n';
  }
  return out;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::toupper(c)); });
  return text;
}

std::string option_entry(const OptionSummary& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
  if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.help));
}

// Examples and lists keep their lines.
std::string as_written(const std::string& text) {
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

}  // namespace

std::string man_page(const ProgramSummary& program) {
  std::string out = fmt::format(
      ".TH DRIFTLESS 1 \"\" \"driftless {}\" \"User Commands\"\n"
      ".SH NAME\ndriftless \\- simulation of constrained multibody systems\n"
      ".SH SYNOPSIS\n.B driftless\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n"
      ".SH DESCRIPTION\n{}\n",
      kVersion, roff(program.about));
  for (const CommandSummary& command : program.commands)
    out += fmt::format(".TP\n\\fBdriftless {}\\fR\n{}\n", roff(command.name), roff(command.help));
  out += ".SH OPTIONS\n";
  for (const OptionSummary& option : program.options) out += option_entry(option);
  for (const CommandSummary& command : program.commands) {
    out += fmt::format(".SH DRIFTLESS {}\n{}.\n", roff(upper_case(command.name)), roff(command.help));
    for (const OptionSummary& option : command.options) out += option_entry(option);
    out += as_written(command.footer);
  }
  out += ".SH EXAMPLES\n" + as_written(program.footer);
  out +=
      ".SH ENVIRONMENT\n.TP\n.B DRIFTLESS_MODELS\n"
      "Folders with models that can be given by name, separated by colons.\n";
  return out;
}

}  // namespace driftless::cli
