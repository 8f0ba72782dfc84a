// Pages and pictures, for every sub-command that makes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driftless/report/page.hpp"

namespace driftless::cli {

struct PageFiles {
  std::optional<std::string> report;  // *.html
  std::optional<std::string> png;
  std::optional<std::string> frames = {};  // folder
  int frame_count = 120;
  bool wanted() const { return report || png || frames; }
};

// InputError, before a long run.
void check_page_files(const PageFiles& files);

struct WrittenPages {
  PageFiles files;  // those that were
  std::uintmax_t report_bytes = 0;
  std::string trouble;  // why others were not; empty: nothing went wrong
};

// `at`: the time the picture shows; none: the start.
WrittenPages write_pages(const Page& page, const PageFiles& files, std::optional<double> at);

// "crank.html, 512 kB; open it in a browser: file:///…".
std::string report_text(const WrittenPages& written);

}  // namespace driftless::cli
