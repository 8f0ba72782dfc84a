// Differences of high order for derivatives nobody wrote down, with a search for the step. Values come from a
// callable `at(s, values)`, which writes them at s.
//   f'(0)  ≈ Σ wₖ (f(kh) − f(−kh)) / h             k = 1 … 3,  error h⁶/140 f⁽⁷⁾ + 2 ε |f| / h          (1)
//   f''(0) ≈ Σ wₖ (f(kh) − 2 f(0) + f(−kh)) / h²    k = 1 … 4,  error h⁸/3150 f⁽¹⁰⁾ + 6.5 ε |f| / h²    (2)
// Weights: Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids", Math. Comp. 51
// (1988), Table 1. High order buys long steps, and long steps keep round-off out: plain second order would
// reach 1e-10 and 1e-8.
//
// The same values give the formula of the next lower order. Where the two part, h is too long for the
// function and is halved (a driver at 50 Hz, a mechanism of millimetres whose scales were left at one); on
// well-scaled equations the first step serves.
#pragma once

#include <algorithm>
#include <limits>

#include "driftless/math/types.hpp"

namespace driftless::differences {

// First steps, relative: divide by relative_rate of the motion along which is differenced.
inline constexpr double kFirstStep = 0x1p-10;
inline constexpr double kSecondStep = 0x1p-6;

// Work arrays of differences of one list of values; two sets where differences nest.
struct Samples {
  explicit Samples(int count)
      : plus(count), minus(count), centre(count), low(count), high(count), rough(count) {}
  Vec plus, minus, centre;  // values at +kh, −kh, 0
  Vec low, high, rough;     // results of lower and higher order, and over a short step
};

// w.low, w.high ← d/ds at(s) at s = 0 of 4th and 6th order.
template <class At>
void sample_first(double step, const At& at, Samples& w) {
  constexpr double low[] = {2.0 / 3, -1.0 / 12, 0}, high[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  w.low.setZero();
  w.high.setZero();
  for (int k = 1; k <= 3; ++k) {
    at(k * step, w.plus);
    at(-k * step, w.minus);
    w.plus -= w.minus;
    w.low += low[k - 1] / step * w.plus;
    w.high += high[k - 1] / step * w.plus;
  }
}

// w.low, w.high ← d²/ds² at(s) at s = 0 of 6th and 8th order; w.centre must hold at(0).
template <class At>
void sample_second(double step, const At& at, Samples& w) {
  constexpr double low[] = {3.0 / 2, -3.0 / 20, 1.0 / 90, 0},
                   high[] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  w.low.setZero();
  w.high.setZero();
  for (int k = 1; k <= 4; ++k) {
    at(k * step, w.plus);
    at(-k * step, w.minus);
    w.plus -= w.centre;  // small differences first: a large constant in g cancels
    w.minus -= w.centre;
    w.plus += w.minus;
    w.low += low[k - 1] / (step * step) * w.plus;
    w.high += high[k - 1] / (step * step) * w.plus;
  }
}

// w.high ← plain second-order differences over one step.
template <class At>
void sample_plain_first(double step, const At& at, Samples& w) {
  at(step, w.plus);
  at(-step, w.minus);
  w.plus -= w.minus;
  w.high = w.plus / (2 * step);
}
template <class At>
void sample_plain_second(double step, const At& at, Samples& w) {
  at(0.0, w.centre);
  at(step, w.plus);
  at(-step, w.minus);
  w.plus -= w.centre;
  w.minus -= w.centre;
  w.plus += w.minus;
  w.high = w.plus / (step * step);
}

// Halves the step until the two orders agree to 1e-9, which puts the higher one below 1e-11, or to the
// round-off of values that are sums of terms of size `size`. If that is far too small a guess, halving only
// makes more noise: stop when it fails to help twice. An oscillation with about one period per step fools
// both orders alike. So a plain difference over a much shorter step, no simple fraction of the others, says
// roughly what to expect, and only what comes near it counts.
template <class Sample, class Plain>
void search_step(
    double step, int order, double size, const Sample& sample, const Plain& plain, Samples& w, VecRef out) {
  constexpr double kShort = 0.0043, kNear = 0.03;
  const auto noise_of = [&](double h) {
    return 64 * std::numeric_limits<double>::epsilon() * size / (order == 1 ? h : h * h);
  };
  plain(kShort * step);
  out = w.high;
  const double near = kNear * max_abs(w.high) + noise_of(kShort * step);
  w.rough = w.high;
  double least = std::numeric_limits<double>::infinity();
  for (int trial = 0, misses = 0; trial < 12 && misses < 2; ++trial, step /= 2) {
    sample(step);
    w.plus = w.high;
    w.plus -= w.rough;
    if (!(max_abs(w.plus) <= near)) continue;
    w.low -= w.high;
    const double gap = max_abs(w.low);
    if (gap < least) out = w.high;
    if (gap <= std::max(1e-9 * max_abs(w.high), noise_of(step))) return;
    misses += gap > least / 2;
    least = std::min(least, gap);
  }
}

// out ← d/ds at(s) at s = 0, (1).
template <class At>
void first_derivative(double step, double size, const At& at, Samples& w, VecRef out) {
  search_step(
      step, 1, size, [&](double h) { sample_first(h, at, w); },
      [&](double h) { sample_plain_first(h, at, w); }, w, out);
}

// out ← d²/ds² at(s) at s = 0, (2).
template <class At>
void second_derivative(double step, double size, const At& at, Samples& w, VecRef out) {
  search_step(
      step, 2, size, [&](double h) { sample_second(h, at, w); },
      [&](double h) { sample_plain_second(h, at, w); }, w, out);
}

// How many of its scales the fastest component of a rate passes per unit of s.
inline double relative_rate(ConstVec rate, const Vec& scale) {
  return (rate.array() / scale.array()).abs().maxCoeff();
}

}  // namespace driftless::differences
