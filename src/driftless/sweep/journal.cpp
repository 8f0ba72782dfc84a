#include "driftless/sweep/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

// FNV-1a, 64 bits.
std::string checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

std::string with_checksum(const std::string& text) { return text + '\t' + checksum(text) + '\n'; }

std::string header(const std::string& definition) { return "driftless-sweep\t" + definition; }

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t tab = line.find('\t'); tab != std::string::npos; tab = line.find('\t', begin)) {
    out.push_back(line.substr(begin, tab - begin));
    begin = tab + 1;
  }
  out.push_back(line.substr(begin));
  return out;
}

// The line without its checksum, or nothing if it is torn.
bool take_checksum(std::string& line) {
  const auto tab = line.rfind('\t');
  if (tab == std::string::npos || checksum(std::string_view(line).substr(0, tab)) != line.substr(tab + 1))
    return false;
  line.erase(tab);
  return true;
}

}  // namespace

std::string journal_path(const std::string& out) { return out + ".rows"; }

std::string journal_line(const SweepRow& row) {
  std::string message = row.message;
  std::replace(message.begin(), message.end(), '\n', '\v');
  std::replace(message.begin(), message.end(), '\t', ' ');
  std::string line = fmt::format("{}\t{}\t{:a}\t{}", row.index, row.status, row.cpu_seconds, message);
  for (const double value : row.measures) line += fmt::format("\t{:a}", value);
  return with_checksum(line);
}

std::optional<SweepRow> row_in(std::string line, std::size_t measures) {
  if (line.ends_with('\n')) line.pop_back();
  if (!take_checksum(line)) return std::nullopt;
  const auto parts = cells(line);
  if (parts.size() != 4 + measures) return std::nullopt;
  SweepRow row;
  row.index = std::strtoull(parts[0].c_str(), nullptr, 10);
  row.status = parts[1];
  row.cpu_seconds = std::strtod(parts[2].c_str(), nullptr);
  row.message = parts[3];
  std::replace(row.message.begin(), row.message.end(), '\v', '\n');
  for (std::size_t i = 0; i < measures; ++i)
    row.measures.push_back(std::strtod(parts[4 + i].c_str(), nullptr));
  return row;
}

std::vector<SweepRow> read_journal(const std::string& path,
                                   const std::string& definition,
                                   std::size_t measures) {
  std::vector<SweepRow> rows;
  std::ifstream file(path, std::ios::binary);
  if (!file) return rows;
  std::string line;
  bool first = true;
  while (std::getline(file, line)) {
    if (std::exchange(first, false)) {
      if (take_checksum(line) && line != header(definition))
        throw InputError(path, Complaint{"", "the rows of this sweep", "those of another",
                                         "remove the file, or choose another `out`"});
      continue;
    }
    if (auto row = row_in(line, measures)) rows.push_back(std::move(*row));
  }
  return rows;
}

Journal::Journal(const std::string& path, const std::string& definition)
    : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0)
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  struct stat about = {};
  ::fstat(descriptor_, &about);
  // A torn line of a killed program is ended, lest the next one be lost with it.
  append(about.st_size == 0 ? with_checksum(header(definition)) : "\n");
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::append(const std::string& line) {
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size()))
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", path_, std::strerror(written < 0 ? errno : ENOSPC)));
}

void Journal::add(const SweepRow& row) { append(journal_line(row)); }

}  // namespace driftless
