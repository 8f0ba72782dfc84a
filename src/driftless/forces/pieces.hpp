// Functions of a place in pieces, as a system that switches sees them: a piece is a mode, and its ends are roots
//   r₂ₖ = x − begin,   r₂ₖ₊₁ = end − x                                                                                  (1)
// so that of a thousand knots only the two next to x are looked at.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "driftless/core/time_function.hpp"
#include "driftless/system/switching/switching.hpp"

namespace driftless {

// (1); infinite ends never come.
inline void piece_roots(double x, double x_rate, double begin, double end, double* values, double* rates) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
  values[0] = begin == -kInfinite ? kNever : x - begin;
  values[1] = end == kInfinite ? kNever : end - x;
  rates[0] = x_rate;
  rates[1] = -x_rate;
}
inline int piece_behind(int root, int piece) { return root % 2 == 0 ? piece - 1 : piece + 1; }

// A function of a place, f(x): pieces between the places where it or a derivative jumps; the switches of an expression.
class Profile {
 public:
  Profile() = default;
  explicit Profile(const TimeFunction& f) : f_(f), expression_(f.expression()), knots_(f.knots()) {}

  const TimeFunction& function() const { return f_; }
  int mode_count() const {
    return expression_ != nullptr ? static_cast<int>(expression_->switch_count()) : knots_.empty() ? 0 : 1;
  }
  // f, f′, f″. Beyond the ends of a frozen piece it goes on with its curvature there.
  Derivatives at(double x, const int* modes) const {
    if (modes == nullptr || mode_count() == 0) return f_.at(x);
    if (expression_ != nullptr) return expression_->frozen_at(x, modes);
    const auto piece = static_cast<size_t>(*modes);
    const double low = piece == 0 ? -kInfinite : knots_[piece - 1];
    const double high = piece == knots_.size() ? kInfinite : knots_[piece];
    if (x > low && x < high) return f_.at(x);
    const bool below = x <= low;
    const double end = below ? low : high, d = x - end;
    const Derivatives y = f_.at(end, below ? Side::right : Side::left);
    return {y.value + d * (y.rate + 0.5 * d * y.acceleration), y.rate + d * y.acceleration, y.acceleration};
  }
  void begin(double x, double x_rate, int* modes) const {
    if (mode_count() == 0) return;
    if (expression_ != nullptr) return expression_->begin_states(x, nullptr, nullptr, modes);
    const auto piece = x_rate < 0 ? std::lower_bound(knots_.begin(), knots_.end(), x)
                                  : std::upper_bound(knots_.begin(), knots_.end(), x);
    *modes = static_cast<int>(piece - knots_.begin());
  }
  void roots(double x, double x_rate, const int* modes, double* values, double* rates) const {
    if (mode_count() == 0) return;
    if (expression_ != nullptr) {
      expression_->roots(x, nullptr, nullptr, modes, values, rates);
      for (int i = 0; i < 2 * mode_count(); ++i) rates[i] *= x_rate;  // by x
      return;
    }
    const auto piece = static_cast<size_t>(*modes);
    piece_roots(x, x_rate, piece == 0 ? -kInfinite : knots_[piece - 1],
                piece == knots_.size() ? kInfinite : knots_[piece], values, rates);
  }
  void cross(int root, double x, int* modes) const {
    if (expression_ != nullptr)
      modes[root / 2] = expression_->state_behind(size_t(root), x, nullptr, modes);
    else
      *modes = piece_behind(root, *modes);
  }
  void describe(Switch like, std::vector<Switch>& out) const;

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  TimeFunction f_;
  const Expression* expression_ = nullptr;  // of f_, which shares its data with copies
  std::vector<double> knots_;
};

// The switches of an expression as a system names them.
void describe_switches(const Expression& expression, Switch like, std::vector<Switch>& out);

}  // namespace driftless
