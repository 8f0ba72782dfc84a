#include "driftless/sweep/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMostRuns = 100'000'000;
constexpr std::size_t kMostValues = 1'000'000;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::string part;
  int depth = 0;  // pow(2,3) is one value
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == separator && depth == 0) {
      out.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  out.push_back(part);
  return out;
}

double number_of(const std::string& text) {
  const double value = Expression(text, {""})(0);
  if (!std::isfinite(value)) throw std::invalid_argument("not finite");
  return value;
}

// Throws std::invalid_argument.
void read_values(const std::string& text, SweepAxis& axis) {
  const auto ends = split(text, ':');
  if (ends.size() == 1) {
    for (const std::string& value : split(text, ',')) axis.values.push_back(number_of(value));
    return;
  }
  if (ends.size() > 3) throw std::invalid_argument("too many ':'");
  const double low = number_of(ends[0]), high = number_of(ends[1]);
  if (ends.size() == 2) {
    if (!(low < high)) throw std::invalid_argument("the first end must be the lower one");
    axis.values = {low, high};
    axis.is_range = true;
    return;
  }
  const double count = number_of(ends[2]);
  if (count != std::floor(count) || count < 2 || count > static_cast<double>(kMostValues))
    throw std::invalid_argument("a range needs two values at least, and a whole number of them");
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < n; ++i)
    axis.values.push_back(
        i + 1 == n ? high : low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1));
}

std::uint64_t splitmix64(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

double uniform(std::uint64_t seed, std::uint64_t n) {
  return static_cast<double>(splitmix64(seed + (n + 1) * 0x9e3779b97f4a7c15U) >> 11U) * 0x1p-53;
}

}  // namespace

std::size_t SweepPlan::runs() const {
  if (random > 0) return random;
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) count *= axis.values.size();
  return count;
}

ParameterValues SweepPlan::values(std::size_t run) const {
  ParameterValues out;
  if (random > 0) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const auto& v = axes[k].values;
      const double u = uniform(seed, run * axes.size() + k);
      out[axes[k].name] = axes[k].is_range ? v[0] + (v[1] - v[0]) * u
                                           : v[static_cast<std::size_t>(u * static_cast<double>(v.size()))];
    }
    return out;
  }
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    out[axis->name] = axis->values[run % axis->values.size()];
    run /= axis->values.size();
  }
  return out;
}

SweepPlan make_plan(const std::vector<std::string>& texts, std::size_t random, std::uint64_t seed) {
  SweepPlan plan{{}, random, seed};
  std::vector<Complaint> complaints;
  for (const std::string& text : texts) {
    const auto complain = [&](const std::string& expected, const std::string& hint) {
      complaints.push_back({"`set`", expected, fmt::format("'{}'", printable(text)), hint});
    };
    const auto sign = text.find('=');
    SweepAxis axis{text.substr(0, sign), {}, false};
    if (sign == std::string::npos || sign == 0) {
      complain("NAME=FROM:TO:COUNT, NAME=A,B,C or NAME=VALUE", "");
      continue;
    }
    try {
      read_values(text.substr(sign + 1), axis);
    } catch (const std::invalid_argument& error) {
      complain("NAME=FROM:TO:COUNT, NAME=A,B,C or NAME=VALUE", error.what());
      continue;
    }
    if (axis.is_range && random == 0) complain("NAME=FROM:TO:COUNT", "FROM:TO alone is for `random=N`");
    if (std::any_of(plan.axes.begin(), plan.axes.end(),
                    [&](const SweepAxis& a) { return a.name == axis.name; }))
      complain("each name once", "");
    plan.axes.push_back(std::move(axis));
  }
  if (!complaints.empty()) throw InputError("", std::move(complaints));
  if (plan.axes.empty())
    throw InputError("",
                     Complaint{"`set`", "at least one parameter to vary", "none", "such as k=500:5000:20"});
  double count = static_cast<double>(random);
  if (random == 0) {
    count = 1;
    for (const SweepAxis& axis : plan.axes) count *= static_cast<double>(axis.values.size());
  }
  if (count > static_cast<double>(kMostRuns))
    throw InputError(
        "", Complaint{"`set`", fmt::format("at most {} runs", kMostRuns), fmt::format("{:.3g}", count), ""});
  return plan;
}

}  // namespace driftless
