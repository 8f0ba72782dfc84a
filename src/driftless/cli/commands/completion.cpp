// driftless completion SHELL: a script that completes sub-commands, options, names of methods, models and problems.
// Names of methods are those of the records; models may come and go, so the script asks the program for them.

#include <functional>
#include <set>

#include <fmt/format.h>

#include "driftless/cli/command_summary.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/formulation/formulation.hpp"
#include "driftless/integrator/integrator.hpp"
#include "driftless/reproduce/table.hpp"
#include "driftless/run/names.hpp"
#include "driftless/stabilization/stabilization.hpp"

namespace driftless::cli {
namespace {

template <class Records>
std::string method_names(const Records& records) {
  std::string out;
  for (const auto* record : records) out += (out.empty() ? "" : " ") + record->method.name;
  return out;
}

std::string table_names() {
  std::string out;
  for (const auto* record : table_records()) out += (out.empty() ? "" : " ") + record->id;
  return out;
}

std::string target_names() {
  std::set<std::string> names;
  for (const ProblemRecord* record : problem_records()) names.insert(record->name);
  for (const ModelFile& file : model_files()) names.insert(file.name);
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

// What stands behind an option: words, a file, a name of a model; nothing is known of numbers.
struct Values {
  enum class Kind { none, words, file, target } kind = Kind::none;
  std::string words = {};
};
Values values_of(const OptionSummary& option) {
  const std::string& name = option.names.back();
  if (name == "--coordinates") return {Values::Kind::words, method_names(coordinates_records())};
  if (name == "--formulation") return {Values::Kind::words, method_names(formulation_records())};
  if (name == "--integrator") return {Values::Kind::words, method_names(integrator_records())};
  if (name == "--stabilization") return {Values::Kind::words, method_names(stabilization_records())};
  if (name == "--record") return {Values::Kind::words, "all declared"};
  if (option.is_positional && name == "TABLE") return {Values::Kind::words, table_names()};
  if (option.is_positional && name == "SHELL") return {Values::Kind::words, "bash zsh fish"};
  if (option.is_positional && name.find("MODEL") != std::string::npos) return {Values::Kind::target};
  if (name.find("FILE") != std::string::npos || option.value.find("FILE") != std::string::npos)
    return {Values::Kind::file};
  return {};
}

std::string bash_values(const Values& values) {
  switch (values.kind) {
    case Values::Kind::words:
      return fmt::format("words=\"{}\"", values.words);
    case Values::Kind::file:
      return "files=yes";
    case Values::Kind::target:
      return "words=$(driftless completion targets 2>/dev/null); files=yes";
    case Values::Kind::none:
      break;
  }
  return ":";
}

std::string flags_of(const CommandSummary& command) {
  std::string out;
  for (const OptionSummary& option : command.options)
    if (!option.is_positional)
      for (const std::string& name : option.names) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string command_names(const ProgramSummary& program) {
  std::string out;
  for (const CommandSummary& command : program.commands) out += (out.empty() ? "" : " ") + command.name;
  return out;
}

// zsh reads it too, with bashcompinit.
std::string bash_script(const ProgramSummary& program) {
  std::string out = fmt::format(
      "# completion of driftless; made by: driftless completion bash\n"
      "_driftless() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= files=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"{} --help --version\"\n  else\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      command_names(program));
  for (const CommandSummary& command : program.commands) {
    out += fmt::format("    {})\n      case $before in\n", command.name);
    std::string behind = ":";
    for (const OptionSummary& option : command.options) {
      const std::string values = bash_values(values_of(option));
      if (option.is_positional)
        behind = values;
      else if (!option.value.empty())
        out += fmt::format("      {}) {} ;;\n", fmt::join(option.names, "|"), values);
    }
    out += fmt::format("      *) {}; words=\"$words {}\" ;;\n      esac ;;\n", behind, flags_of(command));
  }
  out +=
      "    esac\n  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
      "}\ncomplete -o filenames -F _driftless driftless\n";
  return out;
}

std::string fish_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_values(const Values& values) {
  switch (values.kind) {
    case Values::Kind::words:
      return " -x -a " + fish_text(values.words);
    case Values::Kind::file:
      return " -r -F";
    case Values::Kind::target:
      return " -F -a '(driftless completion targets 2>/dev/null)'";
    case Values::Kind::none:
      break;
  }
  return " -x";
}

std::string fish_script(const ProgramSummary& program) {
  std::string out =
      "# completion of driftless; made by: driftless completion fish\ncomplete -c driftless -f\n";
  for (const CommandSummary& command : program.commands)
    out += fmt::format("complete -c driftless -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       fish_text(command.help));
  for (const CommandSummary& command : program.commands)
    for (const OptionSummary& option : command.options) {
      out += fmt::format("complete -c driftless -n '__fish_seen_subcommand_from {}'", command.name);
      if (!option.is_positional)
        for (const std::string& name : option.names)
          out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.is_positional || !option.value.empty()) out += fish_values(values_of(option));
      if (!option.is_positional) out += " -d " + fish_text(option.help);
      out += "\n";
    }
  return out;
}

}  // namespace

std::string completion(const ProgramSummary& program, const std::string& shell) {
  if (shell == "targets") return target_names();
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh")
    return "#compdef driftless\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script(program);
  if (shell == "fish") return fish_script(program);
  throw InputError("command line", Complaint{"SHELL", "one of 'bash', 'zsh', 'fish'",
                                             fmt::format("'{}'", printable(shell)), ""});
}

}  // namespace driftless::cli
