// Hoitink 2011, table 4.2: members of the GSSSS families that survive 10 s of the double pendulum.
#include "driftless/reproduce/hoitink/hoitink.hpp"

namespace driftless {
namespace hoitink_4_2 {
namespace {

constexpr hoitink::Row published[] = {{"V0", "1,1,1", 2, 2999},  {"V0", "1,1,0", 2, 2998},
                                      {"V0", "1,1,1", 3, 5340},  {"V0", "1,1,0", 3, 5339},
                                      {"V0", "1,1,1", 4, 27197}, {"V0", "1,1,0", 4, 27197}};

ReproducedTable run() {
  ReproducedTable table;
  table.setting = "problem double-pendulum to 10 s, index3 with gssss, step 0.01, newton_tol=1e-8";
  table.label = "member";
  table.columns = {"iterations", "energy change (J)"};
  for (const auto& row : published) {
    const Results results = hoitink::run("double-pendulum", row, 10);
    if (!results.good()) table.remarks.push_back(hoitink::label_of(row) + ": " + results.message);
    TableCell iterations{row.iterations, hoitink::iterations_of(results)},
        energy{kNothing, hoitink::energy_change(results)};
    hoitink::judge_iterations(
        iterations, row.option == 3
                        ? "with J(q1) in place of the averaged Jacobian in the multiplier column the count "
                          "is the published one "
                          "exactly: most likely what the source did; an exact Newton matrix needs fewer"
                        : "with the factor W1 = 1/2 missing in the multiplier column it takes 27 366: most "
                          "likely what the "
                          "source did; an exact Newton matrix needs a tenth");
    hoitink::judge_energy(energy, true);
    table.rows.push_back({hoitink::label_of(row), {iterations, energy}});
  }
  table.remarks.push_back(
      "Option 2 takes exactly the published number of iterations. With J(q1) in place of the averaged "
      "Jacobian in the multiplier column option 3 takes exactly the published ones too, and with the factor "
      "W1 = 1/2 missing there option 4 takes 27 366: most likely what the source did. With exact Newton "
      "matrices every option costs three iterations a step.");
  return table;
}

}  // namespace
}  // namespace hoitink_4_2

extern const TableRecord hoitink_4_2_table;
const TableRecord hoitink_4_2_table = {
    .id = "hoitink-4.2",
    .title = "members of the GSSSS families that survive on the double pendulum",
    .source = "Hoitink 2011, table 4.2",
    .run = hoitink_4_2::run,
};

}  // namespace driftless
