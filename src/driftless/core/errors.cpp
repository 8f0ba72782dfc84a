#include "driftless/core/errors.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kPrintedComplaints = 20;
constexpr std::size_t kLongestPart = 1000;

void append(std::string& line, std::string_view separator, std::string_view word, std::string_view part) {
  if (part.empty()) return;
  if (!line.empty()) line += separator;
  line += word;
  line += printable(part, kLongestPart);
}

std::string message(const std::string& source, const std::vector<Complaint>& complaints) {
  const std::string prefix = source.empty() ? std::string() : printable(source, kLongestPart) + ": ";
  if (complaints.empty()) return prefix + "not valid";
  std::string text;
  const std::size_t printed = std::min(complaints.size(), kPrintedComplaints);
  for (std::size_t i = 0; i < printed; ++i) {
    if (i > 0) text += '\n';
    text += prefix + to_string(complaints[i]);
  }
  if (printed < complaints.size()) text += fmt::format("\nand {} more", complaints.size() - printed);
  return text;
}

}  // namespace

std::string to_string(const Complaint& complaint) {
  std::string line;
  append(line, "", "expected ", complaint.expected);
  append(line, ", ", "found ", complaint.found);
  append(line, "; ", "", complaint.hint);
  if (line.empty()) line = "not valid";
  return complaint.where.empty() ? line : printable(complaint.where, kLongestPart) + ": " + line;
}

InputError::InputError(std::string source, std::vector<Complaint> complaints)
    : std::runtime_error(message(source, complaints)),
      source_(std::move(source)),
      complaints_(std::move(complaints)) {}

InputError::InputError(std::string source, Complaint complaint)
    : InputError(std::move(source), std::vector<Complaint>{std::move(complaint)}) {}

}  // namespace driftless
