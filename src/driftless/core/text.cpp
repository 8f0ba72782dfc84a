#include "driftless/core/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kListedNames = 30;

// ASCII only, on purpose: std::tolower depends on the locale.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char same(char c) { return c; }

// Both names have at most kLongestName characters; the last three rows of the table suffice.
template <class Fold>
std::size_t edit_distance(std::string_view a, std::string_view b, Fold fold) {
  std::array<std::size_t, kLongestName + 1> before_last{}, last{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped =
          i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Length of the valid UTF-8 character at the start of s, 0 if there is none. Overlong forms, surrogates and
// code points above U+10FFFF are not valid [RFC 3629, sec. 4].
std::size_t utf8_length(std::string_view s) {
  const auto byte = [s](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const auto tail = [&](std::size_t i) { return within(i, 0x80, 0xBF); };
  const unsigned lead = byte(0);
  if (s.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string closest_name(std::string_view wanted, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::pair<std::size_t, std::size_t> best_distance{};  // without case, with case
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({wanted.size(), candidate.size()});
    const std::size_t near = (longer + 1) / 3;
    if (longer > kLongestName || longer - shorter > near) continue;
    const std::pair distance{edit_distance(wanted, candidate, lower), edit_distance(wanted, candidate, same)};
    if (distance.first > near) continue;
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string quoted_list(std::span<const std::string> candidates) {
  std::string list;
  const std::size_t n = candidates.size();
  const std::size_t listed = std::min(n, kListedNames);
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) list += i + 1 == n ? " or " : ", ";
    list += '\'' + printable(candidates[i]) + '\'';
  }
  if (listed < n) list += fmt::format(", … or one of {} more", n - listed);
  return list;
}

std::string printable(std::string_view raw, std::size_t limit) {
  std::string shown;
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t length = utf8_length(raw.substr(i, 4));
    if (i + std::max<std::size_t>(length, 1) > limit) return shown + "…";
    const auto byte = static_cast<unsigned char>(raw[i]);
    // U+0080 to U+009F (C2 80 … C2 9F) steer terminals just as the ASCII controls do.
    const bool control = byte < 0x20 || byte == 0x7F ||
                         (byte == 0xC2 && length == 2 && static_cast<unsigned char>(raw[i + 1]) < 0xA0);
    if (length > 0 && !control) {
      shown += raw.substr(i, length);
      i += length;
      continue;
    }
    if (raw[i] == '\n') {
      shown += "\\n";
    } else if (raw[i] == '\t') {
      shown += "\\t";
    } else {
      fmt::format_to(std::back_inserter(shown), "\\x{:02X}", static_cast<unsigned>(byte));
    }
    ++i;
  }
  return shown;
}

}  // namespace driftless
