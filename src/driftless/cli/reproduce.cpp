// driftless reproduce: a published table run again, printed and measured figures side by side.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/cli/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/reproduce/table.hpp"

namespace driftless::cli {
namespace {

const TableRecord& table_of(const std::string& id) {
  if (const TableRecord* record = find_table(id)) return *record;
  std::vector<std::string> ids;
  for (const TableRecord* record : table_records()) ids.push_back(record->id);
  const std::string near = closest_name(id, ids);
  throw InputError("command line", Complaint{"TABLE", quoted_list(ids), fmt::format("'{}'", id),
                                             near.empty() ? "`driftless reproduce` lists them"
                                                          : fmt::format("did you mean '{}'?", near)});
}

void print_list() {
  size_t width = 0;
  for (const TableRecord* record : table_records()) width = std::max(width, record->id.size());
  for (const TableRecord* record : table_records())
    print("  {:<{}}  {}\n  {:<{}}  [{}]\n", record->id, width, record->title, "", width, record->source);
  print("\nRun one again: driftless reproduce TABLE\n");
}

// 1.9e-3, 1.3e41, and counts as they are: seven letters at most.
std::string number(double value, const char* missing) {
  if (std::isnan(value)) return missing;
  if (value == 0) return "0";
  if (std::abs(value) >= 10 && std::abs(value) < 1e7 && value == std::round(value))
    return fmt::format("{:.0f}", value);  // a count
  const std::string text = fmt::format("{:.1e}", value);
  const size_t e = text.find('e');
  return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

// Lines of at most 100 letters, indented.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string out, line = indent;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() + end - begin > 100) {
      out += line + "\n";
      line = std::string(indent.size(), ' ');
    } else if (begin > 0) {
      line += ' ';
    }
    line += text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + line + "\n";
}

void print_table(const TableRecord& record, const ReproducedTable& table) {
  print("{}: {}\n  [{}]\n", record.id, record.title, record.source);
  print(wrapped(table.setting, "  "));
  size_t width = table.label.size();
  for (const TableRow& row : table.rows) width = std::max(width, row.label.size());
  std::string names = fmt::format("\n  {:<{}}", table.label, width),
              kinds = fmt::format("  {:<{}}", "", width);
  for (const std::string& column : table.columns) {
    names += fmt::format(" | {:^15}", column);
    kinds += fmt::format(" | {:>7} {:>7}", "printed", "found");
  }
  print("{}\n{}\n", names, kinds);
  for (const TableRow& row : table.rows) {
    std::string line = fmt::format("  {:<{}}", row.label, width);
    for (const TableCell& cell : row.cells)
      line += fmt::format(" | {:>7} {:>7}", number(cell.published, "-"), number(cell.measured, "failed"));
    print("{}\n", line);
  }
  if (!table.remarks.empty()) print("\n");
  for (const std::string& remark : table.remarks) print(wrapped(remark, "  * "));
}

}  // namespace

int reproduce(const ReproduceArguments& arguments) {
  if (!arguments.table) {
    if (arguments.json)
      print_bytes(tables_json());
    else
      print_list();
    return kOk;
  }
  const TableRecord& record = table_of(*arguments.table);
  const ReproducedTable table = record.run();
  if (arguments.json)
    print_bytes(table_json(record, table));
  else
    print_table(record, table);
  return kOk;
}

}  // namespace driftless::cli
