#include "driftless/io/hdf5/hdf5_result_axes.hpp"

#include "driftless/io/hdf5/hdf5_scales.hpp"
#include "driftless/io/hdf5/results_hdf5_layout.hpp"

namespace driftless::hdf5_layout {
namespace {

// One dataset under two names.
void link(hid_t file, const char* from, const char* to) {
  if (H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT) < 0)
    throw h5::Failure(std::string("cannot make ") + to);
}

void note(hid_t file, const std::string& dataset, const char* name, const std::string& text) {
  const h5::Handle set(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset");
  h5::write_attribute(set.id(), name, text);
}

// Of a table: its second axis is that of its names, and its units go along.
void add_columns(h5::Dimensions& dimensions, hid_t file, const std::string& name, const std::string& rows) {
  dimensions.add(name, {rows, name + "_names"});
  dimensions.add_scale(name + "_names");
  dimensions.add(name + "_units", {name + "_names"});
  note(file, name, "coordinates", name + "_units");  // by the conventions of CF
}

void add_group(h5::Dimensions& dimensions, hid_t file, const std::string& group) {
  if (!h5::has_object(file, group)) return;
  const h5::Handle handle = h5::open_group(file, group);
  for (const std::string& name : h5::object_names(handle.id())) dimensions.add_scale(group + "/" + name);
}

}  // namespace

void write_dimensions(hid_t file, const Trajectory& trajectory, hsize_t steps) {
  h5::Dimensions dimensions;
  dimensions.add_scale("t");
  note(file, "t", "units", "s");
  for_each_table(trajectory,
                 [&](const char* name, const Table&) { add_columns(dimensions, file, name, "t"); });
  dimensions.add_plain("step", steps);
  add_columns(dimensions, file, "steps", "step");
  dimensions.add("poses", {"t", "body_names", "pose_components"});
  for (const char* scale : {"body_names", "pose_components", "warnings", "notices", "parameter_names"})
    dimensions.add_scale(scale);
  dimensions.add("parameter_units", {"parameter_names"});
  dimensions.add("reactions/values", {"t", "reactions/names", "reactions/component_names"});
  dimensions.add_scale("reactions/names");
  dimensions.add_scale("reactions/component_names");
  link(file, "/t", "/reactions/t");  // whoever opens a group sees no coordinates but its own
  dimensions.add_scale("events/t");
  dimensions.add("events/names", {"events/t"});
  dimensions.add_scale("mode_names/elements");
  for (const char* of_modes : {"mode_names/kinds", "mode_names/names", "mode_names/first"})
    dimensions.add(of_modes, {"mode_names/elements"});
  for (const char* name : {"q", "v", "vdot", "lambda", "quantities"})
    dimensions.add(std::string("final/") + name, {std::string(name) + "_names"});
  add_group(dimensions, file, "checkpoint");
  add_group(dimensions, file, "drawing");
  dimensions.write(file);
}

}  // namespace driftless::hdf5_layout
