#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "driftless/core/expression/expression_program.hpp"
#include "driftless/core/text.hpp"
#include "driftless/core/units.hpp"

namespace driftless::expression_detail {
namespace {

constexpr std::size_t kMaxLength = 10'000;
constexpr int kMaxNesting = 100;

struct Function {
  std::string_view name;
  Code code;
};
constexpr std::array kFunctions = {
    Function{"sin", Code::sin},     Function{"cos", Code::cos},     Function{"tan", Code::tan},
    Function{"asin", Code::asin},   Function{"acos", Code::acos},   Function{"atan", Code::atan},
    Function{"atan2", Code::atan2}, Function{"sinh", Code::sinh},   Function{"cosh", Code::cosh},
    Function{"tanh", Code::tanh},   Function{"exp", Code::exp},     Function{"log", Code::log},
    Function{"log10", Code::log10}, Function{"sqrt", Code::sqrt},   Function{"abs", Code::abs},
    Function{"sign", Code::sign},   Function{"min", Code::min},     Function{"max", Code::max},
    Function{"pow", Code::power},   Function{"floor", Code::floor}, Function{"step", Code::step},
    Function{"if", Code::select}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Behind the name that begins at `i`: words joined by single dots, "tip.vx".
std::size_t end_of_name(std::string_view text, std::size_t i) {
  while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) ||
                             (text[i] == '.' && i + 1 < text.size() && is_letter(text[i + 1]))))
    ++i;
  return i;
}

// Recursive descent; writes postfix code as it reads.
//   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum        = product {("+" | "-") product}
//   product    = factor {("*" | "/") factor}
//   factor     = ("-" | "+") factor | primary [("^" | "**") factor]
//   primary    = number | name | name "(" comparison {"," comparison} ")" | "(" comparison ")"
class Compiler {
 public:
  Compiler(std::string_view text, std::span<const std::string> names) : text_(text), names_(names) {}

  std::vector<Instruction> compile() {
    if (text_.size() > kMaxLength) {
      fail(0, fmt::format("expected at most {} characters, found {}", kMaxLength, text_.size()));
    }
    comparison();
    if (position_ < text_.size()) fail_expected("an operator or the end");
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw std::invalid_argument(
        fmt::format("expression '{}': column {}: {}", printable(text_, 60), position + 1, message));
  }

  [[noreturn]] void fail_expected(const std::string& what) const {
    std::string_view rest = text_.substr(position_);
    if (rest.empty()) fail(position_, fmt::format("expected {}, found the end", what));
    std::size_t length = 1;  // the whole name, or one character with its UTF-8 tail
    if (is_letter(rest[0])) {
      length = end_of_name(rest, 0);
    } else {
      while (length < rest.size() && (rest[length] & 0xC0) == 0x80) ++length;
    }
    std::string hint;
    if (what.starts_with("an operator")) {  // a complete operand stands before
      if (is_letter(rest[0]) || is_digit(rest[0]) || rest[0] == '(') hint = "; a product needs '*'";
      if (rest[0] == '<' || rest[0] == '>') hint = "; comparisons can not be chained";
      if (rest[0] == '=') hint = "; equality is written '=='";
    }
    fail(position_, fmt::format("expected {}, found '{}'{}", what, printable(rest.substr(0, length)), hint));
  }

  void skip_blanks() { position_ = std::min(text_.find_first_not_of(" \t\r\n", position_), text_.size()); }

  // Takes the symbol if it comes next.
  bool take(std::string_view symbol) {
    if (!text_.substr(position_).starts_with(symbol)) return false;
    position_ += symbol.size();
    skip_blanks();
    return true;
  }

  // Appends an instruction; one whose arguments are all constants is replaced by its value.
  void emit(Code code, std::size_t position, double operand = 0.0) {
    const std::size_t arguments = arity(code);
    depth_ += 1 - arguments;  // may wrap below zero on the way, never in the sum
    if (depth_ > kMaxStack) fail(position, fmt::format("needs more than {} intermediate values", kMaxStack));
    if (is_switch(code) && smooth_ > 0) operand = 1.0;
    program_.push_back({code, static_cast<int>(position) + 1, operand});
    const auto tail = std::span<const Instruction>(program_).last(arguments + 1);
    const auto is_constant = [](const Instruction& i) { return i.code == Code::constant; };
    if (arguments == 0 || !std::all_of(tail.begin(), tail.end() - 1, is_constant)) return;
    const double value = run(tail, 0.0, Tie::as_written).value;
    if (!std::isfinite(value)) fail(position, fmt::format("this constant part is {}: must be finite", value));
    program_.resize(program_.size() - tail.size());
    program_.push_back({Code::constant, static_cast<int>(position) + 1, value});
  }

  void comparison() {
    skip_blanks();
    sum();
    static constexpr std::array<std::pair<std::string_view, Code>, 6> kSigns = {{{"<=", Code::less_equal},
                                                                                 {">=", Code::greater_equal},
                                                                                 {"==", Code::equal},
                                                                                 {"!=", Code::not_equal},
                                                                                 {"<", Code::less},
                                                                                 {">", Code::greater}}};
    for (const auto& [symbol, code] : kSigns) {
      const std::size_t here = position_;
      if (!take(symbol)) continue;
      sum();
      emit(code, here);
      return;  // a < b < c would compare 0 or 1 with c: not a comparison anyone means
    }
  }

  void sum() {
    product();
    for (std::size_t here = position_;; here = position_) {
      const bool plus = take("+");
      if (!plus && !take("-")) return;
      product();
      emit(plus ? Code::add : Code::subtract, here);
    }
  }

  void product() {
    factor();
    for (std::size_t here = position_;; here = position_) {
      const bool times = take("*");
      if (!times && !take("/")) return;
      factor();
      emit(times ? Code::multiply : Code::divide, here);
    }
  }

  // Every recursion passes here, so this is where its depth is limited.
  void factor() {
    if (++nesting_ > kMaxNesting) fail(position_, fmt::format("nested deeper than {} levels", kMaxNesting));
    const std::size_t here = position_;
    if (take("-")) {
      factor();
      emit(Code::negate, here);
    } else if (take("+")) {
      factor();
    } else {
      primary();
      const std::size_t sign = position_;
      if (take("^") || take("**")) {
        factor();
        emit(Code::power, sign);
      }
    }
    --nesting_;
  }

  void primary() {
    const std::size_t here = position_;
    const char c = here < text_.size() ? text_[here] : '\0';
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (!take("(")) fail_expected("a number, a name, '-' or '('");
    comparison();
    if (!take(")")) fail_expected("an operator or ')'");
  }

  void number() {
    double value = 0.0;
    const char* const first = text_.data() + position_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);  // no locale
    if (error == std::errc::invalid_argument) fail_expected("a number");
    const std::size_t here = std::exchange(position_, static_cast<std::size_t>(last - text_.data()));
    if (error != std::errc()) fail(here, "expected a number within the range of a double");
    skip_blanks();
    emit(Code::constant, here, value);
  }

  void name() {
    const std::size_t here = position_;
    position_ = end_of_name(text_, here);
    const std::string_view word = text_.substr(here, position_ - here);
    skip_blanks();
    // A name before '(' is a function, so that a variable may be called as a unit is: g, mm.
    if (text_.substr(position_).starts_with("(")) {
      const auto unit = std::ranges::find(units(), word, &Unit::name);
      if (unit != units().end()) return convert(*unit, here);
    }
    const auto own = std::ranges::find(names_, word);
    if (own == names_.begin() && own != names_.end()) return emit(Code::time, here);
    if (own != names_.end()) return emit(Code::variable, here, static_cast<double>(own - names_.begin() - 1));
    if (word == "pi") return emit(Code::constant, here, std::numbers::pi);
    if (word == "e") return emit(Code::constant, here, std::numbers::e);
    if (word == "smooth" || word == "ceil" || word == "mod") return call_made_up(word, here);
    const auto function = std::ranges::find(kFunctions, word, &Function::name);
    if (function == kFunctions.end()) fail_unknown(here, word);
    call(*function, here);
  }

  [[noreturn]] void fail_unknown(std::size_t position, std::string_view word) const {
    std::vector<std::string> names(names_.begin(), names_.end());
    names.insert(names.end(), {"pi", "e"});
    for (const Function& f : kFunctions) names.emplace_back(f.name);
    names.insert(names.end(), {"ceil", "mod", "smooth"});
    for (const Unit& unit : units()) names.emplace_back(unit.name);
    const std::string close = closest_name(word, names);
    fail(position,
         fmt::format("unknown name '{}'; {}", printable(word),
                     close.empty() ? "known are " + quoted_list(names) : "did you mean '" + close + "'?"));
  }

  void convert(const Unit& unit, std::size_t here) {
    take("(");
    if (text_.substr(position_).starts_with(")"))
      fail(here, fmt::format("'{}' takes 1 argument, found 0", unit.name));
    comparison();
    if (text_.substr(position_).starts_with(","))
      fail(here, fmt::format("'{}' takes 1 argument, found more", unit.name));
    if (!take(")")) fail_expected("an operator or ')'");
    for (const auto& [factor, code] :
         {std::pair(unit.times, Code::multiply), std::pair(unit.by, Code::divide)})
      if (factor != 1) {
        emit(Code::constant, here, factor);
        emit(code, here);
      }
  }

  // smooth(x), ceil(x) = -floor(-x), mod(x, y) = x - y floor(x/y).
  void call_made_up(std::string_view word, std::size_t here) {
    if (!take("(")) fail_expected(fmt::format("'(' after '{}'", word));
    smooth_ += word == "smooth" ? 1 : 0;
    const std::size_t wanted = word == "mod" ? 2 : 1;
    std::size_t begin[3] = {program_.size(), 0, 0}, found = 0;
    if (!text_.substr(position_).starts_with(")")) {
      do {
        comparison();
        ++found;
        if (found <= 2) begin[found] = program_.size();
      } while (found <= wanted && take(","));
    }
    if (found == wanted && !take(")")) fail_expected("an operator, ',' or ')'");
    if (found != wanted)
      fail(here, fmt::format("'{}' takes {} argument{}, found {}", word, wanted, wanted == 1 ? "" : "s",
                             found > wanted ? "more" : fmt::format("{}", found)));
    smooth_ -= word == "smooth" ? 1 : 0;
    if (word == "ceil") {
      emit(Code::negate, here);
      emit(Code::floor, here);
      emit(Code::negate, here);
    } else if (word == "mod") {
      const std::vector<Instruction> x(program_.begin() + std::ptrdiff_t(begin[0]),
                                       program_.begin() + std::ptrdiff_t(begin[1])),
          y(program_.begin() + std::ptrdiff_t(begin[1]), program_.begin() + std::ptrdiff_t(begin[2]));
      const auto again = [&](const std::vector<Instruction>& code) {
        for (const Instruction& i : code) emit(i.code, std::size_t(i.column - 1), i.operand);
      };
      // x y → x y (x y / floor) * −
      again(x);
      again(y);
      emit(Code::divide, here);
      emit(Code::floor, here);
      emit(Code::multiply, here);
      emit(Code::subtract, here);
    }
  }

  void call(const Function& function, std::size_t here) {
    if (!take("(")) fail_expected(fmt::format("'(' after '{}'", function.name));
    const bool open_ended = function.code == Code::min || function.code == Code::max;
    const std::size_t wanted = arity(function.code);
    std::size_t found = 0;
    if (!text_.substr(position_).starts_with(")")) {
      do {
        comparison();
        ++found;
        if (open_ended && found >= 2) emit(function.code, here);  // min(a,b,c) = min(min(a,b),c)
        if (!open_ended && found > wanted) break;                 // counted below, before the stack fills
      } while (take(","));
    }
    const bool too_many = found > wanted && !open_ended;
    if (!too_many && !take(")")) fail_expected("an operator, ',' or ')'");
    if (too_many || found < wanted) {
      fail(here, fmt::format("'{}' takes {}{} argument{}, found {}", function.name, wanted,
                             open_ended ? " or more" : "", wanted == 1 && !open_ended ? "" : "s",
                             found > wanted ? "more" : fmt::format("{}", found)));
    }
    if (!open_ended) emit(function.code, here);
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  int smooth_ = 0;         // how many smooth() around
  std::size_t depth_ = 0;  // of the stack while the program written so far runs
  std::vector<Instruction> program_;
};

}  // namespace

std::vector<Instruction> compile(std::string_view text, std::span<const std::string> names) {
  return Compiler(text, names).compile();
}

}  // namespace driftless::expression_detail

namespace driftless {

std::vector<NamePlace> names_in(std::string_view text) {
  using expression_detail::is_digit, expression_detail::is_letter;
  std::vector<NamePlace> out;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t begin = i;
    if (is_letter(text[i])) {
      i = expression_detail::end_of_name(text, i);
      const std::size_t next = text.find_first_not_of(" \t\r\n", i);
      if (next == std::string_view::npos || text[next] != '(')
        out.push_back({begin, text.substr(begin, i - begin)});
    } else if (is_digit(text[i]) || text[i] == '.') {  // 1e5 has no name in it
      double value = 0;
      const auto [last, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
      i = std::max(i + 1, static_cast<std::size_t>(last - text.data()));
    } else {
      ++i;
    }
  }
  return out;
}

std::vector<std::string> signals_in(std::string_view text, std::span<const std::string> known) {
  std::vector<std::string> out;
  for (const NamePlace& place : names_in(text)) {
    const auto is_it = [&](std::string_view name) { return name == place.name; };
    if (place.name != "pi" && place.name != "e" && std::ranges::none_of(known, is_it) &&
        std::ranges::none_of(out, is_it))
      out.emplace_back(place.name);
  }
  return out;
}

}  // namespace driftless
