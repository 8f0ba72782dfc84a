#include "driftless/io/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "driftless/core/file_kind.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostCells = 2'000'000;
constexpr std::size_t kLongestLine = 1U << 16U;

struct TableFile {
  std::vector<std::string> names;  // empty: the file gives none
  std::vector<std::vector<double>> rows;
  std::size_t width = 0;
};

// Blanks beside a separator do not separate once more.
std::vector<std::string> cells_of(const std::string& line) {
  const bool separated = line.find_first_of(",;\t") != std::string::npos;
  std::vector<std::string> out;
  std::string cell;
  const auto finish = [&] {
    const auto first = cell.find_first_not_of(" \""), last = cell.find_last_not_of(" \"");
    out.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    cell.clear();
  };
  for (const char c : line) {
    const bool ends = separated ? c == ',' || c == ';' || c == '\t' : c == ' ';
    if (!ends)
      cell += c;
    else if (separated || !cell.empty())
      finish();
  }
  if (separated || !cell.empty()) finish();
  return out;
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

// Throws std::runtime_error with what is wrong, and in which line.
TableFile read_csv_file(const std::string& path) {
  const auto refuse = [](const std::string& what) { throw std::runtime_error(what); };
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse("no file of this name");
  if (std::filesystem::is_directory(path, error)) refuse("a folder");
  if (const std::string kind = no_ordinary_file(path); !kind.empty()) refuse(kind);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("a file that cannot be opened");
  TableFile out;
  std::string line;
  std::size_t number = 0, cells = 0;
  while (std::getline(file, line)) {
    ++number;
    if (line.size() > kLongestLine)
      refuse(fmt::format("line {} of more than {} characters", number, kLongestLine));
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    const auto first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#') continue;
    const std::vector<std::string> parts = cells_of(line);
    std::vector<double> row;
    for (const std::string& part : parts) {
      const auto value = number_of(part);
      if (!value) break;
      row.push_back(*value);
    }
    const bool is_header = row.size() < parts.size() && out.rows.empty() && out.names.empty();
    if (is_header)
      out.names = parts;
    else if (row.size() < parts.size())
      refuse(fmt::format("'{}' in line {}, which is no finite number", printable(parts[row.size()], 40),
                         number));
    else if (!out.rows.empty() && row.size() != out.width)
      refuse(fmt::format("{} numbers in line {}, {} in others", row.size(), number, out.width));
    if (is_header) continue;
    out.width = row.size();
    cells += row.size();
    if (cells > kMostCells) refuse(fmt::format("more than {} numbers", kMostCells));
    out.rows.push_back(std::move(row));
  }
  if (file.bad()) refuse("a file that cannot be read");
  if (!out.names.empty() && !out.rows.empty() && out.names.size() != out.width)
    refuse(fmt::format("{} names in its first line, {} numbers in others", out.names.size(), out.width));
  return out;
}

// Which column an entry of "columns" means, from 0.
std::optional<std::size_t> column_of(const JsonReader& entry, const TableFile& file) {
  if (const std::string* name = entry.value().string()) {
    const auto found = std::find(file.names.begin(), file.names.end(), *name);
    if (found != file.names.end()) return static_cast<std::size_t>(found - file.names.begin());
    entry.complaints().add(
        entry.path(),
        file.names.empty() ? "a number from 1: the file gives no names" : quoted_list(file.names),
        driftless::quoted(*name), did_you_mean(*name, file.names));
    return {};
  }
  const double* number = entry.value().number();
  if (number != nullptr && *number >= 1 && *number <= static_cast<double>(file.width) &&
      *number == std::floor(*number))
    return static_cast<std::size_t>(*number) - 1;
  entry.complain(fmt::format("the name of a column, or its number from 1 to {}", file.width));
  return {};
}

std::optional<std::vector<std::size_t>> columns_of(const JsonReader& reader,
                                                   const TableFile& file,
                                                   std::size_t count) {
  std::vector<std::size_t> out;
  const auto given = reader.value().object() != nullptr ? reader.member("columns") : std::nullopt;
  if (!given) {
    for (std::size_t i = 0; i < count; ++i) out.push_back(i);
    return out;
  }
  const std::string expected = fmt::format("a list of {} columns", count);
  const auto entries = given->elements(expected);
  if (given->value().array() == nullptr) return {};
  if (entries.size() != count) {
    given->complain(expected);
    return {};
  }
  for (const JsonReader& entry : entries)
    if (const auto column = column_of(entry, file)) out.push_back(*column);
  if (out.size() != count) return {};
  return out;
}

}  // namespace

bool is_csv_table(const JsonValue& value) {
  return value.string() != nullptr || (value.object() != nullptr && value.find("file") != nullptr);
}

std::optional<std::vector<std::vector<double>>> read_csv_table(const JsonReader& reader,
                                                               std::size_t columns) {
  static const std::vector<std::string> known = {"file", "columns", "scale"};
  const bool is_object = reader.value().object() != nullptr;
  if (is_object) reader.only(known, "a table in a file");
  const JsonReader place = is_object ? *reader.member("file") : reader;
  const auto name = place.text("the name of a file");
  if (!name) return {};
  const std::string path = (std::filesystem::path(reader.context().folder) / *name).string();
  TableFile file;
  try {
    file = read_csv_file(path);
  } catch (const std::runtime_error& failure) {
    reader.complaints().add(place.path(), "a list of points, or a file of them (*.csv)", failure.what(),
                            fmt::format("looked for {}", printable(path, 300)));
    return {};
  }
  if (file.width < columns && !file.rows.empty()) {
    reader.complaints().add(place.path(), fmt::format("a table of at least {} columns", columns),
                            fmt::format("{} in {}", file.width, printable(path, 300)));
    return {};
  }
  const auto chosen = columns_of(reader, file, columns);
  std::vector<double> scale(columns, 1);
  if (const auto given = is_object ? reader.member("scale") : std::nullopt) {
    const auto read = given->numbers(columns, fmt::format("{} numbers, a factor for each column", columns));
    if (!read) return {};
    scale = *read;
  }
  if (!chosen) return {};
  std::vector<std::vector<double>> out;
  out.reserve(file.rows.size());
  for (const auto& row : file.rows) {
    auto& values = out.emplace_back();
    for (std::size_t i = 0; i < columns; ++i) values.push_back(row[(*chosen)[i]] * scale[i]);
  }
  return out;
}

}  // namespace driftless
