#include "driftless/sweep/measure.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/core/errors.hpp"
#include "driftless/core/expression/expression.hpp"
#include "driftless/core/text.hpp"

namespace driftless {
namespace {

const std::vector<std::string> kKinds = {"max", "min", "final", "mean", "rms", "crossing"};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

Measure parse_measure(const std::string& text) {
  const auto refuse = [&](const std::string& hint = "") {
    throw InputError(
        "", Complaint{"`measure`",
                      "max, min, final, mean or rms of an output, max(NAME), or crossing(NAME, VALUE)",
                      fmt::format("'{}'", printable(text)), hint});
  };
  Measure out;
  out.text = text;
  const auto open = text.find('(');
  if (open == std::string::npos || trimmed(text).back() != ')') refuse();
  const std::string kind = trimmed(text.substr(0, open));
  const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
  if (found == kKinds.end()) {
    const std::string near = closest_name(kind, kKinds);
    refuse(near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  out.kind = static_cast<Measure::Kind>(found - kKinds.begin());
  std::vector<std::string> arguments;
  std::istringstream inside(text.substr(open + 1, text.rfind(')') - open - 1));
  for (std::string part; std::getline(inside, part, ',');) arguments.push_back(trimmed(part));
  const bool crossing = out.kind == Measure::Kind::crossing;
  if (arguments.empty() || arguments[0].empty() || (!crossing && arguments.size() > 1) ||
      (crossing && (arguments.size() < 2 || arguments.size() > 3)))
    refuse();
  out.output = arguments[0];
  if (!crossing) return out;
  try {
    out.level = Expression(arguments[1], {""})(0);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  if (arguments.size() == 3) {
    if (arguments[2] != "up" && arguments[2] != "down" && arguments[2] != "any")
      refuse("the third is up, down or any");
    out.direction = arguments[2] == "up" ? 1 : arguments[2] == "down" ? -1 : 0;
  }
  return out;
}

double Measure::of(const Trajectory& trajectory) const {
  const Table& table = trajectory.quantities;
  const auto found = std::find(table.names.begin(), table.names.end(), output);
  if (found == table.names.end()) {
    const std::string near = closest_name(output, table.names);
    throw InputError(
        "", Complaint{"`measure`", table.names.empty() ? "a model with outputs" : quoted_list(table.names),
                      fmt::format("'{}'", printable(output)),
                      near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
  }
  const auto column = static_cast<std::size_t>(found - table.names.begin());
  const std::size_t n = table.rows();
  if (n == 0) return std::nan("");
  const auto y = [&](std::size_t i) { return table.at(i, column); };
  const auto& t = trajectory.t;
  double best = y(0), sum = 0;
  switch (kind) {
    case Kind::final:
      return y(n - 1);
    case Kind::max:
      for (std::size_t i = 1; i < n; ++i) best = std::max(best, y(i));
      return best;
    case Kind::min:
      for (std::size_t i = 1; i < n; ++i) best = std::min(best, y(i));
      return best;
    case Kind::mean:
      for (std::size_t i = 1; i < n; ++i) sum += (t[i] - t[i - 1]) * (y(i - 1) + y(i)) / 2;  // (1)
      return t[n - 1] > t[0] ? sum / (t[n - 1] - t[0]) : y(0);
    case Kind::rms:
      for (std::size_t i = 1; i < n; ++i)
        sum += (t[i] - t[i - 1]) * (y(i - 1) * y(i - 1) + y(i - 1) * y(i) + y(i) * y(i)) / 3;  // (2)
      return t[n - 1] > t[0] ? std::sqrt(sum / (t[n - 1] - t[0])) : std::abs(y(0));
    case Kind::crossing:
      for (std::size_t i = 1; i < n; ++i) {
        const double a = y(i - 1) - level, b = y(i) - level;
        const bool up = a < 0 && b >= 0, down = a > 0 && b <= 0;
        if ((up && direction >= 0) || (down && direction <= 0))
          return t[i - 1] + (t[i] - t[i - 1]) * a / (a - b);
      }
      return std::nan("");
  }
  return std::nan("");
}

}  // namespace driftless
