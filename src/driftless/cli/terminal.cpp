#include "driftless/cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace driftless::cli {
namespace {

constexpr size_t kLabelWidth = 15;

// What our own texts and the names in references use.
// clang-format off
constexpr std::array<std::pair<std::string_view, std::string_view>, 39> kReplacements{{
    {"α", "alpha"}, {"β", "beta"}, {"γ", "gamma"}, {"δ", "delta"}, {"λ", "lambda"}, {"μ", "mu"}, {"ν", "nu"},
    {"ρ", "rho"}, {"θ", "theta"}, {"ω", "omega"}, {"Φ", "Phi"}, {"ẏ", "y'"}, {"\u0307", "'"}, {"²", "^2"},
    {"³", "^3"}, {"ᵀ", "^T"}, {"⁻¹", "^-1"}, {"½", "1/2"}, {"·", "."}, {"×", "x"}, {"−", "-"}, {"–", "-"},
    {"—", "-"}, {"…", "..."}, {"→", "->"}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="}, {"∞", "inf"}, {"§", "sec. "},
    {"°", " deg"}, {"é", "e"}, {"í", "i"}, {"á", "a"}, {"ó", "o"}, {"ö", "o"}, {"ü", "u"}, {"ø", "o"}, {"ä", "a"},
}};
// clang-format on

// The locale as the environment gives it; setlocale would change the whole program.
bool speaks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string lower;
    for (const char* c = value; *c != '\0'; ++c)
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

std::string ascii(std::string_view utf8) {
  std::string out;
  for (size_t i = 0; i < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x80) {
      out += utf8[i++];
      continue;
    }
    bool replaced = false;
    for (const auto& [letter, plain] : kReplacements) {
      if (!utf8.substr(i).starts_with(letter)) continue;
      out += plain;
      i += letter.size();
      replaced = true;
      break;
    }
    if (replaced) continue;
    out += '?';
    do ++i;
    while (i < utf8.size() && (static_cast<unsigned char>(utf8[i]) & 0xC0) == 0x80);
  }
  return out;
}

namespace {

constexpr std::string_view kSettings = "settings: ", kOption = "option ";

// What stands in ticks: a setting, or an option of a method.
bool names_setting(std::string_view name) {
  const bool is_option = name.starts_with(kOption);
  if (is_option) name.remove_prefix(kOption.size());
  const auto fits = [&](char c) {
    return ('a' <= c && c <= 'z') || c == '_' ||
           (is_option && (c == '.' || std::isalnum(static_cast<unsigned char>(c))));
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

void print_lines(const char* label, std::string_view message) noexcept {
  std::string text;
  try {
    message = text = in_options(message);
  } catch (const std::exception&) {  // out of memory: as it is
  }
  while (!message.empty()) {
    const size_t end = std::min(message.find('\n'), message.size());
    std::fprintf(stderr, "%s: %.*s\n", label, static_cast<int>(end), message.data());
    message.remove_prefix(std::min(message.size(), end + 1));
  }
}

}  // namespace

void print_bytes(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error(
        fmt::format("cannot write to stdout: {}", std::generic_category().message(errno)));
}

void print(std::string_view text) {
  if (speaks_utf8())
    print_bytes(text);
  else
    print_bytes(ascii(text));
}

std::string in_options(std::string_view text) {
  std::string out;
  for (size_t open = text.find('`'); open != text.npos; open = text.find('`')) {
    const size_t close = text.find('`', open + 1);
    if (close == text.npos) break;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const size_t equals = std::min(inside.find('='), inside.size());
    std::string name(inside.substr(0, equals)), value(inside.substr(equals));
    if (!names_setting(name)) {  // the second tick may open one
      out += text.substr(0, close);
      text.remove_prefix(close);
      continue;
    }
    std::string_view before = text.substr(0, open);
    const bool is_source = before.ends_with(kSettings);
    if (is_source) before.remove_suffix(kSettings.size());
    if (!name.starts_with(kOption)) {  // whose names are as they are
      std::replace(name.begin(), name.end(), '_', '-');
      if (!value.empty()) value[0] = ' ';
    }
    out.append(before).append(is_source ? "command line: " : "").append("--" + name + value);
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

std::vector<std::string> in_options(std::vector<std::string> texts) {
  for (std::string& text : texts) text = in_options(text);
  return texts;
}

void print_error(std::string_view message) noexcept { print_lines("error", message); }

void print_notice(std::string_view message) noexcept { print_lines("note", message); }

void print_field(std::string_view label, std::string_view text) {
  std::string lines;
  for (const char c : in_options(text)) {
    lines += c;
    if (c == '\n') lines.append(kLabelWidth + 3, ' ');
  }
  print("  {:<{}} {}\n", label, kLabelWidth, lines);
}

}  // namespace driftless::cli
