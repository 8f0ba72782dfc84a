// Runs, checks and comparisons from Python: by the functions the program calls.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/analysis/redundancy.hpp"
#include "driftless/compare/compare.hpp"
#include "driftless/core/complaints.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/python/bindings.hpp"
#include "driftless/run/case.hpp"
#include "driftless/run/run.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::python {
namespace {

std::string found_text(const py::handle& value) { return printable(py::repr(value).cast<std::string>()); }

std::map<std::string, std::string> options_of(const py::handle& given, Complaints& complaints) {
  std::map<std::string, std::string> out;
  if (!py::isinstance<py::dict>(given)) {
    complaints.add("options", "a dictionary {name: value}", found_text(given));
    return out;
  }
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(given)) {
    if (py::isinstance<py::str>(value))
      out[py::str(name)] = value.cast<std::string>();
    else if (py::isinstance<py::int_>(value) && !py::isinstance<py::bool_>(value))
      out[py::str(name)] = fmt::format("{}", value.cast<long>());
    else if (py::isinstance<py::float_>(value))
      out[py::str(name)] = number_text(value.cast<double>());
    else
      complaints.add("options." + py::str(name).cast<std::string>(), "a number or a word", found_text(value));
  }
  return out;
}

std::vector<std::string> known_settings() {
  std::vector<std::string> out;
  for (const Setting& s : run_settings()) out.emplace_back(s.name);
  out.emplace_back("options");
  return out;
}

// Nothing: it is set.
std::optional<std::string> take_value(RunSettings& settings,
                                      const Setting& setting,
                                      const py::handle& value) {
  if (std::holds_alternative<TextMember>(setting.member))
    return py::isinstance<py::str>(value) ? set_text(settings, setting, value.cast<std::string>()) : "a name";
  if (!py::hasattr(value, "__float__") || py::isinstance<py::str>(value) || py::isinstance<py::bool_>(value))
    return std::holds_alternative<CountMember>(setting.member) ? "a whole number > 0" : "a number";
  return set_number(settings, setting, py::float_(py::reinterpret_borrow<py::object>(value)));
}

// One keyword; false if there is no such setting.
bool take_setting(RunSettings& settings,
                  const std::string& name,
                  const py::handle& value,
                  Complaints& complaints) {
  if (name == "options") {
    settings.options = options_of(value, complaints);
    return true;
  }
  for (const Setting& setting : run_settings())
    if (name == setting.name) {
      if (const auto expected = take_value(settings, setting, value))
        complaints.add(name, *expected, found_text(value));
      return true;
    }
  return false;
}

// A number in words: "mm(120)".
std::optional<double> number_in(const std::string& text) {
  try {
    const double value = Expression(text, {""})(0);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return {};
  }
}

ParameterValues parameters_of(const py::dict& given) {
  ParameterValues out;
  Complaints complaints;
  for (const auto& [name, value] : given) {
    const auto in_words =
        py::isinstance<py::str>(value) ? number_in(value.cast<std::string>()) : std::nullopt;
    if (in_words)
      out[py::str(name)] = *in_words;
    else if (py::hasattr(value, "__float__") && !py::isinstance<py::str>(value))
      out[py::str(name)] = py::float_(py::reinterpret_borrow<py::object>(value));
    else
      complaints.add("parameters." + py::str(name).cast<std::string>(),
                     "a number, or an expression of numbers such as \"mm(120)\"", found_text(value));
  }
  if (!complaints.empty()) throw InputError("", complaints.take());
  return out;
}

// {name: (function, [names it reads])}: inputs that Python computes. Runs call them without the GIL.
void take_functions(const py::dict& given, Model& model) {
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    const auto input = std::find_if(model.inputs.begin(), model.inputs.end(),
                                    [&](const Input& one) { return one.name == name; });
    if (input == model.inputs.end() || input->set) continue;  // the caller's value goes before it
    const auto pair = value.cast<py::tuple>();
    const std::shared_ptr<py::object> function(new py::object(pair[0]), [](py::object* p) {
      const py::gil_scoped_acquire gil;
      delete p;
    });
    input->reads = pair[1].cast<std::vector<std::string>>();
    input->function = [function, name](double t, std::span<const double> read) {
      const py::gil_scoped_acquire gil;
      py::tuple arguments(read.size() + 1);
      arguments[0] = t;
      for (std::size_t k = 0; k < read.size(); ++k) arguments[k + 1] = read[k];
      const py::object answer = (*function)(*arguments);
      const double number = PyFloat_AsDouble(answer.ptr());
      if (number == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw py::type_error(fmt::format("input '{}': expected a number from its function, found {}", name,
                                         found_text(answer)));
      }
      return number;
    };
  }
}

std::optional<std::string> text_or_none(const py::object& value) {
  if (value.is_none()) return {};
  return py::str(value).cast<std::string>();
}

SharedResults run_target(const py::dict& target,
                         const py::dict& keywords,
                         const py::object& from,
                         const py::object& out) {
  RunRequest request;
  request.target = target_of(target);
  request.settings = settings_of(keywords);
  request.from = text_or_none(from);
  request.out = text_or_none(out);
  SignalCheck signals;
  request.interrupt = signals.flag();
  request.on_progress = [&signals](const Progress& progress) { signals(progress); };
  auto results = std::make_shared<Results>();
  std::string trouble;
  {
    const py::gil_scoped_release free;
    RunOutcome done = run(request);
    trouble = done.write_trouble;
    *results = std::move(done.results);
  }
  signals.raise();
  if (!trouble.empty()) {
    PyErr_SetString(PyExc_OSError, trouble.c_str());
    throw py::error_already_set();
  }
  return results;
}

py::dict check_target(const py::dict& target, const py::dict& keywords) {
  const Target what = target_of(target);
  const RunSettings settings = settings_of(keywords);
  std::optional<Case> input;
  RankReport rank;
  {
    const py::gil_scoped_release free;
    input.emplace(prepare(what, settings));
    rank = analyze_rank(*input->system, input->start);
  }
  const Layout& layout = input->system->layout();
  py::dict out, parameters;
  out["name"] = input->name;
  out["coordinates"] = input->coordinates;
  out["coordinate_names"] = layout.q_names;
  out["row_names"] = layout.row_names;
  out["outputs"] = input->system->quantity_names();
  out["dof"] = rank.dof;
  out["dof_counted"] = rank.dof_counted;
  out["rank"] = rank.rank;
  out["redundant_rows"] = rank.redundant_rows;
  for (const Parameter& p : input->parameters) {
    py::dict entry;
    entry["value"] = p.value;
    entry["unit"] = p.unit;
    entry["min"] = p.min ? py::object(py::float_(*p.min)) : py::none();
    entry["max"] = p.max ? py::object(py::float_(*p.max)) : py::none();
    entry["expression"] = p.text;
    entry["used_in"] = p.used_in;
    parameters[py::str(p.name)] = entry;
  }
  out["parameters"] = parameters;
  return out;
}

py::dict compare_target(const py::dict& target,
                        const py::dict& keywords,
                        const std::string& methods,
                        const std::vector<double>& tolerances,
                        const std::vector<double>& steps,
                        bool with_page) {
  CompareRequest request;
  request.target = target_of(target);
  request.settings = settings_of(keywords);
  if (!methods.empty()) request.methods = methods;
  if (!tolerances.empty()) request.tolerances = tolerances;
  request.steps = steps;
  request.record = with_page;
  SignalCheck signals;
  request.interrupt = signals.flag();
  request.on_progress = [&signals](const Progress& progress) { signals(progress); };
  Comparison comparison;
  std::string html;
  {
    const py::gil_scoped_release free;
    comparison = compare(request);
    if (with_page) html = page_html(compare_page(comparison));
  }
  signals.raise();
  py::list rows;
  for (const ComparedRun& run : comparison.runs) {
    py::dict row;
    row["method"] = run.method;
    row["rtol"] = run.rtol > 0 ? py::object(py::float_(run.rtol)) : py::none();
    row["step"] = run.step > 0 ? py::object(py::float_(run.step)) : py::none();
    row["status"] = run.status;
    row["message"] = run.message;
    row["error"] = run.error;
    row["steps"] = run.statistics.steps();
    row["evaluations"] = run.evaluations();
    row["cpu_seconds"] = run.statistics.cpu_seconds;
    row["drift"] = run.drift.position_max;
    row["energy_error"] = run.energy_error ? py::object(py::float_(*run.energy_error)) : py::none();
    rows.append(row);
  }
  py::dict out;
  out["title"] = comparison.title;
  out["reference"] = reference_text(comparison.reference);
  out["rows"] = rows;
  out["html"] = html;
  return out;
}

py::dict sweep_target(const py::dict& target,
                      const py::dict& keywords,
                      const std::vector<std::string>& axes,
                      std::size_t random,
                      std::uint64_t seed,
                      const std::vector<std::string>& measures,
                      unsigned jobs,
                      const std::string& out) {
  SweepRequest request;
  if (target.contains("inputs") && !py::dict(target["inputs"]).empty())
    throw InputError("", Complaint{"inputs", "inputs that are numbers or expressions", "functions of Python",
                                   "a sweep runs in processes of its own"});
  request.target = target_of(target);
  request.settings = settings_of(keywords);
  request.plan = make_plan(axes, random, seed);
  for (const std::string& text : measures) request.measures.push_back(parse_measure(text));
  request.jobs = jobs;
  request.out = out;
  SignalCheck signals;
  request.interrupt = signals.flag();
  request.on_progress = [&signals](const SweepProgress&) { signals({}); };
  SweepTable table;
  {
    const py::gil_scoped_release free;
    table = sweep(request);
  }
  signals.raise();
  const auto column = [&](auto value) {
    py::array_t<double> numbers(static_cast<py::ssize_t>(table.rows.size()));
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      numbers.mutable_at(static_cast<py::ssize_t>(i)) = value(i);
    return numbers;
  };
  py::dict answer, parameters, values;
  py::list status, message;
  for (std::size_t k = 0; k < table.parameters.size(); ++k)
    parameters[py::str(table.parameters[k])] =
        column([&](std::size_t i) { return table.parameter_values[i][k]; });
  for (std::size_t k = 0; k < table.measures.size(); ++k)
    values[py::str(table.measures[k])] = column([&](std::size_t i) { return table.rows[i].measures[k]; });
  for (const SweepRow& row : table.rows) {
    status.append(row.status);
    message.append(row.message);
  }
  answer["parameters"] = parameters;
  answer["measures"] = values;
  answer["status"] = status;
  answer["message"] = message;
  answer["html"] = page_html(sweep_page(table));
  return answer;
}

}  // namespace

RunSettings settings_of(const py::dict& keywords) {
  RunSettings settings;
  Complaints complaints;
  for (const auto& [key, value] : keywords) {
    const std::string name = py::str(key);
    if (value.is_none() || take_setting(settings, name, value, complaints)) continue;
    const auto known = known_settings();
    complaints.add(name, "a setting of a run: " + quoted_list(known), driftless::quoted(name),
                   did_you_mean(name, known));
  }
  if (!complaints.empty()) throw InputError("", complaints.take());
  return settings;
}

Target target_of(const py::dict& target) {
  Target out;
  ParameterValues parameters;
  if (target.contains("parameters")) parameters = parameters_of(target["parameters"]);
  if (target.contains("named")) {
    out = find_target(target["named"].cast<std::string>());
    out.parameters = parameters;
  } else if (target.contains("equations")) {
    const py::dict equations = target["equations"];
    out.name = target["name"].cast<std::string>();
    // Called without the GIL; the dictionary must not be touched or let go of there.
    const std::shared_ptr<py::dict> kept(new py::dict(equations), [](py::dict* p) {
      const py::gil_scoped_acquire gil;
      delete p;
    });
    out.equations = [kept] {
      const py::gil_scoped_acquire gil;
      return make_equations(*kept);
    };
  } else {
    out.name = target["name"].cast<std::string>();
    Model model =
        parse_model(target["text"].cast<std::string>(), target["source"].cast<std::string>(), parameters);
    if (target.contains("inputs")) take_functions(target["inputs"], model);
    out.model = std::make_shared<const Model>(std::move(model));
  }
  return out;
}

void bind_runs(py::module_& module) {
  module.def("run", &run_target);
  module.def("check", &check_target);
  module.def("compare", &compare_target);
  module.def("sweep", &sweep_target);
}

}  // namespace driftless::python
