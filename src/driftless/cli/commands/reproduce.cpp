// driftless reproduce: published tables run again, printed and measured figures side by side, each with a verdict.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/pages.hpp"
#include "driftless/cli/progress.hpp"
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
                                             near.empty() ? "`driftless reproduce --list` lists them"
                                                          : fmt::format("did you mean '{}'?", near)});
}

void print_list() {
  size_t width = 0;
  for (const TableRecord* record : table_records()) width = std::max(width, record->id.size());
  for (const TableRecord* record : table_records())
    print("  {:<{}}  {}\n  {:<{}}  [{}]\n", record->id, width, record->title, "", width, record->source);
  print("\nRun one again: driftless reproduce TABLE; all of them: driftless reproduce\n");
}

// 1.9e-3, 1.3e41, and counts as they are: seven letters at most.
std::string number(double value, const char* missing) {
  if (std::isnan(value)) return missing;
  if (value == 0) return "0";
  if (std::abs(value) >= 1 && std::abs(value) < 1e7 && value == std::round(value))
    return fmt::format("{:.0f}", value);  // a count
  if (std::abs(value) >= 0.1 && std::abs(value) < 100) return fmt::format("{:.2f}", value);
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

// "30 matches, 2 misprint".
std::string counts_text(const ReproducedTable& table) {
  std::map<Verdict, int> counts;
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells) ++counts[cell.verdict];
  std::string out;
  for (const auto& [verdict, count] : counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, to_string(verdict));
  return out;
}

// What is not simply met: entries with the same verdict and reason in one paragraph.
std::string verdicts_text(const ReproducedTable& table) {
  std::vector<std::pair<std::string, std::string>> paragraphs;  // what is said, of which entries
  for (const TableRow& row : table.rows)
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const TableCell& cell = row.cells[i];
      const std::string said = fmt::format("{}: {}", to_string(cell.verdict), cell.reason);
      const std::string where = table.columns.size() > 1 ? row.label + " " + table.columns[i] : row.label;
      auto found =
          std::find_if(paragraphs.begin(), paragraphs.end(), [&](const auto& p) { return p.first == said; });
      if (found == paragraphs.end())
        paragraphs.emplace_back(said, cell.verdict == Verdict::kMatches ? "" : where);
      else if (cell.verdict != Verdict::kMatches)
        found->second += "; " + where;
    }
  std::string out;
  for (const auto& [said, where] : paragraphs)
    out += wrapped(where.empty() ? said : fmt::format("{} [{}]", said, where), "  - ");
  return out;
}

std::string table_text(const TableRecord& record, const ReproducedTable& table) {
  std::string out = fmt::format("{}: {}\n  [{}]\n", record.id, record.title, record.source);
  out += wrapped(table.setting, "  ");
  size_t width = table.label.size();
  for (const TableRow& row : table.rows) width = std::max(width, row.label.size());
  std::string names = fmt::format("\n  {:<{}}", table.label, width),
              kinds = fmt::format("  {:<{}}", "", width);
  for (const std::string& column : table.columns) {
    names += fmt::format(" | {:^15}", column);
    kinds += fmt::format(" | {:>7} {:>7}", "printed", "found");
  }
  out += fmt::format("{}\n{}\n", names, kinds);
  for (const TableRow& row : table.rows) {
    out += fmt::format("  {:<{}}", row.label, width);
    for (const TableCell& cell : row.cells)
      out += fmt::format(" | {:>7} {:>7}", number(cell.published, "-"), number(cell.measured, "failed"));
    out += '\n';
  }
  out += fmt::format("\n  {}\n", counts_text(table)) + verdicts_text(table);
  for (const std::string& remark : table.remarks) out += wrapped(remark, "  * ");
  return out;
}

std::string page_text(const std::vector<Reproduction>& done) {
  std::string out = R"(# Published tables, run again

`driftless reproduce` runs every published table of the problem library again; `driftless reproduce ID` runs one, `--list` lists
them, `--json` gives the figures as data, `--report FILE.html` a page. Nothing is stored: every figure found comes from running
problems of the library with the methods named above the table. This page is written by `driftless reproduce --markdown`.

Every entry has a verdict and a reason:

| verdict | meaning |
|---|---|
| matches | met within the tolerance that the reason names |
| trend | the figure is not met, or there is none; what the source says of it is |
| misprint | the source contradicts itself or arithmetic |
| data-missing | the source leaves out data that the figure depends on, or prints no figure |
| differs | not met; the reason says why, or what was tried |
)";
  for (const Reproduction& one : done)
    out += fmt::format("\n## {0}\n\n```\n$ driftless reproduce {0}\n{1}```\n", one.record->id,
                       one.trouble.empty() ? table_text(*one.record, one.table) : one.trouble + "\n");
  return out;
}

Page tables_page(const std::vector<Reproduction>& done) {
  Page page;
  page.kind = "compare";
  page.title = "Published tables, run again";
  page.note =
      "printed: in the source; found: by this program; every entry with a verdict and the reason for it";
  PageTable summary{"All tables",
                    {{"table", "", false},
                     {"shows", "", false},
                     {"source", "", false},
                     {"verdicts", "", false},
                     {"time", "s", true}},
                    {}};
  for (const Reproduction& one : done) {
    summary.rows.push_back({one.record->id, one.record->title, one.record->source,
                            one.trouble.empty() ? counts_text(one.table) : one.trouble, one.seconds});
    PageTable table{fmt::format("{}: {}", one.record->id, one.record->title),
                    {{one.table.label, "", false},
                     {"entry", "", false},
                     {"printed", "", true},
                     {"found", "", true},
                     {"verdict", "", false},
                     {"reason", "", false}},
                    {}};
    const auto figure = [](double value) { return std::isfinite(value) ? JsonValue(value) : JsonValue(); };
    for (const TableRow& row : one.table.rows)
      for (size_t i = 0; i < row.cells.size(); ++i) {
        const TableCell& cell = row.cells[i];
        table.rows.push_back({row.label, one.table.columns[i], figure(cell.published), figure(cell.measured),
                              std::string(to_string(cell.verdict)), cell.reason});
      }
    const auto say = [&](const char* what, const std::string& text) {
      table.rows.push_back({what, "", JsonValue(), JsonValue(), "", text});
    };
    say("how", one.table.setting);
    for (const std::string& remark : one.table.remarks) say("note", remark);
    page.tables.push_back(std::move(table));
  }
  page.tables.insert(page.tables.begin(), std::move(summary));
  return page;
}

int jobs_of(const std::optional<int>& jobs) {
  if (!jobs) return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (*jobs < 1)
    throw InputError("", Complaint{"-j", "a whole number, at least 1", fmt::format("'{}'", *jobs), ""});
  return *jobs;
}

}  // namespace

int reproduce(const ReproduceArguments& arguments) {
  if (arguments.list) {
    if (arguments.json)
      print_bytes(tables_json());
    else
      print_list();
    return kOk;
  }
  const PageFiles files{arguments.report, {}};
  check_page_files(files);
  std::vector<const TableRecord*> records;
  for (const std::string& id : arguments.tables) records.push_back(&table_of(id));
  if (records.empty()) records.assign(table_records().begin(), table_records().end());
  const bool show = stderr_is_terminal() && records.size() > 1;
  size_t count = 0;
  const std::vector<Reproduction> done =
      driftless::reproduce(records, jobs_of(arguments.jobs), [&](const Reproduction& one) {
        ++count;
        if (show)
          std::fputs(fmt::format("\r\033[K{} of {} tables, {} done in {:.1f} s", count, records.size(),
                                 one.record->id, one.seconds)
                         .c_str(),
                     stderr);
      });
  if (show) std::fputs("\r\033[K", stderr);
  bool good = true;
  for (const Reproduction& one : done)
    if (!one.trouble.empty()) {
      print_error(fmt::format("{}: {}", one.record->id, one.trouble));
      good = false;
    }
  if (arguments.markdown) {
    std::ofstream file(*arguments.markdown, std::ios::binary);
    file << page_text(done);
    if (!file.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", *arguments.markdown));
  }
  WrittenPages written;
  if (files.wanted()) written = write_pages(tables_page(done), files, {});
  if (arguments.json) {
    print_bytes(arguments.tables.size() == 1 ? table_json(*done[0].record, done[0].table)
                                             : reproduction_json(done));
  } else {
    for (const Reproduction& one : done)
      if (one.trouble.empty())
        print("{}{}", &one == &done[0] ? "" : "\n", table_text(*one.record, one.table));
    if (written.files.report) print("\n  report  {}\n", report_text(written));
  }
  if (!written.trouble.empty()) print_error(written.trouble);
  return good && written.trouble.empty() ? kOk : kFailed;
}

}  // namespace driftless::cli
