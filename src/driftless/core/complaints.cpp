#include "driftless/core/complaints.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostComplaints = 200;

bool is_plain_key(std::string_view key) {
  const auto plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || c == '_' || c == '-' || c == '$';
  };
  return !key.empty() && key.size() <= 80 && std::all_of(key.begin(), key.end(), plain);
}

}  // namespace

void Complaints::add(std::string where, std::string expected, std::string found, std::string hint) {
  if (!full()) list_.push_back({std::move(where), std::move(expected), std::move(found), std::move(hint)});
}

bool Complaints::full() const { return list_.size() >= kMostComplaints; }

std::vector<Complaint> Complaints::take() {
  if (full()) list_.push_back({"", "", "", "there may be more: only the first are listed"});
  return std::exchange(list_, {});
}

std::string path_below(const std::string& path, std::string_view key) {
  if (!is_plain_key(key)) return fmt::format("{}[\"{}\"]", path, printable(key));
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string path_of_field(const std::string& path, std::string_view field) {
  const auto dot = field.find('.');
  if (dot == std::string_view::npos) return path_below(path, field);
  return path_below(path_below(path, field.substr(0, dot)), field.substr(dot + 1));
}

std::string path_below(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const std::string near = closest_name(wanted, candidates);
  return near.empty() ? "" : fmt::format("did you mean {}?", quoted(near));
}

std::string quoted(std::string_view name) { return fmt::format("'{}'", printable(name)); }

}  // namespace driftless
