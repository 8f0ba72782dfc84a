// `driftless methods --markdown`: the page docs/methods.md, from the records that choose the methods.
#include "driftless/cli/methods_page.hpp"

#include <fmt/format.h>

#include "driftless/cli/terminal.hpp"
#include "driftless/coordinates/coordinates.hpp"
#include "driftless/integrator/choices.hpp"

namespace driftless::cli {
namespace {

std::string escaped(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string linked(const MethodRecord& method) {
  if (method.name == "equations") return method.name;
  return fmt::format("[{0}](theory/{0}.md)", method.name);
}

std::string option_row(const std::string& owner, const OptionSpec& spec) {
  return fmt::format("| {} | `{}` | {} | {} | {} | {} |\n", owner, spec.name, escaped(option_range(spec)),
                     spec.default_value, spec.unit, escaped(in_options(spec.help)));
}

template <class Record>
std::string options_of(std::span<const Record* const> records) {
  std::string text;
  for (const Record* record : records)
    for (const OptionSpec& spec : record->method.options) text += option_row(record->method.name, spec);
  return text;
}

// What a formulation takes: all integrators for ODE forms, or all but some; those of residuals are named one by one.
std::string takes(const FormulationRecord& formulation) {
  if (formulation.kind == FormKind::residual) return joined(fitting_integrators(formulation));
  std::vector<std::string> missing, residual;
  for (const IntegratorRecord* record : integrator_records()) {
    const bool suits = fits(formulation, *record);
    if (record->takes_ode && !suits) missing.push_back(record->method.name);
    if (!record->takes_ode && suits) residual.push_back(record->method.name);
  }
  std::string text = missing.empty() ? "all on ODE forms" : "all on ODE forms but " + joined(missing);
  return residual.empty() ? text : text + "; " + joined(residual);
}

std::string formulations() {
  std::string text =
      "## Formulations\n\n| name | what it is | integrators | default integrator, stabilization | source "
      "|\n|---|---|---|---|---|\n";
  for (const FormulationRecord* record : formulation_records())
    text += fmt::format("| {} | {} | {} | {}, {} | {} |\n", linked(record->method),
                        in_options(record->method.summary), takes(*record), record->default_integrator,
                        record->default_stabilization, record->method.reference);
  return text;
}

std::string taken_by(const IntegratorRecord& record) {
  if (record.rows.empty()) return record.needs_smooth ? joined(fitting_formulations(record)) : "ODE forms";
  std::vector<std::string> residual;
  bool takes_all_ode = record.takes_ode;
  for (const FormulationRecord* formulation : formulation_records()) {
    const bool suits = fits(*formulation, record);
    if (formulation->kind == FormKind::residual && suits) residual.push_back(formulation->method.name);
    if (formulation->kind == FormKind::ode && !suits) takes_all_ode = false;
  }
  if (takes_all_ode) return "ODE forms, " + joined(residual);
  return joined(record.takes_ode ? fitting_formulations(record) : residual);
}

std::string integrators() {
  std::string text =
      "\n## Integrators\n\n| name | what it is | order | steps | takes | coordinates | source "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const IntegratorRecord* record : integrator_records())
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", linked(record->method),
                        in_options(record->method.summary), record->order,
                        !record->adaptive     ? "fixed (--step)"
                        : !record->takes_step ? "adaptive"
                                              : "adaptive or fixed",
                        taken_by(*record),
                        !record->needs_vector_space ? "all"
                        : record->takes_ode         ? "on residual forms with dq/dt = v"
                                                    : "with dq/dt = v",
                        record->method.reference);
  return text;
}

template <class Record>
std::string plain_table(const char* title, std::span<const Record* const> records) {
  std::string text = fmt::format("\n## {}\n\n| name | what it is | source |\n|---|---|---|\n", title);
  for (const Record* record : records)
    text += fmt::format("| {} | {} | {} |\n", linked(record->method), in_options(record->method.summary),
                        record->method.reference);
  return text;
}

}  // namespace

std::string methods_markdown() {
  std::string text =
      "# Methods and what combines\n\n"
      "Written by `driftless methods --markdown` from the records of the program; a test keeps it true.\n\n"
      "Every formulation works in every coordinate set and with every stabilization. ODE forms take the "
      "integrators for ODE\nforms, residual forms those made for them; multistep methods keep off the "
      "canonical ones, which base their\nmomenta anew after every step. Coordinates with dq/dt = v are "
      "euler-parameters, natural, planar\nreference-point ones, and relative ones without ball joints or "
      "free "
      "bodies.\n\n";
  text += formulations() + integrators();
  text += plain_table("Stabilizations", stabilization_records());
  text += plain_table("Coordinates", coordinates_records());
  text +=
      "\n## Options\n\n| of | `--option` | values | default | unit | meaning |\n|---|---|---|---|---|---|\n";
  text += options_of(coordinates_records()) + options_of(formulation_records()) +
          options_of(integrator_records()) + options_of(stabilization_records());
  return text;
}

}  // namespace driftless::cli
