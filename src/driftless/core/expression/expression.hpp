// Arithmetic expression in the time t, compiled once, evaluated with exact first and second derivatives. It may be in
// another argument (the place x of a road's height) and have further variables (length and rate of a spring).
//
// Language       numbers (2, .5, 1e-3), t, pi, e, further names (words joined by dots: tip.vx), parentheses
//   operators    ^ or ** (right associative), unary - and + (-2^2 = -4), * /, + -, < <= > >= == != (0 or 1)
//   functions    sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log log10 sqrt pow(x,y)
//                abs sign floor ceil mod(x,y) (x - y floor(x/y)) min max (two or more arguments)
//                step(x) (0 for x < 0, 1 for x >= 0)   if(cond,a,b) (b where cond is 0, else a)
//                smooth(x) (x itself: switches inside it are no events, and are taken as they come)
//   units        mm(120), deg(45), rpm(30): the value in SI units (units.hpp)
//
// Derivatives    forward propagation of (x, x', x'') through a flat postfix program      [Griewank08] ch. 13
//   (u v)'' = u'' v + 2 u' v' + u v''                                                                 (1)
//   z = u/w:  z' = (u' − z w')/w,  z'' = (u'' − 2 z' w' − z w'')/w                                    (2)
//   φ(u)' = φ' u',  φ(u)'' = φ'' u'² + φ' u''                                                         (3)
//   u^n, n constant:  n u^(n−1) u',  n(n−1) u^(n−2) u'² + n u^(n−1) u'', terms with factor 0 left out (4)
//   In (3) and (4) a factor u' or u'' that is exactly 0 leaves its term out even where φ' is infinite. So
//   sqrt(max(t-1, 0)) is 0 with zero derivatives before t = 1; the price: sqrt(t^4) has x'' = 0, not 2, at 0.
//   Outside a function's domain the result is NaN, also through comparisons; a branch of if, min, max that is
//   not taken has no influence.
//
// Switches       abs sign step floor min max if atan2 < <= > >= jump or bend where their argument passes a
//   threshold. at(t) takes the text by its word at that instant; limit(t, side) gives the one-sided limit.
//   Where the argument meets its threshold exactly, limit(t, right) decides by the argument's derivatives; if
//   that picks a singular branch, as in if(t > 0, sin(t)/t, 1) at t = 0, it falls back to the text. == and !=
//   are always taken by their word, being true at isolated instants only, and are no switches.
//
// Frozen         In a system that switches (system/switching/switching.hpp) every switch has a state, an integer: 1 where abs, step and
//   max have an argument >= 0 and where min, < and so on hold, else 0; of sign -1, 0, 1; of floor the level; of atan2 0 for
//   x > 0, else the sign of y. frozen() evaluates with given states, wherever the arguments are: a smooth function. Two roots a switch, as
//   system/switching/switching.hpp has them, say when its state ends downwards and upwards. `if` follows its condition; it has none.
//
// Variables      beside the argument have no derivatives. Where only the argument is given, they are unknown (NaN): is a
//   switch a matter of the argument alone, break_times still finds it.
//
// break_times    can not be exact. Every switch is observed at 1001 samples of [t0, t1]; intervals where its
//   argument moves faster than the samples show are halved, up to 10 times; a change of state is bisected
//   down to neighbouring doubles; where the argument turns back between two samples the turning point is
//   looked at as well. What hides from that is missed, and so are kinks without a switch: asin(sin(t)),
//   sqrt(t^2), poles of tan. Switches that change value, rate, acceleration by less than 1e-12 are left out.
//
// Limits         10 000 characters, 100 nested levels, 64 intermediate values, 200 switches, 100 000 break
//   times: hostile text costs bounded time (seconds) and memory and ends in a message.
// Cost           one pass over the program, no allocation; const evaluation is thread-safe.
//
// [Griewank08] A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed., SIAM, 2008.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {

// A function of time and its first two derivatives at one instant.
struct Derivatives {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

// From which side an instant is approached: they differ only at break times.
enum class Side { right, left };

namespace expression_detail {
enum class Code : unsigned char;
struct Instruction {
  Code code;
  int column;      // where it stands in the text, from 1
  double operand;  // of the instruction `constant`; of switches 1 inside smooth(); 0 elsewhere
};
}  // namespace expression_detail

// A name that stands for a value in a text, with where it begins: functions and the e of numbers are none.
struct NamePlace {
  std::size_t begin;
  std::string_view name;
};
std::vector<NamePlace> names_in(std::string_view text);
// Those that are neither in `known` nor pi or e, each once.
std::vector<std::string> signals_in(std::string_view text, std::span<const std::string> known);

class Expression {
 public:
  // Throws std::invalid_argument: "expression '2*sine(t)': column 3: unknown name 'sine'; did you mean …".
  // Columns count bytes from 1.
  // `names`: the argument, then further variables.
  explicit Expression(std::string_view text, std::vector<std::string> names = {"t"});

  const std::string& text() const { return text_; }
  bool is_constant() const;  // neither argument nor variables occur

  Derivatives at(double t) const;
  Derivatives limit(double t, Side side) const;
  double operator()(double t) const { return at(t).value; }
  double operator()(double t, std::span<const double> variables) const;  // all of them, in order
  // Its derivative by the argument (k = −1) or by variable k, exact; `states`: of the switches, null: as they come.
  double partial(int k, double t, std::span<const double> variables, const int* states = nullptr) const;
  // Its rate where the argument grows by 1 and the variables by `rates`.
  double rate(double t, const double* variables, const double* rates, const int* states = nullptr) const;

  // ---- frozen: states and roots in the order of the text; `variables` and their `rates` all of them, in order ---------
  std::size_t switch_count() const { return switch_count_; }
  std::string switch_text(std::size_t k) const;  // "'<' in column 6"
  std::pair<int, std::vector<std::string>> switch_states(
      std::size_t k) const;  // the first, and names, if they have any
  bool has_smooth() const;   // asks for no events somewhere
  double frozen(double t, std::span<const double> variables, const int* states) const;
  Derivatives frozen_at(double t, const int* states) const;  // without variables
  void begin_states(double t, const double* variables, const double* rates, int* states) const;
  // Roots 2k and 2k + 1 of the k-th switch, and their rates; NaN: none in this state, or a rate that is not known.
  void roots(double t,
             const double* variables,
             const double* rates,
             const int* states,
             double* values,
             double* value_rates) const;
  // The state of a switch behind its root.
  int state_behind(std::size_t root, double t, const double* variables, const int* states) const;

  // Sorted instants strictly inside (t0, t1), each the first double with the new state: limit(b, right) is
  // after the break and limit(b, left) before it. Throws std::invalid_argument if the interval is not finite
  // or holds more breaks than can be found.
  std::vector<double> break_times(double t0, double t1) const;

 private:
  std::string text_;
  std::vector<expression_detail::Instruction> program_;
  std::size_t switch_count_ = 0;
};

}  // namespace driftless
