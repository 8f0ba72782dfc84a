#include "driftless/compare/work_precision.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace driftless {

long ComparedRun::evaluations() const {
  return std::max(statistics.evaluations, statistics.newton_iterations);
}

std::string ComparedRun::setting() const {
  return step > 0 ? fmt::format("step {:g} s", step) : fmt::format("rtol {:g}", rtol);
}

Ending ending_of(const DescriptorSystem& system, const Results& results) {
  const Layout& layout = system.layout();
  Ending out{layout.q_names, results.final.q, layout.q_scale, layout.length, {}};
  system.poses(results.final.t, results.final.q, out.poses);
  return out;
}

double distance(const Ending& a, const Ending& b) {
  if (a.q_names == b.q_names && a.q.size() == b.q.size())
    return a.q.size() == 0 ? 0 : ((a.q - b.q).cwiseAbs().array() / a.q_scale.array()).maxCoeff();  // (1)
  if (a.poses.empty() || a.poses.size() != b.poses.size()) return std::nan("");
  double worst = 0;
  for (size_t i = 0; i < a.poses.size(); ++i) {  // (2)
    const Eigen::Vector4d &p = a.poses[i].quaternion, &q = b.poses[i].quaternion;
    const double chord = std::min((p - q).norm(), (p + q).norm());
    worst = std::max({worst, (a.poses[i].position - b.poses[i].position).norm() / a.length,
                      4 * std::asin(std::min(1.0, chord / 2))});
  }
  return worst;
}

std::string reference_text(const Reference& reference) {
  if (reference.method.empty()) return "none: no tight run succeeded, errors are not known";
  if (!reference.agreement) return fmt::format("{}, not checked by another method", reference.method);
  const std::string text = fmt::format("{}, {:.1e} from {}: smaller errors mean nothing", reference.method,
                                       *reference.agreement, reference.check);
  return reference.is_trusted() ? text : "NOT TRUSTED, no two methods agree to 1e-7: " + text;
}

double time_at_error(const Comparison& comparison, const std::string& method, double error) {
  double better_error = 0, better_time = std::nan(""), worse_error = 0, worse_time = std::nan("");
  for (const ComparedRun& run : comparison.runs) {
    if (run.method != method || !run.good || !std::isfinite(run.error)) continue;
    const double time = run.statistics.cpu_seconds, e = std::max(run.error, 1e-16);
    if (e <= error && (std::isnan(better_time) || time < better_time)) {
      better_error = e;
      better_time = time;
    }
    if (e > error && (std::isnan(worse_time) || e < worse_error)) {
      worse_error = e;
      worse_time = time;
    }
  }
  if (std::isnan(better_time) || std::isnan(worse_time) || !(worse_time < better_time)) return better_time;
  const double share = std::log(error / better_error) / std::log(worse_error / better_error);
  return std::exp(std::log(better_time) + share * std::log(worse_time / better_time));
}

void sort_runs(Comparison& comparison) {
  struct Rank {
    int kind;  // 0 reaches the error, 1 runs, 2 fails
    double value;
  };
  const auto rank_of = [&](const std::string& method) {
    const double time = time_at_error(comparison, method, kRankedError);
    if (std::isfinite(time)) return Rank{0, time};
    double best = std::nan("");
    for (const ComparedRun& run : comparison.runs)
      if (run.method == method && run.good) best = std::isnan(best) ? run.error : std::min(best, run.error);
    return std::isnan(best) ? Rank{2, 0} : Rank{1, best};
  };
  std::map<std::string, Rank> ranks;
  for (const ComparedRun& run : comparison.runs)
    if (!ranks.contains(run.method)) ranks.emplace(run.method, rank_of(run.method));
  std::stable_sort(comparison.runs.begin(), comparison.runs.end(),
                   [&](const ComparedRun& a, const ComparedRun& b) {
                     const Rank &x = ranks.at(a.method), &y = ranks.at(b.method);
                     return std::pair(x.kind, x.value) < std::pair(y.kind, y.value);
                   });
}

std::string compare_csv(const Comparison& comparison) {
  std::string out =
      "method,rtol,step,status,error,accepted,rejected,evaluations,newton_iterations,cpu_seconds,position_"
      "drift,velocity_drift,"
      "energy_error\n";
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  for (const ComparedRun& run : comparison.runs)
    out += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{},{},{},{}\n", run.method,
                       run.rtol > 0 ? number(run.rtol) : "", run.step > 0 ? number(run.step) : "", run.status,
                       number(run.error), run.statistics.accepted, run.statistics.rejected,
                       run.statistics.evaluations, run.statistics.newton_iterations,
                       number(run.statistics.cpu_seconds), number(run.drift.position_max),
                       number(run.drift.velocity_max), run.energy_error ? number(*run.energy_error) : "");
  return out;
}

}  // namespace driftless
