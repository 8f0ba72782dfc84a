// driftless view: the page of one or several result files.

#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "driftless/cli/commands/commands.hpp"
#include "driftless/cli/json_output.hpp"
#include "driftless/cli/pages.hpp"
#include "driftless/cli/report.hpp"
#include "driftless/cli/terminal.hpp"
#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"
#include "driftless/io/results_io.hpp"

namespace driftless::cli {
namespace {

namespace fs = std::filesystem;

std::optional<double> time_of(const std::optional<std::string>& text) {
  if (!text) return {};
  double value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  throw InputError("", Complaint{"--at", "a time in s", fmt::format("'{}'", printable(*text)), ""});
}

// Files by their names; where two are alike, by their paths.
std::vector<std::string> run_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(fs::path(file).stem().string());
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return files;
  return names;
}

std::string default_page(const std::string& first) {
  return fs::path(first).replace_extension(".html").string();
}

}  // namespace

int view(const ViewArguments& arguments) {
  const std::optional<double> at = time_of(arguments.at);
  PageFiles files{arguments.out, arguments.png, arguments.frames};
  if (arguments.frame_count) {
    if (!files.frames)
      throw InputError("", Complaint{"--frame-count", "--frames FOLDER with it", "none", ""});
    files.frame_count = *arguments.frame_count;
  }
  if (!files.wanted()) files.report = default_page(arguments.files.front());
  check_page_files(files);
  std::vector<Results> results;
  for (const std::string& file : arguments.files) results.push_back(read_results(file));

  Page page;
  const std::vector<std::string> names = run_names(arguments.files);
  for (size_t i = 0; i < results.size(); ++i) page.runs.push_back({names[i], &results[i]});
  page.title = results.front().provenance.problem;
  if (page.title.empty() || results.size() > 1) {
    page.title.clear();
    for (const std::string& name : names) page.title += (page.title.empty() ? "" : ", ") + name;
  }
  const WrittenPages written = write_pages(page, files, at);
  if (arguments.json)
    print_bytes(view_json(arguments.files, written));
  else if (!arguments.quiet) {
    if (written.files.report) print_field("page", report_text(written));
    if (written.files.png) print_field("picture", *written.files.png);
    if (written.files.frames)
      print_field("frames",
                  fmt::format("{}/frame-0001.png … {:04}", *written.files.frames, written.files.frame_count));
  }
  if (!written.trouble.empty()) print_error(written.trouble);
  return written.trouble.empty() ? kOk : kFailed;
}

}  // namespace driftless::cli
