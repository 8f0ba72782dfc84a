// Results as numpy arrays: views on what C++ has, read-only, each keeping its results alive.
#include <fmt/format.h>

#include "driftless/io/results_io.hpp"
#include "driftless/python/bindings.hpp"
#include "driftless/report/page.hpp"

namespace driftless::python {
namespace {

using Shape = std::vector<py::ssize_t>;

py::array view(const SharedResults& owner, const std::vector<double>& data, Shape shape) {
  auto* keeper = new SharedResults(owner);
  const py::capsule base(keeper, [](void* p) { delete static_cast<SharedResults*>(p); });
  py::array_t<double> out(std::move(shape), data.data(), base);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

py::ssize_t size(std::size_t n) { return static_cast<py::ssize_t>(n); }

const Table& table_of(const Results& results, const std::string& name) {
  const Trajectory& t = results.trajectory;
  const std::pair<const char*, const Table*> tables[] = {{"q", &t.q},
                                                         {"v", &t.v},
                                                         {"vdot", &t.vdot},
                                                         {"lambda", &t.lambda},
                                                         {"quantities", &t.quantities},
                                                         {"energy", &t.energy},
                                                         {"drift", &t.drift},
                                                         {"modes", &t.modes},
                                                         {"steps", &t.steps}};
  for (const auto& [key, table] : tables)
    if (name == key) return *table;
  throw py::key_error(name);
}

py::array table_array(const SharedResults& r, const std::string& name) {
  const Table& table = table_of(*r, name);
  return view(r, table.data, {size(table.rows()), size(table.columns())});
}

py::tuple table_names(const SharedResults& r, const std::string& name) {
  const Table& table = table_of(*r, name);
  std::vector<std::string> units = table.units;
  units.resize(table.columns());
  return py::make_tuple(table.names, units);
}

py::dict statistics(const SharedResults& r) {
  const Statistics& s = r->statistics;
  py::dict out;
  out["steps"] = s.steps();
  for_each_statistic(s, [&](const char* name, auto value) { out[name] = value; });
  return out;
}

py::dict drift(const SharedResults& r) {
  py::dict out;
  out["position_max"] = r->drift.position_max;
  out["velocity_max"] = r->drift.velocity_max;
  out["position_row"] = r->drift.position_row;
  out["velocity_row"] = r->drift.velocity_row;
  return out;
}

py::object energy(const SharedResults& r) {
  if (!r->energy) return py::none();
  py::dict out;
  out["initial"] = r->energy->initial;
  out["final"] = r->energy->final;
  out["work"] = r->energy->work;
  out["max_relative_error"] = r->energy->max_relative_error;
  return out;
}

py::dict provenance(const SharedResults& r) {
  const Provenance& p = r->provenance;
  py::dict out, parameters;
  out["problem"] = p.problem;
  out["source"] = p.source;
  out["coordinates"] = p.coordinates;
  out["formulation"] = p.formulation;
  out["integrator"] = p.integrator;
  out["stabilization"] = p.stabilization;
  out["options"] = p.options;
  out["command"] = p.command;
  for (const Parameter& parameter : p.parameters) parameters[py::str(parameter.name)] = parameter.value;
  out["parameters"] = parameters;
  return out;
}

std::string page(const std::vector<SharedResults>& all,
                 const std::vector<std::string>& names,
                 const std::string& title) {
  Page out;
  out.title = title;
  for (std::size_t i = 0; i < all.size(); ++i) out.runs.push_back({names[i], all[i].get()});
  const py::gil_scoped_release free;
  return page_html(out);
}

}  // namespace

void bind_results(py::module_& module) {
  py::class_<Results, SharedResults>(module, "Results", "What happened in a run.")
      .def_property_readonly("status", [](const SharedResults& r) { return std::string(name(r->status)); })
      .def_property_readonly("good", [](const SharedResults& r) { return r->good(); })
      .def_property_readonly("message", [](const SharedResults& r) { return r->message; })
      .def_property_readonly("warnings", [](const SharedResults& r) { return r->warnings; })
      .def_property_readonly("notices", [](const SharedResults& r) { return r->notices; })
      .def_property_readonly("redundant_rows", [](const SharedResults& r) { return r->redundant_rows; })
      .def_property_readonly("statistics", &statistics)
      .def_property_readonly("drift", &drift)
      .def_property_readonly("energy", &energy)
      .def_property_readonly("provenance", &provenance)
      .def_property_readonly("events",
                             [](const SharedResults& r) {
                               py::list out;
                               for (const EventRecord& e : r->trajectory.events)
                                 out.append(py::make_tuple(e.t, e.name));
                               return out;
                             })
      .def_property_readonly(
          "t",
          [](const SharedResults& r) { return view(r, r->trajectory.t, {size(r->trajectory.t.size())}); })
      .def("table", &table_array)
      .def("names", &table_names)
      .def_property_readonly("body_names", [](const SharedResults& r) { return r->trajectory.body_names; })
      .def_property_readonly("joint_names", [](const SharedResults& r) { return r->trajectory.joint_names; })
      .def_property_readonly("poses",
                             [](const SharedResults& r) {
                               const Trajectory& t = r->trajectory;
                               return view(r, t.poses, {size(t.size()), size(t.body_names.size()), 7});
                             })
      .def_property_readonly("reactions",
                             [](const SharedResults& r) {
                               const Trajectory& t = r->trajectory;
                               return view(r, t.reactions, {size(t.size()), size(t.joint_names.size()), 12});
                             })
      .def("save", [](const SharedResults& r, const std::string& path) {
        const py::gil_scoped_release free;
        check_results_path(path);
        write_results(*r, path);
      });
  module.def("load", [](const std::string& path) {
    const py::gil_scoped_release free;
    return std::make_shared<Results>(read_results(path));
  });
  module.def("page", &page);
}

}  // namespace driftless::python
