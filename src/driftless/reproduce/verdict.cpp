// How published and measured figures are judged.
#include <cmath>

#include <fmt/format.h>

#include "driftless/reproduce/table.hpp"

namespace driftless {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMatches:
      return "matches";
    case Verdict::kTrend:
      return "trend";
    case Verdict::kMisprint:
      return "misprint";
    case Verdict::kDataMissing:
      return "data-missing";
    case Verdict::kDiffers:
      return "differs";
  }
  return "differs";
}

void judge(TableCell& cell, Verdict verdict, std::string reason) {
  cell.verdict = verdict;
  cell.reason = std::move(reason);
}

namespace {

void judge_verdict_otherwise(TableCell& cell,
                             Verdict otherwise,
                             const std::string& why,
                             const std::string& unexplained) {
  if (std::isnan(cell.measured))
    judge(cell, Verdict::kDiffers, why.empty() ? "the run failed: see the remarks" : why);
  else
    judge(cell, otherwise, why.empty() ? unexplained : why);
}

}  // namespace

void judge_digits(
    TableCell& cell, int digits, double units, Verdict otherwise, const std::string& why, double zero) {
  if (cell.published == 0) {
    if (std::abs(cell.measured) < zero)
      return judge(cell, Verdict::kMatches, fmt::format("below {:g}: round-off, printed as 0", zero));
    return judge_verdict_otherwise(cell, otherwise, why, fmt::format("not below {:g}", zero));
  }
  const double unit = std::pow(10, std::floor(std::log10(std::abs(cell.published))) - digits + 1);
  if (std::abs(cell.measured - cell.published) <= units * unit)
    return judge(cell, Verdict::kMatches,
                 fmt::format("within {:g} units of digit {} as printed", units, digits));
  judge_verdict_otherwise(
      cell, otherwise, why,
      fmt::format("{:.3g} times the printed figure, unexplained", cell.measured / cell.published));
}

void judge_ratio(TableCell& cell, double tolerance, Verdict otherwise, const std::string& why) {
  if (std::abs(cell.measured - cell.published) <= tolerance * std::abs(cell.published))
    return judge(cell, Verdict::kMatches, fmt::format("within {:g} %", 100 * tolerance));
  judge_verdict_otherwise(
      cell, otherwise, why,
      fmt::format("{:.3g} times the printed figure, unexplained", cell.measured / cell.published));
}

bool judge_round_off(TableCell& cell, double limit) {
  if (!(std::abs(cell.published) < limit && std::abs(cell.measured) < limit)) return false;
  judge(cell, Verdict::kMatches, fmt::format("both below {:g}: round-off", limit));
  return true;
}

}  // namespace driftless
