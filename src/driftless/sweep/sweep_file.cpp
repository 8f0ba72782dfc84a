// Sweeps in HDF5: /parameters/NAME, /measures/NAME (one value a run), /status, /message, /index, /cpu_seconds. All have the
// axis `index`, which the groups have too, so that xarray opens them with the number of the run.
#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <hdf5.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/hdf5/hdf5_access.hpp"
#include "driftless/io/hdf5/hdf5_scales.hpp"
#include "driftless/sweep/sweep.hpp"
#include "driftless/version.hpp"

namespace driftless {
namespace {

constexpr const char* kSweepFormat = "driftless-sweep";

// Names of outputs may have a '/', names of links may not.
std::string link_of(std::string name) {
  for (std::size_t at = name.find('/'); at != name.npos; at = name.find('/', at)) name.replace(at, 1, "∕");
  return name;
}

void write_column(hid_t parent, const std::string& name, const std::vector<double>& values) {
  h5::write_numbers(parent, link_of(name), values, {values.size()});
}

void write_axes(hid_t file, const SweepTable& table) {
  h5::Dimensions dimensions;
  for (const char* scale : {"index", "parameter_names", "measure_names"}) dimensions.add_scale(scale);
  for (const char* column : {"status", "message", "cpu_seconds"}) dimensions.add(column, {"index"});
  dimensions.add("parameter_units", {"parameter_names"});
  for (const std::string& name : table.parameters) dimensions.add("parameters/" + name, {"index"});
  for (const std::string& name : table.measures) dimensions.add("measures/" + link_of(name), {"index"});
  for (const char* group : {"parameters", "measures"}) {
    const std::string link = std::string(group) + "/index";
    if (!h5::has_object(file, link) &&
        H5Lcreate_hard(file, "/index", file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
      throw h5::Failure("cannot make " + link);
  }
  dimensions.write(file);
}

void write_tree(hid_t file, const SweepTable& table) {
  h5::write_attribute(file, "format", std::string(kSweepFormat));
  h5::write_attribute(file, "format_version", 1L);
  h5::write_attribute(file, "driftless_version", std::string(kVersion));
  h5::write_attribute(file, "model", table.model);
  h5::write_attribute(file, "command", table.command);
  h5::write_attribute(file, "definition", table.definition);
  h5::write_attribute(file, "runs", static_cast<long>(table.runs));
  std::vector<double> index, cpu;
  std::vector<std::string> status, message;
  for (const SweepRow& row : table.rows) {
    index.push_back(static_cast<double>(row.index));
    cpu.push_back(row.cpu_seconds);
    status.push_back(row.status);
    message.push_back(row.message);
  }
  write_column(file, "index", index);
  write_column(file, "cpu_seconds", cpu);
  h5::write_strings(file, "status", status);
  h5::write_strings(file, "message", message);
  h5::write_strings(file, "parameter_names", table.parameters);
  h5::write_strings(file, "parameter_units", table.units);
  h5::write_strings(file, "measure_names", table.measures);
  const h5::Handle parameters = h5::create_group(file, "parameters"),
                   measures = h5::create_group(file, "measures");
  for (std::size_t k = 0; k < table.parameters.size(); ++k) {
    std::vector<double> column;
    for (const auto& values : table.parameter_values) column.push_back(values[k]);
    write_column(parameters.id(), table.parameters[k], column);
  }
  for (std::size_t k = 0; k < table.measures.size(); ++k) {
    std::vector<double> column;
    for (const SweepRow& row : table.rows) column.push_back(row.measures[k]);
    write_column(measures.id(), table.measures[k], column);
  }
  write_axes(file, table);
}

SweepTable read_tree(hid_t file) {
  if (!h5::has_attribute(file, "format") || h5::read_text(file, "format") != kSweepFormat)
    throw h5::Failure("another kind of file");
  SweepTable table;
  table.model = h5::read_text(file, "model");
  table.command = h5::read_text(file, "command");
  table.definition = h5::read_text(file, "definition");
  table.runs = static_cast<std::size_t>(h5::read_integer(file, "runs"));
  table.parameters = h5::read_strings(file, "parameter_names");
  table.units = h5::read_strings(file, "parameter_units");
  table.measures = h5::read_strings(file, "measure_names");
  const auto index = h5::read_numbers(file, "index").values,
             cpu = h5::read_numbers(file, "cpu_seconds").values;
  const auto status = h5::read_strings(file, "status"), message = h5::read_strings(file, "message");
  const std::size_t n = index.size();
  if (cpu.size() != n || status.size() != n || message.size() != n)
    throw h5::Failure("columns of different lengths");
  for (std::size_t i = 0; i < n; ++i)
    table.rows.push_back({static_cast<std::size_t>(index[i]), status[i], message[i], cpu[i], {}});
  table.parameter_values.resize(n);
  const auto take = [&](const char* group, const std::string& name, auto put) {
    const h5::Handle parent = h5::open_group(file, group);
    const auto column = h5::read_numbers(parent.id(), link_of(name)).values;
    if (column.size() != n) throw h5::Failure("columns of different lengths");
    for (std::size_t i = 0; i < n; ++i) put(i, column[i]);
  };
  for (const std::string& name : table.parameters)
    take("parameters", name,
         [&](std::size_t i, double value) { table.parameter_values[i].push_back(value); });
  for (const std::string& name : table.measures)
    take("measures", name, [&](std::size_t i, double value) { table.rows[i].measures.push_back(value); });
  return table;
}

}  // namespace

void write_sweep(const SweepTable& table, const std::string& path) {
  const h5::SilentErrors silent;
  const std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  std::error_code error;
  try {
    {
      const h5::Handle file(::H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            &H5Fclose, "create the file");
      write_tree(file.id(), table);
      if (::H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) throw h5::Failure("cannot complete the file");
    }
    std::filesystem::rename(temporary, path);
  } catch (const std::exception& failure) {
    std::filesystem::remove(temporary, error);
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, failure.what()));
  }
}

SweepTable read_sweep(const std::string& path) {
  const h5::SilentErrors silent;
  try {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) throw h5::Failure("there is no such file");
    const h5::Handle file = h5::open_file(path);
    return read_tree(file.id());
  } catch (const h5::Failure& failure) {
    throw InputError(path, Complaint{"", "a file written by driftless sweep (.h5)", failure.what(), ""});
  }
}

SweepTable merge_sweeps(const std::vector<std::string>& paths) {
  SweepTable whole;
  std::vector<std::pair<SweepRow, std::vector<double>>> rows;
  for (const std::string& path : paths) {
    SweepTable part = read_sweep(path);
    if (!whole.definition.empty() && part.definition != whole.definition)
      throw InputError(path,
                       Complaint{"", "a part of the same sweep as " + paths.front(), "one of another", ""});
    for (std::size_t i = 0; i < part.rows.size(); ++i)
      rows.emplace_back(std::move(part.rows[i]), std::move(part.parameter_values[i]));
    part.rows.clear();
    part.parameter_values.clear();
    whole = std::move(part);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first.index < b.first.index; });
  for (auto& [row, values] : rows) {
    if (!whole.rows.empty() && whole.rows.back().index == row.index) continue;  // given twice
    whole.rows.push_back(std::move(row));
    whole.parameter_values.push_back(std::move(values));
  }
  if (whole.rows.size() < whole.runs)
    throw InputError("", Complaint{"", fmt::format("all {} runs of the sweep", whole.runs),
                                   fmt::format("{}", whole.rows.size()), "a part is missing"});
  return whole;
}

}  // namespace driftless
