// Results as HDF5, doubles exact. Tables stand at the root:
//
//   t  q  v  vdot  lambda  quantities  energy  drift   records × columns, with <table>_names and <table>_units
//   poses         records × bodies × 7 (x y z, quaternion w x y z), body_names
//   reactions/    names of joints and drivers; values, records × joints × 12: force and torque on the second body in world
//                 axes, then in axes of the joint. Attributes: components and units, with commas between; planar
//   steps         accepted steps × (t, h, drift.position, drift.velocity, newton_iterations), steps_names, steps_units
//   events/       t, names
//   warnings      doubts about the accuracy of the run (absent in files of older versions)
//   notices       remarks of the run
//   final/        t, q, v, vdot, lambda, quantities
//   checkpoint/   where the integrator can be picked up: y, memory of the scheme, and t, origin, n, h, error_old, after_rejection;
//                 dropped_rows where constraints are redundant
//   drawing/      what it looks like, for pages: text (JSON, see drawing_json.hpp), and for each mesh i of it mesh_i_vertices
//                 and mesh_i_triangles; absent where nobody said
//
// Attributes of the root say what was run and how it went: format, format_version, driftless_version, problem, source,
// coordinates, formulation, integrator, stabilization, command, status, message, option.*, statistics.*, drift.*,
// energy.* (absent where no potential is known). No date: equal runs differ in statistics.cpu_seconds only.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/io/drawing_json.hpp"
#include "driftless/io/hdf5_access.hpp"
#include "driftless/io/result_formats.hpp"
#include "driftless/io/results_io.hpp"
#include "driftless/version.hpp"

namespace driftless {
namespace {

constexpr const char* kFormat = "driftless-results";
constexpr long kFormatVersion = 1;
constexpr const char* kOptionPrefix = "option.";
constexpr const char* kReactionComponents =
    "fx,fy,fz,tx,ty,tz,fx_joint,fy_joint,fz_joint,tx_joint,ty_joint,tz_joint";
constexpr const char* kReactionUnits = "N,N,N,N m,N m,N m,N,N,N,N m,N m,N m";

// ---- what both directions share: which member stands where --------------------------------------------------------

template <class Trajectory_, class Visit>
void for_each_table(Trajectory_& trajectory, Visit visit) {
  visit("q", trajectory.q);
  visit("v", trajectory.v);
  visit("vdot", trajectory.vdot);
  visit("lambda", trajectory.lambda);
  visit("quantities", trajectory.quantities);
  visit("energy", trajectory.energy);
  visit("drift", trajectory.drift);
}

template <class Provenance_, class Visit>
void for_each_text(Provenance_& provenance, Visit visit) {
  visit("problem", provenance.problem);
  visit("source", provenance.source);
  visit("coordinates", provenance.coordinates);
  visit("formulation", provenance.formulation);
  visit("integrator", provenance.integrator);
  visit("stabilization", provenance.stabilization);
  visit("command", provenance.command);
}

template <class Results_, class Visit>
void for_each_figure(Results_& results, Visit visit) {
  visit("statistics.accepted", results.statistics.accepted);
  visit("statistics.rejected", results.statistics.rejected);
  visit("statistics.evaluations", results.statistics.evaluations);
  visit("statistics.newton_iterations", results.statistics.newton_iterations);
  visit("statistics.factorizations", results.statistics.factorizations);
  visit("statistics.stabilizations", results.statistics.stabilizations);
  visit("statistics.cpu_seconds", results.statistics.cpu_seconds);
  visit("drift.position_max", results.drift.position_max);
  visit("drift.velocity_max", results.drift.velocity_max);
  visit("drift.position_row", results.drift.position_row);
  visit("drift.velocity_row", results.drift.velocity_row);
}

template <class Energy, class Visit>
void for_each_energy(Energy& energy, Visit visit) {
  visit("energy.initial", energy.initial);
  visit("energy.final", energy.final);
  visit("energy.work", energy.work);
  visit("energy.max_relative_error", energy.max_relative_error);
}

// ---- writing --------------------------------------------------------------------------------------------------------

void write_vector(hid_t parent, const char* name, ConstVec x) {
  h5::write_numbers(parent, name, {x.data(), static_cast<size_t>(x.size())},
                    {static_cast<hsize_t>(x.size())});
}

// A table may end early when a run failed while its last record was taken: NaN fills it up.
void write_filled(hid_t file,
                  const std::string& name,
                  const std::vector<double>& values,
                  const std::vector<hsize_t>& dims) {
  size_t count = 1;
  for (const hsize_t d : dims) count *= d;
  if (values.size() == count) return h5::write_numbers(file, name, values, dims);
  std::vector<double> filled = values;
  filled.resize(count, std::nan(""));
  h5::write_numbers(file, name, filled, dims);
}

// `rows`: a table without columns still says how many records there are.
void write_table(hid_t file, const std::string& name, const Table& table, size_t rows) {
  std::vector<std::string> units = table.units;
  units.resize(table.columns());
  write_filled(file, name, table.data, {rows, table.columns()});
  h5::write_strings(file, name + "_names", table.names);
  h5::write_strings(file, name + "_units", units);
}

void write_trajectory(hid_t file, const Trajectory& trajectory) {
  const size_t records = trajectory.size();
  h5::write_numbers(file, "t", trajectory.t, {records});
  for_each_table(trajectory,
                 [&](const char* name, const Table& table) { write_table(file, name, table, records); });
  write_table(file, "steps", trajectory.steps, trajectory.steps.rows());

  const size_t bodies = trajectory.body_names.size();
  write_filled(file, "poses", trajectory.poses, {records, bodies, 7});
  h5::write_strings(file, "body_names", trajectory.body_names);

  const h5::Handle reactions = h5::create_group(file, "reactions");
  write_filled(reactions.id(), "values", trajectory.reactions, {records, trajectory.joint_names.size(), 12});
  h5::write_strings(reactions.id(), "names", trajectory.joint_names);
  h5::write_attribute(reactions.id(), "components", std::string(kReactionComponents));
  h5::write_attribute(reactions.id(), "units", std::string(kReactionUnits));
  h5::write_attribute(reactions.id(), "planar", trajectory.planar ? 1L : 0L);

  std::vector<double> times;
  std::vector<std::string> names;
  for (const EventRecord& event : trajectory.events) {
    times.push_back(event.t);
    names.push_back(event.name);
  }
  const h5::Handle events = h5::create_group(file, "events");
  h5::write_numbers(events.id(), "t", times, {times.size()});
  h5::write_strings(events.id(), "names", names);
}

void write_about(hid_t file, const Results& results) {
  const auto write = [&](const char* name, const auto& value) { h5::write_attribute(file, name, value); };
  write("format", std::string(kFormat));
  write("format_version", kFormatVersion);
  write("driftless_version", std::string(kVersion));
  for_each_text(results.provenance, write);
  for (const auto& [name, value] : results.provenance.options)
    h5::write_attribute(file, kOptionPrefix + name, value);
  write("status", std::string(name(results.status)));
  write("message", results.message);
  for_each_figure(results, write);
  if (results.energy) for_each_energy(*results.energy, write);
  h5::write_strings(file, "warnings", results.warnings);
  h5::write_strings(file, "notices", results.notices);
}

void write_end(hid_t file, const Results& results) {
  const h5::Handle final = h5::create_group(file, "final");
  h5::write_numbers(final.id(), "t", {&results.final.t, 1}, {});
  write_vector(final.id(), "q", results.final.q);
  write_vector(final.id(), "v", results.final.v);
  write_vector(final.id(), "vdot", results.final_reaction.vdot);
  write_vector(final.id(), "lambda", results.final_reaction.lambda);
  write_vector(final.id(), "quantities", results.final_quantities);
  if (!results.checkpoint) return;
  const Checkpoint& checkpoint = *results.checkpoint;
  const h5::Handle group = h5::create_group(file, "checkpoint");
  h5::write_attribute(group.id(), "t", checkpoint.t);
  h5::write_attribute(group.id(), "origin", checkpoint.origin);
  h5::write_attribute(group.id(), "n", checkpoint.n);
  h5::write_attribute(group.id(), "h", checkpoint.h);
  h5::write_attribute(group.id(), "error_old", checkpoint.error_old);
  h5::write_attribute(group.id(), "after_rejection", checkpoint.after_rejection ? 1L : 0L);
  write_vector(group.id(), "y", checkpoint.y);
  if (checkpoint.memory.size() > 0) write_vector(group.id(), "memory", checkpoint.memory);
  if (checkpoint.dropped_rows.empty()) return;
  const auto count = static_cast<Eigen::Index>(checkpoint.dropped_rows.size());
  write_vector(group.id(), "dropped_rows",
               Eigen::Map<const Eigen::VectorXi>(checkpoint.dropped_rows.data(), count).cast<double>());
}

void write_drawing(hid_t file, const Drawing& drawing) {
  const h5::Handle group = h5::create_group(file, "drawing");
  std::vector<const Mesh*> meshes;
  const std::string text = drawing_text(drawing, meshes);
  h5::write_strings(group.id(), "text", {&text, 1});
  for (size_t i = 0; i < meshes.size(); ++i) {
    const std::vector<double> vertices(meshes[i]->vertices.begin(), meshes[i]->vertices.end());
    const std::vector<double> triangles(meshes[i]->triangles.begin(), meshes[i]->triangles.end());
    h5::write_numbers(group.id(), fmt::format("mesh_{}_vertices", i), vertices, {vertices.size()});
    h5::write_numbers(group.id(), fmt::format("mesh_{}_triangles", i), triangles, {triangles.size()});
  }
}

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

void read_trajectory(hid_t file, Trajectory& trajectory) {
  h5::Array times = h5::read_numbers(file, "t");
  trajectory.t = std::move(times.values);
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

Provenance read_provenance(hid_t file) {
  Provenance provenance;
  for_each_text(provenance, [&](const char* name, auto& value) { read_member(file, name, value); });
  const std::string prefix = kOptionPrefix;
  for (const auto& name : h5::attribute_names(file))
    if (name.starts_with(prefix)) provenance.options[name.substr(prefix.size())] = h5::read_text(file, name);
  return provenance;
}

void read_about(hid_t file, Results& results) {
  const auto read = [&](const char* name, auto& value) { read_member(file, name, value); };
  results.provenance = read_provenance(file);
  results.status = status_named(h5::read_text(file, "status"));
  read("message", results.message);
  for_each_figure(results, read);
  if (h5::has_attribute(file, "energy.initial")) for_each_energy(results.energy.emplace(), read);
  if (h5::has_object(file, "warnings")) results.warnings = h5::read_strings(file, "warnings");
  results.notices = h5::read_strings(file, "notices");
}

double read_scalar(hid_t parent, const char* name) {
  const h5::Array array = h5::read_numbers(parent, name);
  if (array.values.size() != 1) throw h5::Failure(fmt::format("dataset '{}' is not one number", name));
  return array.values[0];
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
  checkpoint.error_old = h5::read_number(group.id(), "error_old");
  checkpoint.after_rejection = h5::read_integer(group.id(), "after_rejection") != 0;
  checkpoint.y = read_vector(group.id(), "y");
  if (h5::has_object(group.id(), "memory")) checkpoint.memory = read_vector(group.id(), "memory");
  if (h5::has_object(group.id(), "dropped_rows"))
    for (const double row : read_vector(group.id(), "dropped_rows"))
      checkpoint.dropped_rows.push_back(row >= 0 && row < 1e9 ? static_cast<int>(row) : -1);
  return checkpoint;
}

Mesh read_mesh(hid_t group, size_t i) {
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
    meshes.push_back(read_mesh(group.id(), meshes.size()));
  try {
    return std::make_shared<const Drawing>(read_drawing(text[0], std::move(meshes)));
  } catch (const std::runtime_error& failure) {
    throw h5::Failure(failure.what());
  }
}

h5::Handle open_results(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw h5::Failure("there is no such file");
  if (std::filesystem::is_directory(path, error)) throw h5::Failure("it is a directory");
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

void write_results_hdf5(const Results& results, const std::string& path) {
  const h5::SilentErrors silent;
  try {
    const h5::Handle file = h5::create_file_in_memory();
    write_about(file.id(), results);
    write_trajectory(file.id(), results.trajectory);
    write_end(file.id(), results);
    if (results.drawing) write_drawing(file.id(), *results.drawing);
    h5::save(file, path);
  } catch (const h5::Failure& failure) {
    throw FormatFailure(failure.what());
  }
}

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
