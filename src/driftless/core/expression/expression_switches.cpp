// The switches of an expression as a system that switches sees them: states, and roots that say when they end.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/core/expression/expression.hpp"
#include "driftless/core/expression/expression_program.hpp"

namespace driftless {
namespace {

using expression_detail::Code;
using expression_detail::Instruction;
using expression_detail::is_switch;
using expression_detail::is_watched;
using expression_detail::kNoState;
using expression_detail::SwitchState;
using expression_detail::Tie;

constexpr std::size_t kMostSwitches = 200;  // as Expression allows
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Room for what the switches of an expression say, mostly few.
template <class Use>
void with_record(std::size_t count, Use&& use) {
  constexpr std::size_t kFew = 8;
  if (count <= kFew) {
    std::array<SwitchState, kFew> record;
    use(record.data());
  } else {
    std::array<SwitchState, kMostSwitches> record;
    use(record.data());
  }
}

const Instruction& switch_at(const std::vector<Instruction>& program, std::size_t k) {
  auto at = program.begin();
  for (;; ++at)
    if (is_watched(*at) && k-- == 0) return *at;
}

const char* sign_text(Code code) {
  switch (code) {
    case Code::abs:
      return "abs";
    case Code::sign:
      return "sign";
    case Code::step:
      return "step";
    case Code::floor:
      return "floor";
    case Code::atan2:
      return "atan2";
    case Code::min:
      return "min";
    case Code::max:
      return "max";
    case Code::less:
      return "<";
    case Code::less_equal:
      return "<=";
    case Code::greater:
      return ">";
    default:
      return ">=";
  }
}

bool holds_below(Code code) {  // state 1 is where the argument is <= 0
  return code == Code::min || code == Code::less || code == Code::less_equal;
}

struct Ends {
  Derivatives down, up;  // roots 2k and 2k + 1
};
constexpr Derivatives kNever{kNone, kNone, kNone};
Derivatives minus(const Derivatives& u) { return {-u.value, -u.rate, 0}; }

Ends ends(Code code, const SwitchState& now, int state) {
  const Derivatives& u = now.argument;
  switch (code) {
    case Code::sign:
      return {state >= 0 ? u : kNever, state <= 0 ? minus(u) : kNever};
    case Code::floor:
      return {{u.value - state, u.rate, 0}, {state + 1 - u.value, -u.rate, 0}};
    case Code::atan2:
      if (state == 0) return {now.second, kNever};
      return {state > 0 ? u : minus(u), minus(now.second)};
    default: {
      const Derivatives w = holds_below(code) ? minus(u) : u;
      return {state != 0 ? w : kNever, state == 0 ? minus(w) : kNever};
    }
  }
}

}  // namespace

std::string Expression::switch_text(std::size_t k) const {
  const Instruction& at = switch_at(program_, k);
  return fmt::format("'{}' in column {}", sign_text(at.code), at.column);
}

std::pair<int, std::vector<std::string>> Expression::switch_states(std::size_t k) const {
  switch (switch_at(program_, k).code) {
    case Code::sign:
      return {-1, {"negative", "zero", "positive"}};
    case Code::floor:
      return {0, {}};
    case Code::atan2:
      return {-1, {"below", "right", "above"}};
    case Code::min:
    case Code::max:
      return {0, {"second", "first"}};
    case Code::abs:
    case Code::step:
      return {0, {"negative", "positive"}};
    default:
      return {0, {"false", "true"}};
  }
}

bool Expression::has_smooth() const {
  return std::ranges::any_of(program_, [](const Instruction& i) {
    return is_switch(i.code) && i.code != Code::select && !is_watched(i);
  });
}

// A branch need not be defined beyond its end, as (0.1 - x)^1.5 is not; what stands there is as the text has it.
double Expression::frozen(double t, std::span<const double> variables, const int* states) const {
  const double value = run(program_, t, Tie::as_written, nullptr, variables.data(), states).value;
  return std::isnan(value) ? (*this)(t, variables) : value;
}

Derivatives Expression::frozen_at(double t, const int* states) const {
  const Derivatives value = run(program_, t, Tie::as_written, nullptr, nullptr, states);
  return std::isnan(value.value) ? at(t) : value;
}

void Expression::begin_states(double t, const double* variables, const double* rates, int* states) const {
  with_record(switch_count_, [&](SwitchState* record) {
    run(program_, t, Tie::just_after, record, variables, nullptr, rates);
    for (std::size_t k = 0; k < switch_count_; ++k)
      states[k] = record[k].state == kNoState ? 0 : static_cast<int>(std::clamp(record[k].state, -1e9, 1e9));
  });
}

void Expression::roots(double t,
                       const double* variables,
                       const double* rates,
                       const int* states,
                       double* values,
                       double* value_rates) const {
  with_record(switch_count_, [&](SwitchState* record) {
    run(program_, t, Tie::as_written, record, variables, states, rates);
    std::size_t k = 0;
    for (const Instruction& i : program_) {
      if (!is_watched(i)) continue;
      const Ends end = ends(i.code, record[k], states[k]);
      values[2 * k] = end.down.value;
      value_rates[2 * k] = end.down.rate;
      values[2 * k + 1] = end.up.value;
      value_rates[2 * k + 1] = end.up.rate;
      ++k;
    }
  });
}

int Expression::state_behind(std::size_t root, double t, const double* variables, const int* states) const {
  const std::size_t k = root / 2;
  const bool up = root % 2 != 0;
  const int state = states[k];
  switch (switch_at(program_, k).code) {
    case Code::sign:
      return up ? 1 : -1;
    case Code::floor:
      return state + (up ? 1 : -1);
    case Code::atan2: {
      if (up) return 0;
      if (state != 0) return -state;
      int behind = 1;
      with_record(switch_count_, [&](SwitchState* record) {
        run(program_, t, Tie::as_written, record, variables, states);
        behind = record[k].argument.value < 0 ? -1 : 1;
      });
      return behind;
    }
    default:
      return up ? 1 : 0;
  }
}

}  // namespace driftless
