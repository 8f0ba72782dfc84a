// The convergence figures of Hoitink 2011 as fitted orders. A figure shows, for two of the options, how the errors of u, u̇, ü and λ
// fall with the step for the three members without dissipation; the text says: exactly two. With errors eᵢ at steps hᵢ against the same
// member at a fine step, the order is the slope of the line of least squares through
//   (log hᵢ, log eᵢ)                                                                                              (1)
// ü and λ are those that q and v determine at the end.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "driftless/reproduce/hoitink/hoitink.hpp"

namespace driftless::hoitink {

struct OrderStudy {
  const char* problem;
  double t_end;
  double fine;                // step of the reference
  std::vector<double> steps;  // of the figure
  const char* newton_tolerance = "1e-12";
  const char* remark = nullptr;
};

struct OrderEnd {
  bool good = false;
  Vec values[4];
};

inline OrderEnd end_of(const OrderStudy& study, const Row& row, double step) {
  Setup setup;
  setup.formulation = "index3";
  setup.integrator = "gssss";
  setup.step = step;
  setup.t_end = study.t_end;
  setup.drift_limit = 1e9;
  const bool conserving = row.family[0] == 'V' && (std::string(study.problem) == "four-mass" ||
                                                   std::string(study.problem) == "thin-beam");
  setup.options = {{"family", row.family},
                   {"rho", row.rho},
                   {"constraint", fmt::format("{}", row.option)},
                   {"forces", conserving ? "conserving" : "midpoint"},
                   {"newton_tol", study.newton_tolerance}};
  const Results results = rerun(study.problem, {}, setup).results;
  return {results.good(),
          {results.final.q, results.final.v, results.final_reaction.vdot, results.final_reaction.lambda}};
}

inline double slope(const std::vector<double>& steps, const std::vector<double>& errors) {  // (1)
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const double a = std::log(steps[i]), b = std::log(errors[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

inline ReproducedTable fitted_orders(const OrderStudy& study, int first_option) {
  ReproducedTable table;
  table.setting = fmt::format(
      "problem {} to {:g} s, index3 with gssss, newton_tol={}; slopes of the errors at the end over steps "
      "from {:g} to {:g} s, against "
      "the same member with {:g} s; accelerations and multipliers as q and v determine them",
      study.problem, study.t_end, study.newton_tolerance, study.steps.front(), study.steps.back(),
      study.fine);
  table.label = "member";
  table.columns = {"positions", "velocities", "accelerations", "multipliers"};
  for (const int option : {first_option, first_option + 1})
    for (const Row& row :
         {Row{"U0", "1,1,0", option, 2}, Row{"V0", "1,1,1", option, 2}, Row{"V0", "1,1,0", option, 2}}) {
      const OrderEnd fine = end_of(study, row, study.fine);
      std::vector<double> errors[4];
      bool good = fine.good;
      for (const double step : study.steps) {
        const OrderEnd end = end_of(study, row, step);
        good = good && end.good;
        for (int i = 0; good && i < 4; ++i) errors[i].push_back((end.values[i] - fine.values[i]).norm());
      }
      TableRow& out = table.rows.emplace_back(TableRow{label_of(row), {}});
      for (const auto& list : errors) {
        TableCell cell{2, good ? slope(study.steps, list) : kNothing};
        judge_ratio(cell, 0.1, Verdict::kDiffers,
                    good ? "the steps are not fine enough for the slope of this member to show"
                         : "the member does not reach the end with one of the steps");
        if (cell.verdict == Verdict::kMatches)
          cell.reason = "slope within 0.2 of 2, which is what the text says of the figure";
        out.cells.push_back(cell);
      }
    }
  if (study.remark != nullptr) table.remarks.emplace_back(study.remark);
  return table;
}

}  // namespace driftless::hoitink
