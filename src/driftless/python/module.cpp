// The module driftless._core: errors, trees, records; runs and results are in the other files.
#include <fmt/format.h>

#include "driftless/coordinates/coordinates.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/model_json.hpp"
#include "driftless/model/setting_table.hpp"
#include "driftless/python/bindings.hpp"
#include "driftless/version.hpp"

namespace driftless::python {
namespace {

// `t_end` is t_end.
std::string in_python(const std::string& where) {
  const bool is_setting = where.size() > 2 && where.front() == '`' && where.back() == '`';
  return is_setting ? where.substr(1, where.size() - 2) : where;
}

void raise_input_error(const InputError& error) {
  py::list complaints;
  for (const Complaint& c : error.complaints())
    complaints.append(py::make_tuple(in_python(c.where), c.expected, c.found, c.hint));
  const py::object type = py::module_::import("driftless._errors").attr("InputError");
  const py::object value = type(error.source(), complaints);
  PyErr_SetObject(type.ptr(), value.ptr());
}

py::list records_of(const std::vector<const ElementRecord*>& records) {
  py::list out;
  for (const ElementRecord* record : records) {
    py::list fields;
    for (const FieldSpec& field : record->fields) {
      py::dict entry;
      entry["name"] = field.name;
      entry["required"] = field.required;
      entry["unit"] = field.unit;
      entry["help"] = field.help;
      entry["choices"] = field.choices;
      entry["spaces"] = field.spaces == Spaces::both     ? "both"
                        : field.spaces == Spaces::planar ? "planar"
                                                         : "spatial";
      fields.append(entry);
    }
    py::dict entry;
    entry["type"] = record->type;
    entry["summary"] = record->summary;
    entry["fields"] = fields;
    out.append(entry);
  }
  return out;
}

py::dict records() {
  const Catalogue catalogue = standard_catalogue();
  py::dict out;
  out["joint"] = records_of(catalogue.joints);
  out["driver"] = records_of(catalogue.drivers);
  out["force"] = records_of(catalogue.forces);
  out["contact"] = records_of(catalogue.contacts);
  out["output"] = records_of(catalogue.outputs);
  out["switch"] = records_of(catalogue.switches);
  py::list settings;
  const char* const types[] = {"float", "int", "str"};  // of Setting::member
  for (const Setting& s : run_settings())
    settings.append(py::make_tuple(s.name, types[s.member.index()], s.unit, s.help));
  out["setting"] = settings;
  return out;
}

}  // namespace

py::object to_python(const JsonValue& value) {
  if (const bool* flag = value.boolean()) return py::bool_(*flag);
  if (const double* number = value.number()) {
    const bool whole = *number == static_cast<double>(static_cast<long>(*number)) && std::abs(*number) < 1e15;
    if (whole) return py::int_(static_cast<long>(*number));
    return py::float_(*number);
  }
  if (const std::string* text = value.string()) return py::str(*text);
  if (const auto* array = value.array()) {
    py::list out;
    for (const JsonValue& entry : *array) out.append(to_python(entry));
    return out;
  }
  if (const auto* object = value.object()) {
    py::dict out;
    for (const JsonMember& member : *object) out[py::str(member.key)] = to_python(member.value);
    return out;
  }
  return py::none();
}

}  // namespace driftless::python

PYBIND11_MODULE(_core, module) {
  using namespace driftless;
  using namespace driftless::python;
  module.doc() = "The compiled part of driftless.";
  module.attr("version") = kVersion;
  py::register_exception_translator([](std::exception_ptr trouble) {
    try {
      if (trouble) std::rethrow_exception(trouble);
    } catch (const InputError& error) {
      raise_input_error(error);
    }
  });
  module.def("records", &records, "Joints, drivers, forces, outputs and settings with their fields.");
  module.def(
      "read_json", [](const std::string& path) { return to_python(parse_json(read_model_text(path), path)); },
      "A model file, comments and all, as dictionaries and lists.");
  bind_results(module);
  bind_runs(module);
}
