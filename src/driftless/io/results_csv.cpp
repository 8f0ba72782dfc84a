// Results as text: '#' lines that say what was run and how it went, one row of column names with units, one row per
// record. Numbers are the shortest text that reads back to the same double; NaN is an empty field.
//
// Column names are unique: multipliers, energies and drift carry their table's name ("lambda.pin_B.x"), and so does
// any other column whose name is taken already.
//
// How a run went is known at its end but stands at the beginning. So NAME.part, which is rows behind a head of its own, is
// copied behind the final one.

#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "driftless/io/atomic_file.hpp"
#include "driftless/io/part_file.hpp"
#include "driftless/io/result_formats.hpp"
#include "driftless/version.hpp"

namespace driftless {
namespace {

constexpr size_t kFlushSize = 1 << 18;  // bytes gathered before they go to the disk

// Text as it grows.
class Text {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }
  std::string_view view() const { return {buffer_.data(), buffer_.size()}; }
  size_t size() const { return buffer_.size(); }
  void clear() { buffer_.clear(); }

 private:
  fmt::memory_buffer buffer_;
};

// A remark may have several lines; each of them must stay behind its '#'.
void add_remark(Text& file, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  std::string value;
  for (const char c : text) {
    if (c == '\r') continue;
    value += c;
    if (c == '\n') value += "#   ";
  }
  file.add("# {}: {}\n", key, value);
}

void add_method_remarks(Text& file, const Results& results) {
  const Provenance& p = results.provenance;
  file.add("# driftless {}\n", kVersion);
  add_remark(file, "problem", p.problem);
  add_remark(file, "source", p.source);
  add_remark(file, "coordinates", p.coordinates);
  add_remark(file, "formulation", p.formulation);
  add_remark(file, "integrator", p.integrator);
  add_remark(file, "stabilization", p.stabilization);
  for (const Parameter& parameter : p.parameters)
    add_remark(file, "parameter " + parameter.name,
               fmt::format("{}{}{}", parameter.value, parameter.unit.empty() ? "" : " ", parameter.unit));
  for (const auto& [name, value] : p.options) add_remark(file, "option " + name, value);
  add_remark(file, "command", p.command);
}

void add_outcome_remarks(Text& file, const Results& results) {
  const Statistics& s = results.statistics;
  add_remark(file, "status", name(results.status));
  add_remark(file, "message", results.message);
  for (const auto& warning : results.warnings) add_remark(file, "warning", warning);
  for (const auto& notice : results.notices) add_remark(file, "notice", notice);
  file.add("# statistics: steps={}", s.steps());
  for_each_statistic(s, [&](const char* name, auto value) { file.add(" {}={}", name, value); });
  file.add("\n");
  const Drift& d = results.drift;
  file.add("# drift: position_max={} velocity_max={}\n", d.position_max, d.velocity_max);
  add_remark(file, "drift position_row", d.position_row);
  add_remark(file, "drift velocity_row", d.velocity_row);
  if (results.energy) {
    const EnergySummary& e = *results.energy;
    file.add("# energy: initial={} final={} work={} max_relative_error={}\n", e.initial, e.final, e.work,
             e.max_relative_error);
    if (e.lost != 0) file.add("# energy lost: {}\n", e.lost);
  }
  for (const auto& event : results.trajectory.events)
    add_remark(file, fmt::format("event t={}", event.t), event.name);
}

struct Block {
  std::string_view name;
  const Table* table;
  enum class Naming { plain, prefixed } naming;
};

// World components of the reactions as a table of its own; planar ones without those that are always zero.
Table reaction_table(const Trajectory& trajectory) {
  static constexpr const char* kComponents[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const std::vector<size_t> shown =
      trajectory.planar ? std::vector<size_t>{0, 1, 5} : std::vector<size_t>{0, 1, 2, 3, 4, 5};
  Table table;
  for (const auto& joint : trajectory.joint_names)
    for (const size_t k : shown) {
      table.names.push_back(fmt::format("{}.{}", joint, kComponents[k]));
      table.units.emplace_back(k < 3 ? "N" : "N m");
    }
  table.data.reserve(trajectory.reactions.size() / 12 * shown.size());
  for (size_t first = 0; first + 12 <= trajectory.reactions.size(); first += 12)
    for (const size_t k : shown) table.data.push_back(trajectory.reactions[first + k]);
  return table;
}

std::vector<Block> blocks_of(const Trajectory& trajectory, const Table& reactions) {
  using enum Block::Naming;
  return {{"q", &trajectory.q, plain},
          {"v", &trajectory.v, plain},
          {"vdot", &trajectory.vdot, plain},
          {"lambda", &trajectory.lambda, prefixed},
          {"quantity", &trajectory.quantities, plain},
          {"reaction", &reactions, plain},
          {"energy", &trajectory.energy, prefixed},
          {"drift", &trajectory.drift, prefixed},
          {"mode", &trajectory.modes, prefixed}};
}

std::string quoted_if_needed(const std::string& field) {
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void add_column_names(Text& file, const std::vector<Block>& blocks) {
  std::set<std::string> taken{"t"};
  file.add("t [s]");
  for (const Block& block : blocks) {
    for (size_t i = 0; i < block.table->columns(); ++i) {
      std::string column = block.table->names[i];
      if (block.naming == Block::Naming::prefixed || taken.contains(column))
        column = fmt::format("{}.{}", block.name, column);
      taken.insert(column);
      const std::string unit = i < block.table->units.size() ? block.table->units[i] : std::string();
      if (!unit.empty()) column += fmt::format(" [{}]", unit);
      file.add(",{}", quoted_if_needed(column));
    }
  }
  file.add("\n");
}

void add_row(Text& file, const Trajectory& trajectory, const std::vector<Block>& blocks, size_t row) {
  file.add("{}", trajectory.t[row]);
  for (const Block& block : blocks) {
    for (size_t column = 0; column < block.table->columns(); ++column) {
      // A table may end early when a run failed while its last record was taken.
      const double value = row < block.table->rows() ? block.table->at(row, column) : std::nan("");
      if (std::isnan(value))
        file.add(",");
      else
        file.add(",{}", value);
    }
  }
  file.add("\n");
}

// Everything above the rows.
Text head_of(const Results& results) {
  Text head;
  add_method_remarks(head, results);
  add_outcome_remarks(head, results);
  const Table reactions = reaction_table(results.trajectory);
  add_column_names(head, blocks_of(results.trajectory, reactions));
  return head;
}

class CsvFile : public ResultFile {
 public:
  explicit CsvFile(const std::string& path) : path_(path), part_(path) {}

  void begin(const Results& results) override {
    const Text head = head_of(results);
    part_.file().write_at(0, head.view());
    head_size_ = size_ = head.size();
  }
  void add(const Trajectory& rows) override {
    const Table reactions = reaction_table(rows);
    const auto blocks = blocks_of(rows, reactions);
    for (size_t row = 0; row < rows.size(); ++row) {
      add_row(rows_, rows, blocks, row);
      if (rows_.size() >= kFlushSize) flush();
    }
  }
  void update(const Results& so_far, bool durable) override {
    add(so_far.trajectory);
    flush();
    if (!part_.is_shown()) part_.show();
    if (durable) part_.file().synchronise();
  }
  void finish(const Results& results) override {
    add(results.trajectory);
    AtomicFile whole(path_);
    whole.write(head_of(results).view());
    whole.copy(part_.file(), head_size_, size_ - head_size_);
    whole.write(rows_.view());
    whole.commit();
    part_.remove();
  }
  bool is_shown() const override { return part_.is_shown(); }
  std::string part() const override { return part_.name(); }

 private:
  // Whole lines; one that did not fit on the disk is taken back.
  void flush() {
    try {
      part_.file().write_at(size_, rows_.view());
    } catch (...) {
      part_.file().set_size(size_);
      throw;
    }
    size_ += rows_.size();
    rows_.clear();
  }

  std::string path_;
  PartFile part_;
  size_t head_size_ = 0, size_ = 0;
  Text rows_;  // not yet in the file
};

}  // namespace

std::unique_ptr<ResultFile> create_csv_file(const std::string& path) {
  return std::make_unique<CsvFile>(path);
}

}  // namespace driftless
