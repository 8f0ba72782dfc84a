// Reads result files of HDF5; results_hdf5_writer.cpp says what stands where.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/file_kind.hpp"
#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/io/hdf5/results_hdf5_layout.hpp"
#include "driftless/io/model/elements/drawing_json.hpp"
#include "driftless/io/results_io.hpp"

namespace driftless {
namespace {

using namespace hdf5_layout;

// ---- reading --------------------------------------------------------------------------------------------------------

Vec read_vector(hid_t parent, const char* name) {
  const h5::Array array = h5::read_numbers(parent, name);
  if (array.dims.size() != 1) throw h5::Failure(fmt::format("dataset '{}' is not a vector", name));
  return Eigen::Map<const Vec>(array.values.data(), static_cast<Eigen::Index>(array.values.size()));
}

Table read_table(hid_t file, const std::string& name) {
  h5::Array array = h5::read_numbers(file, name);
  Table table{h5::read_strings(file, name + "_names"), h5::read_strings(file, name + "_units"), {}};
  if (array.dims.size() != 2 || array.dims[1] != table.names.size() ||
      table.units.size() != table.names.size())
    throw h5::Failure(fmt::format("dataset '{}' does not fit its column names", name));
  table.data = std::move(array.values);
  return table;
}

void read_mode_names(hid_t file, Trajectory& trajectory) {
  if (!h5::has_object(file, "mode_names")) return;
  const h5::Handle group = h5::open_group(file, "mode_names");
  const auto elements = h5::read_strings(group.id(), "elements"),
             kinds = h5::read_strings(group.id(), "kinds"), names = h5::read_strings(group.id(), "names");
  const auto first = h5::read_numbers(group.id(), "first").values;
  if (kinds.size() != elements.size() || names.size() != elements.size() || first.size() != elements.size())
    throw h5::Failure("the lists of 'mode_names' do not match");
  for (size_t i = 0; i < elements.size(); ++i) {
    ModeNames one{elements[i], kinds[i], static_cast<int>(first[i]), {}};
    for (size_t from = 0; from < names[i].size();) {
      const size_t to = std::min(names[i].find('|', from), names[i].size());
      one.names.push_back(names[i].substr(from, to - from));
      from = to + 1;
    }
    trajectory.mode_names.push_back(std::move(one));
  }
}

// Strains and stresses of flexible bodies, and where the bodies stand; what else their groups have is in tables and poses.
void read_flexible(hid_t file, Trajectory& trajectory) {
  if (!h5::has_object(file, "flexible")) return;
  const h5::Handle group = h5::open_group(file, "flexible");
  std::vector<h5::Array> arrays;
  for (const std::string& name : h5::read_strings(group.id(), "names")) {
    const h5::Handle own = h5::open_group(group.id(), name);
    FlexibleColumns& body = trajectory.flexible.emplace_back();
    body.body = name;
    body.q = static_cast<int>(h5::read_integer(own.id(), "q"));
    body.v = static_cast<int>(h5::read_integer(own.id(), "v"));
    const auto width = [&](const h5::Array& array) {
      if (array.dims.size() != 2 || array.dims[0] != trajectory.size())
        throw h5::Failure(fmt::format("the arrays of 'flexible/{}' do not fit 't'", name));
      return static_cast<int>(array.dims[1]);
    };
    body.size = width(h5::read_numbers(own.id(), "eta"));
    for (const char* table : {"strain", "stress_max"})
      if (h5::has_object(own.id(), table)) {
        arrays.push_back(h5::read_numbers(own.id(), table));
        body.elements = width(arrays.back());
        body.has_stress = table[3] == 'e';
      }
  }
  trajectory.strains = strain_columns(trajectory.flexible);
  size_t width = 0;
  for (const h5::Array& array : arrays) width += array.dims[1];
  if (width != trajectory.strains.columns()) throw h5::Failure("the arrays of 'flexible' do not fit");
  for (size_t r = 0; r < trajectory.size(); ++r)
    for (const h5::Array& array : arrays) {
      const auto first = array.values.begin() + static_cast<std::ptrdiff_t>(r * array.dims[1]);
      trajectory.strains.data.insert(trajectory.strains.data.end(), first,
                                     first + static_cast<std::ptrdiff_t>(array.dims[1]));
    }
}

void read_trajectory(hid_t file, Trajectory& trajectory) {
  h5::Array times = h5::read_numbers(file, "t");
  trajectory.t = std::move(times.values);
  if (h5::has_object(file, "modes")) trajectory.modes.names.emplace_back();  // there are some
  for_each_table(trajectory, [&](const char* name, Table& table) {
    table = read_table(file, name);
    if (table.columns() > 0 && table.rows() != trajectory.size())
      throw h5::Failure(
          fmt::format("dataset '{}' has {} records, 't' {}", name, table.rows(), trajectory.size()));
  });
  trajectory.steps = read_table(file, "steps");
  trajectory.body_names = h5::read_strings(file, "body_names");
  trajectory.poses = h5::read_numbers(file, "poses").values;
  if (trajectory.poses.size() != trajectory.size() * trajectory.body_names.size() * 7)
    throw h5::Failure("dataset 'poses' does not fit 't' and 'body_names'");

  read_mode_names(file, trajectory);
  read_flexible(file, trajectory);
  if (h5::has_object(file, "reactions")) {
    const h5::Handle reactions = h5::open_group(file, "reactions");
    trajectory.joint_names = h5::read_strings(reactions.id(), "names");
    trajectory.reactions = h5::read_numbers(reactions.id(), "values").values;
    trajectory.planar = h5::read_integer(reactions.id(), "planar") != 0;
    if (trajectory.reactions.size() != trajectory.size() * trajectory.joint_names.size() * 12)
      throw h5::Failure("dataset 'reactions/values' does not fit 't' and 'reactions/names'");
  }

  const h5::Handle events = h5::open_group(file, "events");
  const h5::Array instants = h5::read_numbers(events.id(), "t");
  const std::vector<std::string> names = h5::read_strings(events.id(), "names");
  if (instants.values.size() != names.size()) throw h5::Failure("times and names of 'events' do not match");
  for (size_t i = 0; i < names.size(); ++i) trajectory.events.push_back({instants.values[i], names[i]});
}

Status status_named(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Status::stopped); ++i)
    if (name(static_cast<Status>(i)) == text) return static_cast<Status>(i);
  throw h5::Failure(fmt::format("attribute 'status' is '{}'", text));
}

void read_member(hid_t object, const char* name, std::string& value) { value = h5::read_text(object, name); }
void read_member(hid_t object, const char* name, double& value) { value = h5::read_number(object, name); }
void read_member(hid_t object, const char* name, long& value) { value = h5::read_integer(object, name); }

double read_scalar(hid_t parent, const char* name) {
  const h5::Array array = h5::read_numbers(parent, name);
  if (array.values.size() != 1) throw h5::Failure(fmt::format("dataset '{}' is not one number", name));
  return array.values[0];
}

Provenance read_provenance(hid_t file) {
  Provenance provenance;
  for_each_text(provenance, [&](const char* name, auto& value) { read_member(file, name, value); });
  const std::string prefix = kOptionPrefix;
  for (const auto& name : h5::attribute_names(file))
    if (name.starts_with(prefix)) provenance.options[name.substr(prefix.size())] = h5::read_text(file, name);
  if (!h5::has_object(file, "parameters")) return provenance;  // written before there were any
  const h5::Handle group = h5::open_group(file, "parameters");
  const auto names = h5::read_strings(file, "parameter_names"),
             units = h5::read_strings(file, "parameter_units");
  if (names.size() != units.size()) throw h5::Failure("names and units of parameters do not match");
  for (size_t i = 0; i < names.size(); ++i) {
    Parameter& parameter = provenance.parameters.emplace_back();
    parameter.name = names[i];
    parameter.unit = units[i];
    parameter.value = read_scalar(group.id(), names[i].c_str());
  }
  return provenance;
}

void read_about(hid_t file, Results& results) {
  const auto read = [&](const char* name, auto& value) { read_member(file, name, value); };
  results.provenance = read_provenance(file);
  results.status = status_named(h5::read_text(file, "status"));
  read("message", results.message);
  for_each_figure(results, [&](const char* name, auto& value) {
    const bool is_newer = std::string_view(name).starts_with("statistics.") && !h5::has_attribute(file, name);
    if (!is_newer) read(name, value);  // older programs counted less
  });
  if (h5::has_attribute(file, "energy.initial")) for_each_energy(results.energy.emplace(), read);
  if (results.energy && h5::has_attribute(file, "energy.lost")) read("energy.lost", results.energy->lost);
  if (h5::has_object(file, "warnings")) results.warnings = h5::read_strings(file, "warnings");
  results.notices = h5::read_strings(file, "notices");
}

State read_state(hid_t file) {
  const h5::Handle final = h5::open_group(file, "final");
  return {read_scalar(final.id(), "t"), read_vector(final.id(), "q"), read_vector(final.id(), "v")};
}

std::optional<Checkpoint> read_checkpoint(hid_t file) {
  if (!h5::has_object(file, "checkpoint")) return std::nullopt;
  const h5::Handle group = h5::open_group(file, "checkpoint");
  Checkpoint checkpoint;
  checkpoint.t = h5::read_number(group.id(), "t");
  checkpoint.origin = h5::read_number(group.id(), "origin");
  checkpoint.n = h5::read_integer(group.id(), "n");
  checkpoint.h = h5::read_number(group.id(), "h");
  checkpoint.y = read_vector(group.id(), "y");
  if (h5::has_object(group.id(), "memory")) checkpoint.memory = read_vector(group.id(), "memory");
  if (h5::has_object(group.id(), "dropped_rows"))
    for (const double row : read_vector(group.id(), "dropped_rows"))
      checkpoint.dropped_rows.push_back(row >= 0 && row < 1e9 ? static_cast<int>(row) : -1);
  if (h5::has_object(group.id(), "mode"))
    for (const double value : read_vector(group.id(), "mode"))
      checkpoint.mode.push_back(std::abs(value) < 2e9 ? static_cast<int>(value) : 0);
  if (h5::has_object(group.id(), "held"))
    for (const double value : read_vector(group.id(), "held")) checkpoint.held.push_back(value);
  return checkpoint;
}

Mesh read_stored_mesh(hid_t group, size_t i) {
  const auto vertices = h5::read_numbers(group, fmt::format("mesh_{}_vertices", i)).values;
  const auto triangles = h5::read_numbers(group, fmt::format("mesh_{}_triangles", i)).values;
  const auto count = static_cast<double>(vertices.size() / 3);
  const auto is_vertex = [&](double x) { return x >= 0 && x < count; };
  if (vertices.size() % 3 != 0 || triangles.size() % 3 != 0 ||
      !std::all_of(triangles.begin(), triangles.end(), is_vertex))
    throw h5::Failure("a mesh whose triangles do not fit its vertices");
  Mesh mesh;
  for (const double x : vertices) mesh.vertices.push_back(static_cast<float>(x));
  for (const double x : triangles) mesh.triangles.push_back(static_cast<std::uint32_t>(x));
  return mesh;
}

std::shared_ptr<const Drawing> read_drawing(hid_t file) {
  if (!h5::has_object(file, "drawing")) return nullptr;
  const h5::Handle group = h5::open_group(file, "drawing");
  const auto text = h5::read_strings(group.id(), "text");
  if (text.size() != 1) throw h5::Failure("dataset 'drawing/text' is not one text");
  std::vector<Mesh> meshes;
  while (h5::has_object(group.id(), fmt::format("mesh_{}_vertices", meshes.size())))
    meshes.push_back(read_stored_mesh(group.id(), meshes.size()));
  try {
    return std::make_shared<const Drawing>(read_drawing(text[0], std::move(meshes)));
  } catch (const std::runtime_error& failure) {
    throw h5::Failure(failure.what());
  }
}

h5::Handle open_results(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw h5::Failure("there is no such file");
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) throw h5::Failure("it is " + kind);
  h5::Handle file = h5::open_file(path);
  if (!h5::has_attribute(file.id(), "format") || h5::read_text(file.id(), "format") != kFormat)
    throw h5::Failure("an HDF5 file that driftless did not write");
  const long version = h5::read_integer(file.id(), "format_version");
  if (version != kFormatVersion)
    throw h5::Failure(fmt::format("format version {}, this program knows {}", version, kFormatVersion));
  return file;
}

// Whatever is wrong with the file is the user's to know, in one way.
template <class Read>
auto read_file(const std::string& path, Read read) -> std::invoke_result_t<Read, hid_t> {
  const h5::SilentErrors silent;
  try {
    const h5::Handle file = open_results(path);
    return read(file.id());
  } catch (const h5::Failure& failure) {
    throw InputError(path, Complaint{"", "a result file (.h5) written by driftless", failure.what(), ""});
  }
}

}  // namespace

SavedState read_final_state(const std::string& path) {
  return read_file(path, [](hid_t file) {
    const h5::Handle final = h5::open_group(file, "final");
    SavedState saved{read_state(file),
                     h5::read_strings(file, "q_names"),
                     h5::read_strings(file, "v_names"),
                     read_vector(final.id(), "quantities"),
                     h5::read_strings(file, "quantities_names"),
                     read_checkpoint(file),
                     read_provenance(file)};
    if (static_cast<size_t>(saved.state.q.size()) != saved.q_names.size() ||
        static_cast<size_t>(saved.state.v.size()) != saved.v_names.size())
      throw h5::Failure("a final state that does not fit its names");
    if (static_cast<size_t>(saved.quantities.size()) != saved.quantity_names.size())
      throw h5::Failure("final quantities that do not fit their names");
    if (!std::isfinite(saved.state.t) || !saved.state.q.allFinite() || !saved.state.v.allFinite())
      throw h5::Failure("a final state that is not finite");
    return saved;
  });
}

Results read_results(const std::string& path) {
  return read_file(path, [](hid_t file) {
    Results results;
    read_about(file, results);
    read_trajectory(file, results.trajectory);
    results.final = read_state(file);
    const h5::Handle final = h5::open_group(file, "final");
    results.final_reaction = {read_vector(final.id(), "vdot"), read_vector(final.id(), "lambda")};
    results.final_quantities = read_vector(final.id(), "quantities");
    results.checkpoint = read_checkpoint(file);
    results.drawing = read_drawing(file);
    return results;
  });
}

}  // namespace driftless
