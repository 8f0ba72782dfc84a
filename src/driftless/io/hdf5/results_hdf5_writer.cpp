// Results as HDF5, doubles exact; axes of tables in hdf5_result_axes.cpp. Tables stand at the root:
//
//   t  q  v  vdot  lambda  quantities  energy  drift   records × columns, with <table>_names and <table>_units
//   poses         records × bodies × 7 (x y z, quaternion w x y z), body_names, pose_components
//   reactions/    names of joints and drivers; values, records × joints × 12: force and torque on the second body in world
//                 axes, then in axes of the joint (component_names). Attributes: components and units, with commas
//                 between; planar. t is that of the root
//   steps         accepted steps × (t, h, drift.position, drift.velocity, newton_iterations), steps_names, steps_units
//   events/       t, names
//   modes         where the system switches: one column a switch; mode_names/ says what their values are called
//   flexible/     names of flexible bodies, and a group for each: eta, eta_rate (records × n, of a cable its nodal coordinates),
//                 nodes (records × nodes × 3, world), strain (records × elements, axial, in the middle) and stress_max
//                 (the largest |σ| at the Gauss points); attributes q, v: where eta and eta_rate stand in those tables.
//                 Imported bodies have no strains, and where Young's modulus is not given there are no stresses
//   warnings      doubts about the accuracy of the run (absent in files of older versions)
//   notices       remarks of the run
//   final/        t, q, v, vdot, lambda, quantities
//   checkpoint/   where the integrator can be picked up: y, memory of the scheme, and t, origin, n, h;
//                 dropped_rows where constraints are redundant; mode, held where the system switches
//   drawing/      what it looks like, for pages: text (JSON, see drawing_json.hpp), and for each mesh i of it mesh_i_vertices
//                 and mesh_i_triangles; absent where nobody said
//
// Attributes of the root say what was run and how it went: format, format_version, driftless_version, problem, source,
// coordinates, formulation, integrator, stabilization, command, status, message, option.*, statistics.*, drift.*,
// energy.* (absent where no potential is known). No date: equal runs differ in statistics.cpu_seconds only.
//
// Axes have names: dimension scales, as netCDF-4 keeps them (hdf5_result_axes.cpp).
//
// While a run is under way the file is NAME.part, with the status "interrupted"; hdf5_image.hpp says how it stays whole.

#include <cmath>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/io/hdf5/hdf5_array.hpp"
#include "driftless/io/hdf5/hdf5_image.hpp"
#include "driftless/io/hdf5/hdf5_result_axes.hpp"
#include "driftless/io/hdf5/results_hdf5_layout.hpp"
#include "driftless/io/model/elements/drawing_json.hpp"
#include "driftless/io/part_file.hpp"
#include "driftless/io/result_formats.hpp"
#include "driftless/version.hpp"

namespace driftless {
namespace {

using namespace hdf5_layout;

void write_vector(hid_t parent, const char* name, ConstVec x) {
  h5::write_numbers(parent, name, {x.data(), static_cast<size_t>(x.size())},
                    {static_cast<hsize_t>(x.size())});
}

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) out.push_back(word);
  return out;
}

void write_parameters(hid_t file, const std::vector<Parameter>& parameters) {
  std::vector<std::string> names, units;
  const h5::Handle group = h5::create_group(file, "parameters");
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    units.push_back(parameter.unit);
    h5::write_numbers(group.id(), parameter.name, {&parameter.value, 1}, {});
  }
  h5::write_strings(file, "parameter_names", names);
  h5::write_strings(file, "parameter_units", units);
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
  if (results.energy && results.energy->lost != 0) write("energy.lost", results.energy->lost);
  h5::write_strings(file, "warnings", results.warnings);
  h5::write_strings(file, "notices", results.notices);
  write_parameters(file, results.provenance.parameters);
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
  write_vector(group.id(), "y", checkpoint.y);
  if (checkpoint.memory.size() > 0) write_vector(group.id(), "memory", checkpoint.memory);
  const auto write_integers = [&](const char* name, const std::vector<int>& values) {
    const auto count = static_cast<Eigen::Index>(values.size());
    if (count > 0)
      write_vector(group.id(), name, Eigen::Map<const Eigen::VectorXi>(values.data(), count).cast<double>());
  };
  write_integers("dropped_rows", checkpoint.dropped_rows);
  write_integers("mode", checkpoint.mode);
  if (!checkpoint.held.empty())
    h5::write_numbers(group.id(), "held", checkpoint.held, {checkpoint.held.size()});
}

// What the numbers in `modes` are called: a list a column, "false|true", empty where they are numbers.
void write_mode_names(hid_t file, const std::vector<ModeNames>& columns) {
  if (columns.empty()) return;
  std::vector<std::string> elements, kinds, names;
  std::vector<double> first;
  for (const ModeNames& column : columns) {
    elements.push_back(column.element);
    kinds.push_back(column.kind);
    first.push_back(column.first);
    names.push_back(fmt::format("{}", fmt::join(column.names, "|")));
  }
  const h5::Handle group = h5::create_group(file, "mode_names");
  h5::write_strings(group.id(), "elements", elements);
  h5::write_strings(group.id(), "kinds", kinds);
  h5::write_strings(group.id(), "names", names);
  h5::write_numbers(group.id(), "first", first, {first.size()});
}

void write_names(hid_t file, const std::string& table, const Table& columns) {
  std::vector<std::string> units = columns.units;
  units.resize(columns.columns());
  h5::write_strings(file, table + "_names", columns.names);
  h5::write_strings(file, table + "_units", units);
}

void write_events(hid_t file, const Trajectory& trajectory) {
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

class Hdf5File : public ResultFile {
 public:
  explicit Hdf5File(const std::string& path) : path_(path), part_(std::make_unique<PartFile>(path)) {}

  void begin(const Results& results) override;
  void add(const Trajectory& rows) override {
    guarded([&] { add_rows(rows); });
  }
  void update(const Results& so_far, bool durable) override {
    guarded([&] { write(so_far, false, durable); });
    if (!part_->is_shown()) part_->show();
    has_part_ = true;
  }
  void finish(const Results& results) override;
  bool is_shown() const override { return has_part_; }
  std::string part() const override { return part_->name(); }

 private:
  struct Growing {
    h5::GrowingArray array;
    hsize_t rows = 0;
  };
  using Piece = std::pair<haddr_t, hsize_t>;

  template <class Work>
  void guarded(Work work);
  void add_rows(const Trajectory& rows);
  void add_flexible(const Trajectory& rows);
  void add_to(Growing& growing, const std::vector<double>& values, hsize_t rows);
  haddr_t store(std::span<const char> bytes);
  void write(const Results& results, bool last, bool durable);
  void write_trajectory(hid_t file, h5::Image& image, const Trajectory& trajectory, bool last);
  void write_drawing(hid_t file, h5::Image& image, const Drawing& drawing, bool last);
  void put(const h5::Image& image, bool durable);
  void close_gaps();
  Growing make(const std::string& name, std::vector<hsize_t> row) {
    return {{name, std::move(row), scratch_.id()}, 0};
  }

  std::string path_;
  const h5::SilentErrors silent_;
  std::unique_ptr<PartFile> part_;
  bool has_part_ = false;
  h5::Places places_;
  std::vector<Piece> structure_;  // that of the file as it can be read now
  h5::Handle scratch_ = h5::create_file_in_memory(fmt::format("driftless-scratch-{}", fmt::ptr(this)));
  // Growing arrays: t and the tables in the order of for_each_table; then the others.
  std::vector<Growing> tables_;
  std::vector<Growing> others_;  // steps, poses, reactions
  std::vector<Growing> meshes_;  // vertices and triangles of each
  std::vector<std::vector<Growing>>
      flexible_;         // of each flexible body: eta, eta_rate, nodes, strain, stress_max
  std::string drawing_;  // its text
};

// Names the file in whatever HDF5 complains about.
template <class Work>
void Hdf5File::guarded(Work work) {
  try {
    work();
  } catch (const h5::Failure& failure) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_, failure.what()));
  }
}

void Hdf5File::begin(const Results& results) {
  const Trajectory& trajectory = results.trajectory;
  tables_.push_back(make("t", {}));
  for_each_table(trajectory, [&](const char* name, const Table& table) {
    tables_.push_back(make(name, {table.columns()}));
  });
  others_.push_back(make("steps", {trajectory.steps.columns()}));
  others_.push_back(make("poses", {trajectory.body_names.size(), 7}));
  others_.push_back(make("values", {trajectory.joint_names.size(), 12}));
  for (const FlexibleColumns& body : trajectory.flexible) {
    const auto size = static_cast<hsize_t>(body.size), elements = static_cast<hsize_t>(body.elements);
    auto& own = flexible_.emplace_back();
    own.push_back(make("eta", {size}));
    own.push_back(make("eta_rate", {size}));
    own.push_back(make("nodes", {body.nodes.size(), 3}));
    if (elements > 0) own.push_back(make("strain", {elements}));
    if (elements > 0 && body.has_stress) own.push_back(make("stress_max", {elements}));
  }
}

// What the group of each flexible body has of these records.
void Hdf5File::add_flexible(const Trajectory& rows) {
  const hsize_t count = rows.size();
  const auto columns = [&](const Table& table, int first, int size) {
    std::vector<double> out;
    for (size_t r = 0; r < table.rows(); ++r) {
      const double* row = table.data.data() + r * table.columns() + first;
      out.insert(out.end(), row, row + size);
    }
    return out;
  };
  int strain = 0;
  for (size_t i = 0; i < rows.flexible.size(); ++i) {
    const FlexibleColumns& body = rows.flexible[i];
    auto& own = flexible_[i];
    add_to(own[0], columns(rows.q, body.q, body.size), count);
    add_to(own[1], columns(rows.v, body.v, body.size), count);
    std::vector<double> nodes;
    const size_t stride = 7 * rows.body_names.size();
    for (size_t r = 0; stride > 0 && r < rows.poses.size() / stride; ++r)
      for (const int node : body.nodes) {
        const double* at = rows.poses.data() + r * stride + 7 * size_t(node);
        nodes.insert(nodes.end(), at, at + 3);
      }
    add_to(own[2], nodes, count);
    for (size_t k = 3; k < own.size(); ++k, strain += body.elements)
      add_to(own[k], columns(rows.strains, strain, body.elements), count);
  }
}

haddr_t Hdf5File::store(std::span<const char> bytes) {
  const haddr_t address = places_.take(bytes.size());
  part_->file().write_at(address, {bytes.data(), bytes.size()});
  return address;
}

// A table may end early when a run failed while its last record was taken: NaN fills it up.
void Hdf5File::add_to(Growing& growing, const std::vector<double>& values, hsize_t rows) {
  const auto keep = [this](std::span<const char> bytes) { return store(bytes); };
  growing.rows += rows;
  growing.array.append(values, keep);
  growing.array.fill_up(growing.rows, keep);
}

void Hdf5File::add_rows(const Trajectory& rows) {
  const hsize_t count = rows.size();
  add_to(tables_[0], rows.t, count);
  size_t next = 1;
  for_each_table(rows, [&](const char*, const Table& table) { add_to(tables_[next++], table.data, count); });
  add_to(others_[0], rows.steps.data, rows.steps.rows());
  add_to(others_[1], rows.poses, count);
  add_to(others_[2], rows.reactions, count);
  add_flexible(rows);
}

void Hdf5File::write_trajectory(hid_t file, h5::Image& image, const Trajectory& trajectory, bool last) {
  const auto write = [&](hid_t parent, const Growing& growing) {
    growing.array.write(parent, image, growing.rows, last);
  };
  for (const Growing& table : tables_) write(file, table);
  for_each_table(trajectory, [&](const char* name, const Table& table) { write_names(file, name, table); });
  write(file, others_[0]);
  write_names(file, "steps", trajectory.steps);
  write(file, others_[1]);
  h5::write_strings(file, "body_names", trajectory.body_names);
  h5::write_strings(file, "pose_components", words(kPoseComponents));
  const h5::Handle reactions = h5::create_group(file, "reactions");
  write(reactions.id(), others_[2]);
  h5::write_strings(reactions.id(), "names", trajectory.joint_names);
  h5::write_strings(reactions.id(), "component_names", words(kReactionComponents));
  h5::write_attribute(reactions.id(), "components", std::string(kReactionComponents));
  h5::write_attribute(reactions.id(), "units", std::string(kReactionUnits));
  h5::write_attribute(reactions.id(), "planar", trajectory.planar ? 1L : 0L);
  write_events(file, trajectory);
  write_mode_names(file, trajectory.mode_names);
  if (trajectory.flexible.empty()) return;
  const h5::Handle group = h5::create_group(file, "flexible");
  std::vector<std::string> names;
  for (size_t i = 0; i < trajectory.flexible.size(); ++i) {
    const FlexibleColumns& body = trajectory.flexible[i];
    names.push_back(body.body);
    const h5::Handle own = h5::create_group(group.id(), body.body);
    for (const Growing& array : flexible_[i]) write(own.id(), array);
    h5::write_attribute(own.id(), "q", static_cast<long>(body.q));
    h5::write_attribute(own.id(), "v", static_cast<long>(body.v));
  }
  h5::write_strings(group.id(), "names", names);
}

// The same for the whole run: made once.
void Hdf5File::write_drawing(hid_t file, h5::Image& image, const Drawing& drawing, bool last) {
  if (drawing_.empty()) {
    std::vector<const Mesh*> meshes;
    drawing_ = drawing_text(drawing, meshes);
    for (size_t i = 0; i < meshes.size(); ++i) {
      const auto keep = [&](const char* what, const auto& numbers) {
        meshes_.push_back(make(fmt::format("mesh_{}_{}", i, what), {}));
        add_to(meshes_.back(), std::vector<double>(numbers.begin(), numbers.end()), numbers.size());
      };
      keep("vertices", meshes[i]->vertices);
      keep("triangles", meshes[i]->triangles);
    }
  }
  const h5::Handle group = h5::create_group(file, "drawing");
  h5::write_strings(group.id(), "text", {&drawing_, 1});
  for (const Growing& mesh : meshes_) mesh.array.write(group.id(), image, mesh.rows, last);
}

void Hdf5File::write(const Results& results, bool last, bool durable) {
  add_rows(results.trajectory);
  h5::Image image(places_);
  {
    const h5::Handle file = image.create_file();
    write_about(file.id(), results);
    write_trajectory(file.id(), image, results.trajectory, last);
    write_end(file.id(), results);
    if (results.drawing) write_drawing(file.id(), image, *results.drawing, last);
    write_dimensions(file.id(), results.trajectory, others_[0].rows);
    if (H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) throw h5::Failure("cannot complete the file");
  }
  if (image.failed()) throw std::bad_alloc();
  put(image, durable);
}

// Everything but the superblock first; the file is the old one until that is written, and the new one from then on.
void Hdf5File::put(const h5::Image& image, bool durable) {
  HiddenFile& file = part_->file();
  for (const auto& [address, bytes] : image.pieces())
    if (address != 0) file.write_at(address, {bytes.data(), bytes.size()});
  file.set_size(image.end());
  if (durable) file.synchronise();
  const std::vector<char>& superblock = image.pieces().at(0);
  file.write_at(0, {superblock.data(), superblock.size()});
  if (durable) file.synchronise();
  for (const auto& [address, size] : structure_) places_.release(address, size);
  structure_.clear();
  for (const auto& [address, bytes] : image.pieces())
    if (address != 0) structure_.emplace_back(address, bytes.size());
}

void Hdf5File::finish(const Results& results) {
  constexpr hsize_t kShare = 16;  // of the file: less than that may stay unused
  hsize_t unused = places_.unused();
  for (const auto& [address, size] : structure_) unused += size;
  if (unused > places_.end() / kShare) close_gaps();
  guarded([&] { write(results, true, false); });
  part_->finish();
}

// Structures that have had their day leave gaps, much of a small file: its chunks go to another one, side by side.
void Hdf5File::close_gaps() {
  std::vector<Growing*> all;
  for (auto* list : {&tables_, &others_, &meshes_})
    for (Growing& growing : *list) all.push_back(&growing);
  for (auto& list : flexible_)
    for (Growing& growing : list) all.push_back(&growing);
  h5::Places places;
  std::vector<std::vector<h5::GrowingArray::Chunk>> moved;
  std::unique_ptr<PartFile> other;
  try {
    other = std::make_unique<PartFile>(path_);
    for (const Growing* growing : all)
      for (h5::GrowingArray::Chunk& chunk : moved.emplace_back(growing->array.chunks())) {
        const std::string bytes = part_->file().read_at(chunk.address, chunk.size);
        chunk.address = places.take(chunk.size);
        other->file().write_at(chunk.address, bytes);
      }
  } catch (const std::runtime_error&) {
    return;  // no room for both: it stays as it is
  }
  for (size_t i = 0; i < all.size(); ++i) all[i]->array.move_chunks(std::move(moved[i]));
  part_ = std::move(other);  // the one before is still NAME.part, until this one is NAME
  places_ = places;
  structure_.clear();
}

}  // namespace

std::unique_ptr<ResultFile> create_hdf5_file(const std::string& path) {
  return std::make_unique<Hdf5File>(path);
}

}  // namespace driftless
