// Text for people on stdout: UTF-8 where the locale says so, plain ASCII elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace driftless::cli {

// The text with letters outside ASCII replaced by something readable ("ν" → "nu", "é" → "e", unknown ones → "?").
std::string ascii(std::string_view utf8);

// Writes to stdout in what the terminal can show. std::runtime_error if stdout takes nothing more (disk full).
void print(std::string_view text);

template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print(std::string_view(fmt::format(format, std::forward<Args>(args)...)));
}

// Writes to stdout as it is: JSON is UTF-8 everywhere.
void print_bytes(std::string_view text);

// Messages of the library speak of settings by name, `t_end`, `step=0.001`, `option alpha`; here they are --t-end, --step 0.001,
// --option alpha, and come from the command line.
std::string in_options(std::string_view text);
std::vector<std::string> in_options(std::vector<std::string> texts);

// "error: …" to stderr, one line of the message after the other. Never throws: there is nowhere left to complain.
void print_error(std::string_view message) noexcept;
// "note: …" likewise: what must not be missed although all went well.
void print_notice(std::string_view message) noexcept;

// "  label      text", further lines of the text under its first one.
void print_field(std::string_view label, std::string_view text);

}  // namespace driftless::cli
