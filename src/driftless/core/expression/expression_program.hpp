// The machine behind Expression: a flat postfix program on a stack of fixed size. Not for use elsewhere.
//
// compile() (expression_compiler.cpp) reads the text by recursive descent and folds constant parts; run()
// (expression_program.cpp) evaluates by the rules (1) to (4) of expression.hpp. There are no jumps: both
// branches of `if` are computed, so every run meets the switches of a program in the same order.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/core/expression/expression.hpp"

namespace driftless::expression_detail {

// The order carries meaning: arity() and is_switch() test ranges.
// clang-format off
enum class Code : unsigned char {
  constant, time, variable,                                                          // push one value
  negate, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt,  // smooth, one argument
  abs, sign, step, floor,                                                            // switches, one
  atan2, min, max, less, less_equal, greater, greater_equal,                         // switches, two
  add, subtract, multiply, divide, power, equal, not_equal,                          // others, two
  select                                                                             // a switch, three
};
// clang-format on

constexpr std::size_t arity(Code c) {
  return c <= Code::variable ? 0 : c <= Code::floor ? 1 : c <= Code::not_equal ? 2 : 3;
}
constexpr bool is_switch(Code c) { return (c >= Code::abs && c <= Code::greater_equal) || c == Code::select; }

// One that is looked at: not inside smooth(), and not `if`, which follows the switches of its condition.
constexpr bool is_watched(const Instruction& i) {
  return is_switch(i.code) && i.code != Code::select && i.operand == 0.0;
}

constexpr std::size_t kMaxStack = 64;

// How a switch decides when its argument stands exactly on the threshold.
enum class Tie { as_written, just_after };

// One switch at one instant, as the search for break times sees it.
struct SwitchState {
  double state;          // which piece is active; kNoState where the argument is NaN
  Derivatives argument;  // switches at 0, or at every integer if many_levels; NaN if it says nothing
  bool many_levels;
  Derivatives second = {};  // atan2: x
};
constexpr double kNoState = -0.5;  // a value no switch takes

// The first of `names` is the argument t of run(), the others are its `variables`, in this order.
// Throws std::invalid_argument with column, what was expected and what was found.
std::vector<Instruction> compile(std::string_view text, std::span<const std::string> names);

// Writes the state of every switch to `record`, in program order, unless it is null. Variables have no derivatives; null:
// they are unknown (NaN). `states`: of the switches, instead of what their arguments say. `rates`: of the variables. `along`:
// derivatives are by this variable instead of the argument; −1: by the argument. Does not allocate.
Derivatives run(std::span<const Instruction> program,
                double t,
                Tie tie,
                SwitchState* record = nullptr,
                const double* variables = nullptr,
                const int* states = nullptr,
                const double* rates = nullptr,
                int along = -1);

}  // namespace driftless::expression_detail
